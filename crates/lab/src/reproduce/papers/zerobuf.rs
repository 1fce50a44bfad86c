//! Sivaraman, Vishwanath, Thottan, Dovrolis: Routers and Networks with Near-Zero Buffers.

mod brute_hull;
mod bulk_queue;
pub(in crate::reproduce) mod fig13;
pub(in crate::reproduce) mod fig14_15;
pub(in crate::reproduce) mod fig16_17;
pub(in crate::reproduce) mod fig18;
pub(in crate::reproduce) mod fig19;
pub(in crate::reproduce) mod fig2;
pub(in crate::reproduce) mod fig25;
pub(in crate::reproduce) mod fig30;
pub(in crate::reproduce) mod fig6;
pub(in crate::reproduce) mod fig7;
pub(in crate::reproduce) mod fig8;
pub(in crate::reproduce) mod fig9_10;
pub(in crate::reproduce) mod k_optimum;
