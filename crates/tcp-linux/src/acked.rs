//! Packets taken off by the cumulative acknowledgement.

use super::clock::{Micros, millis};
use super::connection::Connection;
use super::control::LinuxControl;
use super::rate::RateSample;
use super::sack::Blocks;
use super::segments::{Marks, Sent};
use super::{Linux, Seen};
use crate::packet::Ack;

/// Packets taken off, and sending times of the first and last of them that were never
/// retransmitted.
#[derive(Default)]
struct Taken {
    packets: u32,
    first_at: Option<Micros>,
    last_at: Option<Micros>,
    /// The lowest packet that was neither retransmitted nor SACKed.
    lowest: Option<u32>,
}

impl Linux {
    /// Takes off acknowledged packets, then updates round trips and the control.
    pub(super) fn take_acknowledged(
        &mut self,
        prior_fack: u32,
        prior_una: u32,
        blocks: Option<&Blocks>,
        seen: &mut Seen,
        sample: &mut RateSample,
    ) {
        let conn = &mut self.conn;
        let taken = conn.pop_acknowledged(prior_una, seen, sample);
        let payload = conn.payload;
        let small = self.transfers.payload(prior_una, payload) < payload;
        sample.is_delayed = small && conn.may_have_waited(&taken, seen, sample);
        let head = conn.segments.head().copied();
        seen.reneged = conn.packets_out > 0 && head.is_some_and(|sent| sent.is(Marks::SACKED));
        let times = conn.round_trips(&taken, blocks, seen);
        let measured = conn.note_round_trips(&times, seen, sample);
        if seen.acked() {
            seen.sets_timer = true;
            conn.after_progress(&taken, prior_fack, seen);
        } else if measured
            && let (Some(sack), Some(head)) = (times.sack, head)
            && conn.packets_out > 0
            && sack > conn.now.saturating_sub(head.at)
        {
            // A round trip of data sent after the head, if any sets the timer: it must not prolong
            // the head's time-out for ever.
            seen.sets_timer = true;
        }
        self.control
            .on_packets_acked(conn, taken.packets, sample.rtt);
        if let Some(rtt) = sample.rtt {
            self.note_rtt(rtt);
        }
    }
}

/// Round trips measured by an ACK.
struct RoundTrips {
    /// Round trip of the first cumulatively acknowledged packet, for the time-out.
    sequence: Option<Micros>,
    /// Round trip of the first SACKed packet.
    sack: Option<Micros>,
    /// Round trip of the last packet, for the control.
    control: Option<Micros>,
}

impl Connection {
    fn pop_acknowledged(
        &mut self,
        prior_una: u32,
        seen: &mut Seen,
        sample: &mut RateSample,
    ) -> Taken {
        let mut taken = Taken::default();
        for seq in prior_una..self.una {
            let sent = *self.segments.get(seq);
            if sent.is_plain() {
                self.take_plain(seq, sent.at, &mut taken, seen);
            } else {
                self.take_marked(seq, &sent, &mut taken, seen);
            }
            self.sample_delivery(seq, sample);
            self.segments.pop();
        }
        taken.packets = self.una - prior_una;
        self.packets_out -= taken.packets;
        if taken.packets > 0 && self.opening {
            seen.opened = true;
            self.undo.first_resent = None;
        } else if taken.packets > 0 {
            seen.data_acked = true;
        }
        self.fack = self.fack.max(self.una);
        self.first_lost = self.first_lost.max(self.una);
        taken
    }

    /// Takes off a packet sent once, at `at`, that was neither SACKed nor marked lost.
    #[inline]
    fn take_plain(&mut self, seq: u32, at: Micros, taken: &mut Taken, seen: &mut Seen) {
        taken.first_at.get_or_insert(at);
        taken.last_at = Some(at);
        taken.lowest.get_or_insert(seq);
        seen.original |= seq < self.high_seq;
        if self.sack {
            self.count_delivered(1, seen.marked);
            self.advance_rack(seq, at, false);
        }
    }

    /// Takes off a packet that was retransmitted, SACKed or marked lost.
    #[inline(never)]
    fn take_marked(&mut self, seq: u32, sent: &Sent, taken: &mut Taken, seen: &mut Seen) {
        if sent.is(Marks::LOST) {
            self.lost_out -= 1;
        }
        if sent.is(Marks::RESENT) {
            self.resent_out -= 1;
        }
        seen.resent_acked |= sent.was_resent();
        if sent.is(Marks::SACKED) {
            self.sacked_out -= 1;
        } else if !sent.was_resent() {
            self.take_plain(seq, sent.at, taken, seen);
        } else if self.sack {
            self.count_delivered(1, seen.marked);
            if !self.echoes_before(millis(sent.at)) {
                self.advance_rack(seq, sent.at, true);
            }
        }
    }

    #[inline]
    pub(super) fn count_delivered(&mut self, packets: u32, marked: bool) {
        self.rates.delivered += packets;
        if marked && self.ecn.counted.is_none() {
            self.rates.delivered_ce += packets;
        }
    }

    /// True if an ACK reports a mark, and the number of new marks if the receiver counts them.
    pub(super) fn take_marks(&mut self, ack: &Ack) -> (bool, u32) {
        let reports = self.ecn.hears(ack);
        let counted = self.ecn.take_count(ack);
        self.rates.delivered_ce += counted;
        (reports, counted)
    }

    /// True if a lone small packet was acknowledged after a whole round trip: the ACK may have been
    /// delayed.
    fn may_have_waited(&self, taken: &Taken, seen: &Seen, sample: &RateSample) -> bool {
        let calm = !(seen.opened || seen.sacked || seen.marked || seen.duplicate);
        let alone = taken.packets == 1 && self.sacked_out == 0;
        calm && alone && sample.prior_delivered + 1 == self.rates.delivered
    }

    fn round_trips(&self, taken: &Taken, blocks: Option<&Blocks>, seen: &Seen) -> RoundTrips {
        let since = |at: Micros| self.now.saturating_sub(at);
        let clean = !seen.resent_acked;
        let sacked = blocks.and_then(|blocks| blocks.first_at.zip(blocks.last_at));
        RoundTrips {
            sequence: taken.first_at.filter(|_| clean).map(since),
            sack: sacked.map(|(first, _)| since(first)),
            control: sacked
                .map(|(_, last)| since(last))
                .or(taken.last_at.filter(|_| clean).map(since)),
        }
    }

    /// Feeds the estimators. Returns false without a round trip.
    fn note_round_trips(
        &mut self,
        times: &RoundTrips,
        seen: &Seen,
        sample: &mut RateSample,
    ) -> bool {
        let (mut sequence, mut control) = (times.sequence.or(times.sack), times.control);
        if sequence.is_none()
            && seen.acked()
            && let Some(echo) = self.echo()
        {
            let ms = millis(self.now).saturating_sub(echo).max(1);
            sequence = Some(ms * 1000);
            control = sequence;
        }
        sample.rtt = control;
        let Some(rtt) = sequence else {
            return false;
        };
        self.note_times(rtt, control, sample.is_delayed);
        true
    }

    /// The time-out follows round trip `rtt`, and the least one `control`, if that is no longer because its ACK waited.
    // Always inlined, like the plain ACK's steps.
    #[inline(always)]
    pub(super) fn note_times(&mut self, rtt: Micros, control: Option<Micros>, is_delayed: bool) {
        if let Some(control) = control
            && !(is_delayed && control > self.rtt.least())
        {
            self.rtt
                .note_least(control, self.tick, self.ticks.per_second());
        }
        self.rtt.sample(rtt, self.una, self.next);
        self.set_rto();
        self.timer.backoff = 0;
    }

    fn after_progress(&mut self, taken: &Taken, prior_fack: u32, seen: &mut Seen) {
        if !self.sack {
            self.drop_duplicates(taken.packets, seen.marked);
            if seen.resent_acked {
                seen.original = false;
            }
            return;
        }
        if let Some(lowest) = taken.lowest
            && lowest < prior_fack
        {
            self.note_reordering(lowest);
        }
    }
}
