//! The choice of a path for each packet of one direction of a flow.

use std::collections::BTreeMap;

use pacesim_core::random::{Rng as _, Stream};
use pacesim_units::{Span, Time};

use crate::model::path_choice::PathChoice;
use crate::model::{PathRule, Spray};

/// The number of flowlets beyond which those that are over are forgotten.
const MANY: usize = 64;

/// A rule with its state.
pub(super) enum Picker {
    /// Not by packets.
    Fixed,
    /// By switches on the way: there is one route, with forks.
    OnTheWay,
    /// Each path once a round; `left` are those of this round, the next one last.
    Permuted { left: Vec<u16>, stream: Stream },
    /// Any path.
    Random(Stream),
    /// Each path in turn; none before the first packet.
    Round { next: Option<u32>, stream: Stream },
    /// The same path until a pause.
    Flowlets {
        gap: Span,
        /// The time of the last packet of each connection, by its tag, and its path.
        last: BTreeMap<u32, (Time, u32)>,
        stream: Stream,
    },
    /// A user's own.
    Own(Box<dyn PathChoice>),
}

impl Picker {
    pub(super) fn of(rule: PathRule, stream: Stream) -> Picker {
        match rule {
            PathRule::Sprayed(Spray::Permuted) => Picker::Permuted {
                left: Vec::new(),
                stream,
            },
            PathRule::Sprayed(Spray::Random) => Picker::Random(stream),
            PathRule::Sprayed(Spray::Round) => Picker::Round { next: None, stream },
            PathRule::Flowlets(gap) => Picker::Flowlets {
                gap,
                last: BTreeMap::new(),
                stream,
            },
            PathRule::LeastLoaded(_) => Picker::OnTheWay,
            PathRule::First
            | PathRule::Nth(_)
            | PathRule::Apart(_)
            | PathRule::Hashed(_)
            | PathRule::Own => Picker::Fixed,
        }
    }

    /// The place, among this many paths, of that of a packet that is sent now.
    pub(super) fn pick(&mut self, now: Time, paths: usize, connection: u32) -> Option<usize> {
        let paths = paths as u32;
        let place = match self {
            // A user's own choice sees more than these.
            Picker::Fixed | Picker::Own(_) => return None,
            Picker::OnTheWay => return Some(0),
            Picker::Random(stream) => below(paths, stream),
            Picker::Round { next, stream } => {
                let place = next.unwrap_or_else(|| below(paths, stream)) % paths;
                *next = Some(place + 1);
                place
            }
            Picker::Permuted { left, stream } => {
                // After a change of routes there may be fewer paths than when the round began.
                left.retain(|place| u32::from(*place) < paths);
                if left.is_empty() {
                    // Two bytes each are enough for the most paths of a flow.
                    left.extend((0..paths).map(|place| place as u16));
                    for last in (1..left.len()).rev() {
                        left.swap(last, below(last as u32 + 1, stream) as usize);
                    }
                }
                u32::from(left.pop()?)
            }
            Picker::Flowlets { gap, last, stream } => {
                if last.len() > MANY && !last.contains_key(&connection) {
                    last.retain(|_, (sent, _)| now.saturating_since(*sent) < *gap);
                }
                let before = last.get(&connection);
                let goes_on =
                    |(sent, of): &&(Time, u32)| now.saturating_since(*sent) < *gap && *of < paths;
                let place = match before.filter(goes_on) {
                    Some((_, place)) => *place,
                    None => below(paths, stream),
                };
                last.insert(connection, (now, place));
                place
            }
        };
        Some(place as usize)
    }
}

/// A number below `n`, each as likely.
fn below(n: u32, stream: &mut Stream) -> u32 {
    ((u128::from(stream.next_u64()) * u128::from(n)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use pacesim_core::random::Streams;

    use super::*;

    /// A pick among this number of paths.
    fn pick(picker: &mut Picker, now: Time, connection: u32, paths: usize) -> Option<usize> {
        picker.pick(now, paths, connection)
    }

    fn picker(rule: PathRule) -> Picker {
        let streams = Streams {
            seed: 1,
            replication: 0,
        };
        Picker::of(rule, streams.stream("flow", "paths"))
    }

    fn picks(rule: PathRule, count: usize, paths: usize) -> Vec<usize> {
        let mut picker = picker(rule);
        let place = |_| pick(&mut picker, Time::ZERO, 0, paths).expect("a path");
        (0..count).map(place).collect()
    }

    #[test]
    fn a_round_takes_each_path_once() {
        for rule in [Spray::Permuted, Spray::Round] {
            let picks = picks(PathRule::Sprayed(rule), 800, 8);
            for round in picks.chunks(8) {
                let mut places = round.to_vec();
                places.sort_unstable();
                assert_eq!(places, (0..8).collect::<Vec<_>>(), "{rule:?}");
            }
            let rounds: Vec<_> = picks.chunks(8).collect();
            let differ = rounds.windows(2).any(|pair| pair[0] != pair[1]);
            assert_eq!(differ, rule == Spray::Permuted);
        }
    }

    #[test]
    fn random_paths_are_equally_likely() {
        let picks = picks(PathRule::Sprayed(Spray::Random), 80_000, 8);
        for place in 0..8 {
            let count = picks.iter().filter(|pick| **pick == place).count() as f64;
            // Four standard deviations of a binomial distribution.
            assert!((count - 10_000.0).abs() < 4.0 * 93.5, "{place}: {count}");
        }
    }

    #[test]
    fn a_flowlet_keeps_its_path_until_a_pause_and_connections_have_their_own() {
        let mut picker = picker(PathRule::Flowlets(Span::from_us(10)));
        let mut at = |us: u64, connection| {
            let now = Time::ZERO + Span::from_us(us);
            pick(&mut picker, now, connection, 1000).expect("a path")
        };
        let first = at(0, 1);
        assert_eq!([at(9, 1), at(18, 1)], [first; 2], "gaps below 10 us");
        let other = at(19, 2);
        assert_ne!(other, first);
        assert_ne!(at(28, 1), first, "a pause of 10 us");
        assert_eq!(at(28, 2), other);
    }

    #[test]
    fn flowlets_that_are_over_leave_no_memory() {
        let mut picker = picker(PathRule::Flowlets(Span::from_us(10)));
        for call in 0..10_000 {
            let now = Time::ZERO + Span::from_us(u64::from(call));
            pick(&mut picker, now, call, 4);
        }
        let Picker::Flowlets { last, .. } = picker else {
            panic!("a picker of flowlets");
        };
        assert!(last.len() <= MANY + 1, "{}", last.len());
    }

    #[test]
    fn fewer_paths_than_before_are_no_trouble() {
        for rule in [Spray::Permuted, Spray::Random, Spray::Round].map(PathRule::Sprayed) {
            let mut picker = picker(rule);
            for paths in [8, 8, 8, 3, 3, 3, 3, 1, 5, 5] {
                let place = pick(&mut picker, Time::ZERO, 0, paths).expect("a path");
                assert!(place < paths, "{rule:?}");
            }
        }
    }
}
