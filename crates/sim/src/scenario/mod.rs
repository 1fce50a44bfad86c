//! The scenario language: from the text of a TOML file to a [`Model`].
//!
//! 1. [`Raw::parse`] reads the text into a tree whose values know where they
//!    stand; [`Raw::apply_sets`] puts `--set key.path=value` into it.
//! 2. [`Raw::check`] compares it with the one table of keys there is and tells
//!    **all** mistakes at once, each a [`Problem`] with line, column and key. What
//!    is left is a [`Scenario`] that has been [`Checked`]: groups, counts and
//!    distributions. Code may build a [`Scenario`] without a text.
//! 3. [`Checked::expand`] draws every value for one seed and one replication and
//!    numbers nodes, links and flows.
//!
//! Nothing here opens a file: what a scenario names ([`Raw::needed_files`]) is
//! handed in as [`Files`].
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
//! let scenario = pacesim::scenario::load("two.toml", text, &[], &())?;
//! let model = scenario.expand(1, 0);
//! assert_eq!(model.links[1].name, "hop[1]");
//! # Ok::<(), pacesim::scenario::Problems>(())
//! ```
//!
//! One table of keys, in the files `language.rs` and `language/`, drives the reader,
//! its messages, the JSON [`schema`] for editors and the [`reference`](reference())
//! in `docs/scenario.md`. To add a key: put it into that table, read it in
//! `read.rs` into a field of `types.rs`, and write it in `write.rs`.
//!
//! [`Model`]: crate::model::Model

mod check;
mod checked;
mod csv;
mod declare;
mod draw;
mod edges;
mod expand;
mod field;
mod files;
mod form;
mod language;
mod problem;
mod raw;
mod reference;
mod resolve;
mod schema;
mod sets;
mod share;
mod templates;
mod tree;
mod values;
mod walk;

pub use checked::Checked;
pub(crate) use csv::CsvLines;
pub use edges::ListedEdge;
pub use files::Files;
pub use language::{
    Back, BufferCounts, Drop, EdgeFile, FlowGroup, LinkGroup, LinkSpec, Mesh, NodeGroup,
    NsfnetList, Others, Output, PacerKind, PacerSpec, PacketOutput, Queue, RecordedFile,
    RecordedTraffic, Run, Scenario, SeriesOutput, TcpOutput, TcpTraffic, Topology, Traffic,
    Us24List,
};
pub use problem::{Problem, Problems};
pub use raw::{NeededFile, Raw, load};
pub use reference::reference;
pub use schema::schema;
pub use templates::{Template, templates};
pub use values::{Length, Members, Pairing, Reference, Unit, Value};

pub(crate) use problem::shortened;
