//! New connections: to the server or to a proxy before it, and TLS over them.

use crate::config::Config;
use crate::error::Error;
use crate::proxy::{ProxyScheme, ProxyUrl};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::uri::{PathAndQuery, Scheme};
use http::{HeaderValue, Uri};
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::crypto::CryptoProvider;
use rustls_pki_types::ServerName;
use std::error::Error as StdError;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tower_service::Service;

/// The time for a connection, its proxy and its TLS.
const CONNECTING: Duration = Duration::from_secs(30);
/// The silence after which a peer is asked whether it lives, and the time between questions.
const SILENCE: Duration = Duration::from_secs(10);
/// The number of questions without a response after which a peer is dead.
const QUESTIONS: u32 = 3;
/// The time after which a peer that acknowledges nothing is dead. Timers of the system add up to
/// two seconds, so that this takes less than 45.
#[cfg(target_os = "linux")]
const DEAD: Duration = Duration::from_secs(40);

type BoxError = Box<dyn StdError + Send + Sync>;

/// Makes connections.
#[derive(Clone)]
pub(crate) struct Dialer {
    shared: Arc<Shared>,
}

struct Shared {
    tcp: HttpConnector,
    proxy: Option<ProxyUrl>,
    tls: TlsConnector,
    /// For TLS to a proxy.
    provider: Arc<CryptoProvider>,
    name: Option<String>,
    /// The authorities of the server, for errors.
    authority: String,
}

/// A stream of bytes.
trait Bytes: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Bytes for T {}

/// A connection.
pub(crate) struct Wire(Box<dyn Bytes>);

impl Dialer {
    pub(crate) fn new(
        config: &Config,
        tls: ClientConfig,
        authority: String,
        provider: Arc<CryptoProvider>,
    ) -> Result<Self, Error> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(SILENCE));
        tcp.set_keepalive_interval(Some(SILENCE));
        tcp.set_keepalive_retries(Some(QUESTIONS));
        #[cfg(target_os = "linux")]
        tcp.set_tcp_user_timeout(Some(DEAD));
        let shared = Shared {
            tcp,
            proxy: config.proxy()?,
            tls: TlsConnector::from(Arc::new(tls)),
            provider,
            name: config.tls_server_name.clone(),
            authority,
        };
        Ok(Self { shared: Arc::new(shared) })
    }
}

impl Shared {
    async fn dial(&self, server: Uri) -> Result<Wire, BoxError> {
        let bytes = match &self.proxy {
            None => self.direct(server.clone()).await?,
            Some(proxy) => self
                .through(proxy, server.clone())
                .await
                .map_err(|error| format!("the proxy {proxy}: {}", chain(&*error)))?,
        };
        if server.scheme() != Some(&Scheme::HTTPS) {
            return Ok(Wire(bytes));
        }
        let host = server.host().unwrap_or_default().trim_matches(['[', ']']);
        let host = self.name.as_deref().unwrap_or(host).to_owned();
        let name = ServerName::try_from(host.clone())
            .map_err(|_| format!("`{host}` cannot be the name in a certificate"))?;
        let stream = self.tls.connect(name, bytes).await;
        Ok(Wire(Box::new(stream.map_err(|error| self.of_tls(&error, &host))?)))
    }

    async fn direct(&self, server: Uri) -> Result<Box<dyn Bytes>, BoxError> {
        let stream = self.tcp.clone().call(server).await?;
        Ok(Box::new(stream.into_inner()))
    }

    async fn through(&self, proxy: &ProxyUrl, server: Uri) -> Result<Box<dyn Bytes>, BoxError> {
        let scheme = if proxy.scheme == ProxyScheme::Https { Scheme::HTTPS } else { Scheme::HTTP };
        let default = match proxy.scheme {
            ProxyScheme::Http => 80,
            ProxyScheme::Https => 443,
            ProxyScheme::Socks5 => 1080,
        };
        let authority = proxy.authority.parse::<http::uri::Authority>()?;
        let authority = match authority.port() {
            Some(_) => authority,
            None => format!("{authority}:{default}").parse()?,
        };
        let url = Uri::builder().scheme(scheme).authority(authority);
        let url = url.path_and_query(PathAndQuery::from_static("/")).build()?;
        let server = with_port(server)?;
        let user = proxy.credentials.as_ref();
        match proxy.scheme {
            ProxyScheme::Socks5 => {
                let mut socks = SocksV5::new(url, self.tcp.clone());
                if let Some((name, password)) = user {
                    socks = socks.with_auth(name.clone(), password.reveal().to_owned());
                }
                Ok(Box::new(socks.call(server).await?.into_inner()))
            }
            ProxyScheme::Http | ProxyScheme::Https => {
                let outer = Outer { tcp: self.tcp.clone(), provider: Arc::clone(&self.provider) };
                let mut tunnel = Tunnel::new(url, outer);
                if let Some((name, password)) = user {
                    let pair = STANDARD.encode(format!("{name}:{}", password.reveal()));
                    let mut header = HeaderValue::from_str(&format!("Basic {pair}"))?;
                    header.set_sensitive(true);
                    tunnel = tunnel.with_auth(header);
                }
                Ok(Box::new(tunnel.call(server).await?.into_inner()))
            }
        }
    }

    /// An error of TLS, with what to do.
    fn of_tls(&self, error: &io::Error, host: &str) -> BoxError {
        use rustls::CertificateError as Invalid;
        let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
        let text = match cause {
            Some(rustls::Error::InvalidCertificate(invalid)) => match invalid {
                Invalid::UnknownIssuer => {
                    format!("the server's certificate is not from {}", self.authority)
                }
                Invalid::Expired | Invalid::ExpiredContext { .. } => {
                    "the server's certificate has expired".to_owned()
                }
                Invalid::NotValidYet | Invalid::NotValidYetContext { .. } => {
                    "the server's certificate is not valid yet: is the clock here right?".to_owned()
                }
                Invalid::NotValidForName | Invalid::NotValidForNameContext { .. } => format!(
                    "the server's certificate is not for `{host}`: set `tls-server-name` to a name \
                     that it has"
                ),
                other => format!("the server's certificate is not valid: {other:?}"),
            },
            Some(rustls::Error::InvalidMessage(_)) => {
                "the server does not speak TLS: is its scheme `http`?".to_owned()
            }
            _ => format!("TLS failed: {error}"),
        };
        text.into()
    }
}

/// The URL with its port, as proxies need it.
fn with_port(url: Uri) -> Result<Uri, BoxError> {
    if url.port().is_some() {
        return Ok(url);
    }
    let port = if url.scheme() == Some(&Scheme::HTTPS) { 443 } else { 80 };
    let authority = format!("{}:{port}", url.host().unwrap_or_default());
    let mut parts = url.into_parts();
    parts.authority = Some(authority.parse()?);
    Ok(Uri::from_parts(parts)?)
}

/// An error and its causes.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}

/// The connection to a proxy of HTTP, perhaps by TLS.
#[derive(Clone)]
struct Outer {
    tcp: HttpConnector,
    provider: Arc<CryptoProvider>,
}

type Dialing<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

impl Service<Uri> for Outer {
    type Response = TokioIo<Wire>;
    type Error = BoxError;
    type Future = Dialing<Self::Response>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, proxy: Uri) -> Self::Future {
        let mut tcp = self.tcp.clone();
        let provider = Arc::clone(&self.provider);
        Box::pin(async move {
            let stream = tcp.call(proxy.clone()).await?.into_inner();
            if proxy.scheme() != Some(&Scheme::HTTPS) {
                return Ok(TokioIo::new(Wire(Box::new(stream))));
            }
            let host = proxy.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
            let tls = TlsConnector::from(Arc::new(crate::tls::of_system(&provider)?));
            let stream = tls.connect(ServerName::try_from(host)?, stream).await?;
            Ok(TokioIo::new(Wire(Box::new(stream))))
        })
    }
}

impl Service<Uri> for Dialer {
    type Response = TokioIo<Wire>;
    type Error = BoxError;
    type Future = Dialing<Self::Response>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let wire = tokio::time::timeout(CONNECTING, shared.dial(server)).await;
            let wire = wire.map_err(|_| format!("no connection within {CONNECTING:?}"))??;
            Ok(TokioIo::new(wire))
        })
    }
}

impl Connection for Wire {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
