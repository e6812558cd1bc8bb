//! Markdown as rustdoc understands it.

use pulldown_cmark::{
    BrokenLink, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd,
};

/// The headings and links of our own.
const HEADINGS: [&str; 2] = ["Errors", "hostile"];
const LINKS: [&str; 10] = [
    "kapigen_runtime",
    "meta_v1",
    "Request",
    "Request::payload",
    "response",
    "watch",
    "items",
    "verbs",
    "Kind",
    "Resource",
];
/// The beginnings of the functions and modules of the documents, to which there are links.
const NAMED: [&str; 3] = ["get", "example_v1", "example_com_v1"];

/// The visible text without white space, with a hyphen for each item of a list and backticks around
/// code.
///
/// # Errors
/// A kind of markup that must not occur.
pub(crate) fn render(markdown: &str) -> Result<String, String> {
    // It looks for tests in plain Markdown.
    visible(markdown, Options::empty())?;
    let page = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_SMART_PUNCTUATION;
    visible(markdown, page)
}

fn visible(markdown: &str, options: Options) -> Result<String, String> {
    // It may find an item for any name between brackets.
    let resolve =
        |link: BrokenLink<'_>| Some((CowStr::from(link.reference.to_string()), CowStr::from("")));
    let mut text = String::new();
    let mut heading = None;
    let mut table = false;
    for event in Parser::new_with_broken_link_callback(markdown, options, Some(resolve)) {
        match event {
            Event::Text(words) => text.push_str(&words),
            Event::Code(code) => text.extend(["`", &code, "`"]),
            Event::Start(Tag::Item) => text.push('-'),
            Event::Start(Tag::Heading { level: HeadingLevel::H1, id: None, .. }) => {
                heading = Some(text.len());
            }
            Event::End(TagEnd::Heading(_)) => {
                let own = heading.take().is_some_and(|start| HEADINGS.contains(&&text[start..]));
                own.then_some(()).ok_or("a heading")?;
            }
            Event::Start(Tag::Link { link_type: LinkType::Autolink, dest_url, .. }) => {
                let spelled =
                    ["http://", "https://"].iter().any(|scheme| dest_url.starts_with(scheme));
                (spelled && markdown.contains(&*dest_url))
                    .then_some(())
                    .ok_or("an address that is not spelled out")?;
            }
            Event::Start(Tag::Link { link_type: LinkType::ShortcutUnknown, dest_url, .. }) => {
                let name = dest_url
                    .strip_prefix('`')
                    .and_then(|rest| rest.strip_suffix('`'))
                    .unwrap_or_default();
                let is_ident = name.chars().all(|c| c.is_alphanumeric() || c == '_');
                // Groups are numbered: `g7` and words of a string.
                let is_group = name
                    .strip_prefix('g')
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
                let is_named =
                    is_ident && (is_group || NAMED.iter().any(|start| name.starts_with(start)));
                (is_named || LINKS.contains(&name)).then_some(()).ok_or("a link")?;
            }
            Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, .. }) => {
                let is_section = ["self#errors", "super#errors"].contains(&&*dest_url);
                let is_path =
                    dest_url.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
                let is_ours =
                    ["crate::", "super::"].iter().any(|start| dest_url.starts_with(start));
                (is_section || is_path && is_ours).then_some(()).ok_or("a link to elsewhere")?;
            }
            // The README has one table of ours, with three columns.
            Event::Start(Tag::Table(columns)) if columns.len() == 3 && !table => table = true,
            Event::Start(
                Tag::TableHead | Tag::TableRow | Tag::TableCell | Tag::Paragraph | Tag::List(None),
            )
            | Event::End(_)
            | Event::SoftBreak => {}
            other => {
                return Err(format!("{other:?}")
                    .split(['(', ' '])
                    .take(2)
                    .collect::<Vec<_>>()
                    .join(" "));
            }
        }
    }
    text.retain(|c| !c.is_whitespace());
    Ok(text)
}
