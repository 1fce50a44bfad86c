//! Distributions over `libm`, by the parameters that papers give them.
//!
//! Each takes a fixed number of draws per sample (two for the normals, none for a constant, those
//! of all parts and one more for a mixture, one for the rest), so that runs which share a stream
//! stay in step whatever values they draw. Samples are plain numbers in the caller's unit.

mod bounded_pareto;
mod empirical;
mod exponential;
mod geometric;
mod mixture;
mod normal;
mod parameter;
mod pareto;
mod uniform;

pub use bounded_pareto::BoundedPareto;
pub use empirical::Empirical;
pub use exponential::Exponential;
pub use geometric::Geometric;
pub use mixture::Mixture;
pub use normal::{LogNormal, Normal};
pub use parameter::ParameterError;
pub use pareto::Pareto;
use rand_core::Rng;
use rand_distr::Distribution;
pub use uniform::{Constant, Uniform};

macro_rules! any_of {
    ($($name:ident $what:literal)*) => {
        /// Any of the samplers, chosen at run time without a `dyn`.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Sampler {
            $(#[doc = $what] $name($name),)*
        }

        impl Sampler {
            /// The mean of the distribution.
            pub fn mean(&self) -> f64 {
                pacesim_units::dispatch!(self, Sampler { $($name,)* }, sampler => sampler.mean())
            }

            /// The probability of a value of at most `x`.
            pub fn at_most(&self, x: f64) -> f64 {
                pacesim_units::dispatch!(self, Sampler { $($name,)* }, sampler => sampler.at_most(x))
            }
        }

        impl Distribution<f64> for Sampler {
            #[inline]
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
                pacesim_units::dispatch!(self, Sampler { $($name,)* }, sampler => sampler.sample(rng))
            }
        }

        $(impl From<$name> for Sampler {
            fn from(sampler: $name) -> Sampler {
                Sampler::$name(sampler)
            }
        })*
    };
}

any_of! {
    Constant "Always the same."
    Uniform "Equally likely in an interval."
    Exponential "Memoryless gaps."
    Pareto "Heavy tail."
    BoundedPareto "Heavy tail, cut off."
    Normal "The bell."
    LogNormal "The exponential of a normal."
    Geometric "Trials until the first success."
    Empirical "Through given points."
    Mixture "One of several."
}

#[cfg(test)]
mod testing;
