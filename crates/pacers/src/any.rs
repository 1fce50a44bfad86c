//! One type for all built-in pacers, without dynamic dispatch.

use pacesim_units::{Rate, Time};

use crate::pacer::{Feedback, Pacer, Pending, Refused, Release, Use, Waiting};

macro_rules! any_pacer {
    ($($(#[$doc:meta])* $pacer:ident,)*) => {
        /// Any built-in pacer, or a plug-in.
        #[derive(Debug)]
        pub enum AnyPacer {
            $($(#[$doc])* $pacer(crate::$pacer),)*
            /// A user's own pacer.
            PlugIn(Box<dyn Pacer>),
        }

        impl Pacer for AnyPacer {
            #[inline]
            fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
                pacesim_units::dispatch!(self, AnyPacer { $($pacer,)* PlugIn }, pacer => pacer.enqueue(now, packet))
            }
            #[inline]
            fn dequeue(&mut self, now: Time) -> Option<Pending> {
                pacesim_units::dispatch!(self, AnyPacer { $($pacer,)* PlugIn }, pacer => pacer.dequeue(now))
            }
            #[inline]
            fn next_release(&self) -> Release {
                pacesim_units::dispatch!(self, AnyPacer { $($pacer,)* PlugIn }, pacer => pacer.next_release())
            }
            #[inline]
            fn waiting(&self) -> Waiting {
                pacesim_units::dispatch!(self, AnyPacer { $($pacer,)* PlugIn }, pacer => pacer.waiting())
            }
            fn on_feedback(&mut self, now: Time, feedback: &Feedback) {
                pacesim_units::dispatch!(self, AnyPacer { $($pacer,)* PlugIn }, pacer => pacer.on_feedback(now, feedback))
            }
            fn set_rate(&mut self, now: Time, rate: Rate) -> bool {
                pacesim_units::dispatch!(self, AnyPacer { $($pacer,)* PlugIn }, pacer => pacer.set_rate(now, rate))
            }
            fn in_use(&self, now: Time) -> Option<Use> {
                pacesim_units::dispatch!(self, AnyPacer { $($pacer,)* PlugIn }, pacer => pacer.in_use(now))
            }
        }

        $(impl From<crate::$pacer> for AnyPacer {
            fn from(pacer: crate::$pacer) -> AnyPacer {
                AnyPacer::$pacer(pacer)
            }
        })*
    };
}

impl std::fmt::Debug for dyn Pacer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a pacer")
    }
}

impl From<Box<dyn Pacer>> for AnyPacer {
    fn from(pacer: Box<dyn Pacer>) -> AnyPacer {
        AnyPacer::PlugIn(pacer)
    }
}

crate::built_in!(any_pacer);
