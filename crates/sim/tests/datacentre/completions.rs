//! Completion times of transfers of htsim with TCP and DCTCP over leaves and spines, replayed by the
//! same list: each with its start, its size and its path.

use crate::cases::Case;
use crate::networks::{self, Network, Row};

/// Sizes at which the classes begin, and their names.
const CLASSES: [(u64, &str); 4] = [
    (0, "below 10 KB"),
    (10_000, "10 to 100 KB"),
    (100_000, "0.1 to 1 MB"),
    (1_000_000, "from 1 MB"),
];

/// Runs with other ties, whose median is judged.
const SEEDS: u64 = 9;

/// The slowdowns of both, sorted, of the transfers of a class.
struct Class {
    name: &'static str,
    theirs: Vec<f64>,
    ours: Vec<Vec<f64>>,
}

fn column(case: &Case, name: &str) -> Vec<f64> {
    case.table().map(|row| row.real(name)).collect()
}

/// The case's transfers, their times standing alone, and their times in htsim.
fn transfers(case: &Case) -> (Vec<Row>, Vec<[f64; 2]>) {
    let column = |name: &str| column(case, name);
    let [from, to, bytes, start, path] = ["src", "dst", "bytes", "start_us", "path"].map(column);
    let rows = (0..from.len()).map(|i| Row {
        start_us: start[i],
        from: from[i] as u64,
        to: to[i] as u64,
        bytes: networks::size(bytes[i] as u64),
        path: if from[i] as u64 / 4 == to[i] as u64 / 4 {
            0
        } else {
            path[i] as u64
        },
    });
    let times = column("standalone_us").into_iter().zip(column("fct_us"));
    (
        rows.collect(),
        times.map(|(alone, found)| [alone, found]).collect(),
    )
}

/// The slowdowns of our transfers, in the order of the list; none for one that has not ended.
fn slowdowns(case: &Case, rows: &[Row], times: &[[f64; 2]], seed: u64) -> Vec<f64> {
    let network = Network {
        shape: "shape = \"leaf_spine\"\nleaves = 8\nspines = 4\nhosts = 4".to_owned(),
        config: &case.settings,
        duration: case.real("end_us"),
        warmup: 0.0,
    };
    let mut world = networks::world(&network, rows, seed);
    let mut found = vec![f64::INFINITY; rows.len()];
    for row in world.take_transfers() {
        let flow = row.flow_id as usize;
        if let Some(end) = row.end_ps {
            found[flow] = (end - row.start_ps) as f64 / 1e6 / times[flow][0];
        }
    }
    found
}

/// The value that this share of sorted ones does not exceed.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted[place.clamp(1, sorted.len()) - 1]
}

/// The classes of a case in both simulators.
fn classes(case: &Case) -> Vec<Class> {
    let (rows, times) = transfers(case);
    let bytes = column(case, "bytes");
    let runs: Vec<Vec<f64>> = (1..=SEEDS)
        .map(|seed| slowdowns(case, &rows, &times, seed))
        .collect();
    let class = |(place, (from, name)): (usize, &(u64, &'static str))| {
        let below = CLASSES.get(place + 1).map_or(u64::MAX, |next| next.0);
        let members: Vec<usize> = (0..rows.len())
            .filter(|i| (*from..below).contains(&(bytes[*i] as u64)))
            .collect();
        let sorted = |of: &dyn Fn(usize) -> f64| {
            let mut all: Vec<f64> = members.iter().map(|i| of(*i)).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        Class {
            name,
            theirs: sorted(&|i| times[i][1] / times[i][0]),
            ours: runs.iter().map(|run| sorted(&|i| run[i])).collect(),
        }
    };
    CLASSES.iter().enumerate().map(class).collect()
}

/// A quantile of a class in both simulators.
pub(crate) struct Compared {
    pub(crate) text: String,
    /// True if theirs is within the tolerance of the case: 5 % for medians, 15 % for the slowest
    /// twentieth.
    pub(crate) is_close: bool,
    /// True if it must be within 10 %, and is not.
    pub(crate) is_wrong: bool,
}

/// Compares a case by class. Meetings of transfers are chaotic: theirs is one run, which must lie within
/// the range of ours, widened by the tolerance. Medians are judged up to half load. Slow transfers
/// differ: htsim's DCTCP begins with an alpha of 0 and cuts its window once a round trip while alpha is
/// above 0, marked or not, which is a part of it, and its TCP has neither SACK nor another end of
/// time-outs; above half load these decide medians too.
pub(crate) fn replay(case: &Case) -> Vec<Compared> {
    let is_light = case.real("load") <= 0.5;
    let compared = |class: &Class, share: f64| {
        let mut ours: Vec<f64> = class.ours.iter().map(|run| quantile(run, share)).collect();
        ours.sort_by(f64::total_cmp);
        let theirs = quantile(&class.theirs, share);
        let (low, high) = (quantile(&ours, 0.0), quantile(&ours, 1.0));
        let is_within =
            |tolerance: f64| (low * (1.0 - tolerance)..=high * (1.0 + tolerance)).contains(&theirs);
        let is_median = share == 0.5;
        Compared {
            text: format!(
                "{} {}, {} transfers, p{:.0}: {:.3} ({low:.3} to {high:.3}), htsim {theirs:.3}",
                case.name,
                class.name,
                class.theirs.len(),
                share * 100.0,
                quantile(&ours, 0.5),
            ),
            is_close: is_within(if is_median { 0.05 } else { 0.15 }),
            is_wrong: is_median && is_light && class.theirs.len() >= 20 && !is_within(0.1),
        }
    };
    let classes = classes(case);
    let each = classes
        .iter()
        .flat_map(|class| [(class, 0.5), (class, 0.95)]);
    each.map(|(class, share)| compared(class, share)).collect()
}
