//! The published chain of the loss anomaly, to the digits computed for it.

use pacesim_analytic::bulk::{Admission, BulkQueue, BulkSolution, Bulks};
use pacesim_analytic::bulk_det;

fn anomaly_queue(buffer_kb: f64, admission: Admission) -> BulkQueue {
    let tcp = 0.94 / 5.0 * (1.0 - libm::exp(-buffer_kb / 7.0));
    BulkQueue {
        places: (buffer_kb * 5.0) as usize,
        service_rate: 1.0,
        classes: vec![
            Bulks {
                rate: 0.05,
                size: 1,
            },
            Bulks { rate: tcp, size: 5 },
        ],
        admission,
    }
}

fn solve(buffer_kb: f64, admission: Admission) -> BulkSolution {
    anomaly_queue(buffer_kb, admission).solve().unwrap()
}

#[track_caller]
fn assert_close(ours: f64, figure: f64) {
    assert!(
        (ours / figure - 1.0).abs() < 1e-6,
        "ours {ours}, figure {figure}"
    );
}

/// A figure printed with fewer digits than 1e-6 needs allows half a unit of its last digit.
#[track_caller]
fn assert_printed(ours: f64, figure: f64, last_digit: f64) {
    assert!(
        (ours - figure).abs() <= 0.5001 * last_digit,
        "ours {ours}, figure {figure}"
    );
}

#[test]
fn udp_loss_follows_fig_10_under_complete_rejection() {
    let figures = [
        (1.0, 0.022269846),
        (2.0, 0.0023299075),
        (3.0, 6.3824188e-4),
        (5.0, 2.3780587e-4),
        (6.0, 1.9930205e-4),
        (7.0, 1.8551984e-4),
        (8.0, 1.8551626e-4),
        (9.0, 1.9472391e-4),
        (10.0, 2.1095127e-4),
        (12.0, 2.599387e-4),
        (15.0, 3.6270302e-4),
        (20.0, 5.5331337e-4),
        (24.0, 6.6586274e-4),
        (30.0, 7.2703426e-4),
        (40.0, 6.4577802e-4),
        (50.0, 5.1020807e-4),
    ];
    for (kb, loss) in figures {
        let solution = solve(kb, Admission::CompleteRejection);
        assert_close(solution.classes[0].loss_customers, loss);
    }
    let at = |kb| solve(kb, Admission::CompleteRejection).classes[0].loss_customers;
    assert_printed(at(4.0), 3.3401e-4, 1e-8);
    assert_printed(at(25.0), 6.8489e-4, 1e-8);
    assert_printed(at(35.0), 7.0315e-4, 1e-8);
}

#[test]
fn tcp_bulk_loss_and_empty_probability_follow_too() {
    let figures = [
        (1.0, 0.15466705),
        (3.0, 0.013323875),
        (8.0, 0.0031946627),
        (10.0, 0.0034551747),
        (20.0, 0.0082391538),
        (30.0, 0.01061515),
        (50.0, 0.0074074054),
    ];
    for (kb, loss) in figures {
        let solution = solve(kb, Admission::CompleteRejection);
        assert_close(solution.classes[1].loss_bulks, loss);
    }
    for (kb, empty) in [(3.0, 0.62675016), (8.0, 0.31182675), (30.0, 0.032815214)] {
        let solution = solve(kb, Admission::CompleteRejection);
        assert_close(solution.queue.probabilities()[0], empty);
    }
}

#[test]
fn the_sixteen_states_of_fig_9_have_the_computed_probabilities() {
    let figures = [
        0.62675016,
        0.072408106,
        0.049435867,
        0.05152676,
        0.055007826,
        0.058786512,
        0.021757097,
        0.016586493,
        0.014175361,
        0.011607188,
        0.0086347586,
        0.00519972,
        0.0036022373,
        0.0024354593,
        0.0014482167,
        6.3824188e-4,
    ];
    let solution = solve(3.0, Admission::CompleteRejection);
    assert_eq!(solution.queue.len(), figures.len());
    for (p, figure) in solution.queue.probabilities().iter().zip(figures) {
        assert_close(*p, figure);
    }
}

#[test]
fn the_balance_equations_5_to_9_hold_at_3_kb() {
    let queue = anomaly_queue(3.0, Admission::CompleteRejection);
    let (udp, tcp) = (queue.classes[0].rate, queue.classes[1].rate);
    let p = queue.solve().unwrap().queue.probabilities().to_vec();
    let mut residuals = vec![p[0] * (udp + tcp) - p[1]]; // (5)
    for i in 1..=4 {
        residuals.push(p[i] * (udp + tcp + 1.0) - p[i - 1] * udp - p[i + 1]); // (6)
    }
    for i in 5..=10 {
        residuals.push(p[i] * (udp + tcp + 1.0) - p[i - 1] * udp - p[i + 1] - p[i - 5] * tcp); // (7)
    }
    for i in 11..=14 {
        residuals.push(p[i] * (udp + 1.0) - p[i - 1] * udp - p[i + 1] - p[i - 5] * tcp); // (8)
    }
    residuals.push(p[15] - p[14] * udp - p[10] * tcp); // (9)
    for (i, residual) in residuals.iter().enumerate() {
        assert!(residual.abs() < 1e-14, "state {i}: {residual:e}");
    }
}

#[test]
fn partial_acceptance_differs_as_computed() {
    let at = |kb| solve(kb, Admission::PartialAcceptance).classes[0].loss_customers;
    assert_printed(at(1.0), 0.0256345, 1e-7);
    assert_printed(at(3.0), 0.0016236, 1e-7);
    assert_printed(at(7.0), 6.70768e-4, 1e-9);
    assert_printed(at(8.0), 6.97217e-4, 1e-9);
    assert_printed(at(30.0), 0.00337645, 1e-8);
    assert_printed(at(50.0), 0.00239428, 1e-8);
}

#[test]
fn bulks_alone_lose_as_computed() {
    for (rate, places, loss) in [
        (0.10, 15, 0.035815265),
        (0.16, 15, 0.120882587),
        (0.19, 50, 0.038877307),
    ] {
        let queue = BulkQueue {
            places,
            service_rate: 1.0,
            classes: vec![Bulks { rate, size: 5 }],
            admission: Admission::CompleteRejection,
        };
        assert_close(queue.solve().unwrap().classes[0].loss_bulks, loss);
    }
}

/// A load with a tenth in single customers, the rest in bulks.
fn mixed(load: f64, places: usize, size: usize, admission: Admission) -> BulkQueue {
    let bulks = |load: f64, size: usize| Bulks {
        rate: load / size as f64,
        size,
    };
    BulkQueue {
        places,
        service_rate: 1.0,
        classes: vec![bulks(load * 0.1, 1), bulks(load * 0.9, size)],
        admission,
    }
}

#[track_caller]
fn assert_distribution(queue: &BulkQueue, solution: &BulkSolution) {
    let p = solution.queue.probabilities();
    // By parts: a plain sum of a million numbers alone has an error of 1e-11.
    let total: f64 = p.chunks(1_000).map(|part| part.iter().sum::<f64>()).sum();
    assert!((total - 1.0).abs() < 1e-12, "{total:e}");
    assert!(p.iter().all(|p| *p >= 0.0));
    assert!(solution.classes.iter().all(|c| c.ln_loss_bulks.is_finite()));
    // Inflow equals outflow: an identity that the recursion does not use.
    let classes = queue.classes.iter().zip(&solution.classes);
    let taken: f64 = classes
        .map(|(c, l)| c.rate * c.size as f64 * (1.0 - l.loss_customers))
        .sum();
    assert!(
        (taken / solution.utilisation - 1.0).abs() < 1e-9,
        "{:?} and {:?}",
        taken,
        solution.utilisation
    );
}

const LOADS: [f64; 7] = [0.01, 0.3, 0.9, 0.999, 1.0, 1.5, 3.0];
const ADMISSIONS: [Admission; 2] = [Admission::CompleteRejection, Admission::PartialAcceptance];

#[test]
fn probabilities_stay_a_distribution_up_to_a_million_states() {
    for load in LOADS {
        for (places, size) in [(1_000, 1), (100_000, 40), (1_000_000, 5)] {
            for admission in ADMISSIONS {
                let queue = mixed(load, places, size, admission);
                assert_distribution(&queue, &queue.solve().unwrap());
            }
        }
    }
}

#[test]
fn so_they_do_under_deterministic_service() {
    for load in LOADS {
        for (places, size) in [(30, 30), (1_000, 100), (50_000, 5)] {
            for admission in ADMISSIONS {
                let queue = mixed(load, places, size, admission);
                assert_distribution(&queue, &bulk_det::solve(&queue).unwrap());
            }
        }
    }
}
