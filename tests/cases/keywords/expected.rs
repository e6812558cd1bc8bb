// file: notes.txt
note    spec.yaml#/components/schemas/Words/properties/Self: the field is `self_2`, as `self` is `self_`; give it a name in groups.yaml: `rename: { "Words.Self": name }`

// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/also.rs
/// Names that are keywords only once they are Rust names, and names that the emitted code uses itself.
///
/// Schema `Also`.
#[derive(Clone, Default, PartialEq)]
pub struct Also {
    /// `Self`.
    pub self_: Option<String>,
    /// `Crate`.
    pub crate_: Option<String>,
    /// `$type`.
    pub type_: Option<String>,
    /// `index`.
    pub index: Option<String>,
    /// `key`.
    pub key: Option<String>,
    /// `slot`.
    pub slot: Option<String>,
    /// `view`.
    pub view: Option<String>,
    /// `member`.
    pub member: Option<String>,
    /// `table`.
    pub table: Option<String>,
    /// `clear`.
    pub clear: Option<String>,
    /// `empty`.
    pub empty: Option<String>,
    /// `find`.
    pub find: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Also", "! Self Crate $type index key slot view member table clear empty find");

// file: src/spec/types/crate_.rs
/// A type whose file would be called like a keyword.
///
/// Schema `Crate`.
#[derive(Clone, Default, PartialEq)]
pub struct Crate {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Crate", "! name");

// file: src/spec/types/mod.rs
pub use also::Also;
pub use crate_::Crate;
pub use mod_::Mod;
pub use super_::Super;
pub use type_::Type;
pub use words::Words;

// file: src/spec/types/mod_.rs
/// A type whose file would be called like a keyword.
///
/// Schema `Mod`.
#[derive(Clone, Default, PartialEq)]
pub struct Mod {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Mod", "! name");

// file: src/spec/types/super_.rs
/// A type whose file would be called like a keyword.
///
/// Schema `Super`.
#[derive(Clone, Default, PartialEq)]
pub struct Super {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Super", "! name");

// file: src/spec/types/type_.rs
/// A type whose file would be called like a keyword.
///
/// Schema `Type`.
#[derive(Clone, Default, PartialEq)]
pub struct Type {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Type", "! name");

// file: src/spec/types/words.rs
/// Every keyword, strict, reserved and weak.
///
/// Schema `Words`.
#[derive(Clone, Default, PartialEq)]
pub struct Words {
    /// `abstract`.
    pub abstract_: Option<bool>,
    /// `as`.
    pub as_: Option<bool>,
    /// `async`.
    pub async_: Option<bool>,
    /// `auto`.
    pub auto: Option<bool>,
    /// `await`.
    pub await_: Option<bool>,
    /// `become`.
    pub become_: Option<bool>,
    /// `box`.
    pub box_: Option<bool>,
    /// `break`.
    pub break_: Option<bool>,
    /// `const`.
    pub const_: Option<bool>,
    /// `continue`.
    pub continue_: Option<bool>,
    /// `crate`.
    pub crate_: Option<bool>,
    /// `default`.
    pub default: Option<bool>,
    /// `do`.
    pub do_: Option<bool>,
    /// `dyn`.
    pub dyn_: Option<bool>,
    /// `else`.
    pub else_: Option<bool>,
    /// `enum`.
    pub enum_: Option<bool>,
    /// `extern`.
    pub extern_: Option<bool>,
    /// `false`.
    pub false_: Option<bool>,
    /// `final`.
    pub final_: Option<bool>,
    /// `fn`.
    pub fn_: Option<bool>,
    /// `for`.
    pub for_: Option<bool>,
    /// `gen`.
    pub gen_: Option<bool>,
    /// `if`.
    pub if_: Option<bool>,
    /// `impl`.
    pub impl_: Option<bool>,
    /// `in`.
    pub in_: Option<bool>,
    /// `let`.
    pub let_: Option<bool>,
    /// `loop`.
    pub loop_: Option<bool>,
    /// `macro`.
    pub macro_: Option<bool>,
    /// `macro_rules`.
    pub macro_rules: Option<bool>,
    /// `match`.
    pub match_: Option<bool>,
    /// `mod`.
    pub mod_: Option<bool>,
    /// `move`.
    pub move_: Option<bool>,
    /// `mut`.
    pub mut_: Option<bool>,
    /// `override`.
    pub override_: Option<bool>,
    /// `priv`.
    pub priv_: Option<bool>,
    /// `pub`.
    pub pub_: Option<bool>,
    /// `raw`.
    pub raw: Option<bool>,
    /// `ref`.
    pub ref_: Option<bool>,
    /// `return`.
    pub return_: Option<bool>,
    /// `safe`.
    pub safe: Option<bool>,
    /// `self`.
    pub self_: Option<bool>,
    /// `Self`.
    pub self_2: Option<bool>,
    /// `static`.
    pub static_: Option<bool>,
    /// `struct`.
    pub struct_: Option<bool>,
    /// `super`.
    pub super_: Option<bool>,
    /// `trait`.
    pub trait_: Option<bool>,
    /// `true`.
    pub true_: Option<bool>,
    /// `try`.
    pub try_: Option<bool>,
    /// `type`.
    pub type_: Option<bool>,
    /// `typeof`.
    pub typeof_: Option<bool>,
    /// `union`.
    pub union: Option<bool>,
    /// `unsafe`.
    pub unsafe_: Option<bool>,
    /// `unsized`.
    pub unsized_: Option<bool>,
    /// `use`.
    pub use_: Option<bool>,
    /// `virtual`.
    pub virtual_: Option<bool>,
    /// `where`.
    pub where_: Option<bool>,
    /// `while`.
    pub while_: Option<bool>,
    /// `yield`.
    pub yield_: Option<bool>,
}
static TABLE: codec::Table =
    codec::Table::new("Words", "! abstract as async auto await become box break const continue crate default do dyn else enum \
        extern false final fn for gen if impl in let loop macro macro_rules match mod move mut override \
        priv pub raw ref return safe self Self static struct super trait true try type typeof union unsafe \
        unsized use virtual where while yield");

