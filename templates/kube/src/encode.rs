//! Encoding of an object with separate metadata.

use kapigen_runtime::__private::{
    self as codec, Identified, MemberVisitor, Object, Slot, Table, View,
};
use kapigen_runtime::mask::is_masked;
use kapigen_runtime::meta_v1::ObjectMeta;
use kapigen_runtime::request::InvalidRequest;
use serde::Serializer;
use serde::ser::Error as _;

// As in generated code.
codec::generated!(1);

/// Serializes an object with this metadata in place of its own. As with the types of k8s-openapi,
/// an object of a type with this group and version states `apiVersion` and `kind`, which servers
/// leave out inside of lists.
///
/// # Errors
/// When the object states another `apiVersion` or `kind` than its type has, when a mask left
/// members out of it, or when the serializer returns an error.
pub(crate) fn serialize<T: Object, S: Serializer>(
    object: &T,
    metadata: &ObjectMeta,
    [group, version]: [&str; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if is_masked(object) {
        return Err(S::Error::custom(InvalidRequest::Masked { name: object.table().name }));
    }
    let encoded = Encoded { object, metadata };
    let identified = Identified::new(&encoded, group, version).map_err(S::Error::custom)?;
    codec::serialize(&identified, serializer)
}

/// An object and its metadata. It is only encoded.
struct Encoded<'o> {
    object: &'o dyn Object,
    metadata: &'o ObjectMeta,
}

impl Object for Encoded<'_> {
    fn table(&self) -> &'static Table {
        self.object.table()
    }

    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        let names = self.table().keys.names();
        self.object.visit_members(&mut |index, view| match names.get(index) {
            Some(&"metadata") => visitor.visit(index, View::Object(self.metadata)),
            _ => visitor.visit(index, view),
        });
    }

    fn member_mut(&mut self, _: usize, _: bool) -> Slot<'_> {
        Slot::Absent
    }
}
