//! The worst strings, rendered by rustdoc itself.

use super::documents::{generate, operations, schemas};
use super::strings::{attacks, strings};
use kapigen_tests::places;
use std::path::Path;
use test_support::workspace::Workspace;

#[test]
fn rustdoc_finds_no_tests_and_no_html() {
    let short = |string: &String| string.chars().filter(|c| c.is_alphanumeric()).count() < 60;
    let attacks: Vec<String> =
        attacks().into_iter().chain(strings(40).into_iter().filter(short)).collect();
    let mut output = generate(&[schemas(&attacks).0, operations(&attacks).0]);
    output.add_package(&places::package("hostile")).expect("the name is one of a crate");
    let workspace =
        Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("documentation"), &["hostile"]);
    output.tree.write(&workspace.folder.join("hostile")).expect("a crate can be written");

    let tests = workspace.cargo(&["test", "--doc", "--quiet", "--", "--list"], "RUSTFLAGS");
    let found: Vec<&str> = tests.lines().filter(|line| line.contains(": test")).collect();
    assert_eq!(found, Vec::<&str>::new());

    _ = workspace.cargo(&["doc", "--no-deps", "--quiet"], "RUSTDOCFLAGS");
    let pages = places::files(&workspace.target.join("doc/hostile"), &["html"]);
    let pages: Vec<String> = pages.iter().map(|path| places::text(path)).collect();
    for html in ["<script>pwned", "<pre>pwned", "<x-pwned", "<a href=\"pwned"] {
        let page = pages.iter().find(|page| page.contains(html));
        assert_eq!(page, None, "{html}");
        let shown = html.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let shown =
            |page: &String| page.contains(&shown) || page.contains(&shown.replace("&quot;", "\""));
        assert!(pages.iter().any(shown), "no page shows {html}");
    }
}
