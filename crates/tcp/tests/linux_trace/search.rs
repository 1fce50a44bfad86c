//! A search for unrecorded facts: the phase of the kernel's ticks, its random choices, and its
//! clock to the microsecond. A case is exact if one run with some of them agrees completely.

use std::collections::BTreeMap;

use pacesim_units::Span;

use crate::case::{Case, micros};
use crate::events::{Reading, Recorded, events};
use crate::replay::Replay;

/// Parts into which the range of a random choice is divided, with fourteenths tried first: version
/// 1 of BBR chooses one of seven phases, version 3 one of two and a time of up to a second.
const CHOICES: u32 = 14 << 16;
const FIRST: u32 = 14;
/// The most ACKs that may be moved by a few microseconds, and the distance before a difference
/// within which they are sought: bandwidth and aggregation are remembered for ten rounds.
const MOST_NUDGES: usize = 60;
const REACH: usize = 700;

/// The first difference of a run, the number of events remaining, and the number of choices made.
#[derive(Debug)]
pub(crate) struct Miss {
    pub(crate) why: String,
    pub(crate) left: usize,
    pub(crate) choices: u32,
}

/// The facts that a run assumes beyond the record.
#[derive(Clone, Debug, Default)]
struct Guess {
    choices: Vec<u32>,
    /// Microseconds by which events are delayed, by index.
    nudges: BTreeMap<usize, i64>,
}

/// Compares; fails with the first difference of the run that gets furthest.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    let readings = if case.scenario.peer {
        &[Reading::AtRecord][..]
    } else {
        &[
            Reading::ByRates,
            Reading::AtArrival,
            Reading::Between,
            Reading::AtRecord,
        ]
    };
    let mut closest: Option<Miss> = None;
    for phase in phases(case) {
        for reading in readings {
            let Err(miss) = Search::new(case, phase, *reading).run() else {
                return Ok(());
            };
            if closest
                .as_ref()
                .is_none_or(|closest| miss.left < closest.left)
            {
                closest = Some(miss);
            }
        }
    }
    Err(closest.map_or_else(String::new, |miss| miss.why))
}

/// The phase of the kernel's ticks: from the offset of the path's clock or from packets that a
/// timer sent; without either, sixteen are tried.
fn phases(case: &Case) -> Vec<Span> {
    if !case.scenario.peer {
        return vec![Span::from_us(case.scenario.offset_us % 4000)];
    }
    let timed = case.infos.iter().find(|info| info.why == 'T');
    match timed {
        Some(info) => vec![Span::from_us(
            (4000 - micros(info.at).rem_euclid(4000)) as u64 % 4000,
        )],
        None => (0..16).map(|n| Span::from_us(n * 250)).collect(),
    }
}

struct Search<'c> {
    case: &'c Case,
    phase: Span,
    events: Vec<Recorded>,
    guess: Guess,
}

impl<'c> Search<'c> {
    fn new(case: &'c Case, phase: Span, reading: Reading) -> Search<'c> {
        Search {
            case,
            phase,
            events: events(case, reading),
            guess: Guess::default(),
        }
    }

    fn replay(&self) -> Result<(), Miss> {
        let mut events = self.events.clone();
        for (index, later) in &self.guess.nudges {
            let at = &mut events[*index].0;
            *at = if *later < 0 {
                *at - Span::from_us(later.unsigned_abs())
            } else {
                *at + Span::from_us(later.unsigned_abs())
            };
        }
        let replay = Replay::new(self.case, self.phase, events);
        replay.run(&self.guess.choices, CHOICES)
    }

    /// Adds guesses as long as they get further.
    fn run(mut self) -> Result<(), Miss> {
        let mut best = self.replay();
        while let Err(miss) = &best {
            let further = if self.guess.choices.len() < miss.choices as usize {
                Some(self.choose())
            } else {
                self.nudge(miss)
            };
            match further {
                Some(result) => best = result,
                None => return best,
            }
        }
        best
    }

    /// Tries values of the next choice; keeps the one that gets furthest. A chosen time decides
    /// when an event happens: the least that is not too early is found by bisection.
    fn choose(&mut self) -> Result<(), Miss> {
        let place = self.guess.choices.len();
        self.guess.choices.push(0);
        let step = CHOICES / FIRST;
        let (mut best, mut keep) = (self.try_choice(place, 0), 0);
        for choice in (1..FIRST).map(|part| part * step) {
            let tried = self.try_choice(place, choice);
            if left(&tried) < left(&best) {
                (best, keep) = (tried, choice);
            }
        }
        let mut early = keep.saturating_sub(step);
        while keep - early > 1 && best.is_err() {
            let middle = early.midpoint(keep);
            let tried = self.try_choice(place, middle);
            if left(&tried) <= left(&best) {
                (best, keep) = (tried, middle)
            } else {
                early = middle
            }
        }
        self.guess.choices[place] = keep;
        best
    }

    fn try_choice(&mut self, place: usize, choice: u32) -> Result<(), Miss> {
        self.guess.choices[place] = choice;
        self.replay()
    }

    /// Moves one of the last ACKs by a microsecond, earlier or later; none if that gets no further.
    fn nudge(&mut self, miss: &Miss) -> Option<Result<(), Miss>> {
        let at = self.events.len() - miss.left - 1;
        if !self.case.scenario.has_model() || self.guess.nudges.len() >= MOST_NUDGES {
            return None;
        }
        let before = self.guess.nudges.clone();
        let acks = (0..=at)
            .rev()
            .filter(|index| self.events[*index].1.is_ack());
        for index in acks.take(REACH).collect::<Vec<_>>() {
            for later in [1, -1, 2, -2, 3, -3] {
                *self.guess.nudges.entry(index).or_default() += later;
                let tried = self.replay();
                if left(&tried) <= miss.left {
                    return Some(tried);
                }
                self.guess.nudges.clone_from(&before);
            }
        }
        None
    }
}

/// One more than the remaining events, so that a run without a difference is ahead of all.
fn left(result: &Result<(), Miss>) -> usize {
    result.as_ref().err().map_or(0, |miss| miss.left + 1)
}
