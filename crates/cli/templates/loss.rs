//! A loss model: all packets are lost during fades.
use pacesim_app::loss::{LossModel, Packet};
use pacesim_app::units::{Span, Time};
use pacesim_app::{PartKeys, Parts, Wrong, laws, main_with, table};

table! {
    /// All packets are lost during fades.
    pub struct Keys "own_loss" {
        every: Span, (= "1s"), "The time from one fade to the next.", "2s";
        lasts: Span, (= "50ms"), "The length of a fade.", "100ms";
    }
}

impl PartKeys for Keys {
    fn wrong(&self) -> Vec<Wrong> {
        let reason = "fades follow each other without a break".to_owned();
        let remedy = "give more than lasts".to_owned();
        let key = "every";
        let wrong = Wrong {
            key,
            reason,
            remedy,
        };
        (self.every <= self.lasts)
            .then_some(wrong)
            .into_iter()
            .collect()
    }
}

struct Fades {
    every: Span,
    lasts: Span,
}
impl LossModel for Fades {
    fn loses(&mut self, now: Time, _: &Packet) -> bool {
        now.as_ps() % self.every.as_ps() < self.lasts.as_ps()
    }
}

fn new(keys: &Keys) -> Fades {
    let (every, lasts) = (keys.every, keys.lasts);
    Fades { every, lasts }
}

fn main() -> std::process::ExitCode {
    main_with(Parts::new().loss(|keys, _port| new(keys)))
}
laws!(loss, new);
