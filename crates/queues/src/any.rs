//! One type for all built-in disciplines, without dynamic dispatch.

use crate::{AnyQueue, Queue};

/// Makes one type that is any of these disciplines.
macro_rules! any_queue {
    (
        plain { $($(#[$of_plain:meta])* $plain:ident,)* }
        with parameters { $($(#[$of_other:meta])* $other:ident,)* }
    ) => {
        any_queue! { $($(#[$of_plain])* $plain,)* $($(#[$of_other])* $other,)* }
    };
    ($($(#[$doc:meta])* $queue:ident,)*) => {
        /// Any built-in discipline, or a plug-in.
        // A separate tag: one in the niche of a field takes three more instructions to find.
        #[derive(Debug)]
        #[repr(u8)]
        pub enum AnyQueue {
            $($(#[$doc])* $queue($queue),)*
            /// A user's own discipline.
            PlugIn(Box<dyn Queue>),
        }

        impl Queue for AnyQueue {
            #[inline]
            fn arrive(&mut self, now: pacesim_units::Time, packet: Pending) -> Result<(), Reason> {
                pacesim_units::dispatch!(self, AnyQueue { $($queue,)* PlugIn }, queue => queue.arrive(now, packet))
            }
            #[inline]
            fn turn(&mut self, now: pacesim_units::Time, line: Line) -> Turn {
                pacesim_units::dispatch!(self, AnyQueue { $($queue,)* PlugIn }, queue => queue.turn(now, line))
            }
            #[inline]
            fn waiting(&self) -> Waiting {
                pacesim_units::dispatch!(self, AnyQueue { $($queue,)* PlugIn }, queue => queue.waiting())
            }
            fn hold_class(&mut self, class: u16, holds: bool) -> bool {
                pacesim_units::dispatch!(self, AnyQueue { $($queue,)* PlugIn }, queue => queue.hold_class(class, holds))
            }
            fn state(&self) -> Option<State> {
                pacesim_units::dispatch!(self, AnyQueue { $($queue,)* PlugIn }, queue => queue.state())
            }
            #[inline]
            fn next_turn(&self) -> Option<pacesim_units::Time> {
                pacesim_units::dispatch!(self, AnyQueue { $($queue,)* PlugIn }, queue => queue.next_turn())
            }
        }

        $(impl From<$queue> for AnyQueue {
            fn from(queue: $queue) -> AnyQueue {
                AnyQueue::$queue(queue)
            }
        })*
    };
}

/// A user's discipline need not implement `Debug` itself.
impl std::fmt::Debug for dyn Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a user's discipline")
    }
}

impl From<Box<dyn Queue>> for AnyQueue {
    fn from(queue: Box<dyn Queue>) -> AnyQueue {
        AnyQueue::PlugIn(queue)
    }
}
