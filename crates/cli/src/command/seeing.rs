//! `pacesim export`, `explain` and `diff`.

use std::path::{Path, PathBuf};

use pacesim_lab::Span;
use pacesim_lab::compare::compare;
use pacesim_lab::seeing::export::{At, Format, Selection, export as write};
use pacesim_lab::seeing::{Recording, TraceError, diff as parting, explain as about};

use pacesim_lab::seeing::diff::Parting;
use serde_json::{Value, json};

use super::{Ended, fail};
use crate::args::{AtWord, DiffArgs, ExplainArgs, ExportArgs, FormatWord};
use crate::contrast;
use crate::exit::Outcome;
use crate::numbers::how_many;
use crate::output::print;

/// Writes a recording in another format.
pub(crate) fn export(args: &ExportArgs) -> Ended {
    let (format, ending) = match args.to {
        FormatWord::Pcapng => (Format::Pcapng, "pcapng"),
        FormatWord::Csv => (Format::Csv, "csv"),
        FormatWord::Qlog => (Format::Qlog, "sqlog"),
        FormatWord::Perfetto => (Format::Perfetto, "pftrace"),
    };
    let selection = Selection {
        flows: args.flow.clone(),
        links: args.link.clone(),
        at: match args.at {
            AtWord::Ports => At::Ports,
            AtWord::Senders => At::Senders,
            AtWord::Receivers => At::Receivers,
        },
    };
    let to = args.output.clone();
    let to = to.unwrap_or_else(|| beside(&args.results, ending));
    let exported = Recording::open(&args.results)
        .and_then(|recording| write(&recording, format, &selection, &to));
    match exported {
        Ok(exported) => {
            let events = how_many(exported.written as usize, "event");
            print(&format!("{}: {events} as {format}\n", to.display()))?;
            Ok(Outcome::Done)
        }
        Err(error) => refused(&error),
    }
}

/// The name of a file next to a folder.
fn beside(folder: &Path, ending: &str) -> PathBuf {
    let name = folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_path_buf());
    let mut name = name.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    folder.parent().unwrap_or(Path::new("")).join(name)
}

/// Answers a question about a recording.
pub(crate) fn explain(args: &ExplainArgs) -> Ended {
    let at = match args.at.as_deref().map(str::parse::<Span>).transpose() {
        Ok(at) => at,
        Err(error) => return fail(args.json, Outcome::Invalid, format!("--at: {error}")),
    };
    let answer = Recording::open(&args.results).and_then(|recording| {
        match (&args.flow, args.packet, at, &args.why_slow) {
            (Some(flow), Some(packet), _, _) => about::packet(&recording, flow, packet),
            (flow, _, Some(at), _) => about::moment(&recording, at.as_ps(), flow.as_deref()),
            (_, _, _, Some(flow)) => about::why_slow(&recording, flow),
            _ => unreachable!("the command line asks one question"),
        }
    });
    match answer {
        Ok(answer) => {
            if args.json {
                print(&format!("{}\n", answer.json()))?
            } else {
                print(&answer.to_string())?
            }
            Ok(Outcome::Done)
        }
        Err(error) => refused_as(args.json, &error),
    }
}

/// A divergence as JSON, with the comparison of the numbers.
fn parted(parting: &Parting, numbers: &Value) -> Value {
    json!({ "at_ps": parting.at_ps, "answer": parting.text.json(), "numbers": numbers })
}

/// Finds the transmission at which a run diverges from a recorded trace.
fn against_trace(args: &DiffArgs) -> Ended {
    let within = match args.within.as_deref().map(str::parse::<Span>).transpose() {
        Ok(within) => within.map(|within| within.as_ps()),
        Err(error) => return fail(args.json, Outcome::Invalid, format!("--within: {error}")),
    };
    match parting::diff_trace(&args.a, &args.b, args.flow.as_deref(), within) {
        Ok(parting) => {
            if args.json {
                print(&format!("{}\n", parted(&parting, &Value::Null)))?
            } else {
                print(&parting.text.to_string())?
            }
            Ok(if parting.differs {
                Outcome::Differs
            } else {
                Outcome::Done
            })
        }
        Err(error) => refused_as(args.json, &error),
    }
}

/// Finds the event at which two runs diverge.
pub(crate) fn diff(args: &DiffArgs) -> Ended {
    if args.b.is_file() {
        return against_trace(args);
    }
    let parting = match parting::diff(&args.a, &args.b) {
        Ok(parting) => parting,
        Err(error) => return refused_as(args.json, &error),
    };
    if !parting.differs {
        if args.json {
            print(&format!("{}\n", parted(&parting, &Value::Null)))?
        } else {
            print(&parting.text.to_string())?
        }
        return Ok(Outcome::Done);
    }
    let comparison = match compare(&args.a, &args.b) {
        Ok(comparison) => comparison,
        Err(error) => return fail(args.json, Outcome::Invalid, error),
    };
    if args.json {
        print(&format!("{}\n", parted(&parting, &json!(comparison))))?
    } else {
        print(&format!(
            "{}\n{}",
            parting.text,
            contrast::text(&comparison, false)
        ))?
    }
    Ok(Outcome::Differs)
}

pub(super) fn refused(error: &TraceError) -> Ended {
    refused_as(false, error)
}

fn refused_as(as_json: bool, error: &TraceError) -> Ended {
    let outcome = if error.is_usage() {
        Outcome::Invalid
    } else {
        Outcome::Failed
    };
    fail(as_json, outcome, error)
}
