//! What passes between the two ends of a flow, whatever their transport: contents of packets, amounts
//! of data, and what a sending end tells of its state.
//!
//! **Forbidden knowledge.** No network, no engine, no clock.

mod amount;
mod content;
mod sacks;
mod standing;

pub use amount::{Amount, DataError, Transfer};
pub use content::{AckOptions, Content};
pub use sacks::{Block, MAX_SACK_BLOCKS, SackBlocks};
pub use standing::{Counters, Gauges, Limit, Standing};
