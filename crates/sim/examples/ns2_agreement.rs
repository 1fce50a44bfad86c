//! Writes `docs/ns2-agreement.md`: the dumbbells of `scenarios/ns2` compared with ns-2's figures.
//!
//!     cargo run --release -p pacesim --example ns2_agreement -- [SEEDS] [SET...]
//!
//! Without sets it runs all of them and writes the page; with sets it only prints. Without SEEDS,
//! or with 0, each set runs as many seeds as it needs.

#[path = "../tests/ns2/cells.rs"]
mod cells;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use cells::{Cell, Figure, NAMES, agree, allowed, cells};

const INTRODUCTION: &str = include_str!("ns2_agreement.md");

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seeds = arguments.next().map_or(0, |text| {
        text.parse()
            .expect("the first argument is a number of seeds")
    });
    let sets: Vec<String> = arguments.collect();
    let wanted = |cell: &Cell| sets.is_empty() || sets.contains(&cell.set);
    let cells: Vec<Cell> = cells().into_iter().filter(wanted).collect();
    let page = page(&cells, &run_all(&cells, seeds));
    println!("{page}");
    if sets.is_empty() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ns2-agreement.md");
        std::fs::write(path, page).expect("the page can be written");
    }
}

/// The delays drawn in five runs of set A happen to lie low throughout; a mean over more runs is
/// closer to that of the distribution.
fn seeds_of(cell: &Cell) -> u64 {
    if cell.set.starts_with('A') { 15 } else { 5 }
}

/// The figures of all cells, computed on all cores.
fn run_all(cells: &[Cell], seeds: u64) -> Vec<[Figure; 3]> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![None; cells.len()]);
    let work = || {
        while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            let seeds = if seeds > 0 { seeds } else { seeds_of(cell) };
            let figures = cell.figures(1..=seeds);
            let place = cells.iter().position(|other| std::ptr::eq(other, cell));
            let place = place.expect("it is one of them");
            eprintln!("{}", row(cell, &figures));
            done.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(figures);
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| {
            scope.spawn(work);
        });
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_iter()
        .map(|figures| figures.expect("every cell was run"))
        .collect()
}

fn page(cells: &[Cell], ours: &[[Figure; 3]]) -> String {
    let mut text = INTRODUCTION.to_owned();
    let pairs = || {
        let ours = ours.iter().flatten();
        cells.iter().flat_map(|cell| cell.ns2).zip(ours)
    };
    let agreed = pairs().filter(|(ns2, ours)| agree(*ns2, **ours)).count();
    let total = pairs().count();
    let mut line = |words: &str| writeln!(text, "{words}").expect("a string takes all");
    line(&format!("\n{agreed} of {total} figures agree.\n"));
    line(&format!(
        "| set | buffer | seeds | {} | verdict |",
        NAMES.join(" | ")
    ));
    line(&format!("|{}", " --- |".repeat(7)));
    for (cell, ours) in cells.iter().zip(ours) {
        line(&row(cell, ours));
    }
    text
}

fn row(cell: &Cell, ours: &[Figure; 3]) -> String {
    let seeds = [cell.ns2[0].seeds, ours[0].seeds].map(|n| n.to_string());
    let mut columns = vec![cell.set.clone(), cell.buffer.clone(), seeds.join(", ")];
    let mut off = Vec::new();
    let forms = [(100.0, 2, " %"), (100.0, 3, " %"), (1.0, 1, " kb/s")];
    for (((name, ns2), ours), form) in NAMES.iter().zip(cell.ns2).zip(ours).zip(forms) {
        columns.push([shown(ns2, form), shown(*ours, form)].join(", "));
        if !agree(ns2, *ours) {
            let times = (ns2.mean - ours.mean).abs() / allowed(ns2, *ours);
            off.push(format!("{name} off by {times:.2} of the allowed"));
        }
    }
    columns.push(if off.is_empty() {
        "agrees".to_owned()
    } else {
        format!("**{}**", off.join(", "))
    });
    format!("| {} |", columns.join(" | "))
}

fn shown(figure: Figure, (factor, digits, unit): (f64, usize, &str)) -> String {
    let (mean, sd) = (figure.mean * factor, figure.sd * factor);
    if figure.seeds == 1 {
        return format!("{mean:.digits$}{unit}");
    }
    format!("{mean:.digits$} ± {sd:.digits$}{unit}")
}
