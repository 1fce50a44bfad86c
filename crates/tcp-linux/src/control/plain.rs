//! The plain ACK: it acknowledges packets that were sent once, reports nothing, and arrives in the
//! normal state, as most do (the kernel's header prediction). SACK blocks, losses, marks, probes
//! and undo are skipped: none of them can change.

use super::super::clock::Micros;
use super::super::connection::{Connection, State};
use super::super::rate::RateSample;
use super::LinuxControl;
use crate::packet::Ack;

/// Processes a plain ACK, with the same result as the sender's `take`; returns its round trip.
/// `small`: the first packet that it acknowledges is not full. Samples are not made for a control
/// that reads none.
#[inline]
pub(super) fn take<C: LinuxControl>(
    conn: &mut Connection,
    control: &mut C,
    next: u32,
    small: bool,
) -> Micros {
    let packets = next - conn.una;
    let mut sample = RateSample {
        prior_in_flight: conn.packets_out,
        ..RateSample::default()
    };
    conn.timeouts_in_a_row = 0;
    (conn.peer_news, conn.peer_changed) = (false, false);
    if control.follows_losses() {
        conn.note_app_limit();
    }
    let round_trip = conn.pop_plain(next, &mut sample);
    let alone = packets == 1 && sample.prior_delivered + 1 == conn.rates.delivered;
    sample.is_delayed = small && alone;
    sample.rtt = Some(round_trip.last);
    conn.note_times(round_trip.first, sample.rtt, sample.is_delayed);
    control.on_packets_acked(conn, packets, sample.rtt);
    conn.adapt_reordering_window(&sample);
    control.on_ack(conn);
    conn.set_timer(true);
    conn.finish_sample(packets, 0, conn.reneged, &mut sample);
    if control.rules_alone() {
        control.rule(conn, &sample);
        return round_trip.last;
    }
    if conn.grows {
        control.grow(conn, packets);
        conn.window.checked = conn.tick;
    }
    conn.update_pacing_rate();
    round_trip.last
}

/// Round trips of the first and last packet acknowledged.
struct RoundTrip {
    first: Micros,
    last: Micros,
}

impl Connection {
    /// True if this ACK is plain.
    #[inline]
    pub(in super::super) fn is_plain(&self, ack: &Ack) -> bool {
        let calm =
            self.state == State::Open && self.segments.are_plain() && self.probe_end.is_none();
        let reports = self.is_thorough() || !ack.sacks.is_empty() || self.ecn.hears(ack);
        ack.next > self.una && calm && !reports && self.sack && !self.opening
    }

    /// Takes off packets below `next`. Since they were sent in order, the last one is the newest,
    /// and the one for RACK and the sample.
    // Always inlined: otherwise the sample is written even for controls that do not read it.
    #[inline(always)]
    fn pop_plain(&mut self, next: u32, sample: &mut RateSample) -> RoundTrip {
        let (first, last) = (self.una, next - 1);
        let (first_at, last_at) = (self.segments.get(first).at, self.segments.get(last).at);
        self.una = next;
        self.packets_out -= next - first;
        self.fack = self.fack.max(next);
        self.first_lost = self.first_lost.max(next);
        self.rates.delivered += next - first;
        self.advance_rack(last, last_at, false);
        self.sample_delivery(last, sample);
        self.segments.pop_plain(next);
        RoundTrip {
            first: self.now.saturating_sub(first_at),
            last: self.now.saturating_sub(last_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use pacesim_units::{Bytes, Rate, Span, Time};
    use proptest::prelude::*;

    use crate::Linux;
    use crate::config::{Config, Hystart, Pacing, Variant};
    use crate::event::EventMask;
    use crate::packet::{Ack, Block, SackBlocks, Segment};
    use crate::shared::Control;
    use crate::transfer::Amount;

    /// An event at both senders.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        /// The next packet on the path arrives; its ACK, if sent, covers all arrived packets.
        Arrival {
            acked: bool,
        },
        /// The packet is lost, or arrives after this many others.
        Loss,
        Lateness(usize),
        Mark,
        /// The application gives this many bytes.
        Data(u64),
        Silence(u64),
        Window(u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            60 => Just(Step::Arrival { acked: true }),
            12 => Just(Step::Arrival { acked: false }),
            1 => Just(Step::Loss),
            1 => (1..6usize).prop_map(Step::Lateness),
            1 => Just(Step::Mark),
            2 => (1..40_000u64).prop_map(Step::Data),
            1 => (1..400u64).prop_map(Step::Silence),
            1 => (4..200u32).prop_map(Step::Window),
        ]
    }

    prop_compose! {
        fn config()(
            sack in prop::bool::weighted(0.9),
            control in prop::sample::select([Control::HOUSE, Control::LINUX].concat()),
            pacing in prop::sample::select(vec![Pacing::Off, Pacing::Linux, Pacing::Fixed(Rate::from_mbps(2))]),
            hz in prop::sample::select(vec![None, Some(100), Some(250), Some(1000)]),
            hystart in prop::sample::select(vec![Hystart::Off, Hystart::Linux, Hystart::Linux68, Hystart::PlusPlus]),
            (syn, ecn, ecn_low, stamps, gso) in any::<(bool, bool, bool, bool, bool)>(),
        ) -> Config {
            let mut config = Config::linux(if sack { Variant::Sack } else { Variant::NewReno });
            config.control = control;
            config.pacing = pacing;
            config.syn = syn;
            config.linux.hz = hz;
            config.linux.hystart = hystart;
            config.linux.ecn = ecn;
            config.linux.ecn_low = ecn_low;
            config.linux.stamps = stamps;
            config.linux.gso = gso;
            config
        }
    }

    /// Two senders of one configuration on one path: the second fully processes every ACK.
    struct Pair {
        senders: [Linux; 2],
        now: Time,
        path: Vec<Segment>,
        arrived: BTreeSet<u32>,
        next: u32,
        marked: bool,
        plain: u32,
    }

    impl Pair {
        fn new(config: Config) -> Pair {
            let config = Arc::new(config);
            let mut senders = [0, 1].map(|_| Linux::new(&config, Span::from_us(700)));
            senders
                .iter_mut()
                .for_each(|linux| linux.want_events(EventMask::ALL));
            let mut pair = Pair {
                senders,
                now: Time::ZERO,
                path: Vec::new(),
                arrived: BTreeSet::new(),
                next: 0,
                marked: false,
                plain: 0,
            };
            pair.both(|linux, now| {
                linux
                    .on_data(now, Amount::Bytes(Bytes(100_001)))
                    .expect("data")
            });
            pair
        }

        /// Does the same with both, and compares their states and packets.
        fn both(&mut self, act: impl Fn(&mut Linux, Time)) {
            let now = self.now;
            let [first, second] = [0, 1].map(|place| {
                let linux = &mut self.senders[place];
                linux.conn.looks_at_all = place == 1;
                act(linux, now);
                linux.conn.looks_at_all = false;
                linux.conn.segments.forget_past();
                let sent: Vec<Segment> = std::iter::from_fn(|| linux.poll_transmit(now)).collect();
                (format!("{linux:?}"), sent)
            });
            assert_eq!(first.0, second.0);
            assert_eq!(first.1, second.1);
            for linux in &mut self.senders {
                while linux.poll_event().is_some() {}
            }
            self.path.extend(first.1);
        }

        /// Lets time pass; timers that are due expire.
        fn pass(&mut self, span: Span) {
            let end = self.now + span;
            while let Some(due) = self.senders[0].next_timeout().filter(|due| *due <= end) {
                self.now = due.max(self.now);
                self.both(Linux::on_timer);
            }
            self.now = end;
        }

        fn arrive(&mut self, acked: bool) {
            if self.path.is_empty() {
                return;
            }
            let segment = self.path.remove(0);
            self.arrived.insert(segment.seq);
            while self.arrived.remove(&self.next) {
                self.next += 1;
            }
            let next = self.next;
            self.arrived.retain(|seq| *seq >= next);
            if acked || !self.arrived.is_empty() {
                self.acknowledge(segment.stamp);
            }
        }

        fn acknowledge(&mut self, stamp: Time) {
            let mut blocks: Vec<Block> = Vec::new();
            for &seq in &self.arrived {
                match blocks.last_mut() {
                    Some(last) if last.end == seq => last.end += 1,
                    _ => blocks.push(Block {
                        start: seq,
                        end: seq + 1,
                    }),
                }
            }
            blocks.reverse();
            let ack = Ack {
                next: self.next,
                stamp,
                sacks: SackBlocks::new(&blocks),
                ece: std::mem::take(&mut self.marked),
                marked: None,
            };
            self.plain += u32::from(self.senders[0].conn.is_plain(&ack));
            self.both(|linux, now| linux.on_ack(now, &ack));
        }

        fn step(&mut self, step: Step) {
            match step {
                Step::Arrival { acked } => self.arrive(acked),
                Step::Loss if !self.path.is_empty() => {
                    self.path.remove(0);
                }
                Step::Lateness(others) if others < self.path.len() => {
                    self.path[..=others].rotate_left(1);
                }
                Step::Mark => self.marked = true,
                Step::Data(bytes) => self.both(|linux, now| {
                    linux
                        .on_data(now, Amount::Bytes(Bytes(bytes)))
                        .expect("data");
                }),
                Step::Silence(ms) => self.pass(Span::from_ms(ms)),
                Step::Window(packets) => self.both(|linux, _| linux.set_peer_window(packets)),
                Step::Loss | Step::Lateness(_) => {}
            }
            self.pass(Span::from_us(1_300));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn a_plain_ack_leaves_what_a_look_at_all_leaves(
            config in config(),
            steps in prop::collection::vec(step(), 1..600),
        ) {
            let mut pair = Pair::new(config);
            steps.into_iter().for_each(|step| pair.step(step));
        }
    }

    #[test]
    fn most_acks_are_plain() {
        let mut pair = Pair::new(Config::linux(Variant::Sack));
        pair.both(|linux, now| linux.on_data(now, Amount::Packets(500)).expect("data"));
        for _ in 0..400 {
            pair.step(Step::Arrival { acked: true });
        }
        assert_eq!(pair.plain, 399, "all but the ACK of the SYN");
        pair.step(Step::Loss);
        for _ in 0..100 {
            pair.step(Step::Arrival { acked: true });
        }
        assert!(pair.plain < 480, "{} with a repair", pair.plain);
    }
}
