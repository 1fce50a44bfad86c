//! Numbers held against thresholds.

/// A number of a case with its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    pub(crate) case: &'static str,
    pub(crate) what: &'static str,
    pub(crate) is: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Check {
    fn holds(&self) -> bool {
        (self.least..=self.most).contains(&self.is)
    }
}

/// Numbers of one case.
pub(crate) struct Numbers(pub(crate) &'static str, pub(crate) Vec<Check>);

impl Numbers {
    pub(crate) fn of(case: &'static str) -> Numbers {
        Numbers(case, Vec::new())
    }

    pub(crate) fn within(&mut self, what: &'static str, is: f64, least: f64, most: f64) {
        let case = self.0;
        self.1.push(Check {
            case,
            what,
            is,
            least,
            most,
        });
    }

    pub(crate) fn at_most(&mut self, what: &'static str, is: f64, most: f64) {
        self.within(what, is, f64::NEG_INFINITY, most);
    }

    pub(crate) fn at_least(&mut self, what: &'static str, is: f64, least: f64) {
        self.within(what, is, least, f64::INFINITY);
    }

    /// A number relative to the expected one.
    pub(crate) fn near(&mut self, what: &'static str, is: f64, expected: f64, off: f64) {
        self.within(what, is / expected, 1.0 - off, 1.0 + off);
    }

    pub(crate) fn is_so(&mut self, what: &'static str, is: bool) {
        self.at_least(what, f64::from(u8::from(is)), 1.0);
    }
}

/// Requires all limits to hold, apart from the known ones, which must not.
pub(crate) fn judge(numbers: Vec<Numbers>, known: &[(&str, &str)]) {
    let checks: Vec<Check> = numbers.into_iter().flat_map(|numbers| numbers.1).collect();
    for check in &checks {
        println!("{check:?}");
    }
    let broken = checks.iter().filter(|check| !check.holds());
    let broken: Vec<_> = broken.collect();
    let is_known = |check: &&&Check| known.contains(&(check.case, check.what));
    let unknown: Vec<_> = broken.iter().filter(|check| !is_known(check)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    for known in known {
        let mut breaks = broken.iter().map(|check| (check.case, check.what));
        assert!(breaks.any(|broken| broken == *known), "{known:?} holds now");
    }
}
