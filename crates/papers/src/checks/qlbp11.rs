//! Cai, Wolf, Gong: Delaying Transmissions in Data Communication Networks to Improve
//! Transport-Layer Performance.

pub(crate) mod autocov;
pub(crate) mod delay_bound;
pub(crate) mod fig11_12;
pub(crate) mod fig9_10;
pub(crate) mod law;
pub(crate) mod params;
pub(crate) mod response;
pub(crate) mod table2;
