//! Strings that try to be markup.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;

/// Pieces of markup, of which strings are made.
const FRAGMENTS: &[&str] = &[
    "```",
    "```rust\n",
    "\n```\n",
    "~~~",
    "~~~\n",
    "\n~~~ rust\n",
    "`",
    "``",
    "`````",
    "` ",
    " `",
    "\\`",
    "`\\`",
    "\\",
    "\\\\",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\t",
    "\n\t",
    "    ",
    "\n    ",
    "\n\n    code();\n",
    "  \n",
    "\u{2028}",
    "\u{2029}",
    "\u{85}",
    "\u{a0}",
    "\u{b}",
    "\u{c}",
    "\0",
    "\u{7f}",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{2066}",
    "\u{61c}",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "\u{ad}",
    "\u{e0041}",
    "\u{fe0f}",
    "<script>",
    "</script>",
    "<pre>\n",
    "<b>",
    "<!--",
    "-->",
    "<!DOCTYPE",
    "<![CDATA[",
    "<?php",
    "<x y='",
    "<a@b.c>",
    "<div\n",
    "<",
    ">",
    "> ",
    "\n> ",
    "&lt;",
    "&#60;",
    "&#x3c;",
    "&amp",
    "&",
    ";",
    "[",
    "]",
    "[a](b)",
    "[a]",
    "[a][b]",
    "[`a`]",
    "![a](b)",
    "\n[a]: b\n",
    "\n[^a]: b\n",
    "[^a]",
    "^[a]",
    "[ ] ",
    "- [x] ",
    "(",
    ")",
    "](",
    "https://a.b/c_d?e=f&g=h",
    "http://",
    "https://",
    "https://a.b/&lt;",
    "javascript:x",
    "www.a.b",
    "a@b.c",
    "*",
    "**",
    "***",
    "_",
    "__",
    "~",
    "~~",
    "^",
    "$",
    "$$",
    "=",
    "==",
    "#",
    "# ",
    "\n# ",
    "\n## a {#b}\n",
    "{.a}",
    "- ",
    "\n- ",
    "\n  - ",
    "+ ",
    "\n+ ",
    "* ",
    "\n* ",
    "1. ",
    "\n1. ",
    "2) ",
    "\n- 1. ",
    "\n- - ",
    "\n- # ",
    "\n- ```\n",
    "- ~~~",
    "\n---\n",
    "\n===\n",
    "--",
    "---",
    "...",
    "'",
    "\"",
    "|",
    "\na | b\n- | -\n",
    "\na\n:-\n",
    ":--",
    "|-|",
    ": ",
    "\n: ",
    "a",
    "b c",
    "fn x() {}",
    "panic!();",
    "x=y",
    "!",
    ".",
    "\"#",
    "r#\"",
    "*/",
    "/*",
    "///",
    "//!",
    "\n/// a\n",
    "%%",
    "@",
    "\u{65e5}\u{672c}",
    "e\u{301}",
    "\u{1f600}",
];

/// Strings, all different.
pub(crate) fn strings(count: usize) -> Vec<String> {
    let fragment = || (0..FRAGMENTS.len()).prop_map(|index| FRAGMENTS[index].to_owned());
    let filler = || ("[a-z]", 1..120_usize).prop_map(|(letter, count)| letter.repeat(count));
    let piece = prop_oneof![
        8 => fragment(),
        1 => any::<String>(),
        1 => "[\\p{Cf}\\p{Cc}\\p{Zs}a`]{1,4}",
        1 => "[-\\\\`~<>#|*_:=+&; \n\t]{1,8}",
        1 => "(word ){1,24}",
        1 => filler(),
        // A code span across the place where a line is broken.
        1 => (filler(), fragment(), filler()).prop_map(|(a, b, c)| format!("`{a} {b} panic!(); {b} {c}`")),
    ];
    let string = proptest::collection::vec(piece, 1..9).prop_map(|pieces| pieces.concat());
    let mut runner = TestRunner::default();
    let mut strings = BTreeSet::new();
    let mut ordered = Vec::new();
    while ordered.len() < count {
        let string = string.new_tree(&mut runner).expect("nothing is filtered").current();
        if strings.insert(string.clone()) {
            ordered.push(string);
        }
    }
    ordered
}

/// Strings that carry a payload past line breaking and escaping.
pub(crate) fn attacks() -> Vec<String> {
    const LOADS: [&str; 5] = [
        "pwned!();",
        "<script>pwned()</script>",
        "<pre>pwned",
        "<x-pwned a=b>",
        "<a href=\"pwned:x\">a</a>",
    ];
    let around = |load: &str| {
        // Names of files, which are made of these too, have only so much room for letters.
        let before = "=".repeat(98);
        let after = "+".repeat(110);
        let long = load.replace(' ', "_") + &"/".repeat(100);
        [
            load.to_owned(),
            format!("`{before} ~~~ {long} ~~~ {after}`"),
            format!("`{before} {load} {after}`"),
            format!("`{before} # {load} {after}`"),
            format!("rust {load} //`{}", "=".repeat(90)),
            format!("``` {load} {before} ``` {load}"),
            format!("\n\n```\n{load}\n```\n"),
            format!("a\n\n    {load}\n\n\t{load}"),
            format!("- a\n- ~~~\n- {load}\n  - ```\n{load}"),
            format!("- a\n- {load}\n- 1. ```\n{load}"),
            format!("a | b\n- | -\n{load} | c"),
            format!("[^a]: {load}\n\n    {load}"),
            format!("[a]: {load}\n[a]"),
            format!("&lt;&#60;\\{load}\\`{load}\\"),
        ]
    };
    LOADS.iter().flat_map(|load| around(load)).collect()
}
