//! Certificates and keys in PEM.

use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

/// The certificates of a PEM. Text around them, and blocks that are something else, are skipped.
///
/// # Errors
/// When there is none.
pub(crate) fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem).filter_map(Result::ok).collect();
    if found.is_empty() { Err("it has no certificate in PEM".to_owned()) } else { Ok(found) }
}

/// The private key of a PEM.
///
/// # Errors
/// When there is none, or it is encrypted.
pub(crate) fn key(pem: &[u8]) -> Result<PrivateKeyDer<'static>, String> {
    let text = String::from_utf8_lossy(pem);
    if text.contains("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") {
        return Err("its private key is encrypted: decrypt it, for example by \
                    `openssl pkey -in KEY -out DECRYPTED`"
            .to_owned());
    }
    PrivateKeyDer::from_pem_slice(pem).map_err(|_| "it has no private key in PEM".to_owned())
}
