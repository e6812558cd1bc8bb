//! Paths of resources, taken apart.

use crate::operation::Verb;

/// The parts of the path of a resource, as an API server takes it apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourcePath<'a> {
    /// The group. Empty for core.
    pub group: &'a str,
    /// The version of the group.
    pub version: &'a str,
    /// The namespace that the resource is in. `None` for cluster-scoped resources, such as a
    /// namespace itself, and for lists of all namespaces.
    pub namespace: Option<&'a str>,
    /// The plural name of the resource. Never empty.
    pub plural: &'a str,
    /// The name of the object.
    pub name: Option<&'a str>,
    /// The subresource.
    pub subresource: Option<&'a str>,
    /// All segments after the subresource: the path at the other end of a proxy.
    pub rest: Option<&'a str>,
    /// Whether it is one of the deprecated paths for watches, such as `/api/v1/watch/pods`.
    pub is_watch: bool,
}

impl<'a> ResourcePath<'a> {
    /// Parses a percent-decoded path: to servers an encoded slash is one like any other. `None` if
    /// it addresses no resource, such as a path of discovery.
    #[must_use]
    pub fn parse(path: &'a str) -> Option<Self> {
        let mut rest = Some(path.trim_matches('/'));
        let group = match segment(&mut rest)? {
            "api" => "",
            "apis" => segment(&mut rest)?,
            _ => return None,
        };
        let version = segment(&mut rest)?;
        let mut plural = segment(&mut rest)?;
        let is_watch = plural == "watch" && rest.is_some();
        if is_watch {
            plural = segment(&mut rest)?;
        }
        let mut namespace = None;
        if plural == "namespaces" {
            let mut below = rest;
            let name = segment(&mut below);
            // `namespaces/a` and its own subresources are objects of the cluster, all else below it
            // is in the namespace.
            if let Some(third) =
                segment(&mut below).filter(|third| !matches!(*third, "status" | "finalize"))
            {
                namespace = name;
                plural = third;
                rest = below;
            }
        }
        if plural.is_empty() {
            return None;
        }
        let name = segment(&mut rest);
        let subresource = segment(&mut rest);
        Some(Self { group, version, namespace, plural, name, subresource, rest, is_watch })
    }

    /// The verb of a request to it, as servers authorize it. `None` for a method that no resource
    /// has. `is_watch` is the query parameter `watch`, which counts for collections alone: beside a
    /// name it is a parameter of something else, such as the target of a proxy.
    #[must_use]
    pub fn verb(&self, method: &str, is_watch: bool) -> Option<Verb> {
        let is_collection = self.name.is_none_or(str::is_empty);
        Some(match method {
            "GET" | "HEAD" if self.is_watch || is_collection && is_watch => Verb::Watch,
            "GET" | "HEAD" if is_collection => Verb::List,
            "GET" | "HEAD" => Verb::Get,
            "POST" => Verb::Create,
            "PUT" => Verb::Replace,
            "PATCH" => Verb::Patch,
            "DELETE" if is_collection => Verb::DeleteCollection,
            "DELETE" => Verb::Delete,
            _ => return None,
        })
    }
}

/// Takes the first segment off the rest of a path.
fn segment<'a>(rest: &mut Option<&'a str>) -> Option<&'a str> {
    let whole = rest.take()?;
    let Some((first, others)) = whole.split_once('/') else { return Some(whole) };
    *rest = Some(others);
    Some(first)
}
