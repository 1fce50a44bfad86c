//! Applications of the program's own, and the transports that carry them.

use std::sync::{Arc, OnceLock};

use pacesim_language::field::{Keys, OwnKinds, Reader, Record, Tagged};
use pacesim_language::form::{Row, Table};
use pacesim_language::tree::TomlTable;
use pacesim_language::{cases, table};
use pacesim_model::application::OwnApplication;
use pacesim_model::transport::OwnTransport;
use pacesim_model::{Load, Tcp};
use pacesim_parts::Own;
use pacesim_tcp::{Config, Profile, Variant};

use crate::ends::OwnEnds;
use crate::tcp::TcpTraffic;

/// An application of the program's own: two flows for each pair of nodes, one for each direction.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnDialogue {
    /// The application with its own keys.
    pub own: Own<OwnApplication>,
    /// The transport of its messages.
    pub over: Over,
}

cases! {
    /// A transport that carries the messages of an application. Its data are these messages, so leave
    /// out transfer and transfers.
    pub enum Over by "kind" {
        /// TCP. The client opens the connection, one flow for each direction.
        Tcp "tcp" (TcpTraffic)
    }
    or Ends(OwnEnds), "A transport of the program's own, with a connection for each direction."
}

table! {
    /// The keys that all applications of the program's own have.
    struct ApplicationKeys "applications" {
        over: Option<Over> as Option<Tagged<Over>>, "The transport of its messages; by default TCP with profile linux.", "{ kind = \"tcp\", profile = \"linux\" }";
    }
}

impl Over {
    /// Its connections.
    pub fn connections(&self) -> &TcpTraffic {
        match self {
            Over::Tcp(traffic) => traffic,
            Over::Ends(ends) => &ends.traffic,
        }
    }

    /// The transport in TCP's place, if there is one.
    pub fn transport(&self) -> Option<&OwnTransport> {
        match self {
            Over::Tcp(_) => None,
            Over::Ends(ends) => Some(&ends.own.make),
        }
    }

    /// Reports data that are not messages of the application.
    fn only_messages(&self, reader: &mut Reader<'_>) {
        let traffic = self.connections();
        let wrong = [
            (traffic.exchanges.is_some(), "exchanges"),
            (traffic.job.is_some(), "job"),
            (traffic.others.is_some(), "others"),
            (matches!(traffic.tcp.load, Load::Transfers(_)), "transfers"),
            (matches!(traffic.tcp.load, Load::Once(_)), "transfer"),
        ];
        for (_, key) in wrong.into_iter().filter(|(is_given, _)| *is_given) {
            let message = "the application says what is sent".to_owned();
            let help = format!("leave {key} out");
            reader.fault_once(&format!("over.{key}"), message, help);
        }
    }
}

/// TCP of Linux.
fn usual() -> Over {
    let config = Config::new(Profile::Linux, Variant::Sack);
    Over::Tcp(Tcp::new(Arc::new(config), Load::Endless).into())
}

impl OwnKinds for OwnDialogue {
    fn tables() -> Vec<&'static Table> {
        static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
        const COMMON: &[Row] = &[Row::KeysOf(ApplicationKeys::TABLE)];
        let with_common = |table: &'static Table| Table {
            name: table.name,
            doc: table.doc,
            rows: table.rows,
            common: COMMON,
        };
        let tables = TABLES.get_or_init(|| {
            let tables = Own::<OwnApplication>::tables().into_iter();
            tables.map(with_common).collect()
        });
        tables.iter().collect()
    }

    fn read_own(kind: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<OwnDialogue> {
        let own = Own::<OwnApplication>::read_own(kind, table, reader);
        let keys = ApplicationKeys::read_keys(table, reader);
        let (own, over) = (own?, keys?.over.unwrap_or_else(usual));
        over.only_messages(reader);
        Some(OwnDialogue { own, over })
    }

    fn write_own(&self, tag: &'static str, keys: &mut Keys) {
        self.own.write_own(tag, keys);
        let over = Some(self.over.clone());
        ApplicationKeys::write_keys(&ApplicationKeys { over }, keys);
    }
}

#[cfg(test)]
mod tests {
    use pacesim_parts::OF_APPLICATIONS;

    use super::*;

    #[test]
    fn parts_cannot_declare_the_common_keys() {
        for key in ApplicationKeys::TABLE.keys() {
            assert!(OF_APPLICATIONS.contains(&key.name), "{}", key.name);
        }
    }
}
