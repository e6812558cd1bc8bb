//! Other commands for requests to run one.

use super::{Request, uri};
use crate::response::{Error, Exec, Upgrade};

impl Request<Upgrade<Exec>> {
    /// The request with another command, all streams, and no terminal.
    ///
    /// # Errors
    /// When the command is too long for a URL.
    pub fn with_command<T: Into<String>>(
        mut self,
        command: impl IntoIterator<Item = T>,
    ) -> Result<Self, Error> {
        let command: Vec<String> = command.into_iter().map(T::into).collect();
        let query = &mut self.parts.query;
        query.take("tty");
        query.add("command", &command);
        for stream in ["stdin", "stdout", "stderr"] {
            query.add(stream, &true);
        }
        self.parts.uri = uri(&self.parts.path, &self.parts.query)?;
        Ok(self)
    }
}
