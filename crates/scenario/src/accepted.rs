//! The warnings that a scenario accepts.

use pacesim_keys::Accept;
use pacesim_language::problem::{Faults, Problem};

/// The entry that accepts warnings of this kind.
pub fn accepted<'a>(accepts: &'a [Accept], kind: &str) -> Option<&'a Accept> {
    accepts.iter().find(|accept| accept.warning.word() == kind)
}

/// The warnings that no entry accepts.
pub(crate) fn unaccepted(mut warnings: Vec<Problem>, accepts: &[Accept]) -> Vec<Problem> {
    warnings.retain(|warning| accepted(accepts, warning.kind).is_none());
    warnings
}

/// Reports entries without a reason, or of one kind.
pub(crate) fn check(accepts: &[Accept], faults: &mut Faults) {
    for (i, accept) in accepts.iter().enumerate() {
        if accept.because.trim().is_empty() {
            let help = "say why the warning is right to be ignored here";
            let path = format!("accept[{i}].because");
            faults.add(path, "there is no reason").help(help);
        }
        if accepts[..i]
            .iter()
            .any(|other| other.warning == accept.warning)
        {
            let message = format!("another entry accepts {} already", accept.warning.word());
            let help = "give one reason for all warnings of a kind";
            faults
                .add(format!("accept[{i}].warning"), message)
                .help(help);
        }
    }
}
