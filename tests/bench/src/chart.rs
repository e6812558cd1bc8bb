//! A chart of the ratios to the peer, as SVG, from the figures that a run wrote as JSON.

use plotters::prelude::{DrawingArea, IntoDrawingArea, Rectangle, SVGBackend, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};
use serde_json::Value;
use std::error::Error;

/// One bar: a ratio in one of the tables.
struct Bar {
    label: &'static str,
    table: &'static str,
    /// The cells that select the row.
    row: &'static [(&'static str, &'static str)],
    column: &'static str,
    /// The ratio is of costs, so that its inverse is how many times better.
    cost: bool,
}

const PODS: &[(&str, &str)] = &[("input", "pods"), ("who", "openshift-api")];
const FULL_PODS: &[(&str, &str)] = &[("input", "full pods"), ("who", "openshift-api")];

const BARS: [Bar; 11] = [
    speed("decode pods", PODS, "decode ×"),
    speed(
        "decode a watch of pods",
        &[("input", "watch of pods"), ("who", "openshift-api")],
        "decode ×",
    ),
    speed("decode pods with nearly every field", FULL_PODS, "decode ×"),
    speed("encode pods", PODS, "encode ×"),
    speed("encode pods with nearly every field", FULL_PODS, "encode ×"),
    Bar {
        label: "copy a pod",
        table: "Copying and comparing",
        row: PODS,
        column: "copy ×",
        cost: false,
    },
    Bar {
        label: "decode 15 members of pods",
        table: "Masks",
        row: &[("input", "pods"), ("decoded", "15 members")],
        column: "× peer",
        cost: false,
    },
    Bar {
        label: "memory of 15 members of a pod",
        table: "Masks",
        row: &[("input", "pods"), ("decoded", "15 members")],
        column: "bytes of peer",
        cost: true,
    },
    Bar {
        label: "memory of a pod",
        table: "Memory of objects",
        row: PODS,
        column: "×",
        cost: true,
    },
    Bar {
        label: "check the crate and its runtime",
        table: "Compiling the crates",
        row: &[("crate", "openshift-api and its runtime")],
        column: "check ×",
        cost: true,
    },
    Bar {
        label: "compile a program after an edit",
        table: "Compiling a program",
        row: &[("program", "with openshift-api")],
        column: "dev ×",
        cost: true,
    },
];

const fn speed(
    label: &'static str,
    row: &'static [(&'static str, &'static str)],
    column: &'static str,
) -> Bar {
    Bar { label, table: "Decoding and encoding", row, column, cost: false }
}

impl Bar {
    /// The factor by which this is better than the peer.
    fn times(&self, figures: &Value) -> Option<f64> {
        let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
        let fits = |row: &Value| self.row.iter().all(|&(column, cell)| row[column] == cell);
        let tables =
            list(&figures["tables"]).into_iter().filter(|table| table["title"] == self.table);
        let mut rows = tables.flat_map(|table| list(&table["rows"])).filter(fits);
        let ratio = rows.find_map(|row| row[self.column].as_f64())?;
        Some(if self.cost { 1.0 / ratio } else { ratio })
    }
}

const WIDTH: i32 = 760;
/// The left end of the bars. The labels are to the left of it.
const LEFT: i32 = 290;
/// The width that is left for the longest bar and its figure.
const LONGEST: i32 = WIDTH - LEFT - 70;
const TOP: i32 = 62;
const LINE: i32 = 30;
const FONT: &str = "sans-serif";

/// The colors on a dark ground, where the page that shows the chart follows the system.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) {
rect[fill='#FFFFFF'] { fill: #0D1117 } rect[fill='#2266BB'] { fill: #4493F8 } rect[fill='#6E7781'] \
                    { fill: #9198A1 }
text[fill='#24292F'] { fill: #E6EDF3 } text[fill='#6E7781'] { fill: #9198A1 }
}</style>
";

/// The labels of bars without figures.
pub fn missing(figures: &Value) -> Vec<&'static str> {
    BARS.iter().filter(|bar| bar.times(figures).is_none()).map(|bar| bar.label).collect()
}

/// Draws the chart.
///
/// # Errors
/// When figures are missing: all of them are named.
pub fn svg(figures: &Value) -> Result<String, Box<dyn Error>> {
    let missing = missing(figures);
    if !missing.is_empty() {
        return Err(format!(
            "no figures for: {}; run all parts of the bench first",
            missing.join(", ")
        )
        .into());
    }
    let times: Vec<f64> = BARS.iter().filter_map(|bar| bar.times(figures)).collect();
    let machine = figures["machine"].as_str().unwrap_or("unknown machine");
    let mut text = String::new();
    draw(&mut text, &times, machine)?;
    let (head, rest) = text.split_once('\n').ok_or("the chart has no lines")?;
    Ok(format!("{head}\n{DARK}{rest}"))
}

fn draw(text: &mut String, times: &[f64], machine: &str) -> Result<(), Box<dyn Error>> {
    let height = TOP + LINE * i32::try_from(times.len())? + 16;
    let area = SVGBackend::with_string(text, (WIDTH.unsigned_abs(), height.unsigned_abs()))
        .into_drawing_area();
    let ink = RGBColor(36, 41, 47);
    let faint = RGBColor(110, 119, 129);
    let bar = RGBColor(34, 102, 187);
    area.fill(&RGBColor(255, 255, 255))?;
    put(
        &area,
        "openshift-api: how many times as fast, or as small, as k8s-openapi 0.29",
        (16, 20),
        16,
        ink,
        HPos::Left,
    )?;
    put(&area, machine, (16, 42), 12, faint, HPos::Left)?;
    let longest = times.iter().copied().fold(1.0, f64::max);
    #[allow(clippy::cast_possible_truncation)] // pixels
    let width = |times: f64| (times / longest * f64::from(LONGEST)).round() as i32;
    for (index, (times, label)) in
        (0..).zip(times.iter().copied().zip(BARS.iter().map(|bar| bar.label)))
    {
        let middle = TOP + LINE * index + LINE / 2;
        let corners = [(LEFT, middle - 10), (LEFT + width(times), middle + 10)];
        area.draw(&Rectangle::new(corners, ShapeStyle::from(bar).filled()))?;
        put(&area, label, (LEFT - 10, middle), 14, ink, HPos::Right)?;
        put(
            &area,
            &format!("{times:.1} ×"),
            (LEFT + width(times) + 8, middle),
            14,
            ink,
            HPos::Left,
        )?;
    }
    // The peer, to which all are compared.
    let one = LEFT + width(1.0);
    area.draw(&Rectangle::new(
        [(one, TOP), (one + 1, height - 16)],
        ShapeStyle::from(faint.mix(0.8)).filled(),
    ))?;
    area.present()?;
    Ok(())
}

fn put(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    text: &str,
    at: (i32, i32),
    size: i32,
    color: RGBColor,
    side: HPos,
) -> Result<(), Box<dyn Error>> {
    let style =
        TextStyle::from((FONT, size).into_font()).color(&color).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(|error| error.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::{BARS, svg};
    use serde_json::{Map, Value, json};

    /// The figures that the bars need, all of the same ratio.
    fn figures(ratio: f64) -> Value {
        let table = |bar: &super::Bar| {
            let mut row: Map<String, Value> =
                bar.row.iter().map(|&(column, cell)| (column.to_owned(), json!(cell))).collect();
            row.insert(bar.column.to_owned(), json!(if bar.cost { 1.0 / ratio } else { ratio }));
            json!({"title": bar.table, "rows": [row]})
        };
        json!({"machine": "a machine", "tables": BARS.iter().map(table).collect::<Vec<_>>()})
    }

    #[test]
    fn every_bar_shows_its_ratio() {
        let text = svg(&figures(4.0)).expect("all figures are there");
        assert!(text.starts_with("<svg"), "{text}");
        assert_eq!(text.matches("4.0 ×").count(), BARS.len(), "{text}");
        assert!(BARS.iter().all(|bar| text.contains(bar.label)), "{text}");
    }

    #[test]
    fn every_color_has_one_on_a_dark_ground() {
        let text = svg(&figures(4.0)).expect("all figures are there");
        let (_, rest) = text.split_once("</style>").expect("a style");
        for color in rest.split("fill=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(text.contains(&format!("[fill='{color}'] {{ fill: ")), "{color}");
        }
    }

    #[test]
    fn missing_figures_are_named() {
        let error = svg(&json!({"tables": []})).expect_err("nothing is there").to_string();
        assert!(BARS.iter().all(|bar| error.contains(bar.label)), "{error}");
    }
}
