//! Rules of built-in kinds that the table only names.

mod cluster;
pub(super) mod defaults;
mod labels;
mod network;
mod pods;
mod resources;
mod services;
mod workloads;

use super::walk::Check;

/// The function of a name in the table.
pub(super) fn named(name: &str) -> Check {
    let found = [
        labels::CHECKS,
        pods::CHECKS,
        resources::CHECKS,
        workloads::CHECKS,
        network::CHECKS,
        services::CHECKS,
        cluster::CHECKS,
    ]
    .iter()
    .flat_map(|all| all.iter())
    .find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("there is no rule {name}")).1
}
