//! Tokens of pages: where a list goes on, and as of which version.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

const VERSION: &str = "meta.k8s.io/v1";

/// Where a list goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The version that is listed. `None` for the latest one.
    pub(super) version: Option<u64>,
    /// The key to begin with, below the namespace.
    pub(super) start: String,
}

impl Token {
    pub(super) fn encode(&self) -> String {
        let version = self.version.map_or(json!(-1), |version| json!(version));
        URL_SAFE_NO_PAD.encode(json!({"v": VERSION, "rv": version, "start": self.start}).to_string())
    }

    /// Decodes a token. Errors are worded as a server words them.
    pub(super) fn decode(text: &str) -> Result<Self, String> {
        let refuse = |why: &str| format!("invalid continue token: continue key is not valid: {why}");
        let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|error| refuse(&error.to_string()))?;
        let token: Value = serde_json::from_slice(&bytes).map_err(|error| refuse(&error.to_string()))?;
        let known = token.get("v").and_then(Value::as_str).unwrap_or_default();
        if known != VERSION {
            return Err(refuse(&format!("server does not recognize this encoded version {known}")));
        }
        let start = token.get("start").and_then(Value::as_str).unwrap_or_default();
        let version = match token.get("rv").and_then(Value::as_i64) {
            None | Some(0) => {
                return Err(refuse(&format!("incorrect encoded start resourceVersion (version {VERSION})")));
            }
            Some(version) => u64::try_from(version).ok(),
        };
        if start.is_empty() {
            return Err(refuse(&format!("encoded start key empty (version {VERSION})")));
        }
        if start.split('/').any(|step| matches!(step, "." | "..")) {
            return Err(refuse(start));
        }
        Ok(Self { version, start: start.trim_start_matches('/').to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn tokens_survive_encoding_and_decoding() {
        for version in [Some(7), None] {
            let token = Token { version, start: "default/a\0".to_owned() };
            assert_eq!(Token::decode(&token.encode()), Ok(token));
        }
        for bad in ["", "x", "e30", "eyJ2IjoibWV0YS5rOHMuaW8vdjkiLCJydiI6NSwic3RhcnQiOiJhIn0"] {
            assert!(Token::decode(bad).unwrap_err().starts_with("invalid continue token"), "{bad}");
        }
    }
}
