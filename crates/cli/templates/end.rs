//! A transport: datagrams at a rate that follows the receiver's reports. As with a rateless code,
//! any packet replaces a lost one, so none is sent twice.
use pacesim_app::end::*;
use pacesim_app::{Parts, field::Probability, keys, laws, main_with, units::*};

keys! {
    /// Datagrams at a rate that follows reports.
    pub struct Keys "own_end" {
        first: Rate, (= "1Mbps"), "The rate before the first report.", "5Mbps";
        gain: Rate, (= "100kbps"), "The increase of the rate by a report without losses.", "1Mbps";
        keep: f64 as Probability, (= "0.85"), "The share of the rate that is left after losses.", "0.5";
        report: Span, (= "20ms"), "The least time between reports.", "10ms";
    }
}
#[derive(Default)]
struct Sender {
    gain: f64,
    keep: f64,
    size: u32,
    header: u32,
    bps: f64,
    due: Time,
    sent: u32,
    arrived: u64,
    lost: u64,
    backlog: Backlog,
    events: std::collections::VecDeque<EndEvent>,
}
impl End for Sender {
    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        let payload = Bytes(u64::from(self.size - self.header));
        self.backlog.command(now, command, payload, self.arrived)
    }
    fn receive(&mut self, now: Time, report: &Header, content: Content) {
        let (Some(arrived), Some(lost)) = (content.word(0), content.word(1)) else {
            return;
        };
        let (less, more) = ((self.bps * self.keep).max(1e5), self.bps + self.gain);
        self.bps = if lost > self.lost { less } else { more };
        (self.arrived, self.lost) = (self.arrived.max(arrived), self.lost.max(lost));
        self.events
            .push_back(EndEvent::RoundTrip(now.saturating_since(report.stamp)));
        self.events.extend(self.backlog.done(self.arrived));
    }
    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        self.next_wake().filter(|due| *due <= now)?;
        self.due = now + Span::from_ps_f64(f64::from(self.size) * 8e12 / self.bps)?;
        self.sent += 1;
        let datagram = Datagram::new(now, self.sent, self.size);
        Some(datagram.with(Content::words(&[self.backlog.end()])))
    }
    fn next_wake(&mut self) -> Option<Time> {
        (self.arrived < self.backlog.end()).then_some(self.due)
    }
    fn event(&mut self) -> Option<EndEvent> {
        self.events.pop_front()
    }
    fn standing(&self) -> Standing {
        Standing::paced(self.arrived < self.backlog.end())
    }
    fn pending(&self) -> Vec<Transfer> {
        self.backlog.pending()
    }
    fn numbers(&self) -> Vec<Option<f64>> {
        vec![Some(self.bps)]
    }
}

#[derive(Default)]
struct Receiver {
    header: u32,
    every: Span,
    next: Time,
    got: Delivered,
    arrivals: Arrivals,
    answer: Option<Header>,
}
impl End for Receiver {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        let Some(end) = content.word(0).filter(|_| self.arrivals.add(packet.seq)) else {
            return;
        };
        let payload = u64::from(packet.size.saturating_sub(self.header));
        self.got.bytes = self.got.bytes.max(end.min(self.got.bytes + payload));
        if now >= self.next {
            (self.next, self.answer) = (now + self.every, Some(*packet));
        }
    }
    fn transmit(&mut self, _now: Time) -> Option<Datagram> {
        let packet = self.answer.take()?;
        let report = Datagram::new(packet.stamp, packet.seq, self.header + 16);
        Some(report.with(Content::words(&[self.got.bytes, self.arrivals.missing()])))
    }
    fn delivered(&self) -> Delivered {
        self.got
    }
}

fn new(keys: &Keys, opening: Opening) -> Made {
    Ok(match opening.is_source {
        _ if opening.packet_size < opening.header + 16 => return Err("no report fits".to_owned()),
        true => Box::new(Sender {
            gain: keys.gain.as_bps() as f64,
            keep: keys.keep,
            size: opening.packet_size,
            header: opening.header,
            bps: keys.first.as_bps() as f64,
            ..Sender::default()
        }),
        false => Box::new(Receiver {
            header: opening.header,
            every: keys.report,
            ..Receiver::default()
        }),
    })
}
fn main() -> std::process::ExitCode {
    main_with(Parts::new().transport(&["rate_bps"], new))
}
laws!(end, new);
