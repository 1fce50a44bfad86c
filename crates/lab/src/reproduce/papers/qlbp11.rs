//! Cai, Wolf, Gong: Delaying Transmissions in Data Communication Networks to Improve
//! Transport-Layer Performance.

pub(in crate::reproduce) mod autocov;
pub(in crate::reproduce) mod delay_bound;
pub(in crate::reproduce) mod fig11_12;
pub(in crate::reproduce) mod fig9_10;
pub(in crate::reproduce) mod law;
pub(in crate::reproduce) mod params;
pub(in crate::reproduce) mod response;
pub(in crate::reproduce) mod table2;
