//! Queue disciplines of a model, and their construction for a port.
//!
//! A custom discipline is added with [`OwnQueue::new`]: set
//! [`LinkExtras::queue`](crate::LinkExtras::queue).

use std::fmt;
use std::sync::Arc;

use pacesim_queues::{
    AnyQueue, Codel, CodelConfig, DepartureLimit, DepartureLimitConfig, DropTail, Drr, DualPi2,
    DualPi2Config, Ecn, Fq, FqCodel, FqCodelConfig, FqConfig, Pie, PieConfig, Queue, Red,
    RedConfig, StepMark, StrictPriority, Tbf, TbfConfig, WholeBulks,
};
use pacesim_units::Capacity;

use crate::Counts;
pub use crate::port::Port;

/// The rule for a port's next packet, and for drops. The number of waiting packets is limited by
/// the link's [`Buffer`](crate::Buffer).
#[derive(Clone, Debug, PartialEq)]
pub enum PortQueue {
    /// First come, first served: like a port without a discipline, which costs less.
    DropTail,
    /// First come, first served, but the packets of a bulk are taken all or none.
    WholeBulks,
    /// First come, first served, with marks for packets that find this much waiting.
    StepMark(Capacity),
    /// First come, first served, with a limit that is looked at when packets leave.
    DepartureLimit(DepartureLimitConfig),
    /// CoDel.
    Codel(CodelConfig),
    /// FQ-CoDel.
    FqCodel(FqCodelConfig),
    /// RED.
    Red(RedConfig),
    /// PIE.
    Pie(PieConfig),
    /// DualPI2.
    DualPi2(DualPi2Config),
    /// Linux's fq.
    Fq(FqConfig),
    /// A token bucket shaper.
    Tbf(TbfConfig),
    /// Lower classes first.
    StrictPriority,
    /// Flows take turns with this quantum in bytes.
    Drr(u32),
    /// A user's queue discipline.
    Own(OwnQueue),
}

/// A user's discipline: its name, and its constructor for a port.
#[derive(Clone)]
pub struct OwnQueue {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn Queue> + Send + Sync>,
}

impl OwnQueue {
    /// A discipline of this name, constructed for each port and replication.
    pub fn new<Q: Queue + 'static>(
        name: impl Into<String>,
        make: impl Fn(Port) -> Q + Send + Sync + 'static,
    ) -> OwnQueue {
        OwnQueue {
            name: name.into(),
            make: Arc::new(move |port| Box::new(make(port))),
        }
    }
}

/// Only copies of one and the same are equal.
impl PartialEq for OwnQueue {
    fn eq(&self, other: &OwnQueue) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for OwnQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl From<OwnQueue> for PortQueue {
    fn from(queue: OwnQueue) -> PortQueue {
        PortQueue::Own(queue)
    }
}

/// A capacity in packets is the limit of fq's bands.
fn limited(config: &FqConfig, capacity: Capacity) -> FqConfig {
    match capacity {
        Capacity::Packets(limit) => FqConfig { limit, ..*config },
        Capacity::Bytes(_) | Capacity::Unlimited => *config,
    }
}

impl PortQueue {
    /// Name.
    pub fn name(&self) -> &str {
        match self {
            PortQueue::DropTail => "drop_tail",
            PortQueue::WholeBulks => "whole_bulks",
            PortQueue::StepMark(_) => "step_mark",
            PortQueue::DepartureLimit(_) => "departure_limit",
            PortQueue::Codel(_) => "codel",
            PortQueue::FqCodel(_) => "fq_codel",
            PortQueue::Red(_) => "red",
            PortQueue::Pie(_) => "pie",
            PortQueue::DualPi2(_) => "dualpi2",
            PortQueue::Fq(_) => "fq",
            PortQueue::Tbf(_) => "tbf",
            PortQueue::StrictPriority => "strict_priority",
            PortQueue::Drr(_) => "drr",
            PortQueue::Own(own) => &own.name,
        }
    }

    /// True if it marks packets that may be marked.
    pub fn marks(&self) -> bool {
        let codel = |config: &CodelConfig| config.ecn || config.ce_threshold.is_some();
        match self {
            PortQueue::StepMark(_) | PortQueue::DualPi2(_) => true,
            PortQueue::Codel(config) => codel(config),
            PortQueue::FqCodel(config) => codel(&config.codel),
            PortQueue::Red(config) => config.ecn,
            PortQueue::Pie(config) => config.ecn,
            PortQueue::Fq(config) => config.ce_threshold.is_some(),
            PortQueue::DropTail
            | PortQueue::WholeBulks
            | PortQueue::DepartureLimit(_)
            | PortQueue::Tbf(_)
            | PortQueue::StrictPriority
            | PortQueue::Drr(_)
            | PortQueue::Own(_) => false,
        }
    }

    /// True if it keeps classes apart.
    pub fn has_classes(&self) -> bool {
        self.class_of(0, Ecn::NotEct).is_some()
    }

    /// The one of at most four classes in which it keeps a packet of this class and field, if it keeps classes apart: classes of flows, the
    /// last of them with all above; bands of fq; of DualPI2 0 for the classic queue and 1 for that of L4S.
    pub fn class_of(&self, class: u16, ecn: Ecn) -> Option<usize> {
        match self {
            PortQueue::StrictPriority | PortQueue::Drr(_) => Some(usize::from(class).min(3)),
            PortQueue::Fq(_) => Some(Fq::band(class).into()),
            PortQueue::DualPi2(config) => Some(usize::from(ecn as u8 & config.ecn_mask != 0)),
            _ => None,
        }
    }

    /// The queue for this port, limited by the port's buffer.
    pub fn build(&self, port: Port) -> AnyQueue {
        let counts_sending = port.buffer.counts == Counts::System;
        let capacity = port.buffer.capacity;
        let codel = |config: &CodelConfig| CodelConfig {
            capacity,
            counts_sending,
            ..*config
        };
        match self {
            PortQueue::DropTail => DropTail::new(capacity, counts_sending).into(),
            PortQueue::WholeBulks => WholeBulks::new(capacity, counts_sending).into(),
            PortQueue::StepMark(threshold) => {
                StepMark::new(capacity, counts_sending, *threshold).into()
            }
            PortQueue::DepartureLimit(config) => DepartureLimit::new(&DepartureLimitConfig {
                capacity,
                counts_sending,
                rate: port.rate,
                ..*config
            })
            .into(),
            PortQueue::Codel(config) => Codel::new(&codel(config)).into(),
            PortQueue::FqCodel(config) => FqCodel::new(&FqCodelConfig {
                codel: codel(&config.codel),
                ..*config
            })
            .into(),
            PortQueue::Red(config) => {
                let config = RedConfig {
                    capacity,
                    counts_sending,
                    rate: port.rate,
                    ..*config
                };
                Red::new(&config, port.stream).into()
            }
            PortQueue::Pie(config) => {
                let config = PieConfig {
                    capacity,
                    counts_sending,
                    ..*config
                };
                Pie::new(&config, port.stream).into()
            }
            PortQueue::DualPi2(config) => {
                let config = DualPi2Config {
                    capacity,
                    counts_sending,
                    ..*config
                };
                DualPi2::new(&config, port.stream).into()
            }
            PortQueue::Fq(config) => Fq::new(&limited(config, capacity)).into(),
            PortQueue::Tbf(config) => Tbf::new(&TbfConfig {
                capacity,
                ..*config
            })
            .into(),
            PortQueue::StrictPriority => StrictPriority::new(capacity, counts_sending).into(),
            PortQueue::Drr(quantum) => Drr::new(capacity, counts_sending, *quantum).into(),
            PortQueue::Own(own) => (own.make)(port).into(),
        }
    }
}
