//! The keys of scenario files: all tables and keys, each declared once.
//!
//! From a declaration follow the struct's field and its documentation, the reader and its
//! messages, the writer, the JSON schema and the reference. To add a key, add its line here;
//! `pacesim-scenario` checks it against other keys and expands it.

mod accept;
mod advice;
mod application;
mod connection;
mod control;
mod course;
mod curve;
mod discipline;
mod distribution;
mod drops;
mod ends;
mod event;
mod exchanges;
mod fec;
mod files;
mod flow;
mod host;
mod job;
mod limits;
mod link;
mod linux;
mod live;
mod middlebox;
mod ndp;
mod offered;
mod own;
mod own_traffic;
mod pacer;
mod packets;
mod rdma;
mod recorded;
mod scenario;
mod self_similar;
mod share;
mod switch;
mod tcp;
mod topology;
mod transfers;
mod values;
mod video;

pub use accept::{Accept, WarningName};
pub use advice::advise;
pub use application::{Over, OwnDialogue};
pub use discipline::{CodelSpec, Discipline};
pub use drops::Drop;
pub use ends::OwnEnds;
pub use event::{Event, Fate};
pub use exchanges::{Closes, Exchanges, Handshake, VectorFile};
pub use fec::MOST_IN_BLOCK;
pub use fec::{Acks, Adaptive, Aim, BlockSizing, CoderPlace, FecGroup};
pub use files::Files;
pub use flow::{FlowGroup, Traffic};
pub use host::{Host, HostKeys, HostQueue, LumpKeys, StallKeys};
pub use job::{Collective, Job, ListFile};
pub use limits::{LARGEST_SEED, LONGEST, MOST};
pub use link::{Back, BufferCounts, BulkRule, LinkGroup, LinkLoss, LinkSpec, LossModelKind, Queue};
pub use live::{Late, Live};
pub use middlebox::MiddleboxKind;
pub use ndp::NdpTraffic;
pub use offered::{RateByLoad, refused_load};
pub use own::{built_in_parts, install};
pub use own_traffic::OwnTraffic;
pub use pacer::{OpportunityFile, PacerKind, PacerSpec};
pub use recorded::{RecordedFile, RecordedTraffic};
pub use scenario::{
    EndOutput, Multipath, NodeGroup, Output, PacketOutput, Run, Sampled, Scenario, SeriesOutput,
    TcpOutput, ThreadGroup, named_files, names_file,
};
pub use self_similar::{NoiseTraffic, ParetoOnOffTraffic, SessionTraffic};
pub use share::chosen_evenly;
pub use switch::{MarkKeys, Memory, PfcKeys, SwitchGroup};
pub use tcp::{OtherFlows, TcpTraffic};
pub use topology::{EdgeFile, Mesh, NsfnetList, Topology, Us24List};
pub use transfers::{Arrivals, Pace, RecordedTransfers};
pub use values::{PACKETS, PacketCount, Pairing, Unit, Value};
pub use video::{FrameFile, VideoTraffic};
