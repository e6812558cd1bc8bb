//! TLS, with a provider of its own and certificates that may change.

use crate::config::{Config, Pem};
use crate::error::Error;
use crate::exec::Issued;
use crate::pem;
use crate::secret::Secret;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    ClientConfig, DigitallySignedStruct, InconsistentKeys, RootCertStore, SignatureScheme,
};
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use std::sync::Arc;

/// The bytes that TLS is made of. Where they change, so do connections.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Material {
    authority: Option<Vec<u8>>,
    /// A certificate and its key.
    certificate: Option<(Secret, Secret)>,
}

impl Material {
    /// The certificates of a configuration, as its files are now, or the one that a plugin issued.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn read(config: &Config, issued: Option<&Issued>) -> Result<Self, Error> {
        let authority = config.certificate_authority.as_ref().map(Pem::bytes).transpose()?;
        let issued = issued.and_then(|issued| issued.certificate.clone());
        let certificate = match (issued, &config.client_certificate) {
            (Some(issued), _) => Some(issued),
            (None, Some((certificate, key))) => {
                Some((read_secret(certificate)?, read_secret(key)?))
            }
            (None, None) => None,
        };
        Ok(Self { authority, certificate })
    }

    /// The configuration of connections.
    ///
    /// # Errors
    /// When certificates or keys cannot be used.
    pub(crate) fn client(
        &self,
        config: &Config,
        provider: &Arc<CryptoProvider>,
    ) -> Result<ClientConfig, Error> {
        let builder = builder(provider)?;
        let builder = if config.insecure_skip_tls_verify {
            let verifier = AcceptAll(Arc::clone(builder.crypto_provider()));
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        } else {
            builder.with_root_certificates(self.roots(config)?)
        };
        let Some((certificate, key)) = &self.certificate else {
            return Ok(builder.with_no_client_auth());
        };
        let certified = certified(certificate, key, provider).map_err(|message| {
            let pem = config.client_certificate.as_ref().map(|(pem, _)| pem);
            refusal(pem, "client-certificate", &message)
        })?;
        Ok(builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(certified))))
    }

    /// Whether it has the certificate that a plugin issued, if that issued one.
    pub(crate) fn is_of(&self, issued: Option<&Issued>) -> bool {
        let certificate = issued.and_then(|issued| issued.certificate.as_ref());
        certificate.is_none_or(|certificate| self.certificate.as_ref() == Some(certificate))
    }

    /// The authorities, for errors: their file and their names.
    pub(crate) fn authority(&self, config: &Config) -> String {
        let place = match config.certificate_authority.as_ref().map(Pem::file) {
            None => return "an authority of the system".to_owned(),
            Some(None) => "the `certificate-authority-data` of the cluster".to_owned(),
            Some(Some(file)) => format!("an authority in {}", file.display()),
        };
        let roots = self.roots(config).unwrap_or_else(|_| RootCertStore::empty()).roots;
        let names = roots.iter().filter_map(|root| pem::common_name(&root.subject));
        let names: Vec<_> = names.take(3).map(|name| format!("`{name}`")).collect();
        if names.is_empty() { place } else { format!("{place}, which has {}", names.join(", ")) }
    }

    fn roots(&self, config: &Config) -> Result<RootCertStore, Error> {
        let Some(authority) = &self.authority else {
            return system_roots();
        };
        parsed_roots(authority).map_err(|message| {
            refusal(config.certificate_authority.as_ref(), "certificate-authority", &message)
        })
    }
}

/// The error for PEM that is configured by this key, in a file or inline.
fn refusal(pem: Option<&Pem>, key: &str, message: &str) -> Error {
    match pem.and_then(Pem::file) {
        Some(file) => Error::of_file(file, format!("`{key}`: {message}")),
        None => Error::new(format!("the {}: {message}", key.replace('-', " "))),
    }
}

fn read_secret(pem: &Pem) -> Result<Secret, Error> {
    Ok(String::from_utf8_lossy(&pem.bytes()?).into_owned().into())
}

fn certified(
    certificate: &Secret,
    key: &Secret,
    provider: &CryptoProvider,
) -> Result<CertifiedKey, String> {
    let chain = pem::certificates(certificate.reveal().as_bytes())?;
    let key = pem::key(key.reveal().as_bytes())?;
    let key = provider.key_provider.load_private_key(key).map_err(|error| {
        format!(
            "its key cannot be used: {error}; for the curve P-521, enable the feature \
             `aws-lc-rs` of kapigen-connect"
        )
    })?;
    let certified = CertifiedKey::new(chain, key);
    if !fits(&certified) {
        return Err("its key belongs to another certificate".to_owned());
    }
    Ok(certified)
}

fn parsed_roots(authority: &[u8]) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    if roots.add_parsable_certificates(pem::certificates(authority)?).0 == 0 {
        return Err("it has no certificate that can be parsed".to_owned());
    }
    Ok(roots)
}

/// Whether the key is the certificate's.
fn fits(certified: &CertifiedKey) -> bool {
    match certified.keys_match() {
        Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => true,
        Err(rustls::Error::InconsistentKeys(_)) => false,
        // A certificate of version 1, which servers accept. It has the public key as it is.
        Err(_) => {
            let (Some(key), Some(certificate)) =
                (certified.key.public_key(), certified.cert.first())
            else {
                return true;
            };
            certificate.windows(key.len()).any(|part| part == &*key)
        }
    }
}

type Builder = rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier>;

fn builder(provider: &Arc<CryptoProvider>) -> Result<Builder, Error> {
    ClientConfig::builder_with_provider(Arc::clone(provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::new(format!("TLS cannot be used: {error}")))
}

/// The configuration of connections to a proxy, which the system trusts.
pub(crate) fn of_system(provider: &Arc<CryptoProvider>) -> Result<ClientConfig, Error> {
    Ok(builder(provider)?.with_root_certificates(system_roots()?).with_no_client_auth())
}

fn system_roots() -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    if roots.add_parsable_certificates(found.certs).0 > 0 {
        return Ok(roots);
    }
    Err(Error::new(
        "the system has no certificates of authorities, and the cluster has no \
         `certificate-authority`",
    ))
}

/// Accepts any certificate of a server, as `insecure-skip-tls-verify` demands.
#[derive(Debug)]
struct AcceptAll(Arc<CryptoProvider>);

impl ServerCertVerifier for AcceptAll {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
