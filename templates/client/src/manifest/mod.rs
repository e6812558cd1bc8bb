//! Manifests: files of YAML or JSON with any number of objects, read into [`Object`]s.
//!
//! ```
//! use kapigen_client::manifest::parse;
//! use kapigen_runtime::prelude::*;
//!
//! let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n---\nkind: List\napiVersion: v1\nitems:\n\
//!             - {apiVersion: v1, kind: Namespace, metadata: {name: b}}\n- {apiVersion: v1, metadata: {name: c}}\n";
//! let error = parse("all.yaml", text.as_bytes()).unwrap_err();
//! assert_eq!(error.to_string(), "all.yaml:10:3: the object has no `kind` (document 3, item 1)");
//!
//! let manifests = parse("all.yaml", text.rsplit_once('-').unwrap().0.as_bytes())?;
//! assert_eq!((manifests.objects.len(), manifests.empty), (2, 1));
//! let found = &manifests.objects[1];
//! assert_eq!((found.object.name(), found.origin.to_string().as_str()), ("b", "all.yaml:9:3"));
//! # Ok::<(), kapigen_client::manifest::Errors>(())
//! ```
//!
//! Files are read as kubectl reads them: as YAML 1.1 or JSON, with several documents, where empty
//! ones are counted. Lists of any kind are replaced by their items. In a folder, the files with the
//! extension `.yaml`, `.yml` or `.json` are read in the order of their names. All errors are
//! reported at once, each with file, line and column; input with an error yields nothing.
//!
//! A duplicate key is an error, which servers and kubectl ignore: most often `---` is missing
//! between two objects.
//!
//! [`Object`]: kapigen_runtime::dynamic::Object

mod error;
mod folder;
mod manifests;
mod parse;

pub use error::{Error, Errors, Origin};
pub use folder::read;
pub use manifests::{Manifest, Manifests};
pub use parse::parse;
