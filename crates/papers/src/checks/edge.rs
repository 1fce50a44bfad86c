//! Habibi Gharakheili, Vishwanath, Sivaraman: Edge versus Host Pacing of TCP Traffic in
//! Small Buffer Networks.

pub(crate) mod fig9;
