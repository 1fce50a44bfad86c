//! Byte numbers of the packets of TCP flows, the SACK blocks of their receivers, and the timestamps
//! of both.
//!
//! A recording numbers packets. Byte numbers follow from the sizes of the packets before, which are
//! equal except for the last of a transfer; so a list of the numbers at which the size changes is
//! enough.

use std::collections::VecDeque;

use super::headers::Sacks;

/// Byte numbers of one flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes {
    /// For each packet number of the list: the byte number, and the payload of each packet from
    /// there on.
    runs: Vec<(u64, u64, u32)>,
    /// The number after the greatest seen.
    next: u64,
}

impl Bytes {
    /// Notes the payload of a packet.
    pub(super) fn note(&mut self, seq: u64, payload: u32) {
        if seq < self.next {
            return;
        }
        self.next = seq + 1;
        if self.runs.last().is_none_or(|(_, _, size)| *size != payload) {
            let at = if self.runs.is_empty() {
                seq * u64::from(payload)
            } else {
                self.at(seq)
            };
            self.runs.push((seq, at, payload));
        }
    }

    /// The byte number of a packet's first byte, from 0.
    pub(super) fn at(&self, seq: u64) -> u64 {
        let place = self.runs.partition_point(|(from, _, _)| *from <= seq);
        match place.checked_sub(1).map(|place| self.runs[place]) {
            Some((from, at, size)) => at + (seq - from) * u64::from(size),
            None => self
                .runs
                .first()
                .map_or(0, |(_, _, size)| seq * u64::from(*size)),
        }
    }
}

/// The packets at one flow's sink that lie beyond a gap.
#[derive(Clone, Debug, Default)]
pub(super) struct Sink {
    /// The next number expected.
    next: u64,
    /// Runs of packets beyond it, in order and apart: from, to (exclusive), and the arrival that
    /// touched it last.
    early: Vec<(u64, u64, u64)>,
    arrivals: u64,
}

impl Sink {
    /// Adds a packet of data.
    pub(super) fn take(&mut self, seq: u64) {
        self.arrivals += 1;
        if seq < self.next {
            return;
        }
        let mut run = (seq, seq + 1, self.arrivals);
        let is_near = |of: &(u64, u64, u64)| of.0 <= seq + 1 && seq <= of.1;
        self.early.retain(|of| {
            if is_near(of) {
                run = (run.0.min(of.0), run.1.max(of.1), run.2);
            }
            !is_near(of)
        });
        if run.0 <= self.next {
            self.next = run.1;
        } else {
            let place = self.early.partition_point(|of| of.0 < run.0);
            self.early.insert(place, run);
        }
    }

    /// The blocks of an acknowledgement of all packets before `next`, in bytes.
    pub(super) fn sacks(&self, next: u64, bytes: impl Fn(u64) -> u32) -> Sacks {
        let mut latest = [(0, 0, 0); 3];
        let mut sacks = Sacks::default();
        for run in self.early.iter().filter(|run| run.0 > next) {
            let place = latest.partition_point(|of| of.2 > run.2);
            if place < latest.len() {
                latest[place..].rotate_right(1);
                latest[place] = *run;
                sacks.count = latest.len().min(sacks.count + 1);
            }
        }
        for (block, run) in sacks.blocks.iter_mut().zip(&latest[..sacks.count]) {
            *block = (bytes(run.0), bytes(run.1));
        }
        sacks
    }
}

/// Timestamps of both ends of a flow (RFC 7323), in milliseconds of the run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clocks {
    /// TS.Recent of the source and of the sink.
    recent: [u32; 2],
    /// The number that the sink asked for last.
    asked: u64,
}

impl Clocks {
    /// The timestamps of a packet of data that is sent now.
    pub(super) fn of_data(&self, t_ps: u64) -> [u32; 2] {
        [milliseconds(t_ps), self.recent[0]]
    }

    /// The timestamps of an acknowledgement that is sent now.
    pub(super) fn of_ack(&mut self, t_ps: u64, next: u64) -> [u32; 2] {
        self.asked = next;
        [milliseconds(t_ps), self.recent[1]]
    }

    /// The sink receives data: those beyond a gap are not echoed (RFC 7323, section 4.3).
    pub(super) fn take_data(&mut self, seq: u64, [value, _]: [u32; 2]) {
        if seq <= self.asked {
            self.recent[1] = self.recent[1].max(value);
        }
    }

    /// The source receives an acknowledgement.
    pub(super) fn take_ack(&mut self, [value, _]: [u32; 2]) {
        self.recent[0] = self.recent[0].max(value);
    }
}

fn milliseconds(t_ps: u64) -> u32 {
    (t_ps / 1_000_000_000) as u32
}

/// Packets of a flow in flight, in one direction, with the fields that they left their end with.
#[derive(Clone, Debug, Default)]
pub(super) struct Told<T> {
    /// Their numbers, none for a lost one, in order of sending.
    sent: VecDeque<(Option<u64>, T)>,
    /// Packets sent before the first of these.
    before: u64,
    /// For each link, the packets sent before the next one there.
    passed: Vec<(u32, u64)>,
}

impl<T: Copy> Told<T> {
    /// The limit on these: more are hardly in flight at once.
    const MOST: usize = 4096;

    pub(super) fn note(&mut self, number: u64, fields: T) {
        if self.sent.len() == Told::<T>::MOST {
            self.sent.pop_front();
            self.before += 1;
        }
        self.sent.push_back((Some(number), fields));
    }

    /// The fields of the next packet of this number at a link, if its sending is known.
    pub(super) fn of(&mut self, link: u32, number: u64) -> Option<T> {
        let place = self.find(link, number)?;
        self.pass(link, place);
        Some(self.sent[place].1)
    }

    /// The fields of the next packet of this number at the other end, where it leaves; those long
    /// before it have left or are lost.
    pub(super) fn end(&mut self, number: u64) -> Option<T> {
        const END: u32 = u32::MAX;
        const REORDERED: usize = 64;
        let place = self.find(END, number)?;
        self.pass(END, place);
        let fields = self.sent[place].1;
        let gone = place.saturating_sub(REORDERED);
        self.sent.drain(..gone);
        self.before += gone as u64;
        Some(fields)
    }

    /// Marks the packet of this number lost at this link: the next one there, or the last if the
    /// link has had it.
    pub(super) fn forget(&mut self, link: u32, number: u64, has_passed: bool) {
        let place = if has_passed {
            self.last(link)
        } else {
            self.find(link, number)
        };
        if let Some(place) = place {
            self.sent[place].0 = None;
        }
    }

    /// The packet that a link had last.
    fn last(&self, link: u32) -> Option<usize> {
        let (_, passed) = self.passed.iter().find(|(of, _)| *of == link)?;
        Some(passed.checked_sub(self.before + 1)? as usize)
    }

    /// The next packet of this number at a link.
    fn find(&self, link: u32, number: u64) -> Option<usize> {
        let passed = self.passed.iter().find(|(of, _)| *of == link);
        let passed = passed.map_or(0, |(_, passed)| *passed);
        let from = passed.saturating_sub(self.before) as usize;
        let mut later = self.sent.iter().enumerate().skip(from);
        let (place, _) = later.find(|(_, (of, _))| *of == Some(number))?;
        Some(place)
    }

    /// Notes that a link has had the packets up to this one.
    fn pass(&mut self, link: u32, place: usize) {
        let passed = self.before + place as u64 + 1;
        match self.passed.iter_mut().find(|(of, _)| *of == link) {
            Some((_, known)) => *known = passed,
            None => self.passed.push((link, passed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acknowledgement_keeps_the_blocks_that_it_left_with() {
        let mut told = Told::default();
        let sacks = |count| Sacks {
            count,
            ..Sacks::default()
        };
        (0..4).for_each(|count| told.note(7, sacks(count)));
        assert_eq!(told.of(1, 7), Some(sacks(0)));
        told.forget(1, 7, false);
        assert_eq!(told.of(1, 7), Some(sacks(2)));
        told.forget(1, 7, true);
        let mut behind = || told.of(2, 7).map(|of| of.count);
        let behind = [behind(), behind(), behind()];
        let expected = [Some(0), Some(3), None];
        assert_eq!(behind, expected, "the second and the third were lost");
    }

    #[test]
    fn a_loss_at_a_port_does_not_hide_the_packets_before_it_on_the_wire() {
        let mut told = Told::default();
        (0..3).for_each(|number| told.note(number, number));
        told.forget(1, 2, false);
        assert_eq!(
            [0, 1, 2].map(|number| told.of(1, number)),
            [Some(0), Some(1), None]
        );
    }

    #[test]
    fn packets_that_have_arrived_are_forgotten() {
        let mut told = Told::default();
        for number in 0..1000 {
            told.note(number, number);
            assert_eq!(told.of(1, number), Some(number));
            assert_eq!(told.end(number), Some(number));
        }
        assert!(told.sent.len() <= 65, "{} are kept", told.sent.len());
        assert_eq!(told.of(2, 990), Some(990));
    }

    #[test]
    fn the_sink_echoes_data_up_to_the_number_that_it_asked_for() {
        const MS: u64 = 1_000_000_000;
        let mut clocks = Clocks::default();
        clocks.take_data(0, [5, 0]);
        assert_eq!(clocks.of_ack(7 * MS, 1), [7, 5]);
        clocks.take_data(2, [9, 0]);
        assert_eq!(clocks.of_ack(11 * MS, 1), [11, 5], "1 is missing");
        clocks.take_data(1, [12, 0]);
        assert_eq!(clocks.of_ack(13 * MS, 3), [13, 12]);
        clocks.take_ack([7, 5]);
        assert_eq!(clocks.of_data(14 * MS), [14, 7]);
    }

    #[test]
    fn a_short_packet_shifts_only_those_behind_it() {
        let mut bytes = Bytes::default();
        [(0, 960), (1, 960), (2, 100), (3, 960), (4, 960)]
            .iter()
            .for_each(|(seq, size)| bytes.note(*seq, *size));
        let at: Vec<u64> = (0..6).map(|seq| bytes.at(seq)).collect();
        assert_eq!(at, [0, 960, 1920, 2020, 2980, 3940]);
    }

    #[test]
    fn a_recording_that_begins_late_counts_the_packets_before() {
        let mut bytes = Bytes::default();
        bytes.note(100, 1000);
        assert_eq!((bytes.at(99), bytes.at(100)), (99_000, 100_000));
    }

    #[test]
    fn the_block_of_the_latest_arrival_comes_first() {
        let mut sink = Sink::default();
        [0, 2, 3, 7, 5].iter().for_each(|seq| sink.take(*seq));
        let sacks = sink.sacks(1, |seq| seq as u32 * 10);
        assert_eq!(sacks.blocks[..sacks.count], [(50, 60), (70, 80), (20, 40)]);
        [1, 4, 6].iter().for_each(|seq| sink.take(*seq));
        assert_eq!(sink.sacks(8, |seq| seq as u32).count, 0);
    }
}
