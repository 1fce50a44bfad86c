//! A pacer: a minimum gap between packets.
use std::collections::VecDeque;

use pacesim_app::pacers::{Pacer, Pending, Refused, Release, Waiting};
use pacesim_app::units::{Span, Time};
use pacesim_app::{Parts, keys, laws, main_with};

keys! {
    /// A minimum gap between packets.
    pub struct Keys "own_pacer" {
        gap: Span, (= "1ms"), "The minimum time between two releases.", "500us";
    }
}

struct Spacer {
    gap: Span,
    free_at: Time,
    held: VecDeque<Pending>,
}
impl Pacer for Spacer {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.free_at = self.free_at.max(now);
        self.held.push_back(packet);
        Ok(())
    }
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        let packet = (self.free_at <= now).then(|| self.held.pop_front())??;
        self.free_at = now + self.gap;
        Some(packet)
    }
    fn next_release(&self) -> Release {
        let due = |_| Release::At(self.free_at);
        self.held.front().map_or(Release::Idle, due)
    }
    fn waiting(&self) -> Waiting {
        self.held.iter().map(|packet| packet.size).collect()
    }
}

fn new(keys: &Keys) -> Spacer {
    let (gap, free_at, held) = (keys.gap, Time::ZERO, VecDeque::new());
    Spacer { gap, free_at, held }
}

fn main() -> std::process::ExitCode {
    main_with(Parts::new().pacer(|keys, _port| new(keys)))
}
laws!(pacer, new);
