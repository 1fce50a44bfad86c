//! Example test cases of draft-ietf-ccwg-bbr (appendix A, commit 4ce5e87 of its repository) for BBR with the draft's
//! rules: 50 Mbps, 40 ms and a drop-tail buffer of twice their product, unless a case says otherwise.

mod story;

use self::story::{
    CRUISE, DOWN, DRAIN, PROBE_RTT, PRODUCT, REFILL, RTT_S, STARTUP, Stay, Story, UP, adapts,
    after, follow, model, payload, plain, run,
};
use crate::path::{self, Drops, Part, Path};
use pacesim_tcp::{Amount, Control};
use pacesim_units::{Bytes, Rate, Span, Time};

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
        let seconds = adapts(10, 100, buffer).reached.expect("found in 20 s");
        assert!(seconds < 10.0, "buffer {buffer}: after {seconds} s");
    }
}

/// With losses, the bandwidth in use falls by 0.7 per round at once, and the maximum follows after two cycles.
#[test]
fn a16_a_tenth_of_the_rate_is_found_in_two_cycles_behind_a_small_buffer() {
    let story = adapts(100, 10, 33);
    let falls: Vec<(f64, u64)> = story
        .lower
        .iter()
        .filter_map(|(at, rate, _)| Some((*at, (*rate)?)))
        .filter(|(at, _)| (10.0..10.7).contains(at))
        .collect();
    assert!(falls.len() >= 5, "{falls:?}");
    assert!(falls[0].0 < 10.0 + 5.0 * RTT_S, "at once: {falls:?}");
    for pair in falls.windows(2) {
        let [before, after] = [pair[0].1, pair[1].1].map(|rate| rate as f64);
        assert!((0.69..0.71).contains(&(after / before)), "{falls:?}");
        assert!(pair[1].0 - pair[0].0 < 3.0 * RTT_S, "each round: {falls:?}");
    }
    let seconds = story.reached.expect("the new rate is found");
    assert!(seconds < 8.0, "after {seconds} s");
}

/// Behind larger buffers it takes longer, and 2000 packets hide the new rate for good: a probe whose end falls into a search for the least
/// round trip does not age the maximum, since the search marks its samples as limited by the application. Without that mark, the new rate is
/// found after 4.6 and 8.8 s.
#[test]
fn a16_a_tenth_of_the_rate_is_found_late_or_never_behind_a_large_buffer() {
    let seconds = adapts(100, 10, 333).reached.expect("the new rate is found");
    assert!(
        (8.0..2.0 * (3.0 + 5.0 * 0.44)).contains(&seconds),
        "after {seconds} s"
    );
    assert_eq!(adapts(100, 10, 2000).reached, None);
}

/// A pause of more than the five seconds after which a search would begin, from three phases on:
/// sending continues at the bandwidth, also in a trial, whose gain is 1.25.
#[test]
fn a11_a_pause_takes_the_place_of_a_search() {
    let whole = run(50, 2 * PRODUCT, 10);
    let (up, _) = whole.pairs(UP).nth(1).expect("a second trial");
    let in_phases = [
        (8 * 3750, CRUISE),
        (8 * 4000, CRUISE),
        (up.sent + PRODUCT, UP),
    ];
    for (packets, phase) in in_phases {
        let data = vec![
            (Time::ZERO, Amount::Packets(packets)),
            (after(18), Amount::Endless),
        ];
        let mut story = Story {
            resumes: Some(after(18)),
            ..Story::default()
        };
        let mut path = plain(50, 2 * PRODUCT).with(Part::Data(data));
        path::run(Control::Bbr3Draft, 1, &mut path, after(20), &mut story);
        let before = story.stays.iter().rfind(|stay| stay.begins < 18.0);
        assert_eq!(before.map(|stay| stay.phase), Some(phase), "{before:?}");
        let searches = story.pairs(PROBE_RTT);
        let soon = searches.filter(|(search, _)| (17.9..18.5).contains(&search.begins));
        assert_eq!(soon.count(), 0, "searches as sending goes on");
        let resumed = story.resumed.expect("a departure");
        assert_eq!(resumed.unacked, 1, "nothing else in flight");
        let pacing = resumed.pacing_rate as f64 / model(&resumed).bandwidth as f64;
        assert!(
            (pacing / 0.99 - 1.0).abs() < 1e-3,
            "{pacing} of the bandwidth"
        );
    }
}

/// Startup with ACKs released every 20 ms: the story, and the greatest estimate of the bandwidth as a share of the link's.
fn startup_in_lumps(lumps: Part) -> (Story, f64) {
    let story = follow(plain(50, 8 * PRODUCT).with(lumps), 2);
    let (startup, _) = story.pairs(STARTUP).next().expect("startup ends");
    let excess = model(&startup.last).extra_acked;
    assert!(excess > PRODUCT / 4, "an excess of {excess}");
    let cwnd = startup.last.cwnd;
    assert!(cwnd > 2 * PRODUCT, "a window of {cwnd}");
    let most = story.rounds.iter().map(|(_, rate)| *rate).max();
    let share = most.expect("rounds") as f64 / payload(50.0);
    (story, share)
}

/// One ACK for each lump: the excess widens the window, no sample exceeds the link's rate, and the bandwidth doubles each round.
#[test]
fn a12_aggregated_acks_widen_the_window() {
    let (story, most) = startup_in_lumps(Part::MergedAcks(Span::from_ms(20)));
    assert!(most < 1.003, "a sample of {most}");
    let rates = story
        .rounds
        .iter()
        .map(|(_, rate)| *rate as f64 / payload(50.0));
    let grows: Vec<f64> = rates.filter(|rate| (0.01..0.95).contains(rate)).collect();
    let doublings = libm::log2(grows[grows.len() - 1] / grows[0]);
    // The first estimate lasts for two rounds, since the first window is sent at once.
    assert!(grows.len() as f64 - 2.0 <= doublings + 1.0, "{grows:?}");
}

/// A lump of many ACKs is processed one by one: packets sent after the first count the rest as delivered in their own round trip, so that three
/// lumps fall into the time of two.
#[test]
fn a12_many_acks_at_one_time_exceed_the_link_s_rate() {
    let (_, most) = startup_in_lumps(Part::AckLumps(Span::from_ms(20)));
    assert!((1.1..1.5).contains(&most), "a sample of {most}");
}

/// A token bucket of 10 Mbps and 100 kB in front of a link of 50 Mbps: the recent bounds fall as soon as it is empty, and from 20 s on its rate
/// is used without heavy loss.
#[test]
fn a17_a_policer_s_rate_is_used_without_lasting_heavy_loss() {
    let policer = Part::Policer(Rate::from_mbps(10), Bytes(100_000));
    let story = follow(plain(50, 2 * PRODUCT).with(policer), 61);
    let bounded = story
        .lower
        .iter()
        .find(|(_, rate, flight)| rate.is_some() && flight.is_some());
    let (at, ..) = bounded.expect("bounds");
    assert!(*at < 0.5, "bounds at {at} s");
    let [from, to] = [20, 60].map(|second| story.totals[second]);
    let (delivered, dropped) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let rate = delivered * 1500.0 * 8.0 / 40.0 / 10e6;
    assert!(rate > 0.8, "{rate} of the tokens");
    let loss = dropped / (delivered + dropped);
    assert!(loss < 0.1, "a loss of {loss}");
}

/// Losses of a trial end it at once, and the bound is the flight that lost, within its 2 %; the next trial ends at that bound, without losses,
/// and if it had none, another follows within a round.
#[test]
fn a21_losses_in_up_set_the_bound_and_the_next_trial_stops_there() {
    let buffer = 50;
    let story = run(50, buffer, 30);
    let trials: Vec<_> = story.pairs(UP).collect();
    let is_lossy = |(up, down): &(&Stay, &Stay)| up.dropped[0] < down.dropped[0];
    let mut cautious = 0;
    for pair in trials.windows(2).filter(|pair| is_lossy(&pair[0])) {
        let ((up, down), (next, after_next)) = (pair[0], pair[1]);
        if [down.phase, after_next.phase].contains(&PROBE_RTT) {
            continue;
        }
        assert_eq!((down.phase, after_next.phase), (DOWN, DOWN));
        let [bound, later] = [down.first, down.last].map(|state| model(&state).inflight_hi);
        let bound = bound.expect("a bound");
        let fits = PRODUCT + buffer;
        assert!(
            (fits..=fits * 102 / 98 + 1).contains(&bound),
            "bound {bound}"
        );
        assert!(later >= Some(bound), "once per trial: {later:?}");
        assert!(up.lasts() < 6.0 * RTT_S, "{up:?}");
        assert_eq!(
            next.dropped[0], after_next.dropped[0],
            "no losses: {next:?}"
        );
        let reached = after_next.first.unacked + 6;
        assert!(
            reached >= bound,
            "{reached} with the next burst, bound {bound}"
        );
        let follows = story
            .pairs(DOWN)
            .find(|(down, _)| down.begins == after_next.begins);
        let (down, again) = follows.expect("the end of the second trial");
        assert_eq!(again.phase, REFILL);
        assert!(down.lasts() < 1.5 * RTT_S, "{down:?}");
        cautious += 1;
    }
    assert!(cautious >= 3, "{cautious} trials after lossy ones");
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

/// Twelve late packets are more than 2 %, and end the trial; once they are known to be late, bounds and window are as before, and the trial is
/// made again.
#[test]
fn a18_losses_for_nothing_are_forgotten_and_the_trial_is_made_again() {
    let whole = run(50, 3 * PRODUCT, 10);
    let (expected, _) = whole.pairs(UP).nth(1).expect("a second trial");
    let from = Time::ZERO + Span::from_secs_f64(expected.begins + RTT_S).expect("a time");
    let late = Part::Late(from, 12, Span::from_ms(60));
    let story = follow(plain(50, 3 * PRODUCT).with(late), 10);
    let trial = story
        .stays
        .iter()
        .position(|stay| stay.begins == expected.begins);
    let [up, down, refill, again] = &story.stays[trial.expect("the same trial")..][..4] else {
        panic!("four stays");
    };
    let phases = [up, down, refill, again].map(|stay| stay.phase);
    assert_eq!(phases, [UP, DOWN, REFILL, UP]);
    assert!(model(&down.first).inflight_hi.is_some(), "{down:?}");
    let restored = model(&refill.first);
    let bounds = (
        restored.inflight_hi,
        restored.inflight_lo,
        restored.bandwidth_lo,
    );
    assert_eq!(bounds, (None, None, None));
    let [before, after] = [up.first.cwnd, refill.first.cwnd];
    assert!(after >= before, "a window of {before}, then {after}");
    assert!(down.lasts() < 2.0 * RTT_S, "{down:?}");
}

/// A.1, A.3, A.5 and A.8 at the fast end of the draft's range, 10 Gbps and 0.5 ms.
#[test]
fn phases_are_the_same_at_ten_gigabits() {
    const FAST_PRODUCT: u32 = 417;
    let rtt = Span::from_us(500);
    let rate = Rate::from_mbps(10_000);
    let mut path = Path::new(rate, rtt, 2 * FAST_PRODUCT as usize);
    let mut story = Story::default();
    let end = Time::ZERO + Span::from_ms(300);
    path::run(Control::Bbr3Draft, 1, &mut path, end, &mut story);
    let (_, drain) = story.pairs(STARTUP).next().expect("startup ends");
    assert_eq!(drain.phase, DRAIN);
    let share = model(&drain.first).bandwidth_hi as f64 / payload(10_000.0);
    assert!((share - 1.0).abs() < 0.02, "{share} of the rate");
    let (_, down) = story.pairs(DRAIN).next().expect("drain ends");
    assert_eq!(down.phase, DOWN);
    assert!(down.first.unacked <= FAST_PRODUCT + 8, "{down:?}");
    let trials: Vec<_> = story.pairs(UP).collect();
    assert!(trials.len() >= 4, "{} trials", trials.len());
    for (up, next) in trials {
        assert_eq!((next.phase, next.dropped[0]), (DOWN, 0));
        let rounds = up.lasts() / rtt.as_secs_f64();
        assert!((3.0..6.0).contains(&rounds), "{rounds} round trips");
    }
    let mut downs = story.pairs(DOWN);
    assert!(
        downs.all(|(down, next)| { next.phase == CRUISE && model(&down.first).pacing_gain == 230 })
    );
}

/// A.1 and A.10 at its slow end, 64 kbit/s and 1 s: searches every five seconds interrupt Startup,
/// which continues after them.
#[test]
fn startup_ends_between_searches_at_64_kilobits() {
    let rate = Rate::from_bps(64_000).expect("a rate");
    let mut path = Path::new(rate, Span::from_ms(1000), 18);
    let mut story = Story::default();
    path::run(Control::Bbr3Draft, 1, &mut path, after(120), &mut story);
    let (_, drain) = story
        .pairs(STARTUP)
        .find(|(_, next)| next.phase == DRAIN)
        .expect("startup ends");
    let share = model(&drain.first).bandwidth_hi as f64 / payload(0.064);
    assert!((share - 1.0).abs() < 0.02, "{share} of the rate");
    let searches: Vec<_> = story.pairs(PROBE_RTT).collect();
    assert!(searches.len() >= 10, "{} searches", searches.len());
    for (search, next) in &searches {
        assert!(search.last.unacked <= 4, "{search:?}");
        assert!(search.lasts() > 1.0, "a round at least: {search:?}");
        assert!([STARTUP, CRUISE].contains(&next.phase), "{next:?}");
    }
    for pair in searches.windows(2) {
        let gap = pair[1].0.begins - pair[0].0.ends;
        assert!((5.0..5.6).contains(&gap), "a search {gap} s behind another");
    }
}

/// A.4, with a fall by half: the link slows down as Drain begins, so that its queue is not gone after the three rounds that end it.
#[test]
fn a4_drain_ends_after_three_rounds() {
    let whole = run(50, 3 * PRODUCT, 2);
    let (expected, _) = whole.pairs(DRAIN).next().expect("drain ends");
    let from = Time::ZERO + Span::from_secs_f64(expected.begins).expect("a time");
    let slower = Part::NewRate(from, Rate::from_mbps(25));
    let story = follow(plain(50, 3 * PRODUCT).with(slower), 3);
    let (drain, down) = story.pairs(DRAIN).next().expect("drain ends");
    assert_eq!((drain.begins, down.phase), (expected.begins, DOWN));
    assert!(down.first.unacked > PRODUCT, "the queue is left: {down:?}");
    let rounds = story.rounds.iter().map(|(at, _)| *at);
    let within = rounds.filter(|at| *at > drain.begins && *at <= down.begins);
    assert_eq!(within.count(), 3, "{drain:?}");
}

/// A.9, with a fall of 15 %: the link slows down as DOWN begins, so that the queue stays, and DOWN lasts until the next trial is due or a search
/// begins.
#[test]
fn a9_down_with_a_lasting_queue_ends_as_the_next_trial_is_due() {
    let run = |seed, path: &mut Path, seconds| {
        let mut story = Story::default();
        path::run(Control::Bbr3Draft, seed, path, after(seconds), &mut story);
        story
    };
    let mut due = 0;
    for seed in 0..20 {
        let whole = run(seed, &mut plain(50, 3 * PRODUCT), 10);
        let trials = whole.pairs(UP).map(|(_, next)| next);
        let expected = trials.filter(|next| next.phase == DOWN).nth(1);
        let Some(expected) = expected else { continue };
        let from = Time::ZERO + Span::from_secs_f64(expected.begins).expect("a time");
        let rate = Rate::from_bps(42_500_000).expect("a rate");
        let slower = Part::NewRate(from, rate);
        let story = run(seed, &mut plain(50, 3 * PRODUCT).with(slower), 16);
        let mut downs = story.pairs(DOWN);
        let (down, next) = downs
            .find(|(down, _)| down.begins == expected.begins)
            .expect("the same DOWN");
        assert!([REFILL, PROBE_RTT].contains(&next.phase), "{next:?}");
        if next.phase == REFILL {
            let waits = next.begins - down.begins;
            assert!((2.0..3.1).contains(&waits), "{waits} s");
            due += 1;
        }
    }
    assert!(due > 0, "a search begins before each trial");
}
