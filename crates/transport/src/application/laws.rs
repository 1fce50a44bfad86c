//! The laws of applications: both sides, over a line that delivers their messages in order.

use std::collections::{BTreeMap, VecDeque};

use pacesim_units::{Bytes, Span, Time};

use super::{Application, Message, News};
use crate::laws::hash_of_text;

/// The most messages of a trial.
const MOST: usize = 10_000;
/// The simulated time of a trial.
const LENGTH: Span = Span::from_secs(3600);

/// A message, the side that sent it, and the time at which that handed it over.
pub type Said = (Time, usize, Message);

/// Lets both sides talk over a line of this delay and time per byte; returns all messages.
fn talk(
    sides: &mut [Box<dyn Application>; 2],
    start: Time,
    delay: Span,
    per_byte: Span,
) -> Vec<Said> {
    enum Event {
        Tell(News),
        HandOver(Message),
    }
    let mut said: Vec<Said> = Vec::new();
    let mut is_free_at = [start; 2];
    let mut events: BTreeMap<(Time, u64), (usize, Event)> = BTreeMap::new();
    let mut number = 0;
    let mut starts: VecDeque<_> = [0, 1].map(|side| (side, Event::Tell(News::Start))).into();
    let mut add = |events: &mut BTreeMap<_, _>, at, event| {
        number += 1;
        events.insert((at, number), event);
    };
    while let Some(first) = starts.pop_front() {
        add(&mut events, start, first);
    }
    while let Some(((now, _), (side, event))) = events.pop_first() {
        if now.saturating_since(start) > LENGTH || said.len() == MOST {
            break;
        }
        match event {
            Event::Tell(news) => {
                let Some(write) = sides[side].told(now, news) else {
                    continue;
                };
                let size = write.message.size;
                assert!(size > Bytes::ZERO, "a message without data, at {now}");
                let at = now.checked_add(write.wait);
                let at = at.expect("a wait that ends before time does");
                add(&mut events, at, (side, Event::HandOver(write.message)));
            }
            Event::HandOver(message) => {
                said.push((now, side, message));
                let takes = per_byte.as_ps().saturating_mul(message.size.0);
                let sent = now
                    .max(is_free_at[side])
                    .saturating_add(Span::from_ps(takes));
                is_free_at[side] = sent;
                let arrives = sent.saturating_add(delay);
                let heard = arrives.saturating_add(delay);
                let arrived = (1 - side, Event::Tell(News::Arrived(message)));
                add(&mut events, arrives, arrived);
                let acknowledged = (side, Event::Tell(News::Acknowledged(message)));
                add(&mut events, heard, acknowledged);
            }
        }
    }
    said
}

/// Constructs both sides, the client first, and lets them talk for an hour or ten thousand messages.
/// Returns a hash of each message.
///
/// # Panics
///
/// Panics if a law does not hold:
/// - every message has data, and every wait ends;
/// - constructed again, they say the same at the same times;
/// - begun a second or an hour later, they say the same that much later;
/// - one of them says something; each side has a number for each name, or one of them has none.
pub fn check(
    mut make: impl FnMut() -> [Box<dyn Application>; 2],
    numbers: usize,
    delay: Span,
    per_byte: Span,
) -> Vec<u64> {
    let mut said_from = |start: Time| {
        let mut sides = make();
        let said = talk(&mut sides, start, delay, per_byte);
        let mut found = [&sides[0], &sides[1]].map(|side| side.numbers().len());
        found.sort_unstable();
        let is_each_named = found[1] == numbers && (found[0] == 0 || found[0] == numbers);
        assert!(
            is_each_named,
            "numbers of the sides: {found:?}, and {numbers} names"
        );
        let since = |(at, side, message): Said| (at.saturating_since(start), side, message);
        said.into_iter().map(since).collect::<Vec<_>>()
    };
    let first = said_from(Time::ZERO);
    assert!(!first.is_empty(), "neither side says anything");
    assert_eq!(first, said_from(Time::ZERO), "constructed again");
    for later in [Span::from_secs(1), Span::from_secs(3600)] {
        let shifted = said_from(Time::ZERO + later);
        assert_eq!(first, shifted, "begun {later} later");
    }
    let text = |said: &_| hash_of_text(&format!("{said:?}"));
    first.iter().map(text).collect()
}
