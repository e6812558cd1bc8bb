//! Documentation comments.

use crate::emit::markdown::{Block, Markdown, comment};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A `#[doc]` attribute. Its lines end with [`LINE`](crate::emit::markdown::LINE).
pub(super) fn attributes(blocks: &[Block]) -> TokenStream {
    let text = comment(blocks);
    if text.is_empty() {
        return TokenStream::new();
    }
    // A raw literal where possible, so that nothing is escaped here and parsed again by the
    // formatter.
    let text: Literal = format!("r#\"{text}\"#").parse().unwrap_or_else(|_| Literal::string(&text));
    quote! { #[doc = #text] }
}

/// The same attribute, inside of the item that it documents.
pub(super) fn inner(blocks: &[Block]) -> TokenStream {
    let mut tokens = TokenStream::new();
    for tree in attributes(blocks) {
        if matches!(tree, proc_macro2::TokenTree::Group(_)) {
            tokens.extend(quote!(!));
        }
        tokens.extend([tree]);
    }
    tokens
}

/// A `#[deprecated]` attribute. Its note is documentation too.
pub(super) fn deprecated(note: &Markdown) -> TokenStream {
    let note = note.to_string();
    quote!(#[deprecated(note = #note)])
}

/// The same attribute for a warning of servers.
pub(super) fn warned(warning: &str) -> TokenStream {
    deprecated(&Markdown::line(warning))
}

#[cfg(test)]
mod tests {
    use super::attributes;
    use crate::emit::markdown::{Block, Markdown};

    #[test]
    fn paragraphs_become_one_attribute() {
        let tokens =
            |text: &str| attributes(&[Block::own("One."), Markdown::line(text).into()]).to_string();
        assert_eq!(
            tokens("Two\u{2028}words."),
            "# [doc = r#\" One.\u{2028}\u{2028} Two words.\"#]"
        );
        assert_eq!(tokens("a \"# b"), r##"# [doc = " One.\u{2028}\u{2028} a \"# b"]"##);
        assert!(attributes(&[]).is_empty());
    }
}
