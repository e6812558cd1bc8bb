//! Documentation of the command: help, manual pages, and scripts that complete arguments.

use crate::folder::{Folder, assert_output};

#[test]
fn help_has_an_example_for_each_command_and_the_exit_codes() {
    let folder = Folder::new("help");
    assert_output(&folder.kapigen(&["--help"]), 0, &["Exit codes:\n  0  all is well\n"], "");
    for command in ["generate", "check", "list"] {
        let usage = format!("kapigen {command} --spec spec");
        assert_output(&folder.kapigen(&[command, "--help"]), 0, &["\nExample", &usage], "");
    }
}

#[test]
fn prints_manual_pages() {
    let folder = Folder::new("man");
    assert_output(&folder.kapigen(&["man"]), 0, &["\n.TH kapigen 1 ", "\nkapigen\\-diff(1)\n"], "");
    assert_output(
        &folder.kapigen(&["man", "diff"]),
        0,
        &["\n.TH kapigen-diff 1 ", "\n\\fB\\-\\-extern\\fR "],
        "",
    );
    for command in ["diff", "man"] {
        let page = String::from_utf8(folder.kapigen(&["man", command]).stdout).unwrap();
        let title = format!(
            "\n.TH kapigen-{command} 1  \"kapigen {}\" kapigen\n",
            env!("CARGO_PKG_VERSION")
        );
        assert!(page.contains(&title), "{page}");
        assert!(!page.contains(['`', '~']), "other characters are printed for these: {page}");
    }
    let expected = "error: there is no command `dif`\n  help: there are pull, init, list, \
                    generate, check, diff, ";
    assert_output(&folder.kapigen(&["man", "dif"]), 2, &[], expected);
}

#[test]
fn shells_complete_the_arguments() {
    let folder = Folder::new("completions");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert_output(
            &folder.kapigen(&["completions", shell]),
            0,
            &["kapigen", "crate-version"],
            "",
        );
    }
}
