//! Faults that are warnings, with their kinds.

use pacesim_keys::WarningName;
use pacesim_language::problem::{Fault, Faults};

/// Faults that are warnings.
pub(crate) trait Warn {
    /// Adds a warning of this kind at `path`.
    fn warn(
        &mut self,
        name: WarningName,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Fault;
}

impl Warn for Faults {
    fn warn(
        &mut self,
        name: WarningName,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Fault {
        let fault = self.add(path, message);
        fault.kind = name.word();
        fault
    }
}
