//! The resources of a server, by the names that people use.

use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::random::random;
use kapigen_runtime::discovery::{Discovered, Discovery, Mapper, UnknownResource};
use kapigen_runtime::dynamic::Resource;
use kapigen_runtime::meta_v1::Condition;
use kapigen_runtime::params::GetParams;
use kapigen_runtime::scope::Cluster;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// The time between two looks at a definition that is not established yet, which takes servers
/// about as long.
const PAUSE: Duration = Duration::from_millis(100);

/// The resources of a server. They are requested lazily, and once more for a name that is not among
/// them: its definition may just have been created. If that request fails, the known resources are
/// kept.
///
/// ```
/// use kapigen_client::{Client, Error};
///
/// /// Prints the resources of a category, such as `all`, or the one with a name, such as `deploy`.
/// async fn explain(client: &Client, name: &str) -> Result<(), Error> {
///     let mut resources = client.resources();
///     let category = resources.category(name).await?;
///     let all = if category.is_empty() { vec![resources.resource(name).await?] } else { category };
///     for found in all {
///         println!("{} {} {}", found.resource.plural(), found.resource.api_version(), found.short_names.join(","));
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct Resources {
    client: Client,
    mapper: Option<Mapper>,
    /// Names of which resources that were requested again had no category.
    no_categories: BTreeSet<String>,
}

impl Client {
    /// Requests all resources of the server.
    ///
    /// # Errors
    /// When a request fails. Groups of other servers behind this one, which do not respond, are in
    /// [`Mapper::unavailable`].
    pub async fn discover(&self) -> Result<Mapper, Error> {
        let deadline = self.limits.deadline.unwrap_or(Duration::MAX);
        let discovery = Discovery::new().timeout(self.limits.timeout).seed(random());
        let discovery = discovery.retry(self.retries.policy).deadline(deadline);
        match self.run(discovery).outcome().await {
            Some(outcome) => Ok(outcome?),
            None => unreachable!("discovery ends with an outcome"),
        }
    }

    /// The resources of the server, of which none is requested yet.
    pub fn resources(&self) -> Resources {
        Resources { client: self.clone(), mapper: None, no_categories: BTreeSet::new() }
    }
}

impl Resources {
    /// The client that requests them.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The resource with a name, see [`Mapper::resource`].
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`] when there is none. When a request fails.
    pub async fn resource(&mut self, name: &str) -> Result<Discovered, Error> {
        self.find(|mapper| mapper.resource(name)).await
    }

    /// The resource of a kind, see [`Mapper::kind`].
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`] when there is none. When a request fails.
    pub async fn kind(&mut self, api_version: &str, kind: &str) -> Result<Discovered, Error> {
        self.find(|mapper| mapper.kind(api_version, kind)).await
    }

    /// The resources of a category, such as `all`, see [`Mapper::category`]. Empty if there is no
    /// such category: most names are names of resources, so each name leads to one more request
    /// only, until the next definition is [`established`](Self::established).
    ///
    /// # Errors
    /// When a request fails.
    pub async fn category(&mut self, name: &str) -> Result<Vec<Discovered>, Error> {
        let is_known = self.mapper.is_some();
        let is_unknown = self.mapper().await?.category(name).is_empty();
        if is_unknown && is_known && !self.no_categories.contains(name) {
            self.mapper = Some(self.client.discover().await?);
            self.no_categories.insert(name.to_owned());
        }
        let mapper = self.mapper().await?;
        Ok(mapper.category(name).into_iter().cloned().collect())
    }

    /// All resources, as they were requested last.
    ///
    /// # Errors
    /// When a request fails.
    pub async fn mapper(&mut self) -> Result<&Mapper, Error> {
        if self.mapper.is_none() {
            self.mapper = Some(self.client.discover().await?);
        }
        Ok(self.mapper.get_or_insert_default())
    }

    /// Waits until the server serves the resources of a definition, by its name: until it has the
    /// condition `Established`. Their objects can be requested then.
    ///
    /// # Errors
    /// [`ErrorKind::TimedOut`] when it takes longer than [`Client::timeout`]. When a request fails.
    pub async fn established(&mut self, definition: &str) -> Result<(), Error> {
        let definitions =
            ["apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions"];
        let [group, version, kind, plural] = definitions;
        let get = Resource::cluster(group, version, kind, plural).get(
            Cluster,
            definition,
            &GetParams::default(),
        )?;
        let limit = self.client.limits.timeout;
        let established = async {
            loop {
                let object = self.client.send(get.clone()).await?.body;
                let conditions: Option<Vec<Condition>> =
                    object.get("status.conditions").ok().flatten();
                let is_established = conditions.into_iter().flatten().any(|condition| {
                    condition.type_ == "Established" && condition.status == "True"
                });
                if is_established {
                    return Ok(());
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        let outcome = tokio::time::timeout(limit, established)
            .await
            .unwrap_or(Err(ErrorKind::TimedOut(limit).into()));
        self.no_categories.clear();
        outcome
    }

    async fn find(
        &mut self,
        find: impl Fn(&Mapper) -> Result<&Discovered, UnknownResource>,
    ) -> Result<Discovered, Error> {
        let is_known = self.mapper.is_some();
        if let Ok(found) = find(self.mapper().await?) {
            return Ok(found.clone());
        }
        if is_known {
            self.mapper = Some(self.client.discover().await?);
        }
        let found = find(self.mapper().await?).cloned();
        found.map_err(|unknown| ErrorKind::Unknown(Box::new(unknown)).into())
    }
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resources").field("mapper", &self.mapper).finish_non_exhaustive()
    }
}
