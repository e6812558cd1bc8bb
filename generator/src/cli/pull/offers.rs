//! The documents of which `--groups` selects some.

use crate::error::Error;
use crate::model::GroupVersion;
use crate::names;
use crate::tree::documents::is_document;

/// The documents of a server or of a release.
pub(super) struct Offers {
    /// The name of the server or of the release in errors.
    pub(super) origin: String,
    pub(super) offers: Vec<Offer>,
}

/// The document of a group-version.
pub(super) struct Offer {
    group_version: GroupVersion,
    /// Where it is read: a path with a query on a server, or a file.
    pub(super) place: String,
    /// Its path in the folder.
    pub(super) file: String,
}

impl Offers {
    /// The documents of some groups, or of all if none is named.
    pub(super) fn select(&self, groups: &[String]) -> Result<Vec<&Offer>, Error> {
        for group in groups {
            if !self.offers.iter().any(|offer| offer.is_in(group)) {
                return Err(self.unknown(group));
            }
        }
        let wanted = self
            .offers
            .iter()
            .filter(|offer| groups.is_empty() || groups.iter().any(|group| offer.is_in(group)));
        Ok(wanted.collect())
    }

    fn unknown(&self, group: &str) -> Error {
        let known: Vec<&str> =
            self.offers.iter().map(|offer| offer.group_version.group.as_str()).collect();
        let versions: Vec<String> =
            self.offers.iter().map(|offer| offer.group_version.api_version()).collect();
        let all = known
            .into_iter()
            .filter(|group| !group.is_empty())
            .chain(versions.iter().map(String::as_str));
        let Self { origin, .. } = self;
        let help = names::nearest(group, all).map_or_else(
            || format!("{origin} has {}", versions.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Error::new(format!("{origin} has no group `{group}`"))
            .help(not_a_file(group).unwrap_or(&help))
    }
}

/// The help for a file, as `--groups` of other commands takes one, where a group is meant.
pub(super) fn not_a_file(group: &str) -> Option<&'static str> {
    let is_yaml = [".yaml", ".yml"].iter().any(|end| group.ends_with(end));
    is_yaml.then_some(
        "`--groups` is a list of groups here, such as `core,apps/v1`; files that select are for \
         `kapigen generate`",
    )
}

impl Offer {
    /// The document of `path`, such as `apis/apps/v1`. `None` for any path other than the document
    /// of a group and version, such as `apis` and `version`.
    pub(super) fn new(path: &str, place: String) -> Option<Self> {
        let file = format!("{path}.json");
        let group_version = match path.split('/').collect::<Vec<_>>().as_slice() {
            ["api", version] => GroupVersion::new("", *version),
            ["apis", group, version] => GroupVersion::new(*group, *version),
            _ => return None,
        };
        is_document(&file).then_some(Self { group_version, place, file })
    }

    /// The hash of the document, if the server states one.
    pub(super) fn hash(&self) -> Option<&str> {
        let (_, query) = self.place.split_once('?')?;
        query.split('&').find_map(|parameter| parameter.strip_prefix("hash="))
    }

    /// `group` is the name of a group, a group and a version, or `core`. In `groups.yaml` core may
    /// be empty, too.
    fn is_in(&self, group: &str) -> bool {
        let GroupVersion { group: own, .. } = &self.group_version;
        let own = if own.is_empty() { "core" } else { own };
        let group = if group.is_empty() { "core" } else { group };
        group == own || group == self.group_version.api_version()
    }
}
