//! The headers of a user, which are renewed while a program runs.

use crate::config::{Config, Credential, Impersonate};
use crate::error::Error;
use crate::exec::{self, Issued, Plugin};
use crate::secret::Secret;
use crate::token;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;
use std::path::PathBuf;
use std::sync::{self, Arc, PoisonError};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The age at which the token of a file is read again.
const AGE: Duration = Duration::from_secs(50);
/// The time for which a failure of a plugin is remembered.
const REMEMBERED: Duration = Duration::from_secs(1);

/// The headers of a user. All credentials with the same plugin and cluster share what it issues, so
/// that it runs once for all.
#[derive(Clone)]
pub struct Credentials(Arc<Shared>);

struct Shared {
    /// The headers that stay.
    fixed: HeaderMap,
    source: CredentialSource,
    state: Arc<Mutex<State>>,
}

/// The plugins of this process and what they issued: a plugin that asks at the terminal does so
/// once, whatever the number of connections.
static PLUGINS: sync::Mutex<Vec<(Plugin, Arc<Mutex<State>>)>> = sync::Mutex::new(Vec::new());

/// The state of all credentials of a plugin.
fn state_of(plugin: &Plugin) -> Arc<Mutex<State>> {
    let mut all = PLUGINS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, state)) = all.iter().find(|(known, _)| known.is_same(plugin)) {
        return Arc::clone(state);
    }
    let state = Arc::default();
    all.push((plugin.clone(), Arc::clone(&state)));
    state
}

/// The origin of a credential.
enum CredentialSource {
    Fixed,
    File(PathBuf, Option<Secret>),
    Plugin(Box<Plugin>),
}

#[derive(Default)]
struct State {
    /// The number of the credential: renewals count it.
    number: u64,
    token: Option<Secret>,
    /// The time at which the file was read.
    read: Option<Instant>,
    issued: Option<Arc<Issued>>,
    failed: Option<(Instant, Error)>,
}

/// The headers of one request.
#[derive(Clone)]
pub(crate) struct Current {
    /// The number of the credential.
    pub(crate) number: u64,
    pub(crate) headers: HeaderMap,
    /// The credential of a plugin.
    pub(crate) issued: Option<Arc<Issued>>,
}

impl Credentials {
    /// The credentials of a configuration. Nothing is read and nothing runs before they are needed.
    ///
    /// # Errors
    /// When a value cannot be in a header.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let mut fixed = HeaderMap::new();
        let source = match &config.credential {
            Credential::None => CredentialSource::Fixed,
            Credential::Token(token) => {
                fixed.insert(AUTHORIZATION, bearer(token)?);
                CredentialSource::Fixed
            }
            Credential::Basic(name, password) => {
                let pair = STANDARD.encode(format!("{name}:{}", password.reveal()));
                fixed.insert(AUTHORIZATION, secret(&format!("Basic {pair}"))?);
                CredentialSource::Fixed
            }
            Credential::TokenFile(path, token) => {
                CredentialSource::File(path.clone(), token.clone())
            }
            Credential::Exec(exec) => CredentialSource::Plugin(Box::new(Plugin::new(exec, config))),
        };
        if let Some(user) = &config.impersonate {
            impersonate(user, &mut fixed)?;
        }
        let state = match &source {
            CredentialSource::Plugin(plugin) => state_of(plugin),
            CredentialSource::Fixed | CredentialSource::File(..) => Arc::default(),
        };
        Ok(Self(Arc::new(Shared { fixed, source, state })))
    }

    /// The headers of a request that is sent now: `Authorization`, and those of the user to act as.
    ///
    /// # Errors
    /// When a token cannot be read, or a plugin fails.
    pub async fn headers(&self) -> Result<HeaderMap, Error> {
        Ok(self.current().await?.headers)
    }

    /// Whether another credential may be had after a refusal.
    pub(crate) fn are_renewable(&self) -> bool {
        !matches!(self.0.source, CredentialSource::Fixed)
    }

    pub(crate) async fn current(&self) -> Result<Current, Error> {
        let mut state = self.0.state.lock().await;
        match &self.0.source {
            CredentialSource::Fixed => {}
            CredentialSource::File(path, fallback) => {
                if state.read.is_none_or(|read| read.elapsed() >= AGE) {
                    state.read_token(path, fallback.as_ref())?;
                }
            }
            CredentialSource::Plugin(plugin) => {
                if state.issued.as_ref().is_none_or(|issued| issued.expires()) {
                    state.run(plugin).await?;
                }
            }
        }
        self.with(&state)
    }

    /// Renews the credential with this number, which a server refused. Nothing happens if another
    /// request did so in the meantime. A plugin that fails leaves the old one.
    pub(crate) async fn renew(&self, number: u64) -> Result<Current, Error> {
        let mut state = self.0.state.lock().await;
        if state.number == number {
            match &self.0.source {
                CredentialSource::Fixed => {}
                CredentialSource::File(path, fallback) => {
                    state.read_token(path, fallback.as_ref())?;
                }
                CredentialSource::Plugin(plugin) => {
                    if let Err(error) = state.run(plugin).await {
                        tracing::warn!(%error, "a credential could not be renewed");
                    }
                }
            }
        }
        self.with(&state)
    }

    fn with(&self, state: &State) -> Result<Current, Error> {
        let mut headers = self.0.fixed.clone();
        let issued = state.issued.clone();
        let token =
            state.token.as_ref().or(issued.as_ref().and_then(|issued| issued.token.as_ref()));
        if let Some(token) = token {
            headers.insert(AUTHORIZATION, bearer(token)?);
        }
        Ok(Current { number: state.number, headers, issued })
    }
}

impl State {
    /// Reads a file again. One that cannot be read leaves the old token.
    fn read_token(
        &mut self,
        path: &std::path::Path,
        fallback: Option<&Secret>,
    ) -> Result<(), Error> {
        let token = match token::read(path) {
            Ok(token) => token,
            Err(message) => {
                let old = self.token.clone().or(fallback.cloned());
                old.ok_or_else(|| Error::of_file(path, message))?
            }
        };
        if self.token.as_ref() != Some(&token) {
            self.number += 1;
        }
        self.token = Some(token);
        self.read = Some(Instant::now());
        Ok(())
    }

    /// Runs a plugin, unless it has failed just now.
    async fn run(&mut self, plugin: &Plugin) -> Result<(), Error> {
        if let Some((time, error)) = &self.failed
            && time.elapsed() < REMEMBERED
        {
            return Err(error.clone());
        }
        match exec::run(plugin).await {
            Ok(issued) => {
                self.number += 1;
                self.issued = Some(Arc::new(issued));
                self.failed = None;
                Ok(())
            }
            Err(error) => {
                self.failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

fn bearer(token: &Secret) -> Result<HeaderValue, Error> {
    secret(&format!("Bearer {}", token.reveal()))
}

fn secret(text: &str) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::from_str(text)
        .map_err(|_| Error::new("a credential has characters that no header can have"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// The headers of a user to act as.
fn impersonate(user: &Impersonate, headers: &mut HeaderMap) -> Result<(), Error> {
    headers.insert("impersonate-user", header_value(&user.user)?);
    if let Some(uid) = &user.uid {
        headers.insert("impersonate-uid", header_value(uid)?);
    }
    for group in &user.groups {
        headers.append("impersonate-group", header_value(group)?);
    }
    for (key, values) in &user.extra {
        // Servers take names of headers in any case, and decode them.
        let key = utf8_percent_encode(key, KEY).to_string();
        let name = HeaderName::try_from(format!("impersonate-extra-{}", key.to_lowercase()))
            .map_err(|_| Error::new("a key of `as-user-extra` cannot be in a header"))?;
        for text in values {
            headers.append(name.clone(), header_value(text)?);
        }
    }
    Ok(())
}

fn header_value(text: &str) -> Result<HeaderValue, Error> {
    HeaderValue::from_bytes(text.as_bytes())
        .map_err(|_| Error::new("a value of `as` has characters that no header can have"))
}

/// The characters that are escaped in a name of a header.
const KEY: &percent_encoding::AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'*')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');
