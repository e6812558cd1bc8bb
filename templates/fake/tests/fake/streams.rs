//! Processes and ports of pods, in memory and as recorded.

use crate::testing::{pod, server};
use kapigen_client::streams::{Exit, Output};
use kapigen_client::{Client, Error, ErrorKind};
use kapigen_fake::streams::{Process, Script};
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::pods::{self, AttachParams, ExecParams, PortForwardParams};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A server with the pod `web`, and a client of it.
fn running() -> (Server, Client) {
    let server = server();
    server.create(&pod("web")).expect("a pod");
    let client = Client::new(FakeService::new(server.clone()));
    (server, client)
}

fn both(command: &str) -> ExecParams {
    ExecParams::default().command([command]).stdout(true).stderr(true)
}

async fn output(client: &Client, params: &ExecParams) -> Result<Output, Error> {
    let request = pods::get_exec("default", "web", params).expect("a request");
    client.exec(request).await?.output().await
}

/// Runs what a command names.
async fn commands(mut process: Process) -> Result<i32, String> {
    match &*process.command.join(" ") {
        "hello" => {
            let pause = Duration::from_secs(100);
            let script = Script::default().stdout("out\n").pause(pause).stderr("err\n");
            script.exit(3).run(process).await
        }
        "cat" => Script::default().echo().run(process).await,
        "sizes" => {
            let mut stdin = [0];
            while let Some((width, height)) = process.sizes.next().await {
                let line = format!("{width}x{height}\n");
                process
                    .stdout
                    .write_all(line.as_bytes())
                    .await
                    .map_err(|error| error.to_string())?;
                if width == 1 {
                    break;
                }
            }
            let read = process.stdin.read(&mut stdin).await;
            Ok(if read.is_ok_and(|count| count == 1) { i32::from(stdin[0]) } else { -1 })
        }
        other => Err(format!("fork/exec {other}: no such file or directory")),
    }
}

#[tokio::test(start_paused = true)]
async fn processes_write_and_end() {
    let (server, client) = running();
    server.on_exec(commands);
    let ended = output(&client, &both("hello")).await.expect("an output");
    assert_eq!(
        (ended.exit, &*ended.stdout, &*ended.stderr),
        (Exit::Code(3), &b"out\n"[..], &b"err\n"[..])
    );
    let only = ExecParams::default().command(["hello"]).stderr(true);
    let ended = output(&client, &only).await.expect("an output");
    assert_eq!((&*ended.stdout, &*ended.stderr), (&b""[..], &b"err\n"[..]), "what is asked for");
    let terminal = ExecParams::default().command(["hello"]).stdout(true).tty(true);
    let ended = output(&client, &terminal).await.expect("an output");
    assert_eq!((&*ended.stdout, &*ended.stderr), (&b"out\nerr\n"[..], &b""[..]));
    let Exit::Failed(status) = output(&client, &both("/nope")).await.expect("an end").exit else {
        panic!("it ran")
    };
    let why = "error executing command in container: fork/exec /nope: no such file or directory";
    assert!(status.message.as_deref().unwrap_or_default().ends_with(why), "{status:?}");
}

#[tokio::test(start_paused = true)]
async fn processes_read_until_the_end_of_their_input() {
    let (server, client) = running();
    server.on_exec(commands);
    let params = ExecParams::default().command(["cat"]).stdin(true).stdout(true);
    let process =
        client.exec(pods::get_exec("default", "web", &params).unwrap()).await.expect("a process");
    let (mut stdin, mut stdout) = (process.stdin().unwrap(), process.stdout().unwrap());
    let input: Vec<u8> = (0..750_000u32).flat_map(u32::to_le_bytes).collect();
    let write = async {
        stdin.write_all(&input).await.expect("room");
        stdin.shutdown().await.expect("an end");
    };
    let mut read = Vec::new();
    let ((), result) = tokio::join!(write, stdout.read_to_end(&mut read));
    result.expect("an output");
    assert!(read == input && process.wait().await.expect("an end").is_success());
}

#[tokio::test(start_paused = true)]
async fn a_gigabyte_waits_in_bounded_memory_for_a_reader_that_sleeps() {
    let chunk: Arc<[u8]> = (0..=u8::MAX).cycle().take(1 << 16).collect();
    let count = (1 << 30) / chunk.len();
    let written = Arc::new(AtomicUsize::new(0));
    let (server, client) = running();
    let (bytes, sum) = (Arc::clone(&chunk), Arc::clone(&written));
    server.on_exec(move |mut process| {
        let (bytes, sum) = (Arc::clone(&bytes), Arc::clone(&sum));
        async move {
            for _ in 0..count {
                process.stdout.write_all(&bytes).await.map_err(|error| error.to_string())?;
                sum.fetch_add(bytes.len(), Ordering::Relaxed);
            }
            Ok(0)
        }
    });
    let params = ExecParams::default().command(["cat"]).stdout(true);
    let exec = pods::get_exec("default", "web", &params).expect("a request");
    let process = client.exec(exec).await.expect("a process");
    let mut stdout = process.stdout().expect("an output");
    let mut part = vec![0; chunk.len()];
    for read in 0..count {
        if read % (count / 64) == 0 {
            tokio::time::sleep(Duration::from_secs(100)).await;
        }
        stdout.read_exact(&mut part).await.expect("an output");
        assert!(part[..] == chunk[..], "{read}");
        let ahead = written.load(Ordering::Relaxed).saturating_sub((read + 1) * chunk.len());
        assert!(ahead < 2 << 20, "{ahead} bytes are in memory");
    }
    assert_eq!(stdout.read(&mut part).await.expect("an end"), 0);
    assert!(process.was_paused() && process.wait().await.expect("an end").is_success());
}

#[tokio::test(start_paused = true)]
async fn terminals_have_sizes() {
    let (server, client) = running();
    server.on_exec(commands);
    let params = ExecParams::default().command(["sizes"]).stdin(true).stdout(true).tty(true);
    let process =
        client.exec(pods::get_exec("default", "web", &params).unwrap()).await.expect("a process");
    let (mut stdin, mut stdout) = (process.stdin().unwrap(), process.stdout().unwrap());
    for (size, line) in [((80, 24), "80x24\n"), ((1, 2), "1x2\n")] {
        process.resize(size.0, size.1).expect("a session");
        let mut read = vec![0; line.len()];
        stdout.read_exact(&mut read).await.expect("a line");
        assert_eq!(read, line.as_bytes());
    }
    stdin.write_all(&[7]).await.expect("room");
    assert_eq!(process.wait().await.expect("an end"), Exit::Code(7));
}

#[tokio::test(start_paused = true)]
async fn clients_attach_to_what_runs() {
    let (server, client) = running();
    server.on_attach(|process| async move {
        assert!(process.command.is_empty());
        assert_eq!(
            (&*process.namespace, &*process.pod, &*process.container),
            ("default", "web", "main")
        );
        Script::default().stdout("attached\n").run(process).await
    });
    let params = AttachParams::default().stdout(true).stderr(true);
    let attach = pods::get_attach("default", "web", &params).expect("a request");
    let output = client.attach(attach).await.expect("a process").output().await.expect("an end");
    assert_eq!((output.exit, &*output.stdout), (Exit::Code(0), &b"attached\n"[..]));
}

#[tokio::test]
async fn ports_lead_to_functions_and_sockets() {
    let (server, client) = running();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a socket");
    let address = listener.local_addr().expect("an address");
    server.on_forward(move |mut forwarded| async move {
        match forwarded.port {
            80 => {
                let mut bytes = [0; 4];
                let read = forwarded.connection.read_exact(&mut bytes).await;
                read.map_err(|error| error.to_string())?;
                bytes.reverse();
                forwarded.connection.write_all(&bytes).await.map_err(|error| error.to_string())
            }
            81 => forwarded.to(address).await,
            port => Err(format!("nobody listens on {port}")),
        }
    });
    let forward = |port| {
        let params = PortForwardParams::default().ports([port]);
        client.forward(pods::get_port_forward("default", "web", &params).expect("a request"))
    };
    let mut read = Vec::new();
    let mut reversed = forward(80).await.expect("a connection");
    reversed.write_all(b"ping").await.expect("room");
    reversed.read_to_end(&mut read).await.expect("an end");
    assert_eq!(read, b"gnip");

    let mut through = forward(81).await.expect("a connection");
    let (mut socket, _) = listener.accept().await.expect("a connection");
    through.write_all(b"ping").await.expect("room");
    let mut bytes = [0; 4];
    socket.read_exact(&mut bytes).await.expect("bytes");
    socket.write_all(b"pong").await.expect("room");
    drop(socket);
    read.clear();
    through.read_to_end(&mut read).await.expect("an end");
    assert_eq!((bytes, &*read), (*b"ping", &b"pong"[..]));

    let refused = forward(82).await.expect("a connection").read_to_end(&mut read).await;
    assert_eq!(
        refused.expect_err("a refusal").to_string(),
        "the server does not forward: nobody listens on 82"
    );
}

#[tokio::test(start_paused = true)]
async fn streams_can_be_cut() {
    let (server, client) = running();
    server.on_exec(commands);
    let params = ExecParams::default().command(["cat"]).stdin(true).stdout(true);
    let process =
        client.exec(pods::get_exec("default", "web", &params).unwrap()).await.expect("a process");
    let stdin = process.stdin().unwrap();
    server.cut_streams();
    let error = process.wait().await.expect_err("a cut");
    assert!(error.to_string().contains("the connection broke during the session"), "{error}");
    drop(stdin);
}

#[tokio::test(start_paused = true)]
async fn refusals_are_responses() {
    let (server, client) = running();
    let code = |error: Error| match error.kind {
        ErrorKind::Response(kapigen_runtime::Error::Api(error)) => error.code.as_u16(),
        other => panic!("{other:?}"),
    };
    let refused = async |params: &ExecParams| output(&client, params).await.expect_err("a refusal");
    // The pod has no host, and nothing runs.
    let error = refused(&both("hello")).await;
    assert!(error.to_string().contains("pod web does not have a host assigned"), "{error}");
    server.on_exec(commands);
    let other = both("hello").container("side");
    let error = refused(&other).await;
    assert!(error.to_string().contains("container side is not valid for pod web"), "{error}");
    server.inject(Fault::new(Action::Refuse(http::StatusCode::FORBIDDEN, None)).times(1));
    assert_eq!(code(refused(&both("hello")).await), 403);
    let gone = pods::get_exec("default", "gone", &both("hello")).expect("a request");
    assert_eq!(code(client.exec(gone).await.expect_err("no pod")), 404);
}
