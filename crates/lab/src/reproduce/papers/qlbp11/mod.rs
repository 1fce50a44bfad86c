//! Cai, Wolf, Gong: Delaying Transmissions in Data Communication Networks to Improve
//! Transport-Layer Performance.

pub(in crate::reproduce) mod law;
pub(in crate::reproduce) mod params;
