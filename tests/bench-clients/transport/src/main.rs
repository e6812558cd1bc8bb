//! Nothing: the cost is that of its dependencies.

fn main() {}
