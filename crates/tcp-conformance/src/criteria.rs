//! The criteria of RFC 9743 (sections 5 to 7), each with a trial.

mod alone;
mod beside;
mod paths;

use pacesim_tcp::Config;

use crate::report::Finding;

/// Tries one criterion.
type Criterion = fn(&Config) -> Finding;

/// All criteria, in the order of the RFC.
pub(crate) const ALL: &[Criterion] = &[
    alone::useful_under_overload,
    alone::quiet_on_a_dead_path,
    alone::queue_in_a_large_buffer,
    alone::transfer_through_losses,
    alone::fairness,
    alone::short_transfers,
    alone::sameness,
    beside::standard_flow,
    beside::real_time,
    beside::short_and_long,
    paths::small_buffer,
    paths::marks,
    paths::varying_delay,
    paths::constrained,
    paths::high_delay,
    paths::copied_acknowledgements,
    paths::reordering,
    paths::outage,
    paths::changes,
    paths::data_centre,
];
