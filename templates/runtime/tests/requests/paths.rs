//! Paths of requests: arguments are encoded into their segments, and refused where they would lead
//! to another path.

use super::building::{decoded, reason};
use openshift_api::Error;
use openshift_api::core_v1::pods::{self, ProxyParams};
use openshift_api::image_v1::images;
use openshift_api::params::{DeleteParams, GetParams};
use openshift_api::request::InvalidRequest;
use proptest::prelude::*;

/// Any string, and often one with a meaning in a path.
fn argument() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[./%?#:@ü a-z]{0,4}"]
}

/// Why an argument is refused, if it must be.
fn refused(argument: &str) -> Option<&'static str> {
    match argument {
        "" => Some("it is empty"),
        "." | ".." => Some("it would lead to another path"),
        _ if argument.contains('/') => Some("it has a slash"),
        _ => None,
    }
}

proptest! {
    #[test]
    fn arguments_come_back_from_their_segments(namespace in argument(), name in argument()) {
        let wrong = [("namespace", &namespace), ("name", &name)];
        let wrong = wrong.into_iter().find_map(|(name, value)| Some((name, value, refused(value)?)));
        match (pods::get(&namespace, &name, &GetParams::default()), wrong) {
            (Ok(request), None) => {
                let segments: Vec<&str> = request.uri().path().split('/').collect();
                prop_assert_eq!(segments.len(), 7);
                prop_assert_eq!([&segments[..4], &segments[5..6]].concat(), ["", "api", "v1", "namespaces", "pods"]);
                prop_assert_eq!([decoded(segments[4]), decoded(segments[6])], [namespace, name]);
                prop_assert_eq!(request.uri().query(), None);
            }
            (Err(Error::Invalid(InvalidRequest::Argument { name, value, why, .. })), Some(expected)) => {
                prop_assert_eq!((name, &value, why), expected);
            }
            (result, expected) => prop_assert!(false, "{result:?}, not {expected:?}"),
        }
    }

    #[test]
    fn a_proxied_path_keeps_its_segments(path in prop_oneof![argument(), "[./a%]{0,6}"]) {
        let result = pods::get_proxy_path("default", "web:80", &path, &ProxyParams::default());
        let wanted: Vec<&str> = path.strip_prefix('/').unwrap_or(&path).split('/').collect();
        if wanted.iter().any(|segment| [".", ".."].contains(segment)) {
            let reason = reason(result);
            prop_assert!(reason.ends_with("cannot be the path in a path: it would lead to another path"), "{}", reason);
        } else {
            let request = result.expect("its segments are names");
            let rest = request.uri().path().strip_prefix("/api/v1/namespaces/default/pods/web:80/proxy/");
            let segments: Vec<String> = rest.expect("it is below").split('/').map(decoded).collect();
            prop_assert_eq!(segments, wanted);
        }
    }
}

#[test]
fn arguments_that_leave_their_segment_are_refused_with_a_reason() {
    let get = |namespace, name| reason(pods::get(namespace, name, &GetParams::default()));
    assert_eq!(
        get("default", ""),
        "the request cannot be made: `` cannot be the name in a path: it is empty"
    );
    assert_eq!(
        get("..", "web"),
        "the request cannot be made: `..` cannot be the namespace in a path: it would lead to \
         another path"
    );
    assert_eq!(
        get("default", "a/b"),
        "the request cannot be made: `a/b` cannot be the name in a path: it has a slash"
    );
    let delete = reason(pods::delete("default", "", &DeleteParams::default()));
    assert_eq!(delete, "the request cannot be made: `` cannot be the name in a path: it is empty");
}

#[test]
fn colons_and_at_signs_are_not_encoded() {
    let request = images::get("sha256:0f@a+b", &GetParams::default()).unwrap();
    assert_eq!(request.uri(), "/apis/image.openshift.io/v1/images/sha256:0f@a+b");
}
