// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/everything.rs
/// A required and an optional member of every type.
///
/// Schema `Everything`.
#[derive(Clone, Default)]
pub struct Everything {
    /// `bool`.
    pub bool: bool,
    /// `int`.
    pub int: i32,
    /// `long`.
    pub long: i64,
    /// `double`.
    pub double: f64,
    /// `text`.
    pub text: String,
    /// `bytes`.
    pub bytes: ByteString,
    /// A point in time in RFC 3339 form with exactly six fractional digits (microseconds), such as
    /// `2001-02-03T04:05:06.000007Z`. The server refuses any other number of digits and writes `null` for
    /// no time.
    pub time: MicroTime,
    /// An exact decimal number with a unit suffix: `n`, `u`, `m`, none, `k`, `M`, `G`, `T`, `P`, `E`
    /// (powers of 1000), `Ki` to `Ei` (powers of 1024), or an exponent such as `e3`. Capped at 2^63-1, and
    /// anything finer than nano is rounded up. A server returns the canonical form (`1.5` becomes `1500m`,
    /// `1.5Gi` becomes `1536Mi`), so compare amounts, not strings.
    pub amount: Quantity,
    /// Either a 32-bit integer or a string, and plain JSON of that type on the wire: say a port by number
    /// or by name, or a count or a percentage such as `25%`. `80` and `"80"` are different values.
    pub either: IntOrString,
    /// `any`.
    ///
    /// Apply replaces the whole value.
    pub any: RawJson,
    /// Stands in its parent where it is required.
    pub object: Inner,
    /// `list`.
    pub list: Vec<Inner>,
    /// `map`.
    pub map: BTreeMap<String, Inner>,
    /// One of `A`, `B`.
    pub choice: EverythingChoice,
    /// `optionalBool`.
    pub optional_bool: Option<bool>,
    /// `optionalInt`.
    pub optional_int: Option<i32>,
    /// `optionalLong`.
    pub optional_long: Option<i64>,
    /// `optionalDouble`.
    pub optional_double: Option<f64>,
    /// `optionalText`.
    pub optional_text: Option<String>,
    /// `optionalBytes`.
    pub optional_bytes: Option<ByteString>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub optional_time: Option<Time>,
    /// An exact decimal number with a unit suffix: `n`, `u`, `m`, none, `k`, `M`, `G`, `T`, `P`, `E`
    /// (powers of 1000), `Ki` to `Ei` (powers of 1024), or an exponent such as `e3`. Capped at 2^63-1, and
    /// anything finer than nano is rounded up. A server returns the canonical form (`1.5` becomes `1500m`,
    /// `1.5Gi` becomes `1536Mi`), so compare amounts, not strings.
    pub optional_amount: Option<Quantity>,
    /// Either a 32-bit integer or a string, and plain JSON of that type on the wire: say a port by number
    /// or by name, or a count or a percentage such as `25%`. `80` and `"80"` are different values.
    pub optional_either: Option<IntOrString>,
    /// `optionalAny`.
    ///
    /// Apply replaces the whole value.
    pub optional_any: Option<RawJson>,
    /// Stands in its parent where it is required.
    pub optional_object: Option<Box<Inner>>,
    /// `optionalList`.
    pub optional_list: Option<Vec<String>>,
    /// `optionalMap`.
    pub optional_map: Option<BTreeMap<String, String>>,
    /// One of `A`, `B`.
    pub optional_choice: Option<EverythingOptionalChoice>,
    /// May be `null`, which is kept in `unknown_`.
    pub nullable: Option<String>,
}
impl PartialEq for Everything
static TABLE: codec::Table =
    codec::Table::new("Everything", "! bool! int! long! double! text! bytes! time! amount! either! any!!! object! list! map! choice! \
        optionalBool optionalInt optionalLong optionalDouble optionalText optionalBytes optionalTime \
        optionalAmount optionalEither optionalAny!! optionalObject optionalList optionalMap optionalChoice \
        nullable!!").merge(&[
        (9, codec::Merge::USUAL.atomic()),
        (23, codec::Merge::USUAL.atomic()),
    ]);

// file: src/spec/types/everything_choice.rs
/// Schema `Everything/properties/choice`, and an identical one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EverythingChoice {
    /// `A`
    A,
    /// `B`
    B,
    /// A value that the document does not list.
    Other(String),
}
impl EverythingChoice {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::A => "A",
            Self::B => "B",
}
impl From<&str> for EverythingChoice
            "A" => Self::A,
            "B" => Self::B,
kapigen_runtime::__private::open_enum!(EverythingChoice);

// file: src/spec/types/inner.rs
/// Stands in its parent where it is required.
///
/// Schema `Inner`.
#[derive(Clone, Default, PartialEq)]
pub struct Inner {
    /// And so does what it requires.
    pub innermost: Innermost,
}
static TABLE: codec::Table =
    codec::Table::new("Inner", "! innermost!");

// file: src/spec/types/innermost.rs
/// And so does what it requires.
///
/// Schema `Innermost`.
#[derive(Clone, Default, PartialEq)]
pub struct Innermost {
    /// `name`.
    pub name: String,
}
static TABLE: codec::Table =
    codec::Table::new("Innermost", "! name!");

// file: src/spec/types/mod.rs
pub use everything::Everything;
pub use everything_choice::EverythingChoice;
pub use inner::Inner;
pub use innermost::Innermost;
/// Schema `Everything/properties/optionalChoice`, which is the same as that of `EverythingChoice`.
pub use everything_choice::EverythingChoice as EverythingOptionalChoice;

