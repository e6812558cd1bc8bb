//! Encoding of an object whose metadata is elsewhere.

use kapigen_runtime::__private::{self as codec, MemberVisitor, Object, Slot, Table, View};
use kapigen_runtime::Resource;
use kapigen_runtime::meta_v1::ObjectMeta;
use serde::Serializer;

// As in generated code.
const _: () = codec::CODEGEN_1;

/// Serializes an object with this metadata in the place of its own. Like the types of k8s-openapi, it states `apiVersion`
/// and `kind`, which servers leave out inside of lists.
pub(crate) fn serialize<T: Resource, S: Serializer>(
    object: &T,
    metadata: &ObjectMeta,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let identity = [("apiVersion", T::API_VERSION), ("kind", T::KIND)];
    codec::serialize(&Encoded { object, metadata, identity }, serializer)
}

/// An object, its metadata, and the members that it has in any case. It is only encoded.
struct Encoded<'o> {
    object: &'o dyn Object,
    metadata: &'o ObjectMeta,
    identity: [(&'static str, &'static str); 2],
}

impl Encoded<'_> {
    /// The members of the identity that the object does not state, with their indices.
    fn missing(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let names = self.object.table().keys.names();
        let members = self.identity.into_iter();
        let members = members.filter_map(|(name, value)| Some((names.iter().position(|own| *own == name)?, value)));
        members.filter(|(index, _)| !self.states(*index))
    }

    fn states(&self, member: usize) -> bool {
        let mut is_stated = false;
        self.object.visit_members(&mut |index, view| is_stated |= index == member && !is_empty(&view));
        is_stated
    }
}

impl Object for Encoded<'_> {
    fn table(&self) -> &'static Table {
        self.object.table()
    }

    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.missing().for_each(|(index, value)| visitor.visit(index, View::Str(value)));
        let names = self.table().keys.names();
        self.object.visit_members(&mut |index, view| match names.get(index) {
            Some(&"metadata") => visitor.visit(index, View::Object(self.metadata)),
            Some(&("apiVersion" | "kind")) if is_empty(&view) => {}
            _ => visitor.visit(index, view),
        });
    }

    fn member_mut(&mut self, _: usize, _: bool) -> Slot<'_> {
        Slot::Absent
    }
}

fn is_empty(view: &View<'_>) -> bool {
    matches!(view, View::Str(""))
}
