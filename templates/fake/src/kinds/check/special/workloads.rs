//! Deployments, sets of pods, jobs, and what scales them.

use crate::kinds::check::walk::{Check, NONE, Walk, elements, is_zero, text};
use crate::object::Tree;
use kapigen_definitions::{Cause, label_errors};
use serde_json::{Value, json};

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("strategy", strategy),
    ("deadline", deadline),
    ("pod_names", pod_names),
    ("template_of_controller", template_of_controller),
    ("claim_names", claim_names),
    ("stateful_changes", stateful_changes),
    ("job_restart", job_restart),
    ("job_changes", job_changes),
    ("failure_rule", failure_rule),
    ("schedule", schedule),
    ("time_zone", time_zone),
    ("percent", percent),
    ("both_limits", both_limits),
    ("most_replicas", most_replicas),
    ("target", target),
    ("metric", metric),
    ("to_zero", to_zero),
];

const PERCENT: &str = "a valid percent string must be a numeric string followed by an ending '%' \
                       (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/// A number, or a share.
fn share(walk: &mut Walk<'_>, place: &str, value: &Value) {
    match value {
        Value::String(text) => {
            let digits = text.strip_suffix('%').unwrap_or_default();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                walk.invalid(place, value, PERCENT);
            }
        }
        other if other.as_i64().is_some_and(|number| number < 0) => {
            walk.invalid(place, value, "must be greater than or equal to 0");
        }
        _ => {}
    }
}

fn over(walk: &mut Walk<'_>, place: &str, value: &Value) {
    let share = text(value).strip_suffix('%').and_then(|digits| digits.parse::<f64>().ok());
    if share.is_some_and(|share| share > 100.0) {
        walk.invalid(place, value, "must not be greater than 100%");
    }
}

fn percent<'a>(walk: &mut Walk<'a>, value: &'a Value) {
    share(walk, "", value);
    over(walk, "", value);
}

/// Whether a number or share is none. A string that is neither is none, too.
fn is_none(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            text.strip_suffix('%').and_then(|digits| digits.parse::<i64>().ok()).unwrap_or(0) == 0
        }
        other => other.as_i64() == Some(0),
    }
}

/// The numbers of a rolling update.
fn rolling(walk: &mut Walk<'_>, update: &Value, is_daemon: bool) {
    let [surge, unavailable] = ["maxSurge", "maxUnavailable"].map(|name| &update[name]);
    for (name, value) in [("maxUnavailable", unavailable), ("maxSurge", surge)] {
        share(walk, &format!(".rollingUpdate.{name}"), value);
    }
    let at = ".rollingUpdate.maxUnavailable";
    match (is_none(surge) || is_daemon && surge.is_null(), is_none(unavailable)) {
        (true, true) if is_daemon => walk.required(at, "cannot be 0 when maxSurge is 0"),
        (true, true) => {
            walk.invalid(at, unavailable, "may not be 0 when `maxSurge` is 0");
        }
        (false, false) if is_daemon && !unavailable.is_null() => {
            let why = "may not be set when maxUnavailable is non-zero";
            walk.invalid(".rollingUpdate.maxSurge", surge, why);
        }
        _ => over(walk, at, unavailable),
    }
}

/// A strategy as the types of Go show it.
fn shown(strategy: &Value, kind: &str) -> Value {
    let update = &strategy["rollingUpdate"];
    let update = match kind {
        _ if update.is_null() => Value::Null,
        "StatefulSet" => json!({
            "Partition": update["partition"], "MaxUnavailable": update["maxUnavailable"],
        }),
        _ => {
            let [unavailable, surge] =
                ["maxUnavailable", "maxSurge"].map(|name| match &update[name] {
                    Value::Null => json!(0),
                    value => value.clone(),
                });
            json!({"MaxUnavailable": unavailable, "MaxSurge": surge})
        }
    };
    json!({"Type": strategy["type"], "RollingUpdate": update})
}

fn strategy<'a>(walk: &mut Walk<'a>, strategy: &'a Value) {
    let kind = text(&walk.object["kind"]);
    let other = if kind == "Deployment" { "Recreate" } else { "OnDelete" };
    let update = &strategy["rollingUpdate"];
    match text(&strategy["type"]) {
        "" | "RollingUpdate" if kind == "StatefulSet" => {
            walk.at_least(".rollingUpdate.partition", &update["partition"], 0);
            share(walk, ".rollingUpdate.maxUnavailable", &update["maxUnavailable"]);
        }
        "" | "RollingUpdate" => {
            if !update.is_null() {
                rolling(walk, update, kind == "DaemonSet");
            }
        }
        stated if stated == other => {
            if !update.is_null() && kind != "DaemonSet" {
                let why = if kind == "Deployment" {
                    "may not be specified when strategy `type` is 'Recreate'"
                } else {
                    "only allowed for updateStrategy 'RollingUpdate'"
                };
                let why = why.to_owned();
                walk.below(".rollingUpdate", |path| Cause::forbidden(path, &why));
            }
        }
        _ if kind == "StatefulSet" => {
            walk.invalid("", &shown(strategy, kind), "must be 'RollingUpdate' or 'OnDelete'");
        }
        _ => {
            let mut supported = ["RollingUpdate", other];
            if kind == "Deployment" {
                supported.reverse();
            }
            walk.push(|path| Cause::unsupported(path, &shown(strategy, kind), &supported));
        }
    }
}

fn deadline<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let deadline = spec["progressDeadlineSeconds"].as_i64().unwrap_or(600);
    if deadline <= spec["minReadySeconds"].as_i64().unwrap_or_default() {
        let why = "must be greater than minReadySeconds";
        walk.invalid(".progressDeadlineSeconds", &json!(deadline), why);
    }
}

fn template_of_controller<'a>(walk: &mut Walk<'a>, template: &'a Value) {
    if template.is_null() {
        walk.required("", "");
    }
}

const STATEFUL: &str = "updates to statefulset spec for fields other than 'replicas', 'ordinals', \
                        'template', 'updateStrategy', 'revisionHistoryLimit', \
                        'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/// Claims become volumes of the template, by their names.
fn claim_names<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    for (index, claim) in elements(&spec["volumeClaimTemplates"]).iter().enumerate() {
        let name = claim.metadata_text("name");
        let place = format!(".template.spec.volumes[{index}]");
        if name.is_empty() {
            walk.required(&format!("{place}.persistentVolumeClaim.claimName"), "");
            walk.required(&format!("{place}.name"), "");
        } else {
            for why in label_errors(name) {
                walk.invalid(&format!("{place}.name"), &json!(name), &why);
            }
        }
    }
}

fn stateful_changes<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let Some(live) = walk.live else { return };
    let fixed = ["podManagementPolicy", "selector", "serviceName", "volumeClaimTemplates"];
    let old = live.get("spec").unwrap_or(NONE);
    if fixed.iter().any(|name| !same(&spec[*name], &old[*name])) {
        walk.push(|path| Cause::forbidden(path, STATEFUL));
    }
}

/// Whether two values are equal for Go, which does not tell no value from an empty one.
fn same(one: &Value, other: &Value) -> bool {
    one == other || is_zero(one) && is_zero(other)
}

fn job_restart<'a>(walk: &mut Walk<'a>, policy: &'a Value) {
    let supported = ["OnFailure", "Never"];
    // The default is as good as nothing.
    if matches!(text(policy), "" | "Always") {
        walk.required("", "valid values: \"OnFailure\", \"Never\"");
    } else if !supported.contains(&text(policy)) {
        walk.unsupported("", policy, &supported);
    }
}

fn job_changes<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let Some(live) = walk.live else { return };
    let old = live.get("spec").unwrap_or(NONE);
    walk.value_of("JobSpec", spec);
    let is_indexed = text(&spec["completionMode"]) == "Indexed";
    let completions = &spec["completions"];
    if completions != &old["completions"] {
        if !is_indexed {
            walk.invalid(".completions", completions, "field is immutable");
        } else if completions != &spec["parallelism"] {
            let why = "can only be modified in tandem with spec.parallelism";
            walk.invalid(".completions", completions, why);
        }
    }
    let is_suspended = old["suspend"] == json!(true);
    let fixed =
        ["selector", "template", "completionMode", "podFailurePolicy", "backoffLimitPerIndex"];
    for name in fixed.into_iter().filter(|name| *name != "template" || !is_suspended) {
        if !same(&spec[name], &old[name]) {
            let shown = if name == "podFailurePolicy" {
                shown_policy(&spec[name])
            } else {
                spec[name].clone()
            };
            walk.below(&format!(".{name}"), |path| Cause::immutable(path, &shown));
        }
    }
}

/// A policy for failures as the types of Go show it.
fn shown_policy(policy: &Value) -> Value {
    fn list(list: &Value, shown: fn(&Value) -> Value) -> Value {
        list.as_array().map(|elements| elements.iter().map(shown).collect()).unwrap_or_default()
    }
    fn rule(rule: &Value) -> Value {
        let codes = rule["onExitCodes"].as_object().map(|codes| {
            let [name, values] = ["containerName", "values"].map(|name| codes.get(name));
            json!({"ContainerName": name, "Operator": codes.get("operator"), "Values": values})
        });
        let conditions = list(&rule["onPodConditions"], condition);
        json!({"Action": rule.text("action"), "OnExitCodes": codes, "OnPodConditions": conditions})
    }
    fn condition(condition: &Value) -> Value {
        json!({"Type": condition.text("type"), "Status": condition.text("status")})
    }
    policy.as_object().map(|_| json!({"Rules": list(&policy["rules"], rule)})).unwrap_or_default()
}

/// The pods of a job with indexes have its name and their index.
fn pod_names<'a>(walk: &mut Walk<'a>, job: &'a Value) {
    let count = job.at("spec.completions").and_then(Value::as_i64).unwrap_or_default();
    if job.at("spec.completionMode") != Some(&json!("Indexed")) || count < 1 {
        return;
    }
    let name = job.metadata_text("name");
    let pod = format!("{name}-{}", count - 1);
    if !label_errors(&pod).is_empty() {
        let why = format!("will not able to create pod with invalid DNS label: {pod}");
        walk.invalid("metadata.name", &json!(name), &why);
    }
}

const ACTIONS: [&str; 4] = ["Count", "FailIndex", "FailJob", "Ignore"];

fn failure_rule<'a>(walk: &mut Walk<'a>, rule: &'a Value) {
    let action = text(&rule["action"]);
    if action.is_empty() {
        let why = "valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]";
        walk.required(".action", why);
    } else if !ACTIONS.contains(&action) {
        walk.unsupported(".action", &rule["action"], &ACTIONS);
    }
    for (index, condition) in elements(&rule["onPodConditions"]).iter().enumerate() {
        let at = format!(".onPodConditions[{index}]");
        let kind = text(&condition["type"]);
        for why in crate::validate::label_key_errors(kind) {
            walk.invalid(&format!("{at}.type"), &json!(kind), &why);
        }
        let supported = ["False", "True", "Unknown"];
        let status = &condition["status"];
        if !status.is_null() && !supported.contains(&text(status)) {
            walk.unsupported(&format!("{at}.status"), status, &supported);
        }
    }
    if is_zero(&rule["onPodConditions"]) && is_zero(&rule["onExitCodes"]) {
        let message =
            "Invalid value: specifying one of OnExitCodes and OnPodConditions is required";
        walk.push(|path| Cause::new(path, "FieldValueInvalid", message.to_owned()));
    }
}

/// The least and the greatest number of each field of a schedule.
const FIELDS: [(i64, i64); 5] = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)];
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

fn schedule<'a>(walk: &mut Walk<'a>, schedule: &'a Value) {
    let stated = text(schedule);
    if stated.starts_with("TZ") || stated.contains("CRON_TZ") {
        let why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        walk.invalid("", schedule, why);
        return;
    }
    let descriptors =
        ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
    if descriptors.contains(&stated) || stated.starts_with("@every ") || stated.is_empty() {
        return;
    }
    if stated.starts_with('@') {
        walk.invalid("", schedule, &format!("unrecognized descriptor: {stated}"));
        return;
    }
    let fields: Vec<_> = stated.split_whitespace().collect();
    if fields.len() != 5 {
        let found = fields.join(" ");
        let why = format!("expected exactly 5 fields, found {}: [{found}]", fields.len());
        walk.invalid("", schedule, &why);
        return;
    }
    let wrong = fields.iter().zip(FIELDS).enumerate().find_map(|(index, (field, bounds))| {
        let names: &[&str] = match index {
            3 => &MONTHS,
            4 => &DAYS,
            _ => &[],
        };
        field.split(',').find_map(|part| moments(part, bounds, names).err())
    });
    if let Some(why) = wrong {
        walk.invalid("", schedule, &why);
    }
}

/// Checks a part of a field of a schedule, such as `1-5/2`.
fn moments(part: &str, (least, most): (i64, i64), names: &[&str]) -> Result<(), String> {
    let (range, step) =
        part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
    let (from, to) = match range {
        "*" | "?" => (least, most),
        _ => {
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            (moment(from, least, names)?, moment(to, least, names)?)
        }
    };
    let step = step.map_or(Ok(1), |step| moment(step, least, names))?;
    if from < least {
        return Err(format!("beginning of range ({from}) below minimum ({least}): {part}"));
    }
    if to > most {
        return Err(format!("end of range ({to}) above maximum ({most}): {part}"));
    }
    if from > to {
        return Err(format!("beginning of range ({from}) beyond end of range ({to}): {part}"));
    }
    if step == 0 {
        return Err(format!("step of range should be a positive number: {part}"));
    }
    Ok(())
}

/// A number of a schedule, or the one of a name such as `mon`. The names begin with the least one.
fn moment(text: &str, least: i64, names: &[&str]) -> Result<i64, String> {
    let known = names.iter().position(|name| *name == text.to_lowercase());
    let known = known.and_then(|at| i64::try_from(at).ok()).map(|at| at + least);
    known.or_else(|| text.parse().ok()).ok_or_else(|| {
        format!(
            "failed to parse int from {text}: strconv.Atoi: parsing {}: invalid syntax",
            kapigen_definitions::quoted(text)
        )
    })
}

/// The areas that time zones are named by, and the names without one.
const AREAS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile \
                     Etc Europe Indian Mexico Pacific US";
const ZONES: &str = "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 \
                     GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya \
                     MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK \
                     Singapore Turkey UCT UTC Universal W-SU WET Zulu";

/// Places within an area are not known here, and all are taken.
fn time_zone<'a>(walk: &mut Walk<'a>, zone: &'a Value) {
    let name = text(zone);
    let is_known = match name.split_once('/') {
        Some((area, place)) => {
            AREAS.split(' ').any(|known| known == area)
                && place.starts_with(|c: char| c.is_alphabetic())
        }
        None => ZONES.split(' ').any(|known| known == name),
    };
    if name.is_empty() {
        walk.invalid("", zone, "timeZone must be nil or non-empty string");
    } else if name.eq_ignore_ascii_case("local") {
        let why = "timeZone must be an explicit time zone as defined in \
                   https://www.iana.org/time-zones";
        walk.invalid("", zone, why);
    } else if !is_known {
        walk.invalid("", zone, &format!("unknown time zone {name}"));
    }
}

fn both_limits<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    if !spec["minAvailable"].is_null() && !spec["maxUnavailable"].is_null() {
        let why = "minAvailable and maxUnavailable cannot be both set";
        walk.invalid("", spec, why);
    }
}

fn most_replicas<'a>(walk: &mut Walk<'a>, most: &'a Value) {
    let number = most.as_i64().unwrap_or_default();
    let least = walk.object.at("spec.minReplicas").and_then(Value::as_i64).unwrap_or(1);
    if number < 1 {
        walk.required("", "must be set and greater than 0");
    }
    if number < least {
        walk.invalid("", &json!(number), "must be greater than or equal to `minReplicas`");
    }
}

fn target<'a>(walk: &mut Walk<'a>, target: &'a Value) {
    let version = text(&target["apiVersion"]);
    let is_core = version == "v1" && text(&target["kind"]) == "ReplicationController";
    if !version.contains('/') && !is_core {
        walk.invalid(".apiVersion", &json!(version), "apiVersion must specify API group");
    }
}

const METRICS: [(&str, &str); 5] = [
    ("ContainerResource", "containerResource"),
    ("External", "external"),
    ("Object", "object"),
    ("Pods", "pods"),
    ("Resource", "resource"),
];

fn metric<'a>(walk: &mut Walk<'a>, metric: &'a Value) {
    let kind = text(&metric["type"]);
    if kind.is_empty() {
        walk.required(".type", "must specify a metric source type");
    }
    let Some((_, member)) = METRICS.iter().find(|(known, _)| *known == kind) else {
        let supported = METRICS.map(|(known, _)| known);
        walk.unsupported(".type", &metric["type"], &supported);
        walk.unsupported(".type", &metric["type"], &supported);
        return;
    };
    let source = &metric[*member];
    if source.is_null() {
        let why = "must populate information for the given metric source";
        walk.required(&format!(".{member}"), why);
        return;
    }
    if kind.ends_with("Resource") {
        if text(&source["name"]).is_empty() {
            walk.required(&format!(".{member}.name"), "must specify a resource name");
        }
        let target = &source["target"];
        let stated = text(&target["type"]);
        let place = format!(".{member}.target.type");
        if stated.is_empty() {
            walk.required(&place, "must specify a metric target type");
        }
        if !matches!(stated, "Utilization" | "Value" | "AverageValue") {
            let why = "must be either Utilization, Value, or AverageValue";
            walk.invalid(&place, &json!(stated), why);
        }
        if target["averageUtilization"].is_null() && target["averageValue"].is_null() {
            let why = "must set either a target raw value or a target utilization";
            walk.required(&format!(".{member}.target.averageUtilization"), why);
        }
    }
}

fn to_zero<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let is_zero = spec["minReplicas"].as_i64() == Some(0);
    let wakes = elements(&spec["metrics"])
        .iter()
        .any(|metric| matches!(text(&metric["type"]), "Object" | "External"));
    if is_zero && !wakes {
        let why = "must specify at least one Object or External metric to support scaling to zero \
                   replicas";
        walk.below(".metrics", |path| Cause::forbidden(path, why));
    }
}
