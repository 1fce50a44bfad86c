//! A run in parts on several threads has the results of one on a single thread.

use pacesim::delays::Delays;
use pacesim::measure::record::Row;
use pacesim::model::Model;
use pacesim::scenario::Checked;
use pacesim::{Cut, World};
use pacesim_lab::expand;

use crate::dice::Dice;
use crate::ledger::Ledger;
use crate::rows::cells;
use crate::trial::{Failure, Fault};

/// Runs the scenario in drawn parts; the number of parts, or one if it cannot be divided. The world has
/// run.
pub(crate) fn try_parts(checked: &Checked, world: &World<Ledger>) -> Result<u32, Failure> {
    let mut model = expand(checked, checked.scenario().run.seed, 0);
    // Logs have an order in time, which keeps a run in one part.
    model.output = Default::default();
    let Some(cut) = drawn(&model, &mut Dice::new(world.fingerprint())) else {
        return Ok(1);
    };
    let delays = Delays::of_model(&model);
    let parted = World::on_threads(model, delays, &cut);
    let mut parted = parted.map_err(|error| Fault::Refused.seen(error))?;
    parted.run();
    let parts = cut.parts();
    let differs = |seen: String| Err(Fault::Differs.seen(format!("{seen}, {cut}")));
    if world.gave_up().is_some() || parted.gave_up().is_some() {
        let ends = [world.gave_up(), parted.gave_up()].map(|end| format!("{end:?}"));
        return if ends[0] == ends[1] {
            Ok(parts)
        } else {
            differs(ends.join(" and "))
        };
    }
    let whole = (world.fingerprint(), world.packet_hops(), world.in_flight());
    let in_parts = (
        parted.fingerprint(),
        parted.packet_hops(),
        parted.in_flight(),
    );
    if whole != in_parts {
        return differs(format!("{whole:x?} and {in_parts:x?}"));
    }
    if !are_same(&world.flow_rows(), &parted.flow_rows()) {
        return differs("rows of flows".to_owned());
    }
    if !are_same(&world.link_rows(), &parted.link_rows()) {
        return differs("rows of links".to_owned());
    }
    Ok(parts)
}

fn are_same<R: Row>(one: &[R], other: &[R]) -> bool {
    one.len() == other.len()
        && std::iter::zip(one, other).all(|(one, other)| cells(one) == cells(other))
}

/// Two to seven parts, to which pieces are given at random.
fn drawn(model: &Model, dice: &mut Dice) -> Option<Cut> {
    let pieces = Cut::pieces(model).ok()?;
    let count = pieces.iter().max()? + 1;
    let parts = 2 + dice.below(6);
    let part = |piece| {
        if piece == 0 {
            0
        } else {
            dice.below(parts) as u32
        }
    };
    let of_pieces: Vec<u32> = (0..count).map(part).collect();
    let of_nodes: Vec<u32> = pieces
        .iter()
        .map(|piece| of_pieces[*piece as usize])
        .collect();
    let cut = Cut::by_hand(model, &of_nodes).ok()?;
    Some(if dice.percent(50) {
        cut
    } else {
        cut.hesitating(dice.below(u64::MAX))
    })
}
