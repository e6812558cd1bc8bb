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
    let bytes = read_file(path)
        .map_err(|error| Error::of_file(path, format!("cannot read it: {error}")))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::of_file(path, format!("it has more than {LARGEST} bytes")));
    }
    Ok(bytes)
}

/// The bytes of a file, which are cut if they are too many.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { "a folder" } else { "not a file" };
        return Err(std::io::Error::other(format!("it is {kind}")));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
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
    let mut decoder = Decoder { path, problems: Vec::new() };
    let kubeconfig = decoder.kubeconfig(&root);
    let problems = decoder.located(bytes);
    Error::unless_empty(problems).map(|()| kubeconfig)
}

/// The first document. JSON is read as YAML, which allows more: kubectl does so.
fn document(bytes: &[u8]) -> Result<Value, kapigen_yaml::Error> {
    let yaml = document_as(Format::Yaml, bytes);
    yaml.or_else(|error| document_as(Format::Json, bytes).map_err(|_| error))
}

fn document_as(format: Format, bytes: &[u8]) -> Result<Value, kapigen_yaml::Error> {
    let reader = Reader::new().format(format).size(usize::MAX);
    let document = reader.documents(bytes).next().transpose()?;
    Ok(document.map_or(Value::Null, |found| found.value))
}

/// A value in the file.
struct Node<'a> {
    value: &'a Value,
    pointer: String,
}

/// An object in the file. One that is absent has no members.
#[derive(Default)]
struct Mapping<'a> {
    members: Option<&'a Map<String, Value>>,
    pointer: String,
}

impl<'a> Mapping<'a> {
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.members?.get(name)
    }

    fn pointer(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, escape(name))
    }
}

/// Decodes a kubeconfig, and collects its problems.
struct Decoder<'a> {
    path: &'a Path,
    /// Pointers and messages.
    problems: Vec<(String, String)>,
}

impl Decoder<'_> {
    fn problem(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.problems.push((pointer.into(), message.into()));
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

    fn kubeconfig(&mut self, root: &Value) -> Kubeconfig {
        let root = Node { value: root, pointer: String::new() };
        let root = self.mapping(root, "a kubeconfig").unwrap_or_default();
        let kind = self.string(&root, "kind");
        let version = self.string(&root, "apiVersion");
        if kind.is_some_and(|kind| kind != "Config") || version.is_some_and(|found| found != "v1") {
            self.problem("/kind", "this is no kubeconfig: that is kind `Config` of `v1`");
        }
        self.object(&root, "preferences");
        Kubeconfig {
            current_context: self.stated(&root, "current-context"),
            clusters: self.named(&root, ["clusters", "cluster"], Self::cluster),
            users: self.named(&root, ["users", "user"], Self::user),
            contexts: self.named(&root, ["contexts", "context"], Self::context),
        }
    }

    /// The elements of a list of names and contents.
    fn named<T>(
        &mut self,
        root: &Mapping<'_>,
        [list, member]: [&str; 2],
        decode: fn(&mut Self, &Mapping<'_>) -> T,
    ) -> BTreeMap<String, T> {
        let mut all = BTreeMap::new();
        for element in self.elements(root, list) {
            let Some(element) = self.mapping(element, "an object with a name") else { continue };
            let name = self.string(&element, "name").unwrap_or_default();
            let value = element.get(member).unwrap_or(&Value::Null);
            let content = Node { value, pointer: element.pointer(member) };
            let content = self.mapping(content, "an object").unwrap_or_default();
            let content = decode(self, &content);
            match all.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert(content)),
                Entry::Occupied(entry) => {
                    let message = format!("{list} has another `{}` before it", entry.key());
                    self.problem(element.pointer, message);
                }
            }
        }
        all
    }

    fn cluster(&mut self, cluster: &Mapping<'_>) -> Cluster {
        Cluster {
            origin: Some(self.path.to_owned()),
            server: self.stated(cluster, "server"),
            tls_server_name: self.stated(cluster, "tls-server-name"),
            insecure_skip_tls_verify: self.boolean(cluster, "insecure-skip-tls-verify"),
            certificate_authority: self.beside(cluster, "certificate-authority"),
            certificate_authority_data: self.data(cluster, "certificate-authority-data"),
            proxy_url: self.stated(cluster, "proxy-url").map(Secret::from),
            disable_compression: self.boolean(cluster, "disable-compression"),
            extensions: self.extensions(cluster),
        }
    }

    fn extensions(&mut self, cluster: &Mapping<'_>) -> BTreeMap<String, Value> {
        let mut all = BTreeMap::new();
        for element in self.elements(cluster, "extensions") {
            let Some(element) = self.mapping(element, "an object with a name") else { continue };
            let name = self.string(&element, "name").unwrap_or_default();
            all.insert(name, element.get("extension").cloned().unwrap_or_default());
        }
        all
    }

    fn user(&mut self, user: &Mapping<'_>) -> User {
        let key = self.data(user, "client-key-data");
        User {
            origin: Some(self.path.to_owned()),
            client_certificate: self.beside(user, "client-certificate"),
            client_certificate_data: self.data(user, "client-certificate-data"),
            client_key: self.beside(user, "client-key"),
            client_key_data: key.map(|key| String::from_utf8_lossy(&key).into_owned().into()),
            token: self.stated(user, "token").map(Secret::from),
            token_file: self.beside(user, "tokenFile"),
            username: self.stated(user, "username"),
            password: self.stated(user, "password").map(Secret::from),
            impersonate: self.stated(user, "as"),
            impersonate_uid: self.stated(user, "as-uid"),
            impersonate_groups: self.strings(user, "as-groups"),
            impersonate_extra: self.impersonate_extra(user),
            auth_provider: self.auth_provider(user),
            exec: self.exec(user),
        }
    }

    fn impersonate_extra(&mut self, user: &Mapping<'_>) -> BTreeMap<String, Vec<String>> {
        let extra = self.object(user, "as-user-extra").unwrap_or_default();
        let names = extra.members.into_iter().flat_map(Map::keys);
        names.map(|name| (name.clone(), self.strings(&extra, name))).collect()
    }

    fn auth_provider(&mut self, user: &Mapping<'_>) -> Option<String> {
        let provider = self.object(user, "auth-provider")?;
        Some(self.string(&provider, "name").unwrap_or_default())
    }

    fn exec(&mut self, user: &Mapping<'_>) -> Option<Exec> {
        let exec = self.object(user, "exec")?;
        let mut env = Vec::new();
        for element in self.elements(&exec, "env") {
            let Some(variable) = self.mapping(element, "an object") else { continue };
            let name = self.string(&variable, "name").unwrap_or_default();
            if name.is_empty() {
                self.problem(variable.pointer.as_str(), "a variable of a plugin has no name");
            }
            env.push((name, self.string(&variable, "value").unwrap_or_default().into()));
        }
        let command = self.string(&exec, "command").unwrap_or_default();
        Some(Exec {
            api_version: self.string(&exec, "apiVersion").unwrap_or_default(),
            command: self.command(command),
            args: self.strings(&exec, "args"),
            env,
            install_hint: self.stated(&exec, "installHint"),
            provide_cluster_info: self.boolean(&exec, "provideClusterInfo").unwrap_or_default(),
            interactive_mode: self.interactive_mode(&exec),
        })
    }

    fn interactive_mode(&mut self, exec: &Mapping<'_>) -> Option<InteractiveMode> {
        match self.string(exec, "interactiveMode")?.as_str() {
            "" => None,
            "Never" => Some(InteractiveMode::Never),
            "IfAvailable" => Some(InteractiveMode::IfAvailable),
            "Always" => Some(InteractiveMode::Always),
            _ => {
                let message = "`interactiveMode` is `Never`, `IfAvailable` or `Always`";
                self.problem(exec.pointer("interactiveMode"), message);
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

    fn context(&mut self, context: &Mapping<'_>) -> Context {
        Context {
            origin: Some(self.path.to_owned()),
            cluster: self.string(context, "cluster"),
            user: self.string(context, "user"),
            namespace: self.stated(context, "namespace"),
        }
    }

    /// A value that is expected to be an object. None if it is another one, or null.
    fn mapping<'v>(&mut self, node: Node<'v>, expected: &str) -> Option<Mapping<'v>> {
        match node.value {
            Value::Object(members) => {
                Some(Mapping { members: Some(members), pointer: node.pointer })
            }
            Value::Null => None,
            _ => {
                self.problem(node.pointer, format!("expected {expected}"));
                None
            }
        }
    }

    /// The object that is a member of another one.
    fn object<'v>(&mut self, parent: &Mapping<'v>, name: &str) -> Option<Mapping<'v>> {
        let node = Node { value: parent.get(name)?, pointer: parent.pointer(name) };
        self.mapping(node, &format!("an object as `{name}`"))
    }

    /// The elements of the list that is a member of an object.
    fn elements<'v>(&mut self, parent: &Mapping<'v>, name: &str) -> Vec<Node<'v>> {
        let pointer = parent.pointer(name);
        match parent.get(name) {
            Some(Value::Array(elements)) => elements
                .iter()
                .enumerate()
                .map(|(index, value)| Node { value, pointer: format!("{pointer}/{index}") })
                .collect(),
            None | Some(Value::Null) => Vec::new(),
            Some(_) => {
                self.problem(pointer, format!("expected a list as `{name}`"));
                Vec::new()
            }
        }
    }

    fn string(&mut self, parent: &Mapping<'_>, name: &str) -> Option<String> {
        let kind = match parent.get(name)? {
            Value::String(text) => return Some(text.clone()),
            Value::Null => return None,
            Value::Bool(_) => "a boolean of YAML: quote it",
            Value::Number(_) => "a number: quote it",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        let message = format!("expected a string as `{name}`, found {kind}");
        self.problem(parent.pointer(name), message);
        None
    }

    /// A string that is not empty.
    fn stated(&mut self, parent: &Mapping<'_>, name: &str) -> Option<String> {
        self.string(parent, name).filter(|text| !text.is_empty())
    }

    fn strings(&mut self, parent: &Mapping<'_>, name: &str) -> Vec<String> {
        let mut strings = Vec::new();
        for element in self.elements(parent, name) {
            match element.value {
                Value::String(text) => strings.push(text.clone()),
                Value::Null => strings.push(String::new()),
                _ => self.problem(element.pointer, format!("expected strings in `{name}`")),
            }
        }
        strings
    }

    fn boolean(&mut self, parent: &Mapping<'_>, name: &str) -> Option<bool> {
        match parent.get(name)? {
            Value::Bool(value) => Some(*value),
            Value::Null => None,
            _ => {
                let message = format!("expected true or false as `{name}`");
                self.problem(parent.pointer(name), message);
                None
            }
        }
    }

    /// A path, which is relative to the folder of the file.
    fn beside(&mut self, parent: &Mapping<'_>, name: &str) -> Option<PathBuf> {
        self.stated(parent, name).map(|path| self.path_beside(&path))
    }

    fn path_beside(&self, path: &str) -> PathBuf {
        let path = self.path.parent().unwrap_or(Path::new("")).join(path);
        // Without `.`, which is noise in messages.
        path.components().collect()
    }

    /// Bytes in base64, in which line ends are ignored.
    fn data(&mut self, parent: &Mapping<'_>, name: &str) -> Option<Vec<u8>> {
        let text = self.string(parent, name)?;
        let text: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
        let Ok(bytes) = STANDARD.decode(text) else {
            self.problem(parent.pointer(name), format!("`{name}` is not base64"));
            return None;
        };
        Some(bytes).filter(|bytes| !bytes.is_empty())
    }
}
