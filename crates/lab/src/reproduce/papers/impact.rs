//! Cai, Hanay, Wolf: A Study of the Impact of Network Traffic Pacing from Network and
//! End-User Perspectives.

pub(in crate::reproduce) mod fig2;
pub(in crate::reproduce) mod work_conserving;
