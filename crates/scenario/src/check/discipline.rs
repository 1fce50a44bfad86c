//! Checks for mistakes in queue disciplines.

use pacesim_keys::{BulkRule, Discipline, LinkSpec, Queue};
use pacesim_language::problem::Faults;
use pacesim_units::{Bytes, Capacity, Span};

/// Reports mistakes of a discipline in front of a line whose other keys are at `path`.
pub(crate) fn check(
    path: &str,
    discipline: Option<&Discipline>,
    queue: Queue,
    faults: &mut Faults,
) {
    let Some(discipline) = discipline else {
        return;
    };
    if queue.mark.is_some() && !matches!(discipline, Discipline::DropTail) {
        faults
            .add(
                format!("{path}.mark"),
                "a queue with a discipline has no step of its own",
            )
            .help("leave mark out, or the discipline: CoDel's key ce_threshold marks by time");
    }
    if queue.bulks == BulkRule::Whole {
        faults
            .add(
                format!("{path}.bulks"),
                "a discipline takes packets one by one",
            )
            .help("leave bulks out, or the discipline");
    }
    keys(&format!("{path}.discipline"), discipline, faults);
}

/// Reports mistakes in the discipline's own keys.
fn keys(path: &str, discipline: &Discipline, faults: &mut Faults) {
    let target_and_other = match discipline {
        Discipline::Codel(spec) => Some((spec.target, "interval", spec.interval)),
        Discipline::FqCodel(spec) => Some((spec.codel.target, "interval", spec.codel.interval)),
        Discipline::Pie(spec) => Some((spec.target, "update", spec.update)),
        Discipline::DualPi2(spec) => {
            Some((spec.target, "update", spec.update.unwrap_or(spec.target)))
        }
        _ => None,
    };
    if let Some((target, name, other)) = target_and_other {
        times(path, &[("target", target), (name, other)], faults);
    }
    match discipline {
        Discipline::FqCodel(spec) => a_quantum(path, spec.quantum, faults),
        Discipline::Fq(spec) => a_quantum(path, spec.quantum, faults),
        Discipline::Drr { quantum } => a_quantum(path, *quantum, faults),
        Discipline::Red(spec) => red(path, (spec.min_th, spec.max_th), spec.weight, faults),
        Discipline::Slots { packet, .. } if *packet == Bytes::ZERO => {
            faults
                .add(format!("{path}.packet"), "a slot of 0 bytes has no length")
                .help("give the size of the packets");
        }
        Discipline::Tbf { burst, .. } if *burst == Bytes::ZERO => {
            faults
                .add(
                    format!("{path}.burst"),
                    "a bucket of 0 bytes never lets a packet go",
                )
                .help("give at least the largest packet's size");
        }
        Discipline::StrictPriority { sizes } => classes_by_size(path, sizes, faults),
        Discipline::Pie(spec) => gains(path, [Some(spec.alpha), Some(spec.beta)], faults),
        Discipline::DualPi2(spec) => {
            one_step(path, (spec.step, spec.step_pkts), faults);
            gains(path, [spec.alpha, spec.beta], faults);
        }
        _ => {}
    }
}

/// Complains of classes that no transfer would be in.
fn classes_by_size(path: &str, sizes: &[Bytes], faults: &mut Faults) {
    let before = std::iter::once(Bytes::ZERO).chain(sizes.iter().copied());
    for (i, (before, size)) in before.zip(sizes).enumerate() {
        if *size <= before {
            let message = format!("no transfer is larger than {before} and at most {size}");
            let help = "give rising sizes, as [\"10KB\", \"1MB\"]";
            faults.add(format!("{path}.sizes[{i}]"), message).help(help);
        }
    }
    let most = Bytes(u64::from(u32::MAX) - 1);
    if let Some(size) = sizes.last().filter(|size| **size > most) {
        let message = format!("{size} is beyond the largest size that packets state, {most}");
        let fault = faults.add(format!("{path}.sizes"), message);
        fault.help("leave that class out");
    }
}

/// Complains of ports that sort by size in a network where others read what transfers still have.
pub(crate) fn one_statement(links: &[(String, &LinkSpec)], faults: &mut Faults) {
    let all = links.iter().flat_map(|(path, spec)| {
        let back = format!("{path}.back.discipline");
        let there = (format!("{path}.discipline"), &spec.discipline);
        [there, (back, &spec.back.discipline)]
    });
    let all: Vec<(String, &Discipline)> = all
        .filter_map(|(path, discipline)| Some((path, discipline.as_ref()?)))
        .collect();
    let other = all
        .iter()
        .find(|(_, of)| matches!(of, Discipline::Pfabric | Discipline::Own(_)));
    let by_size = all
        .iter()
        .find(|(_, of)| matches!(of, Discipline::StrictPriority { sizes } if !sizes.is_empty()));
    if let (Some((path, _)), Some((other, _))) = (by_size, other) {
        let message = format!(
            "packets state the size of their transfer, or for {other} the data that it still has"
        );
        let help = "leave sizes out, or the other discipline";
        faults.add(format!("{path}.sizes"), message).help(help);
    }
}

fn times(path: &str, keys: &[(&str, Span)], faults: &mut Faults) {
    for (key, _) in keys.iter().filter(|(_, span)| *span == Span::ZERO) {
        faults
            .add(format!("{path}.{key}"), format!("{key} is 0"))
            .help("give a time above 0, or leave the key out for the reference's own");
    }
}

/// The greatest gain, in Hz: the law keeps gains as whole numbers of 32 bits.
const LARGEST_GAIN: f64 = 1e6;

/// Complains of gains of a law of probabilities that would turn it round, or have no place in it.
fn gains(path: &str, [alpha, beta]: [Option<f64>; 2], faults: &mut Faults) {
    for (key, gain) in [("alpha", alpha), ("beta", beta)] {
        if let Some(gain) = gain.filter(|gain| !(0.0..=LARGEST_GAIN).contains(gain)) {
            faults
                .add(
                    format!("{path}.{key}"),
                    format!("{gain} is not between 0 and a million Hz"),
                )
                .help("give a gain in Hz, such as 0.125, or leave the key out for the reference's own");
        }
    }
}

/// Complains of two steps, one of which would have no effect.
fn one_step(path: &str, steps: (Option<Span>, Option<u32>), faults: &mut Faults) {
    if let (Some(step), Some(packets)) = steps {
        let message = format!("step_pkts = {packets} stands in place of step = \"{step}\"");
        faults
            .add(format!("{path}.step_pkts"), message)
            .help("keep one of the two: step marks by time, step_pkts by packets left behind");
    }
}

fn a_quantum(path: &str, quantum: Bytes, faults: &mut Faults) {
    if quantum == Bytes::ZERO {
        faults
            .add(
                format!("{path}.quantum"),
                "with a quantum of 0 no flow ever has a turn",
            )
            .help("give the bytes that a flow may send at its turn, as \"1514B\"");
    }
}

fn red(path: &str, (min_th, max_th): (Capacity, Capacity), weight: f64, faults: &mut Faults) {
    let is_in_order = match (min_th, max_th) {
        (Capacity::Packets(min), Capacity::Packets(max)) => min < max,
        (Capacity::Bytes(min), Capacity::Bytes(max)) => min < max,
        _ => {
            faults
                .add(
                    format!("{path}.max_th"),
                    format!("{max_th} and min_th = {min_th} have no common unit"),
                )
                .help("give both in packets or both in bytes");
            return;
        }
    };
    if !is_in_order {
        faults
            .add(
                format!("{path}.min_th"),
                format!("min_th = {min_th} is not below max_th = {max_th}"),
            )
            .help("give a max_th above min_th: three times it is common");
    }
    if weight <= 0.0 {
        faults
            .add(
                format!("{path}.weight"),
                "with a weight of 0 the mean never moves",
            )
            .help("give a weight above 0, as 0.002");
    }
}
