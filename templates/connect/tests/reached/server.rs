//! A server that speaks TLS and HTTP/1.1, and notes what it gets.

use kapigen_connect::{Config, Connection, Error};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{CryptoProvider, ring};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    DEFAULT_VERSIONS, DigitallySignedStruct, DistinguishedName, ServerConfig, SignatureScheme,
    SupportedProtocolVersion,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use std::net::SocketAddr;
use std::process::Command;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// A connection by the provider that is a default, whatever the features are.
pub(crate) fn connect(config: Config) -> Result<Connection, Error> {
    Connection::with_provider(config, ring::default_provider())
}

/// Runs a test in a process of its own. Returns its output and its error output.
pub(crate) fn run_again(
    test: &str,
    change: impl FnOnce(&mut Command) -> &mut Command,
) -> (String, String) {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    let command = change(command.args(["--exact", "--nocapture", test]));
    let output = command.output().expect("it runs");
    let [shown, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert!(output.status.success() && shown.contains("1 passed"), "{shown}{errors}");
    (shown, errors)
}

/// An authority for certificates.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(crate) pem: String,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// A certificate for names, and its key.
    pub(crate) fn issue(&self, names: &[&str]) -> (String, String) {
        self.issue_between(names, [2000, 4000])
    }

    /// The same, which is valid from the begin of a year to the begin of another.
    pub(crate) fn issue_between(&self, names: &[&str], years: [i32; 2]) -> (String, String) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("names");
        [params.not_before, params.not_after] = years.map(|year| date_time_ymd(year, 1, 1));
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        (certificate.pem(), key.serialize_pem())
    }
}

/// A request, as the server got it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) user_agent: Option<String>,
    /// The headers of the user to act as.
    pub(crate) impersonate: Vec<String>,
    pub(crate) body: usize,
    /// The subject of the client's certificate in DER, if it has one.
    pub(crate) certificate: Option<Vec<u8>>,
    /// The number of the connection.
    pub(crate) connection: usize,
}

/// The status code for a request, by its number and its content.
pub(crate) type Answer = Arc<dyn Fn(usize, &Seen) -> u16 + Send + Sync>;

/// In place of a status code: a response that begins and does not end, as a watch.
pub(crate) const OPEN: u16 = 0;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Serves with this certificate and key.
    pub(crate) async fn start(certificate: &(String, String), answer: Answer) -> Self {
        Self::start_with(acceptor(certificate, DEFAULT_VERSIONS), answer).await
    }

    pub(crate) async fn start_with(acceptor: TlsAcceptor, answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let seen = Arc::default();
        let shared = Arc::clone(&seen);
        tokio::spawn(async move {
            for connection in 1.. {
                let (stream, _) = listener.accept().await.expect("a connection");
                let serving = serve(
                    acceptor.clone(),
                    stream,
                    connection,
                    Arc::clone(&shared),
                    answer.clone(),
                );
                tokio::spawn(async move { serving.await.unwrap_or_default() });
            }
        });
        Self { address, seen }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

use rustls_pki_types::pem::PemObject;

pub(crate) fn der(pem: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(pem.as_bytes()).expect("a certificate")
}

/// TLS with this certificate and key.
pub(crate) fn acceptor(
    (certificate, key): &(String, String),
    versions: &[&'static SupportedProtocolVersion],
) -> TlsAcceptor {
    let chain = vec![der(certificate)];
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).expect("a key");
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(versions)
        .expect("versions")
        .with_client_cert_verifier(Arc::new(AnyClient(provider)))
        .with_single_cert(chain, key)
        .expect("a certificate");
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(
    acceptor: TlsAcceptor,
    stream: TcpStream,
    connection: usize,
    seen: Arc<Mutex<Vec<Seen>>>,
    answer: Answer,
) -> std::io::Result<()> {
    let port = stream.local_addr()?.port();
    let stream = acceptor.accept(stream).await?;
    let certificates = stream.get_ref().1.peer_certificates();
    let certificate = certificates.and_then(|all| all.first()).map(|first| first.to_vec());
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let mut request = Seen {
            path: line.split(' ').nth(1).unwrap_or_default().to_owned(),
            certificate: certificate.clone(),
            connection,
            ..Seen::default()
        };
        loop {
            let mut header = String::new();
            stream.read_line(&mut header).await?;
            let Some((name, value)) = header.trim().split_once(": ") else { break };
            match name.to_lowercase().as_str() {
                "authorization" => request.authorization = Some(value.to_owned()),
                "user-agent" => request.user_agent = Some(value.to_owned()),
                name if name.starts_with("impersonate-") => {
                    request.impersonate.push(format!("{name}: {value}"));
                }
                "content-length" => request.body = value.parse().unwrap_or_default(),
                _ => {}
            }
        }
        stream.read_exact(&mut vec![0; request.body]).await?;
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(request.clone());
            seen.len() - 1
        };
        let status = answer(number, &request);
        let location = format!("location: https://localhost:{port}/elsewhere\r\n");
        let location = if (300..400).contains(&status) { location.as_str() } else { "" };
        if status == OPEN {
            stream.get_mut().write_all(b"HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\n{}").await?;
            std::future::pending::<()>().await;
        }
        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: 2\r\n{location}\r\n{{}}");
        stream.get_mut().write_all(head.as_bytes()).await?;
    }
}

/// Asks for a certificate, and takes any and none.
#[derive(Debug)]
struct AnyClient(Arc<CryptoProvider>);

impl ClientCertVerifier for AnyClient {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
