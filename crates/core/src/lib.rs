//! The engine.
pub mod engine;
pub mod net;
pub mod random;
pub mod routing;
