//! Requests over a socket that clients of the ecosystem do not send, and the end of a socket.

use crate::clients::{Listener, widgets};
use kapigen_fake::Server;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

const PODS: &str = "/api/v1/namespaces/default/pods";

fn connect(listener: &Listener) -> TcpStream {
    let stream = TcpStream::connect(listener.listening.address()).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    stream
}

/// Everything that the server sends after these bytes.
fn exchange(listener: &Listener, bytes: &[u8]) -> String {
    let mut stream = connect(listener);
    // The server may refuse before it read everything.
    drop(stream.write_all(bytes));
    let mut response = Vec::new();
    drop(stream.read_to_end(&mut response));
    String::from_utf8(response).expect("UTF-8")
}

#[test]
fn unreadable_requests_get_a_status_code() {
    let listener = widgets();
    for (request, expected) in [
        ("garbage\r\n\r\n".to_owned(), "400 Bad Request"),
        (format!("GET {PODS} HTTP/1.1\r\na : b\r\n\r\n"), "400 Bad Request"),
        (
            format!("GET {PODS} HTTP/1.1\r\na: {}\r\n\r\n", "b".repeat(500_000)),
            "431 Request Header Fields Too Large",
        ),
        (
            format!("POST {PODS} HTTP/1.1\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"),
            "400 Bad Request",
        ),
        (
            format!("POST {PODS} HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
            "400 Bad Request",
        ),
    ] {
        let response = exchange(&listener, request.as_bytes());
        assert!(
            response.starts_with(&format!("HTTP/1.1 {expected}\r\n")),
            "{request:.80}: {response}"
        );
    }
}

#[test]
fn bodies_that_are_too_large_are_refused_with_a_status() {
    let listener = widgets();
    let head =
        format!("POST {PODS} HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\n");
    let large = "x".repeat(10 << 20);
    let sized = format!("{head}content-length: {}\r\n\r\n{large}", large.len());
    let chunked = format!(
        "{head}transfer-encoding: chunked\r\n\r\n{:x}\r\n{large}\r\n0\r\n\r\n",
        large.len()
    );
    for request in [sized, chunked] {
        let response = exchange(&listener, request.as_bytes());
        assert!(response.starts_with("HTTP/1.1 413 Payload Too Large\r\n"), "{response}");
        assert!(
            response.contains(r#""message":"Request entity too large: limit is 3145728""#),
            "{response}"
        );
    }
}

#[test]
fn bodies_that_end_early_change_nothing() {
    let listener = widgets();
    let version = listener.server.version();
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"cut"},"spec":{"containers":[{"name":"a","image":"i"}]}}"#;
    for (body, is_whole) in [
        (format!("content-length: {}\r\n\r\n{pod}", pod.len() + 1), false),
        (format!("transfer-encoding: chunked\r\n\r\n{:x}\r\n{pod}\r\n", pod.len()), false),
        (format!("transfer-encoding: chunked\r\n\r\n{:x}\r\n{pod}\r\n0\r\n\r\n", pod.len()), true),
    ] {
        let head = format!(
            "POST {PODS} HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\n"
        );
        let mut stream = connect(&listener);
        stream.write_all(format!("{head}{body}").as_bytes()).expect("a request");
        if !is_whole {
            stream.shutdown(Shutdown::Write).expect("an end");
        }
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("the end of the connection");
        assert_eq!(response.starts_with("HTTP/1.1 201 Created\r\n"), is_whole, "{response}");
        assert_eq!(listener.server.version() != version, is_whole, "{body}");
    }
}

#[test]
fn a_connection_serves_one_request_after_the_other() {
    let listener = widgets();
    let mut stream = connect(&listener);
    for _ in 0..2 {
        write!(stream, "HEAD /readyz HTTP/1.1\r\n\r\n").expect("a request");
    }
    write!(stream, "GET /readyz HTTP/1.1\r\nconnection: close\r\n\r\n").expect("a request");
    let mut responses = String::new();
    stream.read_to_string(&mut responses).expect("responses");
    assert_eq!(responses.matches("HTTP/1.1 200 OK\r\n").count(), 3, "{responses}");
    assert!(
        responses.contains("content-length: 2\r\n") && responses.ends_with("\r\n\r\nok"),
        "{responses}"
    );
}

#[test]
fn the_end_of_a_socket_ends_its_connections_and_frees_its_address() {
    let listener = widgets();
    let mut idle = connect(&listener);
    write!(idle, "HEAD /readyz HTTP/1.1\r\n\r\n").expect("a request");
    BufReader::new(&idle).read_line(&mut String::new()).expect("a response");
    let mut stream = connect(&listener);
    write!(stream, "GET {PODS}?watch=true HTTP/1.1\r\n\r\n").expect("a request");
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).expect("a response");
    assert_eq!(first, "HTTP/1.1 200 OK\r\n");
    let Listener { server, listening } = listener;
    let address = listening.address();
    let requests = server.requests().len();
    drop(listening);
    drop(write!(idle, "GET {PODS} HTTP/1.1\r\n\r\n"));
    drop(idle.read_to_end(&mut Vec::new()));
    assert_eq!(server.requests().len(), requests);
    let mut rest = Vec::new();
    // An end without the last chunk, or a reset.
    drop(reader.read_to_end(&mut rest));
    assert!(!rest.ends_with(b"0\r\n\r\n"), "{}", String::from_utf8_lossy(&rest));
    // A test beside this one may have got the port.
    let mut attempts = 0..10;
    assert!(attempts.any(|_| Server::default().listen(address).is_ok()), "{address} is taken");
}
