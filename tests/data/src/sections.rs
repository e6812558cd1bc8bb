//! Text files in sections: several inputs and the report of what is made of them, side by side.

use std::fmt;
use std::path::Path;
use std::{fs, io};

/// Begins the line with the name of a section.
const MARK: &str = "@@ ";

/// A text in sections. A line `@@ name` begins each, and the lines before the first one are a title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    title: String,
    all: Vec<(String, String)>,
}

impl Sections {
    /// Reads a file.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn read(path: &Path) -> io::Result<Self> {
        Ok(Self::parse(&fs::read_to_string(path)?))
    }

    /// Parses a text. Every text is one in sections.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut sections = Self::default();
        for line in text.split_inclusive('\n') {
            match (line.strip_prefix(MARK), sections.all.last_mut()) {
                (Some(name), _) => {
                    sections.all.push((name.trim_end().to_owned(), String::new()));
                }
                (None, Some((_, lines))) => lines.push_str(line),
                (None, None) => sections.title.push_str(line),
            }
        }
        sections
    }

    /// The names and texts, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The text of a section; empty if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
    }

    /// Replaces the text of a section. A new one is the last.
    pub fn set(&mut self, name: &str, text: &str) {
        match self.all.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => text.clone_into(old),
            None => self.all.push((name.to_owned(), text.to_owned())),
        }
    }

    /// Writes the sections, but for one, as the only files of a folder.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn unpack(&self, folder: &Path, except: &str) -> io::Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        self.iter()
            .filter(|(name, _)| *name != except)
            .try_for_each(|(name, text)| fs::write(folder.join(name), text))
    }
}

impl fmt::Display for Sections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)?;
        self.iter().try_for_each(|(name, text)| write!(f, "{MARK}{name}\n{text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Sections;

    #[test]
    fn a_text_comes_back() {
        let text = "About.\n@@ a.yaml\n- x\n\n@@ report\n@@b\n";
        let mut sections = Sections::parse(text);
        assert_eq!(
            sections.iter().collect::<Vec<_>>(),
            [("a.yaml", "- x\n\n"), ("report", "@@b\n")]
        );
        assert_eq!(sections.to_string(), text);
        sections.set("report", "c\n");
        sections.set("d", "");
        assert_eq!(sections.get("report"), "c\n");
        assert_eq!(sections.to_string(), "About.\n@@ a.yaml\n- x\n\n@@ report\nc\n@@ d\n");
        assert_eq!(sections.get("e"), "");
    }
}
