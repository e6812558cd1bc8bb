//! The operator of the example of kapigen-fake.

#[path = "../../../../templates/fake/examples/operator/operator.rs"]
mod example;

pub(crate) use example::operate;
