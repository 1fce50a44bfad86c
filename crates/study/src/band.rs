//! Ranges of the words by which papers compare numbers, the same in all studies.

use crate::keys::Band;

impl Band {
    /// The words.
    pub fn words(self) -> &'static str {
        match self {
            Band::NearlyConstant => "nearly constant",
            Band::Same => "approximately the same",
            Band::NoBetter => "no better",
            Band::NearOne => "quite close to 1",
            Band::NearlyFull => "nearly 100 %",
            Band::WhiteNoise => "white noise",
            Band::AsMuchAs => "as much as",
        }
    }

    /// True if the words are about a number beside them.
    pub(crate) fn needs_number(self) -> bool {
        self == Band::AsMuchAs
    }

    /// True if the words may be about a number other than 1.
    pub(crate) fn takes_number(self) -> bool {
        !matches!(self, Band::NearOne | Band::WhiteNoise)
    }

    /// The least and the greatest number that the words admit, relative to a number.
    pub(crate) fn bounds(self, of: f64) -> (Option<f64>, Option<f64>) {
        let shares = |least: f64, most: f64| (Some(of * least), Some(of * most));
        match self {
            Band::NearlyConstant => shares(0.8, 1.2),
            Band::Same => shares(0.9, 1.1),
            Band::NoBetter => (None, Some(of * 1.1)),
            // An index is at most 1 by itself; an interval about its mean may not be.
            Band::NearOne => (Some(0.85), None),
            Band::NearlyFull => (Some(of * 0.95), None),
            Band::WhiteNoise => (Some(-0.25), Some(0.25)),
            Band::AsMuchAs => {
                let ends = [0.5, 1.5].map(|share| 1.0 + share * (of - 1.0));
                (Some(ends[0].min(ends[1])), Some(ends[0].max(ends[1])))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jain's index of two groups of flows, one of which has r times the goodput of the other.
    fn jain_of_halves(r: f64) -> f64 {
        (1.0 + r) * (1.0 + r) / (2.0 * (1.0 + r * r))
    }

    #[test]
    fn an_index_quite_close_to_one_admits_what_the_papers_draw_so() {
        let (least, most) = Band::NearOne.bounds(1.0);
        let least = least.expect("a bound");
        assert!((jain_of_halves(2.4) - least).abs() < 0.006 && most.is_none());
        assert!(jain_of_halves(3.0) < least);
    }

    #[test]
    fn an_effect_is_a_distance_from_one() {
        for (of, least, most) in [(0.9, 0.85, 0.95), (1.1, 1.05, 1.15)] {
            let (a, b) = Band::AsMuchAs.bounds(of);
            let close = |a: Option<f64>, b: f64| (a.expect("a bound") - b).abs() < 1e-12;
            assert!(close(a, least) && close(b, most), "{of}: {a:?} {b:?}");
        }
    }
}
