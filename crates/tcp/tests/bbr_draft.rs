//! Example test cases of draft-ietf-ccwg-bbr (appendix A, commit 4ce5e87 of its repository) for BBR with the draft's
//! constants: 50 Mbps, 40 ms and a drop-tail buffer of twice their product, unless a case says otherwise.

#[path = "path/mod.rs"]
mod path;

use pacesim_tcp::{Amount, Control, LinuxState, Model, Segment, Sender};
use pacesim_units::{Bytes, Rate, Span, Time};
use path::{Drops, Part, Path, Watch};

const STARTUP: u8 = 1;
const DRAIN: u8 = 2;
const PROBE_RTT: u8 = 3;
const UP: u8 = 4;
const DOWN: u8 = 5;
const CRUISE: u8 = 6;
const REFILL: u8 = 7;

/// Packets of 1500 bytes in 40 ms of 50 Mbps.
const PRODUCT: u32 = 167;
const RTT_S: f64 = 0.04;

/// A stay in a phase: its limits in seconds, and the state after its first and its last ACK.
#[derive(Clone, Copy, Debug)]
struct Stay {
    phase: u8,
    begins: f64,
    ends: f64,
    first: LinuxState,
    last: LinuxState,
    /// Packets dropped before the stay and until its end.
    dropped: [u32; 2],
    /// Packets sent before it.
    sent: u32,
}

impl Stay {
    fn lasts(&self) -> f64 {
        self.ends - self.begins
    }
}

/// Stays in phases, and the time after a given one at which the bandwidth estimate was first within
/// a tenth of a rate.
#[derive(Debug, Default)]
struct Story {
    sent: u32,
    stays: Vec<Stay>,
    goal: Option<(Time, f64)>,
    reached: Option<f64>,
}

fn model(state: &LinuxState) -> Model {
    state.model.expect("BBR's model")
}

impl Watch for Story {
    fn sent(&mut self, _: Time, _: &Sender, _: &Segment) {
        self.sent += 1;
    }

    fn event(&mut self, now: Time, sender: &Sender, path: &Path) {
        let state = sender.linux_state().expect("Linux's profile");
        let (phase, at) = (model(&state).phase, now.as_secs_f64());
        match self.stays.last_mut() {
            Some(stay) if stay.phase == phase => {
                (stay.ends, stay.last) = (at, state);
                stay.dropped[1] = path.dropped;
            }
            _ => self.stays.push(Stay {
                phase,
                begins: at,
                ends: at,
                first: state,
                last: state,
                dropped: [path.dropped; 2],
                sent: self.sent,
            }),
        }
        if let Some((after, rate)) = self.goal
            && now > after
            && self.reached.is_none()
            && (model(&state).bandwidth_hi as f64 / rate - 1.0).abs() < 0.1
        {
            self.reached = Some(now.saturating_since(after).as_secs_f64());
        }
    }
}

impl Story {
    /// Stays in a phase, each with the stays that follow.
    fn pairs(&self, phase: u8) -> impl Iterator<Item = (&Stay, &Stay)> {
        let pairs = self.stays.windows(2).map(|pair| (&pair[0], &pair[1]));
        pairs.filter(move |(stay, _)| stay.phase == phase)
    }
}

fn plain(mbps: u64, buffer: u32) -> Path {
    Path::new(Rate::from_mbps(mbps), Span::from_ms(40), buffer as usize)
}

fn after(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// The story of a path.
fn follow(mut path: Path, seconds: u64) -> Story {
    let mut story = Story::default();
    path::run(Control::Bbr3Draft, 1, &mut path, after(seconds), &mut story);
    story
}

fn run(mbps: u64, buffer: u32, seconds: u64) -> Story {
    follow(plain(mbps, buffer), seconds)
}

/// Payload bytes per second of a link.
fn payload(mbps: f64) -> f64 {
    mbps * 1e6 / 8.0 * 1448.0 / 1500.0
}

/// Seconds until the bandwidth estimate is within a tenth of the new rate, which the link takes at
/// the tenth second.
fn adapts_in(from: u64, to: u64, buffer: u32) -> f64 {
    let change = after(10);
    let mut path = plain(from, buffer).with(Part::NewRate(change, Rate::from_mbps(to)));
    let mut story = Story {
        goal: Some((change, payload(to as f64))),
        ..Story::default()
    };
    let end = change + Span::from_secs(20);
    path::run(Control::Bbr3Draft, 1, &mut path, end, &mut story);
    story.reached.expect("the new rate is found in 20 s")
}

#[test]
fn a1_startup_ends_on_a_plateau_at_the_link_s_rate() {
    for buffer in [PRODUCT, 2 * PRODUCT, 8 * PRODUCT] {
        let story = run(50, buffer, 2);
        let (startup, next) = story.pairs(STARTUP).next().expect("startup ends");
        assert_eq!(next.phase, DRAIN, "buffer {buffer}");
        let share = model(&next.first).bandwidth_hi as f64 / payload(50.0);
        assert!(
            (share - 1.0).abs() < 0.02,
            "buffer {buffer}: {share} of the rate"
        );
        assert!(startup.ends < 20.0 * RTT_S, "buffer {buffer}: {startup:?}");
    }
}

/// A drain of half the rate empties a queue of one product in two round trips.
#[test]
fn a3_drain_ends_when_the_path_is_just_full() {
    let story = run(50, 2 * PRODUCT, 2);
    let (drain, down) = story.pairs(DRAIN).next().expect("drain ends");
    assert_eq!(model(&drain.first).pacing_gain, 128, "half the bandwidth");
    assert_eq!(down.phase, DOWN);
    let in_flight = down.first.unacked;
    assert!(in_flight <= PRODUCT + 8, "{in_flight} packets in flight");
    let rounds = drain.lasts() / RTT_S;
    assert!((1.0..=4.0).contains(&rounds), "{rounds} round trips");
}

/// Three rounds in which bandwidth grows by less than a quarter end the trial; nothing is lost.
#[test]
fn a5_up_ends_on_a_plateau() {
    let story = run(50, 3 * PRODUCT, 20);
    let trials: Vec<_> = story.pairs(UP).collect();
    assert!(trials.len() >= 4, "{} trials in 20 s", trials.len());
    for (up, next) in trials {
        assert_eq!(next.phase, DOWN);
        assert_eq!(up.dropped[0], up.dropped[1], "no loss in the trial");
        let rounds = up.lasts() / RTT_S;
        assert!((3.0..6.0).contains(&rounds), "{rounds} round trips");
    }
}

#[test]
fn a8_down_ends_when_the_queue_is_gone_and_room_is_left() {
    for (buffer, bounded) in [(2 * PRODUCT, false), (PRODUCT / 2, true)] {
        let story = run(50, buffer, 20);
        let mut seen = 0;
        for (down, next) in story.pairs(DOWN).filter(|(_, next)| next.phase == CRUISE) {
            assert_eq!(model(&down.first).pacing_gain, 230, "0.90 in 1/256");
            let in_flight = next.first.unacked - next.first.lost - next.first.sacked;
            assert!(in_flight <= PRODUCT + 8, "{in_flight} packets in flight");
            if let Some(bound) = model(&next.first).inflight_hi {
                seen += 1;
                let room = bound - (bound * 15 / 100).max(1);
                assert!(
                    in_flight <= room + 2,
                    "{in_flight} in flight, bound {bound}"
                );
            }
        }
        assert_eq!(seen > 0, bounded, "buffer {buffer}: {seen} with a bound");
    }
}

#[test]
fn a10_the_search_for_the_least_round_trip_is_short_and_comes_each_five_seconds() {
    let story = run(50, 2 * PRODUCT, 30);
    let searches: Vec<_> = story.pairs(PROBE_RTT).collect();
    assert!(searches.len() >= 4, "{} searches in 30 s", searches.len());
    for (search, next) in &searches {
        assert!((0.2..0.4).contains(&search.lasts()), "{} s", search.lasts());
        assert!(
            search.last.unacked <= PRODUCT / 2 + 1,
            "{} in flight",
            search.last.unacked
        );
        assert_eq!(next.phase, CRUISE, "DOWN turns to CRUISE at once");
        let after = model(&next.first);
        assert_eq!((after.bandwidth_lo, after.inflight_lo), (None, None));
        assert!(
            next.first.cwnd > PRODUCT,
            "the window is restored: {}",
            next.first.cwnd
        );
    }
    for pair in searches.windows(2) {
        let period = pair[1].0.begins - pair[0].0.begins;
        assert!((5.2..5.4).contains(&period), "a search each {period} s");
    }
}

/// From 10 to 100 Mbps: at most three seconds until the next trial, in which bandwidth then grows
/// by a quarter per round.
#[test]
fn a15_ten_times_the_rate_is_found_in_a_logarithmic_number_of_rounds() {
    for buffer in [333, 17] {
        let seconds = adapts_in(10, 100, buffer);
        assert!(seconds < 10.0, "buffer {buffer}: after {seconds} s");
    }
}

/// Two cycles of trials forget the old rate: each waits for 3 s at most, and takes some five
/// rounds, of 0.44 s with this queue before the new rate.
#[test]
fn a16_a_tenth_of_the_rate_is_found_after_two_cycles() {
    let seconds = adapts_in(100, 10, 333);
    assert!(seconds < 2.0 * (3.0 + 5.0 * 0.44), "after {seconds} s");
}

/// Data for some eight seconds, then a pause of equal length: more than the five after which a
/// search would begin.
#[test]
fn a11_a_pause_takes_the_place_of_a_search() {
    let data = vec![
        (Time::ZERO, Amount::Packets(8 * 4000)),
        (after(18), Amount::Endless),
    ];
    let story = follow(plain(50, 2 * PRODUCT).with(Part::Data(data)), 20);
    let before = story.stays.iter().rfind(|stay| stay.begins < 18.0);
    let before = before.expect("a phase");
    assert!(before.phase >= UP, "no search in the pause: {before:?}");
    let searches = story.pairs(PROBE_RTT);
    let soon = searches.filter(|(search, _)| (17.9..18.5).contains(&search.begins));
    assert_eq!(soon.count(), 0, "searches as sending goes on");
}

/// ACKs held and released every 20 ms: the excess widens the window.
#[test]
fn a12_aggregated_acks_widen_the_window() {
    let lumps = Part::AckLumps(Span::from_ms(20));
    let story = follow(plain(50, 8 * PRODUCT).with(lumps), 2);
    let (startup, _) = story.pairs(STARTUP).next().expect("startup ends");
    let excess = model(&startup.last).extra_acked;
    assert!(excess > PRODUCT / 4, "an excess of {excess}");
    let cwnd = startup.last.cwnd;
    assert!(cwnd > 2 * PRODUCT, "a window of {cwnd}");
}

/// A token bucket of 10 Mbps and 100 kB in front of a link of 50 Mbps.
#[test]
fn a17_a_policer_s_rate_is_used_without_lasting_heavy_loss() {
    let policer = Part::Policer(Rate::from_mbps(10), Bytes(100_000));
    let mut path = plain(50, 2 * PRODUCT).with(policer);
    let mut story = Story::default();
    let delivered = path::run(Control::Bbr3Draft, 1, &mut path, after(40), &mut story);
    let rate = f64::from(delivered) * 1500.0 * 8.0 / 40.0 / 10e6;
    assert!(rate > 0.8, "{rate} of the tokens");
    let loss = f64::from(path.dropped) / f64::from(path.dropped + delivered);
    assert!(loss < 0.1, "a loss of {loss}");
}

/// Losses of a trial end it at once; the bound is the flight that lost, or 0.7 of what fills the path.
#[test]
fn a21_losses_in_up_set_the_bound_and_end_the_trial() {
    let story = run(50, 50, 20);
    let lossy = story
        .pairs(UP)
        .filter(|(up, down)| up.dropped[0] < down.dropped[0]);
    let trials: Vec<_> = lossy.collect();
    assert!(!trials.is_empty(), "a buffer of 0.3 products is exceeded");
    for (up, down) in trials {
        assert_eq!(down.phase, DOWN);
        let bound = model(&down.first).inflight_hi.expect("a bound");
        assert!(bound >= PRODUCT * 7 / 10, "bound {bound}");
        assert!(up.lasts() < 6.0 * RTT_S, "{up:?}");
    }
}

/// The history of a source of this many Mbps on 1 Gbps, some of whose packets from 0.5 s on are
/// dropped.
fn lossy_startup(mbps: u32, every: u32, count: u32) -> Story {
    let data = (0..2000u64).map(|n| {
        let at = Time::ZERO + Span::from_us(n * 1000);
        (at, Amount::Packets(mbps * 1000 / 8 / 1500 + 1))
    });
    let drops = Drops {
        from: Time::ZERO + Span::from_ms(500),
        every,
        count,
        passed: 0,
    };
    let path = plain(1000, 10_000).with(Part::Data(data.collect()));
    follow(path.with(Part::Drops(drops)), 1)
}

/// More than 2 % in six ranges and more of one round end startup, though the source limits it and no plateau is seen.
#[test]
fn a2_startup_ends_on_losses_while_the_source_limits_it() {
    let story = lossy_startup(100, 30, 17);
    let (startup, next) = story.pairs(STARTUP).next().expect("startup ends");
    // Drain ends with the same ACK: a limited source has no queue.
    assert!([DRAIN, DOWN, CRUISE].contains(&next.phase), "{next:?}");
    assert!(next.dropped[0] >= 6, "{next:?}");
    assert!((0.5..0.75).contains(&startup.ends), "{startup:?}");
    // As many losses in five ranges of a round, and 1.5 % in more than six.
    for (mbps, every, count) in [(100, 30, 5), (200, 67, 15)] {
        let story = lossy_startup(mbps, every, count);
        let ends = story.pairs(STARTUP).next();
        assert!(ends.is_none(), "{count} drops of {every} packets: {ends:?}");
    }
}

/// The source pauses for a round as soon as the path is refilled: its samples do not lower the bandwidth, and the trial follows.
#[test]
fn a22_a_pause_in_refill_lowers_nothing_and_the_trial_follows() {
    let whole = run(50, 2 * PRODUCT, 10);
    let (refill, _) = whole.pairs(REFILL).nth(1).expect("a second trial");
    let begins = refill.begins;
    let data = vec![
        (Time::ZERO, Amount::Packets(refill.sent)),
        (
            Time::ZERO + Span::from_secs_f64(begins + RTT_S).expect("a time"),
            Amount::Endless,
        ),
    ];
    let story = follow(plain(50, 2 * PRODUCT).with(Part::Data(data)), 12);
    let is_same = |(stay, _): &(&Stay, &Stay)| (stay.begins - begins).abs() < RTT_S;
    let (paused, next) = story.pairs(REFILL).find(is_same).expect("the same refill");
    assert_eq!(next.phase, UP, "{paused:?}");
    let [before, after] = [paused.first, next.first].map(|state| model(&state).bandwidth_hi);
    assert!(
        after >= before,
        "{before} B/s before the pause, {after} behind it"
    );
    let rounds = paused.lasts() / RTT_S;
    assert!((1.0..=3.5).contains(&rounds), "{rounds} round trips");
}

/// In a trial, a packet that arrives a round trip and a half late is considered lost, and then
/// turns out not to be: the trial continues with its earlier bounds and window.
#[test]
fn a18_a_recovery_for_nothing_changes_neither_bounds_nor_phase() {
    let whole = run(50, 3 * PRODUCT, 10);
    let (expected, _) = whole.pairs(UP).nth(1).expect("a second trial");
    let from = Time::ZERO + Span::from_secs_f64(expected.begins + RTT_S).expect("a time");
    let late = Part::Late(from, 1, Span::from_ms(60));
    let story = follow(plain(50, 3 * PRODUCT).with(late), 10);
    let (up, next) = story.pairs(UP).nth(1).expect("the same trial");
    assert_eq!(up.begins, expected.begins);
    assert_eq!(next.first.total_retrans, 1, "one packet is sent again");
    assert_eq!(next.phase, DOWN);
    assert!(up.lasts() >= 3.0 * RTT_S, "three rounds: {up:?}");
    let bounds = |state| {
        let model = model(state);
        (model.inflight_hi, model.inflight_lo, model.bandwidth_lo)
    };
    assert_eq!(bounds(&up.last), bounds(&up.first), "bounds of {up:?}");
    let [before, after] = [up.first.cwnd, up.last.cwnd];
    assert!(after >= before, "a window of {before}, then {after}");
}
