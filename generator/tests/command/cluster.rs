//! A script in place of kubectl.

use crate::folder::Folder;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

/// Returns the file of `server` that is named like the URL, with `_` for `/` and for special
/// characters of a query, or like its path, or fails as kubectl does. Logs its arguments. A script
/// `during` runs when the first document is requested.
const KUBECTL: &str = r#"#!/bin/sh
echo "$*" >> calls
case "$3" in /openapi/v3/*) mv during ran 2> /dev/null && sh ./ran ;; esac
file="server/$(echo "$3" | tr '/?&=' ____)"
[ -f "$file" ] || file="server/$(echo "$3" | cut -d '?' -f 1 | tr / _)"
if [ -f "$file" ]; then cat "$file"; exit; fi
echo "E1122 memcache.go: something before" >&2
if [ -f error ]; then cat error >&2; else echo "Error from server (NotFound): the server could not find the requested resource" >&2; fi
exit 1
"#;

/// A folder with the stand-in, and the files that it returns.
pub(crate) struct Cluster {
    pub(crate) folder: Folder,
}

impl Cluster {
    pub(crate) fn new(name: &str, offered: &[(&str, &str)]) -> Self {
        let folder = Folder::new(&format!("pull-{name}"));
        folder.put("kubectl", KUBECTL);
        fs::set_permissions(folder.0.join("kubectl"), fs::Permissions::from_mode(0o755)).unwrap();
        folder.put("server/_version", r#"{"major": "1", "gitVersion": "v1.34.1"}"#);
        let cluster = Self { folder };
        cluster.offer(offered);
        cluster
    }

    /// Offers documents with their hashes, and paths that are not documents of groups.
    pub(crate) fn offer(&self, offered: &[(&str, &str)]) {
        let mut paths = json!({"api": {"serverRelativeURL": "/openapi/v3/api?hash=0"}});
        for (path, hash) in offered {
            let query = if hash.is_empty() { String::new() } else { format!("?hash={hash}") };
            paths[*path] = json!({"serverRelativeURL": format!("/openapi/v3/{path}{query}")});
            let document =
                json!({"openapi": "3.0.0", "info": {"title": path, "version": hash}, "paths": {}});
            self.folder.put(
                &format!("server/_openapi_v3_{}", path.replace('/', "_")),
                &document.to_string(),
            );
        }
        self.folder.put("server/_openapi_v3", &json!({ "paths": paths }).to_string());
    }

    pub(crate) fn pull(&self, arguments: &[&str]) -> Output {
        self.folder
            .kapigen(&[&["pull", "--kubectl", "./kubectl", "--out", "pulled"], arguments].concat())
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.folder.0.join(path)).unwrap()
    }

    /// The files that were pulled, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let root = self.folder.0.join("pulled");
        let mut found = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let (inner, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
            folders.extend(inner);
            found.extend(
                files
                    .iter()
                    .map(|file| file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned()),
            );
        }
        found.sort();
        found
    }

    /// The calls since the last time.
    pub(crate) fn calls(&self) -> Vec<String> {
        let calls = self.text("calls");
        fs::remove_file(self.folder.0.join("calls")).unwrap();
        calls.lines().map(str::to_owned).collect()
    }
}
