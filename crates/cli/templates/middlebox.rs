//! A middlebox behind a wire: ACKs are lost at random.
use std::collections::VecDeque;

use pacesim_app::field::Probability;
use pacesim_app::middlebox::{Kind, Middlebox, Packet, Payload, Site, Step};
use pacesim_app::random::{Stream, unit_below_one};
use pacesim_app::units::Time;
use pacesim_app::{Parts, keys, laws, main_with};

keys! {
    /// ACKs are lost at random.
    pub struct Keys "own_middlebox" {
        lost: f64 as Probability, (= "0.3"), "The probability that an ACK is lost.", "0.5";
    }
}

struct Thief {
    lost: f64,
    dice: Stream,
    ready: VecDeque<Step>,
}
impl Middlebox for Thief {
    type Payload = Payload;
    fn arrive(&mut self, _: Time, place: u32, packet: &Packet, _: &mut u32) {
        let is_ack = packet.kind() == Kind::Ack;
        let step = if is_ack && unit_below_one(&mut self.dice) < self.lost {
            Step::Absorb(place)
        } else {
            Step::Pass(place)
        };
        self.ready.push_back(step);
    }
    fn step(&mut self, _: Time) -> Step {
        self.ready.pop_front().unwrap_or(Step::Wait)
    }
}

fn new(keys: &Keys, site: Site) -> Thief {
    let (lost, dice, ready) = (keys.lost, site.stream, VecDeque::new());
    Thief { lost, dice, ready }
}

fn main() -> std::process::ExitCode {
    main_with(Parts::new().middlebox(new))
}
laws!(middlebox, new);
