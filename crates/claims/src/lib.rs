//! Claims, as in papers: expectation, result and verdict; and the folder that keeps the findings of
//! an experiment.

pub mod boxes;
pub mod claims;
pub mod findings;
pub mod needed;
pub mod over_replications;
pub mod quantile;
pub mod shapes;
pub mod spread;
