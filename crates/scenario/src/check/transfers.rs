//! Checks of TCP's transfers and of their arrivals.

use pacesim_keys::{Arrivals, Pace, RecordedTransfers, Scenario, TcpTraffic, Unit, refused_load};
use pacesim_language::problem::Faults;
use pacesim_model::range::MOST_IN_TABLES;
use pacesim_model::{Load, Pause, PauseFrom, Sizes, TransferSizes, Transfers};
use pacesim_tcp::Amount;
use pacesim_units::{Bytes, Span};

use crate::resolve::Survey;

/// The minimum mean time between independent transfers.
const LEAST_GAP: Span = Span::from_ns(1);

const NOTHING: &str = "a transfer without data would never end";

pub(super) fn load(path: &str, load: &Load, faults: &mut Faults) {
    let help = "give at least \"1B\" or \"1pkt\", or leave it out for data without end";
    match load {
        Load::Once(Amount::Packets(0) | Amount::Bytes(Bytes(0))) => {
            faults.add(format!("{path}.transfer"), NOTHING).help(help);
        }
        Load::Scheduled(_) | Load::Exchange(_) | Load::Tasks(_) | Load::Messages(_) => {
            faults
                .add(
                    format!("{path}.transfers"),
                    "data at given times has no key in scenarios",
                )
                .help("write a model in code, or use transfers with arrivals from a file");
        }
        Load::Once(Amount::Bytes(bytes)) if bytes.0 > MOST_IN_TABLES => {
            let most = Bytes(MOST_IN_TABLES);
            faults
                .add(format!("{path}.transfer"), format!("{bytes} is too much"))
                .help(format!(
                    "give at most \"{most}\", or leave it out for data without end"
                ));
        }
        Load::Endless | Load::Once(_) => (),
        Load::Transfers(transfers) => of_many(&format!("{path}.transfers"), transfers, faults),
    }
}

fn of_many(path: &str, transfers: &Transfers, faults: &mut Faults) {
    match &transfers.size {
        TransferSizes::Bytes(Sizes::Constant(Bytes(0))) => {
            let help = "give at least \"1B\"";
            faults.add(format!("{path}.size"), NOTHING).help(help);
        }
        TransferSizes::Bytes(Sizes::Constant(size)) => size_limit(path, *size, faults),
        _ => (),
    }
    if transfers.count == Some(0) {
        faults
            .add(format!("{path}.count"), "no transfer at all")
            .help("give at least 1, or leave it out for no end");
    }
    let mean = match &transfers.pause {
        Pause::Constant(pause) => pause.to_number(),
        Pause::Drawn(distribution) => match distribution.sampler() {
            Ok(sampler) => sampler.mean(),
            // The check of drawn values reports the reason.
            Err(_) => return,
        },
    };
    if mean < LEAST_GAP.to_number() && transfers.pause_from == PauseFrom::Start {
        let message = "transfers that wait for nothing would all start at once";
        let help =
            format!("give a pause of at least \"{LEAST_GAP}\", or pause_from = \"last_ack\"");
        faults.add(format!("{path}.pause"), message).help(help);
    }
}

/// Consecutive transfers are drawn as 32 bits.
fn size_limit(path: &str, size: Bytes, faults: &mut Faults) {
    if size.0 > u64::from(u32::MAX) {
        let most = Bytes(u64::from(u32::MAX));
        faults
            .add(format!("{path}.size"), format!("{size} is too large"))
            .help(format!(
                "give at most \"{most}\", or one transfer of that size"
            ));
    }
}

/// Reports arrivals with too few or too many keys, or a load of something other than a link.
pub(crate) fn arrivals(survey: &Survey, scenario: &Scenario, faults: &mut Faults) {
    for (path, arrivals) in all_arrivals(scenario) {
        match arrivals {
            Arrivals::Poisson(pace) | Arrivals::Periodic(pace) | Arrivals::Users(pace) => {
                check_pace(&path, pace, faults);
            }
            Arrivals::Recorded(recorded) => {
                let arrivals = &recorded.file.recording.arrivals;
                super::recorded::arrivals(&format!("{path}.file"), arrivals, faults);
                if recorded.pace.is_given() {
                    check_pace(&path, &recorded.pace, faults);
                    pace_of_recording(&path, recorded, faults);
                }
            }
        }
        check_link(survey, &path, arrivals.pace(), faults);
    }
}

/// The arrivals of a scenario, with their keys.
pub(super) fn all_arrivals(scenario: &Scenario) -> Vec<(String, &Arrivals)> {
    let mut all = Vec::new();
    for (i, flow) in scenario.flows.iter().enumerate() {
        let Some(TcpTraffic {
            arrivals, others, ..
        }) = flow.traffic.connections()
        else {
            continue;
        };
        let path = |within: &str| format!("flow[{i}].traffic.{within}transfers.arrivals");
        all.extend(arrivals.iter().map(|arrivals| (path(""), arrivals)));
        let of_others = others.iter().filter_map(|others| others.arrivals.as_ref());
        // Arrivals that the others inherit from the group are the group's.
        let of_others = of_others.filter(|own| arrivals.as_ref() != Some(*own));
        all.extend(of_others.map(|arrivals| (path("others."), arrivals)));
    }
    all
}

fn check_pace(path: &str, pace: &Pace, faults: &mut Faults) {
    match (pace.every, pace.load) {
        (None, None) => {
            faults
                .add(path, "the rate of transfers is missing")
                .help("write every = \"10ms\", or load = 0.6 with of = \"core\"");
        }
        (Some(_), Some(_)) => {
            faults
                .add(format!("{path}.load"), "every and load exclude each other")
                .help("keep every or load");
        }
        (Some(every), None) if every < LEAST_GAP => {
            let message = format!("a transfer every {every} is more than a run can hold");
            let help = format!("give at least \"{LEAST_GAP}\"");
            faults.add(format!("{path}.every"), message).help(help);
        }
        (None, Some(load)) => {
            if let Some((message, help)) = refused_load(load) {
                faults.add(format!("{path}.load"), message).help(help);
            }
        }
        (Some(_), None) => {}
    }
}

fn check_link(survey: &Survey, path: &str, pace: &Pace, faults: &mut Faults) {
    match (&pace.of, pace.load) {
        (None, Some(_)) => {
            faults
                .add(
                    format!("{path}.of"),
                    "this key is missing, for there is a load",
                )
                .help("write of = \"core\"")
                .absence();
        }
        (Some(_), None) => {
            faults
                .add(format!("{path}.of"), "there is no load that refers to it")
                .help("leave it out, or give load = 0.6");
        }
        (Some(links), Some(_)) => {
            survey
                .network
                .links
                .resolve(links, &format!("{path}.of"), faults);
        }
        (None, None) => {}
    }
}

/// Reports a recording that cannot be stretched: the rate does not matter to that.
fn pace_of_recording(path: &str, recorded: &RecordedTransfers, faults: &mut Faults) {
    let key = if recorded.pace.load.is_some() {
        "load"
    } else {
        "every"
    };
    if let Err(error) = recorded.file.recording.lasting(LEAST_GAP) {
        let help = "leave it out, or give a recording that has a length";
        faults
            .add(format!("{path}.{key}"), error.message)
            .help(help);
    }
}
