//! Kinds that are defined in Rust: a macro makes them from serde structs for spec and status.

/// Defines the kind of a custom resource, from structs for its spec and status that implement
/// serde's traits.
///
/// The kind and its list work like the kinds of a generated crate: with [`verbs`](crate::verbs),
/// informers, stores, [`Patch`](crate::Patch), owners and everything else that takes a
/// [`Kind`](crate::Kind). The struct also gets `api_version`, `kind`, `metadata`, and `unknown_`,
/// which keeps other members.
///
/// ```
/// use kapigen_runtime::meta_v1::ObjectMeta;
/// use kapigen_runtime::params::CreateParams;
/// use kapigen_runtime::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// kapigen_runtime::custom_resource! {
///     /// A workshop.
///     #[resource(group = "example.com", version = "v1", plural = "workshops", scope = Namespaced, list = WorkshopList)]
///     pub struct Workshop {
///         /// Its state as desired.
///         pub spec: WorkshopSpec,
///         /// Its state as observed.
///         pub status: Option<WorkshopStatus>,
///     }
/// }
///
/// /// The desired state of a workshop.
/// #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
/// pub struct WorkshopSpec {
///     pub seats: u32,
/// }
///
/// /// The observed state of a workshop.
/// #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
/// pub struct WorkshopStatus {
///     pub is_open: bool,
/// }
///
/// let workshop = Workshop {
///     metadata: ObjectMeta { name: Some("rust".to_owned()), ..Default::default() },
///     spec: WorkshopSpec { seats: 12 },
///     ..Default::default()
/// };
/// let request = Workshop::create("default", &workshop, &CreateParams::default())?;
/// assert_eq!(request.to_http().uri().path(), "/apis/example.com/v1/namespaces/default/workshops");
/// # Ok::<(), kapigen_runtime::Error>(())
/// ```
///
/// - The attribute has these keys, in this order. `scope` is `Namespaced` or `Cluster`, as in a
///   definition, and `list` is the name of the type of the list. The kind is the name of the struct.
/// - `spec` is required, or an `Option`. A type without `Default` needs the `Option`, since the
///   kind implements `Default`, and objects may be decoded without a spec.
///   [`Patch::apply`](crate::Patch::apply) leaves out a required spec that equals its default,
///   unless you [`keep`](crate::Patch::keep) it.
/// - `status` is an `Option`. Without it, the kind has no subresource `status`.
/// - With `scale = Scale` after `list`, the kind has the functions of
///   [`HasScale`](crate::verbs::HasScale), for a definition with that subresource. The type is the one
///   of a generated crate with `autoscaling/v1`.
/// - Both types need serde's traits, `Clone`, `Debug` and `PartialEq`. Within them, serde decides
///   whether unknown members are errors or dropped, and whether `None` is `null` or left out.
///   `#[serde(skip_serializing_if = "Option::is_none")]` leaves it out, which an apply and a merge
///   patch need in order to remove a member.
/// - A [mask](crate::mask) has all of `spec` or `status`, or nothing of it.
///
/// The macro does not make the definition (CRD): kube's derive macro does, from the same types.
#[macro_export]
macro_rules! custom_resource {
    (@item [$($attribute:tt)*]
        #[resource($($arguments:tt)*)] $(#[$more:meta])*
        $vis:vis struct $name:ident { $($members:tt)* }
    ) => {
        $crate::custom_resource!(
            @arguments [$($attribute)* $(#[$more])*] $vis $name [$($arguments)*] { $($members)* }
        );
    };
    (@item [$($attribute:tt)*] #[$other:meta] $($rest:tt)*) => {
        $crate::custom_resource!(@item [$($attribute)* #[$other]] $($rest)*);
    };
    (@item $($rest:tt)*) => {
        ::core::compile_error!(
            "`custom_resource!` takes a struct with the attribute `resource`: `#[resource(group = \"example.com\", \
             version = \"v1\", plural = \"workshops\", scope = Namespaced, list = WorkshopList)] pub struct Workshop { \
             pub spec: WorkshopSpec, pub status: Option<WorkshopStatus> }`"
        );
    };
    (@arguments $attributes:tt $vis:vis $name:ident
        [group = $group:literal, version = $version:literal, plural = $plural:literal, scope = $scope:ident,
            list = $list:ident $(, scale = $scale:ty)? $(,)?]
        $members:tt
    ) => {
        $($crate::custom_resource!(@scale $scope $scale, $name ($group $version $plural));)?
        $crate::custom_resource!(@members $attributes $vis $name $list $scope ($group $version $plural) $members);
    };
    (@arguments $attributes:tt $vis:vis $name:ident $arguments:tt $members:tt) => {
        ::core::compile_error!(
            "`#[resource(…)]` has these keys, in this order: `group = \"example.com\", version = \"v1\", \
             plural = \"workshops\", scope = Namespaced, list = WorkshopList`"
        );
    };
    (@members $attributes:tt $vis:vis $name:ident $list:ident $scope:ident $names:tt {
        $(#[$spec_attribute:meta])* $spec_vis:vis spec: Option<$spec:ty>
        $(, $(#[$status_attribute:meta])* $status_vis:vis status: Option<$status:ty>)? $(,)?
    }) => {
        $crate::custom_resource!(@resource $attributes $vis $name $list $scope $names " spec"
            { 3 $(#[$spec_attribute])* $spec_vis spec (serde_slot, visit_optional_serde) Option<$spec> }
            $({ 4 $(#[$status_attribute])* $status_vis status (serde_slot, visit_optional_serde) Option<$status> })?
        );
    };
    (@members $attributes:tt $vis:vis $name:ident $list:ident $scope:ident $names:tt {
        $(#[$spec_attribute:meta])* $spec_vis:vis spec: $spec:ty
        $(, $(#[$status_attribute:meta])* $status_vis:vis status: Option<$status:ty>)? $(,)?
    }) => {
        $crate::custom_resource!(@resource $attributes $vis $name $list $scope $names " spec!"
            { 3 $(#[$spec_attribute])* $spec_vis spec (serde_slot, visit_serde) $spec }
            $({ 4 $(#[$status_attribute])* $status_vis status (serde_slot, visit_optional_serde) Option<$status> })?
        );
    };
    (@members $attributes:tt $vis:vis $name:ident $list:ident $scope:ident $names:tt $members:tt) => {
        ::core::compile_error!(
            "a custom resource has `spec: WorkshopSpec`, and after it `status: Option<WorkshopStatus>` or nothing; all \
             else is part of these"
        );
    };
    (@resource $attributes:tt $vis:vis $name:ident $list:ident $scope:ident
        ($group:literal $version:literal $plural:literal) $key:literal $spec:tt $($status:tt)?
    ) => {
        const _: () = $crate::__private::check_resource($group, $version, $plural);

        $crate::custom_resource!(@kind $attributes $vis $name ($group $version)
            (stringify!($name)) (concat!("! apiVersion kind metadata!", $key $(, $crate::custom_resource!(@key $status))?))
            {
                0 #[doc = "The group and version of the object. Servers leave them out inside lists."]
                pub api_version (MemberAccess::member_slot, MemberAccess::visit_member) Option<String>
            }
            {
                1 #[doc = "The kind of the object. Servers leave it out inside lists."]
                pub kind (MemberAccess::member_slot, MemberAccess::visit_member) Option<String>
            }
            {
                2 #[doc = "Name, labels, and everything else that all objects have."]
                pub metadata (MemberAccess::member_slot, MemberAccess::visit_member) $crate::meta_v1::ObjectMeta
            }
            $spec $($status)?
        );
        $crate::custom_resource!(
            @kind [#[doc = concat!("A list of objects of the kind [`", stringify!($name), "`].")]] $vis $list ($group $version)
            (concat!(stringify!($name), "List")) ("! apiVersion items! kind metadata!")
            {
                0 #[doc = "The group and version of the list and of its items."]
                pub api_version (MemberAccess::member_slot, MemberAccess::visit_member) Option<String>
            }
            {
                1 #[doc = "The objects."]
                pub items (MemberAccess::member_slot, MemberAccess::visit_member) Vec<$name>
            }
            {
                2 #[doc = "The kind of the list."]
                pub kind (MemberAccess::member_slot, MemberAccess::visit_member) Option<String>
            }
            {
                3 #[doc = "The resource version of the list, and the token of its next page."]
                pub metadata (MemberAccess::member_slot, MemberAccess::visit_member) $crate::meta_v1::ListMeta
            }
        );

        impl $crate::Resource for $name {
            type Scope = $crate::scope::$scope;
            const PLURAL: &'static str = $plural;
        }

        impl $crate::AnyResource for $name {
            fn metadata(&self) -> &$crate::meta_v1::ObjectMeta {
                &self.metadata
            }

            fn metadata_mut(&mut self) -> &mut $crate::meta_v1::ObjectMeta {
                &mut self.metadata
            }
        }

        impl $crate::ResourceList for $list {
            type Item = $name;

            fn metadata(&self) -> &$crate::meta_v1::ListMeta {
                &self.metadata
            }

            fn take_items(&mut self) -> Vec<Self::Item> {
                ::core::mem::take(&mut self.items)
            }
        }

        $crate::custom_resource!(@verbs $scope $name $list ($group $version $plural) [$($status)?]);
    };
    (@key $status:tt) => { " status" };
    (@kind [$($attribute:tt)*] $vis:vis $name:ident ($group:literal $version:literal)
        ($($kind:tt)+) ($($keys:tt)+)
        $({
            $index:literal $(#[$member_attribute:meta])* $member_vis:vis
            $member:ident ($($slot:ident)::+, $($visit:ident)::+) $type:ty
        })+
    ) => {
        $($attribute)*
        #[derive(Clone, PartialEq)]
        $vis struct $name {
            $($(#[$member_attribute])* $member_vis $member: $type,)+
            /// Members that this type has no field for.
            pub unknown_: $crate::Unknown,
        }

        impl $name {
            fn stating(api_version: Option<String>, kind: Option<String>) -> Self {
                let mut object = Self {
                    $($member: ::core::default::Default::default(),)+
                    unknown_: ::core::default::Default::default(),
                };
                object.api_version = api_version;
                object.kind = kind;
                object
            }
        }

        impl $crate::Kind for $name {
            const GROUP: &'static str = $group;
            const VERSION: &'static str = $version;
            const KIND: &'static str = $($kind)+;
            const API_VERSION: &'static str = concat!($group, "/", $version);
        }

        impl $crate::__private::Object for $name {
            fn table(&self) -> &'static $crate::__private::Table {
                static TABLE: $crate::__private::Table = $crate::__private::Table::new(stringify!($name), $($keys)+)
                    .identities(&[$crate::__private::Identity::new(concat!($group, "/", $version), $($kind)+)]);
                &TABLE
            }
            fn member_mut(&mut self, index: usize, is_present: bool) -> $crate::__private::Slot<'_> {
                match index {
                    $($index => $crate::__private::$($slot)::+(&mut self.$member, is_present),)+
                    _ => $crate::__private::Slot::Unknown(&mut self.unknown_),
                }
            }
            fn accept<'a>(&'a self, visitor: &mut $crate::__private::MemberVisitor<'_, 'a>) {
                visitor.visit_unknown([$($index),+].len(), &self.unknown_);
                $($crate::__private::$($visit)::+(&self.$member, $index, visitor);)+
            }
            $crate::__private::kind_methods!();
        }

        $crate::__private::object!($name, kind);
    };
    (@verbs Namespaced $name:ident $list:ident ($group:literal $version:literal $plural:literal) $status:tt) => {
        $crate::custom_resource!(@verbs $name $list ($group $version $plural) $status
            ("/apis/", $group, "/", $version, "/namespaces/{namespace}/", $plural)
            (Some($crate::custom_resource!(@operation list $name ("list" "ForAllNamespaces") ($group $version $plural)
                ("/apis/", $group, "/", $version, "/", $plural) "")))
        );
    };
    (@verbs Cluster $name:ident $list:ident ($group:literal $version:literal $plural:literal) $status:tt) => {
        $crate::custom_resource!(@verbs $name $list ($group $version $plural) $status
            ("/apis/", $group, "/", $version, "/", $plural) (None)
        );
    };
    (@verbs $name:ident $list:ident $names:tt [$($status:tt)?] $path:tt ($($all:tt)+)) => {
        impl $crate::verbs::Listable for $name {
            type List = $list;
            const LIST: &'static $crate::Operation =
                $crate::custom_resource!(@operation list $name ("list" "") $names $path "");
            const LIST_ALL_NAMESPACES: Option<&'static $crate::Operation> = $($all)+;
        }

        impl $crate::verbs::Watchable for $name {}

        impl $crate::verbs::Creatable for $name {
            const CREATE: &'static $crate::Operation =
                $crate::custom_resource!(@operation create $name ("create" "") $names $path "");
        }

        impl $crate::verbs::CollectionDeletable for $name {
            const DELETE_COLLECTION: &'static $crate::Operation = $crate::custom_resource!(
                @operation delete_collection $name ("deleteCollection" "") $names $path ""
            );
        }

        impl $crate::verbs::Gettable for $name {
            const GET: &'static $crate::Operation =
                $crate::custom_resource!(@operation get $name ("get" "") $names $path "/{name}");
        }

        impl $crate::verbs::Replaceable for $name {
            const REPLACE: &'static $crate::Operation =
                $crate::custom_resource!(@operation replace $name ("replace" "") $names $path "/{name}");
        }

        impl $crate::verbs::Patchable for $name {
            const PATCH: &'static $crate::Operation =
                $crate::custom_resource!(@operation patch_custom $name ("patch" "") $names $path "/{name}");
        }

        impl $crate::verbs::Deletable for $name {
            const DELETE: &'static $crate::Operation =
                $crate::custom_resource!(@operation delete $name ("delete" "") $names $path "/{name}");
        }

        $($crate::custom_resource!(@status $status $name $names $path);)?
    };
    (@verbs $($other:tt)+) => {
        ::core::compile_error!("`scope` of `#[resource(…)]` is `Namespaced` or `Cluster`");
    };
    (@status $status:tt $name:ident $names:tt $path:tt) => {
        impl $crate::verbs::HasStatus for $name {
            const GET_STATUS: &'static $crate::Operation =
                $crate::custom_resource!(@operation get $name ("get" "Status") $names $path "/{name}/status" "status");
            const REPLACE_STATUS: &'static $crate::Operation =
                $crate::custom_resource!(@operation replace $name ("replace" "Status") $names $path "/{name}/status" "status");
            const PATCH_STATUS: &'static $crate::Operation =
                $crate::custom_resource!(@operation patch_custom $name ("patch" "Status") $names $path "/{name}/status" "status");
        }
    };
    (@scale Namespaced $scale:ty, $name:ident ($group:literal $version:literal $plural:literal)) => {
        $crate::custom_resource!(@scale $scale, $name ($group $version $plural)
            ("/apis/", $group, "/", $version, "/namespaces/{namespace}/", $plural));
    };
    (@scale Cluster $scale:ty, $name:ident ($group:literal $version:literal $plural:literal)) => {
        $crate::custom_resource!(@scale $scale, $name ($group $version $plural)
            ("/apis/", $group, "/", $version, "/", $plural));
    };
    (@scale $scale:ty, $name:ident $names:tt ($($path:literal),+)) => {
        impl $crate::verbs::HasScale for $name {
            type Scale = $scale;
            const GET_SCALE: &'static $crate::Operation =
                $crate::custom_resource!(@operation get $name ("get" "Scale") $names ($($path),+) "/{name}/scale" "scale" "Scale");
            const REPLACE_SCALE: &'static $crate::Operation =
                $crate::custom_resource!(@operation replace $name ("replace" "Scale") $names ($($path),+) "/{name}/scale" "scale" "Scale");
            const PATCH_SCALE: &'static $crate::Operation =
                $crate::custom_resource!(@operation patch_custom $name ("patch" "Scale") $names ($($path),+) "/{name}/scale" "scale" "Scale");
        }
    };
    (@operation $new:ident $name:ident ($before:literal $after:literal)
        ($group:literal $version:literal $plural:literal) ($($path:literal),+) $suffix:literal $($subresource:literal $($kind:literal)?)?
    ) => {
        &$crate::__private::resource_operations::$new(
            concat!($before, stringify!($name), $after), concat!($($path),+, $suffix),
        )
        .resource($group, $version, $plural)
        .kind(stringify!($name))
        $(.subresource($subresource)$(.kind($kind))?)?
    };
    (@ $($other:tt)*) => {
        ::core::compile_error!("`custom_resource!` of this runtime has no such form");
    };
    ($($item:tt)*) => {
        $crate::custom_resource!(@item [] $($item)*);
    };
}

/// Checks the names of a custom resource, as a part of a constant.
#[doc(hidden)] // for the macro
pub const fn check_resource(group: &str, version: &str, plural: &str) {
    assert!(
        is_name(group, "-.") && has(group, b'.'),
        "`group` of `#[resource(…)]` is a domain with a dot, in lower case, such as `example.com`"
    );
    assert!(
        is_name(version, "") && version.as_bytes()[0] == b'v',
        "`version` of `#[resource(…)]` is one such as `v1` or `v1alpha1`, without the group"
    );
    assert!(
        is_name(plural, "-"),
        "`plural` of `#[resource(…)]` is the name in paths, in lower case, such as `workshops`"
    );
}

/// Whether a name has this byte.
const fn has(name: &str, byte: u8) -> bool {
    let mut rest = name.as_bytes();
    while let [first, others @ ..] = rest {
        if *first == byte {
            return true;
        }
        rest = others;
    }
    false
}

/// Whether a name consists of lower case letters, digits and separators, with a letter or digit at
/// both ends.
const fn is_name(name: &str, separators: &str) -> bool {
    let mut rest = name.as_bytes();
    let mut is_end = true;
    while let [first, others @ ..] = rest {
        let is_plain = first.is_ascii_lowercase() || first.is_ascii_digit();
        is_end |= others.is_empty();
        if !is_plain && (is_end || !has(separators, *first)) {
            return false;
        }
        is_end = false;
        rest = others;
    }
    !name.is_empty()
}

#[cfg(test)]
mod tests {
    use super::{has, is_name};

    #[test]
    fn names_are_those_that_servers_take() {
        for name in ["example.com", "a-b.c0", "v1"] {
            assert!(is_name(name, ".-"), "{name}");
        }
        for name in ["", ".a", "a.", "-a", "A.b", "a_b", "a/b", "é"] {
            assert!(!is_name(name, ".-"), "{name}");
        }
        assert!(!is_name("a.b", "-") && has("a.b", b'.') && !has("ab", b'.'));
    }
}
