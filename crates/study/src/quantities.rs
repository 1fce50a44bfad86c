//! The quantities of formulas, kept by point.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The quantities of the values of a point, one for each axis; `None` for those that are not
/// formulas.
type OfPoint = Vec<Option<String>>;

/// The quantities found so far, by point.
#[derive(Default)]
pub(crate) struct Quantities(Mutex<BTreeMap<u64, OfPoint>>);

impl Quantities {
    pub(crate) fn get(&self, point: u64) -> Option<OfPoint> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&point).cloned()
    }

    pub(crate) fn insert(&self, point: u64, found: OfPoint) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(point, found);
    }
}
