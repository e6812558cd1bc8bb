//! `kapigen pull` by way of kubectl.

use super::each;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use test_support::folder::Folder;
use test_support::places;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn pulls_the_documents_of_a_server() {
    each(|kubectl| {
        let folder = Folder::new(env!("CARGO_TARGET_TMPDIR"), "pulled");
        // A kubectl that knows this server alone.
        let program = folder.0.join("kubectl");
        let line = format!(
            "KUBECONFIG=/dev/null exec {} --server {} --cache-dir {} \"$@\"",
            kubectl.program.display(),
            kubectl.listener.listening.url(),
            kubectl.cache.display()
        );
        fs::create_dir_all(&kubectl.cache).unwrap();
        fs::write(&program, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let out = folder.0.join("spec");
        let pull = |groups: &str| {
            let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
            let arguments = [
                "kapigen",
                "pull",
                "--groups",
                groups,
                "--kubectl",
                &text(&program),
                "--out",
                &text(&out),
            ];
            kapigen::cli::run_from(arguments.map(Into::into))
        };
        assert_eq!(pull("core,example.com"), ExitCode::SUCCESS);
        for name in ["api/v1", "apis/example.com/v1"] {
            let pulled = json(&places::text(&out.join(format!("{name}.json"))));
            assert!(
                pulled["openapi"].as_str().is_some_and(|version| version.starts_with("3.0")),
                "{name}"
            );
            assert_eq!(
                pulled,
                json(&kubectl.run(&["get", "--raw", &format!("/openapi/v3/{name}")])),
                "{name}"
            );
        }
        assert!(!out.join("apis/coordination.k8s.io").exists(), "a group that was not asked for");
        // The server has no group of that name.
        assert_eq!(pull("nothing.example.com"), ExitCode::from(2));
    });
}
