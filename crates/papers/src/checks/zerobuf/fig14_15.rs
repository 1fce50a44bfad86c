//! The on-line hull of one delay class (Figs. 14 and 15): identical to one built from scratch,
//! punctual, and with a cost that does not grow with the packets waiting.

use pacesim::units::Span;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::Figure;
use pacesim_pacers::{Counted, Hull, HullConfig};

use super::hulls::{Compared, Cost, GAP, cost, cost_from_scratch, gaps, panel, power, trace};
use crate::{Context, Fault, Report};

/// Checks equality, deadlines and cost.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let compared = compared(context, |delay| delay)?;
    let bound = |waiting| GAP * waiting;
    let pacer = |waiting| Ok(Hull::<Counted>::counting(&HullConfig::new(bound(waiting)))?);
    let online = cost(context, |waiting, _| bound(waiting), pacer, Hull::steps)?;
    let scratch = cost_from_scratch(context, |waiting, _| bound(waiting));
    let figure = Figure::new("Cost of the on-line hull (zerobuf Figs. 14 and 15)");
    Ok(Report::new()
        .claims(compared.claims())
        .claim(constant(&online))
        .figure(figure.panel(panel(&online, &scratch)))
        .note(
            "Line 8 of Fig. 14 as printed merges pieces while the new piece is flatter. The text \
             says steeper, and only this yields a hull. A packet leaves when the exit curve passes \
             its last byte; the paper does not say which byte.",
        )
        .note(
            "Cost is a count of steps, independent of any clock. A step is a comparison of slopes, \
             or a piece of the hull that is passed or moved. `cargo bench` measures time and \
             instructions.",
        ))
}

/// Traces with one delay each, through pacers that assume a different one.
fn compared(context: &Context<'_>, taken_for: fn(Span) -> Span) -> Result<Compared, Fault> {
    let mut compared = Compared::default();
    for number in 0..context.scaled(60, 4) {
        context.check_in()?;
        let mut stream = context.stream(number, "hull", "trace");
        let delay = gaps(30.0, &mut stream);
        let packets = trace(&mut stream, |_| delay);
        let config = HullConfig::new(taken_for(delay));
        compared.play(&mut Hull::new(&config)?, &packets);
    }
    Ok(compared)
}

/// A cost of O(log n) would have an exponent of 0.14 here.
fn constant(cost: &Cost) -> Claim {
    let text = "steps of a packet, 1e2 to 1e5 waiting: power of n with which they grow";
    Claim::at_most(text, 0.05, power(cost, |n| n)).says("O(1) amortised time per packet arrival")
}

#[cfg(test)]
mod tests {
    use pacesim_lab::claims::Verdict;

    use super::super::super::breaking::{context, every_claim_breaks};
    use super::*;

    #[test]
    fn a_pacer_of_a_longer_delay_breaks_equality_and_deadlines() {
        let of = |taken_for| compared(&context(), taken_for).expect("it runs").claims();
        every_claim_breaks(&of(|delay| delay), &[&of(|delay| delay * 2)], &[]);
    }

    #[test]
    fn a_cost_that_grows_is_not_constant() {
        let with = |steps: fn(f64) -> f64| {
            let curve = [1e2, 1e3, 1e4, 1e5].map(|n| (n, steps(n)));
            constant(&curve.to_vec()).verdict
        };
        assert_eq!(with(|_| 3.0), Verdict::Pass);
        assert_eq!(with(libm::log), Verdict::Differs);
        assert_eq!(with(|n| n), Verdict::Differs);
    }
}
