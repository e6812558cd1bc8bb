//! Figures, as tables for people and as JSON for programs.

use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Figures that belong together.
pub struct Table {
    pub title: &'static str,
    /// The method of measuring.
    pub notes: Vec<String>,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

pub enum Cell {
    Text(String),
    /// A number, and its significant digits after the point.
    Number(f64, usize),
    /// No figure.
    None,
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text(text.into())
    }

    fn show(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(number, digits) => format!("{number:.digits$}"),
            Cell::None => String::new(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Number(number, _) => json!(number),
            Cell::None => Value::Null,
        }
    }
}

/// A goal that was set for a ratio, and whether it is reached.
pub fn goal(ratio: f64, at_least: bool, goal: f64) -> Cell {
    let reached = if at_least { ratio >= goal } else { ratio <= goal };
    let sign = if at_least { '≥' } else { '≤' };
    let word = if reached { "reached" } else { "missed" };
    Cell::Text(format!("{sign} {goal}: {word}"))
}

impl Table {
    pub fn markdown(&self) -> String {
        let mut text = format!("## {}\n\n", self.title);
        for note in &self.notes {
            writeln!(text, "{note}\n").expect("memory takes everything");
        }
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        text += &row(&self.columns.iter().map(|&column| column.to_owned()).collect::<Vec<_>>());
        let right = |index: usize| {
            self.rows.iter().any(|row| matches!(row.get(index), Some(Cell::Number(..))))
        };
        let lines = (0..self.columns.len())
            .map(|index| if right(index) { "--:" } else { "---" }.to_owned());
        text += &row(&lines.collect::<Vec<_>>());
        for cells in &self.rows {
            text += &row(&cells.iter().map(Cell::show).collect::<Vec<_>>());
        }
        text
    }

    pub fn json(&self) -> Value {
        let row = |cells: &Vec<Cell>| -> Map<String, Value> {
            self.columns
                .iter()
                .zip(cells)
                .map(|(column, cell)| ((*column).to_owned(), cell.json()))
                .collect()
        };
        json!({"title": self.title, "notes": self.notes, "rows": self.rows.iter().map(row).collect::<Vec<_>>()})
    }
}

/// The one in the middle.
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The machine in a line.
pub fn machine() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let rustc = std::process::Command::new("rustc").arg("--version").output();
    let rustc = rustc
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default();
    format!(
        "{}, {cores} cores, {}, {rustc}",
        model.unwrap_or("unknown processor"),
        std::env::consts::OS
    )
}

#[cfg(test)]
mod tests {
    use super::{Cell, Table, goal, median};
    use serde_json::json;

    #[test]
    fn tables_are_shown_to_people_and_programs() {
        let rows =
            vec![vec![Cell::text("a"), Cell::Number(1.25, 1)], vec![Cell::text("b"), Cell::None]];
        let table = Table {
            title: "Speed",
            notes: vec!["Fast.".to_owned()],
            columns: vec!["who", "MB/s"],
            rows,
        };
        assert_eq!(
            table.markdown(),
            "## Speed\n\nFast.\n\n| who | MB/s |\n| --- | --: |\n| a | 1.2 |\n| b |  |\n"
        );
        assert_eq!(
            table.json()["rows"],
            json!([{"who": "a", "MB/s": 1.25}, {"who": "b", "MB/s": null}])
        );
    }

    #[test]
    fn goals_are_reached_from_their_side() {
        assert_eq!(goal(2.5, true, 2.5).show(), "≥ 2.5: reached");
        assert_eq!(goal(0.5, false, 0.25).show(), "≤ 0.25: missed");
    }

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!(median(&[]).is_nan());
    }
}
