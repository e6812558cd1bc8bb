//! Model to source. No other module quotes Rust.

mod docs;
mod format;
mod functions;
mod imports;
mod index;
pub(crate) mod markdown;
mod operations;
mod params;
mod paths;
mod root;
mod tables;
pub mod tree;
mod types;

use crate::emit::markdown::{Block, Markdown, on_one_line};
use crate::error::Errors;
use crate::functions::{Endpoints, ParamsDef, ResourceEndpoints};
use crate::model::features::Features;
use crate::model::wellknown;
use crate::model::{Alias, Api, GroupVersion, Module, TypeDef, TypeId, WellKnown};
use crate::names;
use crate::parallel;
use operations::Tables;
use paths::ident;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};
use tree::Tree;

/// A file of the crate that is yet to be made. Tokens cannot pass from one thread to another; this
/// can.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// Its path below the folder of the crate.
    pub path: String,
    /// The input that it is made of, for its header, on one line.
    pub origin: String,
    content: Content<'a>,
}

#[derive(Clone, Debug)]
enum Content<'a> {
    Root { api: &'a Api, endpoints: &'a Endpoints<'a>, crate_name: Option<&'a str> },
    Operations(&'a Api, &'a Endpoints<'a>),
    Params(&'a BTreeMap<&'static str, ParamsDef<'a>>),
    Module { name: &'a str, module: &'a Module, resources: Vec<(&'a str, &'a str)>, above: Above },
    Index { name: &'a str, files: BTreeMap<&'a str, String>, module: &'a Module, gates: Gates },
    Resource { resource: ResourceRef<'a>, part: ResourcePart },
    Type { module: &'a str, name: &'a str, def: &'a TypeDef, requests: Option<&'a str> },
}

/// A resource of a module.
#[derive(Clone, Copy, Debug)]
struct ResourceRef<'a> {
    module: &'a str,
    plural: &'a str,
    endpoints: &'a ResourceEndpoints<'a>,
}

/// A part of the module of a resource. A resource with parameter structs of its own has a file for
/// each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResourcePart {
    All,
    Functions,
    Params,
    Operations,
}

/// The types in the module of the shared types that are not made from documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Above {
    /// In a crate over the runtime: all that the runtime has.
    Runtime,
    /// In the runtime: hand-written values.
    Values,
}

/// The conditions of types that not every feature with their module has, by their names.
type Gates = BTreeMap<String, Vec<String>>;

/// All source files of the crate.
#[must_use]
pub fn files<'a>(
    api: &'a Api,
    endpoints: &'a Endpoints<'a>,
    crate_name: Option<&'a str>,
) -> Vec<File<'a>> {
    let mut files = vec![
        File::new(
            "src/lib.rs",
            "the selection of groups",
            Content::Root { api, endpoints, crate_name },
        ),
        File::new(
            "src/operations.rs",
            "the selected resources",
            Content::Operations(api, endpoints),
        ),
    ];
    let features = Features::new(api);
    for (name, module) in &api.modules {
        add_group((name, module), endpoints, &features, &mut files);
    }
    files
}

/// The source files of the runtime that are made from documents.
#[must_use]
pub fn runtime_files<'a>(
    api: &'a Api,
    standard: &'a BTreeMap<&'static str, ParamsDef<'a>>,
) -> Vec<File<'a>> {
    let mut files =
        vec![File::new("src/params.rs", "the resources of spec/", Content::Params(standard))];
    let features = Features::new(api);
    for part in &api.modules {
        add_module(part, &[], Above::Values, &features, &mut files);
    }
    files
}

fn add_group<'a>(
    (name, module): (&'a String, &'a Module),
    endpoints: &'a Endpoints<'a>,
    features: &Features<'a>,
    files: &mut Vec<File<'a>>,
) {
    let resources = module.resources.keys().filter_map(|plural| {
        Some((plural.as_str(), endpoints.resources.get(&(name, plural.as_str()))?))
    });
    let resources: Vec<_> = resources.collect();
    add_module((name, module), &resources, Above::Runtime, features, files);
    for (plural, endpoints) in resources {
        let path = format!("src/{name}/{}", endpoints.module);
        let origin = format!("`{}`, resource {plural}", module.group_version.api_version());
        let resource = ResourceRef { module: name, plural, endpoints };
        let parts: &[_] = if endpoints.own.is_empty() {
            &[(".rs", ResourcePart::All)]
        } else {
            &[
                ("/mod.rs", ResourcePart::Functions),
                ("/params.rs", ResourcePart::Params),
                ("/operations.rs", ResourcePart::Operations),
            ]
        };
        files.extend(parts.iter().map(|(ending, part)| {
            let content = Content::Resource { resource, part: *part };
            File::new(format!("{path}{ending}"), &origin, content)
        }));
    }
}

fn add_module<'a>(
    (name, module): (&'a String, &'a Module),
    resources: &[(&'a str, &'a ResourceEndpoints<'a>)],
    above: Above,
    features: &Features<'_>,
    files: &mut Vec<File<'a>>,
) {
    let origin = module_origin(module);
    let modules = resources.iter().map(|(plural, endpoints)| (*plural, endpoints.module.as_str()));
    files.push(File::new(
        format!("src/{name}/mod.rs"),
        &origin,
        Content::Module { name, module, resources: modules.collect(), above },
    ));
    let types = names::files(module.types.keys().map(String::as_str));
    for (type_name, file) in &types {
        let def = &module.types[*type_name];
        let origin = format!("{}, schema {}", def.location.document, def.schema);
        let path = format!("src/{name}/types/{file}.rs");
        let kind = TypeId::own(name, *type_name);
        let requests = resources
            .iter()
            .find(|(_, one)| one.verbs.as_ref().is_some_and(|verbs| verbs.kind == kind))
            .map(|(_, one)| one.module.as_str());
        let content = Content::Type { module: name, name: type_name, def, requests };
        files.push(File::new(path, &origin, content));
    }
    if !types.is_empty() {
        let gates = gates((name, module), features);
        let index = Content::Index { name, files: types, module, gates };
        files.push(File::new(format!("src/{name}/types/mod.rs"), &origin, index));
    }
}

/// The conditions of the names of a module's types.
fn gates((name, module): (&str, &Module), features: &Features<'_>) -> Gates {
    let own = module.types.keys().map(|ty| (ty, name, ty));
    let aliases = module
        .aliases
        .iter()
        .map(|(alias, Alias { target, .. })| (alias, target.module.as_str(), &target.name));
    let gates = own.chain(aliases).filter_map(|(name, module, ty)| {
        let gate = features.gate(module, ty)?;
        Some((name.clone(), gate.iter().map(|feature| (*feature).to_owned()).collect()))
    });
    gates.collect()
}

/// The condition of an item that one of several features enables.
fn cfg<S: AsRef<str>>(features: impl IntoIterator<Item = S>) -> TokenStream {
    let features: Vec<_> = features.into_iter().collect();
    match &features[..] {
        [feature] => {
            let feature = feature.as_ref();
            quote!(#[cfg(feature = #feature)])
        }
        several => {
            let several = several.iter().map(AsRef::as_ref);
            quote!(#[cfg(any(#(feature = #several),*))])
        }
    }
}

/// The group-version of a module or, if it has none, the names of its documents.
fn module_origin(module: &Module) -> String {
    let version = module.group_version.api_version();
    if !version.is_empty() {
        return format!("`{version}`");
    }
    let documents: BTreeSet<&str> =
        module.types.values().map(|def| def.location.document.as_str()).collect();
    documents.into_iter().collect::<Vec<_>>().join(", ")
}

/// The body of a file.
#[derive(Clone, Debug, Default)]
pub struct FileBody {
    /// Items that are yet to be formatted.
    pub items: TokenStream,
    /// Tables, which are put below the items as they are.
    pub tables: String,
    /// The start of the macro that has all items in its braces, if there is one.
    pub guard: Option<String>,
}

impl From<TokenStream> for FileBody {
    fn from(items: TokenStream) -> Self {
        Self { items, ..Self::default() }
    }
}

impl FileBody {
    /// Imports the paths that its items use, and the `wanted` ones, which its tables use by name.
    fn with_imports(self, wanted: &BTreeSet<String>) -> Self {
        Self { items: imports::shorten(self.items, wanted), ..self }
    }
}

impl<'a> File<'a> {
    fn new(path: impl Into<String>, origin: &str, content: Content<'a>) -> Self {
        Self { path: path.into(), origin: on_one_line(origin).into_owned(), content }
    }

    /// The content.
    #[must_use]
    pub fn body(&self) -> FileBody {
        match &self.content {
            Content::Root { api, endpoints, crate_name } => root::file(api, endpoints, *crate_name),
            Content::Operations(api, endpoints) => operations::index(api, endpoints).into(),
            Content::Params(standard) => {
                FileBody::from(params::file(standard)).with_imports(&BTreeSet::new())
            }
            Content::Module { name, module, resources, above } => {
                module_root(name, module, resources, *above).into()
            }
            Content::Index { name, files, module, gates } => {
                types::index(name, files, &module.aliases, gates).into()
            }
            Content::Resource { resource, part } => resource_part(resource, *part),
            Content::Type { module, name, def, requests } => {
                types::file(module, name, def, *requests).with_imports(&BTreeSet::new())
            }
        }
    }
}

/// The files with their content.
///
/// # Errors
/// When an emitted file is not Rust, which is a bug of the generator.
pub fn formatted(files: &[File<'_>]) -> Result<Tree, Errors> {
    let mut errors = Errors::default();
    let mut tree = Tree::default();
    for (file, text) in files.iter().zip(parallel::map(files.iter().collect(), format::text)) {
        if let Some(text) = errors.ok(text) {
            tree.insert(&file.path, text);
        }
    }
    errors.into_result(tree)
}

/// The Cargo features: one for each module except `meta_v1` and for each resource apart, with the
/// features that it needs, including features of other crates; and `definitions`, if there are any.
#[must_use]
pub fn features(api: &Api) -> BTreeMap<String, Vec<String>> {
    let mut features: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, needs) in Features::new(api).needs {
        if name != wellknown::META {
            let needs = needs.into_iter().filter(|(_, module)| *module != wellknown::META);
            let needs = needs.map(|(package, module)| match package {
                Some(package) => format!("{package}/{module}"),
                None => module.to_owned(),
            });
            features.insert(name.to_owned(), needs.collect());
        }
    }
    if !api.definitions.is_empty() {
        features.insert(wellknown::DEFINITIONS.to_owned(), Vec::new());
    }
    features
}

fn resource_part(resource: &ResourceRef<'_>, part: ResourcePart) -> FileBody {
    let none = BTreeSet::new();
    match part {
        ResourcePart::Functions => {
            FileBody::from(functions::file(resource, true)).with_imports(&none)
        }
        ResourcePart::Params => FileBody::from(params::own(resource)).with_imports(&none),
        ResourcePart::Operations => {
            let Tables { text, imports } = operations::tables(resource);
            FileBody { items: operations::docs(resource), tables: text, guard: None }
                .with_imports(&imports)
        }
        ResourcePart::All => {
            let Tables { text, imports } = operations::tables(resource);
            FileBody { items: functions::file(resource, false), tables: text, guard: None }
                .with_imports(&imports)
        }
    }
}

fn module_root(
    name: &str,
    module: &Module,
    resources: &[(&str, &str)],
    above: Above,
) -> TokenStream {
    let shared = (name == wellknown::META).then(|| match above {
        Above::Runtime => quote! { pub use kapigen_runtime::meta_v1::*; },
        Above::Values => {
            let names = WellKnown::ALL.map(|ty| ident(ty.name()));
            quote! { pub use crate::values::{#(#names),*}; }
        }
    });
    let resources = resources.iter().map(|(plural, file)| {
        let resource = module.resources.get(*plural);
        let warning = resource.and_then(|resource| resource.warning.as_deref());
        let feature = resource.and_then(|resource| resource.feature.as_deref());
        let cfg = feature.map(|feature| cfg([feature]));
        let deprecated = warning.map(docs::warned);
        let file = ident(file);
        quote!(#deprecated #cfg pub mod #file;)
    });
    let docs = docs::inner(&[about(name, &module.group_version, above)]);
    let types = (!module.types.is_empty()).then(|| quote! { mod types; pub use types::*; });
    quote! { #docs #(#resources)* #types #shared }
}

fn about(name: &str, group_version: &GroupVersion, above: Above) -> Block {
    if name == wellknown::META {
        return Block::own(
            "Types that all groups share: metadata, lists, the status of requests, and values \
             such as times and quantities.",
        );
    }
    let version = group_version.api_version();
    // Types that are asked for by name have no group.
    let about = if version.is_empty() { name } else { &version };
    let content = match above {
        Above::Runtime => ": types, and a module of requests for each resource.",
        Above::Values => ": types.",
    };
    Markdown::code(about).and_own(content).into()
}
