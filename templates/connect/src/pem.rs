//! Certificates and keys in PEM, and the names of their owners.

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

/// The common name of a subject in DER. Without one, the last name that it has.
pub(crate) fn common_name(mut subject: &[u8]) -> Option<String> {
    let mut last = None;
    while let Some((set, rest)) = element(subject) {
        subject = rest;
        let (pair, _) = element(set)?;
        let (id, value) = element(pair)?;
        let (text, _) = element(value)?;
        last = Some(String::from_utf8_lossy(text).into_owned());
        if id == COMMON_NAME {
            break;
        }
    }
    last
}

/// The object identifier 2.5.4.3.
const COMMON_NAME: [u8; 3] = [0x55, 4, 3];

/// The content of an element of DER, and the bytes behind it.
fn element(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&length, rest) = bytes.get(1..)?.split_first()?;
    // From 128 on, it is the number of bytes that have the length.
    let (digits, rest) = match length {
        0..128 => return rest.split_at_checked(length.into()),
        _ => rest.split_at_checked(usize::from(length & 0x7f))?,
    };
    let length = digits.iter().try_fold(0_usize, |sum, &digit| {
        sum.checked_mul(256).map(|sum| sum | usize::from(digit))
    })?;
    rest.split_at_checked(length)
}
