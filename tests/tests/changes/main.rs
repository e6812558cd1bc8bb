//! Changing objects: patches between two of them, applying, merging, managers of fields.

mod behaviours; // Patches as a real server applied them, recorded.
mod between; // Patches between random values of every type, applied.
