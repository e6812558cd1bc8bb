//! The surroundings of the program: variables and folders.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The variables and folders that a configuration is found by.
#[derive(Clone)]
pub(crate) struct Environment {
    pub(crate) variables: BTreeMap<String, String>,
    /// The folder of the service account in a pod.
    pub(crate) service_account: PathBuf,
}

/// Shows nothing: variables have secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment").finish_non_exhaustive()
    }
}

impl Environment {
    pub(crate) fn of_process() -> Self {
        let variables = std::env::vars_os().map(|(name, value)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        });
        Self {
            variables: variables.collect(),
            service_account: "/var/run/secrets/kubernetes.io/serviceaccount".into(),
        }
    }

    /// A variable that is set to something.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The folder of the user.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        if cfg!(windows) { self.home_on_windows() } else { self.get("HOME").map(PathBuf::from) }
    }

    /// The first folder that has a kubeconfig.
    fn home_on_windows(&self) -> Option<PathBuf> {
        let drive = self.get("HOMEDRIVE").zip(self.get("HOMEPATH"));
        let homes = [
            self.get("HOME").map(str::to_owned),
            drive.map(|(drive, path)| format!("{drive}{path}")),
            self.get("USERPROFILE").map(str::to_owned),
        ];
        let mut homes = homes.into_iter().flatten().map(PathBuf::from);
        homes.find(|home| home.join(".kube").join("config").exists())
    }
}

#[cfg(test)]
mod tests {
    use super::Environment;
    use std::fs;

    #[test]
    fn the_home_on_windows_has_a_kubeconfig() {
        let root = std::env::temp_dir().join(format!("kapigen-homes-{}", std::process::id()));
        let at = root.to_string_lossy().into_owned();
        let variables = [
            ("HOME", format!("{at}/home")),
            ("HOMEDRIVE", at.clone()),
            ("HOMEPATH", "/path".to_owned()),
            ("USERPROFILE", format!("{at}/profile")),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value));
        let environment = Environment { variables: variables.into(), service_account: at.into() };
        assert_eq!(environment.home_on_windows(), None);
        for name in ["profile", "path", "home"] {
            fs::create_dir_all(root.join(name).join(".kube")).expect("a folder");
            fs::write(root.join(name).join(".kube").join("config"), "").expect("a file");
            assert_eq!(environment.home_on_windows(), Some(root.join(name)));
        }
        fs::remove_dir_all(&root).expect("a folder");
    }
}
