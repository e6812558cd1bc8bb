//! From the text of a kubeconfig to its content, and every problem with its line.

use crate::error::{Error, Problem};
use crate::kubeconfig::{Cluster, Context, Exec, InteractiveMode, Kubeconfig, User};
use crate::secret::Secret;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kapigen_yaml::pointer::escape;
use kapigen_yaml::{Format, Reader};
use serde_json::{Map, Value};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file that is read. Kubeconfigs of hundreds of clusters are far smaller.
const LARGEST: u64 = 16 << 20;

impl Kubeconfig {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no kubeconfig. A file without content is an empty one.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = file(path)?;
        Self::parse(&bytes, path)
    }

    /// Reads the content of a file, which has this path.
    ///
    /// # Errors
    /// When it is no kubeconfig.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        kubeconfig(bytes, path)
    }

    /// Reads files, and merges them as kubectl does: the first one that sets a value wins, and the
    /// first cluster, user or context of a name counts whole. Files that do not exist are skipped.
    ///
    /// # Errors
    /// When files cannot be read, or are no kubeconfigs: the problems of all.
    pub fn read_all<P: AsRef<Path>>(paths: &[P]) -> Result<Self, Error> {
        let mut merged = Self::default();
        let mut problems: Vec<Problem> = Vec::new();
        for path in paths.iter().map(AsRef::as_ref) {
            if is_missing(path) {
                continue;
            }
            match Self::read(path) {
                Ok(file) => merged.add(file),
                Err(error) => problems.extend_from_slice(error.problems()),
            }
        }
        Error::unless_empty(problems).map(|()| merged)
    }
}

/// Whether there is no such file. A path that cannot be looked at is not missing.
pub(crate) fn is_missing(path: &Path) -> bool {
    use std::io::ErrorKind::NotFound;
    path.symlink_metadata().is_err_and(|error| error.kind() == NotFound)
}

/// The bytes of a file. Devices, pipes and folders are not read.
pub(crate) fn file(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |error: std::io::Error| Error::of_file(path, format!("cannot read it: {error}"));
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { "a folder" } else { "not a file" };
        return Err(Error::of_file(path, format!("cannot read it: it is {kind}")));
    }
    let mut bytes = Vec::new();
    let opened = File::open(path).map_err(failed)?;
    opened.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::of_file(path, format!("it has more than {LARGEST} bytes")));
    }
    Ok(bytes)
}

/// The content of a file with this path.
pub(crate) fn kubeconfig(bytes: &[u8], path: &Path) -> Result<Kubeconfig, Error> {
    let root = match document(bytes) {
        Ok(Value::Null) => return Ok(Kubeconfig::default()),
        Ok(value) => value,
        Err(error) => {
            let line = error.position().map(|position| position.line);
            let file = Some(path.to_owned());
            return Err(Problem { file, line, message: error.message().to_owned() }.into());
        }
    };
    let mut parser = Parser { path, problems: Vec::new() };
    let found = parser.root(&root);
    let problems = parser.located(bytes);
    Error::unless_empty(problems).map(|()| found)
}

/// The first document. JSON is read as YAML, which allows more: kubectl does so.
fn document(bytes: &[u8]) -> Result<Value, kapigen_yaml::Error> {
    let first = |format| {
        let reader = Reader::new().format(format).size(usize::MAX);
        let document = reader.documents(bytes).next();
        document.transpose().map(|document| document.map_or(Value::Null, |found| found.value))
    };
    first(Format::Yaml).or_else(|error| first(Format::Json).map_err(|_| error))
}

/// A part of the file, and where it is.
struct Node<'a> {
    value: &'a Value,
    pointer: String,
}

struct Parser<'a> {
    path: &'a Path,
    /// Pointers and messages.
    problems: Vec<(String, String)>,
}

impl Parser<'_> {
    fn problem(&mut self, pointer: &str, message: impl Into<String>) {
        self.problems.push((pointer.to_owned(), message.into()));
    }

    /// The problems with their lines.
    fn located(self, bytes: &[u8]) -> Vec<Problem> {
        let pointers: BTreeSet<&str> =
            self.problems.iter().map(|(pointer, _)| pointer.as_str()).collect();
        let reader = Reader::new().format(Format::Yaml);
        let places = reader.positions(bytes, 1, &pointers);
        let located = self.problems.iter().map(|(pointer, message)| Problem {
            file: Some(self.path.to_owned()),
            line: places.get(pointer).map(|place| place.start().line),
            message: message.clone(),
        });
        located.collect()
    }

    fn root(&mut self, root: &Value) -> Kubeconfig {
        let root = Node { value: root, pointer: String::new() };
        let Some(members) = self.members(&root, "a kubeconfig") else {
            return Kubeconfig::default();
        };
        let kind = self.string(&root, members, "kind");
        let version = self.string(&root, members, "apiVersion");
        let is_other = |found: Option<&str>, wanted| found.is_some_and(|found| found != wanted);
        if is_other(kind.as_deref(), "Config") || is_other(version.as_deref(), "v1") {
            self.problem("/kind", "this is no kubeconfig: that is kind `Config` of `v1`");
        }
        self.object(&root, members, "preferences");
        Kubeconfig {
            current_context: self.string(&root, members, "current-context").filter(is_stated),
            clusters: self.named(&root, members, ["clusters", "cluster"], Self::cluster),
            users: self.named(&root, members, ["users", "user"], Self::user),
            contexts: self.named(&root, members, ["contexts", "context"], Self::context),
        }
    }

    /// The elements of a list of names and contents.
    fn named<T>(
        &mut self,
        root: &Node<'_>,
        members: &Map<String, Value>,
        [list, member]: [&str; 2],
        parse: fn(&mut Self, &Node<'_>) -> T,
    ) -> BTreeMap<String, T> {
        let mut all = BTreeMap::new();
        for element in self.elements(root, members, list) {
            let Some(fields) = self.members(&element, "an object with a name") else { continue };
            let name = self.string(&element, fields, "name").unwrap_or_default();
            let pointer = format!("{}/{member}", element.pointer);
            let content =
                parse(self, &Node { value: fields.get(member).unwrap_or(&Value::Null), pointer });
            match all.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert(content)),
                Entry::Occupied(entry) => {
                    let message = format!("{list} has another `{}` before it", entry.key());
                    self.problem(&element.pointer, message);
                }
            }
        }
        all
    }

    fn cluster(&mut self, node: &Node<'_>) -> Cluster {
        let origin = Some(self.path.to_owned());
        let Some(members) = self.members(node, "an object") else {
            return Cluster { origin, ..Cluster::default() };
        };
        Cluster {
            origin,
            server: self.string(node, members, "server").filter(is_stated),
            tls_server_name: self.string(node, members, "tls-server-name").filter(is_stated),
            insecure_skip_tls_verify: self.boolean(node, members, "insecure-skip-tls-verify"),
            certificate_authority: self.beside(node, members, "certificate-authority"),
            certificate_authority_data: self.data(node, members, "certificate-authority-data"),
            proxy_url: self.string(node, members, "proxy-url").filter(is_stated).map(Secret::from),
            disable_compression: self.boolean(node, members, "disable-compression"),
            extensions: self.extensions(node, members),
        }
    }

    fn extensions(
        &mut self,
        node: &Node<'_>,
        members: &Map<String, Value>,
    ) -> BTreeMap<String, Value> {
        let mut all = BTreeMap::new();
        for element in self.elements(node, members, "extensions") {
            let Some(fields) = self.members(&element, "an object with a name") else { continue };
            let name = self.string(&element, fields, "name").unwrap_or_default();
            all.insert(name, fields.get("extension").cloned().unwrap_or_default());
        }
        all
    }

    fn user(&mut self, node: &Node<'_>) -> User {
        let origin = Some(self.path.to_owned());
        let Some(members) = self.members(node, "an object") else {
            return User { origin, ..User::default() };
        };
        let key = self.data(node, members, "client-key-data");
        User {
            origin,
            client_certificate: self.beside(node, members, "client-certificate"),
            client_certificate_data: self.data(node, members, "client-certificate-data"),
            client_key: self.beside(node, members, "client-key"),
            client_key_data: key.map(|key| String::from_utf8_lossy(&key).into_owned().into()),
            token: self.string(node, members, "token").filter(is_stated).map(Secret::from),
            token_file: self.beside(node, members, "tokenFile"),
            username: self.string(node, members, "username").filter(is_stated),
            password: self.string(node, members, "password").filter(is_stated).map(Secret::from),
            impersonate: self.string(node, members, "as").filter(is_stated),
            impersonate_uid: self.string(node, members, "as-uid").filter(is_stated),
            impersonate_groups: self.strings(node, members, "as-groups"),
            impersonate_extra: self.extra(node, members),
            auth_provider: self.auth_provider(node, members),
            exec: self.exec(node, members),
        }
    }

    fn extra(
        &mut self,
        node: &Node<'_>,
        members: &Map<String, Value>,
    ) -> BTreeMap<String, Vec<String>> {
        let Some(extra) = self.object(node, members, "as-user-extra") else {
            return BTreeMap::new();
        };
        let Some(fields) = extra.value.as_object() else { return BTreeMap::new() };
        fields.keys().map(|name| (name.clone(), self.strings(&extra, fields, name))).collect()
    }

    fn auth_provider(&mut self, node: &Node<'_>, members: &Map<String, Value>) -> Option<String> {
        let provider = self.object(node, members, "auth-provider")?;
        let fields = provider.value.as_object()?;
        Some(self.string(&provider, fields, "name").unwrap_or_default())
    }

    fn exec(&mut self, node: &Node<'_>, members: &Map<String, Value>) -> Option<Exec> {
        let exec = self.object(node, members, "exec")?;
        let fields = exec.value.as_object()?;
        let mut env = Vec::new();
        for element in self.elements(&exec, fields, "env") {
            let Some(pair) = self.members(&element, "an object") else { continue };
            let name = self.string(&element, pair, "name").unwrap_or_default();
            if name.is_empty() {
                self.problem(&element.pointer, "a variable of a plugin has no name");
            }
            env.push((name, self.string(&element, pair, "value").unwrap_or_default().into()));
        }
        let command = self.string(&exec, fields, "command").unwrap_or_default();
        Some(Exec {
            api_version: self.string(&exec, fields, "apiVersion").unwrap_or_default(),
            command: self.command(command),
            args: self.strings(&exec, fields, "args"),
            env,
            install_hint: self.string(&exec, fields, "installHint").filter(is_stated),
            provide_cluster_info: self
                .boolean(&exec, fields, "provideClusterInfo")
                .unwrap_or_default(),
            interactive_mode: self.interactive_mode(&exec, fields),
        })
    }

    fn interactive_mode(
        &mut self,
        exec: &Node<'_>,
        fields: &Map<String, Value>,
    ) -> Option<InteractiveMode> {
        match self.string(exec, fields, "interactiveMode")?.as_str() {
            "" => None,
            "Never" => Some(InteractiveMode::Never),
            "IfAvailable" => Some(InteractiveMode::IfAvailable),
            "Always" => Some(InteractiveMode::Always),
            _ => {
                let message = "`interactiveMode` is `Never`, `IfAvailable` or `Always`";
                self.problem(&format!("{}/interactiveMode", exec.pointer), message);
                None
            }
        }
    }

    /// A command with a separator is relative to the folder of the file.
    fn command(&self, command: String) -> String {
        if command.contains(std::path::is_separator) {
            self.path_beside(&command).to_string_lossy().into_owned()
        } else {
            command
        }
    }

    fn context(&mut self, node: &Node<'_>) -> Context {
        let origin = Some(self.path.to_owned());
        let Some(members) = self.members(node, "an object") else {
            return Context { origin, ..Context::default() };
        };
        Context {
            origin,
            cluster: self.string(node, members, "cluster"),
            user: self.string(node, members, "user"),
            namespace: self.string(node, members, "namespace").filter(is_stated),
        }
    }

    /// The members of an object. Null has none.
    fn members<'v>(&mut self, node: &Node<'v>, wanted: &str) -> Option<&'v Map<String, Value>> {
        match node.value {
            Value::Object(members) => Some(members),
            Value::Null => None,
            _ => {
                self.problem(&node.pointer, format!("expected {wanted}"));
                None
            }
        }
    }

    fn object<'v>(
        &mut self,
        node: &Node<'_>,
        members: &'v Map<String, Value>,
        name: &str,
    ) -> Option<Node<'v>> {
        let value = members.get(name)?;
        let found = Node { value, pointer: pointer(node, name) };
        self.members(&found, &format!("an object as `{name}`")).map(|_| found)
    }

    fn elements<'v>(
        &mut self,
        node: &Node<'_>,
        members: &'v Map<String, Value>,
        name: &str,
    ) -> Vec<Node<'v>> {
        let pointer = pointer(node, name);
        match members.get(name) {
            Some(Value::Array(elements)) => {
                let element =
                    |(index, value)| Node { value, pointer: format!("{pointer}/{index}") };
                elements.iter().enumerate().map(element).collect()
            }
            None | Some(Value::Null) => Vec::new(),
            Some(_) => {
                self.problem(&pointer, format!("expected a list as `{name}`"));
                Vec::new()
            }
        }
    }

    fn string(
        &mut self,
        node: &Node<'_>,
        members: &Map<String, Value>,
        name: &str,
    ) -> Option<String> {
        let kind = match members.get(name)? {
            Value::String(text) => return Some(text.clone()),
            Value::Null => return None,
            Value::Bool(_) => "a boolean of YAML: quote it",
            Value::Number(_) => "a number: quote it",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.problem(&pointer(node, name), format!("expected a string as `{name}`, found {kind}"));
        None
    }

    fn strings(
        &mut self,
        node: &Node<'_>,
        members: &Map<String, Value>,
        name: &str,
    ) -> Vec<String> {
        let mut strings = Vec::new();
        for element in self.elements(node, members, name) {
            match element.value {
                Value::String(text) => strings.push(text.clone()),
                Value::Null => strings.push(String::new()),
                _ => self.problem(&element.pointer, format!("expected strings in `{name}`")),
            }
        }
        strings
    }

    fn boolean(
        &mut self,
        node: &Node<'_>,
        members: &Map<String, Value>,
        name: &str,
    ) -> Option<bool> {
        match members.get(name)? {
            Value::Bool(value) => Some(*value),
            Value::Null => None,
            _ => {
                self.problem(&pointer(node, name), format!("expected true or false as `{name}`"));
                None
            }
        }
    }

    /// A path beside the file.
    fn beside(
        &mut self,
        node: &Node<'_>,
        members: &Map<String, Value>,
        name: &str,
    ) -> Option<PathBuf> {
        self.string(node, members, name).filter(is_stated).map(|path| self.path_beside(&path))
    }

    fn path_beside(&self, path: &str) -> PathBuf {
        let path = self.path.parent().unwrap_or(Path::new("")).join(path);
        // Without `.`, which is noise in messages.
        path.components().collect()
    }

    /// Bytes in base64, in which line ends are ignored.
    fn data(
        &mut self,
        node: &Node<'_>,
        members: &Map<String, Value>,
        name: &str,
    ) -> Option<Vec<u8>> {
        let text = self.string(node, members, name)?;
        let text: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
        let Ok(bytes) = STANDARD.decode(text) else {
            self.problem(&pointer(node, name), format!("`{name}` is not base64"));
            return None;
        };
        Some(bytes).filter(|bytes| !bytes.is_empty())
    }
}

fn pointer(node: &Node<'_>, name: &str) -> String {
    format!("{}/{}", node.pointer, escape(name))
}

#[expect(clippy::ptr_arg, reason = "for `Option::filter`")]
fn is_stated(text: &String) -> bool {
    !text.is_empty()
}
