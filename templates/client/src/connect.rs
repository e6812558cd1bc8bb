// not vendored
//! Clients of the cluster that kubectl uses.

use crate::client::Client;
use crate::error::{Error, ErrorKind};
use kapigen_connect::{Config, Connection};
use tokio::runtime::Handle;

const NO_RUNTIME: &str = "there is no runtime of tokio: mark `main` by `#[tokio::main]`, or pass \
                          the future to `Runtime::block_on`";

impl Client {
    /// Connects to the cluster that kubectl uses: by `KUBECONFIG`, by `~/.kube/config`, or in a pod
    /// by its service account. Nothing is sent yet.
    ///
    /// ```no_run
    /// use kapigen_client::{Client, Error};
    /// use kapigen_runtime::{Kind, Request};
    ///
    /// /// Reads an object of the current cluster.
    /// async fn read<T: Kind>(get: Request<T>) -> Result<T, Error> {
    ///     Ok(Client::connect().await?.send(get).await?.body)
    /// }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) when there is no
    /// configuration, or it cannot be used. When there is no runtime of tokio.
    #[expect(clippy::unused_async, reason = "so that it is called where requests can be sent")]
    pub async fn connect() -> Result<Self, Error> {
        if Handle::try_current().is_err() {
            return Err(ErrorKind::Unsendable(NO_RUNTIME.to_owned()).into());
        }
        Self::connect_with(Config::find()?)
    }

    /// Connects to the cluster of a configuration, such as one of a
    /// [`Finder`](kapigen_connect::Finder). Its namespace is [`Config::namespace`].
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub fn connect_with(config: Config) -> Result<Self, Error> {
        let server = config.server.clone(); // so that errors name it
        Self::new(Connection::new(config)?).base(server)
    }
}

impl From<kapigen_connect::Error> for Error {
    fn from(error: kapigen_connect::Error) -> Self {
        ErrorKind::Configuration(error).into()
    }
}
