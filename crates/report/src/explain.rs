//! Answers about a recording in words and a small table: about a packet, a moment, or a flow.

mod moment;
mod numbers;
mod packet;
mod sharing;
mod slow;

use crate::answer::{Answer, Rows};

pub(crate) use moment::line;
pub use moment::moment;
pub use packet::packet;
pub use slow::why_slow;

fn titled(title: String, table: Rows) -> Answer {
    let mut answer = Answer::from(title);
    answer += table;
    answer
}
