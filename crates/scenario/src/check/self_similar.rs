//! Checks of the conditions between the keys of long-range dependent traffic.

use pacesim_keys::{NoiseTraffic, ParetoOnOffTraffic, SessionTraffic};
use pacesim_language::problem::Faults;
use pacesim_model::range::{self, MEAN_PHASE};
use pacesim_units::{Bytes, Rate, Span};

use super::{offered, packet_size};

/// The maximum number of slots whose volumes a flow keeps.
const MOST_SLOTS: u64 = 1 << 22;
/// The maximum number of slots, or phases, per packet on average: all of them are drawn before it
/// is sent.
const MOST_PIECES: f64 = 10_000.0;
/// The maximum number of concurrent sessions.
const MOST_SESSIONS: f64 = 1e6;
/// The maximum number of ON-OFF sources of one flow, each with its next change in memory.
const MOST_SOURCES: u32 = 1_000_000;

pub(super) fn noise(path: &str, noise: &NoiseTraffic, run: Span, faults: &mut Faults) {
    let mut sound = packets(path, noise.rate, noise.size, "rate", faults);
    sound &= hurst(path, noise.hurst, true, faults);
    sound &= burstiness(path, noise.burstiness, noise.over, faults);
    let slot = format!("{path}.slot");
    if noise.slot.is_zero() {
        let message = "slots of no length";
        faults.add(slot, message).help("give a length above 0s");
        return;
    }
    let model = noise.in_model(run);
    if model.slots() > MOST_SLOTS {
        let least = Span::from_ps(run.as_ps().div_ceil(MOST_SLOTS));
        let message = format!("a run of {run} has more than {MOST_SLOTS} such slots");
        let help = format!("give slots of at least \"{least}\", or a shorter run");
        faults.add(slot, message).help(help);
        return;
    }
    let per_slot = noise.rate.as_bps() as f64 * noise.slot.as_secs_f64();
    if sound && per_slot * MOST_PIECES < noise.size.bits() as f64 {
        let message = format!("a packet of {} takes more than 10000 slots", noise.size);
        faults.add(slot, message).help("give longer slots");
    } else if sound && model.clipped().is_none() {
        let message = format!(
            "this is more than {:.4}, beyond which most slots would be empty",
            model.most_burstiness()
        );
        let help = "give less burstiness, or longer slots: over many short ones there is less";
        faults.add(format!("{path}.burstiness"), message).help(help);
    }
}

pub(super) fn sessions(path: &str, sessions: &SessionTraffic, faults: &mut Faults) {
    let mut sound = packets(path, sessions.rate, sessions.size, "rate", faults);
    sound &= hurst(path, sessions.hurst, false, faults);
    sound &= burstiness(path, sessions.burstiness, sessions.over, faults);
    let key = format!("{path}.mean_session");
    sound &= mean(&key, sessions.mean_session, faults);
    if !sound {
        return;
    }
    let model = sessions.in_model();
    let (number, peak) = (model.mean_number(), model.peak_bps());
    let most = range::source_rate(sessions.size).most;
    let path = format!("{path}.burstiness");
    if number > MOST_SESSIONS {
        let message = format!("this takes {number:.3e} sessions at a time");
        let help = "give more burstiness, at most a million sessions: their number is in proportion to 1 / burstiness^2";
        faults.add(path, message).help(help);
    } else if peak > most.as_bps() as f64 {
        let message = format!("this takes sessions of {peak:.3e} bps, {number:.3e} at a time");
        let help = "give less burstiness: the rate of a session is in proportion to its square";
        faults.add(path, message).help(help);
    } else {
        let packet_s = sessions.size.bits() as f64 / peak;
        if sessions.mean_session.as_secs_f64() * MOST_PIECES < packet_s {
            let message = "sessions are so short that a packet takes over 10000";
            faults.add(key, message).help("give a longer mean");
        }
    }
}

pub(super) fn on_off(path: &str, sources: &ParetoOnOffTraffic, faults: &mut Faults) {
    let sound = packets(path, sources.peak, sources.size, "peak", faults);
    if sources.sources > MOST_SOURCES {
        let message = format!("{} sources are more than a flow keeps", sources.sources);
        let help = format!("give at most {MOST_SOURCES}, or several flows");
        faults.add(format!("{path}.sources"), message).help(help);
    }
    hurst(path, sources.hurst, false, faults);
    mean(&format!("{path}.mean_off"), sources.mean_off, faults);
    let key = format!("{path}.mean_on");
    if mean(&key, sources.mean_on, faults) && sound {
        let packet = sources.peak.transmission_time(sources.size);
        let least = range::mean_on(packet.unwrap_or(Span::MAX)).least;
        if sources.mean_on < least {
            let message = "phases are so short that a packet takes over 10000";
            let help = format!("give at least \"{least}\"");
            faults.add(key, message).help(help);
        }
    }
}

/// True if packets of this size can be sent at this rate.
fn packets(path: &str, rate: Rate, size: Bytes, key: &str, faults: &mut Faults) -> bool {
    let before = faults.list.len();
    offered(&format!("{path}.{key}"), &rate.into(), size, faults);
    packet_size(&format!("{path}.size"), size, faults);
    faults.list.len() == before
}

fn hurst(path: &str, hurst: f64, or_half: bool, faults: &mut Faults) -> bool {
    let is_right = hurst < 1.0 && (hurst > 0.5 || or_half && hurst == 0.5);
    if !is_right {
        let message = format!("{hurst} is not a Hurst parameter of long-range dependent traffic");
        let help = if or_half {
            "give a number from 0.5 to below 1"
        } else {
            "give a number above 0.5 and below 1"
        };
        faults.add(format!("{path}.hurst"), message).help(help);
    }
    is_right
}

fn burstiness(path: &str, beta: f64, over: Span, faults: &mut Faults) -> bool {
    let is_positive = beta > 0.0 && beta.is_finite();
    if !is_positive {
        let message = format!("{beta} is not a burstiness");
        let help = "give a number above 0; for steady traffic use kind = \"cbr\"";
        faults.add(format!("{path}.burstiness"), message).help(help);
    }
    is_positive && mean(&format!("{path}.over"), over, faults)
}

/// True if a phase can have this mean length.
fn mean(path: &str, span: Span, faults: &mut Faults) -> bool {
    let is_right = MEAN_PHASE.contains(span);
    if !is_right {
        let message = format!("{span} is not accepted");
        let help = format!("give \"{}\" to \"{}\"", MEAN_PHASE.least, MEAN_PHASE.most);
        faults.add(path, message).help(help);
    }
    is_right
}
