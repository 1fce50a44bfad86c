//! The order of wake-ups that tie.

use pacesim_units::Time;

use crate::random::mixed;

/// The order of wake-ups that are due at the same time and end activities that began together.
///
/// Components that are given to one owner after another are ranked: they tie by a word in which
/// the owner names itself, behind all others, since their numbers would depend on who was there
/// before.
///
/// The others tie by their numbers. A network without any noise then gives every tie to the same
/// input, for ever; so its order may be drawn anew at each instant, by a hash of a key, the time
/// and the component's name. That is a function of the model like any other order.
#[derive(Clone, Copy, Debug)]
pub struct Ties {
    /// The first component that is ranked.
    pub ranked_from: u32,
    /// The rule for ties that are drawn.
    pub drawn: Option<DrawnTies>,
}

/// Ties that are drawn. They stay between classes: links come before timers of ends, and these
/// before the timers of parts, which keep the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct DrawnTies {
    /// Key of the draws.
    pub key: u64,
    /// The number of links, whose components are the first.
    pub links: u32,
    /// The first component behind links and timers of ends.
    pub parts_from: u32,
}

/// The place of a component among those that tie with it: its class, its draw, its name.
pub type TiedPlace = (u8, u64, u64);

impl Ties {
    /// All components tie by their numbers.
    pub const BY_NUMBER: Ties = Ties {
        ranked_from: u32::MAX,
        drawn: None,
    };

    /// The place of a component with this word among those due at the same time.
    #[inline]
    pub fn place(&self, at: Time, id: u32, word: u64) -> TiedPlace {
        let (class, name) = match (id < self.ranked_from, self.drawn) {
            (false, _) => (RANKED, word),
            (true, Some(drawn)) if id < drawn.links => (LINKS, u64::from(id)),
            (true, Some(drawn)) if id >= drawn.parts_from => (PARTS, u64::from(id)),
            (true, _) => (ENDS, u64::from(id)),
        };
        let draw = self.drawn.filter(|_| class != PARTS);
        let draw = draw.map_or(0, |drawn| mixed(mixed(drawn.key ^ at.as_ps()) ^ name));
        (class, draw, name)
    }
}

/// Classes of components, in their order.
const LINKS: u8 = 0;
const ENDS: u8 = 1;
const PARTS: u8 = 2;
const RANKED: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: Ties = Ties {
        ranked_from: 30,
        drawn: Some(DrawnTies {
            key: 7,
            links: 10,
            parts_from: 20,
        }),
    };

    #[test]
    fn classes_keep_their_order_and_parts_that_of_their_numbers() {
        for ps in 0..200 {
            let place = |id| DRAWN.place(Time::from_ps(ps), id, 1000 - u64::from(id));
            let classes = (0..40).map(|id| place(id).0);
            assert!(classes.is_sorted(), "at {ps}");
            assert!((20..30).map(place).is_sorted(), "at {ps}");
        }
    }

    /// Each of ten links wins a tenth of the ties, and wins again as often as chance has it.
    #[test]
    fn every_link_wins_its_share_of_ties_whoever_won_before() {
        let winner = |ps: u64| {
            let links = 0..10;
            let place = |id: &u32| DRAWN.place(Time::from_ps(ps), *id, 0);
            links.min_by_key(place).expect("ten links") as usize
        };
        let instants = 20_000;
        // Packets of 1500 bytes at 10 Gbps: a regular spacing, as that of a bottleneck.
        let winners: Vec<usize> = (0..instants).map(|i| winner(i * 1_200_000)).collect();
        let mut wins = [0.0; 10];
        winners.iter().for_each(|link| wins[*link] += 1.0);
        let again = winners.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
        // Five standard deviations of a count of 2000.
        for count in wins.into_iter().chain([again]) {
            assert!(
                (count - 2000.0_f64).abs() < 5.0 * 1800.0_f64.sqrt(),
                "{count}"
            );
        }
    }

    #[test]
    fn ranked_components_are_drawn_by_their_words() {
        let place = |id, word| DRAWN.place(Time::from_ps(5), id, word);
        assert_eq!(
            place(31, 4),
            place(38, 4),
            "the number of the place is no name"
        );
        let first = (0..100)
            .filter(|word| place(30, *word) < place(30, word + 100))
            .count();
        assert!((25..75).contains(&first), "{first} of 100 by rank");
    }
}
