//! Sivaraman, Vishwanath, Thottan, Dovrolis: Routers and Networks with Near-Zero Buffers.

mod bulk_queue;
pub(crate) mod fig13;
pub(crate) mod fig14_15;
pub(crate) mod fig16_17;
pub(crate) mod fig9_10;
mod hulls;
