//! `pull --kubernetes`, from a repository with the layout of Kubernetes'.

use crate::folder::{DOCUMENT, Folder, assert_output};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

const DOCUMENTS: &str = "kubernetes/api/openapi-spec/v3";

/// A repository with releases. Each has `api/v1` and `apis/apps/v1`, with its own title, documents
/// that are not of a group-version, and much else.
struct Repository(Folder);

impl Repository {
    fn new(name: &str, tags: &[&str]) -> Self {
        let repository = Self(Folder::new(&format!("release-{name}")));
        repository.git(&["init", "--quiet"]);
        repository.git(&["config", "uploadpack.allowFilter", "true"]);
        // Text that does not compress.
        let noise: Vec<String> = (0..40_000_u64).map(|i| format!("{:x}", i * i * 7919)).collect();
        repository.0.put("kubernetes/vendor/noise.txt", &noise.concat());
        for tag in tags {
            let names = ["api__v1", "apis__apps__v1", "apis__apps", "version", "apis"];
            for name in names {
                repository.document(name, tag);
            }
            repository.release(tag);
        }
        repository
    }

    fn document(&self, name: &str, title: &str) {
        let document =
            json!({"openapi": "3.0.0", "info": {"title": title, "version": "0"}, "paths": {}});
        self.0.put(&format!("{DOCUMENTS}/{name}_openapi.json"), &document.to_string());
    }

    fn release(&self, tag: &str) {
        self.git(&["add", "--all"]);
        let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        self.git(
            &[&author[..], &["commit", "--quiet", "--allow-empty", "--message", tag]].concat(),
        );
        self.git(&["tag", tag]);
    }

    fn git(&self, arguments: &[&str]) {
        fs::create_dir_all(self.0.0.join("kubernetes")).unwrap();
        let mut command = Command::new("git");
        command.arg("-C").arg(self.0.0.join("kubernetes")).args(arguments);
        assert!(command.status().unwrap().success(), "{arguments:?}");
    }

    fn pull(&self, arguments: &[&str]) -> std::process::Output {
        let from = format!("file://{}", self.0.0.join("kubernetes").display());
        let pull = ["pull", "--out", "pulled", "--from", &from, "--kubernetes"];
        self.0.kapigen(&[&pull, arguments].concat())
    }

    fn title(&self, path: &str) -> Value {
        let text = fs::read_to_string(self.0.0.join("pulled").join(path)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["info"]["title"].clone()
    }
}

#[test]
fn fetches_the_documents_of_a_release() {
    let tags = ["v1.35.1", "v1.36.2", "v1.36.10", "v1.36.11-rc.0", "v1.37.0-beta.1"];
    let repository = Repository::new("fetches", &tags);
    let output = repository.pull(&["1.36"]);
    let expected = [
        "new     api/v1.json\nnew     apis/apps/v1.json\n",
        "2 documents of v1.36.10 in pulled: 2 fetched (",
    ];
    assert_output(&output, 0, &expected, "");
    let out = String::from_utf8(output.stdout).unwrap();
    let kilobytes: u64 =
        out.split_once("fetched (").unwrap().1.split_once(" kB)").unwrap().0.parse().unwrap();
    assert!(kilobytes < 20, "no more than the folder is fetched: {out}");
    assert_eq!(repository.title("apis/apps/v1.json"), "v1.36.10");

    let output = repository.pull(&["v1.35.1", "--groups", "apps"]);
    let expected = ["removed api/v1.json\nchanged apis/apps/v1.json\n", "1 document of v1.35.1"];
    assert_output(&output, 0, &expected, "");
    assert_output(&repository.pull(&["1.37.0-beta.1"]), 0, &["of v1.37.0-beta.1"], "");

    // A folder is as good as a URL.
    let pull = ["pull", "--kubernetes", "1.36.2", "--from", "kubernetes", "--out", "other"];
    assert_output(&repository.0.kapigen(&pull), 0, &["2 documents of v1.36.2 in other"], "");
}

#[test]
fn names_what_is_not_there() {
    let repository = Repository::new("refused", &["v1.36.2"]);
    let refused = |arguments: &[&str], stderr: &str| {
        assert_output(&repository.pull(arguments), 2, &[], stderr);
        assert!(!repository.0.0.join("pulled/api").exists(), "{arguments:?} wrote documents");
    };
    refused(&["1.38"], " has no release 1.38\n  help: its newest release is 1.36.2\n");
    refused(&["1.3"], " has no release 1.3\n");
    refused(
        &["latest/.."],
        "error: `latest/..` is not a release of Kubernetes\n  help: name it as `1.36`, which is \
         its newest patch, or as `1.36.2`\n",
    );
    refused(
        &["1.36", "--groups", "app"],
        "error: Kubernetes v1.36.2 has no group `app`\n  help: did you mean `apps`?\n",
    );
    refused(&["1.36", "--context", "staging"], "cannot be used with");

    repository.0.put(&format!("{DOCUMENTS}/api__v1_openapi.json"), "<html>");
    repository.0.put(&format!("{DOCUMENTS}/apis__apps__v1_openapi.json"), DOCUMENT);
    repository.release("v1.36.3");
    refused(&["1.36"], "api__v1_openapi.json");

    fs::remove_dir_all(repository.0.0.join(DOCUMENTS)).unwrap();
    repository.release("v1.22.0");
    refused(
        &["1.22"],
        "error: v1.22.0 has no OpenAPI 3.0 documents in api/openapi-spec/v3\n  help: Kubernetes \
         publishes them since 1.23\n",
    );

    let absent = ["pull", "--kubernetes", "1.36", "--from", "absent", "--out", "pulled"];
    let stderr = "help: check the network and its proxy, or name a clone or a mirror with `--from`";
    assert_output(&repository.0.kapigen(&absent), 2, &[], stderr);
    let mut without_git = Command::new(env!("CARGO_BIN_EXE_kapigen"));
    without_git.args(absent).current_dir(&repository.0.0).env("PATH", "");
    let stderr = "error: `git` is not found on PATH\n  help: install git, which fetches releases\n";
    assert_output(&without_git.output().unwrap(), 2, &[], stderr);
}
