//! Habibi Gharakheili, Vishwanath, Sivaraman: Edge versus Host Pacing of TCP Traffic in
//! Small Buffer Networks.

pub(in crate::reproduce) mod fig3;
pub(in crate::reproduce) mod fig9;
