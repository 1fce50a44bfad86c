//! Cai, Wolf, Gong: Delaying Transmissions in Data Communication Networks to Improve
//! Transport-Layer Performance.

pub(crate) mod law;
pub(crate) mod params;
pub(crate) mod response;
