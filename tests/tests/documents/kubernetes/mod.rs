//! All that API servers of several releases publish: documents of Kubernetes 1.34, 1.27 and 1.23,
//! and the live one of image.openshift.io; and of whole clusters.

mod clusters;
mod compiles;
mod corrected;
mod crates;
mod has;
mod program;
mod releases;
mod routing;
