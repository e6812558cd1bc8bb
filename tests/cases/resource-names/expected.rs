// file: src/example_com_v1/admission.rs
//! Requests for `admission`.
/// `GET /apis/example.com/v1/admission`. Responses: 200. RBAC: `list` on `admission`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/admission", "GET", "/apis/example.com/v1/admission")
    .resource("example.com", "v1", "admission");

// file: src/example_com_v1/alloc.rs
//! Requests for `alloc`.
/// `GET /apis/example.com/v1/alloc`. Responses: 200. RBAC: `list` on `alloc`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/alloc", "GET", "/apis/example.com/v1/alloc")
    .resource("example.com", "v1", "alloc");

// file: src/example_com_v1/aux_.rs
//! Requests for `aux`.
/// `GET /apis/example.com/v1/aux`. Responses: 200. RBAC: `list` on `aux`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/aux", "GET", "/apis/example.com/v1/aux")
    .resource("example.com", "v1", "aux");

// file: src/example_com_v1/builder.rs
//! Requests for `builder`.
/// `GET /apis/example.com/v1/builder`. Responses: 200. RBAC: `list` on `builder`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/builder", "GET", "/apis/example.com/v1/builder")
    .resource("example.com", "v1", "builder");

// file: src/example_com_v1/builtin.rs
//! Requests for `builtin`.
/// `GET /apis/example.com/v1/builtin`. Responses: 200. RBAC: `list` on `builtin`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/builtin", "GET", "/apis/example.com/v1/builtin")
    .resource("example.com", "v1", "builtin");

// file: src/example_com_v1/byte_string.rs
//! Requests for `byte_string`.
/// `GET /apis/example.com/v1/byte_string`. Responses: 200. RBAC: `list` on `byte_string`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/byte_string", "GET", "/apis/example.com/v1/byte_string")
    .resource("example.com", "v1", "byte_string");

// file: src/example_com_v1/change.rs
//! Requests for `change`.
/// `GET /apis/example.com/v1/change`. Responses: 200. RBAC: `list` on `change`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/change", "GET", "/apis/example.com/v1/change")
    .resource("example.com", "v1", "change");

// file: src/example_com_v1/codec.rs
//! Requests for `codec`.
/// `GET /apis/example.com/v1/codec`. Responses: 200. RBAC: `list` on `codec`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/codec", "GET", "/apis/example.com/v1/codec")
    .resource("example.com", "v1", "codec");

// file: src/example_com_v1/com1_.rs
//! Requests for `com1`.
/// `GET /apis/example.com/v1/com1`. Responses: 200. RBAC: `list` on `com1`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/com1", "GET", "/apis/example.com/v1/com1")
    .resource("example.com", "v1", "com1");

// file: src/example_com_v1/con_.rs
//! Requests for `con`.
/// `GET /apis/example.com/v1/con`. Responses: 200. RBAC: `list` on `con`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/con", "GET", "/apis/example.com/v1/con")
    .resource("example.com", "v1", "con");

// file: src/example_com_v1/con_x.rs
//! Requests for `con.x`.
/// `GET /apis/example.com/v1/con.x`. Responses: 200. RBAC: `list` on `con.x`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/con.x", "GET", "/apis/example.com/v1/con.x")
    .resource("example.com", "v1", "con.x");

// file: src/example_com_v1/conditions.rs
//! Requests for `conditions`.
/// `GET /apis/example.com/v1/conditions`. Responses: 200. RBAC: `list` on `conditions`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/conditions", "GET", "/apis/example.com/v1/conditions")
    .resource("example.com", "v1", "conditions");

// file: src/example_com_v1/core.rs
//! Requests for `core`.
/// `GET /apis/example.com/v1/core`. Responses: 200. RBAC: `list` on `core`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/core", "GET", "/apis/example.com/v1/core")
    .resource("example.com", "v1", "core");

// file: src/example_com_v1/crate_.rs
//! Requests for `crate`.
/// `GET /apis/example.com/v1/crate`. Responses: 200. RBAC: `list` on `crate`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/crate", "GET", "/apis/example.com/v1/crate")
    .resource("example.com", "v1", "crate");

// file: src/example_com_v1/custom_resource.rs
//! Requests for `custom_resource`.
/// `GET /apis/example.com/v1/custom_resource`. Responses: 200. RBAC: `list` on `custom_resource`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/custom_resource", "GET", "/apis/example.com/v1/custom_resource")
    .resource("example.com", "v1", "custom_resource");

// file: src/example_com_v1/cut.rs
//! Requests for `cut`.
/// `GET /apis/example.com/v1/cut`. Responses: 200. RBAC: `list` on `cut`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/cut", "GET", "/apis/example.com/v1/cut")
    .resource("example.com", "v1", "cut");

// file: src/example_com_v1/debug.rs
//! Requests for `debug`.
/// `GET /apis/example.com/v1/debug`. Responses: 200. RBAC: `list` on `debug`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/debug", "GET", "/apis/example.com/v1/debug")
    .resource("example.com", "v1", "debug");

// file: src/example_com_v1/default.rs
//! Requests for `default`.
/// `GET /apis/example.com/v1/default`. Responses: 200. RBAC: `list` on `default`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/default", "GET", "/apis/example.com/v1/default")
    .resource("example.com", "v1", "default");

// file: src/example_com_v1/delete.rs
//! Requests for `delete`.
/// `GET /apis/example.com/v1/delete`. Responses: 200. RBAC: `list` on `delete`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/delete", "GET", "/apis/example.com/v1/delete")
    .resource("example.com", "v1", "delete");

// file: src/example_com_v1/deleted.rs
//! Requests for `deleted`.
/// `GET /apis/example.com/v1/deleted`. Responses: 200. RBAC: `list` on `deleted`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/deleted", "GET", "/apis/example.com/v1/deleted")
    .resource("example.com", "v1", "deleted");

// file: src/example_com_v1/deserialize_strict.rs
//! Requests for `deserialize_strict`.
/// `GET /apis/example.com/v1/deserialize_strict`. Responses: 200. RBAC: `list` on `deserialize_strict`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/deserialize_strict", "GET", "/apis/example.com/v1/deserialize_strict")
    .resource("example.com", "v1", "deserialize_strict");

// file: src/example_com_v1/discovery.rs
//! Requests for `discovery`.
/// `GET /apis/example.com/v1/discovery`. Responses: 200. RBAC: `list` on `discovery`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/discovery", "GET", "/apis/example.com/v1/discovery")
    .resource("example.com", "v1", "discovery");

// file: src/example_com_v1/drop_unknown.rs
//! Requests for `drop_unknown`.
/// `GET /apis/example.com/v1/drop_unknown`. Responses: 200. RBAC: `list` on `drop_unknown`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/drop_unknown", "GET", "/apis/example.com/v1/drop_unknown")
    .resource("example.com", "v1", "drop_unknown");

// file: src/example_com_v1/dynamic.rs
//! Requests for `dynamic`.
/// `GET /apis/example.com/v1/dynamic`. Responses: 200. RBAC: `list` on `dynamic`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/dynamic", "GET", "/apis/example.com/v1/dynamic")
    .resource("example.com", "v1", "dynamic");

// file: src/example_com_v1/election.rs
//! Requests for `election`.
/// `GET /apis/example.com/v1/election`. Responses: 200. RBAC: `list` on `election`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/election", "GET", "/apis/example.com/v1/election")
    .resource("example.com", "v1", "election");

// file: src/example_com_v1/envelope.rs
//! Requests for `envelope`.
/// `GET /apis/example.com/v1/envelope`. Responses: 200. RBAC: `list` on `envelope`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/envelope", "GET", "/apis/example.com/v1/envelope")
    .resource("example.com", "v1", "envelope");

// file: src/example_com_v1/error.rs
//! Requests for `error`.
/// `GET /apis/example.com/v1/error`. Responses: 200. RBAC: `list` on `error`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/error", "GET", "/apis/example.com/v1/error")
    .resource("example.com", "v1", "error");

// file: src/example_com_v1/formats.rs
//! Requests for `formats`.
/// `GET /apis/example.com/v1/formats`. Responses: 200. RBAC: `list` on `formats`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/formats", "GET", "/apis/example.com/v1/formats")
    .resource("example.com", "v1", "formats");

// file: src/example_com_v1/from_reader.rs
//! Requests for `from_reader`.
/// `GET /apis/example.com/v1/from_reader`. Responses: 200. RBAC: `list` on `from_reader`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/from_reader", "GET", "/apis/example.com/v1/from_reader")
    .resource("example.com", "v1", "from_reader");

// file: src/example_com_v1/from_slice.rs
//! Requests for `from_slice`.
/// `GET /apis/example.com/v1/from_slice`. Responses: 200. RBAC: `list` on `from_slice`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/from_slice", "GET", "/apis/example.com/v1/from_slice")
    .resource("example.com", "v1", "from_slice");

// file: src/example_com_v1/from_slice_strict.rs
//! Requests for `from_slice_strict`.
/// `GET /apis/example.com/v1/from_slice_strict`. Responses: 200. RBAC: `list` on `from_slice_strict`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/from_slice_strict", "GET", "/apis/example.com/v1/from_slice_strict")
    .resource("example.com", "v1", "from_slice_strict");

// file: src/example_com_v1/from_str.rs
//! Requests for `from_str`.
/// `GET /apis/example.com/v1/from_str`. Responses: 200. RBAC: `list` on `from_str`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/from_str", "GET", "/apis/example.com/v1/from_str")
    .resource("example.com", "v1", "from_str");

// file: src/example_com_v1/http.rs
//! Requests for `http`.
/// `GET /apis/example.com/v1/http`. Responses: 200. RBAC: `list` on `http`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/http", "GET", "/apis/example.com/v1/http")
    .resource("example.com", "v1", "http");

// file: src/example_com_v1/identity.rs
//! Requests for `identity`.
/// `GET /apis/example.com/v1/identity`. Responses: 200. RBAC: `list` on `identity`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/identity", "GET", "/apis/example.com/v1/identity")
    .resource("example.com", "v1", "identity");

// file: src/example_com_v1/informer.rs
//! Requests for `informer`.
/// `GET /apis/example.com/v1/informer`. Responses: 200. RBAC: `list` on `informer`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/informer", "GET", "/apis/example.com/v1/informer")
    .resource("example.com", "v1", "informer");

// file: src/example_com_v1/int_or_string.rs
//! Requests for `int_or_string`.
/// `GET /apis/example.com/v1/int_or_string`. Responses: 200. RBAC: `list` on `int_or_string`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/int_or_string", "GET", "/apis/example.com/v1/int_or_string")
    .resource("example.com", "v1", "int_or_string");

// file: src/example_com_v1/items.rs
//! Requests for `items`.
/// `GET /apis/example.com/v1/items`. Responses: 200. RBAC: `list` on `items`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/items", "GET", "/apis/example.com/v1/items")
    .resource("example.com", "v1", "items");

// file: src/example_com_v1/jiff.rs
//! Requests for `jiff`.
/// `GET /apis/example.com/v1/jiff`. Responses: 200. RBAC: `list` on `jiff`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/jiff", "GET", "/apis/example.com/v1/jiff")
    .resource("example.com", "v1", "jiff");

// file: src/example_com_v1/json.rs
//! Requests for `json`.
/// `GET /apis/example.com/v1/json`. Responses: 200. RBAC: `list` on `json`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/json", "GET", "/apis/example.com/v1/json")
    .resource("example.com", "v1", "json");

// file: src/example_com_v1/kapigen_runtime.rs
//! Requests for `kapigen_runtime`.
/// `GET /apis/example.com/v1/kapigen_runtime`. Responses: 200. RBAC: `list` on `kapigen_runtime`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/kapigen_runtime", "GET", "/apis/example.com/v1/kapigen_runtime")
    .resource("example.com", "v1", "kapigen_runtime");

// file: src/example_com_v1/kind.rs
//! Requests for `kind`.
/// `GET /apis/example.com/v1/kind`. Responses: 200. RBAC: `list` on `kind`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/kind", "GET", "/apis/example.com/v1/kind")
    .resource("example.com", "v1", "kind");

// file: src/example_com_v1/legacy.rs
//! Requests for `legacy`.
/// `GET /apis/example.com/v1/legacy`. Responses: 200. RBAC: `list` on `legacy`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/legacy", "GET", "/apis/example.com/v1/legacy")
    .resource("example.com", "v1", "legacy");

// file: src/example_com_v1/lib.rs
//! Requests for `lib`.
/// `GET /apis/example.com/v1/lib`. Responses: 200. RBAC: `list` on `lib`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/lib", "GET", "/apis/example.com/v1/lib")
    .resource("example.com", "v1", "lib");

// file: src/example_com_v1/lines.rs
//! Requests for `lines`.
/// `GET /apis/example.com/v1/lines`. Responses: 200. RBAC: `list` on `lines`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/lines", "GET", "/apis/example.com/v1/lines")
    .resource("example.com", "v1", "lines");

// file: src/example_com_v1/log.rs
//! Requests for `log`.
/// `GET /apis/example.com/v1/log`. Responses: 200. RBAC: `list` on `log`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/log", "GET", "/apis/example.com/v1/log")
    .resource("example.com", "v1", "log");

// file: src/example_com_v1/lpt9_.rs
//! Requests for `lpt9`.
/// `GET /apis/example.com/v1/lpt9`. Responses: 200. RBAC: `list` on `lpt9`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/lpt9", "GET", "/apis/example.com/v1/lpt9")
    .resource("example.com", "v1", "lpt9");

// file: src/example_com_v1/machine.rs
//! Requests for `machine`.
/// `GET /apis/example.com/v1/machine`. Responses: 200. RBAC: `list` on `machine`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/machine", "GET", "/apis/example.com/v1/machine")
    .resource("example.com", "v1", "machine");

// file: src/example_com_v1/mask.rs
//! Requests for `mask`.
/// `GET /apis/example.com/v1/mask`. Responses: 200. RBAC: `list` on `mask`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/mask", "GET", "/apis/example.com/v1/mask")
    .resource("example.com", "v1", "mask");

// file: src/example_com_v1/meta_v1.rs
//! Requests for `meta_v1`.
/// `GET /apis/example.com/v1/meta_v1`. Responses: 200. RBAC: `list` on `meta_v1`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/meta_v1", "GET", "/apis/example.com/v1/meta_v1")
    .resource("example.com", "v1", "meta_v1");

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod resource_2;
pub mod n2fast;
pub mod widgets_2;
pub mod admission;
pub mod alloc;
pub mod aux_;
pub mod builder;
pub mod builtin;
pub mod byte_string;
pub mod change;
pub mod codec;
pub mod com1_;
pub mod con_;
pub mod con_x;
pub mod conditions;
pub mod core;
pub mod crate_;
pub mod custom_resource;
pub mod cut;
pub mod debug;
pub mod default;
pub mod delete;
pub mod deleted;
pub mod deserialize_strict;
pub mod discovery;
pub mod drop_unknown;
pub mod dynamic;
pub mod election;
pub mod envelope;
pub mod error;
pub mod formats;
pub mod from_reader;
pub mod from_slice;
pub mod from_slice_strict;
pub mod from_str;
pub mod http;
pub mod identity;
pub mod informer;
pub mod int_or_string;
pub mod items;
pub mod jiff;
pub mod json;
pub mod kapigen_runtime;
pub mod kind;
pub mod legacy;
pub mod lib;
pub mod lines;
pub mod log;
pub mod lpt9_;
pub mod machine;
pub mod mask;
pub mod meta_v1;
pub mod mod_;
pub mod nul_;
pub mod number;
pub mod operation;
pub mod operations;
pub mod owners;
pub mod pages;
pub mod params;
pub mod patch;
pub mod path;
pub mod place;
pub mod prelude;
pub mod prn_;
pub mod quantity;
pub mod query;
pub mod queue;
pub mod raw_json;
pub mod rbac;
pub mod read;
pub mod recorder;
pub mod request;
pub mod resource;
pub mod response;
pub mod retry;
pub mod route;
pub mod scope;
pub mod self_;
pub mod serde;
pub mod serde_json;
pub mod skip;
pub mod std;
pub mod store;
pub mod stream;
pub mod super_;
pub mod table;
pub mod tests;
pub mod text;
pub mod time;
pub mod to_string;
pub mod to_vec;
pub mod to_writer;
pub mod type_;
pub mod types_;
pub mod update;
pub mod value;
pub mod values;
pub mod verbs;
pub mod warning;
pub mod watch;
pub mod wid_gets_3;
pub mod wid_gets_2;
pub mod wid_gets;
pub mod widgets;
pub mod write;
pub mod resource_3;
pub use types::*;

// file: src/example_com_v1/mod_.rs
//! Requests for `mod`.
/// `GET /apis/example.com/v1/mod`. Responses: 200. RBAC: `list` on `mod`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/mod", "GET", "/apis/example.com/v1/mod")
    .resource("example.com", "v1", "mod");

// file: src/example_com_v1/n2fast.rs
//! Requests for `2fast`.
/// `GET /apis/example.com/v1/2fast`. Responses: 200. RBAC: `list` on `2fast`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/2fast", "GET", "/apis/example.com/v1/2fast")
    .resource("example.com", "v1", "2fast");

// file: src/example_com_v1/nul_.rs
//! Requests for `nul`.
/// `GET /apis/example.com/v1/nul`. Responses: 200. RBAC: `list` on `nul`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/nul", "GET", "/apis/example.com/v1/nul")
    .resource("example.com", "v1", "nul");

// file: src/example_com_v1/number.rs
//! Requests for `number`.
/// `GET /apis/example.com/v1/number`. Responses: 200. RBAC: `list` on `number`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/number", "GET", "/apis/example.com/v1/number")
    .resource("example.com", "v1", "number");

// file: src/example_com_v1/operation.rs
//! Requests for `operation`.
/// `GET /apis/example.com/v1/operation`. Responses: 200. RBAC: `list` on `operation`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/operation", "GET", "/apis/example.com/v1/operation")
    .resource("example.com", "v1", "operation");

// file: src/example_com_v1/operations.rs
//! Requests for `operations`.
/// `GET /apis/example.com/v1/operations`. Responses: 200. RBAC: `list` on `operations`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/operations", "GET", "/apis/example.com/v1/operations")
    .resource("example.com", "v1", "operations");

// file: src/example_com_v1/owners.rs
//! Requests for `owners`.
/// `GET /apis/example.com/v1/owners`. Responses: 200. RBAC: `list` on `owners`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/owners", "GET", "/apis/example.com/v1/owners")
    .resource("example.com", "v1", "owners");

// file: src/example_com_v1/pages.rs
//! Requests for `pages`.
/// `GET /apis/example.com/v1/pages`. Responses: 200. RBAC: `list` on `pages`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/pages", "GET", "/apis/example.com/v1/pages")
    .resource("example.com", "v1", "pages");

// file: src/example_com_v1/params.rs
//! Requests for `params`.
/// `GET /apis/example.com/v1/params`. Responses: 200. RBAC: `list` on `params`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/params", "GET", "/apis/example.com/v1/params")
    .resource("example.com", "v1", "params");

// file: src/example_com_v1/patch.rs
//! Requests for `patch`.
/// `GET /apis/example.com/v1/patch`. Responses: 200. RBAC: `list` on `patch`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/patch", "GET", "/apis/example.com/v1/patch")
    .resource("example.com", "v1", "patch");

// file: src/example_com_v1/path.rs
//! Requests for `path`.
/// `GET /apis/example.com/v1/path`. Responses: 200. RBAC: `list` on `path`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/path", "GET", "/apis/example.com/v1/path")
    .resource("example.com", "v1", "path");

// file: src/example_com_v1/place.rs
//! Requests for `place`.
/// `GET /apis/example.com/v1/place`. Responses: 200. RBAC: `list` on `place`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/place", "GET", "/apis/example.com/v1/place")
    .resource("example.com", "v1", "place");

// file: src/example_com_v1/prelude.rs
//! Requests for `prelude`.
/// `GET /apis/example.com/v1/prelude`. Responses: 200. RBAC: `list` on `prelude`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/prelude", "GET", "/apis/example.com/v1/prelude")
    .resource("example.com", "v1", "prelude");

// file: src/example_com_v1/prn_.rs
//! Requests for `prn`.
/// `GET /apis/example.com/v1/prn`. Responses: 200. RBAC: `list` on `prn`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/prn", "GET", "/apis/example.com/v1/prn")
    .resource("example.com", "v1", "prn");

// file: src/example_com_v1/quantity.rs
//! Requests for `quantity`.
/// `GET /apis/example.com/v1/quantity`. Responses: 200. RBAC: `list` on `quantity`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/quantity", "GET", "/apis/example.com/v1/quantity")
    .resource("example.com", "v1", "quantity");

// file: src/example_com_v1/query.rs
//! Requests for `query`.
/// `GET /apis/example.com/v1/query`. Responses: 200. RBAC: `list` on `query`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/query", "GET", "/apis/example.com/v1/query")
    .resource("example.com", "v1", "query");

// file: src/example_com_v1/queue.rs
//! Requests for `queue`.
/// `GET /apis/example.com/v1/queue`. Responses: 200. RBAC: `list` on `queue`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/queue", "GET", "/apis/example.com/v1/queue")
    .resource("example.com", "v1", "queue");

// file: src/example_com_v1/raw_json.rs
//! Requests for `raw_json`.
/// `GET /apis/example.com/v1/raw_json`. Responses: 200. RBAC: `list` on `raw_json`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/raw_json", "GET", "/apis/example.com/v1/raw_json")
    .resource("example.com", "v1", "raw_json");

// file: src/example_com_v1/rbac.rs
//! Requests for `rbac`.
/// `GET /apis/example.com/v1/rbac`. Responses: 200. RBAC: `list` on `rbac`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/rbac", "GET", "/apis/example.com/v1/rbac")
    .resource("example.com", "v1", "rbac");

// file: src/example_com_v1/read.rs
//! Requests for `read`.
/// `GET /apis/example.com/v1/read`. Responses: 200. RBAC: `list` on `read`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/read", "GET", "/apis/example.com/v1/read")
    .resource("example.com", "v1", "read");

// file: src/example_com_v1/recorder.rs
//! Requests for `recorder`.
/// `GET /apis/example.com/v1/recorder`. Responses: 200. RBAC: `list` on `recorder`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/recorder", "GET", "/apis/example.com/v1/recorder")
    .resource("example.com", "v1", "recorder");

// file: src/example_com_v1/request.rs
//! Requests for `request`.
/// `GET /apis/example.com/v1/request`. Responses: 200. RBAC: `list` on `request`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/request", "GET", "/apis/example.com/v1/request")
    .resource("example.com", "v1", "request");

// file: src/example_com_v1/resource.rs
//! Requests for `resource`.
/// `GET /apis/example.com/v1/resource`. Responses: 200. RBAC: `list` on `resource`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/resource", "GET", "/apis/example.com/v1/resource")
    .resource("example.com", "v1", "resource");

// file: src/example_com_v1/resource_2.rs
//! Requests for `--`.
/// `GET /apis/example.com/v1/--`. Responses: 200. RBAC: `list` on `--`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/--", "GET", "/apis/example.com/v1/--")
    .resource("example.com", "v1", "--");

// file: src/example_com_v1/resource_3.rs
//! Requests for `~~-`.
/// `GET /apis/example.com/v1/~~-`. Responses: 200. RBAC: `list` on `~~-`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/~~-", "GET", "/apis/example.com/v1/~~-")
    .resource("example.com", "v1", "~~-");

// file: src/example_com_v1/response.rs
//! Requests for `response`.
/// `GET /apis/example.com/v1/response`. Responses: 200. RBAC: `list` on `response`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/response", "GET", "/apis/example.com/v1/response")
    .resource("example.com", "v1", "response");

// file: src/example_com_v1/retry.rs
//! Requests for `retry`.
/// `GET /apis/example.com/v1/retry`. Responses: 200. RBAC: `list` on `retry`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/retry", "GET", "/apis/example.com/v1/retry")
    .resource("example.com", "v1", "retry");

// file: src/example_com_v1/route.rs
//! Requests for `route`.
/// `GET /apis/example.com/v1/route`. Responses: 200. RBAC: `list` on `route`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/route", "GET", "/apis/example.com/v1/route")
    .resource("example.com", "v1", "route");

// file: src/example_com_v1/scope.rs
//! Requests for `scope`.
/// `GET /apis/example.com/v1/scope`. Responses: 200. RBAC: `list` on `scope`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/scope", "GET", "/apis/example.com/v1/scope")
    .resource("example.com", "v1", "scope");

// file: src/example_com_v1/self_.rs
//! Requests for `self`.
/// `GET /apis/example.com/v1/self`. Responses: 200. RBAC: `list` on `self`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/self", "GET", "/apis/example.com/v1/self")
    .resource("example.com", "v1", "self");

// file: src/example_com_v1/serde.rs
//! Requests for `serde`.
/// `GET /apis/example.com/v1/serde`. Responses: 200. RBAC: `list` on `serde`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/serde", "GET", "/apis/example.com/v1/serde")
    .resource("example.com", "v1", "serde");

// file: src/example_com_v1/serde_json.rs
//! Requests for `serde_json`.
/// `GET /apis/example.com/v1/serde_json`. Responses: 200. RBAC: `list` on `serde_json`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/serde_json", "GET", "/apis/example.com/v1/serde_json")
    .resource("example.com", "v1", "serde_json");

// file: src/example_com_v1/skip.rs
//! Requests for `skip`.
/// `GET /apis/example.com/v1/skip`. Responses: 200. RBAC: `list` on `skip`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/skip", "GET", "/apis/example.com/v1/skip")
    .resource("example.com", "v1", "skip");

// file: src/example_com_v1/std.rs
//! Requests for `std`.
/// `GET /apis/example.com/v1/std`. Responses: 200. RBAC: `list` on `std`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/std", "GET", "/apis/example.com/v1/std")
    .resource("example.com", "v1", "std");

// file: src/example_com_v1/store.rs
//! Requests for `store`.
/// `GET /apis/example.com/v1/store`. Responses: 200. RBAC: `list` on `store`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/store", "GET", "/apis/example.com/v1/store")
    .resource("example.com", "v1", "store");

// file: src/example_com_v1/stream.rs
//! Requests for `stream`.
/// `GET /apis/example.com/v1/stream`. Responses: 200. RBAC: `list` on `stream`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/stream", "GET", "/apis/example.com/v1/stream")
    .resource("example.com", "v1", "stream");

// file: src/example_com_v1/super_.rs
//! Requests for `super`.
/// `GET /apis/example.com/v1/super`. Responses: 200. RBAC: `list` on `super`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/super", "GET", "/apis/example.com/v1/super")
    .resource("example.com", "v1", "super");

// file: src/example_com_v1/table.rs
//! Requests for `table`.
/// `GET /apis/example.com/v1/table`. Responses: 200. RBAC: `list` on `table`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/table", "GET", "/apis/example.com/v1/table")
    .resource("example.com", "v1", "table");

// file: src/example_com_v1/tests.rs
//! Requests for `tests`.
/// `GET /apis/example.com/v1/tests`. Responses: 200. RBAC: `list` on `tests`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/tests", "GET", "/apis/example.com/v1/tests")
    .resource("example.com", "v1", "tests");

// file: src/example_com_v1/text.rs
//! Requests for `text`.
/// `GET /apis/example.com/v1/text`. Responses: 200. RBAC: `list` on `text`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/text", "GET", "/apis/example.com/v1/text")
    .resource("example.com", "v1", "text");

// file: src/example_com_v1/time.rs
//! Requests for `time`.
/// `GET /apis/example.com/v1/time`. Responses: 200. RBAC: `list` on `time`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/time", "GET", "/apis/example.com/v1/time")
    .resource("example.com", "v1", "time");

// file: src/example_com_v1/to_string.rs
//! Requests for `to_string`.
/// `GET /apis/example.com/v1/to_string`. Responses: 200. RBAC: `list` on `to_string`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/to_string", "GET", "/apis/example.com/v1/to_string")
    .resource("example.com", "v1", "to_string");

// file: src/example_com_v1/to_vec.rs
//! Requests for `to_vec`.
/// `GET /apis/example.com/v1/to_vec`. Responses: 200. RBAC: `list` on `to_vec`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/to_vec", "GET", "/apis/example.com/v1/to_vec")
    .resource("example.com", "v1", "to_vec");

// file: src/example_com_v1/to_writer.rs
//! Requests for `to_writer`.
/// `GET /apis/example.com/v1/to_writer`. Responses: 200. RBAC: `list` on `to_writer`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/to_writer", "GET", "/apis/example.com/v1/to_writer")
    .resource("example.com", "v1", "to_writer");

// file: src/example_com_v1/type_.rs
//! Requests for `type`.
/// `GET /apis/example.com/v1/type`. Responses: 200. RBAC: `list` on `type`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/type", "GET", "/apis/example.com/v1/type")
    .resource("example.com", "v1", "type");

// file: src/example_com_v1/types/aux_.rs
/// Something.
///
/// Schema `Aux`.
#[derive(Clone, Default, PartialEq)]
pub struct Aux {
    /// `a`.
    pub a: Option<String>,
    /// Something.
    pub b: Option<Box<Con>>,
    /// Something.
    pub c: Option<Box<Nul>>,
    /// Something.
    pub d: Option<Box<Com1>>,
    /// Something.
    pub e: Option<Box<LPT9>>,
    /// Something.
    pub f: Option<Box<Mod>>,
    /// Something.
    pub g: Option<Box<Types>>,
}
static TABLE: codec::Table =
    codec::Table::new("Aux", "! a b c d e f g");

// file: src/example_com_v1/types/com1_.rs
/// Something.
///
/// Schema `Com1`.
#[derive(Clone, Default, PartialEq)]
pub struct Com1 {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Com1", "! a");

// file: src/example_com_v1/types/con_.rs
/// Something.
///
/// Schema `Con`.
#[derive(Clone, Default, PartialEq)]
pub struct Con {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Con", "! a");

// file: src/example_com_v1/types/lpt9_.rs
/// Something.
///
/// Schema `LPT9`.
#[derive(Clone, Default, PartialEq)]
pub struct LPT9 {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("LPT9", "! a");

// file: src/example_com_v1/types/mod.rs
pub use aux_::Aux;
pub use com1_::Com1;
pub use con_::Con;
pub use lpt9_::LPT9;
pub use mod_::Mod;
pub use nul_::Nul;
pub use types::Types;

// file: src/example_com_v1/types/mod_.rs
/// Something.
///
/// Schema `Mod`.
#[derive(Clone, Default, PartialEq)]
pub struct Mod {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Mod", "! a");

// file: src/example_com_v1/types/nul_.rs
/// Something.
///
/// Schema `Nul`.
#[derive(Clone, Default, PartialEq)]
pub struct Nul {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Nul", "! a");

// file: src/example_com_v1/types/types.rs
/// Something.
///
/// Schema `Types`.
#[derive(Clone, Default, PartialEq)]
pub struct Types {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Types", "! a");

// file: src/example_com_v1/types_.rs
//! Requests for `types`.
/// `GET /apis/example.com/v1/types`. Responses: 200. RBAC: `list` on `types`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/types", "GET", "/apis/example.com/v1/types")
    .resource("example.com", "v1", "types");

// file: src/example_com_v1/update.rs
//! Requests for `update`.
/// `GET /apis/example.com/v1/update`. Responses: 200. RBAC: `list` on `update`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/update", "GET", "/apis/example.com/v1/update")
    .resource("example.com", "v1", "update");

// file: src/example_com_v1/value.rs
//! Requests for `value`.
/// `GET /apis/example.com/v1/value`. Responses: 200. RBAC: `list` on `value`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/value", "GET", "/apis/example.com/v1/value")
    .resource("example.com", "v1", "value");

// file: src/example_com_v1/values.rs
//! Requests for `values`.
/// `GET /apis/example.com/v1/values`. Responses: 200. RBAC: `list` on `values`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/values", "GET", "/apis/example.com/v1/values")
    .resource("example.com", "v1", "values");

// file: src/example_com_v1/verbs.rs
//! Requests for `verbs`.
/// `GET /apis/example.com/v1/verbs`. Responses: 200. RBAC: `list` on `verbs`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/verbs", "GET", "/apis/example.com/v1/verbs")
    .resource("example.com", "v1", "verbs");

// file: src/example_com_v1/warning.rs
//! Requests for `warning`.
/// `GET /apis/example.com/v1/warning`. Responses: 200. RBAC: `list` on `warning`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/warning", "GET", "/apis/example.com/v1/warning")
    .resource("example.com", "v1", "warning");

// file: src/example_com_v1/watch.rs
//! Requests for `watch`.
/// `GET /apis/example.com/v1/watch`. Responses: 200. RBAC: `list` on `watch`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/watch", "GET", "/apis/example.com/v1/watch")
    .resource("example.com", "v1", "watch");

// file: src/example_com_v1/wid_gets.rs
//! Requests for `wid_gets`.
/// `GET /apis/example.com/v1/wid_gets`. Responses: 200. RBAC: `list` on `wid_gets`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/wid_gets", "GET", "/apis/example.com/v1/wid_gets")
    .resource("example.com", "v1", "wid_gets");

// file: src/example_com_v1/wid_gets_2.rs
//! Requests for `widGets`.
/// `GET /apis/example.com/v1/widGets`. Responses: 200. RBAC: `list` on `widGets`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/widGets", "GET", "/apis/example.com/v1/widGets")
    .resource("example.com", "v1", "widGets");

// file: src/example_com_v1/wid_gets_3.rs
//! Requests for `wid-gets`.
/// `GET /apis/example.com/v1/wid-gets`. Responses: 200. RBAC: `list` on `wid-gets`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/wid-gets", "GET", "/apis/example.com/v1/wid-gets")
    .resource("example.com", "v1", "wid-gets");

// file: src/example_com_v1/widgets.rs
//! Requests for `widgets`.
/// `GET /apis/example.com/v1/widgets`. Responses: 200. RBAC: `list` on `widgets`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/widgets", "GET", "/apis/example.com/v1/widgets")
    .resource("example.com", "v1", "widgets");

// file: src/example_com_v1/widgets_2.rs
//! Requests for `WIDGETS`.
/// `GET /apis/example.com/v1/WIDGETS`. Responses: 200. RBAC: `list` on `WIDGETS`.
/// [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/WIDGETS", "GET", "/apis/example.com/v1/WIDGETS")
    .resource("example.com", "v1", "WIDGETS");

// file: src/example_com_v1/write.rs
//! Requests for `write`.
/// `GET /apis/example.com/v1/write`. Responses: 200. RBAC: `list` on `write`. [Errors](self#errors).
pub fn list() -> Result<Request<Aux>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "get /apis/example.com/v1/write", "GET", "/apis/example.com/v1/write")
    .resource("example.com", "v1", "write");

