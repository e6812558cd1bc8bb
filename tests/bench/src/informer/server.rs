//! A server that has nothing but pods: it lists them page by page, and then changes them.

use crate::inputs::Input;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

const NAME: &str = "@name@";
const VERSION: &str = "@version@";
/// The number of different pods. The others differ from one of them in name and version.
const TEMPLATES: usize = 300;
/// The version of the list.
const LISTED: usize = 1_000_000_000;

pub struct Server {
    pub url: String,
}

struct Cluster {
    templates: Vec<String>,
    pods: usize,
    changes: usize,
}

impl Server {
    /// A server with so many pods, which changes so many times. Its threads run until the program
    /// ends.
    pub fn start(pods: usize, changes: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let templates = Input::Pods.templates(TEMPLATES, NAME, VERSION);
        let cluster = Arc::new(Cluster { templates, pods, changes });
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let cluster = Arc::clone(&cluster);
                // An error is the end of a program.
                thread::spawn(move || cluster.serve(stream).is_ok());
            }
        });
        Self { url }
    }
}

impl Cluster {
    fn serve(&self, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let uri = line.split(' ').nth(1).unwrap_or_default().to_owned();
            while line != "\r\n" {
                line.clear();
                reader.read_line(&mut line)?;
            }
            if uri.contains("watch=true") {
                self.watch(reader.get_mut())?;
            } else {
                self.page(reader.get_mut(), &uri)?;
            }
        }
    }

    fn pod(&self, index: usize, version: usize) -> String {
        let template = &self.templates[index % self.templates.len()];
        template.replace(NAME, &format!("web-{index}")).replace(VERSION, &version.to_string())
    }

    fn page(&self, stream: &mut TcpStream, uri: &str) -> io::Result<()> {
        let parameter = |name: &str| -> Option<usize> {
            let value = uri
                .split(['?', '&'])
                .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
            value.parse().ok()
        };
        let first = parameter("continue").unwrap_or_default();
        let end = self.pods.min(first + parameter("limit").unwrap_or(self.pods));
        let token = if end < self.pods { end.to_string() } else { String::new() };
        let items: Vec<String> = (first..end).map(|index| self.pod(index, index + 1)).collect();
        let metadata = format!(r#"{{"resourceVersion":"{LISTED}","continue":"{token}"}}"#);
        let head =
            format!(r#"{{"kind":"PodList","apiVersion":"v1","metadata":{metadata},"items":["#);
        let body = format!("{head}{}]}}\n", items.join(","));
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ";
        stream.write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes())
    }

    /// Sends all changes, and then waits for the end of the program.
    fn watch(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")?;
        for change in 0..self.changes {
            // Pods change in no order of theirs, and each about as often.
            let pod = self.pod(change * 7919 % self.pods, LISTED + change + 1);
            let members = pod.strip_prefix('{').expect("a pod is an object");
            let start = r#"{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","#;
            let line = format!("{start}{members}}}\n");
            stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes())?;
        }
        stream.read(&mut [0]).map(drop)
    }
}
