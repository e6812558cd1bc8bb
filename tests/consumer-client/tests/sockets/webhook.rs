//! The webhook of the documentation, called as an API server calls it.

use crate::examples::Program;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Request, client::conn::http1, header::CONTENT_TYPE};
use hyper_util::rt::TokioIo;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A folder with a certificate of this machine and its key. It is removed when this is dropped.
struct Folder {
    path: PathBuf,
    certificate: CertificateDer<'static>,
}

impl Folder {
    fn new() -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let path = std::env::temp_dir().join(format!("webhook-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("tls.crt"), cert.pem()).unwrap();
        std::fs::write(path.join("tls.key"), signing_key.serialize_pem()).unwrap();
        Self { path, certificate: cert.der().clone() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The status code and the body of the response to a review.
async fn call(address: &str, folder: &Folder, review: &Value) -> (u16, Vec<u8>) {
    let mut roots = RootCertStore::empty();
    roots.add(folder.certificate.clone()).unwrap();
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let socket = TcpStream::connect(address).await.unwrap();
    let host = "localhost".try_into().unwrap();
    let stream = TlsConnector::from(Arc::new(config)).connect(host, socket).await.unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let body = Full::<Bytes>::from(review.to_string());
    let request = Request::post("/")
        .header("host", "localhost")
        .header(CONTENT_TYPE, "application/json")
        .body(body);
    let response = sender.send_request(request.unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    assert_eq!(head.headers[CONTENT_TYPE], "application/json");
    (head.status.as_u16(), body.collect().await.unwrap().to_bytes().into())
}

fn review(labels: &Value) -> Value {
    let object = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "labels": labels}, "spec": {}});
    json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {"uid": "705ab4f5", "operation": "CREATE", "object": object}
    })
}

#[tokio::test]
async fn the_webhook_allows_changes_and_denies() {
    let folder = Folder::new();
    let program = Program::start_in("webhook", &["127.0.0.1:0"], &folder.path);
    let line = program.line();
    let address = line.strip_prefix("listening at ").unwrap();
    let (status, body) = call(address, &folder, &review(&json!({"team": "a"}))).await;
    let response = &serde_json::from_slice::<Value>(&body).unwrap()["response"];
    assert_eq!(
        (status, &response["uid"], &response["allowed"]),
        (200, &json!("705ab4f5"), &json!(true))
    );
    let patch: openshift_api::meta_v1::ByteString =
        serde_json::from_value(response["patch"].clone()).unwrap();
    assert_eq!(&*patch, br#"[{"op":"add","path":"/metadata/labels/reviewed","value":"yes"}]"#);
    let (status, body) = call(address, &folder, &review(&json!({}))).await;
    let response = &serde_json::from_slice::<Value>(&body).unwrap()["response"];
    assert_eq!((status, &response["allowed"]), (200, &json!(false)));
    assert_eq!(response["status"]["message"], "pods need the label `team`");
    let (status, body) = call(address, &folder, &json!({"kind": "Pod"})).await;
    let found = "expected kind `AdmissionReview` of `admission.k8s.io/v1`, found kind `Pod` of ``";
    assert_eq!((status, &*String::from_utf8_lossy(&body)), (400, found));
}
