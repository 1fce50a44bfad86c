//! `pacesim compare`.

use pacesim_lab::compare::compare as side_by_side;

use super::{Ended, fail};
use crate::args::CompareArgs;
use crate::contrast;
use crate::exit::Outcome;
use crate::output::print;

/// Compares two results. As in diff, anything that prevents the comparison has a separate exit
/// code, for any cause.
pub(crate) fn compare(args: &CompareArgs) -> Ended {
    let comparison = match side_by_side(&args.a, &args.b) {
        Ok(comparison) => comparison,
        Err(error) => return fail(args.json, Outcome::Invalid, error),
    };
    if args.json {
        print(&comparison.to_json())?
    } else {
        print(&contrast::text(&comparison, args.all))?
    }
    Ok(if comparison.is_same() {
        Outcome::Done
    } else {
        Outcome::Differs
    })
}
