//! The declaration of a built-in pacer, next to its code.

use rand_core::Rng;

use crate::config::InvalidConfig;
use crate::pacer::Pacer;

/// A built-in pacer: its name, its parameters, and its construction.
pub trait BuiltIn: Pacer + Sized {
    /// Parameters of the pacer, with a `validate` that lists their problems.
    type Config;

    /// Name of the pacer in scenarios and results.
    const NAME: &'static str;

    /// A pacer that holds nothing; `stream` is for its random choices, if any.
    fn of(config: &Self::Config, stream: impl Rng + Send + 'static) -> Result<Self, InvalidConfig>;
}
