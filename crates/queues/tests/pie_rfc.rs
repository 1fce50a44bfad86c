//! PIE by RFC 8033, compared with two models of its text that share no code with this crate.
//!
//! Packets of 1500 B at 120 % of a line of 10 Mbps for 10 s, then 80 % for 5 s. Twenty runs of ns-3.37, which does not spread drops:
//! 1653.9 drops (standard deviation 4.4) in the first 10 s, mean delay 19.84 ms (0.18); ten of a model of the text: 1653 (4.7), 20.07 ms (0.10).

use pacesim_queues::{Line, Pending, Pie, PieConfig, Queue, Turn};
use pacesim_units::{Capacity, FlowId, Time};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The drops of the first ten seconds, and the mean delay of the packets sent in that time, in
/// milliseconds.
fn run(seed: u64, derandomize: bool) -> (f64, f64) {
    let config = PieConfig {
        capacity: Capacity::Unlimited,
        derandomize,
        ..PieConfig::default()
    };
    let mut pie = Pie::new(&config, Xoshiro256PlusPlus::seed_from_u64(seed));
    let (mut busy, mut came) = (None::<u64>, Vec::new());
    let (mut drops, mut delay_ns, mut sent) = (0.0, 0.0, 0.0);
    for ns in (0..10_000_000_000u64).step_by(1_000_000) {
        let now = if ns == 0 { 0 } else { ns + 100 };
        let mut times: Vec<u64> = Vec::new();
        while let Some(end) = busy.take() {
            if end > now {
                busy = Some(end);
                break;
            }
            times.push(end);
            if let Turn::Go { key, .. } = pie.turn(Time::from_ps(end * 1000), Line::Free) {
                (delay_ns, sent) = (delay_ns + (end - came[key as usize]) as f64, sent + 1.0);
                busy = Some(end + 1_200_000);
            }
        }
        came.push(now);
        let packet = Pending::new(came.len() as u32 - 1, FlowId(0), 1500);
        drops += f64::from(u8::from(
            pie.arrive(Time::from_ps(now * 1000), packet).is_err(),
        ));
        if busy.is_none()
            && let Turn::Go { .. } = pie.turn(Time::from_ps(now * 1000), Line::Free)
        {
            sent += 1.0;
            busy = Some(now + 1_200_000);
        }
    }
    (drops, delay_ns / sent / 1e6)
}

fn means(derandomize: bool) -> (f64, f64) {
    let runs: Vec<(f64, f64)> = (0..20).map(|seed| run(seed, derandomize)).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| runs.iter().map(of).sum::<f64>() / 20.0;
    (mean(|run| run.0), mean(|run| run.1))
}

#[test]
fn drops_and_delays_are_those_of_the_models() {
    let (drops, delay) = means(false);
    // Three standard deviations of the mean of twenty runs, for both models.
    assert!((1649.0..1657.0).contains(&drops), "{drops}");
    assert!((19.7..20.3).contains(&delay), "{delay}");
    let (spread, _) = means(true);
    assert!((spread - drops).abs() < 6.0, "{spread} against {drops}");
}
