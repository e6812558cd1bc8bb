//! Access of the codec to a value: a [`Slot`] to decode into, and a [`View`] to encode.

use super::builtin::{float, integer};
use super::by_serde::BySerde;
use super::change::{ListChange, MapChange, PrintedChange};
use super::presence;
use super::table::Table;
use super::unknown::Unknown;
use std::fmt;

/// A struct that is decoded and encoded member by member.
///
/// The generator emits an implementation for every schema with properties. The trait is dyn
/// compatible, so one decoder and one encoder serve all structs of the crate.
pub trait Object {
    /// The wire names of the members, in the order of the document.
    fn table(&self) -> &'static Table;
    /// Calls `visitor` for each present member, in their order. Before them, unknown members are
    /// visited as one [`View::Unknown`], if there are any.
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>);
    /// The slot of the member with this index in [`Table::keys`], see [`Value::slot`]. For the
    /// index after the last one it is a [`Slot::Unknown`], or [`Slot::Absent`] for an object that
    /// does not keep unknown members.
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_>;

    /// The object before anything was decoded, see [`Value::empty`].
    #[inline(never)]
    #[must_use]
    fn without_members() -> Self
    where
        Self: Default,
    {
        Self::default()
    }
    /// Calls `visit` with the slot of an object without members.
    fn visit_without_members(visit: &mut dyn FnMut(Slot<'_>))
    where
        Self: Default + Sized,
    {
        visit(Slot::Object(&mut Self::without_members()));
    }
    /// The object itself. For a box, it is the object inside.
    #[inline]
    fn unboxed(&self) -> &dyn Object
    where
        Self: Sized,
    {
        self
    }
    /// As [`unboxed`](Self::unboxed).
    #[inline]
    fn unboxed_mut(&mut self) -> &mut dyn Object
    where
        Self: Sized,
    {
        self
    }
}

/// A value that can be a member of an object, an element of a list or a value of a map.
pub trait Value {
    /// The value before anything was decoded. Unlike `Default`, a kind has no `apiVersion` and
    /// `kind` here.
    fn empty() -> Self
    where
        Self: Sized;
    /// Calls `visit` with the slot of an empty value.
    fn visit_empty(visit: &mut dyn FnMut(Slot<'_>))
    where
        Self: Sized,
    {
        visit(Self::empty().slot(true));
    }
    /// The slot for a value that is about to be decoded. Creates the value of an option that is
    /// `None`. For `null`, which is not present, resets an option to `None` and removes all
    /// elements of a list.
    fn slot(&mut self, is_present: bool) -> Slot<'_>;
    /// The value as it is encoded.
    fn view(&self) -> View<'_>;
    /// Calls `visitor` with this value as the member with this index, unless it is absent.
    #[inline]
    fn visit_as_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        match self.view() {
            View::Absent => {}
            view => visitor.visit(index, view),
        }
    }
}

/// A function that visits the slot of an empty value: [`Value::visit_empty`] of a type.
pub(crate) type VisitEmpty = fn(&mut dyn FnMut(Slot<'_>));

/// A value that is one string or number in JSON.
pub trait Scalar {
    /// Decodes a JSON string.
    ///
    /// # Errors
    /// The expected type or format, when the string does not match it.
    fn read_text(&mut self, text: &str) -> Result<(), Expected>;

    /// Decodes a JSON number without fraction or exponent.
    ///
    /// # Errors
    /// The expected type or format, when this cannot be a number, or not this one.
    fn read_int(&mut self, number: i64) -> Result<(), Expected>;

    /// Decodes any other JSON number.
    ///
    /// # Errors
    /// The expected type or format, when this cannot be such a number.
    fn read_float(&mut self, number: f64) -> Result<(), Expected>;

    /// Decodes a JSON number as it is spelled. By default, a scalar gets the nearest number.
    ///
    /// # Errors
    /// As [`read_int`](Self::read_int) and [`read_float`](Self::read_float), and when the number is
    /// beyond the range of floats.
    fn read_number(&mut self, literal: &str) -> Result<(), Expected> {
        match integer(literal) {
            Some(number) => self.read_int(number),
            None => self.read_float(float(literal)?),
        }
    }

    /// Resets it to the empty value.
    fn clear(&mut self);

    /// Whether a number keeps its spelling in this type, so that formats that have the spelling
    /// should pass it.
    fn keeps_spelling(&self) -> bool {
        false
    }

    /// Whether it was stated, though it is encoded as the empty value is: `0` of a quantity.
    fn is_stated_empty(&self) -> bool {
        false
    }

    /// Whether this string, from which it was decoded, is encoded again in place of its own, as long
    /// as the value stays.
    fn keeps_text(&self, _text: &str) -> bool {
        false
    }

    /// Whether errors must not quote the input, since it may be a secret.
    fn is_secret(&self) -> bool {
        false
    }

    /// The JSON type, for schemas.
    fn scalar_type(&self) -> ScalarType {
        ScalarType::String
    }
}

/// The values that a scalar accepts, as a phrase after "expected".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected(pub &'static str);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl std::error::Error for Expected {}

/// A list that is decoded element by element.
pub trait List: ListChange {
    /// Adds an empty element and returns its slot, see [`Value::slot`].
    fn push(&mut self, is_present: bool) -> Slot<'_>;
    /// Called after the last element: frees spare memory.
    fn finish(&mut self);
    /// Number of elements.
    fn count(&self) -> usize;
    /// The element at this index.
    fn element(&self, index: usize) -> View<'_>;
    /// The element at this index, see [`Value::slot`].
    fn element_mut(&mut self, index: usize, is_present: bool) -> Slot<'_>;
}

/// A map that is decoded entry by entry.
pub trait Map: MapChange {
    /// Removes all entries.
    fn clear(&mut self);
    /// Adds an empty entry, in place of one with the same key, and returns its slot, see
    /// [`Value::slot`].
    fn insert(&mut self, key: String, is_present: bool) -> Slot<'_>;
    /// Whether there are no entries.
    fn is_empty(&self) -> bool;
    /// Calls `visit` for each entry, in the order of the keys.
    fn visit_entries<'a>(&'a self, visit: &mut dyn FnMut(&'a str, View<'a>));
    /// Calls `visit` for each value, in the order of the keys, unless it is absent.
    fn visit_values_mut(&mut self, visit: &mut dyn FnMut(Slot<'_>));
}

/// The target of a value that is about to be decoded.
#[allow(missing_debug_implementations)] // a borrow of unknown values
pub enum Slot<'a> {
    /// For an absent optional value.
    Absent,
    /// For `true` and `false`.
    Bool(&'a mut bool),
    /// For a number that fits 32 bits.
    Int32(&'a mut i32),
    /// For a number that fits 64 bits.
    Int64(&'a mut i64),
    /// For any number.
    Double(&'a mut f64),
    /// For a string.
    String(&'a mut String),
    /// For a string or a number with a meaning.
    Scalar(&'a mut dyn Scalar),
    /// For any JSON, kept as a string. Empty is `null`.
    Raw(&'a mut String),
    /// For a value that serde decodes from any JSON but `null`.
    BySerde(&'a mut dyn BySerde),
    /// For an object with known members.
    Object(&'a mut dyn Object),
    /// For an array.
    List(&'a mut dyn List),
    /// For an object with any members of one type.
    Map(&'a mut dyn Map),
    /// For unknown members of an object.
    Unknown(&'a mut Unknown),
}

impl Slot<'_> {
    /// Resets the value of a slot that was requested for one that is not present: it becomes empty
    /// if it is not optional.
    pub fn clear(self) {
        match self {
            // Reset by the request.
            Slot::Absent | Slot::List(_) => {}
            Slot::Bool(value) => *value = false,
            Slot::Int32(value) => *value = 0,
            Slot::Int64(value) => *value = 0,
            Slot::Double(value) => *value = 0.0,
            Slot::String(value) => value.clear(),
            Slot::Scalar(value) => value.clear(),
            Slot::Raw(value) => *value = String::new(),
            Slot::BySerde(value) => value.clear(),
            Slot::Object(value) => presence::reset(value),
            Slot::Map(value) => value.clear(),
            Slot::Unknown(value) => value.reset(),
        }
    }

    /// Decodes `null` in place of a required value: an object is one without members.
    pub(crate) fn set_null(self) {
        match self {
            Slot::Object(value) => {
                presence::reset(value);
                presence::record_all_absent(value);
            }
            other => other.clear(),
        }
    }
}

/// A value that is about to be encoded.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// An absent optional member: neither key nor value is encoded.
    Absent,
    /// `null` as a value: of a nullable member, of an element, or of an entry.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without fraction.
    Int(i64),
    /// Any number. Encoded without a fraction where it has none, as servers do.
    Double(f64),
    /// A string.
    Str(&'a str),
    /// A string that encodes an empty value, such as `0` for a quantity.
    Zero(&'a str),
    /// A string that is formatted while it is encoded.
    Display(&'a dyn Printed),
    /// JSON, encoded verbatim.
    Raw(&'a str),
    /// A value that serde encodes as JSON.
    BySerde(&'a dyn BySerde),
    /// An object with known members.
    Object(&'a dyn Object),
    /// An array.
    List(&'a dyn List),
    /// An object with any members of one type.
    Map(&'a dyn Map),
    /// Unknown members of an object.
    Unknown(&'a Unknown),
}

impl View<'_> {
    /// Whether there is no value: a member that is not encoded, or a `null` that means the same.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, View::Absent | View::Raw("null"))
    }
}

/// A callback for members: the index in [`Table::keys`], and the value. Unknown members have the
/// index after the last.
///
/// A struct around the function, because it is an argument for each member of each type: to check
/// whether a trait object fits another one takes the compiler longer.
#[allow(missing_debug_implementations)] // a function
pub struct MemberVisitor<'v, 'a>(&'v mut dyn FnMut(usize, View<'a>));

impl<'a> MemberVisitor<'_, 'a> {
    /// Calls the function with this member.
    #[inline]
    pub fn visit(&mut self, index: usize, view: View<'a>) {
        (self.0)(index, view);
    }

    /// Calls the function with a member that is a string. Not inlined, as each type would compile
    /// it.
    ///
    /// For generated code: the compiler would take longer to find out that a `String` is a `str`
    /// there.
    #[inline(never)]
    #[expect(clippy::ptr_arg, reason = "as above")]
    pub fn visit_string(&mut self, index: usize, text: &'a String) {
        self.visit(index, View::Str(text));
    }

    /// Calls the function with a member that is an object. Not inlined, as each type of a member
    /// would compile it.
    #[inline(never)]
    fn visit_object(&mut self, index: usize, object: &'a dyn Object) {
        self.visit(index, View::Object(object));
    }

    /// Calls the function with a member that is a list. Not inlined, as
    /// [`visit_object`](Self::visit_object).
    #[inline(never)]
    pub(super) fn visit_list(&mut self, index: usize, list: &'a dyn List) {
        self.visit(index, View::List(list));
    }

    /// Calls the function with unknown members. Most objects have none.
    #[cold]
    pub(super) fn visit_present_unknown(&mut self, index: usize, members: &'a Unknown) {
        self.visit(index, View::Unknown(members));
    }

    /// Calls the function with the unknown members, if there are any.
    #[inline]
    pub fn visit_unknown(&mut self, index: usize, members: &'a Unknown) {
        members.visit_as_member(index, self);
    }
}

impl dyn Object + '_ {
    /// Calls `visit` for each present member, see [`Object::accept`].
    #[inline]
    pub fn visit_members<'a>(&'a self, visit: &mut dyn FnMut(usize, View<'a>)) {
        self.accept(&mut MemberVisitor(visit));
    }
}

/// No generated struct has an implementation of its own, which every program would check for each
/// of them.
impl<T: Object + Default> Value for T {
    #[inline]
    fn empty() -> Self {
        T::without_members()
    }
    #[inline]
    fn visit_empty(visit: &mut dyn FnMut(Slot<'_>)) {
        T::visit_without_members(visit);
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Object(self.unboxed_mut())
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Object(self.unboxed())
    }
    #[inline]
    fn visit_as_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        visitor.visit_object(index, self.unboxed());
    }
}

/// Delegates to the object in the box. Boxes implement [`Object`] rather than [`Value`], because
/// implementations of [`Value`] for all objects, as above, and for boxes of values would overlap.
impl<T: Object + Default> Object for Box<T> {
    fn table(&self) -> &'static Table {
        (**self).table()
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        (**self).accept(visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        (**self).member_mut(index, is_present)
    }
    #[inline]
    fn without_members() -> Self {
        Box::new(T::without_members())
    }
    #[inline]
    fn visit_without_members(visit: &mut dyn FnMut(Slot<'_>)) {
        T::visit_without_members(visit);
    }
    #[inline]
    fn unboxed(&self) -> &dyn Object {
        &**self
    }
    #[inline]
    fn unboxed_mut(&mut self) -> &mut dyn Object {
        &mut **self
    }
}

/// The target of a value. Its slot is requested after checking whether the value is `null`.
pub(crate) enum Target<'a> {
    Value(&'a mut dyn Value),
    Object(&'a mut dyn Object),
    /// The member with this index.
    Member(&'a mut dyn Object, usize),
    /// A new element after the last one.
    Element(&'a mut dyn List),
    /// The value of this key.
    Entry(&'a mut dyn Map, String),
}

impl<'a> Target<'a> {
    pub(crate) fn slot(self, is_present: bool) -> Slot<'a> {
        match self {
            Target::Value(value) => value.slot(is_present),
            Target::Object(object) => Slot::Object(object),
            Target::Member(object, index) => object.member_mut(index, is_present),
            Target::Element(list) => list.push(is_present),
            Target::Entry(map, key) => map.insert(key, is_present),
        }
    }

    /// Decodes `null`. Returns whether that is a value of a member.
    pub(crate) fn set_null(self) -> bool {
        match self {
            // Its object records that it was absent.
            Target::Member(object, index) => presence::set_null(object, index),
            other => {
                other.slot(false).set_null();
                false
            }
        }
    }
}

/// A type with values that are formatted while they are encoded.
pub trait Formatted: fmt::Display + fmt::Debug + PartialEq + 'static {
    /// Whether this string denotes the value, too.
    fn is_text(&self, _text: &str) -> bool {
        false
    }

    /// The string in this buffer, if it always fits and has only ASCII characters that need no
    /// escape. A formatter costs more than such a string.
    fn short<'a>(&self, _buffer: &'a mut [u8; 32]) -> Option<&'a [u8]> {
        None
    }
}

/// A string that is formatted while it is encoded. `Debug` of an object shows it by its `Debug`.
pub trait Printed: PrintedChange + fmt::Display + fmt::Debug {
    /// Whether this string denotes the value, too.
    fn is_text(&self, text: &str) -> bool;

    /// The string in this buffer, if its type can do that without a formatter.
    fn short<'a>(&self, buffer: &'a mut [u8; 32]) -> Option<&'a [u8]>;
}

impl<T: Formatted> Printed for T {
    fn is_text(&self, text: &str) -> bool {
        Formatted::is_text(self, text)
    }

    fn short<'a>(&self, buffer: &'a mut [u8; 32]) -> Option<&'a [u8]> {
        Formatted::short(self, buffer)
    }
}

/// The JSON type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// Any string.
    String,
    /// A string of this format of OpenAPI.
    Format(&'static str),
    /// A string or a number.
    IntOrString,
    /// A string or a number of 32 bits.
    Int32OrString,
}
