//! Negotiation of the response's form, by the header `Accept`.

use http::HeaderMap;
use http::header::ACCEPT;

/// The form of a response: its media type, and the representation of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accept {
    /// The media type.
    pub media_type: MediaType,
    /// The representation of objects.
    pub form: Form,
    /// The `apiVersion` of tables and metadata: `meta.k8s.io/v1`, or `meta.k8s.io/v1beta1` where
    /// the client asks for it.
    pub form_version: &'static str,
    /// Whether the client asks for indented JSON.
    pub pretty: bool,
}

/// A media type that responses with objects can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaType {
    /// `application/json`.
    Json,
    /// `application/yaml`.
    Yaml,
}

/// The representation of objects in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// As they are.
    Object,
    /// As rows of a `meta.k8s.io/v1` `Table`.
    Table,
    /// One object as `PartialObjectMetadata`.
    Metadata,
    /// A list as `PartialObjectMetadataList`.
    MetadataList,
}

const V1: &str = "meta.k8s.io/v1";
const V1_BETA_1: &str = "meta.k8s.io/v1beta1";

impl MediaType {
    /// The name, such as `application/json`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            MediaType::Json => "application/json",
            MediaType::Yaml => "application/yaml",
        }
    }
}

impl Accept {
    /// The media type as it is, with objects as they are.
    #[must_use]
    pub const fn plain(media_type: MediaType) -> Self {
        Self { media_type, form: Form::Object, form_version: V1, pretty: false }
    }

    /// Chooses the form that the client prefers, by the `q` of each alternative and then by their
    /// order. `None` if none of the offered media types is accepted. Without the header it is the
    /// first that is offered.
    #[must_use]
    pub fn negotiate(headers: &HeaderMap, offered: &[MediaType]) -> Option<Self> {
        let texts: Vec<_> =
            headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
        let first = offered.first().copied().map(Self::plain);
        if texts.iter().all(|text| text.trim().is_empty()) {
            return first;
        }
        let mut clauses: Vec<_> =
            texts.iter().flat_map(|text| text.split(',')).map(Clause::parse).collect();
        // Stable: alternatives of the same weight keep their order.
        clauses.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        clauses
            .iter()
            .filter(|clause| clause.weight > 0.0)
            .find_map(|clause| clause.choose(offered))
    }
}

/// One alternative of the header.
struct Clause<'a> {
    media_type: &'a str,
    parameters: Vec<(&'a str, &'a str)>,
    weight: f32,
}

impl<'a> Clause<'a> {
    fn parse(text: &'a str) -> Self {
        let mut parts = text.split(';').map(str::trim);
        let media_type = parts.next().unwrap_or_default();
        let parameters: Vec<_> = parts.filter_map(|part| part.split_once('=')).collect();
        let q = parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case("q"));
        let weight = q.map_or(1.0, |(_, value)| value.parse().unwrap_or(0.0));
        Self { media_type, parameters, weight }
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn choose(&self, offered: &[MediaType]) -> Option<Accept> {
        let media_type = match self.media_type {
            "*/*" => offered.first().copied(),
            name => offered
                .iter()
                .copied()
                .find(|media_type| media_type.as_str().eq_ignore_ascii_case(name)),
        }?;
        let (form, form_version) = self.form()?;
        let pretty = self.get("pretty").is_some_and(|value| value != "0" && value != "false");
        Some(Accept { media_type, form, form_version, pretty })
    }

    /// The representation of objects, or `None` for one that no server has.
    fn form(&self) -> Option<(Form, &'static str)> {
        let Some(kind) = self.get("as") else { return Some((Form::Object, V1)) };
        if self.get("g") != Some("meta.k8s.io") {
            return None;
        }
        let version = match self.get("v")? {
            "v1" => V1,
            "v1beta1" => V1_BETA_1,
            _ => return None,
        };
        match kind {
            "Table" => Some((Form::Table, version)),
            "PartialObjectMetadata" => Some((Form::Metadata, version)),
            "PartialObjectMetadataList" => Some((Form::MetadataList, version)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Accept, Form, MediaType};
    use http::header::ACCEPT;
    use http::{HeaderMap, HeaderValue};

    fn negotiate(accept: &'static str) -> Option<(MediaType, Form)> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        let chosen = Accept::negotiate(&headers, &[MediaType::Json, MediaType::Yaml]);
        chosen.map(|accept| (accept.media_type, accept.form))
    }

    #[test]
    fn weights_come_before_order() {
        let plain = |media_type| Some((media_type, Form::Object));
        assert_eq!(negotiate("*/*"), plain(MediaType::Json));
        assert_eq!(negotiate("text/html, application/json;q=0.5"), plain(MediaType::Json));
        assert_eq!(
            negotiate("application/json;q=0.5,application/yaml;q=0.9"),
            plain(MediaType::Yaml)
        );
        assert_eq!(negotiate("application/json;q=0,application/yaml"), plain(MediaType::Yaml));
        assert_eq!(negotiate("application/*"), None);
        assert_eq!(negotiate("text/html"), None);
    }

    #[test]
    fn representations_need_group_and_version() {
        let table = Some((MediaType::Json, Form::Table));
        assert_eq!(
            negotiate("application/json;as=Table;v=v1;g=meta.k8s.io,application/json"),
            table
        );
        assert_eq!(negotiate("application/json;as=Table;v=v2;g=meta.k8s.io"), None);
        let plain = Some((MediaType::Json, Form::Object));
        assert_eq!(
            negotiate("application/json;as=Table;v=v2;g=meta.k8s.io, application/json"),
            plain
        );
        for (kind, form) in [
            ("PartialObjectMetadata", Form::Metadata),
            ("PartialObjectMetadataList", Form::MetadataList),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(
                ACCEPT,
                format!("application/json;as={kind};g=meta.k8s.io;v=v1").parse().unwrap(),
            );
            let chosen = Accept::negotiate(&headers, &[MediaType::Json]).map(|accept| accept.form);
            assert_eq!(chosen, Some(form));
        }
    }

    #[test]
    fn representations_have_the_version_that_is_asked_for() {
        for (version, expected) in [("v1", "meta.k8s.io/v1"), ("v1beta1", "meta.k8s.io/v1beta1")] {
            let mut headers = HeaderMap::new();
            let accept = format!("application/json;as=Table;v={version};g=meta.k8s.io");
            headers.insert(ACCEPT, accept.parse().unwrap());
            let chosen = Accept::negotiate(&headers, &[MediaType::Json]).unwrap();
            assert_eq!((chosen.form, chosen.form_version), (Form::Table, expected));
        }
    }

    #[test]
    fn without_a_header_the_first_is_chosen() {
        let chosen = Accept::negotiate(&HeaderMap::new(), &[MediaType::Yaml, MediaType::Json]);
        assert_eq!(chosen, Some(Accept::plain(MediaType::Yaml)));
    }
}
