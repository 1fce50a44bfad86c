//! Sivaraman, Vishwanath, Thottan, Dovrolis: Routers and Networks with Near-Zero Buffers.

pub(crate) mod fig13;
pub(crate) mod fig14_15;
pub(crate) mod fig16_17;
mod hulls;
