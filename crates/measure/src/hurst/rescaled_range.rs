//! The Hurst parameter from the rescaled adjusted range.

use super::line::log_slope;

/// The shortest length and the least number of blocks: shorter ones bend the line, fewer ones vary.
const SHORTEST: usize = 32;
const LEAST_BLOCKS: usize = 8;

/// The R/S estimator (Hurst; Mandelbrot and Wallis): the range of the cumulative deviation from a
/// block's mean, divided by its standard deviation, grows as length^H. Averaged over blocks of
/// length 32, 64, … up to an eighth of the series. `None` below three lengths (1024 samples) or
/// where all blocks of a length are constant.
///
/// Biased towards 0.7 from both sides, with a wide spread: for trends only.
pub fn rescaled_range(series: &[f64]) -> Option<f64> {
    let longest = series.len() / LEAST_BLOCKS;
    let lengths = std::iter::successors(Some(SHORTEST), |length| Some(length * 2));
    let lengths = lengths.take_while(|&length| length <= longest);
    let pairs: Vec<_> = lengths
        .map(|length| Some((length as f64, mean_ratio(series, length)?)))
        .collect::<Option<_>>()?;
    log_slope(pairs.into_iter())
}

fn mean_ratio(series: &[f64], length: usize) -> Option<f64> {
    let ratios = series.chunks_exact(length).filter_map(ratio);
    ratios.collect::<crate::Running>().mean()
}

/// R/S of one block; `None` if it is constant.
fn ratio(block: &[f64]) -> Option<f64> {
    let n = block.len() as f64;
    let mean = block.iter().sum::<f64>() / n;
    let (mut level, mut low, mut high, mut squares) = (0.0f64, 0.0f64, 0.0f64, 0.0);
    for x in block {
        let deviation = x - mean;
        level += deviation;
        low = low.min(level);
        high = high.max(level);
        squares += deviation * deviation;
    }
    (squares > 0.0).then(|| (high - low) / (squares / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_of_a_small_block_is_as_by_hand() {
        // Deviations −1, −1, 1, 1: levels −1, −2, −1, 0; range 2, deviation 1.
        assert_eq!(ratio(&[0.0, 0.0, 2.0, 2.0]), Some(2.0));
        assert_eq!(ratio(&[5.0, 5.0]), None);
    }
}
