//! The parts of this process, installed once before the first scenario is read.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use pacesim_language::field::{PartName, Reader};
use pacesim_language::form::Table;
use pacesim_language::names::is_name;
use pacesim_language::review;
use pacesim_language::tree::TomlTable;
use pacesim_tcp_common::control::OwnControl;

use crate::part::Part;
use crate::parts::Parts;

/// Installed parts, and the version of those that have none.
pub(crate) struct Registry {
    pub(crate) parts: Parts,
    version: fn() -> String,
    found: OnceLock<String>,
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// The registry; it is closed from now on.
pub(crate) fn registry() -> &'static Registry {
    REGISTRY.get_or_init(|| Registry {
        parts: Parts::new(),
        version: String::new,
        found: OnceLock::new(),
    })
}

/// The reason why parts cannot be installed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// The declaration of a part has mistakes.
    #[error("the part \"{name}\" is declared wrongly: {reason}; correct its table! {{ ... }}")]
    Declaration {
        /// Name of the part.
        name: &'static str,
        /// Mistake in the part.
        reason: String,
    },
    /// Two parts of a kind have the same name.
    #[error("the name \"{name}\" is taken by {by}; choose another name in table! {{ ... }}")]
    Taken {
        /// Name that is taken.
        name: &'static str,
        /// Owner of the name.
        by: &'static str,
    },
    /// Parts were installed before, or a scenario was read.
    #[error("parts must be installed once, before the first scenario is read")]
    Late,
}

impl Parts {
    /// Makes the parts known to the scenario language until the process ends. `version` is that of
    /// parts that declare none, and is asked for when it is needed; it should change with their code.
    /// `built_in` are the names that the language has already.
    pub fn install(
        self,
        built_in: &[(Kind, &'static str)],
        version: fn() -> String,
    ) -> Result<(), Unusable> {
        self.reviewed()?;
        let taken = |kind_and_name: &(Kind, &'static str)| built_in.contains(kind_and_name);
        if let Some((_, name)) = names(&self).into_iter().find(taken) {
            let by = "a built-in part";
            return Err(Unusable::Taken { name, by });
        }
        let registry = Registry {
            parts: self,
            version,
            found: OnceLock::new(),
        };
        REGISTRY.set(registry).map_err(|_| Unusable::Late)
    }

    /// Refuses names used twice, and mistakes in declarations.
    fn reviewed(&self) -> Result<(), Unusable> {
        tables_are_sound(&self.controls, COMMON)?;
        tables_are_sound(&self.pacers, COMMON)?;
        tables_are_sound(&self.disciplines, COMMON)?;
        tables_are_sound(&self.sources, COMMON)?;
        tables_are_sound(&self.transports, OF_TRANSPORTS)?;
        tables_are_sound(&self.applications, OF_APPLICATIONS)?;
        tables_are_sound(&self.middleboxes, COMMON)?;
        tables_are_sound(&self.losses, COMMON)?;
        tables_are_sound(&self.measures, COMMON)?;
        // All are kinds of traffic.
        let sources = self.sources.iter().map(|part| part.table.name);
        let transports = self.transports.iter().map(|part| part.table.name);
        let applications = self.applications.iter().map(|part| part.table.name);
        let mut names: Vec<_> = sources.chain(transports).chain(applications).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Unusable::Taken {
                name: pair[0],
                by: "another part of this program",
            }),
            None => Ok(()),
        }
    }
}

/// The keys that parts of every kind have.
const COMMON: &[&str] = &["kind", "name", "share"];

/// The keys that all transports have.
pub const OF_TRANSPORTS: &[&str] = &[
    "kind",
    "name",
    "packet_size",
    "header",
    "ecn",
    "transfer",
    "transfers",
];

/// The keys that all applications have.
pub const OF_APPLICATIONS: &[&str] = &["kind", "name", "over"];

fn tables_are_sound<M>(parts: &[Part<M>], common: &[&str]) -> Result<(), Unusable> {
    for (i, part) in parts.iter().enumerate() {
        let name = part.table.name;
        let wrong = |reason| Err(Unusable::Declaration { name, reason });
        if !is_name(name) {
            let form = "a name has letters, digits, _ and -, and starts with a letter";
            return wrong(form.to_owned());
        }
        if parts[..i].iter().any(|other| other.table.name == name) {
            let by = "another part of this program";
            return Err(Unusable::Taken { name, by });
        }
        let mut names = part.table.keys().into_iter().map(|key| key.name);
        if let Some(key) = names.find(|name| common.contains(name)) {
            return wrong(format!("the key \"{key}\" is common to all parts"));
        }
        if let Some(reason) = review(part.table, &()).into_iter().next() {
            return wrong(reason);
        }
    }
    Ok(())
}

impl<M> Part<M> {
    /// Its name and version, as a scenario is written.
    pub(crate) fn name(&self) -> PartName {
        let registry = registry();
        let found = || registry.found.get_or_init(registry.version).clone();
        PartName {
            name: self.table.name.to_owned(),
            version: self.version.map_or_else(found, str::to_owned),
        }
    }
}

/// The kinds of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A congestion control.
    Control,
    /// A pacer.
    Pacer,
    /// A queue discipline.
    Discipline,
    /// A source of traffic.
    Source,
    /// A transport, with its two ends.
    End,
    /// An application, with its two sides.
    Application,
    /// A middlebox.
    Middlebox,
    /// A loss model.
    Loss,
    /// A measure of studies.
    Measure,
}

fn names(parts: &Parts) -> Vec<(Kind, &'static str)> {
    let controls = parts.controls.iter().map(|part| part.table.name);
    let pacers = parts.pacers.iter().map(|part| part.table.name);
    let disciplines = parts.disciplines.iter().map(|part| part.table.name);
    let controls = controls.map(|name| (Kind::Control, name));
    let pacers = pacers.map(|name| (Kind::Pacer, name));
    let disciplines = disciplines.map(|name| (Kind::Discipline, name));
    let sources = parts.sources.iter().map(|part| part.table.name);
    let sources = sources.map(|name| (Kind::Source, name));
    let transports = parts.transports.iter().map(|part| part.table.name);
    let transports = transports.map(|name| (Kind::End, name));
    let applications = parts.applications.iter().map(|part| part.table.name);
    let applications = applications.map(|name| (Kind::Application, name));
    let middleboxes = parts.middleboxes.iter().map(|part| part.table.name);
    let middleboxes = middleboxes.map(|name| (Kind::Middlebox, name));
    let losses = parts.losses.iter().map(|part| part.table.name);
    let losses = losses.map(|name| (Kind::Loss, name));
    let measures = parts.measures.iter().map(|part| part.table.name);
    let measures = measures.map(|name| (Kind::Measure, name));
    let behind = middleboxes.chain(losses).chain(measures);
    let traffic = sources.chain(transports).chain(applications);
    let rest = disciplines.chain(traffic).chain(behind);
    controls.chain(pacers).chain(rest).collect()
}

/// The files of the studies that the program adds.
pub fn files_of_studies() -> &'static [(&'static str, &'static str)] {
    &registry().parts.files
}

/// The kinds and names of all installed parts.
pub fn installed() -> Vec<(Kind, &'static str)> {
    names(&registry().parts)
}

/// The metrics of groups that follow from the numbers of installed transports, each number's name
/// behind "end_", and of installed applications, behind "app_".
pub fn own_metrics() -> &'static [&'static str] {
    static METRICS: OnceLock<Vec<&'static str>> = OnceLock::new();
    METRICS.get_or_init(|| {
        let parts = &registry().parts;
        let transports = parts.transport_numbers.iter();
        let applications = parts.application_numbers.iter();
        let ends = transports.map(|name| format!("end_{name}"));
        let names = ends.chain(applications.map(|name| format!("app_{name}")));
        let names: BTreeSet<String> = names.collect();
        let leaked = |name: String| -> &'static str { Box::leak(name.into()) };
        names.into_iter().map(leaked).collect()
    })
}

/// The tables of all installed congestion controls.
pub fn controls() -> &'static [Table] {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let parts = registry().parts.controls.iter();
        let own = |part: &Part<OwnControl>| Table {
            name: part.table.name,
            doc: part.table.doc,
            rows: part.table.rows,
            common: &[],
        };
        parts.map(own).collect()
    })
}

/// The installed congestion control of this name, made from these keys.
pub fn control(name: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<OwnControl> {
    let mut parts = registry().parts.controls.iter();
    let part = parts.find(|part| part.table.name == name)?;
    part.read(table, reader).map(|(_, control)| control)
}

/// The name and version of an installed congestion control.
pub fn control_name(name: &str) -> Option<PartName> {
    let mut parts = registry().parts.controls.iter();
    parts.find(|part| part.table.name == name).map(Part::name)
}
