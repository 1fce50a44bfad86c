//! The recursions and the elimination against an independent dense solve:
//! the whole matrix written down, Gaussian elimination with pivoting.

// Matrices read best by their indices.
#![allow(clippy::needless_range_loop)]

use pacesim_analytic::Service;
use pacesim_analytic::bulk::{Admission, BulkQueue, Bulks};
use pacesim_analytic::bulk_det;
use pacesim_analytic::markov::Banded;
use proptest::prelude::*;

type Matrix = Vec<Vec<f64>>;

fn zeros(n: usize) -> Matrix {
    vec![vec![0.0; n]; n]
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    let mut c = zeros(n);
    for i in 0..n {
        for k in 0..n {
            for j in 0..n {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// Solves x A = 0 with Σ x = 1 by Gaussian elimination with partial pivoting.
fn null_vector(a: &Matrix) -> Vec<f64> {
    let n = a.len();
    // Columns of A are the equations; the last one becomes the normalisation.
    let mut rows: Matrix = (0..n)
        .map(|j| (0..n).map(|i| a[i][j]).chain([0.0]).collect())
        .collect();
    rows[n - 1] = vec![1.0; n + 1];
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&i, &k| rows[i][column].abs().total_cmp(&rows[k][column].abs()))
            .unwrap();
        rows.swap(column, pivot);
        let pivot_row = rows[column].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != column {
                let factor = row[column] / pivot_row[column];
                for (x, p) in row.iter_mut().zip(&pivot_row) {
                    *x -= factor * p;
                }
            }
        }
    }
    (0..n).map(|i| rows[i][n] / rows[i][i]).collect()
}

/// The level of the queue after a bulk.
fn after_bulk(queue: &BulkQueue, n: usize, class: &Bulks) -> usize {
    match queue.admission {
        Admission::CompleteRejection if n + class.size > queue.places => n,
        _ => (n + class.size).min(queue.places),
    }
}

/// Rates of arrivals alone.
fn birth_generator(queue: &BulkQueue) -> Matrix {
    let mut g = zeros(queue.places + 1);
    for n in 0..=queue.places {
        for class in &queue.classes {
            g[n][after_bulk(queue, n, class)] += class.rate;
            g[n][n] -= class.rate;
        }
    }
    g
}

fn dense_exponential(queue: &BulkQueue) -> Vec<f64> {
    let mut g = birth_generator(queue);
    for n in 1..=queue.places {
        g[n][n - 1] += queue.service_rate;
        g[n][n] -= queue.service_rate;
    }
    null_vector(&g)
}

/// e^A by halving and squaring.
fn matrix_exponential(a: &Matrix) -> Matrix {
    const HALVINGS: i32 = 8;
    let n = a.len();
    let scale = f64::from(1 << HALVINGS);
    let small: Matrix = a
        .iter()
        .map(|r| r.iter().map(|x| x / scale).collect())
        .collect();
    let identity = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    let mut term: Matrix = (0..n)
        .map(|i| (0..n).map(|j| identity(i, j)).collect())
        .collect();
    let mut total = term.clone();
    for k in 1..=20 {
        term = multiply(&term, &small);
        for i in 0..n {
            for j in 0..n {
                term[i][j] /= f64::from(k);
                total[i][j] += term[i][j];
            }
        }
    }
    for _ in 0..HALVINGS {
        total = multiply(&total, &total);
    }
    total
}

/// e^{Gt} and its integral over [0, t], both from one exponential of twice the size.
fn transient(g: &Matrix, t: f64) -> (Matrix, Matrix) {
    let n = g.len();
    let mut block = zeros(2 * n);
    for i in 0..n {
        for j in 0..n {
            block[i][j] = g[i][j] * t;
        }
        block[i][n + i] = t;
    }
    let e = matrix_exponential(&block);
    let at_end = e[..n].iter().map(|r| r[..n].to_vec()).collect();
    let integral = e[..n].iter().map(|r| r[n..].to_vec()).collect();
    (at_end, integral)
}

/// The embedded chain at departures, then the time at each level.
fn dense_deterministic(queue: &BulkQueue) -> Vec<f64> {
    let places = queue.places;
    let service = 1.0 / queue.service_rate;
    let (at_end, time_at) = transient(&birth_generator(queue), service);
    let rate: f64 = queue.classes.iter().map(|c| c.rate).sum();
    // The level at the start of a service, given the level after the last departure.
    let mut start = zeros(places + 1);
    for class in &queue.classes {
        start[0][after_bulk(queue, 0, class)] += class.rate / rate;
    }
    for n in 1..=places {
        start[n][n] = 1.0;
    }
    let (ends, times) = (multiply(&start, &at_end), multiply(&start, &time_at));
    let mut step = zeros(places);
    for n in 0..places {
        step[n].copy_from_slice(&ends[n][1..]);
        step[n][n] -= 1.0;
    }
    let q = null_vector(&step);
    let cycle = service + q[0] / rate;
    let mut p = vec![0.0; places + 1];
    p[0] = q[0] / rate / cycle;
    for m in 1..=places {
        p[m] = (0..places).map(|n| q[n] * times[n][m]).sum::<f64>() / cycle;
    }
    p
}

fn queues() -> impl Strategy<Value = BulkQueue> {
    let admissions = prop_oneof![
        Just(Admission::CompleteRejection),
        Just(Admission::PartialAcceptance)
    ];
    (1usize..25, admissions, 0.2..3.0f64).prop_flat_map(|(places, admission, service_rate)| {
        let class = (0.01..1.0f64, 1..=places.min(7)).prop_map(|(rate, size)| Bulks { rate, size });
        prop::collection::vec(class, 1..4).prop_map(move |classes| BulkQueue {
            places,
            service_rate,
            classes,
            admission,
        })
    })
}

proptest! {
    #[test]
    fn cut_recursion_equals_the_dense_solve(queue in queues()) {
        let dense = dense_exponential(&queue);
        let ours = queue.solve().unwrap();
        for (p, d) in ours.queue.probabilities().iter().zip(&dense) {
            prop_assert!((p - d).abs() < 1e-11, "{p} {d}");
        }
    }

    #[test]
    fn embedded_chain_equals_the_dense_solve(queue in queues()) {
        let dense = dense_deterministic(&queue);
        let ours = bulk_det::solve(&queue).unwrap();
        for (p, d) in ours.queue.probabilities().iter().zip(&dense) {
            prop_assert!((p - d).abs() < 1e-11, "{p} {d}");
        }
    }

    #[test]
    fn work_is_conserved_under_deterministic_service(queue in queues()) {
        let solution = bulk_det::solve(&queue).unwrap();
        let taken: f64 = queue.classes.iter().zip(&solution.classes)
            .map(|(c, l)| c.rate * c.size as f64 * (1.0 - l.loss_customers)).sum();
        prop_assert!((solution.utilisation * queue.service_rate / taken - 1.0).abs() < 1e-11);
    }

    #[test]
    fn elimination_equals_the_recursion(queue in queues()) {
        let largest = queue.classes.iter().map(|c| c.size).max().unwrap();
        let mut chain = Banded::new(queue.places + 1, 1, largest);
        for n in 0..=queue.places {
            for class in &queue.classes {
                chain.add(n, after_bulk(&queue, n, class), class.rate);
            }
            if n > 0 {
                chain.add(n, n - 1, queue.service_rate);
            }
        }
        let eliminated = chain.stationary().unwrap();
        let recursion = queue.solve().unwrap().queue;
        for n in 0..=queue.places {
            // Relative, even in the tail: neither method loses digits there.
            let difference = eliminated.ln_probability(n) - recursion.ln_probability(n);
            prop_assert!(difference.abs() < 1e-12);
        }
    }

    #[test]
    fn elimination_equals_the_dense_solve_on_any_band(
        rates in prop::collection::vec(0.01..1.0f64, 12 * 6),
    ) {
        let n = 12;
        let (down, up) = (2usize, 3usize);
        let mut chain = Banded::new(n, down, up);
        let mut g = zeros(n);
        let mut rates = rates.into_iter();
        for from in 0..n {
            for to in from.saturating_sub(down)..=(from + up).min(n - 1) {
                if let (true, Some(rate)) = (from != to, rates.next()) {
                    chain.add(from, to, rate);
                    g[from][to] += rate;
                    g[from][from] -= rate;
                }
            }
        }
        let dense = null_vector(&g);
        let ours = chain.stationary().unwrap();
        for (p, d) in ours.probabilities().iter().zip(dense) {
            prop_assert!((p - d).abs() < 1e-12);
        }
    }

    #[test]
    fn percentiles_of_the_stay_bracket_its_distribution(queue in queues(), share in 0.01..0.999f64) {
        let solution = queue.solve().unwrap();
        for class in &queue.classes {
            let stay = Service::Exponential.sojourn(&queue, &solution.queue, class);
            let t = stay.percentile(share);
            prop_assert!((stay.longer_than(t) - (1.0 - share)).abs() < 1e-9);
        }
    }
}

#[test]
fn a_deep_tail_agrees_between_recursion_and_elimination() {
    let queue = BulkQueue {
        places: 20_000,
        service_rate: 1.0,
        classes: vec![
            Bulks { rate: 0.1, size: 1 },
            Bulks {
                rate: 0.02,
                size: 20,
            },
        ],
        admission: Admission::CompleteRejection,
    };
    let mut chain = Banded::new(queue.places + 1, 1, 20);
    for n in 0..=queue.places {
        for class in &queue.classes {
            chain.add(n, after_bulk(&queue, n, class), class.rate);
        }
        chain.add(n, n.saturating_sub(1), queue.service_rate);
    }
    let eliminated = chain.stationary().unwrap();
    let recursion = queue.solve().unwrap().queue;
    let top = queue.places;
    assert!(recursion.ln_probability(top) < -750.0, "beyond the floats");
    let difference = eliminated.ln_probability(top) - recursion.ln_probability(top);
    assert!(difference.abs() < 1e-9, "{difference}");
}
