//! Requests and responses of conversion.

use super::review::{check_version, decode};
use super::{ConversionRequest, ConversionResponse, ConversionReview, ReviewError};
use crate::codec::json;
use crate::codec::path::{KEY, shortened};
use crate::meta_v1::{RawExtension, RawJson, Status};
use std::collections::BTreeMap;
use std::fmt;

impl ConversionRequest {
    /// Decodes the request body of a webhook: a `ConversionReview` of `apiextensions.k8s.io/v1`.
    ///
    /// # Errors
    /// When it is no such review, or has no request, `uid` or version to convert to.
    pub fn decode(body: &[u8]) -> Result<Self, ReviewError> {
        let ConversionReview { api_version, kind, request, .. } = decode(body)?;
        check_version::<ConversionReview>(api_version.as_deref(), kind.as_deref())?;
        let request = request.ok_or(ReviewError::Missing { path: "request" })?;
        if request.uid.is_empty() {
            return Err(ReviewError::Missing { path: "request.uid" });
        }
        if request.desired_api_version.is_empty() {
            return Err(ReviewError::Missing { path: "request.desiredAPIVersion" });
        }
        Ok(*request)
    }

    /// Converts all objects, or none. `convert` takes the `apiVersion` of an object and the object,
    /// and returns it in the [`desired_api_version`](Self::desired_api_version). Objects that have
    /// it already stay as they are.
    ///
    /// The response is a failure with the message of the first error, or if a converted object is
    /// not of the desired version, or of another kind, name, namespace or UID. Other metadata than
    /// labels and annotations is restored by the server.
    ///
    /// ```
    /// use kapigen_runtime::admission::{ConversionRequest, ReviewError};
    /// use kapigen_runtime::meta_v1::RawJson;
    /// # use kapigen_runtime::serde_json::json;
    ///
    /// /// Version `v2` has `spec.size` in place of `spec.replicas`.
    /// fn review(body: &[u8]) -> Result<Vec<u8>, ReviewError> {
    ///     let request = ConversionRequest::decode(body)?;
    ///     let response = request.convert(|version, object| {
    ///         let mut object = object.to_value().map_err(|error| error.to_string())?;
    ///         let [old, new] = match (version, request.desired_api_version.as_str()) {
    ///             ("example.com/v1", "example.com/v2") => ["replicas", "size"],
    ///             ("example.com/v2", "example.com/v1") => ["size", "replicas"],
    ///             _ => return Err("an unknown version".to_owned()),
    ///         };
    ///         object["spec"][new] = object["spec"][old].take();
    ///         object["spec"].as_object_mut().map(|spec| spec.remove(old));
    ///         object["apiVersion"] = request.desired_api_version.as_str().into();
    ///         Ok(RawJson::from_value(&object))
    ///     });
    ///     Ok(response.encode())
    /// }
    ///
    /// let body = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": {
    ///     "uid": "705ab4f5", "desiredAPIVersion": "example.com/v2",
    ///     "objects": [{"apiVersion": "example.com/v1", "kind": "Boat", "spec": {"replicas": 3}}],
    /// }});
    /// let response = String::from_utf8(review(body.to_string().as_bytes())?)?;
    /// assert!(response.contains(r#""spec":{"size":3}"#) && response.contains("Success"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn convert<E: fmt::Display>(
        &self,
        mut convert: impl FnMut(&str, &RawExtension) -> Result<RawExtension, E>,
    ) -> ConversionResponse {
        let mut converted = Vec::with_capacity(self.objects.len());
        for (index, object) in self.objects.iter().enumerate() {
            let head = Head::parse(object);
            let result = if head.api_version == self.desired_api_version {
                Ok(object.clone())
            } else {
                let result = convert(&head.api_version, object).map_err(|error| error.to_string());
                result.and_then(|new| {
                    head.check(&Head::parse(&new), &self.desired_api_version).map(|()| new)
                })
            };
            match result {
                Ok(object) => converted.push(object),
                Err(message) => return self.fail(format!("objects[{index}]: {head}: {message}")),
            }
        }
        let result = Status { status: Some("Success".to_owned()), ..Status::default() };
        self.respond(converted, result)
    }

    /// Converts nothing. Clients see the message.
    #[must_use]
    pub fn fail(&self, message: impl Into<String>) -> ConversionResponse {
        let status = Some("Failure".to_owned());
        self.respond(
            Vec::new(),
            Status { status, message: Some(message.into()), ..Status::default() },
        )
    }

    fn respond(&self, converted_objects: Vec<RawExtension>, result: Status) -> ConversionResponse {
        ConversionResponse {
            uid: self.uid.clone(),
            converted_objects,
            result,
            ..ConversionResponse::default()
        }
    }
}

impl ConversionResponse {
    /// The response body of the webhook: a `ConversionReview` with this response. Its content type
    /// is `application/json`, and the status code 200 for a failure, too.
    #[must_use]
    pub fn encode(self) -> Vec<u8> {
        json::to_vec(&ConversionReview {
            response: Some(Box::new(self)),
            ..ConversionReview::default()
        })
    }
}

/// The members that identify an object. Empty if they are absent.
#[derive(Default)]
struct Head {
    api_version: String,
    /// The kind, name, namespace and UID, each with its path.
    identity: [(&'static str, String); 4],
}

impl Head {
    fn parse(object: &RawJson) -> Self {
        let object = members(object);
        let metadata = object.get("metadata").map(members).unwrap_or_default();
        let text = |value: Option<&RawJson>| {
            value.and_then(|value| value.decode().ok()).unwrap_or_default()
        };
        let identity = [
            ("kind", text(object.get("kind"))),
            ("metadata.name", text(metadata.get("name"))),
            ("metadata.namespace", text(metadata.get("namespace"))),
            ("metadata.uid", text(metadata.get("uid"))),
        ];
        Self { api_version: text(object.get("apiVersion")), identity }
    }

    /// Checks that this is a conversion.
    fn check(&self, new: &Head, desired: &str) -> Result<(), String> {
        let version = [("apiVersion", desired, &*new.api_version)];
        let pairs = self.identity.iter().zip(&new.identity);
        let others = pairs.map(|((path, old), (_, new))| (*path, old.as_str(), new.as_str()));
        match version.into_iter().chain(others).find(|(_, expected, found)| expected != found) {
            None => Ok(()),
            Some((path, expected, found)) => {
                let found = shortened(found, KEY);
                Err(format!("the converted object has the {path} `{found}`, expected `{expected}`"))
            }
        }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(_, kind), (_, name), (_, namespace), _] = &self.identity;
        let [kind, name, namespace] = [kind, name, namespace].map(|text| shortened(text, KEY));
        let slash = if namespace.is_empty() { "" } else { "/" };
        write!(f, "{kind} `{namespace}{slash}{name}`")
    }
}

/// The members of an object, none for other JSON.
fn members(json: &RawJson) -> BTreeMap<String, RawJson> {
    json::from_str(json.as_str()).unwrap_or_default()
}
