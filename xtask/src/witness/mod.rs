//! `cargo xtask witness`: a program that uses the whole interface of a generated crate, to compile
//! against a newer one.
//!
//! It is made of the Rust of the crate alone, so that it does not trust what the generator believes
//! its interface to be. It names the crate `api`, the runtime `kapigen_runtime`, and `serde`.

mod krate;
mod statements;

use crate::{Failure, at};
use krate::Crate;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Lints of a program that does nothing but name items.
const HEAD: &str = "#![allow(dead_code, deprecated, unreachable_patterns, unused_imports)]
use std::{fmt::Debug, hash::Hash};
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}
";

/// The program, with one line for each statement about an item, of a crate's files by their paths.
///
/// # Errors
/// When the crate has an item of a form that the program would not cover.
pub fn program<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Result<String, String> {
    let files: BTreeMap<&str, &str> = files.filter(|(path, _)| is_rust(path)).collect();
    let krate = Crate::parse(&files)?;
    let lines: String =
        statements::all(&krate)?.into_iter().map(|line| line.replace('\n', " ") + "\n").collect();
    Ok(format!("{HEAD}{lines}"))
}

/// Writes the program of the crate in a folder.
///
/// # Errors
/// When the crate cannot be read, or has an item of another form.
pub fn run(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let mut files = Vec::new();
    read(folder, "src", &mut files)?;
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let program = program(files).map_err(Failure::Manifest)?;
    Ok(out.write_all(program.as_bytes())?)
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending == "rs")
}

fn read(folder: &Path, path: &str, files: &mut Vec<(String, String)>) -> Result<(), Failure> {
    let own = folder.join(path);
    for entry in fs::read_dir(&own).map_err(at(&own))? {
        let entry = entry.map_err(at(&own))?;
        let path = format!("{path}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read(folder, &path, files)?;
        } else if is_rust(&path) {
            files.push((path, fs::read_to_string(entry.path()).map_err(at(&entry.path()))?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "
        kapigen_runtime::__private::generated! { 1
        #[cfg(feature = \"stars_v1\")]
        pub mod stars_v1;
        pub use kapigen_runtime::http;
        }";
    const MODULE: &str = "
        use kapigen_runtime::params::GetParams as Params;
        mod types;
        pub use types::*;
        pub fn get(name: &str, params: &Params) -> Result<Star, crate::Error> { todo() }
        impl Star {
            pub fn color(mut self, color: impl Into<String>) -> Self { self }
            fn own(&self) {}
        }";
    const TYPES: &str = "
        use super::Color as Hue;
        mod star;
        pub use star::{Star, Star as Sun};
        pub enum Color { Red, Other(String) }
        impl From<&str> for Hue { }
        kapigen_runtime::__private::open_enum!(Color);";
    const STAR: &str = "
        use super::Color;
        #[derive(Clone)]
        pub struct Star { pub color: Option<Box<Color>> }
        impl kapigen_runtime::Kind for Star {
            const KIND: &'static str = \"Star\";
            type Scope = Self;
        }
        impl kapigen_runtime::__private::Object for Star {}
        const TABLE: u8 = 0;";

    /// One line for each way to use an item, with the paths that programs have.
    #[test]
    fn the_program_uses_all_public_items() {
        let files = [
            ("src/lib.rs", ROOT),
            ("src/stars_v1/mod.rs", MODULE),
            ("src/stars_v1/types.rs", TYPES),
            ("src/stars_v1/types/star.rs", STAR),
        ];
        let text = program(files.into_iter()).unwrap();
        let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
        let expected = "
            const _: () = { use api::http as _; };
            const _: fn(&str, &kapigen_runtime::params::GetParams) ->
                Result<api::stars_v1::Star, api::Error> = api::stars_v1::get;
            const _: () = { fn call(a0: api::stars_v1::Star, a1: impl Into<String>) ->
                api::stars_v1::Star { api::stars_v1::Star::color(a0, a1) } };
            const _: fn(api::stars_v1::Sun) -> api::stars_v1::Star = |it| it;
            const _: fn(api::stars_v1::Color) -> Vec<api::stars_v1::Color> = |it| { match it {
                api::stars_v1::Color::Red => {} api::stars_v1::Color::Other(value) => { let _:
                String = value; } _ => {} } vec![api::stars_v1::Color::Red,
                api::stars_v1::Color::Other(<String>::default()) ] };
            const _: fn(api::stars_v1::Star) -> api::stars_v1::Star = |it| { let
                api::stars_v1::Star { color, .. } = it; let (color, ):
                (Option<Box<api::stars_v1::Color>>, ) = (color, ); api::stars_v1::Star { color,
                ..Default::default() } };
            const _: () = assert!(same(<api::stars_v1::Star as kapigen_runtime::Kind>::KIND,
                \"Star\"));
            const _: fn() = || { fn has<T: Debug + Default + From<&'static str> +
                serde::Serialize + serde::de::DeserializeOwned + std::fmt::Display>() {}
                has::<api::stars_v1::Color>() };
            const _: fn() = || { fn has<T: Clone + kapigen_runtime::Kind<Scope =
                api::stars_v1::Star>>() {} has::<api::stars_v1::Star>() };";
        let found = without_spaces(text.strip_prefix(HEAD).unwrap());
        assert_eq!(found, without_spaces(expected), "{text}");
    }

    #[test]
    fn an_item_of_another_form_is_an_error() {
        let root = [("src/lib.rs", "pub struct Tuple(pub u8);")];
        let error = program(root.into_iter()).unwrap_err();
        assert_eq!(error, "crate: no statement covers `pub struct Tuple (pub u8) ;`");
    }
}
