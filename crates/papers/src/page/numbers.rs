//! The numbers that the papers print, beside ours: one table, and a figure for each paper.

use pacesim_lab::claims::{Claim, Value};
use pacesim_lab::findings::Findings;
use pacesim_lab::plot::{DataPoint, Figure, Panel, Sign};
use pacesim_lab::statements::{Standing, Statement, statements};

use super::Pictures;

/// A printed number with ours.
struct Printed<'a> {
    id: &'a str,
    claim: &'a Claim,
    standing: Standing,
    ratio: DataPoint,
}

/// The printed numbers of a paper, in the order of its experiments.
fn printed<'a>(all: &[&'a Findings], paper: &str) -> Vec<Printed<'a>> {
    let of_paper = all.iter().filter(|found| paper_of(found) == paper);
    let mut numbers = Vec::new();
    for findings in of_paper {
        let statements = statements(findings);
        let claims = statements.iter().flat_map(|statement| {
            let claims = statement.claims.iter();
            claims.map(move |claim| (statement, *claim))
        });
        for (statement, claim) in claims {
            let x = numbers.len() as f64 + 1.0;
            numbers.extend(number(&findings.id, statement, claim, x));
        }
    }
    numbers
}

fn number<'a>(
    id: &'a str,
    statement: &Statement<'_>,
    claim: &'a Claim,
    x: f64,
) -> Option<Printed<'a>> {
    let (Some(Value::Number(paper)), Some(Value::Number(ours))) = (&claim.paper, &claim.ours)
    else {
        return None;
    };
    if *paper == 0.0 {
        return None;
    }
    let ends = claim.low.zip(claim.high);
    let interval = ends.map(|(low, high)| (low / paper, high / paper));
    let interval = interval.map(|(a, b)| (a.min(b), a.max(b)));
    Some(Printed {
        id,
        claim,
        standing: statement.standing_of(claim),
        ratio: DataPoint {
            x,
            y: ours / paper,
            interval,
            sign: Sign::None,
        },
    })
}

fn paper_of(findings: &Findings) -> &str {
    findings.id.split('/').next().unwrap_or_default()
}

/// The papers with printed numbers, in order.
fn papers<'a>(all: &[&'a Findings]) -> Vec<&'a str> {
    let mut papers: Vec<&str> = all.iter().map(|found| paper_of(found)).collect();
    papers.dedup();
    papers.retain(|paper| !super::score::OURS.contains(paper) && !printed(all, paper).is_empty());
    papers
}

/// One table of all printed numbers, and the figures.
pub(super) fn table(all: &[&Findings], pictures: &Pictures) -> String {
    let papers = papers(all);
    let count: usize = papers.iter().map(|paper| printed(all, paper).len()).sum();
    if count == 0 {
        return String::new();
    }
    let mut text = format!(
        "## The numbers that the papers print\n\nThe papers print {count} numbers that are compared here with ours.\n"
    );
    for paper in papers {
        let numbers = printed(all, paper);
        let name = name_of(paper, pictures);
        text += &format!("\n![Our numbers over those of {paper}]({name})\n");
        text += "\n| | experiment | number | paper | ours | ns-2 | ours over paper | standing |\n| ---: | --- | --- | ---: | ---: | ---: | ---: | --- |\n";
        for number in numbers {
            text += &row(&number);
        }
    }
    text
}

fn row(number: &Printed<'_>) -> String {
    let claim = number.claim;
    let paper = claim.shown().value(claim.paper.as_ref());
    let ns2 = claim.number_of_ns2().unwrap_or_default();
    let words = claim.claim.replace('|', "\\|");
    format!(
        "| {} | {} | {words} | {paper} | {} | {ns2} | {:.3} | {} |\n",
        number.ratio.x,
        number.id,
        claim.ours(),
        number.ratio.y,
        number.standing.text()
    )
}

/// The figure of each paper: each file next to the page, and its bytes.
pub(super) fn figures(all: &[&Findings], pictures: &Pictures) -> Vec<(String, Vec<u8>)> {
    let figures = papers(all).into_iter().map(|paper| {
        let svg = figure(paper, &printed(all, paper)).svg();
        (name_of(paper, pictures), svg.into_bytes())
    });
    figures.collect()
}

fn name_of(paper: &str, pictures: &Pictures) -> String {
    format!("{}/{paper}-numbers.svg", pictures.folder)
}

/// Our numbers over those of a paper, one place for each, by their standing.
fn figure(paper: &str, numbers: &[Printed<'_>]) -> Figure {
    let most = numbers.len() as f64 + 1.0;
    let mut panel = Panel::new("number in the table", "ours over paper");
    panel = panel.line("the paper", [(0.0, 1.0), (most, 1.0)]);
    for standing in Standing::ALL {
        let of_standing = numbers.iter().filter(|number| number.standing == standing);
        let points: Vec<DataPoint> = of_standing.map(|number| number.ratio).collect();
        if !points.is_empty() {
            panel = panel.points(standing.text(), points);
        }
    }
    let is_positive = |number: &Printed<'_>| {
        let least = number.ratio.interval.map_or(number.ratio.y, |(low, _)| low);
        least > 0.0
    };
    let panel = if numbers.iter().all(is_positive) {
        panel.log_y()
    } else {
        panel
    };
    Figure::new(format!("Our numbers over those that {paper} prints")).panel(panel)
}
