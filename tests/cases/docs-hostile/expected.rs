// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/deprecated.rs
/// Out of date.
///
/// Deprecated.
///
/// Schema `Deprecated`.
#[derive(Clone, Default, PartialEq)]
pub struct Deprecated {
    /// Out of date.
    ///
    /// Deprecated.
    pub old: Option<String>,
    /// A name that tries the same.
    pub kind: Option<KindB>,
}
static TABLE: codec::Table =
    codec::Table::new("Deprecated", "! old kind");

// file: src/spec/types/hostile.rs
/// \*/ pub struct Broken; /\*! #!\[allow(everything)\] \*/ //! and /// too
///
/// Schema `Hostile`.
#[derive(Clone, Default, PartialEq)]
pub struct Hostile {
    /// \#!\[forbid(unsafe\_code)\]
    pub attribute: Option<String>,
    /// first #!\[feature(x)\] #\[doc = "x"\]
    pub attribute_line: Option<String>,
    /// Text: \`\`\` let x: u8 = 256; \`\`\` more
    pub fence: Option<String>,
    /// \`\`\`rust,no\_run std::process::exit(1) \`\`\`
    pub rust_fence: Option<String>,
    /// \~\~\~ never closed
    pub open_fence: Option<String>,
    /// a \`\`\` b \`\`code\`\` c
    pub inline_fence: Option<String>,
    /// Text:
    ///
    /// let x = panic!();
    ///
    /// and a tab
    pub indented: Option<String>,
    /// \<script\>alert(1)\</script\> \<b\>bold \<!\-- comment \--\> \&lt; \&amp; \</div\>
    pub html: Option<String>,
    /// \[link\](<https://example.com>) \[Nobody\] \[`Nobody`\] !\[image\](x.png) \[ref\]: x \<Pod\>
    pub links: Option<String>,
    /// \[^1\]: note
    ///
    /// \[ref\]: <https://example.com> "title"
    pub footnote: Option<String>,
    /// See <https://example.com/a_b_c?x=>\[y\]&z=\<w\>. Or http:\//\[::1\]/, ftp://x
    pub url: Option<String>,
    /// left \\u{202e}right\\u{202c} \\u{2066}isolate\\u{2069} \\u{200b}zero width\\u{feff}
    pub bidi: Option<String>,
    /// C:\\new\\table \\u{41} \\" ends with \\
    pub backslash: Option<String>,
    /// "#"##r#"raw"# ' ''
    pub quotes: Option<String>,
    /// one two three
    ///
    /// four
    pub crlf: Option<String>,
    /// nul \\u{0} bell \\u{7} escape \\u{1b}\[31mred\\u{1b}\[0m del \\u{7f}
    pub nul: Option<String>,
    /// line paragraph next line tab form
    pub separators: Option<String>,
    /// \# Heading ## Another Setext === \-\-- \*\*\*
    pub heading: Option<String>,
    /// - one
    /// - two
    /// - three
    /// - four + five 1. six 2) seven
    pub lists: Option<String>,
    /// \> quoted \>\> twice
    pub quote: Option<String>,
    /// \| a \| b \| \| - \| - \| \| 1 \| 2 \|
    pub table: Option<String>,
    /// `open tick, `closed\` and \`\`double\`\` and ` alone `
    pub ticks: Option<String>,
    /// {} {0} {name} {{ }} $x #x @x %s
    pub format: Option<String>,
    /// 😀 ünïcödé 日本語 עברית
    pub emoji: Option<String>,
    /// `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ~~~ let_x=panic!();/*zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz*/ ~~~ yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy`
    pub long_code: Option<String>,
    /// - one
    /// - \# two
    /// - 1\) three
    /// - \~\~\~
    /// - \`\`\`
    /// - \- five
    pub items: Option<String>,
    /// \--flag \-\-- and so on\... \[x\] \[ \] ^a^ $x$
    pub dashes: Option<String>,
    /// mark \\u{61c} join \\u{200d} hyphen \\u{ad} tag \\u{e0041}
    pub arabic: Option<String>,
    /// https:\//x.y/\&lt;http:\// <https://x.y/&lt>;
    pub address: Option<String>,
    /// Checked.
    ///
    /// Matches ```` `` ` ``\n\n```\npanic!()\n```\n\u{202e} ````.
    ///
    /// Rule ` `` ~~~ <b> `` `: \<script\> indented `code`
    ///
    /// Apply merges the elements by `\n\n~~~\n`, `<b>`. A strategic merge patch merges the elements by
    /// `a\nb`.
    pub rules: Option<Vec<String>>,
    /// `empty`.
    pub empty: Option<String>,
    /// `blank`.
    pub blank: Option<String>,
    /// `none`.
    pub none: Option<String>,
    /// `` tick` and \ ``.
    pub tick_and: Option<String>,
    /// word word word word word word word word word word word word word word word word word word word word
    /// word word word word word word word word word word word word word word word word word word word word
    /// word word word word word word word word word word word word word word word word word word word word
    /// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    pub long: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Hostile", "!#attribute#attributeLine#fence#rustFence#openFence#inlineFence#indented#html#links#footnote#url#bidi#backslash#quotes#crlf#nul#separators#heading#lists#quote#table#ticks#format#emoji#longCode#items#dashes#arabic#address#rules#empty#blank#none#tick` \
        and \\#long").merge(&[
        (29, codec::Merge::USUAL.map(&[("\n\n~~~\n", ""), ("<b>", "")]).patch_by("a\nb")),
    ]);

// file: src/spec/types/kind_b.rs
/// A name that tries the same.
///
/// Schema `` Kind*/`<b> ``.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KindB {
    /// `` ` ``
    Value0,
    /// ` `` `
    Value1,
    /// ```` ` `` ``` ````
    Value2,
    /// ` \n\n```\npanic!()\n``` `
    Panic,
    /// `*/`
    Value4,
    /// `\n`
    Value5,
    /// `<b>`
    B,
    /// `[x]`
    X,
    /// `#![x]`
    Value8,
    /// A value that the document does not list.
    Other(String),
}
impl KindB {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Value0 => "`",
            Self::Value1 => "``",
            Self::Value2 => "` `` ```",
            Self::Panic => "\n\n```\npanic!()\n```",
            Self::Value4 => "*/",
            Self::Value5 => "\n",
            Self::B => "<b>",
            Self::X => "[x]",
            Self::Value8 => "#![x]",
}
impl From<&str> for KindB
            "`" => Self::Value0,
            "``" => Self::Value1,
            "` `` ```" => Self::Value2,
            "\n\n```\npanic!()\n```" => Self::Panic,
            "*/" => Self::Value4,
            "\n" => Self::Value5,
            "<b>" => Self::B,
            "[x]" => Self::X,
            "#![x]" => Self::Value8,
kapigen_runtime::__private::open_enum!(KindB);

// file: src/spec/types/mod.rs
pub use deprecated::Deprecated;
pub use hostile::Hostile;
pub use kind_b::KindB;

