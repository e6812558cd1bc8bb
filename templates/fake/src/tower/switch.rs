//! Connections of a service after it switched protocols.

use crate::server::Session;
use http::Extensions;
use std::sync::{Arc, Mutex};
use tokio::io::duplex;
use tokio::runtime::Handle;

/// The bytes that a connection in memory holds.
const PIPE: usize = 64 << 10;

/// The connection of the client.
pub(super) enum Connection {
    /// hyper has it.
    #[cfg(feature = "listen")]
    Socket(hyper::upgrade::OnUpgrade),
    Memory,
}

impl Connection {
    /// Takes the connection of a request.
    pub(super) fn take_from(request: &mut Extensions) -> Self {
        #[cfg(feature = "listen")]
        if let Some(upgrade) = request.remove() {
            return Self::Socket(upgrade);
        }
        let _ = request;
        Self::Memory
    }

    /// Runs a session over the connection in a task of tokio. The other end of one in memory is an
    /// extension of the response.
    ///
    /// # Errors
    /// When there is no runtime of tokio.
    pub(super) fn carry(
        self,
        session: Session,
        response: &mut Extensions,
    ) -> Result<(), super::BoxError> {
        let runtime = Handle::try_current()?;
        match self {
            #[cfg(feature = "listen")]
            Self::Socket(upgrade) => {
                runtime.spawn(async move {
                    if let Ok(upgraded) = upgrade.await {
                        session.run(hyper_util::rt::TokioIo::new(upgraded)).await;
                    }
                });
            }
            Self::Memory => {
                let (own, other) = duplex(PIPE);
                runtime.spawn(session.run(own));
                response.insert(Arc::new(Mutex::new(Some(other))));
            }
        }
        Ok(())
    }
}
