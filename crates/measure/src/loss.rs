//! What gets lost at a port and on the wire behind it.

/// Of packets that `came` to a port some were `dropped`; of those that `reached` the far
/// end of its wire some were `lost`. The share that does not get through both, 0 to 1.
///
/// What is lost on the wire in a span of time has come to the port earlier, perhaps before
/// the span began. So each part is held against those whose fate was decided with it.
///
/// ```
/// use pacesim_measure::loss_ratio;
///
/// assert_eq!(loss_ratio((1, 10), (0, 9)), 0.1);
/// assert_eq!(loss_ratio((5, 10), (1, 4)), 0.625);
/// // Nothing came any more, and half of what was on the wire was lost.
/// assert_eq!(loss_ratio((0, 0), (60, 120)), 0.5);
/// ```
pub fn loss_ratio((dropped, came): (u64, u64), (lost, reached): (u64, u64)) -> f64 {
    let share = |part: u64, whole: u64| match whole {
        0 => 0.0,
        // A pacer may hold what came before the span until the queue drops it.
        _ => (part as f64 / whole as f64).min(1.0),
    };
    let at_port = share(dropped, came);
    at_port + (1.0 - at_port) * share(lost, reached)
}
