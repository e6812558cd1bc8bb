//! Changing objects: patches between two of them, applying, merging, managers of fields.

mod applying; // Objects to apply, and what one manager owns.
mod behaviours; // Patches as a real server applied them, recorded.
mod between; // Patches between random values of every type, applied.
mod exceptions; // Where a recorded server does something else.
mod forms; // The exact patches of each form.
mod oracle; // The same changes by the code of Kubernetes.
mod required; // What an apply sends, for random objects of every kind.
mod reviews; // Reviews of admission and conversion: decoded, responded to, and refused.
mod upgrade; // Ownership moved from updates to applies.
