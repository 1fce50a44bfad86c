//! Shipped scenarios of textbook queues against theory: all cells jointly at 99.9 % confidence
//! (Bonferroni), over independent replications.

use std::sync::Mutex;

use pacesim::World;
use pacesim::measure::mean_interval;
use pacesim::scenario::{Checked, load};

const REPLICATIONS: u64 = 12;

/// Load, places, and the loss of M/M/1/K and of M/D/1/K: the closed form, and the embedded chain.
/// From a table computed independently of this project.
const LOSS: [(f64, u32, f64, f64); 24] = [
    (0.5, 2, 0.1428571, 0.09627448),
    (0.5, 3, 0.06666667, 0.02724216),
    (0.5, 5, 0.01587302, 0.002175963),
    (0.5, 10, 4.885198e-4, 4.05716e-6),
    (0.6, 2, 0.1836735, 0.1295353),
    (0.6, 5, 0.03262621, 0.006674342),
    (0.6, 10, 0.002427454, 5.791281e-5),
    (0.8, 2, 0.2622951, 0.1995703),
    (0.8, 3, 0.1734417, 0.103299),
    (0.8, 5, 0.0888195, 0.0352904),
    (0.8, 10, 0.02349286, 0.003639231),
    (0.8, 20, 0.002327309, 4.827176e-5),
    (0.9, 2, 0.298893, 0.2346371),
    (0.9, 5, 0.1260225, 0.0643619),
    (0.9, 10, 0.05081373, 0.01663175),
    (0.9, 20, 0.01365139, 0.001853176),
    (0.9, 50, 5.177792e-4, 3.646445e-6),
    (0.95, 10, 0.06942684, 0.03059559),
    (0.95, 20, 0.02718115, 0.00806865),
    (1.0, 2, 0.3333333, 0.2689414),
    (1.0, 5, 0.1666667, 0.1034489),
    (1.0, 10, 0.09090909, 0.05084746),
    (1.2, 5, 0.2505881, 0.1991467),
    (1.2, 10, 0.1925865, 0.1709108),
];

/// Below this, losses are too rare for the length of the runs.
const RAREST: f64 = 1e-4;

/// One statement: its name, the scenario, the reading, and the theory.
struct Cell {
    name: String,
    scenario: Checked,
    read: fn(&World) -> f64,
    theory: f64,
}

fn scenario(file: &str, sets: &[String]) -> Checked {
    let path = format!(
        "{}/../../scenarios/theory/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).expect("a shipped scenario");
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    load(file, &text, &sets, &()).expect("a good scenario")
}

fn loss(world: &World) -> f64 {
    world.link_rows()[0].loss_ratio.expect("packets arrive")
}

/// In service times: the server sends a mean packet in 1 ms.
fn mean_delay(world: &World) -> f64 {
    world.flow_rows()[0].delay_mean_s.expect("packets arrive") * 1e3
}

fn mean_queue(world: &World) -> f64 {
    world.link_rows()[0].queue_mean_pkts
}

fn load_and_places(rho: f64, places: u32, seconds: u32) -> Vec<String> {
    vec![
        format!(
            "flow.customers.traffic.rate={}kbps",
            (rho * 800_000.0).round()
        ),
        format!("link.server.buffer={places}pkts"),
        format!("run.duration={seconds}s"),
    ]
}

fn loss_cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (rho, places, exponential, constant) in LOSS {
        for (file, theory) in [("mm1k.toml", exponential), ("md1k.toml", constant)] {
            if theory < RAREST {
                continue;
            }
            let seconds = if theory < 0.01 { 800 } else { 200 };
            let scenario = scenario(file, &load_and_places(rho, places, seconds));
            let name = format!("loss of {file} at load {rho} with {places} places");
            cells.push(Cell {
                name,
                scenario,
                read: loss,
                theory,
            });
        }
    }
    cells
}

/// M/M/1/K: the mean number in the system divided by the rate of accepted arrivals (Little).
fn mm1k_delay(rho: f64, places: u32) -> f64 {
    let power = |n: u32| (0..n).fold(1.0, |p, _| p * rho);
    let weights: Vec<f64> = (0..=places).map(power).collect();
    let total: f64 = weights.iter().sum();
    let number: f64 = weights
        .iter()
        .zip(0u32..)
        .map(|(w, n)| w * f64::from(n))
        .sum::<f64>()
        / total;
    number / (rho * (1.0 - weights[places as usize] / total))
}

/// Pollaczek-Khinchine, in mean service times; `cv2` is the squared coefficient of variation of
/// sizes.
fn mg1_wait(rho: f64, cv2: f64) -> f64 {
    rho * (1.0 + cv2) / (2.0 * (1.0 - rho))
}

fn delay_cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (rho, places) in [(0.5, 3), (0.8, 5), (0.95, 20), (1.2, 10)] {
        let scenario = scenario("mm1k.toml", &load_and_places(rho, places, 200));
        let name = format!("delay of M/M/1/{places} at load {rho}");
        cells.push(Cell {
            name,
            scenario,
            read: mean_delay,
            theory: mm1k_delay(rho, places),
        });
    }
    // Whole bytes from 1 to 200 000 are equally likely except for the two ends, which count half.
    let (constant, uniform, exponential) = (
        "\"100KB\"",
        "{ uniform = [\"1B\", \"200KB\"] }",
        "{ exponential = \"100KB\" }",
    );
    // A tenth has 550 KB: the mean square is 3.25 times the square of the mean.
    let mixed =
        "{ mixture = [{ weight = 0.9, value = \"50KB\" }, { weight = 0.1, value = \"550KB\" }] }";
    let sizes = [
        (constant, 0.0),
        (uniform, 1.0 / 3.0),
        (exponential, 1.0),
        (mixed, 2.25),
    ];
    for (rho, size, cv2) in [0.3f64, 0.7, 0.85]
        .into_iter()
        .flat_map(|rho| sizes.map(|(s, c)| (rho, s, c)))
    {
        let sets = [
            format!(
                "flow.customers.traffic.rate={}kbps",
                (rho * 800_000.0).round()
            ),
            format!("flow.customers.traffic.size={size}"),
        ];
        let wait = mg1_wait(rho, cv2);
        let delay = format!("delay of M/G/1 at load {rho} with sizes {size}");
        let queue = format!("queue of M/G/1 at load {rho} with sizes {size}");
        let scenario = scenario("mg1.toml", &sets);
        // Little: the mean queue is the arrival rate times the mean wait.
        cells.push(Cell {
            name: queue,
            scenario: scenario.clone(),
            read: mean_queue,
            theory: rho * wait,
        });
        cells.push(Cell {
            name: delay,
            scenario,
            read: mean_delay,
            theory: 1.0 + wait,
        });
    }
    cells
}

/// The readings of a cell's replications.
fn simulate(cell: &Cell) -> Vec<f64> {
    let run = |replication| {
        let model = cell.scenario.expand(1, replication);
        let mut world = World::new(model).expect("a checked model");
        world.run();
        (cell.read)(&world)
    };
    (0..REPLICATIONS).map(run).collect()
}

/// Simulates the cells on two threads and lists those whose interval misses the theory.
fn failures(cells: &[Cell]) -> Vec<String> {
    let level = 1.0 - 0.001 / cells.len() as f64;
    let next = Mutex::new(cells.iter());
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(cell) = { next.lock().expect("no panic").next() } {
            let interval = mean_interval(&simulate(cell), level).expect("replications");
            if cell.theory < interval.low || cell.theory > interval.high {
                let line = format!("{}: theory {}, {interval:?}", cell.name, cell.theory);
                wrong.lock().expect("no panic").push(line);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    wrong.into_inner().expect("no panic")
}

#[test]
fn loss_agrees_with_theory_from_one_in_three_to_one_in_ten_thousand() {
    let cells = loss_cells();
    assert!(cells.len() > 35, "most cells are within reach");
    assert_eq!(failures(&cells), Vec::<String>::new());
}

#[test]
fn delays_and_queues_agree_with_little_and_pollaczek_khinchine() {
    assert_eq!(failures(&delay_cells()), Vec::<String>::new());
}

#[test]
fn a_wrong_theory_would_be_noticed() {
    let scenario = scenario("mm1k.toml", &load_and_places(0.8, 5, 200));
    // Three percent off.
    let cell = Cell {
        name: "off".into(),
        scenario,
        read: loss,
        theory: 0.0888195 * 1.03,
    };
    assert_eq!(failures(&[cell]).len(), 1);
}
