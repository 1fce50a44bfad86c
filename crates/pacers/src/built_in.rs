//! The declaration of a built-in pacer, next to its code.

use rand_core::Rng;

use crate::config::InvalidConfig;
use crate::pacer::Pacer;

/// A built-in pacer: its name, its parameters, and its construction.
pub trait BuiltIn: Pacer + Sized {
    /// Its parameters, with a `validate` that lists their problems.
    type Config;

    /// Its name in scenarios and results.
    const NAME: &'static str;

    /// A pacer that holds nothing; `stream` is for its random choices, if any.
    fn of(config: &Self::Config, stream: impl Rng + Send + 'static) -> Result<Self, InvalidConfig>;
}
