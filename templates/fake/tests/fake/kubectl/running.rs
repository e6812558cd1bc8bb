//! kubectl runs commands, attaches and copies.

use super::{Kubectl, each, run};
use crate::processes::local;
use kapigen_fake::streams::Script;
use kapigen_fake::{Action, Fault};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use test_support::folder::Folder;

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Runs a test with each kubectl that knows WebSockets.
fn each_of_web_sockets(test: fn(&Kubectl)) {
    let mut left = crate::clients::kubectl().unwrap_or_default();
    left.retain(|program| {
        let output = Command::new(program).args(["version", "--client", "-o", "json"]).output();
        let version: Value =
            serde_json::from_slice(&output.expect("kubectl").stdout).expect("JSON");
        let minor = version["clientVersion"]["minor"].as_str().expect("a version");
        minor.trim_end_matches('+').parse::<u32>().expect("a number") >= 30
    });
    for program in left {
        run(program, test);
    }
}

/// Runs a command of a shell in the pod.
fn shell(
    kubectl: &Kubectl,
    flags: &[&str],
    command: &str,
    input: &str,
) -> (Option<i32>, String, String) {
    let arguments = [&["exec"], flags, &["web", "--", "sh", "-c", command]].concat();
    texts(&kubectl.output(&arguments, input))
}

#[test]
fn runs_commands() {
    each_of_web_sockets(|kubectl| {
        kubectl.listener.server.on_exec(local);
        let ended = shell(kubectl, &[], "echo out; echo err >&2; exit 3", "");
        let code = "command terminated with exit code 3\n";
        assert_eq!(ended, (Some(3), "out\n".to_owned(), format!("err\n{code}")));
        let input = "line\n".repeat(100_000);
        let (code, output, errors) = shell(kubectl, &["-i"], "cat; echo end", &input);
        assert_eq!((code, &*errors), (Some(0), ""));
        assert!(output == format!("{input}end\n"), "{} bytes", output.len());
        let missing = kubectl.refused(&["exec", "web", "--", "/nope"], "");
        assert!(missing.contains("fork/exec /nope: no such file or directory"), "{missing}");
    });
}

/// In a terminal, which the program `script` has.
#[test]
#[cfg(target_os = "linux")]
fn runs_commands_in_a_terminal() {
    each_of_web_sockets(|kubectl| {
        kubectl.listener.server.on_exec(local);
        let kubectl = kubectl.command(&["exec", "-it", "web", "--", "sh", "-c", "cat; exit 4"]);
        let words = [kubectl.get_program()].into_iter().chain(kubectl.get_args());
        let line = words.map(|word| format!("'{}'", word.to_str().expect("UTF-8")));
        let line = line.collect::<Vec<_>>().join(" ");
        let mut script = Command::new("script");
        script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
        script.envs(kubectl.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = child else { return };
        // Ctrl-D is no end of the input: the process reads it.
        let mut input = child.stdin.take().expect("an input");
        input.write_all(b"typed\n").expect("a terminal");
        let mut output = child.stdout.take().expect("an output");
        let (mut text, mut byte) = (Vec::new(), [0]);
        while !text.ends_with(b"typed\n") && output.read(&mut byte).expect("a terminal") > 0 {
            text.extend_from_slice(&byte);
        }
        let text = String::from_utf8(text).expect("UTF-8");
        assert!(text.contains("resized "), "{text}");
        drop(input);
        child.kill().and_then(|()| child.wait()).expect("an end");
    });
}

#[test]
fn attaches() {
    each_of_web_sockets(|kubectl| {
        kubectl.listener.server.on_attach(|process| {
            Script::default().stdout("hello\n").echo().stderr("bye\n").run(process)
        });
        let (code, output, errors) = texts(&kubectl.output(&["attach", "-i", "web"], "typed\n"));
        assert_eq!((code, &*output), (Some(0), "hello\ntyped\n"), "{errors}");
        assert!(errors.ends_with("bye\n"), "{errors}");
    });
}

#[test]
fn copies_both_ways() {
    each_of_web_sockets(|kubectl| {
        kubectl.listener.server.on_exec(local);
        let folder = Folder::new(env!("CARGO_TARGET_TMPDIR"), "copied");
        let path = |name: &str| folder.0.join(name).display().to_string();
        let bytes: Vec<u8> = (0..250_000u32).flat_map(u32::to_le_bytes).collect();
        fs::create_dir_all(folder.0.join("here/inner")).expect("a folder");
        fs::write(folder.0.join("here/inner/file"), &bytes).expect("a file");
        fs::create_dir_all(folder.0.join("there")).expect("a folder");
        kubectl.run(&["cp", &path("here/inner"), &format!("web:{}", path("there"))]);
        assert!(fs::read(folder.0.join("there/inner/file")).expect("a copy") == bytes);
        kubectl.run(&["cp", &format!("web:{}", path("there/inner")), &path("back")]);
        assert!(fs::read(folder.0.join("back/file")).expect("a copy") == bytes);
    });
}

/// kubectl asks by WebSocket and then by SPDY, and shows the second refusal.
#[test]
fn shows_the_first_cause() {
    each(|kubectl| {
        let refused = |arguments: &[&str]| kubectl.refused(arguments, "");
        let exec = ["exec", "web", "--", "date"];
        let mut found = vec![refused(&exec)];
        kubectl.listener.server.on_exec(local);
        let forbidden = Action::Refuse(http::StatusCode::FORBIDDEN, None);
        let exec_alone =
            |request: &http::Request<bytes::Bytes>| request.uri().path().ends_with("/exec");
        kubectl.listener.server.inject(Fault::new(forbidden).when(exec_alone).times(1));
        found.push(refused(&exec));
        kubectl.listener.server.on_forward(|forwarded| forwarded.to("127.0.0.1:1"));
        found.push(refused(&["port-forward", "web", ":80"]));
        let spdy = "the fake server speaks v5.channel.k8s.io and v4.channel.k8s.io over WebSockets, \
                    forwards v4.channel.k8s.io alone, and no SPDY";
        let expected = [
            "Error from server (BadRequest): pod web does not have a host assigned\n".to_owned(),
            "Error from server (Forbidden): injected: 403 Forbidden\n".to_owned(),
            format!("error: error upgrading connection: {spdy}\n"),
        ];
        assert_eq!(found, expected);
        let mut old = kubectl.command(&exec);
        let old = old.env("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false").output().expect("kubectl");
        assert_eq!(texts(&old).2, format!("Error from server (BadRequest): {spdy}\n"));
    });
}
