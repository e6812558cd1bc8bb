//! Changing objects: patches between two of them, applying, merging, managers of fields.

mod applying; // Objects to apply, and what one manager owns.
mod behaviours; // Patches as a real server applied them, recorded.
mod between; // Patches between random values of every type, applied.
mod required; // What is left out of an apply, for every required member of Kubernetes.
