//! Claims, as in papers: expectation, judgement, verdict; and the folder that keeps the findings of
//! an experiment.

pub mod boxes;
pub mod claims;
pub mod evidence;
pub mod findings;
pub mod judge;
pub mod needed;
pub mod over_replications;
pub mod quantile;
pub mod shapes;
pub mod spread;
pub mod statements;
