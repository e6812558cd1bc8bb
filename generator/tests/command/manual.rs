//! `man`: manual pages.

use crate::folder::{Folder, assert_output};

#[test]
fn prints_manual_pages() {
    let folder = Folder::new("man");
    assert_output(&folder.kapigen(&["man"]), 0, &["\n.TH kapigen 1 ", "\nkapigen\\-diff(1)\n"], "");
    assert_output(&folder.kapigen(&["man", "diff"]), 0, &["\n.TH kapigen-diff 1 ", "\n\\fB\\-\\-extern\\fR "], "");
    for command in ["diff", "man"] {
        let page = String::from_utf8(folder.kapigen(&["man", command]).stdout).unwrap();
        let title = format!("\n.TH kapigen-{command} 1  \"kapigen {}\" kapigen\n", env!("CARGO_PKG_VERSION"));
        assert!(page.contains(&title), "{page}");
        assert!(!page.contains(['`', '~']), "other characters are printed for these: {page}");
    }
    let expected = "error: there is no command `dif`\n  help: there are pull, init, list, generate, check, diff, ";
    assert_output(&folder.kapigen(&["man", "dif"]), 2, &[], expected);
}
