//! The bodies to begin with: objects of servers, values with every member, values with one member
//! each, and frames of streams.

use super::spots::Spots;
use crate::agreement::{Check, TYPES, WATCH_EVENT, sessions};
use crate::documents::Documents;
use crate::filler::Filler;
use crate::random::Random;
use crate::samples;
use serde_json::{Map, Value, json};

/// A body and its check.
#[derive(Debug)]
pub(super) struct Seed {
    pub(super) schema: &'static str,
    pub(super) check: Check,
    pub(super) text: Vec<u8>,
    pub(super) spots: Spots,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Seeds {
    bodies: Vec<Seed>,
    /// Frames of WebSockets, which are no JSON.
    frames: Vec<Seed>,
    /// The weight of all seeds up to this one.
    weights: Vec<usize>,
}

/// Longer bodies are left out: a change of them takes too long to check.
const LONGEST: usize = 6000;

impl Seeds {
    /// Finds and makes them.
    pub(super) fn read() -> Self {
        let documents = Documents::read();
        let samples = [samples::fixtures(), samples::recorded()].concat();
        let mut seeds = Vec::new();
        for (schema, check) in TYPES {
            let is_of_type = |sample: &&samples::Sample| {
                let (api_version, kind) = sample.kind();
                documents.of_kind(api_version, kind) == Some(schema) && sample.text.len() <= LONGEST
            };
            let own = samples.iter().filter(is_of_type).map(|sample| sample.text.trim().to_owned());
            let filled = Filler::new(documents, schema.len()).fill(documents.named(schema));
            let made = branches(&filled).into_iter().flat_map(|branch| enclosed(schema, branch));
            let texts = own.chain(made.map(|value| value.to_string())).chain([filled.to_string()]);
            seeds.extend(
                texts.filter(|text| text.len() <= LONGEST).map(|text| seed(schema, check, text)),
            );
        }
        let mut total = 0;
        let weigh = |seed: &Seed| {
            // The time that a body takes grows with its length.
            total += 1_000_000 / (seed.text.len() + 100);
            total
        };
        let weights = seeds.iter().map(weigh).collect();
        let frames = sessions().into_iter().map(|(schema, text, check)| {
            let spots = Spots::default();
            Seed { schema, check, text, spots }
        });
        Self { bodies: seeds, frames: frames.collect(), weights }
    }

    pub(super) fn count(&self) -> usize {
        self.bodies.len() + self.frames.len()
    }

    /// Chooses one, small ones more often. One of 16 is of frames.
    pub(super) fn choose(&self, random: &mut Random) -> &Seed {
        if random.below(16) == 0 {
            return random.of(&self.frames);
        }
        let weight = random.below(self.weights.last().copied().unwrap_or_default());
        &self.bodies[self.weights.partition_point(|all| *all <= weight)]
    }
}

fn seed(schema: &'static str, check: Check, text: String) -> Seed {
    let text = text.into_bytes();
    let spots = Spots::find(&text);
    Seed { schema, check, text, spots }
}

/// The value as a server sends it: objects of events within events.
fn enclosed(schema: &str, value: Value) -> Vec<Value> {
    if schema != WATCH_EVENT {
        return vec![value];
    }
    let object = &value["object"];
    ["ADDED", "DELETED", "BOOKMARK", "ERROR"]
        .iter()
        .map(|kind| json!({"type": kind, "object": object}))
        .collect()
}

/// The same value once for each of its leaves, with nothing but that.
fn branches(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let each = |(key, value): (&String, &Value)| {
                branches(value)
                    .into_iter()
                    .map(|branch| Value::Object(Map::from_iter([(key.clone(), branch)])))
                    .collect()
            };
            members.iter().flat_map(|member| -> Vec<Value> { each(member) }).collect()
        }
        Value::Array(elements) => {
            elements.iter().take(1).flat_map(branches).map(|branch| json!([branch])).collect()
        }
        leaf => vec![leaf.clone()],
    }
}
