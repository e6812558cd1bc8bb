//! Folders in which tests run the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A group with one resource.
pub(crate) const DOCUMENT: &str = r"
openapi: 3.0.3
info: {title: Stars, version: v1}
paths:
  /apis/example.com/v1/stars/{name}:
    parameters:
      - {name: name, in: path, required: true, schema: {type: string}}
    get:
      operationId: readStar
      parameters:
        - {name: pretty, in: query, schema: {type: string}}
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/com.example.v1.Star'}
      x-kubernetes-action: get
      x-kubernetes-group-version-kind: {group: example.com, version: v1, kind: Star}
components:
  schemas:
    com.example.v1.Star:
      description: A sun.
      type: object
      properties:
        apiVersion: {type: string}
        kind: {type: string}
        metadata: {$ref: '../meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}
        magnitude: {type: number, format: double}
      x-kubernetes-group-version-kind: [{group: example.com, version: v1, kind: Star}]
";

/// A folder of a test's own, with documents in `spec`.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let folder = Self(folder);
        // A repository of its own, so that crates get a copy of the runtime.
        fs::create_dir_all(folder.0.join(".git")).unwrap();
        folder.put("spec/example.com/v1.yaml", DOCUMENT);
        let meta = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/meta/v1.yaml");
        folder.put("spec/meta/v1.yaml", &fs::read_to_string(meta).unwrap());
        folder
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn kapigen(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
        command.current_dir(&self.0).args(arguments).env_remove("CLICOLOR_FORCE").output().unwrap()
    }
}

pub(crate) fn assert_output(output: &Output, code: i32, stdout: &[&str], stderr: &str) {
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    for expected in stdout {
        assert!(out.contains(expected), "no {expected:?} in:\n{out}{err}");
    }
    assert!(err.contains(stderr), "no {stderr:?} in:\n{err}");
    assert!(
        !out.contains('\x1b') && !err.contains('\x1b'),
        "colors are for terminals:\n{out}{err}"
    );
}
