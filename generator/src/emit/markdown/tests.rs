use super::{Block, LINE, Markdown, comment, prose};

fn shown(blocks: &[Block]) -> String {
    comment(blocks)
        .replace(LINE, "\n")
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .fold(String::new(), |text, line| if text.is_empty() { line.to_owned() } else { format!("{text}\n{line}") })
}

#[test]
fn prose_stays_prose() {
    let cases = [
        ("One of `Always`, `Never`.", "One of `Always`, `Never`."),
        ("a <b> c", "a \\<b\\> c"),
        ("see [x] and [y](z)", "see \\[x\\] and \\[y\\](z)"),
        ("\\<script>", "\\\\\\<script\\>"),
        ("odd ` tick", "odd \\` tick"),
        ("``` fence\ncode", "\\`\\`\\` fence code"),
        ("# heading", "\\# heading"),
        ("1. one", "1\\. one"),
        ("    indented\n\tcode", "indented code"),
        ("a\nb\n\nc", "a b\n\nc"),
        ("- a\n- b\n  c", "- a\n- b c"),
        ("- a\n- # b\n- 1) c\n- - d", "- a\n- \\# b\n- 1\\) c\n- \\- d"),
        ("text:\n- a", "text:\n\n- a"),
        ("right\u{202e}left\u{0}", "right\\\\u{202e}left\\\\u{0}"),
        ("\u{61c}\u{200d}", "\\\\u{61c}\\\\u{200d}"),
        ("https://k8s.io/docs, and so on", "<https://k8s.io/docs>, and so on"),
        ("(http://x.y/z)", "(<http://x.y/z>)"),
        ("https:// is nothing", "https:\\// is nothing"),
        ("https://a_b&lt;http:// neither", "https:\\//a\\_b\\&lt;http:\\// neither"),
        ("`https://x.y/<z>`", "`https://x.y/<z>`"),
        ("snake_case *bold*", "snake\\_case \\*bold\\*"),
        ("&lt; &#60; a & b; c", "\\&lt; \\&#60; a & b; c"),
        ("--flag --- a... -", "\\--flag \\-\\-- a\\... -"),
        ("next\u{85}line\rreturn\u{2028}end", "next line return end"),
    ];
    for (words, markdown) in cases {
        assert_eq!(shown(&prose(words)), markdown, "{words:?}");
    }
}

#[test]
fn strings_are_code_on_one_line() {
    let cases = [
        ("name", "`name`"),
        ("", "`\"\"`"),
        ("  ", "`\"  \"`"),
        (" a ", "`  a  `"),
        ("a`b", "`` a`b ``"),
        ("``", "` `` `"),
        ("` ``", "``` ` `` ```"),
        ("a\r\n\tb\u{2028}\u{61c}", r"`a\r\n\tb\u{2028}\u{61c}`"),
    ];
    for (string, markdown) in cases {
        assert_eq!(Markdown::code(string).to_string(), markdown, "{string:?}");
    }
    assert_eq!(Markdown::cell("a|b").to_string(), r"`a\u{7c}b`");
}

fn wrapped(words: &str) -> Vec<String> {
    shown(&prose(words)).lines().map(str::to_owned).collect()
}

#[test]
fn lines_break_between_words() {
    let lines = wrapped(&"word ".repeat(50));
    assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= 100));
    let item = wrapped(&format!("- {}", "word ".repeat(40)));
    assert!(item[1].starts_with("  word"));
    let numbered = wrapped(&format!("{} 1. and more", "x".repeat(99)));
    assert_eq!(numbered.len(), 2, "a number does not begin a line: {numbered:?}");
}

#[test]
fn lines_do_not_break_within_code() {
    let code = format!("`{} ~~~ {}`", "x".repeat(98), "y".repeat(98));
    assert_eq!(wrapped(&code), [code]);
}

/// Each of these begins something at each of its positions that never ends.
#[test]
fn long_strings_grow_little() {
    for piece in ["& ", "&a", "`", "` ", "``a", "http://a ", "https://", "http", "1. ", "- ", "-", ".", "*"] {
        let text = piece.repeat(30_000 / piece.len());
        assert!(comment(&prose(&text)).len() < 4 * text.len(), "{piece:?}");
        assert!(comment(&[Markdown::code(&text).into()]).len() < 4 * text.len(), "{piece:?}");
    }
}
