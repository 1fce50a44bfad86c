//! Answers about a recording in words and a small table: about a packet, a moment, or a flow.

mod moment;
mod packet;
mod sharing;
mod slow;

pub(crate) use moment::line;
pub use moment::moment;
pub use packet::packet;
pub use slow::why_slow;
