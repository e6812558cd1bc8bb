//! Bodies with randomly changed bytes, and random bytes on a socket.

use crate::bodies::body;
use crate::testing::{get, pod, server, time, whole};
use allocation_counter::measure;
use http::{Request, StatusCode};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

const PODS: &str = "/api/v1/namespaces/default/pods";

/// Pieces that have a meaning in JSON, or none.
const PIECES: &[&[u8]] = &[
    b"",
    b" ",
    b"\n",
    b"\0",
    b"\x1f",
    b"\xff",
    b"\xc3\xa9",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\"",
    b"\\",
    b"\\u0061",
    b"\\ud800",
    b"null",
    b"true",
    b"-",
    b"-0",
    b"1e5",
    b"1e999",
    b"0.1",
    b"18446744073709551616",
    b"{}",
    b"[]",
    b"\"\"",
    b"\"name\":null,",
    b"\"name\":\"a\",",
];

/// Changes of some bytes: their position, their number, and the bytes that replace them.
fn edits() -> impl Strategy<Value = Vec<(Index, usize, &'static [u8])>> {
    proptest::collection::vec(
        (any::<Index>(), prop_oneof![3 => 0..3usize, 1 => 0..200usize], select(PIECES)),
        1..4,
    )
}

fn edited(text: &str, edits: &[(Index, usize, &[u8])]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, length, piece) in edits {
        let at = at.index(bytes.len() + 1);
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, piece.iter().copied());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_is_created_can_be_read((path, text) in body(), edits in edits()) {
        let server = server();
        let request = Request::post(path).body(edited(&text, &edits)).expect("a request");
        let (code, created) = whole(server.handle(request, time(0)));
        if code == StatusCode::CREATED {
            let name = created["metadata"]["name"].as_str().expect("a name");
            let (_, list) = get(&server, path);
            let item = &list["items"][0];
            prop_assert_eq!(&created, &get(&server, &format!("{path}/{name}")).1);
            prop_assert_eq!(&item["metadata"], &created["metadata"]);
        }
    }
}

/// The most memory that a create may take, as a multiple of the size of its body. Small elements of
/// lists take the most: each becomes a tree of members and a set of managed fields.
const MULTIPLE: u64 = 100;

#[test]
fn creates_take_a_small_multiple_of_their_bodies() {
    let body = |case: &str| {
        let many =
            |part: &dyn Fn(usize) -> String| (0..20_000).map(part).collect::<Vec<_>>().join(",");
        let spec = match case {
            "elements" => {
                format!(r#""containers":[{}]"#, many(&|index| format!(r#"{{"name":"c{index}"}}"#)))
            }
            "entries" => {
                format!(r#""nodeSelector":{{{}}}"#, many(&|index| format!(r#""k{index}":"v""#)))
            }
            "spaces" => format!(r#""nodeName":{}"a""#, " ".repeat(1_000_000)),
            "unfinished" => {
                format!(r#""containers":[{}"#, many(&|index| format!(r#"{{"name":"c{index}","#)))
            }
            _ => format!(r#""nodeName":"{}""#, "\\n".repeat(500_000)),
        };
        format!(r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a"}},"spec":{{{spec}}}}}"#)
    };
    let [created, invalid, malformed] = [201, 422, 400];
    let cases = ["elements", "entries", "spaces", "unfinished", "escapes"];
    for (case, is_checked) in cases.into_iter().flat_map(|case| [(case, true), (case, false)]) {
        let server = server();
        // Its tables are made at the first use.
        let first = pod("first").to_string();
        let _ = server.handle(Request::post(PODS).body(first).expect("a request"), time(0));
        server.built_in_rules(is_checked);
        let body = body(case);
        let size = body.len() as u64;
        let request = Request::post(PODS).body(body).expect("a request");
        let expected = match case {
            "unfinished" => malformed,
            _ if is_checked => invalid,
            _ => created,
        };
        let used = measure(|| {
            let reply = server.handle(request, time(0));
            assert_eq!(reply.response.status(), expected, "{case}");
        });
        let used = used.bytes_max;
        println!("{case}, {expected}: {used} for {size}");
        assert!(used < size * MULTIPLE, "{case}, {expected}: {used} bytes for a body of {size}");
    }
}

/// Bytes of a connection, and whether they begin with a whole request.
fn on_socket() -> impl Strategy<Value = (Vec<u8>, bool)> {
    let line = select(
        &[
            "GET /api/v1/pods HTTP/1.1\r\n",
            "POST /api/v1/pods HTTP/1.1\r\n",
            "GET /x HTTP/9\r\n",
            "",
        ][..],
    );
    let header = select(
        &[
            "content-length: 5\r\n\r\n",
            "content-length: 99999999999999999999\r\n\r\n",
            "transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n",
            "transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "expect: 100-continue\r\n\r\n",
            "\r\n",
            "",
        ][..],
    );
    let bytes = proptest::collection::vec(any::<u8>(), 0..60);
    (line, header, bytes).prop_map(|(line, header, bytes)| {
        let is_whole = line.ends_with("HTTP/1.1\r\n")
            && (header == "\r\n"
                || header.starts_with("content-length: 5\r\n") && bytes.len() >= 5);
        ([line.as_bytes(), header.as_bytes(), &bytes].concat(), is_whole)
    })
}

#[test]
fn random_bytes_on_a_socket_end_one_connection_alone() {
    let server = server();
    let listening = server.listen("127.0.0.1:0").expect("a socket");
    let connect = || {
        let stream = TcpStream::connect(listening.address()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        stream
    };
    let exchange = |bytes: &[u8], is_whole: bool| {
        let mut stream = connect();
        // The server may have closed it already.
        let _ = stream.write_all(bytes);
        let mut response = vec![0; "HTTP/1.1 200".len()];
        if is_whole {
            stream.read_exact(&mut response).expect("a response");
            return response;
        }
        let _ = stream.shutdown(Shutdown::Write);
        response.clear();
        if let Err(error) = stream.read_to_end(&mut response) {
            // No time limit: the connection ends.
            let kinds =
                [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe, ErrorKind::NotConnected];
            assert!(kinds.contains(&error.kind()), "{error}: {}", String::from_utf8_lossy(bytes));
        }
        response
    };
    let config = ProptestConfig { cases: 100, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let run = runner.run(&on_socket(), |(bytes, is_whole)| {
        let response = exchange(&bytes, is_whole);
        // Without a response the task of the connection panicked.
        prop_assert!(
            !is_whole || response.starts_with(b"HTTP/1.1 "),
            "{}",
            String::from_utf8_lossy(&response)
        );
        let response = exchange(b"GET /version HTTP/1.1\r\n\r\n", true);
        prop_assert!(response == b"HTTP/1.1 200", "{}", String::from_utf8_lossy(&response));
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}
