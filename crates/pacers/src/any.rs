//! All built-in pacers in one type, without dynamic dispatch.

use pacesim_units::Time;

use crate::deadline_fraction::DeadlineFraction;
use crate::hull::Hull;
use crate::hull_multi::HullMulti;
use crate::leaky_bucket::LeakyBucket;
use crate::pacer::{Feedback, Pacer, Pending, Refused, Release, Waiting};
use crate::policer::Policer;
use crate::qlbp::Qlbp;
use crate::qlbp_blocking::QlbpBlocking;
use crate::qlbp09::Qlbp09;
use crate::recorded_rate::RecordedRate;
use crate::token_bucket::TokenBucket;
use crate::unpaced::Unpaced;

macro_rules! any_pacer {
    ($($(#[$doc:meta])* $variant:ident($pacer:ty),)*) => {
        /// Any built-in pacer, or a plug-in.
        #[derive(Debug)]
        pub enum AnyPacer {
            $($(#[$doc])* $variant($pacer),)*
        }

        impl Pacer for AnyPacer {
            #[inline]
            fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
                match self {
                    $(AnyPacer::$variant(pacer) => pacer.enqueue(now, packet),)*
                }
            }
            #[inline]
            fn dequeue(&mut self, now: Time) -> Option<Pending> {
                match self {
                    $(AnyPacer::$variant(pacer) => pacer.dequeue(now),)*
                }
            }
            #[inline]
            fn next_release(&self) -> Release {
                match self {
                    $(AnyPacer::$variant(pacer) => pacer.next_release(),)*
                }
            }
            #[inline]
            fn waiting(&self) -> Waiting {
                match self {
                    $(AnyPacer::$variant(pacer) => pacer.waiting(),)*
                }
            }
            fn on_feedback(&mut self, now: Time, feedback: &Feedback) {
                match self {
                    $(AnyPacer::$variant(pacer) => pacer.on_feedback(now, feedback),)*
                }
            }
        }

        $(impl From<$pacer> for AnyPacer {
            fn from(pacer: $pacer) -> AnyPacer {
                AnyPacer::$variant(pacer)
            }
        })*
    };
}

any_pacer! {
    /// No pacing.
    Unpaced(Unpaced),
    /// QLBP of 2011.
    Qlbp(Qlbp),
    /// QLBP that blocks the queue.
    QlbpBlocking(QlbpBlocking),
    /// QLBP of 2009.
    Qlbp09(Qlbp09),
    /// Convex hull, one delay class.
    Hull(Hull),
    /// Convex hull, arbitrary deadlines.
    HullMulti(HullMulti),
    /// Token bucket.
    TokenBucket(TokenBucket),
    /// Leaky bucket.
    LeakyBucket(LeakyBucket),
    /// A fixed share of the delay bound.
    DeadlineFraction(DeadlineFraction),
    /// A recorded rate.
    RecordedRate(RecordedRate),
    /// A token bucket that drops.
    Policer(Policer),
    /// A user's own.
    PlugIn(Box<dyn Pacer>),
}

impl std::fmt::Debug for dyn Pacer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a pacer")
    }
}
