//! Paths of fields, as servers write them and as JSON pointers.

use kapigen_definitions::Path;

#[test]
fn members_have_dots_and_entries_have_brackets() {
    let spec = Path::ROOT.member("spec");
    let list = spec.member("containers");
    let element = list.index(2);
    assert_eq!(element.member("image").to_string(), "spec.containers[2].image");
    assert_eq!(spec.key("a.b").to_string(), "spec[a.b]");
    assert_eq!(spec.key("a/b~c").pointer(), "/spec/a~1b~0c");
    assert_eq!((Path::ROOT.to_string(), Path::ROOT.pointer()), (String::new(), String::new()));
    assert_eq!(Path::Start("spec.version", "/spec/versions/0/name").to_string(), "spec.version");
}
