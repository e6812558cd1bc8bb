//! Decides which shared types are compiled in the runtime, and which in the crates that use them.

use super::Module;
use super::wellknown::OFTEN_USED;
use crate::error::Error;
use std::collections::BTreeSet;

/// Sets [`TypeDef::is_inline`](super::TypeDef::is_inline) of the shared types that few programs
/// use: all except [`OFTEN_USED`] and the types of their members.
///
/// # Errors
/// When one of [`OFTEN_USED`] is not a shared type.
pub fn apply(module: &mut Module) -> Result<(), Error> {
    let mut often = BTreeSet::new();
    let mut open: Vec<&str> = OFTEN_USED.to_vec();
    while let Some(name) = open.pop() {
        let Some(def) = module.types.get(name) else {
            return Err(Error::new(format!("`{name}` is often used, but no type of meta/v1")));
        };
        if often.insert(name.to_owned()) {
            def.fields()
                .iter()
                .for_each(|field| field.ty.each_named(&mut |id| open.push(&id.name)));
        }
    }
    for (name, def) in &mut module.types {
        def.is_inline = !often.contains(name);
    }
    Ok(())
}
