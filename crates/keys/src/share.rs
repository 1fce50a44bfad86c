//! The members that make up a share of a group.

/// The members of a group whose multiples of the golden ratio have the lowest fractional parts:
/// evenly spread, and without a period that could coincide with one of the network.
pub fn chosen_evenly(share: f64, count: usize) -> Vec<bool> {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let place = |i: &usize| (*i as u64).wrapping_mul(GOLDEN);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by_key(place);
    let wanted = (share * count as f64 + 0.5) as usize;
    let mut chosen = vec![false; count];
    for i in order.into_iter().take(wanted) {
        chosen[i] = true;
    }
    chosen
}
