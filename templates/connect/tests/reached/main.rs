//! Connections to a server that speaks TLS: plugins, tokens and certificates that change, and what
//! is said where something is wrong.

mod changing;
mod plugins;
mod server;
mod wrong;
