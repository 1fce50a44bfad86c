//! Losses in episodes: a loss ratio that hangs on few events.

/// A loss goes on all the time if it is in more than one of this many batches.
const ONE_IN: usize = 3;
/// Fewer episodes than these say little about the next one.
const FEW: f64 = 5.0;
/// The share of all losses that the episodes named have.
const MOST: f64 = 0.8;

/// The few episodes that most of a link's losses come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FewEpisodes {
    /// Least number of episodes that have most of the losses.
    pub(crate) episodes: usize,
    /// Share of the losses in these episodes.
    pub(crate) share: f64,
    /// Number of the batch with the last loss.
    pub(crate) last: usize,
}

/// The few episodes of these losses, by batches, with the packets that came; `None` without losses,
/// if they go on all the time, or if there are enough episodes. An episode is a sequence of batches
/// with losses; episodes of different size count as `(sum of losses)^2 / (sum of their squares)`
/// equal ones. Traffic in fewer than half of the batches is an event itself.
pub(crate) fn few_episodes(lost: &[u64], came: &[u64]) -> Option<FewEpisodes> {
    let last = lost.iter().rposition(|lost| *lost > 0)?;
    let with_any = |counts: &[u64]| counts.iter().filter(|count| **count > 0).count();
    let busy = with_any(came);
    if ONE_IN * with_any(lost) > busy || 2 * busy < lost.len() {
        return None;
    }
    let episodes = lost.split(|lost| *lost == 0);
    let mut sizes: Vec<u64> = episodes.map(|batches| batches.iter().sum()).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let all: f64 = sizes.iter().map(|size| *size as f64).sum();
    let squares: f64 = sizes.iter().map(|size| (*size as f64) * *size as f64).sum();
    if all * all / squares >= FEW {
        return None;
    }
    let mut share = 0.0;
    let episodes = sizes.iter().take_while(|size| {
        let goes_on = share < MOST;
        share += if goes_on { **size as f64 / all } else { 0.0 };
        goes_on
    });
    Some(FewEpisodes {
        episodes: episodes.count(),
        share,
        last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 batches with losses in some.
    fn of(episodes: &[(usize, u64)]) -> Option<FewEpisodes> {
        let mut lost = [0; 64];
        for (batch, count) in episodes {
            lost[*batch] = *count;
        }
        few_episodes(&lost, &[1000; 64])
    }

    #[test]
    fn few_episodes_are_told_with_the_last_loss() {
        let found = of(&[(3, 60), (4, 40), (9, 100), (30, 1)]).expect("two and a packet");
        assert_eq!((found.episodes, found.last), (2, 30));
        assert!((found.share - 200.0 / 201.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_burst_without_traffic_around_it_is_no_episode() {
        let (mut lost, mut came) = ([0; 64], [0; 64]);
        (lost[5], came[5], came[40]) = (100, 1000, 100);
        assert_eq!(few_episodes(&lost, &came), None);
        came[10..42].fill(100);
        assert!(few_episodes(&lost, &came).is_some());
    }

    #[test]
    fn one_large_episode_among_many_is_few() {
        let mut episodes: Vec<(usize, u64)> = (0..20).map(|i| (3 * i, 5)).collect();
        episodes[7].1 = 1000;
        assert_eq!(of(&episodes).expect("one").episodes, 1);
    }

    #[test]
    fn regular_losses_and_losses_all_the_time_are_not_few() {
        let regular: Vec<(usize, u64)> = (0..8).map(|i| (8 * i, 50)).collect();
        assert_eq!(of(&regular), None);
        assert_eq!(few_episodes(&[7; 64], &[1000; 64]), None);
        assert_eq!(few_episodes(&[0; 64], &[1000; 64]), None);
    }
}
