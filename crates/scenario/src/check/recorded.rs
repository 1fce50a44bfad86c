//! Checks of the conditions on recorded traffic.

use pacesim_keys::RecordedTraffic;
use pacesim_language::problem::Faults;
use pacesim_model::Arrival;
use pacesim_tape::Tape;

use pacesim_recordings::recording::{Recording, Smooth};

pub(super) fn check(path: &str, traffic: &RecordedTraffic, faults: &mut Faults) {
    let recording = &traffic.file.recording;
    arrivals(&format!("{path}.file"), &recording.arrivals, faults);
    deal(&format!("{path}.deal"), traffic, faults);
    if let Err(error) = traffic.played() {
        let help = "leave it out, or give a recording that has a length, and a higher rate";
        faults.add(format!("{path}.rate"), error.message).help(help);
    }
    if let Some(smooth) = traffic.smooth {
        deadlines(path, &traffic.file.name, recording, smooth, faults);
    }
}

pub(super) fn arrivals(path: &str, arrivals: &Tape<Arrival>, faults: &mut Faults) {
    if !arrivals.iter().map(|arrival| arrival.at).is_sorted() {
        faults
            .add(path, "the recorded arrivals are not in order of time")
            .help("sort them");
    }
    if let Some(wrong) = arrivals
        .iter()
        .find(|a| a.size.0 == 0 || a.size.0 > u64::from(u32::MAX))
    {
        let message = format!("a recorded packet of {}", wrong.size);
        faults.add(path, message).help("give sizes from 1B");
    }
}

/// Reports packets that cannot be distributed among the members of a group.
fn deal(path: &str, traffic: &RecordedTraffic, faults: &mut Faults) {
    if !traffic.deal {
        return;
    }
    if traffic.file.recording.conversations.is_none() {
        let message = format!(
            "{} has no addresses to tell conversations by",
            traffic.file.name
        );
        faults
            .add(path, message)
            .help("give a packet capture, or leave deal out");
    }
    if traffic.smooth.is_some() {
        let message = "smoothed packets are sent by each member";
        faults.add(path, message).help("leave smooth or deal out");
    }
}

/// Reports deadlines that cannot be met.
fn deadlines(path: &str, file: &str, recording: &Recording, smooth: Smooth, faults: &mut Faults) {
    let Err(error) = recording.due(smooth) else {
        return;
    };
    let help = match recording.deadlines {
        None => {
            "add a column such as deadline_s to the file, or give one delay for all, as in smooth = \"10ms\""
        }
        Some(_) => {
            "give every packet a deadline not before its arrival and not before that of the packet in front of it, or one delay for all, as in smooth = \"10ms\""
        }
    };
    faults
        .add(format!("{path}.smooth"), format!("\"{file}\", {error}"))
        .help(help);
}
