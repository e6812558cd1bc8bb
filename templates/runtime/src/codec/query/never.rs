//! The source of parameters without the feature `route`.

use crate::codec::value::Value;
use std::convert::Infallible;
use std::marker::PhantomData;

/// The source of parameters to decode. Only routing makes one, so that without it the code that
/// decodes parameters is never called, and not compiled.
#[derive(Debug)]
pub struct Source<'a> {
    never: Infallible,
    lifetime: PhantomData<&'a ()>,
}

impl Source<'_> {
    /// Decodes a parameter, if the query has it.
    #[inline]
    pub fn read(&mut self, _: &'static str, _: &mut dyn Value) {
        match self.never {}
    }

    /// Sets a flag if the query has the parameter.
    #[inline]
    pub fn flag(&mut self, _: &'static str, _: &str, _: &mut bool) {
        match self.never {}
    }

    /// Decodes the parameters that a struct has no field for.
    #[inline]
    pub fn extra(&mut self, _: &mut Vec<(String, String)>) {
        match self.never {}
    }

    /// Decodes the body as the options of a delete, if there is one.
    #[inline]
    pub fn read_options(&mut self, _: &mut dyn Value) {
        match self.never {}
    }
}
