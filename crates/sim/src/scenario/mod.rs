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
mod csv;
mod directory;
mod draw;
mod drawn;
mod expand;
mod files;
mod keys;
mod language;
mod network;
mod pacer;
mod pairs;
mod paths;
mod plan;
mod problem;
mod raw;
mod read;
mod reference;
mod schema;
mod sets;
mod shapes;
mod tcp;
mod templates;
mod tree;
mod types;
mod values;
mod view;
mod walk;
mod warnings;
mod write;

pub(crate) use csv::CsvLines;
pub use files::Files;
pub use pacer::{PacerKind, PacerSpec};
pub use problem::{Problem, Problems};
pub use raw::{NeededFile, Raw, load};
pub use reference::reference;
pub use schema::schema;
pub use templates::{Template, templates};
pub use types::{
    Back, BufferCounts, Drop, EdgeList, FlowGroup, LinkGroup, LinkSpec, ListSource, ListedEdge,
    NodeGroup, Others, Output, PacketOutput, Queue, Run, Scenario, SeriesOutput, TcpOutput,
    Topology, Traffic,
};
pub use values::{Length, Members, Pairing, Reference, Unit, Value};

use problem::Faults;
pub(crate) use tree::shortened;

/// A scenario in which nothing is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked(Scenario);

impl Checked {
    /// The scenario itself; to change it, clone it and check it again.
    pub fn scenario(&self) -> &Scenario {
        &self.0
    }

    /// What its distributions mean: each key that is drawn, and how often, as in "once
    /// for each link" or "for each packet".
    pub fn draws(&self) -> Vec<(String, &'static str)> {
        let notes = drawn::notes(&self.0).into_iter();
        notes.map(|(path, each)| (path, each.words())).collect()
    }

    /// What is allowed but can hardly be meant, such as a flow that starts after the
    /// end; [`Raw::warnings`] says where it stands.
    pub fn warnings(&self) -> Vec<Problem> {
        let warnings = warnings::warnings(self).list.into_iter();
        warnings.map(problem::Fault::without_place).collect()
    }
}

impl Scenario {
    /// Everything that is wrong with a scenario that was built in code, or the
    /// scenario ready to be expanded.
    pub fn check(self) -> Result<Checked, Problems> {
        let mut faults = Faults::default();
        faults.merge(check::check(&self, &Faults::default()));
        faults.list.retain(|fault| !fault.silent);
        if faults.list.is_empty() {
            Ok(Checked(self))
        } else {
            Err(Problems(
                faults
                    .list
                    .into_iter()
                    .map(problem::Fault::without_place)
                    .collect(),
            ))
        }
    }
}
