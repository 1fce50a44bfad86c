//! Kinds of claims.

use pacesim_study::{ClaimKind, InsteadOf as StudyInsteadOf};
use serde::{Deserialize, Serialize};

/// A kind of claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A statement of a paper about this system; only these make its score.
    Paper,
    /// The same statement under another value of a setting that the paper leaves open.
    Alternative,
    /// A law or a test of ours.
    #[default]
    Own,
}

impl Kind {
    /// The word for the kind in every table and document.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Paper => "paper",
            Kind::Alternative => "alternative",
            Kind::Own => "own",
        }
    }
}

impl From<ClaimKind> for Kind {
    fn from(kind: ClaimKind) -> Kind {
        match kind {
            ClaimKind::Paper => Kind::Paper,
            ClaimKind::Alternative => Kind::Alternative,
            ClaimKind::Own => Kind::Own,
        }
    }
}

/// The claim that an alternative stands beside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsteadOf {
    /// Words of the paper's claim.
    pub claim: String,
    /// The setting here: "buffer = 5pkts".
    pub setting: String,
}

impl From<&StudyInsteadOf> for InsteadOf {
    fn from(other: &StudyInsteadOf) -> InsteadOf {
        InsteadOf {
            claim: other.claim.clone(),
            setting: other.setting.clone(),
        }
    }
}
