//! Patches that compare: between two objects, and of managers.

use super::Patch;
use crate::change::ChangeError;
use crate::change::compare::json_between::{self, JsonBetween};
use crate::change::compare::{tree_between, upgrade};
use crate::codec::{Value, View, change::schema::Schema};
use crate::kind::AnyResource;
use crate::patch_type::PatchType;

/// Patches that compare objects, with the feature `change`.
impl Patch {
    /// The operations that turn one object into another.
    ///
    /// The patch is for the version of the old object: if it is no longer the server's, the
    /// response is 409. Without a version, an operation within an element of a list follows tests
    /// that the element is still the same one, and the response is 422 if it is not. Members that
    /// the type does not have a field for are left unchanged. Free JSON is compared part by part.
    #[doc(alias = "diff")]
    #[must_use]
    #[inline]
    pub fn json_between<T: Value>(old: &T, new: &T) -> Self {
        if let Err(fault) = check([old.view(), new.view()]) {
            return Self::new(PatchType::Json, Err(fault));
        }
        let JsonBetween { body, unversioned } = json_between::between(old.view(), new.view());
        let mut patch = Self::new(PatchType::Json, Ok(body));
        patch.unversioned = unversioned;
        patch
    }

    /// A patch of [`json_between`](Self::json_between) for whichever version the server has.
    /// Operations within an element of a list follow tests that the element is still the same one,
    /// as for objects without a version. All other patches stay as they are.
    ///
    /// ```
    /// use kapigen_runtime::Patch;
    /// use kapigen_runtime::meta_v1::{ObjectMeta, PartialObjectMetadata};
    ///
    /// let metadata = ObjectMeta { resource_version: Some("7".to_owned()), ..Default::default() };
    /// let old = PartialObjectMetadata { metadata, ..Default::default() };
    /// let mut new = old.clone();
    /// new.metadata.generate_name = Some("web-".to_owned());
    /// let patch = Patch::json_between(&old, &new).without_version();
    /// assert_eq!(patch.body(), br#"[{"op":"add","path":"/metadata/generateName","value":"web-"}]"#);
    /// ```
    #[must_use]
    #[inline]
    pub fn without_version(mut self) -> Self {
        if let Some(unversioned) = self.unversioned.take() {
            self.body = unversioned.apply_to(&self.body);
        }
        self
    }

    /// The merge patch that turns one object into another.
    ///
    /// Lists are replaced as a whole; where one is, the patch is for the version of the old object.
    ///
    /// # Errors
    /// When the new object has a `null` in free JSON that a merge patch cannot set, or is not an
    /// object.
    #[inline]
    pub fn merge_between<T: Value>(old: &T, new: &T) -> Result<Self, ChangeError> {
        check([old.view(), new.view()])?;
        let change = tree_between::merge_between(old.view(), new.view(), &Schema::of::<T>())?;
        Ok(Self::new(PatchType::Merge, Ok(change)))
    }

    /// The strategic merge patch that turns one object into another. It needs no version: elements
    /// of lists are found by their merge keys.
    ///
    /// # Errors
    /// When elements of a list have the same merge key, such as ports that differ in their
    /// protocols only, or none. When free JSON has a `null` that such a patch cannot set.
    #[inline]
    pub fn strategic_between<T: Value>(old: &T, new: &T) -> Result<Self, ChangeError> {
        check([old.view(), new.view()])?;
        let change = tree_between::strategic_between(old.view(), new.view(), &Schema::of::<T>())?;
        Ok(Self::new(PatchType::Strategic, Ok(change)))
    }

    /// Makes a manager that applies the owner of fields that others own by updates, so that later
    /// applies can remove them. `None` if there is nothing to move.
    ///
    /// A program that has created or updated objects, or `kubectl apply` without `--server-side`,
    /// owns their fields as a manager that updates. It stays an owner when it begins to apply, so
    /// that fields which a later apply leaves out are never removed. Send this patch before the
    /// first apply, for each object, with the names that were used until now. The subresource is
    /// the one through which they wrote, such as `status`, or nothing.
    ///
    /// Fields that were updated in another API version than the new owner's are given up, as
    /// client-go does. The patch is for the version of the object: if the server has another one by
    /// then, the response is 409.
    ///
    /// ```
    /// use kapigen_runtime::change::ChangeError;
    /// use kapigen_runtime::{AnyResource, Patch};
    ///
    /// /// The patch before the first apply of a program that has updated objects before.
    /// fn upgrade<T: AnyResource>(live: &T) -> Result<Option<Patch>, ChangeError> {
    ///     Patch::upgrade_managers(live, &["my-controller", "kubectl-client-side-apply"], "my-controller", "")
    /// }
    /// ```
    ///
    /// # Errors
    /// When the fields of a manager are not in the format `FieldsV1`, or the object has no resource
    /// version.
    #[inline]
    pub fn upgrade_managers<T: AnyResource>(
        live: &T,
        from: &[&str],
        to: &str,
        subresource: &str,
    ) -> Result<Option<Self>, ChangeError> {
        ChangeError::check_whole(live.unboxed())?;
        let operations = upgrade::operations(live.metadata(), from, to, subresource)?;
        Ok(if operations.is_empty() { None } else { Some(Self::json(&operations)) })
    }
}

/// Refuses values with objects that a mask left members out of, or that cannot be encoded.
fn check(views: [View<'_>; 2]) -> Result<(), ChangeError> {
    views.iter().try_for_each(ChangeError::check_value)
}
