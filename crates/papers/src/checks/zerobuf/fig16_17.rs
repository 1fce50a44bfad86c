//! The on-line hull for any deadlines (Figs. 16 and 17): the same as one built from
//! scratch, earliest deadline first.

use pacesim::units::{FlowId, Span, Time};
use pacesim_core::random::{Rng, Stream};
use pacesim_pacers::{HullMulti, HullMultiConfig, Pending};

use super::super::served::{Passed, serve};
use super::brute_hull;
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// Random traces that are compared, and packets in each.
const TRACES: u64 = 60;
const PACKETS: u64 = 400;
const GAP_PS: u64 = 1_000_000;

/// A corner of a curve: time and work.
type Corner = (f64, f64);

/// Equality, deadlines, order, and the new corners of Fig. 16.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let found = compare(context)?;
    let (before, after) = fig16(100);
    let hulls = (hull(&before), hull(&after));
    let text = format!(
        "of {} packets with random deadlines, those released at another picosecond than by a \
         hull built from scratch",
        found.packets
    );
    Ok(Report::new()
        .claim(Claim::vanishes(text, found.different as f64, 0.0))
        .claim(Claim::vanishes(
            "of these, packets released after their deadline",
            found.late as f64,
            0.0,
        ))
        .claim(Claim::vanishes(
            "of these, packets released while one with an earlier deadline waited",
            found.out_of_order as f64,
            0.0,
        ))
        .claim(Claim::shows(
            "corners of the hull before and after one arrival in front of 100 packets (Fig. 16)",
            "any number may appear at once",
            format!("{} and {}", hulls.0.len(), hulls.1.len()),
            hulls.1.len() > 50 && hulls.0.len() < 5,
        ))
        .claim(cost())
        .figure(figure(&before, &after, &hulls)))
}

/// Not measured here: results of `reproduce` do not depend on a clock.
fn cost() -> Claim {
    let text = "cost of a packet against the packets waiting";
    Claim {
        verdict: pacesim_lab::claims::Verdict::NotRun,
        ours: None,
        ..Claim::shows(text, "O(log^2 n)", "", false)
    }
    .note(
        "a reproduction reads no clock; `cargo bench -p pacesim-pacers` measures time and \
         instructions for 10^2 to 10^6 packets",
    )
}

#[derive(Default)]
struct Found {
    packets: u64,
    different: u64,
    late: u64,
    out_of_order: u64,
}

fn compare(context: &Context<'_>) -> Result<Found, Fault> {
    let mut found = Found::default();
    for number in 0..context.scaled(TRACES, 4) {
        context.check_in()?;
        let mut stream = context.stream(number, "hull-multi", "trace");
        let packets = trace(&mut stream);
        let ours = serve(
            &mut HullMulti::new(&HullMultiConfig::new(Vec::new()))?,
            &packets,
        );
        let scratch = brute_hull::serve(&packets);
        let different = ours.iter().zip(&scratch).filter(|(a, b)| a != b).count();
        let missing = packets.len().abs_diff(ours.len());
        let deadline = |p: &Passed| packets[p.key as usize].1.deadline;
        found.packets += packets.len() as u64;
        found.different += (different + missing) as u64;
        found.late += ours.iter().filter(|p| p.release > deadline(p)).count() as u64;
        found.out_of_order += overtaken(&ours, deadline);
    }
    Ok(found)
}

/// Packets released although one that was already there was due before.
fn overtaken(passed: &[Passed], deadline: impl Fn(&Passed) -> Time) -> u64 {
    let waited = |(i, p): &(usize, &Passed)| {
        let later = &passed[i + 1..];
        later
            .iter()
            .any(|q| q.arrival < p.release && deadline(q) < deadline(p))
    };
    passed.iter().enumerate().filter(waited).count() as u64
}

/// Bursts and gaps; deadlines from at once to a hundred gaps later.
fn trace(stream: &mut Stream) -> Vec<(Time, Pending)> {
    let mut at = Time::ZERO;
    let packet = |key: u64| {
        let most = [1, 10, 2 * GAP_PS, 2 * GAP_PS][stream.next_u64() as usize % 4];
        at += Span::from_ps(stream.next_u64() % most);
        let size = 1 + (stream.next_u64() % 9000) as u32;
        let due = at + Span::from_ps(stream.next_u64() % (100 * GAP_PS));
        (at, Pending::new(key as u32, FlowId(0), size).due(due))
    };
    (0..PACKETS).map(packet).collect()
}

/// A deadline curve whose hull is one line, because it is late; and the same with a
/// large packet due before all others, which lifts it so that every corner shows.
fn fig16(packets: u32) -> (Vec<Corner>, Vec<Corner>) {
    let wait = 100.0;
    let mut work = 0.0;
    let curve: Vec<Corner> = (1..=packets)
        .map(|i| {
            // Ever smaller packets: concave by itself.
            work += 1000.0 - 5.0 * f64::from(i);
            (wait + f64::from(i), work)
        })
        .collect();
    let large = 1100.0 * wait;
    let lifted = std::iter::once((wait, large)).chain(curve.iter().map(|&(t, w)| (t, w + large)));
    let after = lifted.collect();
    (curve, after)
}

/// The corners of the upper concave hull from (0, 0) on, by gift wrapping.
fn hull(curve: &[Corner]) -> Vec<Corner> {
    let mut corners = vec![(0.0, 0.0)];
    let mut rest = curve;
    while let Some(&(x, y)) = corners.last()
        && !rest.is_empty()
    {
        let slope = |p: &Corner| (p.1 - y) / (p.0 - x);
        let steepest = |best: usize, i: usize| match slope(&rest[i]) >= slope(&rest[best]) {
            true => i,
            false => best,
        };
        let next = (0..rest.len()).fold(0, steepest);
        corners.push(rest[next]);
        rest = &rest[next + 1..];
    }
    corners
}

fn figure(before: &[Corner], after: &[Corner], hulls: &(Vec<Corner>, Vec<Corner>)) -> Figure {
    let panel = |title: &str, curve: &[Corner], hull: &[Corner]| {
        Panel::new("deadline", "work due (bytes)")
            .titled(title)
            .line("hull", hull.iter().copied())
            .points("deadlines", curve.iter().copied())
    };
    Figure::new("one arrival can uncover any number of corners (zerobuf Fig. 16)")
        .panel(panel("before the arrival", before, &hulls.0))
        .panel(panel("after it", after, &hulls.1))
}
