//! A proxy on this machine that spoils responses.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// An end of a request that goes wrong.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// None.
    None,
    /// The connection ends before the request has arrived.
    Refused,
    /// The request arrives after this time.
    Delay(Duration),
    /// The connection ends after so many bytes of the response.
    Cut(usize),
    /// The same, with a reset.
    Reset(usize),
    /// The connection stays open after so many bytes, and silent.
    Silence(usize),
    /// A few bytes at a time.
    Slow,
    /// This in place of a response.
    Bytes(&'static [u8]),
    /// The same, and then this for ever.
    Endless(&'static [u8], &'static [u8]),
}

/// Passes requests on, and spoils the response to the first, the second and so on by the given
/// faults.
pub struct Proxy {
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    server: SocketAddr,
    /// The fault of the response to the first request, the second and so on.
    plan: Box<dyn Fn(usize) -> Fault + Send + Sync>,
    requests: Mutex<Vec<String>>,
    sent: AtomicUsize,
}

impl Proxy {
    pub fn start(server: SocketAddr, faults: &[Fault]) -> Self {
        let faults = faults.to_vec();
        Self::with_plan(server, move |index| faults.get(index).copied().unwrap_or(Fault::None))
    }

    pub fn with_plan(
        server: SocketAddr,
        plan: impl Fn(usize) -> Fault + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Mutex::default();
        let sent = AtomicUsize::new(0);
        let shared = Arc::new(Shared { server, plan: Box::new(plan), requests, sent });
        let behind = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&behind);
                // An error is the end of this connection alone.
                thread::spawn(move || shared.serve(stream).is_ok());
            }
        });
        Self { url, shared }
    }

    /// The first lines of all requests.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// The bytes that the clients took, and those in the buffers of the sockets.
    pub fn sent(&self) -> usize {
        self.shared.sent.load(Ordering::Relaxed)
    }
}

impl Shared {
    fn serve(&self, mut client: TcpStream) -> std::io::Result<()> {
        client.set_nodelay(true)?;
        let request = read_request(&mut client)?;
        let fault = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.lines().next().unwrap_or_default().to_owned());
            (self.plan)(requests.len() - 1)
        };
        match fault {
            Fault::Refused => Ok(()),
            Fault::Delay(time) => {
                thread::sleep(time);
                self.pass_on(client, &request, fault)
            }
            Fault::Bytes(bytes) => self.write(&mut client, bytes),
            Fault::Endless(bytes, rest) => {
                self.write(&mut client, bytes)?;
                loop {
                    self.write(&mut client, rest)?;
                }
            }
            _ => self.pass_on(client, &request, fault),
        }
    }

    fn pass_on(&self, mut client: TcpStream, request: &str, fault: Fault) -> std::io::Result<()> {
        let mut server = TcpStream::connect(self.server)?;
        server.write_all(request.replacen("\r\n", "\r\nconnection: close\r\n", 1).as_bytes())?;
        let mut left = match fault {
            Fault::Cut(bytes) | Fault::Reset(bytes) | Fault::Silence(bytes) => bytes,
            _ => usize::MAX,
        };
        let mut buffer = [0; 8192];
        while left > 0 {
            let size = buffer.len().min(left).min(if matches!(fault, Fault::Slow) {
                16
            } else {
                usize::MAX
            });
            let count = server.read(&mut buffer[..size])?;
            if count == 0 {
                return Ok(());
            }
            self.write(&mut client, &buffer[..count])?;
            left -= count;
            if matches!(fault, Fault::Slow) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        match fault {
            Fault::Reset(_) => socket2::SockRef::from(&client).set_linger(Some(Duration::ZERO))?,
            // Until the client ends the connection.
            Fault::Silence(_) => drop(client.read(&mut buffer)?),
            _ => client.shutdown(Shutdown::Both)?,
        }
        Ok(())
    }

    fn write(&self, client: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
        client.write_all(bytes)?;
        self.sent.fetch_add(bytes.len(), Ordering::Relaxed);
        Ok(())
    }
}

/// A request with its body.
fn read_request(client: &mut TcpStream) -> std::io::Result<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let mut request = String::from_utf8(head).map_err(std::io::Error::other)?;
    let length = request
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .and_then(|text| text.parse().ok());
    client.take(length.unwrap_or(0)).read_to_string(&mut request)?;
    Ok(request)
}
