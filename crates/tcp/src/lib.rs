//! TCP

#![forbid(unsafe_code)]
mod config;
mod control;
mod event;
mod pacing;
mod packet;
mod problem;
mod receiver;
mod rtt;
mod scoreboard;
mod sender;
mod seqset;
mod transfer;

pub use config::{Clock, Config, Details, Pacing, Profile, Variant};
pub use control::{
    AckSample, CongestionControl, Growth, Halving, LossKind, LossSample, Reno, SentSample,
};
pub use event::{EventMask, SenderEvent, WindowReason};
pub use packet::{Ack, Block, MAX_SACK_BLOCKS, SackBlocks, Segment};
pub use problem::ConfigProblem;
pub use receiver::Receiver;
pub use rtt::RttState;
pub use sender::{Counters, Sender};
pub use transfer::{Amount, DataError};
