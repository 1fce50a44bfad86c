//! TCP's two ends behind the trait of all ends. Worlds hold them directly, at no such cost.

use std::sync::Arc;

use pacesim_transport::{
    AckOptions, Command, Content, DataError, Datagram, Delivered, End, EndEvent, Gauges, Header,
    Transfer,
};
use pacesim_units::flags::Flags;
use pacesim_units::port::Ecn;
use pacesim_units::{Span, Time};

use crate::config::{Config, Profile};
use crate::event::SenderEvent;
use crate::packet::Ack;
use crate::receiver::{Arrival, Receiver};
use crate::sender::Sender;
use crate::totals::{Counters, Standing};

impl End for Sender {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        // On the wire an acknowledgement carries the last packet in order, as in ns-2.
        let mut ack = Ack::plain(packet.seq.wrapping_add(1), packet.stamp);
        ack.ece = packet.flags.is_ece();
        if let Some(options) = content.options() {
            (ack.sacks, ack.marked) = (options.sacks, options.marked);
            if let Some(window) = options.window {
                self.on_window(ack.next, window);
            }
        }
        self.on_ack(now, &ack);
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let segment = self.poll_transmit(now)?;
        let mut datagram = Datagram::new(now, segment.seq, segment.size.get() as u32);
        datagram.stamp = segment.stamp;
        datagram.flags = Flags::default()
            .again(segment.retransmission)
            .with_ecn(segment.ecn)
            .with_cwr(segment.cwr)
            .pushing(segment.push);
        Some(datagram)
    }

    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        match command {
            Command::Send(amount) => self.on_data(now, amount)?,
            Command::Stop => self.end_data(),
            Command::Close => _ = self.on_close(now)?,
            Command::Stand => self.stop_growing(),
            _ => {}
        }
        Ok(())
    }

    fn wake(&mut self, now: Time) {
        self.on_wake(now);
    }

    fn next_wake(&mut self) -> Option<Time> {
        self.next_timeout()
    }

    fn wake_decided(&self) -> Option<Time> {
        Some(self.timeout_armed())
    }

    fn event(&mut self) -> Option<EndEvent> {
        loop {
            match self.poll_event()? {
                SenderEvent::Rtt { sample, .. } => return Some(EndEvent::RoundTrip(sample)),
                SenderEvent::TransferComplete {
                    index,
                    bytes,
                    started,
                    ..
                } => {
                    return Some(EndEvent::TransferDone(Transfer {
                        index,
                        bytes,
                        started,
                    }));
                }
                _ => {}
            }
        }
    }

    fn standing(&self) -> Standing {
        self.settled().standing
    }

    fn counters(&self) -> Counters {
        *Sender::counters(self)
    }

    fn gauges(&self) -> Gauges {
        Gauges {
            window_pkts: Some(self.cwnd()),
            in_flight_pkts: self.outstanding().into(),
            srtt: Some(self.srtt()).filter(|srtt| *srtt > Span::ZERO),
            pacing_rate: None,
        }
    }

    fn pending(&self) -> Vec<Transfer> {
        let transfers = self.pending_transfers();
        let transfer = |(index, bytes, started)| Transfer {
            index,
            bytes,
            started,
        };
        transfers.map(transfer).collect()
    }
}

/// TCP's receiver as an end: it keeps the acknowledgement that is to be sent, and counts payload.
#[derive(Debug)]
pub struct ReceiverEnd {
    receiver: Receiver,
    config: Arc<Config>,
    answer: Option<Ack>,
    bytes: u64,
}

impl ReceiverEnd {
    /// A receiver opened at this time; see [`Receiver::opened`].
    pub fn opened(config: &Arc<Config>, at: Time, phase: Span) -> ReceiverEnd {
        ReceiverEnd {
            receiver: Receiver::opened(config, at, phase),
            config: config.clone(),
            answer: None,
            bytes: 0,
        }
    }

    fn take(&mut self, now: Time, packet: &Header, payload: u32) -> Option<Ack> {
        if self.config.profile != Profile::Linux {
            return self.receiver.on_data(now, packet.seq, packet.stamp);
        }
        let mut arrival = Arrival::new(packet.seq, packet.stamp, payload);
        arrival.again = packet.flags.is_again();
        arrival.ect = packet.flags.ecn() != Ecn::NotEct;
        arrival.marked = packet.flags.ecn() == Ecn::Ce;
        arrival.cwr = packet.flags.is_cwr();
        arrival.push = packet.flags.is_pushing();
        self.receiver.on_segment(now, &arrival)
    }
}

impl End for ReceiverEnd {
    fn receive(&mut self, now: Time, packet: &Header, _content: Content) {
        let is_syn = self.config.syn && packet.seq == 0;
        let header = match is_syn {
            true => self.config.syn_size,
            false => self.config.header,
        };
        let payload = packet.size.saturating_sub(header.get() as u32);
        // A numbered packet without payload that is not the SYN is the FIN.
        if payload == 0 && !is_syn {
            self.receiver.expect_end(packet.seq);
        }
        let duplicates = self.receiver.duplicates();
        let answer = self.take(now, packet, payload);
        if !is_syn && self.receiver.duplicates() == duplicates {
            self.bytes += u64::from(payload);
        }
        self.answer = answer;
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let ack = self.answer.take()?;
        let size = self.config.ack_wire_size(ack.sacks.len()).get() as u32;
        let mut datagram = Datagram::new(now, ack.next.wrapping_sub(1), size);
        datagram.stamp = ack.stamp;
        datagram.flags = Flags::default().with_ece(ack.ece);
        let options = AckOptions {
            sacks: ack.sacks,
            marked: ack.marked,
            window: self.receiver.advertised(&self.config),
        };
        if !options.is_empty() {
            datagram.content = Content::Ack(options);
        }
        Some(datagram)
    }

    fn wake(&mut self, now: Time) {
        self.answer = self.receiver.on_timer(now);
    }

    fn next_wake(&mut self) -> Option<Time> {
        self.receiver.next_timeout()
    }

    fn wake_decided(&self) -> Option<Time> {
        Some(self.receiver.timeout_armed())
    }

    fn delivered(&self) -> Delivered {
        Delivered {
            bytes: self.bytes,
            packets: self.receiver.delivered(),
            is_all: self.receiver.has_all(),
        }
    }
}
