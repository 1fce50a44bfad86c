//! Detection and repair of holes: the steps in which the methods differ.

use pacesim_units::Time;

use super::Permit;
use super::classic::Classic;
use super::common::Common;
use super::fack::Fack;
use super::pipe::Pipe;
use super::repair::{Choice, Repair};
use super::rfc6675::Rfc6675;
use crate::config::{Config, Profile, Variant};
use crate::packet::Ack;

/// The method of repair of a sender, with its state.
#[derive(Debug)]
pub(super) enum Recovery {
    Classic(Classic),
    Pipe(Pipe),
    Fack(Fack),
    Rfc6675(Rfc6675),
}

impl Recovery {
    pub(super) fn new(config: &Config) -> Recovery {
        match (config.profile, config.variant) {
            (_, Variant::Tahoe | Variant::Reno | Variant::NewReno) => {
                Recovery::Classic(Classic::default())
            }
            (Profile::Ns2, Variant::Sack) => Recovery::Pipe(Pipe::default()),
            (Profile::Ns2, Variant::Fack) => Recovery::Fack(Fack::default()),
            (Profile::Rfc | Profile::Linux, _) => Recovery::Rfc6675(Rfc6675::default()),
        }
    }
}

macro_rules! whichever {
    ($self:expr, $method:ident => $call:expr) => {
        pacesim_units::dispatch!($self, Recovery { Classic, Pipe, Fack, Rfc6675 }, $method => $call)
    };
}

impl Repair for Recovery {
    #[inline]
    fn takes_as_duplicate(&self, ack: &Ack) -> bool {
        whichever!(self, m => m.takes_as_duplicate(ack))
    }
    #[inline]
    fn on_new_ack(&mut self, common: &Common, ack: &Ack) {
        whichever!(self, m => m.on_new_ack(common, ack));
    }
    #[cold]
    fn on_duplicate(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        whichever!(self, m => m.on_duplicate(common, now, ack));
    }
    #[cold]
    fn on_recovery_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        whichever!(self, m => m.on_recovery_ack(common, now, ack));
    }
    fn on_timeout(&mut self, common: &mut Common) {
        whichever!(self, m => m.on_timeout(common));
    }
    #[cold]
    fn on_sent(&mut self, choice: Choice, next: u32) {
        whichever!(self, m => m.on_sent(choice, next));
    }
    #[cold]
    fn episode_end(&self) -> u32 {
        whichever!(self, m => m.episode_end())
    }
    #[cold]
    fn in_flight(&self, common: &Common) -> u32 {
        whichever!(self, m => m.in_flight(common))
    }
    #[cold]
    fn choose(&self, common: &Common) -> Option<Choice> {
        whichever!(self, m => m.choose(common))
    }
    #[cold]
    fn has_room(&self, common: &Common) -> bool {
        whichever!(self, m => m.has_room(common))
    }
    fn standing_permit(&self, common: &Common) -> Permit {
        whichever!(self, m => m.standing_permit(common))
    }
}
