//! Uses of recordings, all based on the one stream of events of [`trace`].
//!
//! [`export`] writes them for other tools, [`explain`] answers questions about a packet, a moment
//! or a flow, [`diff`] finds the event at which two runs diverge, and [`html`] shows a run as one
//! self-contained page.

mod answer;
pub mod diff;
pub mod explain;
pub mod export;
pub mod html;
mod model;
pub mod trace;
mod words;

pub use answer::Answer;
pub use trace::{Recording, Table, TraceError};
