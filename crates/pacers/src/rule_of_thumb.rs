//! The parameters that the papers give QLBP on a given link (qlbp11 III-C).

use pacesim_units::{Bytes, Capacity, Rate, Span};

use crate::config::{InvalidConfig, Problems, all_valid};
use crate::qlbp::QlbpConfig;

/// `mu_max` = (1+rho)/2 C, `mu_min` = rho/2 C, `Q_max` = `D_max` * `mu_max` for a line of rate C
/// with utilisation rho and a delay of at most `D_max`. `Q_max` is in whole bytes, rounded down;
/// the buffer is unlimited.
///
/// ```
/// use pacesim_pacers::rule_of_thumb;
/// use pacesim_units::{Rate, Span};
///
/// let config = rule_of_thumb(0.5, Rate::from_mbps(100), Span::from_ms(4))?;
/// assert_eq!(config.mu_max, Rate::from_mbps(75));
/// assert_eq!(config.mu_min, Some(Rate::from_mbps(25)));
/// assert_eq!(config.q_max.to_string(), "37.5KB");
/// # Ok::<(), pacesim_pacers::InvalidConfig>(())
/// ```
pub fn rule_of_thumb(
    utilisation: f64,
    line_rate: Rate,
    d_max: Span,
) -> Result<QlbpConfig, InvalidConfig> {
    check(utilisation, d_max)?;
    let capacity = line_rate.as_bps() as f64;
    let to_rate = |bps: f64| Rate::from_bps((bps + 0.5) as u64);
    let mu_max = to_rate((1.0 + utilisation) / 2.0 * capacity)
        .unwrap_or(line_rate)
        .min(line_rate);
    let config = QlbpConfig {
        mu_min: to_rate(utilisation / 2.0 * capacity),
        mu_max,
        q_max: Capacity::Bytes(mu_max.bytes_in(d_max).unwrap_or(Bytes(u64::MAX))),
        q_lim: Capacity::Unlimited,
        line_rate,
    };
    all_valid(config.validate())?;
    Ok(config)
}

fn check(utilisation: f64, d_max: Span) -> Result<(), InvalidConfig> {
    let mut problems = Problems::default();
    problems.require(
        (0.0..=1.0).contains(&utilisation),
        "utilisation",
        || format!("rho is the used part of the line, within 0..=1, but {utilisation}"),
        "give a fraction such as 0.8",
    );
    problems.require_sane_delay(d_max, "d_max");
    all_valid(problems.into_list())
}
