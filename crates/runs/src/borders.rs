//! The borders of equal parts of the measured time.

use pacesim::model::Model;
use pacesim::units::{Span, Time};

/// The time at which the window of this number begins.
pub fn border(model: &Model, number: u64, windows: u64) -> Time {
    let measured = (model.duration - model.warmup).as_ps();
    let share = u128::from(measured) * u128::from(number) / u128::from(windows);
    let ps = u64::try_from(share).expect("a part of the measured time");
    Time::ZERO + model.warmup + Span::from_ps(ps)
}
