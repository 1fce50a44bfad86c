//! Spectra of simulated traffic, against closed forms.

use crate::measures::{Measured, POISSON, world};

fn spectrum(traffic: &str, keys: &str) -> Measured {
    let measure =
        "[[measure]]\nname = \"s\"\nkind = \"spectrum\"\nlink = \"core\"\nat = \"offered\"\n";
    Measured::of(&(world(201, "", traffic) + measure + keys))
}

#[test]
fn packets_at_equal_distances_are_a_tone() {
    // One packet in four intervals, a pulse: equal amplitudes at 250 and 500 Hz, of which the
    // second has no mirror image.
    let cbr = r#"{ kind = "cbr", rate = "2Mbps", size = "1KB" }"#;
    let found = spectrum(cbr, "interval = \"1ms\"");
    found.assert_near("s.peak_hz", 250.0, 1e-9);
    found.assert_near("s.peak_ratio", 2.0 / 3.0, 1e-6);
}

#[test]
fn independent_packets_are_white() {
    let found = spectrum(POISSON, "interval = \"10ms\"");
    let slope = found.get("s.slope");
    assert!(slope.abs() < 0.03, "{slope}");
    found.assert_near("s.hurst", (1.0 - slope) / 2.0, 1e-12);
    // The variance of a Poisson number of packets of 1 KB in 10 ms, 10, over 50 Hz.
    let rows = found.tables["s"].lines().skip(1);
    let rows: Vec<Vec<f64>> = rows
        .map(|row| {
            row.split(',')
                .filter_map(|cell| cell.parse().ok())
                .collect()
        })
        .collect();
    let last = rows.last().expect("bands");
    let (density, frequencies) = (last[last.len() - 2], last[last.len() - 1]);
    let error = density / (10.0 * 1e6 / 50.0) - 1.0;
    assert!(error.abs() < 4.0 / frequencies.sqrt(), "{last:?}");
}

#[test]
fn fractional_noise_falls_as_its_hurst_parameter_says() {
    let noise = r#"{ kind = "fractional_noise", rate = "4Mbps", size = "100B", hurst = 0.85, burstiness = 0.2, over = "100ms", slot = "10ms" }"#;
    let found = spectrum(noise, "interval = \"10ms\"\nslope_from = \"100ms\"");
    let slope = found.get("s.slope");
    assert!((slope - (1.0 - 2.0 * 0.85)).abs() < 0.08, "{slope}");
}
