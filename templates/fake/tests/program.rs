//! The program `kapigen-fake`: it serves, and refuses unusable input.

use kapigen_runtime::streams::{CLOSE, Frame, Frames, STATUS, STDERR, STDIN, STDOUT, random_key};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kapigen-fake");
const WIDGETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/widgets.yaml");
/// Documents in YAML, beside other files.
const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec");

/// A running server, which ends with this value.
struct Running {
    child: Child,
    /// The lines after the announcement.
    #[cfg_attr(not(unix), allow(dead_code))] // where it cannot be ended by a signal
    lines: Lines<BufReader<ChildStdout>>,
    serving: String,
    address: String,
    kubeconfig: PathBuf,
}

impl Running {
    fn start(name: &str, arguments: &[&str]) -> Self {
        Self::start_at(&temporary(&format!("{name}.kubeconfig")), arguments)
    }

    fn start_at(kubeconfig: &Path, arguments: &[&str]) -> Self {
        let kubeconfig = kubeconfig.to_owned();
        let mut command = Command::new(PROGRAM);
        command.args(["--listen", "127.0.0.1:0", "--kubeconfig"]).arg(&kubeconfig).args(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program");
        let mut lines = BufReader::new(child.stdout.take().expect("an output")).lines();
        let mut line = || lines.next().expect("a line").expect("a line");
        let serving = line();
        let address = line().strip_prefix("Listening on http://").expect("a URL").to_owned();
        let path = kubeconfig.display();
        let expected = if cfg!(windows) {
            format!("$env:KUBECONFIG='{path}'")
        } else {
            format!("export KUBECONFIG={path}")
        };
        assert_eq!(line(), expected);
        Self { child, lines, serving, address, kubeconfig }
    }

    /// The status code and the body of a response.
    fn send(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        self.send_with("", method, path, body)
    }

    fn send_with(&self, header: &str, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: fake\r\n{header}connection: close\r\ncontent-type: \
             application/json\r\ncontent-length: {length}"
        );
        write!(stream, "{head}\r\n\r\n{body}").expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a response");
        let code = text.split(' ').nth(1).expect("a status code").parse().expect("a number");
        (code, text.split_once("\r\n\r\n").expect("a body").1.to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        self.child.wait().expect("an end");
    }
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Waits for a program to exit, which it must.
fn ended(child: &mut Child) -> ExitStatus {
    for _ in 0..600 {
        if let Some(status) = child.try_wait().expect("a status") {
            return status;
        }
        thread::sleep(Duration::from_millis(50));
    }
    drop(child.kill());
    panic!("the program does not end");
}

/// Runs the program, which must fail, and returns its exit code and its errors.
fn refused(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let status = ended(&mut child);
    let Output { stderr, stdout, .. } = child.wait_with_output().expect("the output");
    assert_eq!(String::from_utf8_lossy(&stdout), "");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

#[test]
fn serves_documents_definitions_and_objects() {
    let server = Running::start("objects", &["--documents", SPEC, "--objects", WIDGETS]);
    let loaded = " OpenAPI documents, 1 custom resource definition and 2 objects";
    assert!(server.serving.ends_with(loaded), "{}", server.serving);
    assert_eq!(server.send("GET", "/api/v1/namespaces/default/pods/web", "").0, 200);
    let (code, widget) =
        server.send("GET", "/apis/example.com/v1/namespaces/default/widgets/wheel", "");
    assert!(code == 200 && widget.contains(r#""replicas":1"#), "{widget}");
    assert_eq!(server.send("GET", "/apis/image.openshift.io/v1/images", "").0, 200);
    assert_eq!(
        server.send("GET", "/apis/coordination.k8s.io/v1/namespaces/default/leases", "").0,
        200
    );
    let kubeconfig = fs::read_to_string(&server.kubeconfig).expect("a kubeconfig");
    assert!(
        kubeconfig.contains(&format!("\"server\": \"http://{}\"", server.address)),
        "{kubeconfig}"
    );
}

#[test]
fn requests_need_the_token() {
    let server = Running::start("token", &["--documents", SPEC, "--token", "a \"secret\""]);
    let (code, body) = server.send("GET", "/api/v1/pods", "");
    assert!(code == 401 && body.contains(r#""reason":"Unauthorized""#), "{body}");
    assert_eq!(
        server.send_with("authorization: Bearer another\r\n", "GET", "/api/v1/pods", "").0,
        401
    );
    assert_eq!(
        server.send_with("authorization: Bearer a \"secret\"\r\n", "GET", "/api/v1/pods", "").0,
        200
    );
    let kubeconfig = fs::read_to_string(&server.kubeconfig).expect("a kubeconfig");
    assert!(kubeconfig.contains(r#""token": "a \"secret\"""#), "{kubeconfig}");
}

#[test]
fn objects_of_built_in_kinds_are_checked_unless_a_flag_says_otherwise() {
    let pod = r#"{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": []}}"#;
    for (arguments, expected) in
        [(&["--documents", SPEC][..], 422), (&["--documents", SPEC, "--no-built-in-rules"], 201)]
    {
        let server = Running::start(&format!("rules-{expected}"), arguments);
        let (code, body) = server.send("POST", "/api/v1/namespaces/default/pods", pod);
        assert_eq!(code, expected, "{body}");
    }
}

/// The permissions of a file.
#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[test]
#[cfg(unix)]
fn only_the_user_reads_a_kubeconfig() {
    let folder = temporary("secrets");
    fs::create_dir_all(&folder).expect("a folder");
    let mut command = Command::new(PROGRAM);
    command
        .args(["--listen", "127.0.0.1:0", "--token", "secret"])
        .env("TMPDIR", &folder)
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("an output")).lines();
    let line = lines.nth(2).expect("a line").expect("a line");
    let path = PathBuf::from(line.strip_prefix("export KUBECONFIG=").expect("a path"));
    assert!(
        path.starts_with(&folder) && fs::read_to_string(&path).expect("a file").contains("secret")
    );
    assert_eq!(mode(&path), 0o600);
    assert!(
        Command::new("kill")
            .args(["-s", "TERM", &child.id().to_string()])
            .status()
            .expect("kill")
            .success()
    );
    assert!(child.wait().expect("an end").success());
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0, "it ends with the program");

    let named = Running::start("mode", &["--token", "secret"]);
    assert_eq!(mode(&named.kubeconfig), 0o600);
}

#[test]
fn replaces_no_file_but_its_own() {
    let folder = temporary("replaced");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("kubeconfig");
    let path = file.to_str().expect("a path");
    let start = |arguments: &[&str]| {
        refused(&[&["--listen", "127.0.0.1:0", "--kubeconfig", path], arguments].concat()).1
    };
    for foreign in [
        "apiVersion: v1\nkind: Config\nclusters: []\n",
        "{\"kind\":\"Config\",\"clusters\":[]}",
        "notes",
    ] {
        fs::write(&file, foreign).expect("a file");
        let error = start(&[]);
        assert!(
            error.starts_with(&format!(
                "error: `{path}` exists and is not a kubeconfig of kapigen-fake\n"
            )),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&file).expect("a file"), foreign);
    }
    // A server that cannot start changes nothing.
    fs::write(&file, " \n").expect("a file");
    start(&["--objects", "absent.yaml"]);
    assert_eq!(fs::read_to_string(&file).expect("a file"), " \n");
    for _ in 0..2 {
        let served = Running::start_at(&file, &[]);
        let kubeconfig = fs::read_to_string(&file).expect("a kubeconfig");
        assert!(kubeconfig.contains(&served.address), "{kubeconfig}");
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "no draft stays");
}

/// Files of other kinds than regular ones, by name: a folder, links, a pipe and a socket. The last
/// one is to be kept, or the socket is gone.
#[cfg(unix)]
fn odd_files(name: &str) -> (Vec<PathBuf>, UnixListener) {
    let folder = temporary(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(folder.join("folder")).expect("a folder");
    let [pipe, socket] = ["pipe", "socket"].map(|name| folder.join(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    // The path of a socket is short, wherever the tests run.
    let near = std::env::temp_dir().join(format!("kapigen-fake-{}-{name}", std::process::id()));
    drop(fs::remove_file(&near));
    let listener = UnixListener::bind(&near).expect("a socket");
    fs::rename(&near, &socket).expect("a socket");
    fs::write(folder.join("own"), "").expect("a file");
    for (target, link) in [("own", "link"), ("absent", "dangling"), ("/dev/null", "device")] {
        std::os::unix::fs::symlink(target, folder.join(link)).expect("a link");
    }
    let names = ["folder", "pipe", "socket", "link", "dangling", "device"];
    (names.iter().map(|name| folder.join(name)).collect(), listener)
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_replaced() {
    let (files, _listener) = odd_files("odd-outputs");
    for file in files {
        let path = file.to_str().expect("a path");
        let before = fs::symlink_metadata(&file).expect("a file").file_type();
        let (code, error) = refused(&["--listen", "127.0.0.1:0", "--kubeconfig", path]);
        let is_refused = error.starts_with(&format!("error: `{path}` is "))
            && error.ends_with("help: name a regular file\n");
        assert!(code == Some(1) && is_refused, "{error}");
        assert_eq!(fs::symlink_metadata(&file).expect("a file").file_type(), before);
    }
    let folder = temporary("odd-outputs");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 7, "no draft stays");
    assert_eq!(fs::read(folder.join("own")).expect("a file"), b"", "behind a link");
}

#[test]
#[cfg(unix)]
fn devices_sockets_and_silent_pipes_are_not_read() {
    let (files, _listener) = odd_files("odd-inputs");
    let silent = files[1].to_str().expect("a path");
    let odd = [files[2].to_str().expect("a path"), "/dev/zero", "/dev/null"];
    for flag in ["--documents", "--objects"] {
        for path in odd {
            let (code, error) = refused(&["--listen", "127.0.0.1:0", flag, path]);
            let expected = format!("error: `{path}` is no regular file\n");
            assert!(code == Some(1) && error.starts_with(&expected), "{error}");
        }
        let (_, error) = refused(&["--listen", "127.0.0.1:0", flag, silent]);
        assert_eq!(error, format!("error: nothing writes to the pipe `{silent}`\n"));
    }
    // Pipes in folders are skipped.
    let hidden = files[0].join("pipe.yaml");
    fs::rename(silent, &hidden).expect("a pipe");
    let folder = files[0].to_str().expect("a path");
    let (_, error) = refused(&["--listen", "127.0.0.1:0", "--documents", folder]);
    let expected = format!("error: `{}` is no regular file\n", hidden.display());
    assert!(error.starts_with(&expected), "{error}");
}

#[test]
#[cfg(unix)]
fn pipes_are_read_within_a_limit() {
    let (files, _listener) = odd_files("pipes");
    let pipe = files[1].clone();
    let path = pipe.to_str().expect("a path").to_owned();
    let write = |pieces: Vec<Vec<u8>>| {
        let pipe = pipe.clone();
        thread::spawn(move || {
            let mut pipe = fs::OpenOptions::new().write(true).open(pipe).expect("a pipe");
            // The reader may be gone.
            let is_taken = |piece: Vec<u8>| pipe.write_all(&piece).is_ok();
            pieces.into_iter().all(is_taken)
        })
    };
    let definition = definition_with_status("pipes", "null");
    let writer = write(definition.as_bytes().chunks(100).map(<[u8]>::to_vec).collect());
    // It waits for a reader by then, or the pipe is one that nothing writes to.
    thread::sleep(Duration::from_millis(500));
    let server = Running::start("pipe", &["--objects", &path]);
    assert!(server.serving.contains("1 custom resource definition"), "{}", server.serving);
    assert!(writer.join().expect("a writer"));
    let writer = write(vec![vec![b' '; 1 << 20]; 80]);
    thread::sleep(Duration::from_millis(500));
    let (_, error) = refused(&["--listen", "127.0.0.1:0", "--objects", &path]);
    assert_eq!(error, format!("error: `{path}` has more than 64 MiB\n"));
    assert!(!writer.join().expect("a writer"), "the rest is not read");
}

/// A definition as controller-gen and `kubectl get` write it, with this status.
fn definition_with_status(plural: &str, status: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: \
         {plural}.example.com}}\nspec:\n  group: example.com\n  scope: Cluster\n  names: {{plural: \
         {plural}, kind: {}}}\n  versions:\n  - {{name: v1, served: true, storage: true, schema: \
         {{openAPIV3Schema: {{type: object}}}}}}\nstatus: {status}\n",
        plural.to_uppercase()
    )
}

#[test]
fn folders_of_definitions_with_a_status_are_served() {
    let folder = temporary("definitions");
    fs::create_dir_all(&folder).expect("a folder");
    let statuses = [
        r#"{acceptedNames: {kind: "", plural: ""}, conditions: [], storedVersions: []}"#,
        r#"{acceptedNames: {kind: AS, plural: as}, storedVersions: [v0, v1], conditions: [{type: Established, status: "False", lastTransitionTime: "2020-01-01T00:00:00Z", reason: a, message: b}]}"#,
        "{conditions: null, storedVersions: null}",
        "null",
    ];
    for (status, plural) in statuses.iter().zip(["as", "bs", "cs", "ds"]) {
        let text = definition_with_status(plural, status);
        fs::write(folder.join(format!("{plural}.yaml")), text).expect("a file");
    }
    let server = Running::start("definitions", &["--documents", folder.to_str().expect("a path")]);
    assert!(server.serving.contains("4 custom resource definitions"), "{}", server.serving);
    for plural in ["as", "bs", "cs", "ds"] {
        assert_eq!(server.send("GET", &format!("/apis/example.com/v1/{plural}"), "").0, 200);
        let path =
            format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.example.com");
        let (_, found) = server.send("GET", &path, "");
        assert!(found.contains(r#""storedVersions":["v1"]"#), "{found}");
        assert!(found.contains(r#""status":"True","type":"Established""#), "{found}");
    }
}

#[test]
fn tokens_that_no_header_has_are_refused() {
    for token in ["", " a", "a ", "\u{e4}", "a\nb"] {
        let (code, error) = refused(&["--token", token]);
        assert!(code == Some(2) && error.contains("a token has printable ASCII"), "{error}");
    }
}

/// Anything quadratic would take hours.
#[test]
fn many_lists_are_read_in_one_pass() {
    let file = temporary("lists.yaml");
    fs::write(&file, "kind: List\nitems: []\n---\n".repeat(40_000)).expect("a file");
    let server = Running::start("lists", &["--objects", file.to_str().expect("a path")]);
    assert_eq!(
        server.serving,
        "Serving the kinds of Kubernetes 1.36, 0 custom resource definitions and 0 objects"
    );
}

#[test]
fn collects_garbage() {
    let server = Running::start("garbage", &["--objects", WIDGETS, "--documents", SPEC]);
    let path = "/apis/example.com/v1/namespaces/default/widgets/wheel";
    assert_eq!(server.send("DELETE", path, r#"{"propagationPolicy":"Foreground"}"#).0, 200);
    assert_eq!(server.send("GET", path, "").0, 404);
}

/// Sends a signal to a program.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &id]).status().expect("kill").success());
}

#[test]
#[cfg(unix)]
fn ends_at_a_signal() {
    for name in ["TERM", "INT", "HUP"].into_iter().filter(|name| !is_ignored(name)) {
        let mut server = Running::start("signal", &[]);
        signal(&server.child, name);
        assert_eq!(ended(&mut server.child).code(), Some(0), "{name}");
        assert!(server.lines.next().is_none());
        assert!(server.kubeconfig.exists(), "a file that the user named stays");
    }
}

/// Whether the tests were started with this signal ignored, as by `nohup`, which programs inherit.
#[cfg(unix)]
fn is_ignored(signal: &str) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    let number = ["HUP", "INT"].iter().position(|name| *name == signal);
    number.is_some_and(|number| mask >> number & 1 == 1)
}

/// Starts the program with its kubeconfig in a folder for temporary files, by a command of a shell
/// around it. Returns the line that makes a shell use it.
#[cfg(unix)]
fn start_in(folder: &Path, command: &str) -> (Child, BufReader<ChildStdout>, String) {
    fs::create_dir_all(folder).expect("a folder");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{command} exec \"$0\" --listen 127.0.0.1:0"), PROGRAM]);
    shell.env("TMPDIR", folder).stdout(Stdio::piped());
    let mut child = shell.spawn().expect("the program");
    let mut output = BufReader::new(child.stdout.take().expect("an output"));
    let mut line = String::new();
    while !line.starts_with("export ") {
        line.clear();
        assert!(output.read_line(&mut line).expect("a line") > 0);
    }
    (child, output, line)
}

#[test]
#[cfg(unix)]
fn a_hangup_leaves_no_file_unless_it_is_ignored() {
    let folder = temporary("hangup");
    drop(fs::remove_dir_all(&folder));
    if !is_ignored("HUP") {
        let (mut child, _output, _) = start_in(&folder, "");
        signal(&child, "HUP");
        assert!(ended(&mut child).success());
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
    }
    if cfg!(target_os = "linux") {
        let (mut child, _output, _) = start_in(&folder, "trap '' HUP;");
        signal(&child, "HUP");
        thread::sleep(Duration::from_millis(500));
        assert!(child.try_wait().expect("a status").is_none(), "as `nohup` starts it");
        signal(&child, "TERM");
        assert!(ended(&mut child).success());
    }
}

#[test]
#[cfg(unix)]
fn shells_read_the_path_of_the_kubeconfig() {
    for name in ["plain", "a b", "it's $HOME `x` \"y\" \\", "~;&"] {
        let folder = temporary("shells").join(name);
        drop(fs::remove_dir_all(&folder));
        let (mut child, _output, line) = start_in(&folder, "");
        let script = format!("{line}printf %s \"$KUBECONFIG\"");
        let output = Command::new("sh").args(["-c", &script]).output().expect("sh");
        let path = PathBuf::from(String::from_utf8(output.stdout).expect("a path"));
        assert!(path.starts_with(&folder) && path.is_file(), "{line}");
        signal(&child, "TERM");
        ended(&mut child);
    }
}

/// The end comes in a fraction of the time that the same request takes.
#[test]
#[cfg(unix)]
fn a_signal_does_not_wait_for_a_request() {
    use std::time::Instant;

    let alternatives: Vec<_> = (0..60).map(|index| format!("{{pattern: '^a{index}$'}}")).collect();
    let schema = format!(
        "{{type: object, properties: {{list: {{type: array, items: {{type: string, anyOf: \
         [{}]}}}}}}}}",
        alternatives.join(", ")
    );
    let definition = definition_with_status("longs", "null").replace("{type: object}", &schema);
    let file = temporary("long.yaml");
    fs::write(&file, definition).expect("a file");
    let mut server = Running::start("long", &["--objects", file.to_str().expect("a path")]);
    let list = vec!["\"a59\""; 200_000].join(",");
    let body = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"LONGS","metadata":{{"name":"a"}},"list":[{list}]}}"#
    );
    let path = "/apis/example.com/v1/longs?dryRun=All";
    let start = Instant::now();
    server.send("POST", path, &body);
    let whole = start.elapsed();
    let mut stream = TcpStream::connect(&server.address).expect("a connection");
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: fake\r\ncontent-type: application/json\r\ncontent-length: \
         {length}"
    );
    write!(stream, "{head}\r\n\r\n{body}").expect("a request");
    thread::sleep(whole / 10);
    let start = Instant::now();
    signal(&server.child, "TERM");
    assert!(ended(&mut server.child).success());
    assert!(start.elapsed() < whole / 2, "{:?} of {whole:?}", start.elapsed());
}

#[test]
fn errors_name_the_flag_or_the_file() {
    let (code, error) = refused(&["--port", "8001"]);
    assert!(code == Some(2) && error.contains("unexpected argument '--port'"), "{error}");
    let (code, error) = refused(&["--listen", "nowhere"]);
    assert!(code == Some(1) && error.starts_with("error: cannot listen on `nowhere`: "), "{error}");
    let (code, error) = refused(&["--listen", "127.0.0.1:0", "--kubeconfig", "absent/kubeconfig"]);
    assert!(
        code == Some(1) && error.starts_with("error: cannot write `absent/kubeconfig`: "),
        "{error}"
    );
}

#[test]
fn shells_complete_the_arguments() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output =
            Command::new(PROGRAM).args(["completions", shell]).output().expect("the program");
        let script = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && script.contains("kapigen-fake"), "{script}");
        assert!(script.contains("kubeconfig"), "{shell} does not know the arguments: {script}");
    }
    let (code, error) = refused(&["--token", "a", "completions", "bash"]);
    assert!(code == Some(2) && error.contains("cannot be used with"), "{error}");
}

#[test]
fn all_errors_are_reported_at_once() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let address = taken.local_addr().expect("an address").to_string();
    let notes = temporary("notes.yaml");
    fs::write(&notes, "kind: Note\napiVersion: v1\n").expect("a file");
    let empty = temporary("empty");
    fs::create_dir_all(&empty).expect("a folder");
    let [notes, empty] = [&notes, &empty].map(|path| path.to_str().expect("a path"));
    let arguments = ["--documents", notes, empty, "--objects", "absent.yaml", "--listen", &address];
    let (code, error) = refused(&arguments);
    assert_eq!(code, Some(1), "{error}");
    for expected in [
        &format!(
            "error: {notes}:1:1: this is neither an OpenAPI document nor a \
             CustomResourceDefinition\n"
        ),
        &format!(
            "error: {empty}: there is neither an OpenAPI document nor a CustomResourceDefinition in \
             this folder\n"
        ),
        "error: cannot read `absent.yaml`: ",
        &format!("error: cannot listen on `{address}`: "),
        "  help: another program listens there; `--listen 127.0.0.1:0` takes any free port\n",
    ] {
        assert!(error.contains(expected), "no {expected:?} in {error}");
    }
}

#[test]
fn errors_name_the_refused_object() {
    let file = temporary("refused.yaml");
    let path = file.to_str().expect("a path");
    for (text, problem) in [
        ("a: [", ": invalid YAML: "),
        ("kind: Pod", ":1:1: an object needs `apiVersion` and `kind`\n"),
        ("---\n[1, 2]", ":2:1: expected an object, found a list\n"),
        (
            "{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n{apiVersion: a.io/v1, kind: A}",
            ":3:1: the server has no kind A of a.io/v1: add its document with `--documents`, or \
             its definition with `--objects`\n",
        ),
        (
            "kind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n- \
             {apiVersion: v1, kind: Pod, metadata: {}}",
            ":4:3: Pod \"\" is invalid: metadata.name: Required value",
        ),
        (
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: \
             {name: a}}",
            ":1:1: CustomResourceDefinition.apiextensions.k8s.io \"a\" is invalid: ",
        ),
    ] {
        fs::write(&file, text).expect("a file");
        let (code, error) =
            refused(&["--listen", "127.0.0.1:0", "--documents", SPEC, "--objects", path]);
        assert!(
            code == Some(1) && error.contains(&format!("refused.yaml{problem}")),
            "{text}: {error}"
        );
    }
}

#[test]
fn definitions_may_follow_their_objects() {
    let widgets = fs::read_to_string(WIDGETS).expect("a file");
    let mut documents: Vec<&str> = widgets.split("---\n").collect();
    documents.reverse();
    let file = temporary("reversed.yaml");
    fs::write(&file, documents.join("\n---\n")).expect("a file");
    let server = Running::start(
        "reversed",
        &["--documents", SPEC, "--objects", file.to_str().expect("a path")],
    );
    assert_eq!(
        server.send("GET", "/apis/example.com/v1/namespaces/default/widgets/wheel", "").0,
        200
    );
}

#[test]
fn clients_add_and_change_kinds() {
    let server = Running::start("kinds", &[]);
    assert_eq!(
        server.serving,
        "Serving the kinds of Kubernetes 1.36, 0 custom resource definitions and 0 objects"
    );
    let definition = |served: &[&str]| {
        let schema = r#"{"openAPIV3Schema":{"type":"object"}}"#;
        let version = |name: &&str| {
            format!(
                r#"{{"name":"{name}","served":true,"storage":{},"schema":{schema}}}"#,
                *name == "v1"
            )
        };
        let versions = format!("[{}]", served.iter().map(version).collect::<Vec<_>>().join(","));
        let names = r#"{"plural":"gears","kind":"Gear"}"#;
        let spec = format!(
            r#"{{"group":"example.com","scope":"Cluster","names":{names},"versions":{versions}}}"#
        );
        let metadata = r#"{"name":"gears.example.com"}"#;
        format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{metadata},"spec":{spec}}}"#
        )
    };
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let (code, created) = server.send("POST", path, &definition(&["v1"]));
    assert_eq!(code, 201, "{created}");
    let (_, found) = server.send("GET", &format!("{path}/gears.example.com"), "");
    assert!(found.contains(r#""type":"Established","status":"True""#), "{found}");
    assert_eq!(server.send("GET", "/apis/example.com/v1/gears", "").0, 200);
    assert_eq!(server.send("GET", "/apis/example.com/v2/gears", "").0, 404);
    let version = found
        .split("\"resourceVersion\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a version");
    let name = r#""name":"gears.example.com""#;
    let changed = definition(&["v1", "v2"])
        .replace(name, &format!(r#"{name},"resourceVersion":"{version}""#));
    assert_eq!(server.send("PUT", &format!("{path}/gears.example.com"), &changed).0, 200);
    assert_eq!(server.send("GET", "/apis/example.com/v2/gears", "").0, 200);
}

#[test]
fn with_the_kind_of_namespaces_objects_need_one_that_exists() {
    let file = temporary("document.json");
    let operation = |group: &str, version: &str, kind: &str| {
        format!(
            r#"{{"x-kubernetes-group-version-kind":{{"group":"{group}","version":"{version}","kind":"{kind}"}}}}"#
        )
    };
    let namespace = operation("", "v1", "Namespace");
    let job = operation("batch", "v1", "Job");
    let namespaces = format!(
        r#""/api/v1/namespaces":{{"get":{namespace},"post":{namespace}}},"/api/v1/namespaces/{{name}}":{{"get":{namespace}}}"#
    );
    let path = "/apis/batch/v1/namespaces/{namespace}/jobs";
    let jobs =
        format!(r#""{path}":{{"get":{job},"post":{job}}},"{path}/{{name}}":{{"get":{job}}}"#);
    fs::write(&file, format!(r#"{{"openapi":"3.0.0","paths":{{{namespaces},{jobs}}}}}"#))
        .expect("a file");
    let server = Running::start("documents", &["--documents", file.to_str().expect("a path")]);
    assert_eq!(server.send("GET", "/api/v1/namespaces/default", "").0, 200);
    let pod = r#"{"restartPolicy":"Never","containers":[{"name":"a","image":"a:1"}]}"#;
    let job = &format!(r#"{{"metadata":{{"name":"a"}},"spec":{{"template":{{"spec":{pod}}}}}}}"#);
    assert_eq!(server.send("POST", "/apis/batch/v1/namespaces/default/jobs", job).0, 201);
    assert_eq!(server.send("POST", "/apis/batch/v1/namespaces/absent/jobs", job).0, 404);
}

/// The output, error output and status of a command in the pod `web`, by WebSocket.
fn exec(server: &Running, command: &str) -> (String, String, Value) {
    let mut stream = TcpStream::connect(&server.address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
    let path = "/api/v1/namespaces/default/pods/web/exec";
    let head = format!(
        "GET {path}?command={command}&stdin=true&stdout=true&stderr=true HTTP/1.1\r\nhost: fake\r\n\
         connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: {}\r\nsec-websocket-protocol: v5.channel.k8s.io\r\n\r\n",
        random_key()
    );
    let mut frames = Frames::client();
    frames.send(STDIN, b"typed");
    frames.send(CLOSE, &[STDIN]);
    stream.write_all(&[head.as_bytes(), frames.output()].concat()).expect("a request");
    let (mut head, mut bytes) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut bytes).expect("a head");
        head.push(bytes[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    let mut channels = [const { Vec::new() }; 4];
    let mut bytes = [0; 1024];
    loop {
        match frames.next_frame().expect("a frame") {
            Some(Frame::Data(channel, bytes)) => {
                channels[usize::from(channel)].extend_from_slice(&bytes);
            }
            Some(_) => break,
            None => {
                let count = stream.read(&mut bytes).expect("a connection");
                frames.feed(&bytes[..count]);
            }
        }
    }
    let text = |channel: u8| String::from_utf8_lossy(&channels[usize::from(channel)]).into_owned();
    (text(STDOUT), text(STDERR), serde_json::from_str(&text(STATUS)).expect("a status"))
}

#[test]
fn scripts_run_in_pods() {
    let (pod, scripts) = (temporary("web.yaml"), temporary("scripts.yaml"));
    let web = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a}]}}";
    fs::write(&pod, web).expect("a file");
    let text = "exec:\n- {command: [date], pod: web, run: [{stdout: noon}, {pause: 1ms}, {stderr: {base64: \
                bGF0ZQ==}}], exit: 3}\n- {command: [cat], run: [echo]}\n- {command: ['true'], run: [read]}\n\
                - {command: [rm], fails: no rm}\nlogs: [{pod: web, text: one}]\n";
    fs::write(&scripts, text).expect("a file");
    let [pod, scripts] = [&pod, &scripts].map(|path| path.to_str().expect("UTF-8"));
    let server = Running::start("scripts", &["--objects", pod, "--scripts", scripts]);
    let (output, errors, status) = exec(&server, "date");
    assert_eq!((&*output, &*errors), ("noon", "late"));
    assert_eq!(status["details"]["causes"][0]["message"], "3");
    assert_eq!(exec(&server, "cat").0, "typed");
    assert_eq!(exec(&server, "true").2["status"], "Success");
    let failed = |command| exec(&server, command).2["message"].to_string();
    assert!(failed("rm").contains("no rm"));
    assert!(failed("who").contains("no script of kapigen-fake fits the command `who` in web"));
    let log = || server.send("GET", "/api/v1/namespaces/default/pods/web/log", "").1;
    assert_eq!(log(), "one");

    let change = |method, body| server.send(method, "/kapigen-fake/scripts", body);
    let added = r#"{"exec": [{"command": ["date"], "run": [{"stdout": "one"}]}], "logs": [{"pod": "web", "text": "one\n"}]}"#;
    assert_eq!(change("POST", added).0, 200);
    assert_eq!(
        (&*exec(&server, "date").0, &*exec(&server, "cat").0, &*log()),
        ("one", "typed", "one\n")
    );
    assert_eq!(change("PUT", "exec: [{run: [{stdout: all}]}]").0, 200);
    assert_eq!(exec(&server, "cat").0, "all");
    let (code, refused) = change("PUT", "exec: [{runs: []}]");
    assert!(code == 400 && refused.contains("1:8: unknown field `runs`"), "{refused}");
    assert_eq!(exec(&server, "cat").0, "all");
    assert_eq!(change("GET", "").0, 405);
}

#[test]
fn wrong_scripts_are_refused() {
    let path = temporary("wrong-scripts.yaml");
    for (text, expected) in [
        ("runs: []", ":1:1: unknown field `runs`"),
        ("exec: [{run: [{stdin: x}]}]", ":1:8: unknown variant `stdin`"),
        ("exec:\n- {run: [{stdout: 7}]}", ":2:3: bytes are a string, or `{base64: …}`"),
        ("exec:\n- {run: [{stdout: {base64: '!'}}]}", ":2:3: bytes are a string"),
        ("exec: [{run: [{pause: 3}]}]", ":1:8: invalid type"),
        ("exec: [{run: [{pause: 3h}]}]", "a pause is such as `500ms`, `2s` or `1m`, and not `3h`"),
        ("exec: [{run: [{pause: 99999999999999999999s}]}]", "a pause is such as"),
        ("exec: [{fails: x, exit: 1}]", "it has neither `run` nor `exit`"),
        ("attach: [{command: [a]}]", "there is no command"),
        ("forward: [{port: 80}]", "a port has one of `to`, `run` and `fails`"),
        ("forward: [{port: 70000, fails: x}]", "invalid value: integer `70000`, expected u16"),
        ("forward: [{run: [{stderr: x}]}]", "a port has no `stderr`"),
        ("logs: [{pod: web, text: x}]", "the log of default/web has no `container`"),
        ("exec: [\n", ":1:7: "),
        ("exec: []\nexec: []", ":2:1: duplicate key `exec`"),
    ] {
        fs::write(&path, text).expect("a file");
        let path = path.to_str().expect("UTF-8");
        let (code, error) = refused(&["--listen", "127.0.0.1:0", "--scripts", path]);
        assert!(code == Some(1) && error.contains(expected), "{text}: {error}");
    }
}
