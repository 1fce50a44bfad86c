//! The judgement of claims under variants.

use crate::claims::OfVariant;
use pacesim_study::Expectation;
use pacesim_study::places::{replaced, selections_of};

use super::Judge;

impl Judge<'_> {
    /// The claim under each variant that has all of its points.
    pub(super) fn of_variants(&self) -> Vec<OfVariant> {
        let variants = self.study.variants();
        let all = variants.filter_map(|(place, name)| {
            let claim = self.with_variant(place)?;
            let judge = Judge::new(self.study, self.samples, &claim);
            let found = judge.find_unless(judge.left_open().as_ref());
            let interval = found.interval.filter(|_| !judge.is_identical);
            Some(OfVariant {
                variant: name.to_owned(),
                verdict: found.verdict,
                ours: found.ours,
                low: interval.map(|(low, _)| low),
                high: interval.map(|(_, high)| high),
            })
        });
        all.collect()
    }

    /// The claim at the points of a variant, if the variant has all of them.
    fn with_variant(&self, place: usize) -> Option<Expectation> {
        let axis = self.study.variant_axis()?;
        let mut claim = self.claim.clone();
        let is_stated = claim.at.contains(&(axis, vec![0]));
        claim.at = replaced(&claim.at, &vec![(axis, vec![place])]);
        let mut all = selections_of(self.study, &claim).into_iter();
        let has_all = all.all(|at| self.samples.point(self.study, &at).is_some());
        (is_stated && has_all).then_some(claim)
    }
}
