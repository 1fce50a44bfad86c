//! Times, packets and steps in words.

use crate::trace::Step;
use pacesim_measure::record::{PacketKind, PacketOutcome, PacketRow};

/// A moment in seconds, to the picosecond, without trailing zeros.
pub(crate) fn moment(ps: u64) -> String {
    let text = format!("{}.{:012}", ps / PS, ps % PS);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} s")
}

const PS: u64 = 1_000_000_000_000;

/// A length of time with three decimals, in the unit that fits.
pub(crate) fn length(ps: u64) -> String {
    match ps {
        0 => "0 s".to_owned(),
        1..1_000_000 => format!("{:.3} ns", ps as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.3} us", ps as f64 / 1e6),
        1_000_000_000..PS => format!("{:.3} ms", ps as f64 / 1e9),
        _ => format!("{:.3} s", ps as f64 / 1e12),
    }
}

/// A number with six digits at most, or a dash for none.
pub(crate) fn number(value: Option<f64>) -> String {
    let Some(value) = value else {
        return "-".to_owned();
    };
    let exact = format!("{value:.5e}");
    let rounded: f64 = exact.parse().unwrap_or(value);
    rounded.to_string()
}

/// Kinds of packets.
pub(crate) const KINDS: [&str; 3] = ["data", "ACK", "repair packet"];

/// The kind of a packet.
pub(crate) fn kind(row: &PacketRow) -> &'static str {
    KINDS[kind_place(row)]
}

/// The place of a packet's kind among all.
pub(crate) fn kind_place(row: &PacketRow) -> usize {
    const ACK: u8 = PacketKind::Ack as u8;
    const AUXILIARY: u8 = PacketKind::Auxiliary as u8;
    match row.kind {
        ACK => 1,
        AUXILIARY => 2,
        _ => 0,
    }
}

/// A packet with its number: "data 7", "ACK of 7", "ACK of nothing yet".
pub(crate) fn packet(row: &PacketRow) -> String {
    match packet_parts(row) {
        (before, Some(seq), after) => format!("{before}{seq}{after}"),
        (whole, None, _) => whole.to_owned(),
    }
}

/// The words before a packet's number, the number, and the words behind it.
pub(crate) fn packet_parts(row: &PacketRow) -> (&'static str, Option<u64>, &'static str) {
    let after = match (row.repaired, row.retransmission) {
        (true, _) => " (repaired by FEC)",
        (_, true) => " (retransmitted)",
        _ => "",
    };
    match kind(row) {
        "ACK" if row.seq == u64::from(u32::MAX) => ("ACK of nothing yet", None, ""),
        "ACK" => ("ACK of ", Some(row.seq), ""),
        "data" => ("data ", Some(row.seq), after),
        _ => ("repair packet ", Some(row.seq), ""),
    }
}

/// The fate of a packet at a port.
pub(crate) fn outcome(row: &PacketRow) -> &'static str {
    const FATES: [(PacketOutcome, &str); 7] = [
        (PacketOutcome::Sent, "sent"),
        (PacketOutcome::DroppedFull, "dropped: the queue was full"),
        (
            PacketOutcome::DroppedScript,
            "dropped by the scenario's script",
        ),
        (PacketOutcome::LostWire, "sent, and lost on the wire"),
        (PacketOutcome::RefusedPacer, "dropped: the pacer was full"),
        (
            PacketOutcome::DroppedEarly,
            "dropped by the queue discipline, which had room",
        ),
        (
            PacketOutcome::DroppedLater,
            "taken by the queue discipline and dropped later",
        ),
    ];
    let known = FATES.iter().find(|(fate, _)| fate.code() == row.outcome);
    known.map_or("unknown", |(_, words)| words)
}

/// True if it left the port with a congestion mark (CE).
pub(crate) fn is_marked(row: &PacketRow) -> bool {
    row.ecn & 0b11 == 0b11
}

/// True for an acknowledgement with ECE.
pub(crate) fn echoes_mark(row: &PacketRow) -> bool {
    row.ecn & 0b1000 != 0
}

/// The word of a step.
pub(crate) fn step(step: Step) -> &'static str {
    match step {
        Step::Arrived => "arrived",
        Step::Released => "released",
        Step::Dropped => "dropped",
        Step::Left => "left",
        Step::Reached => "reached",
        Step::Lost => "lost",
    }
}
