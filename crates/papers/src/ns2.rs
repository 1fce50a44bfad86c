//! ns-2's numbers on the papers' own networks: facts, with their seeds and intervals. Those without
//! pacers and FEC were measured by `scripts/ns2/papers.py` (`scenarios/papers/ns2.csv`), the others with
//! a second implementation of these in ns-2, in shorter runs (`ns2-pacers.csv`).

use pacesim_lab::claims::Claim;

use crate::shipped;

/// The files of the facts.
const FACTS: [&str; 2] = ["ns2.csv", "ns2-pacers.csv"];

/// The columns, in order.
const COLUMNS: &str = "id,claim,ns2,low,high,seeds,setup";

/// A number from ns-2.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) id: String,
    pub(crate) claim: String,
    pub(crate) ns2: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// All facts.
pub(crate) fn facts() -> Vec<Fact> {
    FACTS.into_iter().flat_map(facts_in).collect()
}

fn facts_in(file: &str) -> Vec<Fact> {
    let (_, text) = shipped::find(file).expect("it ships");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(COLUMNS), "{file}");
    lines.map(fact).collect()
}

/// The claims of an experiment, with ns-2's numbers where they exist.
pub(crate) fn beside(id: &str, claims: Vec<Claim>) -> Vec<Claim> {
    let facts = facts();
    let with_fact = |claim: Claim| {
        let mut facts = facts.iter().filter(|fact| fact.id == id);
        match facts.find(|fact| fact.claim == claim.claim) {
            Some(fact) => Claim {
                ns2: Some(fact.ns2),
                ns2_low: Some(fact.low),
                ns2_high: Some(fact.high),
                ..claim
            },
            None => claim,
        }
    };
    claims.into_iter().map(with_fact).collect()
}

/// A line of the file. A claim that contains commas is in quotes.
fn fact(line: &str) -> Fact {
    let cells = cells(line);
    let [id, claim, ns2, low, high, _seeds, _setup] = &cells[..] else {
        panic!("a fact of ns-2: {line}");
    };
    let number = |cell: &String| {
        cell.parse()
            .unwrap_or_else(|_| panic!("a fact of ns-2: {line}"))
    };
    Fact {
        id: id.clone(),
        claim: claim.clone(),
        ns2: number(ns2),
        low: number(low),
        high: number(high),
    }
}

fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for character in line.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            character => cells.last_mut().expect("never empty").push(character),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_an_interval_around_its_number_and_stands_once() {
        let facts = facts();
        for (i, fact) in facts.iter().enumerate() {
            assert!(fact.low <= fact.ns2 && fact.ns2 <= fact.high, "{fact:?}");
            let mut before = facts[..i].iter();
            assert!(!before.any(|other| (&other.id, &other.claim) == (&fact.id, &fact.claim)));
        }
    }

    #[test]
    fn a_claim_with_commas_is_in_quotes() {
        assert_eq!(cells("a,\"b, c\",1"), ["a", "b, c", "1"]);
    }
}
