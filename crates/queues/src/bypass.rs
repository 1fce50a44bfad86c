//! The shortcut of Linux's disciplines: a packet that finds the queue empty never enters it, and is
//! sent at once or next.

use crate::profile::Profile;
use crate::queue::{Pending, Turn};
use crate::room::Room;

/// A place for one packet before the queue.
#[derive(Clone, Debug)]
pub(crate) struct Bypass {
    is_there: bool,
    /// Handle and size of the packet in that place.
    slot: Option<(u32, u32)>,
}

impl Bypass {
    pub(crate) fn new(profile: Profile) -> Bypass {
        Bypass {
            is_there: profile == Profile::Linux,
            slot: None,
        }
    }

    /// Takes a packet that finds the queue empty, if the discipline has this shortcut.
    #[inline]
    pub(crate) fn takes(&mut self, packet: &Pending) -> bool {
        if self.is_there {
            self.slot = Some((packet.key, packet.size));
        }
        self.is_there
    }

    /// Sends the packet in that place.
    #[inline]
    pub(crate) fn turn(&mut self, room: &mut Room) -> Option<Turn> {
        let (key, size) = self.slot?;
        self.slot = None;
        room.send(size);
        Some(Turn::go(key))
    }
}
