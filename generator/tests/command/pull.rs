//! `pull`, with a script in place of kubectl that returns files.

use crate::cluster::Cluster;
use crate::folder::assert_output;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

#[test]
fn fetches_what_has_changed_and_removes_what_is_gone() {
    let cluster =
        Cluster::new("fetches", &[("api/v1", "1"), ("apis/apps/v1", "1"), ("apis/batch/v1", "1")]);
    let output = cluster.pull(&[]);
    let expected = [
        "new     api/v1.json\nnew     apis/apps/v1.json\nnew     apis/batch/v1.json\n",
        "3 documents of v1.34.1 in pulled: 3 fetched, 0 as before; 3 files changed\n",
    ];
    assert_output(&output, 0, &expected, "");
    assert_eq!(cluster.calls().len(), 5, "the index, the version and the documents");
    let document = cluster.text("pulled/apis/apps/v1.json");
    assert!(
        document.starts_with("{\n  \"openapi\": \"3.0.0\","),
        "a line for each value: {document}"
    );

    assert_output(
        &cluster.pull(&[]),
        0,
        &["3 documents of v1.34.1 in pulled: 0 fetched, 3 as before; 0 files changed"],
        "",
    );
    assert_eq!(cluster.calls().len(), 2, "the index and the version");

    cluster.offer(&[("api/v1", "1"), ("apis/apps/v1", "2"), ("apis/apps/v1beta1", "1")]);
    let expected = [
        "changed apis/apps/v1.json\nnew     apis/apps/v1beta1.json\nremoved apis/batch/v1.json\n",
        "in pulled: 2 fetched, 1 as before; 3 files changed",
    ];
    assert_output(&cluster.pull(&[]), 0, &expected, "");
    let calls = cluster.calls();
    assert!(
        calls.contains(
            &"get --raw /openapi/v3/apis/apps/v1?hash=2 --request-timeout=60s".to_owned()
        ),
        "{calls:?}"
    );
    assert!(!cluster.folder.0.join("pulled/apis/batch").exists(), "no empty folder is left");
    let record: Value = serde_json::from_str(&cluster.text("pulled/.kapigen-pull.json")).unwrap();
    assert_eq!(
        (&record["server"], &record["documents"]["apis/apps/v1.json"]["hash"]),
        (&json!("v1.34.1"), &json!("2"))
    );
}

#[test]
fn a_document_without_a_hash_is_always_fetched() {
    let cluster = Cluster::new("no_hash", &[("api/v1", "")]);
    for _ in 0..2 {
        assert_output(&cluster.pull(&[]), 0, &["in pulled: 1 fetched"], "");
    }
}

#[test]
fn fetches_the_groups_that_are_named() {
    let offered = [
        ("api/v1", "1"),
        ("apis/apps/v1", "1"),
        ("apis/apps/v1beta1", "1"),
        ("apis/batch/v1", "1"),
    ];
    let cluster = Cluster::new("groups", &offered);
    assert_output(&cluster.pull(&["--groups", "core,apps/v1"]), 0, &["2 documents of"], "");
    assert_eq!(cluster.files(), [".kapigen-pull.json", "api/v1.json", "apis/apps/v1.json"]);
    assert_output(
        &cluster.pull(&["-g", "apps"]),
        0,
        &["new     apis/apps/v1beta1.json", "removed api/v1.json"],
        "",
    );
    assert_output(
        &cluster.pull(&["-g", "app"]),
        2,
        &[],
        "error: the server has no group `app`\n  help: did you mean `apps`?",
    );
    assert_output(
        &cluster.pull(&["-g", "stable.example.com"]),
        2,
        &[],
        "help: the server has v1, apps/v1, apps/v1beta1, batch/v1",
    );
    let help = "help: `--groups` is a list of groups here, such as `core,apps/v1`; files that select \
                are for `kapigen generate`";
    assert_output(&cluster.pull(&["-g", "groups.yaml"]), 2, &[], help);
    assert_output(&cluster.pull(&["-g", ""]), 0, &["new     api/v1.json"], "");
}

/// kubectl itself connects to localhost:8080 then, and reports that the connection was refused.
#[test]
fn names_the_kubeconfig_that_does_not_exist() {
    let cluster = Cluster::new("kubeconfig", &[]);
    fs::remove_file(cluster.folder.0.join("server/_openapi_v3")).unwrap();
    cluster.folder.put(
        "error",
        "The connection to the server localhost:8080 was refused - did you specify the right host?",
    );
    let pull = |kubeconfig: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
        command
            .args(["pull", "--kubectl", "./kubectl", "--out", "pulled"])
            .current_dir(&cluster.folder.0);
        command.env("KUBECONFIG", kubeconfig).env_remove("CLICOLOR_FORCE").output().unwrap()
    };
    let expected = "error: `KUBECONFIG` names the file `absent.yaml`, which does not exist\n  \
                    help: correct the variable, or unset it to use `~/.kube/config`\n";
    assert_output(&pull("absent.yaml"), 2, &[], expected);
    assert_output(
        &pull("absent.yaml:gone.yaml"),
        2,
        &[],
        "the files `absent.yaml`, `gone.yaml`, which do not exist",
    );
    cluster.folder.put("gone.yaml", "");
    assert_output(&pull("absent.yaml:gone.yaml"), 2, &[], "localhost:8080 was refused");
    assert_output(&pull(""), 2, &[], "localhost:8080 was refused");
    // The service account of a pod is enough for kubectl.
    cluster.folder.put("error", "Error from server (Forbidden): no access");
    assert_output(&pull("absent.yaml"), 2, &[], "(Forbidden): no access");
}

/// A page of definitions of these groups, as a server lists them.
fn page(groups: &[&str], token: &str) -> String {
    let definition = |group: &&str| {
        json!({
            "metadata": {
                "name": format!("stars.{group}"), "uid": "1", "managedFields": [{}],
                "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"},
            },
            "spec": {
                "group": group, "scope": "Cluster", "names": {"plural": "stars", "kind": "Star"},
                "versions": [{
                    "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}},
                }],
            },
            "status": {"storedVersions": ["v1"]},
        })
    };
    let items: Vec<Value> = groups.iter().map(definition).collect();
    json!({"kind": "CustomResourceDefinitionList", "metadata": {"continue": token}, "items": items})
        .to_string()
}

const PAGE: &str = "server/_apis_apiextensions.k8s.io_v1_customresourcedefinitions_limit_100";

#[test]
fn a_list_of_definitions_that_never_ends_is_refused() {
    const BEFORE: &str = "goes on after a token that was there before";
    const EMPTY: &str = "goes on after a page without a new definition";
    /// A page: the continue token that requests it, its definitions, and the token that it returns.
    type Page<'a> = (&'a str, &'a [&'a str], &'a str);
    let cases: [(&str, &[Page<'_>], &str); 5] = [
        ("one", &[("", &["a.io"], "t"), ("t", &["b.io"], "t")], BEFORE),
        ("two", &[("", &["a.io"], "t"), ("t", &["b.io"], "u"), ("u", &["c.io"], "t")], BEFORE),
        (
            "late",
            &[
                ("", &["a.io"], "t"),
                ("t", &["b.io"], "u"),
                ("u", &["c.io"], "v"),
                ("v", &["d.io"], "w"),
                ("w", &["e.io"], "u"),
            ],
            BEFORE,
        ),
        ("empty", &[("", &[], "t"), ("t", &[], "u")], EMPTY),
        ("same", &[("", &["a.io"], "t"), ("t", &["a.io"], "u"), ("u", &["a.io"], "v")], EMPTY),
    ];
    for (name, pages, why) in cases {
        let cluster = Cluster::new(&format!("endless-{name}"), &[]);
        for (token, groups, next) in pages {
            let query = if token.is_empty() { "" } else { "_continue_" };
            cluster.folder.put(&format!("{PAGE}{query}{token}"), &page(groups, next));
        }
        let output = cluster.pull(&["--definitions"]);
        assert_output(&output, 2, &[], "error: the list of definitions never ends: it ");
        assert_output(&output, 2, &[], why);
        assert!(!cluster.folder.0.join("pulled").exists(), "nothing was written");
    }
}

#[test]
fn fetches_definitions_page_by_page() {
    let cluster = Cluster::new("definitions", &[]);
    cluster.folder.put(PAGE, &page(&["example.com", "a.io"], "a/b="));
    cluster.folder.put(&format!("{PAGE}_continue_a%2Fb%3D"), &page(&["b.io"], ""));
    let output = cluster.pull(&["--definitions"]);
    assert_output(
        &output,
        0,
        &["3 definitions of v1.34.1 in pulled: 3 fetched, 0 as before; 3 files changed"],
        "",
    );
    let expected = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: stars.example.com
spec:
  group: example.com
  scope: Cluster
  names:
    plural: stars
    kind: Star
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
";
    assert_eq!(cluster.text("pulled/definitions/stars.example.com.yaml"), expected);
    assert_output(
        &cluster.folder.kapigen(&["list", "--spec", "pulled"]),
        0,
        &["example_com_v1::stars::create"],
        "",
    );

    let output = cluster.pull(&["--definitions", "--groups", "b.io"]);
    assert_output(&output, 0, &["removed definitions/stars.a.io.yaml\n", "1 definition of"], "");
    assert_eq!(cluster.files(), [".kapigen-pull.json", "definitions/stars.b.io.yaml"]);
    let output = cluster.pull(&["--definitions", "-g", "example.io,b.io"]);
    let expected = "error: the server has no definition of the group `example.io`\n  help: did \
                    you mean `example.com`?";
    assert_output(&output, 2, &[], expected);
}

#[test]
fn a_response_that_is_no_list_of_definitions_is_refused() {
    let cluster = Cluster::new("no-definitions", &[]);
    let output = cluster.pull(&["--definitions"]);
    assert_output(
        &output,
        2,
        &[],
        "cannot get /apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=100",
    );
    cluster.folder.put(
        "server/_apis_apiextensions.k8s.io_v1_customresourcedefinitions",
        "{\"kind\": \"Status\"}",
    );
    assert_output(
        &cluster.pull(&["--definitions"]),
        2,
        &[],
        "is not a list of definitions\n  help: connect to the API server",
    );
    let odd = page(&["../../x"], "");
    cluster.folder.put("server/_apis_apiextensions.k8s.io_v1_customresourcedefinitions", &odd);
    let expected = "error: `stars.../../x` cannot be the name of a definition";
    assert_output(&cluster.pull(&["--definitions"]), 2, &[], expected);
}

#[test]
fn passes_the_context_on() {
    let cluster = Cluster::new("context", &[("api/v1", "1")]);
    assert_output(&cluster.pull(&["--context", "staging", "--quiet"]), 0, &[], "");
    let calls = cluster.calls();
    assert!(calls.iter().all(|call| call.ends_with(" --context=staging")), "{calls:?}");
}

#[test]
fn files_of_others_are_left_alone() {
    let cluster = Cluster::new("others", &[("api/v1", "1"), ("apis/apps/v1", "1")]);
    cluster.folder.put("pulled/groups.yaml", "groups: []\n");
    cluster.folder.put("pulled/apis/apps/v1.json", "mine");
    let in_the_way = "pulled/apis/apps/v1.json is in the way: kapigen did not write it";
    assert_output(
        &cluster.pull(&[]),
        2,
        &[],
        &format!("error: {in_the_way}. Move it away, or pull into another folder"),
    );
    assert_eq!(cluster.files(), ["apis/apps/v1.json", "groups.yaml"], "nothing was written");

    fs::remove_file(cluster.folder.0.join("pulled/apis/apps/v1.json")).unwrap();
    assert_output(&cluster.pull(&[]), 0, &["2 files changed"], "");
    cluster.folder.put("pulled/api/v1.json", "changed");
    for offered in [&[("api/v1", "2"), ("apis/apps/v1", "1")][..], &[("apis/apps/v1", "1")]] {
        cluster.offer(offered);
        let expected = "pulled/api/v1.json is in the way: it was changed since kapigen wrote it";
        assert_output(&cluster.pull(&[]), 2, &[], expected);
        assert_eq!(cluster.text("pulled/api/v1.json"), "changed");
    }
    fs::remove_file(cluster.folder.0.join("pulled/api/v1.json")).unwrap();
    assert_output(&cluster.pull(&[]), 0, &[], "");
    assert_eq!(cluster.text("pulled/groups.yaml"), "groups: []\n");
}

#[test]
fn a_document_of_the_user_that_is_the_same_is_not_removed() {
    let cluster = Cluster::new("identical", &[("api/v1", "1"), ("apis/apps/v1", "1")]);
    assert_output(&cluster.pull(&[]), 0, &[], "");
    fs::remove_file(cluster.folder.0.join("pulled/.kapigen-pull.json")).unwrap();
    fs::remove_file(cluster.folder.0.join("pulled/api/v1.json")).unwrap();
    let document = cluster.text("pulled/apis/apps/v1.json");
    assert_output(&cluster.pull(&[]), 0, &["2 fetched, 0 as before; 1 file changed"], "");
    cluster.offer(&[("api/v1", "1")]);
    assert_output(&cluster.pull(&[]), 0, &["0 files changed"], "");
    assert_eq!(cluster.text("pulled/apis/apps/v1.json"), document);
}

#[test]
fn a_pull_during_which_another_one_ended_is_refused() {
    let cluster = Cluster::new("together", &[("api/v1", "1"), ("apis/apps/v1", "1")]);
    let other = format!(
        "{} pull --quiet --kubectl ./kubectl --out pulled -g apps",
        env!("CARGO_BIN_EXE_kapigen")
    );
    cluster.folder.put("during", &other);
    let expected = "error: pulled/.kapigen-pull.json is in the way: it was changed while kapigen \
                    ran. Run again";
    assert_output(&cluster.pull(&["-g", "core"]), 2, &[], expected);
    assert_eq!(
        cluster.files(),
        [".kapigen-pull.json", "apis/apps/v1.json"],
        "that of the other one"
    );
    assert_output(&cluster.pull(&[]), 0, &["1 fetched, 1 as before; 1 file changed"], "");
}

#[test]
fn a_pull_that_fails_midway_says_so_and_the_next_one_completes_it() {
    let offered = ["1", "2", "3"]
        .map(|hash| [("api/v1", hash), ("apis/apps/v1", hash), ("apis/batch/v1", "1")]);
    let cluster = Cluster::new("midway", &offered[0]);
    assert_output(&cluster.pull(&[]), 0, &[], "");
    let in_the_way = "pulled/apis/apps/.v1.json.kapigen-new";
    cluster.folder.put(&format!("{in_the_way}/file"), "");
    for offered in &offered[1..] {
        cluster.offer(offered);
        let output = cluster.pull(&[]);
        assert_output(
            &output,
            2,
            &[],
            ". Until the same command succeeds, the documents may be incomplete\n\n1 error\n",
        );
        assert!(
            cluster
                .text("pulled/api/v1.json")
                .contains(&format!("\"version\": \"{}\"", offered[0].1))
        );
    }
    fs::remove_dir_all(cluster.folder.0.join(in_the_way)).unwrap();
    assert_output(&cluster.pull(&[]), 0, &["2 fetched, 1 as before; 1 file changed"], "");
    assert_output(&cluster.pull(&[]), 0, &["0 fetched, 3 as before; 0 files changed"], "");
}

/// git may write other line endings although nobody changed the file.
#[test]
fn documents_with_other_line_endings_are_not_touched() {
    let cluster = Cluster::new("line-endings", &[("api/v1", "")]);
    assert_output(&cluster.pull(&[]), 0, &[], "");
    let text = cluster.text("pulled/api/v1.json").replace('\n', "\r\n");
    cluster.folder.put("pulled/api/v1.json", &text);
    assert_output(&cluster.pull(&[]), 0, &["1 fetched, 0 as before; 0 files changed"], "");
    assert_eq!(cluster.text("pulled/api/v1.json"), text);
}

#[test]
fn a_file_in_place_of_the_folder_is_named_before_the_server_is_asked() {
    let cluster = Cluster::new("file", &[("api/v1", "1")]);
    cluster.folder.put("pulled", "mine");
    let expected = "error: pulled is in the way: it is a file, and the documents need a folder there\n  help: move it away";
    assert_output(&cluster.pull(&[]), 2, &[], expected);
    assert!(!cluster.folder.0.join("calls").exists());
}

#[test]
fn a_record_gives_no_right_to_other_files() {
    let cluster = Cluster::new("record", &[("api/v1", "1")]);
    cluster.folder.put("victim.json", "victim");
    for path in [
        "../victim.json",
        "api/../../victim.json",
        "/victim.json",
        "groups.yaml",
        "apis/.x/v1.json",
        "api/v1.json/",
    ] {
        let record = json!({"documents": {path: {"digest": "0"}}});
        cluster.folder.put("pulled/.kapigen-pull.json", &record.to_string());
        assert_output(
            &cluster.pull(&[]),
            2,
            &[],
            &format!("it lists `{path}`, which kapigen never writes. Remove that"),
        );
    }
    assert_eq!(cluster.text("victim.json"), "victim");
    cluster.folder.put("pulled/.kapigen-pull.json", "nonsense");
    assert_output(&cluster.pull(&[]), 2, &[], "it is not a record of pulled documents");
}

#[test]
fn paths_of_a_server_lead_nowhere_else() {
    let cluster = Cluster::new("paths", &[("api/v1", "1")]);
    let index = json!({"paths": {
        "api/v1": {"serverRelativeURL": "/api/v1/secrets?hash=1"},
        "apis/../v1": {"serverRelativeURL": "/openapi/v3/apis/../v1"},
        "apis/apps/../../v1": {"serverRelativeURL": "/x"},
        "apis/UP/v1": {"serverRelativeURL": "/openapi/v3/apis/UP/v1"},
        "version": {"serverRelativeURL": "/openapi/v3/version"},
    }});
    cluster.folder.put("server/_openapi_v3", &index.to_string());
    assert_output(&cluster.pull(&[]), 0, &["1 document of"], "");
    let calls = cluster.calls();
    assert!(
        calls.contains(&"get --raw /openapi/v3/api/v1 --request-timeout=60s".to_owned()),
        "{calls:?}"
    );
    assert_eq!(cluster.files(), [".kapigen-pull.json", "api/v1.json"]);
}

#[test]
fn errors_name_the_cause_and_the_remedy() {
    let cluster = Cluster::new("errors", &[]);
    fs::remove_file(cluster.folder.0.join("server/_openapi_v3")).unwrap();
    assert_output(
        &cluster.pull(&[]),
        2,
        &[],
        "error: `./kubectl` cannot get /openapi/v3: Error from server (NotFound)",
    );
    let cases = [
        (
            "Error from server (Forbidden): forbidden: User \"x\" cannot get path \"/openapi/v3\"",
            "system:discovery",
        ),
        ("error: You must be logged in to the server (Unauthorized)", "log in to the cluster"),
        ("error: context \"x\" does not exist", "kubectl config get-contexts"),
        ("Unable to connect to the server: dial tcp: lookup x: no such host", "--context"),
        (
            "The connection to the server localhost:8080 was refused - did you specify the right \
             host?",
            "--context",
        ),
    ];
    for (error, help) in cases {
        cluster.folder.put("error", &format!("{error}\n"));
        let output = cluster.pull(&[]);
        assert_output(&output, 2, &[], &format!("cannot get /openapi/v3: {error}\n  help: "));
        assert_output(&output, 2, &[], help);
    }
    let none = cluster.folder.kapigen(&["pull", "--kubectl", "./no-kubectl", "--out", "pulled"]);
    assert_output(
        &none,
        2,
        &[],
        "error: there is no program `./no-kubectl`\n  help: install kubectl",
    );
    cluster.folder.put("server/_openapi_v3", "<html>");
    assert_output(
        &cluster.pull(&[]),
        2,
        &[],
        "error: /openapi/v3 of the server is not an index of OpenAPI documents",
    );
    cluster.folder.put("server/_openapi_v3", r#"{"paths": {}}"#);
    assert_output(
        &cluster.pull(&[]),
        2,
        &[],
        "error: /openapi/v3 of the server lists no group and version",
    );
    assert!(!cluster.folder.0.join("pulled").exists(), "nothing was written");
}

#[test]
fn nothing_is_written_if_a_document_is_missing_or_is_none() {
    let cluster =
        Cluster::new("missing", &[("api/v1", "1"), ("apis/apps/v1", "1"), ("apis/batch/v1", "1")]);
    fs::remove_file(cluster.folder.0.join("server/_openapi_v3_apis_apps_v1")).unwrap();
    cluster.folder.put("server/_openapi_v3_apis_batch_v1", "{\"swagger\": \"2.0\"}");
    let output = cluster.pull(&[]);
    assert_output(
        &output,
        2,
        &[],
        "cannot get /openapi/v3/apis/apps/v1?hash=1: Error from server (NotFound)",
    );
    assert_output(&output, 2, &[], "not an OpenAPI 3.0 document");
    assert_output(&output, 2, &[], "2 errors; nothing was written");
    assert!(!cluster.folder.0.join("pulled").exists());
}

/// The most memory that a run takes, in kilobytes, measured by the kernel.
#[cfg(target_os = "linux")]
fn peak(cluster: &Cluster) -> u64 {
    let run = "\"$0\" pull --kubectl ./kubectl --out pulled --quiet & pid=$!; peak=0; while \
               status=$(cat /proc/$pid/status 2> /dev/null); do now=$(echo \"$status\" | sed -n \
               's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p'); [ -n \"$now\" ] && peak=$now; case \
               $status in *'(zombie)'*) break;; esac; sleep 0.01; done; wait $pid && echo $peak";
    let output = std::process::Command::new("sh")
        .args(["-c", run, env!("CARGO_BIN_EXE_kapigen")])
        .current_dir(&cluster.folder.0)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    text.parse().unwrap_or_else(|_| panic!("{text} {}", String::from_utf8_lossy(&output.stderr)))
}

/// A large document needs less than 16 times its size in memory, beyond what a small one needs:
/// made of schemas, small values, keys or nested containers.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_a_small_multiple_of_a_document() {
    const SIZE: usize = 4_000_000;
    let schema = |number| {
        format!(
            "\"S{number}\":{{\"type\":\"object\",\"properties\":{{\"a\":{{\"type\":\"string\"\
             }}}}}}"
        )
    };
    let kinds: [(&str, &dyn Fn(usize) -> String); 4] = [
        ("schemas", &schema),
        ("numbers", &|number| format!("\"N{number}\":[{}]", ["1"; 1000].join(","))),
        ("keys", &|number| format!("\"{number:x}\":0")),
        ("nests", &|number| {
            format!("\"D{number}\":{}{}{}", "[".repeat(100), ["1"; 1000].join(","), "]".repeat(100))
        }),
    ];
    for (name, member) in kinds {
        let cluster = Cluster::new(&format!("memory-{name}"), &[("api/v1", "1")]);
        let base = peak(&cluster);
        let count = SIZE / member(100_000).len();
        let members: Vec<String> = (0..count).map(member).collect();
        let text = format!("{{\"openapi\":\"3.0.0\",\"components\":{{{}}}}}", members.join(","));
        cluster.folder.put("server/_openapi_v3_api_v1", &text);
        cluster.folder.put(
            "server/_openapi_v3",
            &cluster.text("server/_openapi_v3").replace("hash=1", "hash=2"),
        );
        let factor = (peak(&cluster).saturating_sub(base)) * 1024 / text.len() as u64;
        println!("{name}: {factor} times {} bytes", text.len());
        assert!(factor < 16, "{name}: {factor} times {} bytes", text.len());
    }
}

#[test]
fn long_messages_of_kubectl_are_cut() {
    let cluster = Cluster::new("long", &[]);
    fs::remove_file(cluster.folder.0.join("server/_openapi_v3")).unwrap();
    cluster.folder.put("error", &format!("Error from server: {}\n", "x".repeat(10_000_000)));
    let output = cluster.pull(&[]);
    assert_output(&output, 2, &[], " characters …]xxx");
    assert!(output.stderr.len() < 3000, "{} bytes", output.stderr.len());
}

#[test]
fn documents_keep_their_values() {
    let cluster = Cluster::new("values", &[("api/v1", "1")]);
    let text = r#"{"openapi":"3.0.0","b":[],"a":{},"n":[1,-2,0.5,18446744073709551615,null,true,"\u0007é\\"],"o":{"x":[{}]}}"#;
    cluster.folder.put("server/_openapi_v3_api_v1", text);
    assert_output(&cluster.pull(&[]), 0, &["1 fetched"], "");
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(cluster.text("pulled/api/v1.json"), format!("{value:#}\n"));
}
