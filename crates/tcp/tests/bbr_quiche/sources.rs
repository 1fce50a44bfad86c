//! Sources that pause or send little, single losses, and late ACKs.

use std::sync::Arc;

use pacesim_tcp::{Ack, Amount, Config, Control, SackBlocks, Sender, Variant};
use pacesim_units::{Bytes, Span, Time};

use super::check::{Numbers, judge};
use super::net::{Links, Net, PACKET, after};
use super::phases::{endless_until, reaches};

const MIB: u64 = 1 << 20;

fn write_mib(net: &mut Net, mib: u64) {
    net.write(0, Amount::Packets((mib * MIB).div_ceil(PACKET) as u32));
}

fn seconds(net: &Net) -> f64 {
    net.now.saturating_since(Time::ZERO).as_secs_f64()
}

fn pause(net: &mut Net, by: f64) {
    let until = seconds(net) + by;
    net.run(after(until), |_| false);
}

fn write_bursts(net: &mut Net, count: u32) {
    for _ in 0..count {
        pause(net, 3.0);
        net.write(0, Amount::Bytes(Bytes(512)));
    }
    pause(net, 3.0);
}

fn until_done(net: &mut Net, by: f64) -> bool {
    net.run(after(by), |net| net.flows[0].sender.is_done())
}

/// Until all data are sent.
fn until_handed_over(net: &mut Net, packets: u32, by: f64) -> bool {
    net.run(after(by), |net| net.flows[0].next() > packets)
}

fn off(net: &Net) -> f64 {
    (net.flows[0].bandwidth() / Links::D.rate() - 1.0).abs()
}

#[test]
fn small_bursts_keep_the_bandwidth() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr3/ApplicationLimitedBursts");
        let mut net = Net::alone(Links::D, Control::Bbr3, seed);
        write_mib(&mut net, 1);
        until_done(&mut net, 15.0);
        write_bursts(&mut net, 20);
        numbers.at_most("bandwidth", off(&net), 0.01);
        all.push(numbers);

        let mut numbers = Numbers::of("bbr3/ApplicationLimitedBurstsWithoutPrior");
        let mut net = Net::alone(Links::D, Control::Bbr3, seed);
        write_bursts(&mut net, 40);
        write_mib(&mut net, 1);
        let packets = 40 + MIB.div_ceil(PACKET) as u32;
        let by = seconds(&net) + 15.0;
        numbers.is_so("done", until_handed_over(&mut net, packets, by));
        numbers.is_so("phase", net.flows[0].phase().starts_with("probe_bw"));
        numbers.at_most("bandwidth", off(&net), 0.01);
        all.push(numbers);
    }
    judge(all, &[]);
}

/// A tenth of the rate in bursts does not end the trial, 1.4 products at once do.
#[test]
fn a_trial_waits_for_packets_in_flight() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr3/InFlightAwareGainCycling");
        let mut net = endless_until(Links::D, Control::Bbr3, seed, "probe_bw_refill");
        numbers.at_most("bandwidth", off(&net), 0.02);
        net.flows[0].sender.end_data();
        let burst = Bytes((0.1 * Links::D.rate() * 0.3) as u64);
        for n in 1..=10 {
            net.write(0, Amount::Bytes(burst));
            pause(&mut net, 0.3);
            if n == 5 {
                numbers.is_so("up at 1.5 s", net.flows[0].phase() == "probe_bw_up");
            }
        }
        numbers.is_so("up at 3 s", net.flows[0].phase() == "probe_bw_up");
        net.write(0, Amount::Bytes(Bytes((1.4 * Links::D.product()) as u64)));
        let by = seconds(&net) + 1.0;
        numbers.is_so("down", reaches(&mut net, by, "probe_bw_down"));
        let wait = 0.75 * net.flows[0].model().min_rtt_us as f64 / 1e6;
        pause(&mut net, wait);
        numbers.is_so("cruise", net.flows[0].phase() == "probe_bw_cruise");
        all.push(numbers);
    }
    // Google's kernel code ends a trial for losses or a plateau, not for packets in flight.
    let name = "bbr3/InFlightAwareGainCycling";
    judge(all, &[(name, "down"), (name, "cruise")]);
}

#[test]
fn idleness_ends_a_search_and_takes_the_place_of_one() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr3/ProbeRttAfterQuiescenceImmediatelyExits");
        let mut net = endless_until(Links::D, Control::Bbr3, seed, "probe_rtt");
        numbers.at_most("search begins, s", seconds(&net), 15.0);
        net.flows[0].sender.end_data();
        pause(&mut net, 5.0);
        numbers.is_so("search before", net.flows[0].phase() == "probe_rtt");
        net.write(0, Amount::Packets(1));
        numbers.is_so("phase", net.flows[0].phase().starts_with("probe_bw"));
        all.push(numbers);

        let mut numbers = Numbers::of("bbr3/ProbeBwAfterQuiescencePostponeMinRttTimestamp");
        let mut net = endless_until(Links::D, Control::Bbr3, seed, "probe_bw_refill");
        net.flows[0].sender.end_data();
        pause(&mut net, 15.0);
        net.write(0, Amount::Packets(1));
        pause(&mut net, 0.2);
        let measured = seconds(&net);
        net.write(0, Amount::Endless);
        numbers.is_so("no search", net.flows[0].phase().starts_with("probe_bw"));
        reaches(&mut net, measured + 20.0, "probe_rtt");
        // The old time stamp would begin it at once; a search comes 5 s after the last measurement.
        numbers.at_least("next search, s", seconds(&net) - measured, 4.7);
        all.push(numbers);
    }
    judge(all, &[]);
}

#[test]
fn pacing_never_falls_while_the_source_limits_the_start() {
    let mut numbers = Numbers::of("bbr1/NoBandwidthDropOnStartup");
    let mut net = Net::alone(Links::D, Control::Bbr, 0);
    let mut least = f64::INFINITY;
    let mut watch = |net: &mut Net| {
        let state = net.flows[0].state();
        let slowest = f64::from(state.cwnd) * PACKET as f64 / 0.1;
        if net.flows[0].delivered() > 1 {
            least = least.min(state.pacing_rate as f64 / slowest);
        }
        false
    };
    for _ in 0..2 {
        net.write(0, Amount::Bytes(Bytes(1000)));
        let until = seconds(&net) + 2.0;
        net.run(after(until), &mut watch);
    }
    numbers.at_least("pacing of cwnd/100 ms", least, 1.0);
    judge(vec![numbers], &[]);
}

/// The timer of RACK finds a loss without an ACK: the bandwidth remains, and is found again.
#[test]
fn a_loss_found_without_an_ack_leaves_the_bandwidth() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr3/LossOnlyCongestionEvent");
        let mut net = Net::alone(Links::D, Control::Bbr3, seed);
        write_mib(&mut net, 1);
        until_done(&mut net, 15.0);
        write_bursts(&mut net, 20);
        net.drops = 1;
        net.write(0, Amount::Packets(2));
        let mut before = net.flows[0].state();
        let by = seconds(&net) + 5.0;
        let found = net.run(after(by), |net| {
            let last = std::mem::replace(&mut before, net.flows[0].state());
            let is_new = before.lost > last.lost;
            is_new && (before.delivered, before.sacked) == (last.delivered, last.sacked)
        });
        numbers.is_so("a loss without an ACK", found);
        numbers.at_most("bandwidth behind it", off(&net), 0.01);
        until_done(&mut net, by);
        let packets = net.flows[0].next() + (50 * MIB).div_ceil(PACKET) as u32 - 1;
        write_mib(&mut net, 50);
        let by = seconds(&net) + 200.0;
        numbers.is_so("50 MiB", until_handed_over(&mut net, packets, by));
        numbers.at_most("bandwidth", off(&net), 0.01);
        all.push(numbers);
    }
    judge(all, &[]);
}

/// One of two packets is lost in a trial that the source limits: the bound is not that small flight.
#[test]
fn a_loss_of_a_small_flight_does_not_set_the_lasting_bound() {
    let mut all = Vec::new();
    for seed in 0..3 {
        let mut numbers = Numbers::of("bbr3/ProbeUpAdaptInflightHiGradually");
        let mut net = endless_until(Links::D, Control::Bbr3, seed, "probe_bw_up");
        net.flows[0].sender.end_data();
        let by = seconds(&net) + 5.0;
        until_done(&mut net, by);
        numbers.is_so("up", net.flows[0].phase() == "probe_bw_up");
        net.drops = 1;
        net.write(0, Amount::Packets(2));
        until_done(&mut net, by + 5.0);
        numbers.within("losses", f64::from(net.flows[0].dropped), 1.0, 1.0);
        let bound = net.flows[0].model().inflight_hi;
        let bound = bound.map_or(f64::INFINITY, f64::from);
        numbers.at_least("inflight_hi", bound, 3.0);
        all.push(numbers);
    }
    judge(all, &[]);
}

/// ACKs come after the time-out: packets sent are those delivered, some of them twice.
#[test]
fn packets_declared_lost_and_then_acknowledged_are_counted_once() {
    let mut numbers = Numbers::of("bbr3/SpuriousLossEvent");
    let mut net = Net::alone(Links::D, Control::Bbr3, 0);
    write_mib(&mut net, 1);
    pause(&mut net, 1.0);
    net.acks_blocked = after(seconds(&net) + 2.0);
    let all_lost = net.run(after(3.0), |net| {
        let state = net.flows[0].state();
        state.unacked > 0 && state.lost == state.unacked
    });
    numbers.is_so("all in flight are lost", all_lost);
    numbers.is_so("done", until_done(&mut net, 15.0));
    let flow = &net.flows[0];
    let state = flow.state();
    let counted = f64::from(state.delivered + flow.dropped);
    numbers.within(
        "sent less counted",
        f64::from(flow.sent) - counted,
        0.0,
        0.0,
    );
    numbers.at_least("sent twice", flow.duplicates(), 1.0);
    let left = state.unacked + state.lost + state.sacked + state.retrans;
    numbers.at_most("left in the books", f64::from(left), 0.0);
    judge(vec![numbers], &[]);
}

/// A time stamp from the future would be a negative round trip: it is ignored.
#[test]
fn an_echo_from_the_future_is_no_round_trip() {
    let mut numbers = Numbers::of("bbr3/BadRttSample");
    let mut config = Config::linux(Variant::Sack);
    config.control = Control::Bbr3;
    let mut sender = Sender::new(&Arc::new(config), Span::ZERO);
    sender.on_data(Time::ZERO, Amount::Endless).expect("data");
    let mut now = Time::ZERO;
    for next in 1..=5 {
        while sender.poll_transmit(now).is_some() {}
        now += Span::from_ms(70);
        let ack = Ack {
            next,
            stamp: now + Span::from_secs(1),
            sacks: SackBlocks::NONE,
            ece: false,
            marked: None,
        };
        sender.on_ack(now, &ack);
    }
    let state = sender.linux_state().expect("Linux's profile");
    numbers.near("least round trip", state.min_rtt_us as f64, 70_000.0, 0.01);
    let model = state.model.expect("BBR's model");
    numbers.near("the model's", model.min_rtt_us as f64, 70_000.0, 0.01);
    judge(vec![numbers], &[]);
}
