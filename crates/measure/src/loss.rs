//! Loss at a port and on the wire behind it.

/// The share of packets lost at a port or on its wire, from 0 to 1: `dropped` of those that `came`
/// to the port, and `lost` of those that `reached` the far end of the wire. `None` if there were none
/// of either.
///
/// A packet lost on the wire in a span of time arrived at the port earlier, perhaps before the span
/// began. Each part is therefore divided by the packets whose fate was decided with it.
///
/// ```
/// use pacesim_measure::loss_ratio;
///
/// assert_eq!(loss_ratio((1, 10), (0, 9)), Some(0.1));
/// assert_eq!(loss_ratio((5, 10), (1, 4)), Some(0.625));
/// // Nothing came any more, and half of what was on the wire was lost.
/// assert_eq!(loss_ratio((0, 0), (60, 120)), Some(0.5));
/// assert_eq!(loss_ratio((0, 0), (0, 0)), None);
/// ```
pub fn loss_ratio((dropped, came): (u64, u64), (lost, reached): (u64, u64)) -> Option<f64> {
    let share = |part: u64, whole: u64| match whole {
        0 => 0.0,
        // A pacer may hold packets from before the span until the queue drops them.
        _ => (part as f64 / whole as f64).min(1.0),
    };
    let at_port = share(dropped, came);
    (came + reached > 0).then(|| at_port + (1.0 - at_port) * share(lost, reached))
}
