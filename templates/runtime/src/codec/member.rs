//! Access of generated code to the members of a struct, compiled once for each type that a member
//! has.
//!
//! The access to a value needs the code to drop it: a slot may reset the value, and a trait object
//! names its destructor. The compiler puts the code to drop a type, and all types inside of it,
//! into each codegen unit that needs it, which was half of what it translated for a generated
//! crate. So no generated function has such access of its own. All of it is in the methods of one
//! trait, which are not inlined, and which are in the codegen unit that drops lists anyway: the
//! compiler places a method by the type that implements its trait, here `Vec`.

use super::value::{MemberVisitor, Object, Slot, Value};

/// Access to a member of type `T`.
trait Member<T> {
    fn slot(member: &mut T, is_present: bool) -> Slot<'_>;
    fn visit<'a>(member: &'a T, index: usize, visitor: &mut MemberVisitor<'_, 'a>);
}

impl<T: Value> Member<T> for Vec<T> {
    #[inline(never)]
    fn slot(member: &mut T, is_present: bool) -> Slot<'_> {
        member.slot(is_present)
    }

    #[inline(never)]
    fn visit<'a>(member: &'a T, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        member.visit_as_member(index, visitor);
    }
}

/// Access to members by methods: the compiler checks calls of methods faster than calls of generic
/// functions.
pub trait MemberAccess {
    /// The slot of a member, see [`Value::slot`].
    fn member_slot(&mut self, is_present: bool) -> Slot<'_>;
    /// Calls `visitor` with a member unless it is absent, see [`Value::visit_as_member`].
    fn visit_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>);
}

impl<T: Value> MemberAccess for T {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "replaces the call of another function")]
    fn member_slot(&mut self, is_present: bool) -> Slot<'_> {
        <Vec<T> as Member<T>>::slot(self, is_present)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "replaces the call of another function")]
    fn visit_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        <Vec<T> as Member<T>>::visit(self, index, visitor);
    }
}

/// A kind as a trait object. Programs make trait objects of kinds, and seldom of other types; if
/// the methods of [`Object`] that make them were inlined, each codegen unit of a program that does
/// would have the code to drop the kind.
pub trait KindObject<T> {
    /// See [`Object::unboxed`].
    fn unboxed(kind: &T) -> &dyn Object;
    /// See [`Object::unboxed_mut`].
    fn unboxed_mut(kind: &mut T) -> &mut dyn Object;
    /// See [`Object::visit_without_members`].
    fn visit_without_members(visit: &mut dyn FnMut(Slot<'_>));
}

impl<T: Object + Default> KindObject<T> for Vec<T> {
    #[inline(never)]
    fn unboxed(kind: &T) -> &dyn Object {
        kind
    }

    #[inline(never)]
    fn unboxed_mut(kind: &mut T) -> &mut dyn Object {
        kind
    }

    #[inline(never)]
    fn visit_without_members(visit: &mut dyn FnMut(Slot<'_>)) {
        visit(Slot::Object(&mut T::without_members()));
    }
}
