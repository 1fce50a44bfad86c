//! One flow over a bottleneck of a packet a millisecond, one ACK at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp::{
    Ack, AckRule, Amount, Arrival, Config, Control, Receiver, Segment, Sender, Variant,
};
use pacesim_units::{Span, Time};

/// This window and the bottleneck give a round trip of 64 ms.
const WINDOW: u32 = 64;
/// Packets that the path holds if only the window limits them.
const ROOM: usize = 100;
const TRANSMISSION: Span = Span::from_ms(1);
const DELAY: Span = Span::from_ms(50);

/// The senders that can be measured: variants of ns-2's profile, then others, each with its
/// profile.
pub const SENDERS: [&str; 13] = [
    "tahoe",
    "reno",
    "newreno",
    "sack",
    "fack",
    "rfc_sack",
    "rfc_cubic",
    "linux_reno",
    "linux_cubic",
    "linux_dctcp",
    "linux_prague",
    "linux_bbr",
    "linux_bbr3",
];

/// The sender of this name, if any; no ACK is delayed.
pub fn sender(name: &str) -> Option<Config> {
    let with = |mut config: Config, control| {
        config.control = control;
        config.delayed_ack = None;
        config.linux.acks = AckRule::EveryPacket;
        config
    };
    let rfc = |control| with(Config::rfc(Variant::Sack), control);
    let linux = |control| with(Config::linux(Variant::Sack), control);
    let ns2 = |variant: &Variant| format!("{variant:?}").eq_ignore_ascii_case(name);
    Some(match name {
        "rfc_sack" => rfc(Control::Reno),
        "rfc_cubic" => rfc(Control::Cubic),
        "linux_reno" => linux(Control::Reno),
        "linux_cubic" => linux(Control::Cubic),
        "linux_dctcp" => linux(Control::Dctcp),
        "linux_prague" => linux(Control::Prague),
        "linux_bbr" => linux(Control::Bbr),
        "linux_bbr3" => linux(Control::Bbr3),
        _ => Config::ns2(Variant::ALL.into_iter().find(ns2)?),
    })
}

/// The path, and the limit of the window.
#[derive(Clone, Copy, Debug)]
pub enum Path {
    /// The receiver's window limits; each packet is lost with this probability, in thousandths.
    Loss(u32),
    /// The window fills a buffer, which drops packets when full.
    Buffer,
}

pub struct Rounds {
    pub sender: Sender,
    pub receiver: Receiver,
    /// Packets in flight, with their times of arrival.
    flying: VecDeque<(Time, Segment)>,
    last_arrival: Time,
    now: Time,
    loss: Loss,
    room: usize,
}

impl Rounds {
    pub fn new(mut config: Config, amount: Amount, path: Path) -> Rounds {
        let (loss, room) = match path {
            Path::Loss(per_mille) => (per_mille, usize::MAX),
            Path::Buffer => (0, ROOM),
        };
        config.window_cap = match path {
            Path::Loss(_) => f64::from(WINDOW),
            Path::Buffer => 1000.0,
        };
        Rounds {
            room,
            ..Rounds::of(&Arc::new(config), amount, loss)
        }
    }

    pub fn of(config: &Arc<Config>, amount: Amount, loss_per_mille: u32) -> Rounds {
        let mut rounds = Rounds {
            sender: Sender::new(config, Span::ZERO),
            receiver: Receiver::new(config),
            flying: VecDeque::with_capacity(2 * WINDOW as usize),
            last_arrival: Time::ZERO,
            now: Time::ZERO,
            loss: Loss::new(loss_per_mille),
            room: usize::MAX,
        };
        rounds
            .sender
            .on_data(Time::ZERO, amount)
            .expect("the first data");
        rounds.send();
        rounds
    }

    /// The next packet arrives, and its ACK at once, from Linux's receiver or another; timers due
    /// before that expire first.
    #[inline]
    pub fn ack<const LINUX: bool>(&mut self) {
        while let Some(due) = self.due() {
            self.now = due;
            self.sender.on_timer(due);
            self.send();
        }
        let (now, segment) = self.flying.pop_front().expect("else a timer was due");
        self.now = now;
        let ack = self.answer::<LINUX>(&segment).expect("no ACK is delayed");
        self.sender.on_ack(now, &ack);
        self.send();
    }

    #[inline]
    fn answer<const LINUX: bool>(&mut self, segment: &Segment) -> Option<Ack> {
        if !LINUX {
            return self.receiver.on_data(self.now, segment.seq, segment.stamp);
        }
        let mut arrival = Arrival::new(segment.seq, segment.stamp, segment.payload);
        arrival.push = segment.push;
        self.receiver.on_segment(self.now, &arrival)
    }

    /// The expiry of the sender's timer, if it comes before the next arrival.
    #[inline]
    fn due(&self) -> Option<Time> {
        let due = self.sender.next_timeout()?;
        let arrival = self.flying.front().map_or(Time::NEVER, |(at, _)| *at);
        (due < arrival).then_some(due)
    }

    #[inline]
    fn send(&mut self) {
        while let Some(segment) = self.sender.poll_transmit(self.now) {
            if self.flying.len() < self.room && !self.loss.strikes() {
                let arrival = (self.now + DELAY).max(self.last_arrival + TRANSMISSION);
                self.last_arrival = arrival;
                self.flying.push_back((arrival, segment));
            }
        }
    }
}

/// Independent losses, the same in each run (Marsaglia's xorshift).
struct Loss {
    state: u32,
    below: u32,
}

impl Loss {
    fn new(per_mille: u32) -> Loss {
        Loss {
            state: 0x9e37_79b9,
            below: u32::MAX / 1000 * per_mille,
        }
    }

    #[inline]
    fn strikes(&mut self) -> bool {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        self.state < self.below
    }
}
