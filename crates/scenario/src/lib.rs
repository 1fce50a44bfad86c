//! The scenario language: from the text of a TOML file to a [`Model`](pacesim_model::Model).
//!
//! 1. [`Raw::parse`] reads the text into a tree whose values have their places; [`Raw::apply_sets`]
//!    applies `--set key.path=value` to it.
//! 2. [`Raw::check`] compares it with the declared keys and reports **all** mistakes at once, each
//!    a [`Problem`] with line, column and key. The result is a [`Scenario`] (groups, counts and
//!    distributions) that has been [`Checked`], with every name resolved. Code may build a
//!    [`Scenario`] without a text.
//! 3. [`Checked::expand`] draws every value for one seed and one replication and
//!    numbers nodes, links and flows. It cannot fail.
//!
//! The crate knows models but no worlds that run them, and opens no file: the caller supplies the
//! files that a scenario names ([`Raw::needed_files`]) as [`Files`].
//!
//! ```
//! let text = r#"
//!     run = { duration = "10s" }
//!     topology = { shape = "tandem", hops = 2, link = { rate = "10Mbps", delay = "2ms" } }
//!     [[flow]]
//!     name = "f"
//!     from = "node[0]"
//!     to = "node[2]"
//!     traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" }
//! "#;
//! let scenario = pacesim_scenario::load("two.toml", text, &[], &())?;
//! let model = scenario.expand(1, 0);
//! assert_eq!(model.links[1].name, "hop[1]");
//! # Ok::<(), pacesim_scenario::Problems>(())
//! ```
//!
//! `pacesim-keys` declares every key once; from the declaration follow the struct's field and
//! its documentation, the reader and its messages, the writer, the JSON [`schema()`] for editors
//! and the [`reference()`] in `docs/scenario.md`. To add a key: declare it there, check its
//! conditions with other keys in `check/`, and expand it in `expand.rs`.

mod accepted;
mod applications;
mod arrivals;
mod check;
mod checked;
mod draw;
mod exchanges;
mod expand;
mod fec;
mod formulas;
mod hosts;
mod inventory;
mod jobs;
mod judgement;
mod live;
mod multipath;
mod raw;
mod resolve;
mod templates;
mod traffic;
mod visit;

pub use pacesim_language::length::Length;
pub use pacesim_language::names::{Members, Reference};
pub use pacesim_language::problem::{Problem, Problems};

pub use accepted::accepted;
pub use check::round_trips::RoundTrips;
pub use checked::Checked;
pub use formulas::evaluate;
pub use inventory::Inventory;
pub use live::LiveParts;
pub use pacesim_keys::{
    Accept, Acks, Adaptive, Aim, Arrivals, Back, BlockSizing, BufferCounts, BulkRule, Closes,
    CoderPlace, Discipline, Drop, EdgeFile, Event, Exchanges, Fate, FecGroup, Files, FlowGroup,
    FrameFile, Handshake, Late, LinkGroup, LinkLoss, LinkSpec, Live, LossModelKind, Mesh,
    MiddleboxKind, NodeGroup, NoiseTraffic, NsfnetList, OpportunityFile, OtherFlows, Output, Pace,
    PacerKind, PacerSpec, PacketOutput, Pairing, ParetoOnOffTraffic, Queue, RecordedFile,
    RecordedTraffic, RecordedTransfers, Run, Sampled, Scenario, SeriesOutput, SessionTraffic,
    TcpOutput, TcpTraffic, Topology, Traffic, Unit, Us24List, Value, VectorFile, VideoTraffic,
    WarningName, built_in_parts, install, names_file,
};
pub use pacesim_model::FrameUnit;
pub use pacesim_recordings::edges::ListedEdge;
pub use pacesim_recordings::recording;
pub use pacesim_recordings::vectors::{End, Vector, Vectors};
pub use raw::{NeededFile, Raw, SCENARIOS, load};
pub use templates::{Template, templates};

use pacesim_language::field::Record as _;

/// The JSON Schema (draft 07) of scenario files, generated from the declarations that the reader
/// uses.
pub fn schema() -> serde_json::Value {
    pacesim_language::schema("pacesim scenario", Scenario::TABLE)
}

const EXAMPLES: &str = include_str!("examples.md");

/// The examples of the reference: the heading of a section, and TOML with its table. Nodes `a` and
/// `b` and the rest of a scenario are omitted from tables that do not concern them.
pub fn examples() -> Vec<(&'static str, &'static str)> {
    pacesim_language::examples(EXAMPLES)
}

/// The reference of the scenario language in Markdown; a test compares `docs/scenario.md` with it.
pub fn reference() -> String {
    pacesim_language::reference(include_str!("reference.md"), EXAMPLES, Scenario::TABLE)
}
