//! Documents of real API servers: `spec/` against them, and crates made of them.

mod definitions; // Documents of definitions of custom resources, compared with a server's.
mod growth; // What files of any kind cost.
mod kubernetes; // Crates of whole servers and clusters: corrected, compiled, and fed with real objects.
mod spec; // `spec/` against published documents, and the rules for its descriptions.
mod upgrades; // Programs over crates of one release, and over those of the next one.
