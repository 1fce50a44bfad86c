//! The result of a check.

use pacesim_lab::claims::Claim;
use pacesim_lab::plot::Figure;

/// The result of a check: its claims, its figure, and remarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The claims, in the paper's order.
    pub claims: Vec<Claim>,
    /// The picture; its points are also the stored data.
    pub figure: Option<Figure>,
    /// Remarks for the reader, such as conventions where the paper is silent.
    pub notes: Vec<String>,
}

impl Report {
    /// A report without claims.
    pub fn new() -> Report {
        Report::default()
    }

    /// Adds a claim.
    pub fn claim(mut self, claim: Claim) -> Report {
        self.claims.push(claim);
        self
    }

    /// Adds several claims.
    pub fn claims(mut self, claims: impl IntoIterator<Item = Claim>) -> Report {
        self.claims.extend(claims);
        self
    }

    /// Sets the figure.
    pub fn figure(mut self, figure: Figure) -> Report {
        self.figure = Some(figure);
        self
    }

    /// Adds a remark.
    pub fn note(mut self, note: impl Into<String>) -> Report {
        self.notes.push(note.into());
        self
    }
}
