// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/mod.rs
pub use na_ve_typ_e::NaVeTypE;
pub use na_ve_typ_e_inner::NaVeTypEInner;

// file: src/spec/types/na_ve_typ_e.rs
/// A schema whose name must be escaped in a pointer.
///
/// Schema `naïve/Typ~e`.
#[derive(Clone, Default, PartialEq)]
pub struct NaVeTypE {
    /// `model`.
    pub model: Option<Box<N3dModelV2>>,
    /// `inner`.
    pub inner: Option<Box<NaVeTypEInner>>,
}
static TABLE: codec::Table =
    codec::Table::new("NaVeTypE", "! model inner");

// file: src/spec/types/na_ve_typ_e_inner.rs
/// Schema `naïve~1Typ~0e/properties/inner`.
#[derive(Clone, Default, PartialEq)]
pub struct NaVeTypEInner {
    /// `$ref`.
    pub ref_: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("NaVeTypEInner", "! $ref");

// file: src/stable_v1/mod.rs
//! `stable/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/stable_v1/types/mod.rs
pub use n3d_model_v2::N3dModelV2;

// file: src/stable_v1/types/n3d_model_v2.rs
/// Named with a digit first, a dash and an underscore.
///
/// Schema `com.example.stable.v1.3D-Model_v2`.
#[derive(Clone, Default, PartialEq)]
pub struct N3dModelV2 {
    /// `$ref`.
    pub ref_: Option<String>,
    /// `$schema`.
    pub schema: Option<String>,
    /// `x-kubernetes-list-type`.
    pub x_kubernetes_list_type: Option<String>,
    /// `x-kubernetes-list-map-keys`.
    pub x_kubernetes_list_map_keys: Option<Vec<String>>,
    /// `revision.authorEmail`.
    pub revision_author_email: Option<String>,
    /// `authors/first`.
    pub authors_first: Option<String>,
    /// `2fast`.
    pub n2fast: Option<bool>,
    /// `_private`.
    pub private: Option<String>,
    /// `__`.
    pub dunder: Option<String>,
    /// `gateway_ip`.
    pub gateway_ip: Option<String>,
    /// `naïveté`.
    pub na_vet: Option<String>,
    /// `größe`.
    pub gr_e: Option<i64>,
    /// `a b c`.
    pub a_b_c: Option<String>,
    /// `quote"d`.
    pub quote_d: Option<String>,
    /// `back\slash`.
    pub back_slash: Option<String>,
    /// `` tick`ed ``.
    pub tick_ed: Option<String>,
    /// `line\nbreak`.
    pub line_break: Option<String>,
    /// `bidi\u{202e}ibid`.
    pub bidi_ibid: Option<String>,
    /// `nul\u{0}byte`.
    pub nul_byte: Option<String>,
    /// `*/ end`.
    pub end: Option<String>,
    /// `{braces}`.
    pub braces: Option<String>,
    /// `tilde~name`.
    pub tilde_name: Option<String>,
    /// `emoji😀smile`.
    pub emoji_smile: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("N3dModelV2", "!#$ref#$schema#x-kubernetes-list-type#x-kubernetes-list-map-keys#revision.authorEmail#authors/first#2fast#_private#__#gateway_ip#naïveté#größe#a \
        b c#quote\"d#back\\slash#tick`ed#line\nbreak#bidi\u{202e}ibid#nul\0byte#*/ \
        end#{braces}#tilde~name#emoji😀smile");

