//! Operations that only pods have.

use crate::operations::{create_params, patches, replace_params, typed};
use crate::recorded_json;
use crate::trial::{NAME, NAMESPACE, REST, Sent, Trial};
use openshift_api::core_v1::pods::{
    self, AttachParams, ExecParams, LogParams, PortForwardParams, ProxyParams,
};
use openshift_api::core_v1::{Binding, ObjectReference};
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::GetParams;
use openshift_api::policy_v1::Eviction;
use serde_json::{Value, json};

const POD: &str = "/api/v1/namespaces/shop/pods/cart-0";
const WRITE: &str = "dryRun=All&fieldManager=till%2F1&fieldValidation=Strict";

/// Tries to read, replace and patch a subresource that has the form of the pod.
macro_rules! subresource {
    ($trial:ident, $pod:ident, $path:literal, $get:ident, $replace:ident, $patch:ident) => {{
        let sent = Sent::new(format!("GET {POD}/{}", $path));
        $trial.gives(200, $pod, pods::$get(NAMESPACE, NAME, &GetParams::default()), &sent);
        let sent = Sent::new(format!("PUT {POD}/{}?{WRITE}", $path)).json($pod);
        $trial.gives(
            200,
            $pod,
            pods::$replace(NAMESPACE, NAME, &typed($pod), &replace_params()),
            &sent,
        );
        for (patch, params, query, media_type, body) in patches($pod) {
            let sent = Sent::new(format!("PATCH {POD}/{}?{query}", $path)).body(media_type, &body);
            $trial.gives(200, $pod, pods::$patch(NAMESPACE, NAME, &patch, &params), &sent);
        }
    }};
}

pub fn subresources(trial: &mut Trial, pod: &Value) {
    subresource!(
        trial,
        pod,
        "ephemeralcontainers",
        get_ephemeral_containers,
        replace_ephemeral_containers,
        patch_ephemeral_containers
    );
    subresource!(trial, pod, "resize", get_resize, replace_resize, patch_resize);
    subresource!(trial, pod, "status", get_status, replace_status, patch_status);

    let created = recorded_json("statuses/success-created-201.json");
    let metadata = ObjectMeta { name: Some(NAME.to_owned()), ..ObjectMeta::default() };
    let target = ObjectReference { name: Some("node-1".to_owned()), ..ObjectReference::default() };
    let binding = Binding { metadata: metadata.clone(), target, ..Binding::default() };
    let sent = Sent::new(format!("POST {POD}/binding?{WRITE}")).json(&json!({
        "apiVersion": "v1", "kind": "Binding", "metadata": {"name": NAME}, "target": {"name": "node-1"}
    }));
    trial.gives(
        201,
        &created,
        pods::create_binding(NAMESPACE, NAME, &binding, &create_params()),
        &sent,
    );
    let eviction = Eviction { metadata, ..Eviction::default() };
    let sent = Sent::new(format!("POST {POD}/eviction?{WRITE}")).json(&json!({
        "apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": NAME}
    }));
    trial.gives(
        201,
        &created,
        pods::create_eviction(NAMESPACE, NAME, &eviction, &create_params()),
        &sent,
    );
}

/// Tries operations without JSON: logs, proxied requests, and connections that are upgraded.
pub fn connections(trial: &mut Trial) {
    let params = LogParams::default()
        .container("cart")
        .since_time("2025-05-01T10:00:00Z")
        .tail_lines(5)
        .timestamps(true);
    let line = format!(
        "GET {POD}/log?container=cart&sinceTime=2025-05-01T10%3A00%3A00Z&tailLines=5&\
         timestamps=true"
    );
    trial.sends(
        200,
        b"2025-05-01T10:00:01Z caf\xe9\n",
        pods::get_log(NAMESPACE, NAME, &params),
        &line,
    );
    proxied(trial);

    let container = "cart";
    let command = ["sh", "-c", "echo $HOME && ls"];
    let params =
        ExecParams::default().command(command).container(container).stdout(true).tty(false);
    let query = "command=sh&command=-c&command=echo%20%24HOME%20%26%26%20ls&container=cart&\
                 stdout=true&tty=false";
    trial.upgrades(pods::get_exec(NAMESPACE, NAME, &params), &format!("GET {POD}/exec?{query}"));
    trial.upgrades(pods::post_exec(NAMESPACE, NAME, &params), &format!("POST {POD}/exec?{query}"));
    let params = AttachParams::default().container(container).stdin(true).stderr(true);
    let query = "container=cart&stderr=true&stdin=true";
    trial
        .upgrades(pods::get_attach(NAMESPACE, NAME, &params), &format!("GET {POD}/attach?{query}"));
    trial.upgrades(
        pods::post_attach(NAMESPACE, NAME, &params),
        &format!("POST {POD}/attach?{query}"),
    );
    let params = PortForwardParams::default().ports([80, 443]);
    let query = "ports=80&ports=443";
    trial.upgrades(
        pods::get_port_forward(NAMESPACE, NAME, &params),
        &format!("GET {POD}/portforward?{query}"),
    );
    trial.upgrades(
        pods::post_port_forward(NAMESPACE, NAME, &params),
        &format!("POST {POD}/portforward?{query}"),
    );
}

fn proxied(trial: &mut Trial) {
    macro_rules! proxy {
        ($method:literal, $here:ident, $below:ident, $body:expr) => {{
            let params = ProxyParams::default();
            trial.sends(
                200,
                $body,
                pods::$here(NAMESPACE, NAME, &params),
                &format!("{} {POD}/proxy", $method),
            );
            let line = format!("{} {POD}/proxy/{REST}", $method);
            trial.sends(200, $body, pods::$below(NAMESPACE, NAME, REST, &params), &line);
        }};
    }
    proxy!("GET", get_proxy, get_proxy_path, b"cpu 0.25\n");
    proxy!("PUT", put_proxy, put_proxy_path, b"kept");
    proxy!("POST", post_proxy, post_proxy_path, b"made");
    proxy!("DELETE", delete_proxy, delete_proxy_path, b"gone");
    proxy!("OPTIONS", options_proxy, options_proxy_path, b"GET, PUT");
    proxy!("PATCH", patch_proxy, patch_proxy_path, b"changed");
    proxy!("HEAD", head_proxy, head_proxy_path, b"");
    let sent = format!("GET {POD}/proxy?path=metrics%2Fcpu");
    trial.sends(
        204,
        b"",
        pods::get_proxy(NAMESPACE, NAME, &ProxyParams::default().path(REST)),
        &sent,
    );
}
