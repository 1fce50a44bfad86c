//! M/M/1/K and M/D/1/K against computed losses, and the limits they must meet.

use pacesim_analytic::queueing::{
    md1_mean_wait, md1k_loss, mean_in_system, mg1_mean_wait, mm1_mean_wait, mm1k_loss, singles,
};
use pacesim_analytic::{Service, SolveError, bulk_det};

/// ρ, K, loss of M/M/1/K, loss of M/D/1/K.
const FIGURES: [(f64, usize, f64, f64); 25] = [
    (0.5, 2, 0.1428571, 0.09627448),
    (0.5, 3, 0.06666667, 0.02724216),
    (0.5, 5, 0.01587302, 0.002175963),
    (0.5, 10, 4.885198e-4, 4.05716e-6),
    (0.5, 20, 4.768e-7, 1.41778e-11),
    (0.6, 2, 0.1836735, 0.1295353),
    (0.6, 5, 0.03262621, 0.006674342),
    (0.6, 10, 0.002427454, 5.791281e-5),
    (0.6, 20, 1.4625e-5, 4.448461e-9),
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
];

/// Within 1e-6, or within half a unit of the figure's own last printed digit.
#[track_caller]
fn assert_figure(ours: f64, figure: f64) {
    let digits = format!("{figure:e}").split('e').next().unwrap().len() - 2;
    let mut half_unit = 0.5001 * libm::pow(10.0, libm::floor(libm::log10(figure)));
    for _ in 0..digits {
        half_unit /= 10.0;
    }
    let allowed = half_unit.max(1e-6 * figure);
    assert!((ours - figure).abs() <= allowed, "{ours} for {figure}");
}

#[test]
fn losses_match_the_computed_figures() {
    for (load, places, mm, md) in FIGURES {
        assert_figure(mm1k_loss(load, places).unwrap(), mm);
        assert_figure(md1k_loss(load, places).unwrap(), md);
    }
    assert_figure(mm1k_loss(1.2, 10).unwrap(), 0.1925865);
    assert_figure(md1k_loss(1.2, 10).unwrap(), 0.1709108);
}

#[test]
fn one_place_loses_the_same_under_any_service() {
    for load in [0.01, 0.5, 1.0, 3.0] {
        let expected = load / (1.0 + load);
        assert!(
            (mm1k_loss(load, 1).unwrap() / expected - 1.0).abs() < 1e-14,
            "{:?} and {:?}",
            mm1k_loss(load, 1).unwrap(),
            expected
        );
        assert!(
            (md1k_loss(load, 1).unwrap() / expected - 1.0).abs() < 1e-13,
            "{:?} and {:?}",
            md1k_loss(load, 1).unwrap(),
            expected
        );
    }
}

#[test]
fn the_exponential_chain_gives_the_closed_form_of_mm1k() {
    for load in [0.01, 0.5, 0.99, 1.0, 1.01, 3.0] {
        for places in [1, 2, 17, 400] {
            let chain = singles(load, places).solve().unwrap();
            let closed = mm1k_loss(load, places).unwrap();
            let ratio = libm::exp(chain.classes[0].ln_loss_bulks) / closed;
            assert!(
                closed < 1e-290 || (ratio - 1.0).abs() < 1e-11,
                "{load} {places}"
            );
        }
    }
}

#[test]
fn md1k_is_stable_at_a_million_places_and_obeys_the_flow_law() {
    for load in [0.01, 0.5, 0.95, 1.0, 3.0] {
        for places in [100, 10_000, 1_000_000] {
            let solution = bulk_det::solve(&singles(load, places)).unwrap();
            let p = solution.queue.probabilities();
            let total: f64 = p.chunks(1_000).map(|c| c.iter().sum::<f64>()).sum();
            assert!((total - 1.0).abs() < 1e-12 && p.iter().all(|p| *p >= 0.0));
            // Work done = work accepted; the recursion does not use it.
            let taken = load * (1.0 - solution.classes[0].loss_customers);
            assert!(
                (solution.utilisation - taken).abs() < 1e-10,
                "{load} {places}"
            );
        }
    }
}

#[test]
fn the_deep_tail_of_md1k_decays_at_cramers_rate() {
    // p(n + 1)/p(n) -> 1/z with e^(ρ(z - 1)) = z, z > 1; far below the floats.
    for load in [0.001_f64, 0.01, 0.5, 0.9] {
        let mut z = (1.0 / (load * load)).min(500.0 / load);
        for _ in 0..2_000 {
            // Newton on the convex function e^(ρ(z - 1)) - z, from the right.
            let e = libm::exp(load * (z - 1.0));
            z -= (e - z) / (load * e - 1.0);
        }
        let queue = bulk_det::solve(&singles(load, 20_000)).unwrap().queue;
        let decay = queue.ln_probability(15_000) - queue.ln_probability(10_000);
        assert!(
            (decay / (-5_000.0 * libm::log(z)) - 1.0).abs() < 1e-12,
            "{load}"
        );
    }
}

#[test]
fn a_large_room_meets_pollaczek_and_khinchine() {
    for load in [0.1, 0.5, 0.9] {
        let det = bulk_det::solve(&singles(load, 2_000)).unwrap();
        let expected = mean_in_system(load, md1_mean_wait(load).unwrap());
        assert!(
            (det.queue.mean() / expected - 1.0).abs() < 1e-11,
            "{:?} and {:?}",
            det.queue.mean(),
            expected
        );
        let exp = singles(load, 2_000).solve().unwrap();
        let expected = mean_in_system(load, mm1_mean_wait(load).unwrap());
        assert!(
            (exp.queue.mean() / expected - 1.0).abs() < 1e-11,
            "{:?} and {:?}",
            exp.queue.mean(),
            expected
        );
    }
}

#[test]
fn stays_in_md1_follow_erlangs_distribution_of_the_wait() {
    // P(W <= t) = (1 - ρ) Σ_{k <= t} (-ρ(t - k))^k / k! e^(ρ(t - k)); the stay is
    // longer than t + 1 if the wait is longer than t.
    let erlang = |load: f64, t: u32| -> f64 {
        let term = |k: u32| {
            let x = load * f64::from(t - k);
            let factorial: f64 = (1..=k).map(f64::from).product();
            libm::pow(-x, f64::from(k)) / factorial * libm::exp(x)
        };
        (1.0 - load) * (0..=t).map(term).sum::<f64>()
    };
    for load in [0.3, 0.7] {
        let queue = singles(load, 300);
        let found = bulk_det::solve(&queue).unwrap().queue;
        let stay = Service::Deterministic.sojourn(&queue, &found, &queue.classes[0]);
        assert_eq!(stay.longer_than(0.5), 1.0, "not less than one service");
        for t in 0..8 {
            let ours = stay.longer_than(f64::from(t + 1));
            assert!((ours - (1.0 - erlang(load, t))).abs() < 1e-12, "{load} {t}");
        }
        let p99 = stay.percentile(0.99);
        assert!(stay.longer_than(p99) <= 0.01 && stay.longer_than(p99 - 1.0) > 0.01);
    }
}

#[test]
fn an_unstable_load_is_refused_with_the_admissible_range() {
    let error = mg1_mean_wait(1.0, 0.0).unwrap_err();
    assert!(matches!(error, SolveError::OutOfRange { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "load = 1 is not admissible: load must be above 0 and below 1"
    );
}
