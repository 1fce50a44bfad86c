//! Cai, Hanay, Wolf: A Study of the Impact of Network Traffic Pacing from Network and
//! End-User Perspectives.

pub(crate) mod fig2;
