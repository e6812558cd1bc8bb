//! A server on this machine that sends prepared replies.

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Responds to requests with the given replies, in their order.
pub struct Server {
    pub url: String,
    desk: Arc<Desk>,
    arrived: mpsc::Receiver<Arrived>,
}

/// A request that came over the socket.
pub struct Arrived {
    pub head: Parts,
    pub body: Vec<u8>,
}

struct Desk {
    replies: Mutex<VecDeque<Reply>>,
    arrived: mpsc::Sender<Arrived>,
}

impl Server {
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, arrived) = mpsc::channel();
        let desk = Arc::new(Desk { replies: Mutex::default(), arrived: sender });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        let behind = Arc::clone(&desk);
        std::thread::spawn(move || runtime.block_on(serve(listener, behind)));
        Self { url, desk, arrived }
    }

    pub fn will(&self, reply: Reply) {
        self.desk.replies.lock().unwrap().push_back(reply);
    }

    /// The oldest request that was not looked at yet.
    pub fn arrived(&self) -> Arrived {
        self.arrived.try_recv().expect("nothing was sent")
    }

    /// Method, path and query of all requests that were not looked at yet.
    pub fn lines(&self) -> Vec<String> {
        self.arrived.try_iter().map(|request| request.line()).collect()
    }
}

impl Arrived {
    pub fn line(&self) -> String {
        format!("{} {}", self.head.method, self.head.uri)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

async fn serve(listener: std::net::TcpListener, desk: Arc<Desk>) {
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let desk = Arc::clone(&desk);
        let service = service_fn(move |request| reply(request, Arc::clone(&desk)));
        // Some tests break the connection; the client reports it.
        tokio::spawn(
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).with_upgrades(),
        );
    }
}

async fn reply(request: Request<Incoming>, desk: Arc<Desk>) -> Result<Reply, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes().to_vec();
    // Where the test has ended already, the channel is closed.
    let _ = desk.arrived.send(Arrived { head, body });
    let reply = desk.replies.lock().unwrap().pop_front();
    Ok(reply.unwrap_or_else(|| text(501, "text/plain", "no reply was given for this request")))
}

pub type Reply = Response<Chunks>;

/// The body of a reply, sent piece by piece. An error breaks the connection.
pub struct Chunks {
    pieces: UnboundedReceiver<io::Result<Bytes>>,
    size: SizeHint,
    error: Option<io::Error>,
}

/// The sender of a reply's pieces. Dropping it ends the reply.
pub struct Tap(UnboundedSender<io::Result<Bytes>>);

impl Tap {
    pub fn send(&self, piece: impl AsRef<[u8]>) {
        self.0.send(Ok(Bytes::copy_from_slice(piece.as_ref()))).expect("the client hung up");
    }

    /// Breaks the connection.
    pub fn break_off(self) {
        self.0.send(Err(io::ErrorKind::ConnectionAborted.into())).expect("the client hung up");
    }
}

impl Body for Chunks {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let this = self.get_mut();
        if let Some(error) = this.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        let piece = std::task::ready!(this.pieces.poll_recv(context));
        if let Some(Err(error)) = piece {
            // Once more around, so that the pieces before it are sent.
            this.error = Some(error);
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        self.size
    }
}

/// A reply of JSON that comes in pieces, as the response to a watch does.
pub fn stream() -> (Reply, Tap) {
    let (sender, pieces) = unbounded_channel();
    let mut reply = Response::new(Chunks { pieces, size: SizeHint::default(), error: None });
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    (reply, Tap(sender))
}

/// A reply in one piece.
pub fn text(status: u16, content_type: &'static str, body: impl AsRef<[u8]>) -> Reply {
    let body = Bytes::copy_from_slice(body.as_ref());
    let (sender, pieces) = unbounded_channel();
    let size = SizeHint::with_exact(body.len() as u64);
    sender.send(Ok(body)).unwrap();
    let mut reply = Response::new(Chunks { pieces, size, error: None });
    *reply.status_mut() = StatusCode::from_u16(status).unwrap();
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    reply
}

pub fn json(status: u16, body: &Value) -> Reply {
    // Servers end a response body with a line feed.
    text(status, "application/json", format!("{body}\n"))
}

/// A reply with one more header.
pub fn with(name: &'static str, value: &'static str, mut reply: Reply) -> Reply {
    reply.headers_mut().append(name, HeaderValue::from_static(value));
    reply
}
