//! H from the decay of the variance of block means with their length.

use super::line::log_slope;
use crate::{Running, Scale};

/// Fewer blocks give a poor estimate of a variance, and long-range dependence hides most of it.
const LEAST_BLOCKS: usize = 30;

/// The aggregated variance estimator: log variance of the means of blocks of length 1, 2, 4, …
/// against log length has slope 2H − 2. Lengths with under 30 blocks are left out. `None` below
/// three lengths (120 samples) or without variance.
///
/// The sample variance of few, long-range dependent means is low, and so is the estimate for H
/// above 0.8; non-stationarity makes it high.
pub fn aggregated_variance(series: &[f64]) -> Option<f64> {
    let mut means = series.to_vec();
    let mut variances = Vec::new();
    let mut length = 1.0;
    while means.len() >= LEAST_BLOCKS {
        let running: Running = means.iter().copied().collect();
        variances.push((length, running.variance()?));
        means = means
            .chunks_exact(2)
            .map(|pair| (pair[0] + pair[1]) / 2.0)
            .collect();
        length *= 2.0;
    }
    Some(1.0 + log_slope(variances.into_iter())? / 2.0)
}

/// H from the slope H − 1 of log β(s) against log s, over the scales with at least 30 intervals.
/// Leave out the short scales, below a few packets, where β is that of single packets. `None` below
/// three scales, or if β of one of them is not above zero.
///
/// ```
/// use pacesim_measure::{Burstiness, hurst};
/// use pacesim_units::{Bytes, Span, Time};
///
/// let mut bursts = Burstiness::new(Time::ZERO, Span::from_us(1), 4).expect("scales");
/// for us in 0..1000 {
///     let volume = Bytes(1500 * (us * us % 7)); // as good as independent
///     bursts.add(Time::ZERO + Span::from_us(us), volume);
/// }
/// let scales = bursts.scales(Time::ZERO + Span::from_ms(1));
/// assert!(hurst::from_burstiness(&scales[..3]).is_some());
/// ```
pub fn from_burstiness(scales: &[Scale]) -> Option<f64> {
    let enough = |scale: &&Scale| scale.volumes.count() >= LEAST_BLOCKS as u64;
    let pair = |scale: &Scale| Some((scale.interval.as_secs_f64(), scale.beta()?));
    let pairs: Vec<_> = scales
        .iter()
        .filter(enough)
        .map(pair)
        .collect::<Option<_>>()?;
    Some(1.0 + log_slope(pairs.into_iter())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Burstiness;
    use crate::testing::Random;
    use pacesim_units::{Bytes, Span, Time};

    #[test]
    fn the_burstiness_of_noise_gives_the_same_as_its_variance() {
        let noise = crate::fractional_noise::tests::series(0.8, 1 << 14, &mut Random::new(4));
        let volume = |x: f64| (1e6 + 1e5 * x) as u64;
        let mut bursts = Burstiness::new(Time::ZERO, Span::from_us(1), 20).expect("scales");
        for (i, &x) in noise.iter().enumerate() {
            bursts.add(Time::ZERO + Span::from_us(i as u64), Bytes(volume(x)));
        }
        let scales = bursts.scales(Time::ZERO + Span::from_us(1 << 14));
        let by_burstiness = from_burstiness(&scales).expect("long");
        let by_variance = aggregated_variance(&noise).expect("long");
        assert!(
            (by_burstiness - by_variance).abs() < 1e-4,
            "{by_burstiness} {by_variance}"
        );
    }

    #[test]
    fn poisson_packets_have_one_half() {
        let mut random = Random::new(8);
        let mut bursts = Burstiness::new(Time::ZERO, Span::from_us(1), 12).expect("scales");
        let mut now_ps = 0.0;
        while now_ps < 2e11 {
            bursts.add(Time::from_ps(now_ps as u64), Bytes(1250));
            now_ps += random.exponential() * 1e6;
        }
        let scales = bursts.scales(Time::from_ps(200_000_000_000));
        let hurst = from_burstiness(&scales).expect("long");
        assert!((hurst - 0.5).abs() < 0.02, "{hurst}");
    }
}
