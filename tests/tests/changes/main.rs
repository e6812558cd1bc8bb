//! Changing objects: patches between two of them, applying, merging, managers of fields.

mod between; // Patches between random values of every type, applied.
