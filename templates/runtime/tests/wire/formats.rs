//! Formats of serde other than JSON, and the deserializers of serde itself.

use openshift_api::codec::serde::deserialize_strict;
use openshift_api::core_v1::{Container, Pod, PodList, PodSpec};
use openshift_api::meta_v1::{ListMeta, ObjectMeta, RawJson};
use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use std::io;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    image: String,
    #[serde(flatten)]
    list: ListMeta,
    #[serde(flatten)]
    object: ObjectMeta,
}

#[test]
fn objects_can_be_flattened() {
    let tree = json!({"image": "a", "remainingItemCount": 1, "name": "b", "labels": {"c": "d"}});
    let flat: Flat = serde_json::from_value(tree.clone()).unwrap();
    assert_eq!((flat.list.remaining_item_count, flat.object.name.as_deref()), (Some(1), Some("b")));
    assert_eq!(serde_json::to_value(&flat).unwrap(), tree);
    assert_eq!(serde_json::from_str::<Flat>(&tree.to_string()).unwrap(), flat);
    assert_eq!(serde_yaml::from_str::<Flat>(&serde_yaml::to_string(&flat).unwrap()).unwrap(), flat);
    let error =
        serde_json::from_value::<Flat>(json!({"image": "a", "labels": {"c": 1}})).unwrap_err();
    assert_eq!(error.to_string(), "labels.c: invalid type: integer `1`, expected a string");
}

/// serde passes only the members that a flattened type has.
#[test]
fn a_flattened_object_gets_no_unknown_members() {
    let tree = json!({"image": "a", "name": "b", "new": 1});
    let flat: Flat = serde_json::from_value(tree).unwrap();
    assert!(flat.object.unknown_.is_empty() && flat.list.unknown_.is_empty());
    assert_eq!(serde_json::to_value(&flat).unwrap(), json!({"image": "a", "name": "b"}));
}

/// A container, or just its image.
struct Image(Container);

impl<'de> Deserialize<'de> for Image {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ImageVisitor;
        impl<'de> Visitor<'de> for ImageVisitor {
            type Value = Container;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a container or an image")
            }
            fn visit_str<E>(self, image: &str) -> Result<Container, E> {
                Ok(Container { image: Some(image.to_owned()), ..Container::default() })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Container, A::Error> {
                Container::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(ImageVisitor).map(Image)
    }
}

#[test]
fn objects_are_deserialized_from_the_map_of_another_visitor() {
    let text = r#"["a", {"image": "a", "ports": [{"containerPort": 80}, null], "env": null, "new": [1.10]}]"#;
    let images: Vec<Image> = serde_json::from_str(text).unwrap();
    assert_eq!(images[0].0.image, images[1].0.image);
    assert_eq!(images[1].0.ports.as_ref().map(Vec::len), Some(2));
    assert_eq!(images[1].0.unknown_.get("new").as_ref().map(RawJson::as_str), Some("[1.10]"));
    let error =
        serde_json::from_str::<Image>(r#"{"ports":[{"containerPort":true}]}"#).err().unwrap();
    assert!(
        error.to_string().starts_with("ports[0].containerPort: invalid type: boolean `true`"),
        "{error}"
    );
}

#[test]
fn objects_are_deserialized_from_deserializers_that_ignore_options() {
    let pairs = [
        ("name", "a"),
        ("namespace", "b"),
        ("creationTimestamp", "2024-05-01T12:00:00Z"),
        ("new", "c"),
    ];
    let metadata =
        ObjectMeta::deserialize(MapDeserializer::<_, Error>::new(pairs.into_iter())).unwrap();
    assert_eq!((metadata.name.as_deref(), metadata.namespace.as_deref()), (Some("a"), Some("b")));
    assert_eq!(metadata.creation_timestamp, Some("2024-05-01T12:00:00Z".parse().unwrap()));
    let numbers = [("remainingItemCount", 7_u8)];
    let list =
        ListMeta::deserialize(MapDeserializer::<_, Error>::new(numbers.into_iter())).unwrap();
    assert_eq!(list.remaining_item_count, Some(7));
    let lists = [("finalizers", vec!["a", "b"])];
    let metadata =
        ObjectMeta::deserialize(MapDeserializer::<_, Error>::new(lists.into_iter())).unwrap();
    assert_eq!(metadata.finalizers, Some(vec!["a".to_owned(), "b".to_owned()]));
    let (flags, _) =
        deserialize_strict::<Vec<bool>, _>(SeqDeserializer::<_, Error>::new([true].into_iter()))
            .unwrap();
    assert_eq!(flags, [true]);
    let text: <&str as IntoDeserializer<Error>>::Deserializer = "a".into_deserializer();
    let error = Pod::deserialize(text).unwrap_err();
    assert_eq!(error.to_string(), "invalid type: string \"a\", expected an object (Pod)");
}

#[test]
fn keys_may_be_bytes() {
    let pairs = [(b"name".as_slice(), "a"), (b"\xff", "b")].map(|(key, value)| (Bytes(key), value));
    let read = |count| {
        ObjectMeta::deserialize(MapDeserializer::<_, Error>::new(pairs.into_iter().take(count)))
    };
    assert_eq!(read(1).unwrap().name.as_deref(), Some("a"));
    assert_eq!(read(2).unwrap_err().to_string(), "invalid value: byte array, expected a string");
}

/// Bytes as their own deserializer.
#[derive(Clone, Copy)]
struct Bytes(&'static [u8]);

impl IntoDeserializer<'_, Error> for Bytes {
    type Deserializer = serde::de::value::BytesDeserializer<'static, Error>;

    fn into_deserializer(self) -> Self::Deserializer {
        self.0.into_deserializer()
    }
}

#[test]
fn keys_of_maps_are_strings_as_far_as_the_format_says() {
    let metadata: ObjectMeta = serde_yaml::from_str("labels: {1: a, true: b, ~: c}").unwrap();
    let keys: Vec<_> = metadata.labels.unwrap().into_keys().collect();
    assert_eq!(keys, ["1", "true", "~"]);
    let tree: serde_yaml::Value = serde_yaml::from_str("labels: {1: a}").unwrap();
    let error = serde_yaml::from_value::<ObjectMeta>(tree).unwrap_err().to_string();
    assert_eq!(error, "labels: invalid type: integer `1`, expected a string");
}

#[test]
fn numbers_that_json_cannot_spell_are_refused() {
    for yaml in ["[.inf]", "[-.inf]", "[.nan]"] {
        let error = deserialize_strict::<Vec<f64>, _>(serde_yaml::Deserializer::from_str(yaml))
            .unwrap_err();
        assert!(error.to_string().starts_with(".[0]: invalid value: floating point `"), "{error}");
    }
}

/// Keeps the length of the longest chunk.
#[derive(Default)]
struct Longest(usize);

impl io::Write for Longest {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        self.0 = self.0.max(chunk.len());
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn lists_are_encoded_one_element_at_a_time() {
    let container = Container { image: Some("a".repeat(100)), ..Container::default() };
    let spec = PodSpec { containers: vec![container; 10], ..PodSpec::default() };
    let pods = PodList {
        items: vec![Pod { spec: Some(spec.into()), ..Pod::default() }; 100],
        ..PodList::default()
    };
    let one = serde_json::to_string(&pods.items[0]).unwrap().len();
    let mut longest = Longest::default();
    serde_json::to_writer(&mut longest, &pods).unwrap();
    assert_eq!(longest.0, one);
    let pretty = serde_json::to_string_pretty(&pods).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&pretty).unwrap(),
        serde_json::to_value(&pods).unwrap()
    );
    assert!(pretty.contains("\n        \"containers\": [\n          {\n"), "{}", &pretty[..500]);
}
