//! Block sizes that follow the loss, against the independent solver of zerobuf's model; and in a
//! closed loop, where the loss follows the sizes.

use pacesim_analytic::fec::{FanIn, core_loss, edge_loss, load_with_fec};
use pacesim_fec::{LossShare, SizeTable};

const LOADS: [f64; 10] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.1];

/// Loss over this many links at this load without repair packets, if all pairs have blocks of this
/// size.
fn loss(load: f64, links: u32, size: u16) -> f64 {
    let one = core_loss(load_with_fec(load, size.into()), FanIn::Poisson).expect("a load");
    (one * f64::from(links)).min(1.0)
}

fn left(load: f64, links: u32, size: u16) -> f64 {
    edge_loss(loss(load, links, size), size.into())
}

/// The final size, and the number of changes up to it, if the loss follows the size.
fn settled(table: &SizeTable, load: f64, links: u32, first: u16) -> Option<(u16, usize)> {
    let mut size = first;
    for changes in 0..200 {
        let next = table.size(LossShare::of(loss(load, links, size)), size);
        if next == size {
            return Some((size, changes));
        }
        size = next;
    }
    None
}

#[test]
fn least_loss_settles_at_once_where_the_solver_says_from_wherever_it_starts() {
    for links in 1..=3 {
        let table = SizeTable::for_load(links, 2, 100);
        for load in LOADS {
            let least = (2..=100).map(|size| left(load, links, size));
            let least = least.fold(1.0, f64::min);
            for first in 2..=100 {
                let (size, changes) = settled(&table, load, links, first).expect("it settles");
                let here = left(load, links, size);
                assert!(
                    here <= least * (1.0 + 1e-3),
                    "{links} {load} {first}: {size}"
                );
                assert!(changes <= 2, "{links} {load} {first}: {changes} changes");
            }
        }
    }
}

#[test]
fn by_the_loss_alone_repair_packets_would_run_away() {
    // For a pair that takes the loss as given, blocks of one are best: if all use them, all lose
    // more than with blocks of three.
    for load in [0.1, 0.2, 0.3, 0.5] {
        let given = loss(load, 1, 3);
        let sizes = 1..=100;
        let greedy = sizes.min_by(|a, b| {
            let left = |size: &u16| edge_loss(given, u32::from(*size));
            left(a).total_cmp(&left(b))
        });
        assert_eq!(greedy, Some(1));
        assert!(
            left(load, 1, 1) > 1.25 * left(load, 1, 3),
            "{:?} and {:?}",
            left(load, 1, 1),
            1.25 * left(load, 1, 3)
        );
    }
}

#[test]
fn a_target_settles_within_its_bounds_and_never_swings() {
    for links in 1..=3 {
        for target in [1e-4, 1e-3, 1e-2] {
            let table = SizeTable::for_residual(target, 2, 100);
            for load in LOADS {
                for first in [2, 3, 10, 50, 100] {
                    let (size, _) = settled(&table, load, links, first).expect("it settles");
                    let is_met = left(load, links, size) <= target * (1.0 + 1e-6);
                    assert!(
                        is_met || size == 2,
                        "{links} {target} {load} {first}: {size}"
                    );
                }
            }
        }
    }
}
