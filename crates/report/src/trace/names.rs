//! Flows and links by name.

use pacesim_language::problem::suggest;

use crate::trace::error::TraceError;
use crate::trace::folder::{Flow, Link, Recording};

impl Recording {
    /// The id of a flow: "burst\[3\]", or "burst" if the group has one flow.
    pub fn flow(&self, name: &str) -> Result<u32, TraceError> {
        let exact = self.flows.iter().position(|flow| flow.name == name);
        let of_group = || {
            let mut of_group = self.flows.iter().enumerate();
            let mut of_group = of_group.by_ref().filter(|(_, flow)| flow.group == name);
            let first = of_group.next();
            first
                .filter(|_| of_group.next().is_none())
                .map(|(id, _)| id)
        };
        let found = exact.or_else(of_group).map(|id| id as u32);
        found.ok_or_else(|| self.no_such("flow", name, self.flows.iter().map(|f| &f.name)))
    }

    /// The id of a link.
    pub fn link(&self, name: &str) -> Result<u32, TraceError> {
        let found = self.links.iter().position(|link| link.name == name);
        let found = found.map(|id| id as u32);
        found.ok_or_else(|| self.no_such("link", name, self.links.iter().map(|l| &l.name)))
    }

    /// The name of a flow.
    pub fn flow_name(&self, id: u32) -> &str {
        self.flows
            .get(id as usize)
            .map_or("?", |flow: &Flow| &flow.name)
    }

    /// The name of a link.
    pub fn link_name(&self, id: u32) -> &str {
        self.links
            .get(id as usize)
            .map_or("?", |link: &Link| &link.name)
    }

    fn no_such<'a>(
        &self,
        kind: &str,
        name: &str,
        all: impl ExactSizeIterator<Item = &'a String>,
    ) -> TraceError {
        TraceError::NoSuch(format!(
            "{}: no {kind} is called {name:?}; {}",
            self.folder.display(),
            suggest(name, all.map(String::as_str))
        ))
    }
}
