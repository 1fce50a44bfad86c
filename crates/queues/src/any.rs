//! All built-in disciplines in one type, without dynamic dispatch.

use pacesim_units::Time;

use crate::drop_tail::DropTail;
use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};

macro_rules! any_queue {
    ($($(#[$doc:meta])* $variant:ident($queue:ty),)*) => {
        /// Any built-in discipline, or a plug-in.
        #[derive(Debug)]
        pub enum AnyQueue {
            $($(#[$doc])* $variant($queue),)*
            /// A user's own.
            PlugIn(PlugIn),
        }

        impl Queue for AnyQueue {
            #[inline]
            fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
                match self {
                    $(AnyQueue::$variant(queue) => queue.arrive(now, packet),)*
                    AnyQueue::PlugIn(queue) => queue.0.arrive(now, packet),
                }
            }
            #[inline]
            fn turn(&mut self, now: Time, line: Line) -> Turn {
                match self {
                    $(AnyQueue::$variant(queue) => queue.turn(now, line),)*
                    AnyQueue::PlugIn(queue) => queue.0.turn(now, line),
                }
            }
            #[inline]
            fn waiting(&self) -> Waiting {
                match self {
                    $(AnyQueue::$variant(queue) => queue.waiting(),)*
                    AnyQueue::PlugIn(queue) => queue.0.waiting(),
                }
            }
        }

        $(impl From<$queue> for AnyQueue {
            fn from(queue: $queue) -> AnyQueue {
                AnyQueue::$variant(queue)
            }
        })*
    };
}

any_queue! {
    /// First come, first served.
    DropTail(DropTail),
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
