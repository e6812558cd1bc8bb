//! The rules of followed logs.

use crate::script::Script;
use kapigen_runtime::__private::Builder;
use kapigen_runtime::{LogEvent, LogFollower, Operation, Request, Text, Verb};
use proptest::prelude::*;

static LOG: Operation = Operation::new(Verb::Get, "readLog", "GET", "/things").parameters(&[
    "follow",
    "previous",
    "sinceTime",
    "tailLines",
    "timestamps",
]);

pub(crate) fn log() -> Script<LogFollower> {
    let request: Request<Text> = Builder::new(&LOG, &[]).finish().unwrap();
    Script::new(|| LogFollower::new(request.clone()).unwrap().seed(1), describe)
}

fn describe(event: LogEvent) -> String {
    match event {
        LogEvent::Line(line) => String::from_utf8(line.text).unwrap(),
        LogEvent::Failed(failure) => format!("Failed {}", failure.kind),
        LogEvent::Ended(refusal) => format!("Ended {:?}", refusal.map(|error| error.code.as_u16())),
        other => panic!("{other:?}"),
    }
}

const FIRST: &str = "GET follow=true&timestamps=true";
const BROKEN: &str = "Failed the connection broke: reset by peer";

fn since(second: &str) -> String {
    format!("{FIRST}&sinceTime=2024-05-01T12%3A00%3A{second}Z")
}

#[test]
fn resumes_at_the_last_second_and_drops_its_lines() {
    log().run(&[
        ("", FIRST),
        ("200", ""),
        (
            "body 2024-05-01T12:00:01.5Z one\n2024-05-01T12:00:02.1Z two\n2024-05-01T12:00:02.1Z \
             two\n",
            "one; two; two",
        ),
        ("body 2024-05-01T12:00:02.2Z thr", ""),
        ("cut", &format!("{BROKEN}; wait 1")),
        ("later", &since("02")),
        ("200", ""),
        (
            "body 2024-05-01T12:00:02.1Z two\n2024-05-01T12:00:02.1Z two\n2024-05-01T12:00:02.2Z \
             three\n",
            "three",
        ),
        ("body 2024-05-01T12:00:02.1Z two\n2024-05-01T12:00:03Z four\n", "two; four"),
        ("cut", &format!("{BROKEN}; wait 1")),
        ("later", &since("03")),
    ]);
}

#[test]
fn ends_when_nothing_follows_the_end() {
    log().run(&[
        ("", FIRST),
        ("200", ""),
        ("body 2024-05-01T12:00:01Z one\n2024-05-01T12:00:02Z half", "one"),
        ("end", "half; wait 1"),
        ("later", &since("02")),
        ("200", ""),
        ("body 2024-05-01T12:00:02Z half", ""),
        ("end", "Ended None; done"),
    ]);
}

/// A follower remembers 50,000 lines of a second, and repeats the others: those are not new.
#[test]
fn ends_when_nothing_follows_a_second_with_more_lines_than_it_remembers() {
    let lines = |count: usize| {
        (0..count).map(|number| format!("2024-05-01T12:00:02.{number:09}Z {number}\n"))
    };
    let body = |count| format!("body {}", lines(count).collect::<String>());
    let joined = |numbers: std::ops::Range<usize>| {
        numbers.map(|number| number.to_string()).collect::<Vec<_>>().join("; ")
    };
    let mut log = log();
    log.run(&[("", FIRST), ("200", ""), (&body(50_003), &joined(0..50_003)), ("end", "wait 1")]);
    log.run(&[
        ("later", &since("02")),
        ("200", ""),
        (&body(50_004), &joined(50_000..50_004)),
        ("end", "wait 1"),
    ]);
    log.run(&[("later", &since("02")), ("200", ""), (&body(50_004), &joined(50_000..50_004))]);
    log.run(&[("end", "Ended None; done")]);
}

#[test]
fn ends_when_the_container_is_gone() {
    for (code, expected) in [("400", "Ended Some(400); done"), ("404", "Ended Some(404); done")] {
        log().run(&[("", FIRST), (code, ""), ("end", expected), ("", "done")]);
    }
}

#[test]
fn goes_on_after_other_refusals() {
    log().run(&[
        ("", FIRST),
        ("429 retry-after: 9", ""),
        ("end", "Failed the server responded with 429 Too Many Requests; wait 9"),
        ("later", FIRST),
        ("+60", "Failed the server was silent for 60 s; wait 1.6+"),
    ]);
}

#[test]
fn asks_again_after_a_long_silence() {
    log().run(&[
        ("", FIRST),
        ("200", ""),
        ("body 2024-05-01T12:00:01Z one\n", "one"),
        ("+600", &since("01")),
    ]);
}

#[test]
fn keeps_lines_without_a_time_stamp() {
    log().run(&[
        ("", FIRST),
        ("200", ""),
        ("body failed to open log file\n", "failed to open log file"),
    ]);
}

#[test]
fn drops_where_to_begin_once_it_has_begun() {
    static TAIL: &str = "GET tailLines=5&follow=true&timestamps=true";
    struct Tail;
    impl kapigen_runtime::__private::Params for Tail {
        fn add_to(&self, query: &mut kapigen_runtime::__private::Query) {
            query.add("tailLines", &5_i64);
        }

        fn read_from(&mut self, _: &mut dyn kapigen_runtime::__private::Source) {
            unreachable!("a request is only built here");
        }
    }
    let request: Request<Text> = Builder::new(&LOG, &[]).params(&Tail).finish().unwrap();
    let mut log = Script::new(|| LogFollower::new(request.clone()).unwrap().seed(1), describe);
    log.run(&[
        ("", TAIL),
        ("200", ""),
        ("cut", &format!("{BROKEN}; wait 0.8+")),
        ("later", TAIL),
        ("200", ""),
        ("body 2024-05-01T12:00:01Z one\n", "one"),
        ("cut", &format!("{BROKEN}; wait 1")),
        ("later", &since("01")),
    ]);
}

proptest! {
    /// A server that sends the log from the second that it was asked for, and breaks off anywhere.
    #[test]
    fn reports_each_line_once_in_its_order(
        gaps in prop::collection::vec(0..900_u32, 1..40),
        cuts in prop::collection::vec(1..400_usize, 0..20),
    ) {
        let mut time = 0;
        let lines: Vec<(u32, String)> = gaps.iter().map(|gap| {
            time += gap / 300 * 250; // several lines at one moment, and moments in one second
            let second = time / 1000;
            let milli = time % 1000;
            (second, format!("2024-05-01T12:{:02}:{:02}.{milli:03}000000Z {}", second / 60, second % 60, gap % 3))
        }).collect();
        let mut script = log();
        let mut reported = Vec::new();
        let mut cuts = cuts.into_iter();
        let mut steps = script.steps();
        let most = lines.len() + cuts.len() + 2;
        for round in 0.. {
            prop_assert!(round <= most, "it goes on and on");
            let from = steps.rsplit("%3A").next().filter(|_| steps.contains("sinceTime"));
            let minute = steps.rsplit("%3A").nth(1).and_then(|minute| minute.parse::<u32>().ok()).unwrap_or_default();
            let from = from.map_or(0, |second| second.trim_end_matches('Z').parse::<u32>().unwrap() + 60 * minute);
            let text = lines.iter().filter(|line| line.0 >= from).flat_map(|line| [line.1.as_str(), "\n"]).collect::<String>();
            script.feed("200");
            let cut = cuts.next();
            let length = cut.unwrap_or(text.len()).min(text.len());
            script.feed(&format!("body {}", &text[..length]));
            script.feed(if cut.is_some() { "cut" } else { "end" });
            let found = script.steps();
            let is_text = |part: &&str| part.len() == 1;
            reported.extend(found.split("; ").filter(is_text).map(str::to_owned));
            if found.ends_with("done") {
                break;
            }
            script.feed("later");
            steps = script.steps();
        }
        let expected: Vec<String> = lines.iter().map(|(_, line)| line[31..].to_owned()).collect();
        prop_assert_eq!(reported, expected);
    }
}
