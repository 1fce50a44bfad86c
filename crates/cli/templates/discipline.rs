//! A queue discipline: first come, first served, with a limit on waiting times.
use std::collections::VecDeque;

use pacesim_app::queues::{Line, Pending, Queue, Reason, Turn, Waiting};
use pacesim_app::units::{Capacity, Span, Time};
use pacesim_app::{Parts, keys, laws, main_with};

keys! {
    /// First come, first served; packets that waited too long are dropped at their turn.
    pub struct Keys "own_discipline" {
        patience: Span, (= "10ms"), "The maximum waiting time of a packet.", "5ms";
    }
}

struct Impatient {
    limit: Span,
    room: Capacity,
    held: VecDeque<(Time, Pending)>,
}
impl Queue for Impatient {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        if self.room == Capacity::Packets(self.held.len() as u64) {
            return Err(Reason::Full);
        }
        self.held.push_back((now, packet));
        Ok(())
    }
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        let next = (line == Line::Free).then(|| self.held.pop_front());
        match next.flatten() {
            None => Turn::Hold,
            Some((t, p)) if now - t > self.limit => Turn::Drop(p.key, Reason::Early),
            Some((_, packet)) => Turn::go(packet.key),
        }
    }
    fn waiting(&self) -> Waiting {
        self.held.iter().map(|(_, packet)| packet.size).collect()
    }
}

fn new(keys: &Keys, room: Capacity) -> Impatient {
    let (limit, held) = (keys.patience, VecDeque::new());
    Impatient { limit, room, held }
}

fn main() -> std::process::ExitCode {
    main_with(Parts::new().discipline(|keys, port| new(keys, port.buffer.capacity)))
}
laws!(discipline, new);
