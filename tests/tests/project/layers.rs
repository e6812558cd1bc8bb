//! The layers of each crate: a module uses only modules of lower layers.

use kapigen_tests::places;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

/// A crate and its layers.
struct Layered {
    /// The folder of its sources.
    folder: &'static str,
    /// Its name in paths.
    name: &'static str,
    /// The modules from the lowest layer to the highest, with the purpose of each layer. Modules of
    /// one layer do not use each other. A module that is not listed belongs to the one around it;
    /// "" is the root.
    layers: &'static [(&'static [&'static str], &'static str)],
    /// Uses that the layers do not allow: the module, what it uses, and the reason.
    exceptions: &'static [(&'static str, &'static str, &'static str)],
}

const CRATES: &[Layered] = &[
    Layered {
        folder: "templates/definitions/src",
        name: "kapigen_definitions",
        layers: &[
            (
                &["merge_rules", "names", "path", "priority"],
                "how changes are merged; rules of names; paths of fields; the order of versions",
            ),
            (&["cause", "schema_keywords"], "causes of refusals; the keywords of schemas"),
            (&["checks"], "checks that need more than this crate has"),
            (&["fields", "structural"], "fields that are none; the rules of structural schemas"),
            (
                &["rules", "shared"],
                "the rules of all schemas; schemas and parameters that groups share",
            ),
            (&["schema"], "schemas as they are published"),
            (&["definition"], "a definition and its versions"),
            (&["manifest", "operations"], "what is installed; the paths of a version"),
            (&["document"], "documents, and where each part of them comes from"),
            (&["conversion"], "what servers refuse of the conversion between versions"),
            (&["refusals"], "what servers refuse"),
            (&[""], "the interface of the crate"),
        ],
        exceptions: &[],
    },
    Layered {
        folder: "generator/src",
        name: "kapigen",
        layers: &[
            (&["hash", "pointer", "visible"], "hashes; JSON pointers; strings that fit a terminal"),
            (&["error"], "errors and their places"),
            (&["names", "note", "parallel"], "what all stages use"),
            (&["model"], "what is emitted, as plain data"),
            (&["input"], "documents, selection and other crates, read from disk"),
            (&["openapi::load", "openapi::schema"], "text to data; a schema"),
            (&["openapi::document"], "a document, schema by schema"),
            (
                &["openapi::fixups", "openapi::resolve"],
                "corrections; all documents, and references between them",
            ),
            (&["openapi"], "the folder of these"),
            (&["hold"], "newer documents with the interface of a crate that exists"),
            (&["lower"], "documents to model"),
            (&["functions"], "operations to functions"),
            (&["emit"], "model to text"),
            (&["package"], "what surrounds the Rust"),
            (&["diff"], "two models to changes"),
            (&["tree"], "text to files"),
            (&["pipeline"], "the stages in their order"),
            (&["build"], "runs for build scripts and tests"),
            (&["cli"], "the command"),
            (&["", "main"], "the interface of the crate"),
        ],
        exceptions: &[],
    },
    Layered {
        folder: "templates/yaml/src",
        name: "kapigen_yaml",
        layers: &[
            (
                &["error", "event", "pointer"],
                "errors with positions; what both formats consist of; JSON pointers",
            ),
            (&["json", "scalar"], "the syntax of JSON; what scalars of YAML are"),
            (&["yaml", "write"], "the syntax of YAML, both ways"),
            (&["tree", "position"], "what events are made into"),
            (&["read"], "the interface of reading"),
            (&["objects"], "documents and items of lists as objects; where they are"),
            (&[""], "the interface of the crate"),
        ],
        exceptions: &[],
    },
    Layered {
        folder: "templates/runtime/src",
        name: "kapigen_runtime",
        layers: &[
            (&["random", "visible"], "random numbers; strings that fit a terminal"),
            (&["lexer"], "bytes of JSON"),
            (&["codec"], "tables, slots and views, which know no format"),
            (
                &["codec::json", "codec::serde", "codec::query"],
                "drivers: one for each format, over the same tables",
            ),
            (&["values"], "types that are written by hand"),
            (&["json_schema"], "schemas of all types, for crates that embed them"),
            (&["meta_v1"], "types that all kinds share"),
            (
                &["admission_v1", "apidiscovery_v2", "apiextensions_v1"],
                "types of reviews and of discovery",
            ),
            (&["scope"], "where objects are"),
            (
                &["kind", "operation", "params", "patch_type", "invalid"],
                "traits of kinds, and what requests are made of",
            ),
            (&["mask"], "masks, and objects that were decoded by them"),
            (&["change"], "comparing, patching, merging and applying objects"),
            (&["admission"], "reviews of webhooks"),
            (
                &["api", "resource_operations", "resource_path"],
                "operations and kinds as data; the operations and paths of all resources",
            ),
            (&["response", "streams"], "whole responses; WebSockets of pods"),
            (&["request"], "requests, which decode their responses"),
            (&["items", "watch"], "responses that are decoded while they arrive"),
            (&["route"], "requests turned back into what they were built from"),
            (
                &["controller", "controller::machine"],
                "what tasks of several requests have in common",
            ),
            (&["controller::rbac"], "the access that a request needs"),
            (&["controller::retry"], "whether a request is sent again, and when"),
            (
                &[
                    "controller::election",
                    "controller::informer",
                    "controller::log",
                    "controller::pages",
                    "controller::update",
                ],
                "such tasks, without I/O and clock",
            ),
            (
                &["controller::conditions", "controller::queue", "controller::recorder"],
                "what programs that run for years need beside them",
            ),
            (
                &["controller::owners", "controller::store"],
                "the objects that an informer reports, and their owners",
            ),
            (&["dynamic", "verbs"], "objects of any kind; operations for generic code"),
            (
                &["custom_resource", "discovery"],
                "kinds that are written in Rust; the resources that a server has, by the names that \
                 people use",
            ),
            (&["__private", "prelude"], "the interface of generated code, and of generic code"),
            (&["", "macros"], "the interface of the crate"),
        ],
        exceptions: &[
            (
                "codec",
                "values",
                "objects keep unknown members as `RawJson`, which users can look into",
            ),
            (
                "custom_resource",
                "__private",
                "an exported macro makes what generated code is made of",
            ),
            ("custom_resource", "", "an exported macro stands in the root, wherever it is written"),
            (
                "codec::query",
                "codec::json",
                "a parameter can move into the body of a request, which is JSON",
            ),
            (
                "codec::serde",
                "codec::json",
                "objects are encoded for serde_json's writers in half the time",
            ),
            ("admission_v1", "__private", "it is generated code, which is the same in every crate"),
            ("admission_v1", "", "its review is a `Kind`, as those of `meta_v1`"),
            (
                "apidiscovery_v2",
                "__private",
                "it is generated code, which is the same in every crate",
            ),
            ("apidiscovery_v2", "", "its documents are `Kind`s, as those of `meta_v1`"),
            (
                "apiextensions_v1",
                "__private",
                "it is generated code, which is the same in every crate",
            ),
            ("apiextensions_v1", "", "its review is a `Kind`, as those of `meta_v1`"),
            ("meta_v1", "__private", "it is generated code, which is the same in every crate"),
            (
                "meta_v1",
                "",
                "its kinds implement `Kind`, which is above it for the sake of `ObjectMeta`",
            ),
            ("dynamic", "__private", "its types are made as generated code is"),
            ("macros", "", "an exported macro stands in the root, wherever it is written"),
            ("params", "__private", "it is generated code, which is the same in every crate"),
        ],
    },
    Layered {
        folder: "templates/connect/src",
        name: "kapigen_connect",
        layers: &[
            (
                &["environment", "idn", "pem", "secret"],
                "variables; names of hosts in ASCII; PEM; values that are not shown",
            ),
            (
                &["error", "kubeconfig", "proxy", "server"],
                "errors; kubeconfigs; proxies; URLs of servers",
            ),
            (&["pod", "read"], "service accounts; kubeconfigs from text"),
            (&["token"], "tokens in files"),
            (&["config"], "one cluster and user"),
            (&["exec", "find"], "plugins; the search for a configuration"),
            (&["credentials", "tls"], "headers that are renewed; certificates that change"),
            (&["dial"], "new connections"),
            (&["connection"], "the service"),
            (&[""], "the interface of the crate"),
        ],
        exceptions: &[],
    },
    Layered {
        folder: "templates/client/src",
        name: "kapigen_client",
        layers: &[
            (&["alarm", "error", "metrics", "random"], "timers; errors; metrics and traces; seeds"),
            (&["manifest"], "files of manifests, as objects"),
            (&["body"], "bodies, and limits of them"),
            (&["retry", "stream", "transport"], "attempts; responses while they arrive; services"),
            (&["client"], "requests, and their responses"),
            (&["run"], "machines that run"),
            (
                &["connect", "discovery", "queue", "streams", "tasks"],
                "clients of a cluster; the machines that programs ask for; exec, attach and forwards",
            ),
            (&["copy", "follow"], "files of containers; informers that feed work queues"),
            (&[""], "the interface of the crate"),
        ],
        exceptions: &[],
    },
    Layered {
        folder: "templates/kube/src",
        name: "kapigen_kube",
        layers: &[
            (&["encode", "metadata", "scope"], "encoding; metadata of kube; resources and scopes"),
            (&["dynamic", "masked", "object"], "objects as kube's resources"),
            (
                &["informer", "service", "subresources"],
                "sources of controllers; kube's client; its subresources",
            ),
            (&[""], "the interface of the crate"),
        ],
        exceptions: &[],
    },
    Layered {
        folder: "templates/fake/src",
        name: "kapigen_fake",
        layers: &[
            (
                &["object", "encode", "secret", "syntax"],
                "a tree and its metadata; its JSON; SHA-256; malformed JSON",
            ),
            (
                &["validate", "schema"],
                "names, labels and other metadata; schemas, and fitting values to them",
            ),
            (&["cel", "tree"], "rules that are expressions; bodies as trees"),
            (&["protobuf::table", "protobuf::wire"], "fields of built-in kinds; their encoding"),
            (&["protobuf::object"], "messages as trees"),
            (&["protobuf", "without_protobuf"], "bodies in protobuf as trees"),
            (
                &["change", "key", "kinds"],
                "patches, apply and owners of fields; where objects are; facts about kinds",
            ),
            (&["registry"], "documents and definitions, and the resources that they have"),
            (&["failure"], "refusals as a `Status`"),
            (&["request"], "requests, taken apart"),
            (&["select"], "selectors of labels and fields"),
            (&["store"], "objects, their history, and an index of them"),
            (
                &["logs", "names", "taken_names"],
                "logs of containers; what a server makes up; names of definitions",
            ),
            (&["state"], "all that a server remembers of its objects"),
            (&["lifecycle"], "what goes with objects that end"),
            (&["garbage"], "dependents, and namespaces that end"),
            (&["verbs"], "a function for each operation"),
            (&["discovery", "tables"], "what a server says of itself; objects as rows"),
            (&["http"], "paths, responses"),
            (&["streams"], "processes and ports of pods, over WebSockets"),
            (&["server"], "the interface for tests, streams, injected failures"),
            (&["tower"], "a service over a server"),
            (&["socket"], "a socket over a service"),
            (&[""], "the interface of the crate"),
            (&["bin::kapigen-fake::files"], "reading files of the program over it"),
            (
                &[
                    "bin::kapigen-fake::input",
                    "bin::kapigen-fake::kubeconfig",
                    "bin::kapigen-fake::scripts",
                ],
                "those files",
            ),
            (&["bin::kapigen-fake::main"], "that program"),
        ],
        exceptions: &[],
    },
];

#[test]
fn modules_use_only_lower_layers() {
    let failures: BTreeSet<String> = CRATES.iter().flat_map(Layered::failures).collect();
    assert!(failures.is_empty(), "{}", Vec::from_iter(failures).join("\n"));
}

#[test]
fn layers_and_modules_agree() {
    for layered in CRATES {
        let modules: BTreeSet<String> =
            layered.files().into_iter().map(|(module, _)| module.join("::")).collect();
        let homeless: Vec<_> =
            modules.iter().filter(|module| layered.layer(module).is_none()).collect();
        assert!(homeless.is_empty(), "{}: in no layer: {homeless:?}", layered.name);
        let listed = layered.layers.iter().flat_map(|(homes, _)| *homes);
        let gone: Vec<_> =
            listed.filter(|home| **home != "__private" && !modules.contains(**home)).collect();
        assert!(gone.is_empty(), "{}: in a layer, but no module: {gone:?}", layered.name);
    }
}

#[test]
fn uses_are_found() {
    let code = "use crate::a::{b::C, d::{self, E}}; use super::f; use child::G; use serde::de; fn \
                g() -> $crate::h::I { let x: [runtime::J; 1] = super::super::K; crate::l!() } \
                pub(crate) mod m { use super::super::a; } #[cfg(test)] mod tests { use crate::n; \
                } fn o() { quote!(use crate::p;) }";
    let modules = BTreeSet::from(["x::y::child".to_owned()]);
    let mut found = Vec::new();
    let module = ["x".to_owned(), "y".to_owned()];
    Uses { name: "runtime", modules: &modules, found: &mut found }
        .collect(&tokens(code.parse().unwrap()), &module);
    let expected =
        ["a::b::C", "a::d", "a::d::E", "x::f", "x::y::child::G", "h::I", "J", "K", "l", "x::a"]
            .map(str::to_owned);
    assert_eq!(found, expected);
}

impl Layered {
    /// The uses that are not allowed, and the exceptions that nothing needs.
    fn failures(&self) -> BTreeSet<String> {
        let mut failures = BTreeSet::new();
        let mut needed = BTreeSet::new();
        for (from, to) in self.uses() {
            let (Some((above, from)), Some((below, to))) = (self.layer(&from), self.layer(&to))
            else {
                failures
                    .insert(format!("`{from}` or `{to}` is in no layer: add the module to one"));
                continue;
            };
            if below < above || from == to {
                continue;
            }
            match self.exceptions.iter().find(|(user, used, _)| (*user, *used) == (from, to)) {
                Some(exception) => _ = needed.insert(exception),
                None => {
                    _ = failures.insert(format!(
                        "{}: `{from}` uses `{to}`, which is not below it",
                        self.name
                    ));
                }
            }
        }
        let unneeded = self.exceptions.iter().filter(|exception| !needed.contains(exception));
        failures.extend(unneeded.map(|(from, to, _)| {
            format!("`{from}` may use `{to}` without need: remove the exception")
        }));
        failures
    }

    /// The index of a module's layer, and the listed module that it belongs to.
    fn layer(&self, module: &str) -> Option<(usize, &'static str)> {
        let layers = self.layers.iter().enumerate();
        let homes =
            layers.flat_map(|(index, (homes, _))| homes.iter().map(move |home| (index, *home)));
        let is_in = |home: &str| {
            module.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        homes.filter(|(_, home)| is_in(home)).max_by_key(|(_, home)| home.len())
    }

    /// The uses of modules by modules.
    fn uses(&self) -> BTreeSet<(String, String)> {
        let files = self.files();
        let modules: BTreeSet<String> = files.iter().map(|(module, _)| module.join("::")).collect();
        let mut uses = BTreeSet::new();
        for (module, text) in &files {
            let mut found = Vec::new();
            let mut collector = Uses { name: self.name, modules: &modules, found: &mut found };
            collector.collect(&tokens(text.parse().expect("Rust")), module);
            // An item of the root itself has no module in its path.
            let is_item = |path: &str| {
                let first = path.split("::").next().unwrap_or_default();
                first != "__private" && !modules.contains(first)
            };
            let targets =
                found.into_iter().map(|path| if is_item(&path) { String::new() } else { path });
            uses.extend(targets.map(|target| (module.join("::"), target)));
        }
        uses
    }

    /// The path of each module, without tests, and its source.
    fn files(&self) -> Vec<(Vec<String>, String)> {
        let folder = places::root().join(self.folder);
        let mut found = Vec::new();
        for path in places::files(&folder, &["rs"]) {
            let name = places::relative(&path, &folder);
            let mut module: Vec<String> =
                name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            if module.iter().any(|step| step == "tests") {
                continue;
            }
            module.pop_if(|step| ["mod", "lib"].contains(&step.as_str()));
            found.push((module, places::text(&path)));
        }
        found
    }
}

fn tokens(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

/// Collects paths of a crate.
struct Uses<'a> {
    /// The name of the crate.
    name: &'a str,
    /// All of its modules.
    modules: &'a BTreeSet<String>,
    found: &'a mut Vec<String>,
}

impl Uses<'_> {
    /// Collects the paths in the code of a module. Quoted code is another crate's.
    fn collect(&mut self, code: &[TokenTree], module: &[String]) {
        for (index, token) in code.iter().enumerate() {
            let behind = |steps: usize| {
                index.checked_sub(steps).map(|index| code[index].to_string()).unwrap_or_default()
            };
            match token {
                TokenTree::Group(_) if behind(2) == "quote" && behind(1) == "!" => {}
                TokenTree::Group(_) if behind(2) == "mod" && behind(1) == "tests" => {}
                TokenTree::Group(group) if behind(2) == "mod" => {
                    self.collect(&tokens(group.stream()), &[module, &[behind(1)]].concat());
                }
                TokenTree::Group(group) => self.collect(&tokens(group.stream()), module),
                TokenTree::Ident(word) if behind(1) != ":" => {
                    let child = [module, &[word.to_string()]].concat().join("::");
                    let is_path = is_colon(&code[index + 1..]);
                    if is_path && (word == "crate" || word == self.name) {
                        tree(&code[index + 3..], Vec::new(), self.found);
                    } else if is_path && (word == "super" || word == "self")
                        || behind(1) == "use" && self.modules.contains(&child)
                    {
                        tree(&code[index..], module.to_vec(), self.found);
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_colon(code: &[TokenTree]) -> bool {
    matches!(code, [TokenTree::Punct(colon), TokenTree::Punct(_), ..] if colon.as_char() == ':')
}

/// Collects the paths that go on from a module here. There may be several, in braces.
fn tree(code: &[TokenTree], mut module: Vec<String>, found: &mut Vec<String>) {
    match code {
        [TokenTree::Group(group), ..] => {
            let parts = tokens(group.stream());
            let parts = parts.split(|token| token.to_string() == ",");
            parts.for_each(|part| tree(part, module.clone(), found));
        }
        [TokenTree::Ident(word), rest @ ..] => {
            match word.to_string().as_str() {
                "super" => _ = module.pop(),
                "self" => {}
                step => module.push(step.to_owned()),
            }
            if is_colon(rest) {
                tree(&rest[2..], module, found);
            } else {
                found.push(module.join("::"));
            }
        }
        [_, ..] => found.push(module.join("::")), // a star
        [] => {}
    }
}
