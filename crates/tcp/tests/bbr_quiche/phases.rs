//! Phases of one flow with endless data: Startup's end, Drain, the search for the least round trip, recovery.

use pacesim_tcp::{Amount, Control};

use super::check::{Numbers, judge};
use super::net::{Flow, Links, Net, PACKET, after};

const HALF: Links = Links::D.with_buffer(0.5);

/// Counts rounds: each ends with the acknowledgement of what was sent at its start.
pub(crate) struct Rounds {
    end: u32,
    pub(crate) count: u32,
}

impl Rounds {
    pub(crate) fn begin(flow: &Flow) -> Rounds {
        Rounds {
            end: flow.next(),
            count: 0,
        }
    }

    pub(crate) fn follow(&mut self, flow: &Flow) {
        if flow.sender.acknowledged() >= self.end {
            self.count += 1;
            self.end = flow.next();
        }
    }
}

/// A flow with endless data, until a phase begins.
pub(crate) fn endless_until(links: Links, control: Control, seed: u64, phase: &str) -> Net {
    let mut net = Net::alone(links, control, seed);
    net.write(0, Amount::Endless);
    assert!(reaches(&mut net, 20.0, phase), "{phase} begins");
    net
}

/// True if a phase begins by this time.
pub(crate) fn reaches(net: &mut Net, by: f64, phase: &str) -> bool {
    net.run(after(by), |net| net.flows[0].phase() == phase)
}

fn leaves(net: &mut Net, phase: &str) {
    assert!(net.run(after(60.0), |net| net.flows[0].phase() != phase));
}

/// Numbers on entry into Drain, with this gain, and as it ends.
fn drains(numbers: &mut Numbers, net: &mut Net, gain: f64, queue: f64) {
    let links = net.links;
    numbers.at_most(
        "drain begins, s",
        net.now.saturating_since(after(0.0)).as_secs_f64(),
        10.0,
    );
    let flow = &net.flows[0];
    let pacing = flow.state().pacing_rate as f64 / flow.bandwidth();
    numbers.near("pacing", pacing, gain, 0.01);
    numbers.near("pacing, margin aside", pacing / 0.99, gain, 0.01);
    numbers.at_least("queue, BDP", net.queue() / links.product(), queue);
    let rtt = links.rtt() + net.queue() / links.rate();
    numbers.near("last round trip", flow.last_rtt(), rtt, 0.1);
    leaves(net, "drain");
    numbers.at_most(
        "queue behind drain, BDP",
        net.queue() / links.product(),
        1.0,
    );
    numbers.is_so(
        "phase behind drain",
        net.flows[0].phase().starts_with("probe_bw"),
    );
}

fn judge_srtt(numbers: &mut Numbers, net: &Net) {
    let srtt = net.flows[0].state().srtt_us as f64 / 1e6;
    numbers.near("srtt at the end of the cycle", srtt, net.links.rtt(), 0.1);
}

/// Linux paces 1 % below the bandwidth, and its 1/2.885 is 88/256; version 1 leaves a queue of three bursts.
const DRAIN_BROKEN: [(&str, &str); 3] = [
    ("bbr3/Drain", "pacing"),
    ("bbr1/Drain", "pacing"),
    ("bbr1/Drain", "srtt at the end of the cycle"),
];

fn draft_drains(seed: u64) -> Numbers {
    let mut numbers = Numbers::of("bbr3/Drain");
    let mut net = endless_until(Links::D, Control::Bbr3Draft, seed, "drain");
    drains(&mut numbers, &mut net, 0.5, 0.95);
    let mut rounds = Rounds::begin(&net.flows[0]);
    net.run(after(60.0), |net| {
        rounds.follow(&net.flows[0]);
        rounds.count >= 4 && net.flows[0].phase() == "probe_bw_refill"
    });
    judge_srtt(&mut numbers, &net);
    numbers
}

fn version_1_drains(links: Links, seed: u64) -> Numbers {
    let mut numbers = Numbers::of("bbr1/Drain");
    let mut net = endless_until(links, Control::Bbr, seed, "drain");
    drains(&mut numbers, &mut net, 1.0 / 2.885, 0.8);
    let mut rounds = Rounds::begin(&net.flows[0]);
    let mut gain = 0;
    net.run(after(60.0), |net| {
        rounds.follow(&net.flows[0]);
        // The last phase of the cycle is the one before a gain of 1.25.
        let before = std::mem::replace(&mut gain, net.flows[0].model().pacing_gain);
        rounds.count >= 4 && (before, gain) == (256, 320)
    });
    judge_srtt(&mut numbers, &net);
    numbers
}

#[test]
fn drain_slows_down_and_empties_the_queue() {
    let seeds = 0..3;
    let all = seeds.flat_map(|seed| [draft_drains(seed), version_1_drains(Links::D, seed)]);
    judge(all.collect(), &DRAIN_BROKEN);
}

/// At ten times the rate, three bursts hardly delay.
#[test]
fn version_1_empties_the_queue_of_a_fast_link() {
    let all = (0..3).map(|seed| version_1_drains(Links::FAST, seed));
    judge(all.collect(), &[("bbr1/Drain", "pacing")]);
}

#[test]
fn drain_ends_after_three_rounds_if_the_rate_halves() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr3/DrainExitDueTo3RoundLimit");
        let mut net = endless_until(Links::D, Control::Bbr3Draft, seed, "drain");
        net.set_rate(2000);
        let mut rounds = Rounds::begin(&net.flows[0]);
        net.run(after(20.0), |net| {
            rounds.follow(&net.flows[0]);
            net.flows[0].phase() != "drain"
        });
        numbers.within("rounds", f64::from(rounds.count), 3.0, 3.0);
        let flow = &net.flows[0];
        let target = flow.bandwidth() * flow.model().min_rtt_us as f64 / 1e6 / PACKET as f64;
        numbers.at_least("in flight", f64::from(flow.in_flight()), target);
        all.push(numbers);
    }
    judge(all, &[]);
}

/// Without B2SL, the bound is the flight that was delivered, queue included; three bursts exceed the buffer of two products.
const STARTUP_BROKEN: [(&str, &str); 2] = [
    ("bbr3/ExitStartupDueToLossB2SL", "inflight_hi, BDP"),
    ("bbr1/DerivedPacingGainStartup", "loss"),
];

#[test]
fn startup_ends_by_losses_or_by_a_plateau() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr3/ExitStartupDueToLossB2SL");
        let net = endless_until(HALF, Control::Bbr3, seed, "drain");
        let seconds = net.now.saturating_since(after(0.0)).as_secs_f64();
        numbers.at_most("drain begins, s", seconds, 5.0);
        let bound = net.flows[0]
            .model()
            .inflight_hi
            .map_or(f64::INFINITY, f64::from);
        let bytes = bound * PACKET as f64;
        numbers.near("inflight_hi, BDP", bytes, Links::D.product(), 0.1);
        all.push(numbers);

        let mut numbers = Numbers::of("bbr1/DerivedPacingGainStartup");
        let net = endless_until(Links::D, Control::Bbr, seed, "drain");
        let seconds = net.now.saturating_since(after(0.0)).as_secs_f64();
        numbers.at_most("drain begins, s", seconds, 5.0);
        let flow = &net.flows[0];
        numbers.near("bandwidth", flow.bandwidth(), Links::D.rate(), 0.01);
        numbers.at_most("loss", f64::from(flow.dropped), 0.0);
        all.push(numbers);
    }
    judge(all, &STARTUP_BROKEN);
}

#[test]
fn version_1_s_startup_takes_some_rounds_and_few_packets() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr1/StartupStats");
        let mut net = Net::alone(Links::D, Control::Bbr, seed);
        net.write(0, Amount::Endless);
        let mut rounds = Rounds::begin(&net.flows[0]);
        net.run(after(20.0), |net| {
            rounds.follow(&net.flows[0]);
            net.flows[0].phase() != "startup"
        });
        numbers.within("rounds", f64::from(rounds.count), 5.0, 15.0);
        numbers.within("packets", f64::from(net.flows[0].sent), 100.0, 1000.0);
        numbers.at_most("losses", f64::from(net.flows[0].dropped), 10.0);
        all.push(numbers);
    }
    judge(all, &[]);
}

/// A search begins within 12 s, is short, and takes the next ten seconds from its own measurement.
#[test]
fn version_1_searches_for_the_least_round_trip() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr1/ProbeRtt");
        let mut net = endless_until(Links::D, Control::Bbr, seed, "probe_bw");
        let start = net.now;
        reaches(&mut net, 60.0, "probe_rtt");
        let begins = net.now;
        let since =
            |earlier, later: pacesim_units::Time| later.saturating_since(earlier).as_secs_f64();
        numbers.at_most("search begins, s", since(start, begins), 12.0);
        leaves(&mut net, "probe_rtt");
        let ends = net.now;
        numbers.at_most(
            "search lasts, s",
            since(begins, ends),
            1.5 * (Links::D.rtt() + 0.2),
        );
        reaches(&mut net, 60.0, "probe_rtt");
        numbers.at_least("next search, s", since(ends, net.now), 9.9);
        all.push(numbers);
    }
    judge(all, &[]);
}

/// The window does not grow in the first round of a recovery, then it does, and then the state is open.
#[test]
fn version_1_s_recovery_conserves_packets_and_then_grows() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr1/RecoveryStates");
        let mut net = Net::alone(HALF, Control::Bbr, seed);
        net.write(0, Amount::Endless);
        let recovers = |net: &mut Net| net.flows[0].state().state == 3;
        numbers.is_so("recovery", net.run(after(10.0), recovers));
        let entry = net.flows[0].state();
        let round_ends = entry.delivered + net.flows[0].in_flight();
        let mut most = [0; 2];
        let ends = net.run(after(10.0), |net| {
            let state = net.flows[0].state();
            if state.state == 3 {
                let most = &mut most[usize::from(state.delivered >= round_ends)];
                *most = state.cwnd.max(*most);
            }
            state.state == 0
        });
        let at_first = f64::from(entry.cwnd);
        let [conserved, grown] = most.map(f64::from);
        numbers.at_most("window, first round", conserved, at_first);
        numbers.at_least("window, later", grown, at_first + 1.0);
        numbers.is_so("open again", ends);
        all.push(numbers);
    }
    judge(all, &[]);
}
