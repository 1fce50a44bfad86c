//! The statements of a paper: claims of kind "paper" that repeat a sentence count once, and an alternative
//! stands beside the claim that it replaces.

use crate::claims::{Claim, Kind, Verdict};
use crate::findings::Findings;

/// A statement of a paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement<'a> {
    /// The sentence that several claims repeat, or the words of the only one.
    pub words: &'a str,
    /// Claims of kind "paper", all of which must hold.
    pub claims: Vec<&'a Claim>,
    /// The same under other values of a setting that the paper leaves open.
    pub alternatives: Vec<&'a Claim>,
    /// True if a setting was chosen so that it holds.
    pub is_fitted: bool,
}

/// Standing of a statement in the score of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It holds.
    Pass,
    /// It holds because a setting was fitted to it.
    Fitted,
    /// It differs, and an inferred setting, a variant or an alternative shows why.
    Shown,
    /// It differs, and a model or a bound shows why.
    Calculated,
    /// It differs, and ns-2 on the same network differs likewise.
    Ns2,
    /// It differs, and nothing explains it.
    Unexplained,
    /// The number is on the border of what is claimed, or undecided.
    Undecided,
    /// The run was too short.
    NotRun,
}

impl Standing {
    /// All, in the order of tables.
    pub const ALL: [Standing; 8] = [
        Standing::Pass,
        Standing::Fitted,
        Standing::Shown,
        Standing::Calculated,
        Standing::Ns2,
        Standing::Unexplained,
        Standing::Undecided,
        Standing::NotRun,
    ];

    /// The words in tables.
    pub fn text(self) -> &'static str {
        match self {
            Standing::Pass => "PASS",
            Standing::Fitted => "fitted",
            Standing::Shown => "DIFFERS, by a setting",
            Standing::Calculated => "DIFFERS, by calculation",
            Standing::Ns2 => "DIFFERS, as ns-2 does",
            Standing::Unexplained => "not explained",
            Standing::Undecided => "UNDECIDED",
            Standing::NotRun => "NOT RUN",
        }
    }
}

/// The statements among some findings, in the order of their first claims.
pub fn statements(findings: &Findings) -> Vec<Statement<'_>> {
    let mut all: Vec<Statement<'_>> = Vec::new();
    let is_fitted = |claim: &Claim| {
        let mut settings = findings.inferred.iter();
        settings.any(|setting| setting.variant.is_none() && setting.fitted == claim.claim)
    };
    for claim in of_kind(findings, Kind::Paper) {
        let words = claim.group.as_deref().unwrap_or(&claim.claim);
        let same =
            |statement: &&mut Statement<'_>| claim.group.is_some() && statement.words == words;
        match all.iter_mut().find(same) {
            Some(statement) => statement.claims.push(claim),
            None => all.push(Statement {
                words,
                claims: vec![claim],
                alternatives: Vec::new(),
                is_fitted: is_fitted(claim),
            }),
        }
    }
    for claim in of_kind(findings, Kind::Alternative) {
        let Some(other) = &claim.instead_of else {
            continue;
        };
        let mut statements = all.iter_mut();
        let found = statements.find(|one| one.claims.iter().any(|own| own.claim == other.claim));
        if let Some(statement) = found {
            statement.alternatives.push(claim);
        }
    }
    all
}

/// The claims of a kind.
pub fn of_kind(findings: &Findings, kind: Kind) -> impl Iterator<Item = &Claim> {
    findings
        .claims
        .iter()
        .filter(move |claim| claim.kind == kind)
}

impl<'a> Statement<'a> {
    /// The alternative under which a claim of it holds, if there is one.
    pub fn fits(&self, claim: &Claim) -> Option<&'a Claim> {
        let is_of = |other: &&&Claim| {
            let instead = other.instead_of.as_ref();
            instead.is_some_and(|instead| instead.claim == claim.claim)
        };
        let mut passing = self.alternatives.iter().filter(is_of);
        passing
            .find(|other| other.verdict == Verdict::Pass)
            .copied()
    }

    /// The standing of one of its claims.
    pub fn standing_of(&self, claim: &Claim) -> Standing {
        use crate::claims::Explanation::{Bound, Model, Ns2, Variant};
        match claim.verdict {
            Verdict::Pass if self.is_fitted => Standing::Fitted,
            Verdict::Pass => Standing::Pass,
            Verdict::NotRun => Standing::NotRun,
            Verdict::Differs | Verdict::Undecided => match claim.explanation() {
                Some(Variant) => Standing::Shown,
                Some(Model | Bound) => Standing::Calculated,
                Some(Ns2) => Standing::Ns2,
                None if self.fits(claim).is_some() => Standing::Shown,
                None if claim.verdict == Verdict::Undecided => Standing::Undecided,
                None => Standing::Unexplained,
            },
        }
    }

    /// The standing of the whole: the worst of those of its claims.
    pub fn standing(&self) -> Standing {
        let of_claims = self.claims.iter().map(|claim| self.standing_of(claim));
        of_claims
            .max_by_key(|standing| severity(*standing))
            .unwrap_or(Standing::NotRun)
    }
}

/// The order in which one claim spoils a statement.
fn severity(standing: Standing) -> usize {
    match standing {
        Standing::Pass => 0,
        Standing::Fitted => 1,
        Standing::NotRun => 2,
        Standing::Undecided => 3,
        Standing::Shown => 4,
        Standing::Calculated => 5,
        Standing::Ns2 => 6,
        Standing::Unexplained => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::InsteadOf;

    fn claim(words: &str, verdict: Verdict, kind: Kind) -> Claim {
        Claim {
            kind,
            verdict,
            ..Claim::shows(words, 1.0, true, "")
        }
    }

    fn findings(claims: Vec<Claim>) -> Findings {
        Findings {
            claims,
            ..Findings::default()
        }
    }

    #[test]
    fn claims_of_one_sentence_count_once_and_all_must_hold() {
        let of_group = |words: &str, verdict| Claim {
            group: Some("sooner".to_owned()),
            ..claim(words, verdict, Kind::Paper)
        };
        let own = claim("own", Verdict::Differs, Kind::Own);
        let all = |last| {
            findings(vec![
                of_group("a", Verdict::Pass),
                own.clone(),
                of_group("b", last),
            ])
        };
        for (last, standing) in [
            (Verdict::Pass, Standing::Pass),
            (Verdict::Differs, Standing::Unexplained),
            (Verdict::Undecided, Standing::Undecided),
        ] {
            let findings = all(last);
            let statements = statements(&findings);
            assert_eq!(statements.len(), 1);
            assert_eq!(statements[0].standing(), standing);
        }
    }

    #[test]
    fn an_alternative_that_holds_shows_why_the_claim_does_not() {
        let instead = |verdict| Claim {
            instead_of: Some(InsteadOf {
                claim: "a".to_owned(),
                setting: "acks = delayed".to_owned(),
            }),
            ..claim("a, delayed", verdict, Kind::Alternative)
        };
        for (verdict, other, standing) in [
            (Verdict::Differs, Verdict::Pass, Standing::Shown),
            (Verdict::Differs, Verdict::Differs, Standing::Unexplained),
            (Verdict::Pass, Verdict::Differs, Standing::Pass),
        ] {
            let findings = findings(vec![claim("a", verdict, Kind::Paper), instead(other)]);
            let statements = statements(&findings);
            assert_eq!(statements.len(), 1, "it is no statement of its own");
            assert_eq!(statements[0].standing(), standing);
        }
    }

    #[test]
    fn a_statement_that_chose_a_setting_does_not_count_as_reproduced() {
        let mut found = findings(vec![
            claim("a", Verdict::Pass, Kind::Paper),
            claim("b", Verdict::Pass, Kind::Paper),
        ]);
        found.inferred = vec![crate::findings::InferredSetting {
            setting: "the buffer".to_owned(),
            value: "22 packets".to_owned(),
            variant: None,
            fitted: "a".to_owned(),
            predicts: vec!["b".to_owned()],
            drawn: Vec::new(),
        }];
        let standings = statements(&found);
        let standings: Vec<_> = standings.iter().map(Statement::standing).collect();
        assert_eq!(standings, [Standing::Fitted, Standing::Pass]);
    }
}
