//! Fabrics of switches: shared memories with dynamic thresholds, hashes of flows to links, fair
//! shares of given paths.

/// Each of `queues` queues that always have packets takes this share of a memory with dynamic
/// thresholds, in the steady state (Choudhury and Hahne, 1998).
pub fn threshold_share(alpha: f64, queues: f64) -> f64 {
    alpha / (1.0 + queues * alpha)
}

/// The bytes that queues take if they are filled one after the other, each until it is refused:
/// its reserve, and then cells as long as what it has of the rest is less than `alpha` times what is
/// free there.
pub fn filled_in_turn(pool: f64, alpha: f64, reserve: f64, queues: usize) -> Vec<f64> {
    let mut free = pool;
    let fill = |_| {
        let taken = (alpha * free / (1.0 + alpha)).ceil().min(free);
        free -= taken;
        reserve + taken
    };
    (0..queues).map(fill).collect()
}

/// The longest backlog, as a share of a memory with dynamic thresholds, that a burst of `rates` times its
/// line's rate builds up in an idle queue without a refusal while `queues` others always have packets,
/// as a fluid. These follow the falling threshold as long as it falls no faster than their lines serve
/// them, and are served all the time beyond that.
pub fn burst_backlog(alpha: f64, queues: f64, rates: f64) -> f64 {
    let growth = rates - 1.0;
    let following = alpha * growth / (1.0 + queues * alpha);
    let fall = match following <= 1.0 {
        true => following,
        false => alpha * (growth - queues),
    };
    growth * threshold_share(alpha, queues) / (growth + fall)
}

/// The headroom of an input that never overflows: the packet that crosses the threshold, the bytes of
/// the wire both ways, a packet just begun at either end, the frame, and the bytes sent until the
/// node upstream obeys.
pub fn headroom(rate_bps: f64, delay_s: f64, packet: f64, frame: f64, response_s: f64) -> f64 {
    rate_bps * (2.0 * delay_s + response_s) / 8.0 + 3.0 * packet + frame
}

/// HPCC's utilisation of a link by so many flows in the steady state: each adds its increase to the
/// target of all (SIGCOMM 2019, section 3.3). Above 1 a queue stands.
pub fn hpcc_utilisation(target: f64, flows: f64, additive_bps: f64, rate_bps: f64) -> f64 {
    target + flows * additive_bps / rate_bps
}

/// The probabilities that the busiest of `links` links has at most 0, 1, 2, ... of `flows` flows, if
/// a hash spreads these evenly: n! [x^n] (sum over j <= m of x^j/j!)^links / links^n.
pub fn busiest_link(flows: u32, links: u32) -> Vec<f64> {
    let flows = flows as usize;
    // For each limit, the probability that the links so far have none with more flows, and leave so
    // many to the others.
    let mut all_left = vec![0.0; flows + 1];
    all_left[flows] = 1.0;
    let mut left = vec![all_left; flows + 1];
    // Link by link: of the flows that are left, those on one of the remaining links are binomial.
    for others in (0..links).rev() {
        let share = 1.0 / f64::from(others + 1);
        let mut next = vec![vec![0.0; flows + 1]; flows + 1];
        let mut taken = vec![1.0];
        for n in 0..=flows {
            if n > 0 {
                one_more(&mut taken, share);
            }
            for (most, (left, next)) in left.iter().zip(&mut next).enumerate() {
                let chances = taken.iter().take(most + 1).enumerate();
                chances.for_each(|(taken, chance)| next[n - taken] += left[n] * chance);
            }
        }
        left = next;
    }
    left.into_iter().map(|left| left[0]).collect()
}

/// The binomial distribution of one trial more.
fn one_more(chances: &mut Vec<f64>, p: f64) {
    chances.push(0.0);
    for k in (1..chances.len()).rev() {
        chances[k] = chances[k - 1] * p + chances[k] * (1.0 - p);
    }
    chances[0] *= 1.0 - p;
}

/// The max-min fair rate of each path, a list of links with these capacities: the rates of all grow
/// together until a link is full, and those through it stay.
pub fn max_min(paths: &[Vec<usize>], capacities: &[f64]) -> Vec<f64> {
    let mut rates = vec![None; paths.len()];
    let mut room = capacities.to_vec();
    loop {
        let mut users = vec![0_u32; capacities.len()];
        let open = paths.iter().zip(&rates).filter(|(_, rate)| rate.is_none());
        open.flat_map(|(path, _)| path)
            .for_each(|link| users[*link] += 1);
        let shares = room.iter().zip(&users).enumerate();
        let shares = shares.filter(|(_, (_, users))| **users > 0);
        let shares = shares.map(|(link, (room, users))| (link, room / f64::from(*users)));
        let Some((full, share)) = shares.min_by(|(_, a), (_, b)| a.total_cmp(b)) else {
            return rates
                .into_iter()
                .map(|rate| rate.unwrap_or(f64::INFINITY))
                .collect();
        };
        for (path, rate) in paths.iter().zip(&mut rates) {
            if rate.is_none() && path.contains(&full) {
                *rate = Some(share);
                path.iter().for_each(|link| room[*link] -= share);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        let off = (found - expected).abs();
        assert!(
            off <= 1e-5 * expected.abs(),
            "{found} in place of {expected}"
        );
    }

    /// Two ways of 25 Gbps for a microsecond are 6250 bytes.
    #[test]
    fn headroom_holds_what_a_pause_needs() {
        close(headroom(25e9, 1e-6, 1048.0, 64.0, 0.0), 9458.0);
        close(
            headroom(100e9, 1e-6, 1500.0, 64.0, 2e-6),
            25_000.0 + 25_000.0 + 4564.0,
        );
        close(hpcc_utilisation(0.95, 16.0, 40e6, 100e9), 0.9564);
    }

    /// Fluid values computed elsewhere: others follow the threshold, or are served at their lines' rates.
    #[test]
    fn a_burst_has_what_the_threshold_leaves_it() {
        for (alpha, queues, rates, expected) in [
            (0.5, 1.0, 2.0, 0.25),
            (0.5, 1.0, 8.0, 0.233_333),
            (0.5, 3.0, 16.0, 0.142_857),
            (1.0, 1.0, 4.0, 0.3),
            (2.0, 3.0, 8.0, 0.133_333),
            (8.0, 1.0, 2.0, 0.470_588),
            (8.0, 3.0, 16.0, 0.043_243_2),
        ] {
            close(burst_backlog(alpha, queues, rates), expected);
        }
    }

    /// Values by exact fractions, computed elsewhere.
    #[test]
    fn the_busiest_link_has_the_loads_of_balls_in_bins() {
        let four = busiest_link(4, 4);
        for (most, expected) in [(1, 0.09375), (2, 0.796_875), (3, 0.984_375), (4, 1.0)] {
            close(four[most], expected);
        }
        let sixteen = busiest_link(16, 16);
        close(sixteen[1], 1.134_23e-6);
        close(sixteen[3], 0.768_844);
        close(busiest_link(32, 32)[3], 0.545_584);
    }

    #[test]
    fn saturated_queues_share_a_memory_by_alpha() {
        close(threshold_share(0.0625, 8.0), 0.041_666_7);
        close(threshold_share(8.0, 1.0), 8.0 / 9.0);
        let filled = filled_in_turn(240_086.0, 1.0, 74.0, 19);
        assert_eq!(filled[..4], [120_117.0, 60_096.0, 30_085.0, 15_079.0]);
        assert_eq!(filled[16..], [76.0, 75.0, 74.0]);
    }

    #[test]
    fn a_path_has_what_its_fullest_link_leaves_it() {
        // Two share link 0; the third shares link 1 with one of them, and takes what that leaves.
        let paths = [vec![0], vec![0, 1], vec![1]];
        assert_eq!(max_min(&paths, &[1.0, 2.0]), [0.5, 0.5, 1.5]);
        assert_eq!(max_min(&[vec![]], &[]), [f64::INFINITY]);
    }
}
