//! Containers that send archives to write elsewhere, to fill memory, or without end.

use super::*;
use kapigen_client::copy::CopyError;
use std::os::unix::fs::symlink;
use std::sync::{Arc, Mutex};
use tar::{EntryType, Header};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// An archive of any members.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    /// Adds a member. Neither names nor targets are checked.
    fn member(mut self, kind: EntryType, name: &str, target: &str, content: &[u8]) -> Self {
        let header = header(kind, name, target, content.len() as u64);
        self.0.extend_from_slice(header.as_bytes());
        self.0.extend_from_slice(content);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
        self
    }

    fn folder(self, name: &str) -> Self {
        self.member(EntryType::Directory, name, "", b"")
    }

    fn file(self, name: &str) -> Self {
        self.member(EntryType::Regular, name, "", b"evil")
    }

    fn link(self, name: &str, target: &str) -> Self {
        self.member(EntryType::Symlink, name, target, b"")
    }

    fn end(mut self) -> Vec<u8> {
        self.0.extend_from_slice(&[0; 1024]);
        self.0
    }
}

fn header(kind: EntryType, name: &str, target: &str, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(0o4755);
    header.set_size(size);
    let fields = header.as_old_mut();
    fields.name[..name.len()].copy_from_slice(name.as_bytes());
    fields.linkname[..target.len()].copy_from_slice(target.as_bytes());
    header.set_cksum();
    header
}

/// A container with a shell that sends an archive, and then repeats its last bytes `repeats` times.
fn sending(archive: Vec<u8>, repeats: usize) -> (Server, Client) {
    let archive: Arc<[u8]> = archive.into();
    running(move |mut process| {
        let archive = Arc::clone(&archive);
        async move {
            let failed = |error: std::io::Error| error.to_string();
            process.stdout.write_all(&archive).await.map_err(failed)?;
            let last = vec![archive[archive.len() - 1]; 64 << 10];
            for _ in 0..repeats {
                process.stdout.write_all(&last).await.map_err(failed)?;
            }
            let nonce = process.command.last().cloned().unwrap_or_default();
            process.stdout.write_all(format!("\n{nonce}\n").as_bytes()).await.map_err(failed)?;
            process.stderr.write_all(format!("\n{nonce} 0\n").as_bytes()).await.map_err(failed)?;
            let _ = process.stdin.read(&mut [0; 10]).await;
            Ok(0)
        }
    })
}

/// The error of a copy, which leaves nothing.
async fn refused(name: &str, archive: Vec<u8>) -> CopyError {
    let root = folder(&format!("hostile-{name}"));
    root.put("outside", "safe");
    let (_server, client) = sending(archive, 0);
    let copied = from(&client, Path::new("/app"), &root.0.join("app")).await;
    let error = copied.expect_err(name);
    assert_eq!(names(&root.0), ["outside"], "{name}: {error}");
    assert_eq!(fs::read(root.0.join("outside")).expect("a file"), b"safe", "{name}");
    error
}

#[tokio::test]
async fn paths_and_links_that_leave_the_folder_are_refused() {
    let top = || Bytes::default().folder("./app/");
    let cases = [
        ("absolute", top().file("/app/x"), "`/app/x` is not copied: its path is absolute"),
        (
            "parent",
            top().file("./app/../outside"),
            "`./app/../outside` is not copied: its path leaves the folder",
        ),
        ("other", top().file("./apple"), "`./apple` is not copied: it is not what was asked for"),
        (
            "link",
            top().link("./app/l", "/etc"),
            "`l` is not copied: it is a link to an absolute path",
        ),
        (
            "up",
            top().link("./app/l", ".."),
            "`l` is not copied: it is a link that can leave the folder",
        ),
        (
            "through",
            top().folder("./app/d").link("./app/l", "d/../../outside"),
            "`l` is not copied: it is a link that can leave the folder",
        ),
        (
            "top",
            Bytes::default().link("./app", "/etc"),
            "`` is not copied: it is a link: copy its target",
        ),
        (
            "hard",
            top().member(EntryType::Link, "./app/h", "./outside", b""),
            "`./outside` is not copied: it is not what was asked for",
        ),
        (
            "hard-up",
            top().member(EntryType::Link, "./app/h", "./app/../outside", b""),
            "`./app/../outside` is not copied: its path leaves the folder",
        ),
        (
            "device",
            top().member(EntryType::Char, "./app/null", "", b""),
            "`null` is not copied: it is no file, folder or link",
        ),
        (
            "pipe",
            top().member(EntryType::Fifo, "./app/pipe", "", b""),
            "`pipe` is not copied: it is no file, folder or link",
        ),
        (
            "sparse",
            top().member(EntryType::GNUSparse, "./app/s", "", b""),
            "`s` is not copied: it is no file, folder or link",
        ),
        ("empty", Bytes::default(), "the container sends no archive: it is empty"),
    ];
    for (name, archive, expected) in cases {
        assert_eq!(refused(name, archive.end()).await.to_string(), expected, "{name}");
    }
    // Nothing is written through a link, and nothing twice.
    for (name, archive) in [
        ("written", top().link("./app/l", "d").folder("./app/d").file("./app/l/x")),
        ("replaced", top().link("./app/l", "d").file("./app/l")),
        ("twice", top().file("./app/f").file("./app/f")),
        ("below", top().file("./app/f").file("./app/f/g")),
    ] {
        let error = refused(name, archive.end()).await;
        assert!(matches!(error, CopyError::Local { .. }), "{name}: {error}");
    }
}

#[tokio::test]
async fn links_out_of_the_folder_can_be_left_out() {
    let root = folder("skipped");
    let archive = Bytes::default().folder("./app/").link("./app/out", "/etc").link("./app/in", "f");
    let (_server, client) = sending(archive.file("./app/f").end(), 0);
    let options = CopyOptions::default().skip_links();
    let copied = client.copy_from(exec(), "/app", root.0.join("app"), &options).await;
    let copied = copied.expect("a copy");
    assert_eq!((copied.links, copied.skipped, copied.files), (1, 1, 1));
    assert_eq!(names(&root.0.join("app")), ["f", "in"]);
    let mode = root.0.join("app/f").metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o755, "no bits that give rights");
}

#[tokio::test]
async fn links_of_the_target_are_not_followed() {
    let root = folder("target");
    root.put("elsewhere/x", "safe");
    fs::create_dir_all(root.0.join("app")).expect("a folder");
    symlink("../elsewhere", root.0.join("app/d")).expect("a link");
    let archive = Bytes::default().folder("./app/").folder("./app/d").file("./app/d/x");
    let (_server, client) = sending(archive.end(), 0);
    let error = from(&client, Path::new("/app"), &root.0.join("app")).await.expect_err("a link");
    assert!(error.to_string().ends_with("app/d: there is no folder"), "{error}");
    assert_eq!(fs::read(root.0.join("elsewhere/x")).expect("a file"), b"safe");
    assert_eq!(names(&root.0.join("app")), ["d"]);
}

#[tokio::test]
async fn malformed_archives_are_refused() {
    let top = || Bytes::default().folder("./app/");
    let with = |bytes: &[u8]| [&top().0, bytes, &[0; 1024]].concat();
    let mut sum = header(EntryType::Regular, "./app/f", "", 0);
    sum.as_old_mut().mode[0] = b'7';
    let mut size = header(EntryType::Regular, "./app/f", "", 0);
    size.as_old_mut().size = *b"99999999999\0";
    size.set_cksum();
    let records = |records: &str| {
        top().member(EntryType::XHeader, "x", "", records.as_bytes()).file("./app/f").end()
    };
    for (name, archive) in [
        ("sum", with(sum.as_bytes())),
        ("size", with(size.as_bytes())),
        ("text", b"no archive".repeat(100)),
        ("records", records("12 path=x\n")),
        ("negative", records("-1 path=x\n")),
        ("short", records("3 p\n")),
        ("large", records("99999999999999999999 path=x\n")),
        ("unsized", records("10 size=x\n")),
        ("long-name", with(header(EntryType::GNULongName, "x", "", 1 << 40).as_bytes())),
    ] {
        let error = refused(name, archive).await;
        assert!(matches!(error, CopyError::Malformed(_)), "{name}: {error}");
    }
    let error = refused("escape", records("23 path=./app/../outside\n").clone()).await;
    assert!(!error.to_string().is_empty());
}

#[tokio::test]
async fn sizes_are_not_believed() {
    for (name, size) in [("large", 1 << 40), ("largest", u64::MAX), ("edge", u64::MAX - 511)] {
        let header = header(EntryType::Regular, "./app/f", "", size);
        let archive =
            [&Bytes::default().folder("./app/").0, &header.as_bytes()[..], b"few"].concat();
        let error = refused(name, archive).await;
        assert!(matches!(error, CopyError::Cut), "{name}: {error}");
    }
}

#[tokio::test]
async fn a_container_that_never_ends_is_stopped() {
    let endless = header(EntryType::Regular, "./app/f", "", 1 << 40);
    let names_alone = Bytes::default().member(EntryType::XGlobalHeader, "x", "", b"").0;
    for (name, archive) in [
        ("content", [&Bytes::default().folder("./app/").0, &endless.as_bytes()[..], b"x"].concat()),
        ("headers", names_alone.repeat(10_000)),
    ] {
        let root = folder(&format!("endless-{name}"));
        let (_server, client) = sending(archive, 100_000);
        let most = Arc::new(Mutex::new(0));
        let shared = Arc::clone(&most);
        let options = CopyOptions::default().largest(1 << 20).progress(move |progress| {
            *shared.lock().expect("no panic") = progress.copied.bytes;
        });
        let error = client.copy_from(exec(), "/app", root.0.join("app"), &options).await;
        let text = error.expect_err("too much").to_string();
        assert_eq!(text, "the copy has more than 1048576 bytes: see `CopyOptions::largest`");
        assert!(*most.lock().expect("no panic") <= 1 << 20);
        assert!(names(&root.0).is_empty());
    }
}
