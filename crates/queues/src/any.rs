//! All built-in disciplines in one type, without dynamic dispatch.

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
            /// A user's discipline.
            PlugIn(PlugIn),
        }

        impl Queue for AnyQueue {
            #[inline]
            fn arrive(&mut self, now: pacesim_units::Time, packet: Pending) -> Result<(), Reason> {
                match self {
                    $(AnyQueue::$queue(queue) => queue.arrive(now, packet),)*
                    AnyQueue::PlugIn(queue) => queue.0.arrive(now, packet),
                }
            }
            #[inline]
            fn turn(&mut self, now: pacesim_units::Time, line: Line) -> Turn {
                match self {
                    $(AnyQueue::$queue(queue) => queue.turn(now, line),)*
                    AnyQueue::PlugIn(queue) => queue.0.turn(now, line),
                }
            }
            #[inline]
            fn waiting(&self) -> Waiting {
                match self {
                    $(AnyQueue::$queue(queue) => queue.waiting(),)*
                    AnyQueue::PlugIn(queue) => queue.0.waiting(),
                }
            }
            fn state(&self) -> Option<State> {
                match self {
                    $(AnyQueue::$queue(queue) => queue.state(),)*
                    AnyQueue::PlugIn(queue) => queue.0.state(),
                }
            }
            #[inline]
            fn next_turn(&self) -> Option<pacesim_units::Time> {
                match self {
                    $(AnyQueue::$queue(queue) => queue.next_turn(),)*
                    AnyQueue::PlugIn(queue) => queue.0.next_turn(),
                }
            }
        }

        $(impl From<$queue> for AnyQueue {
            fn from(queue: $queue) -> AnyQueue {
                AnyQueue::$queue(queue)
            }
        })*
    };
}

/// A user's own discipline.
pub struct PlugIn(pub Box<dyn Queue>);

impl std::fmt::Debug for PlugIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlugIn")
    }
}

impl From<Box<dyn Queue>> for AnyQueue {
    fn from(queue: Box<dyn Queue>) -> AnyQueue {
        AnyQueue::PlugIn(PlugIn(queue))
    }
}
