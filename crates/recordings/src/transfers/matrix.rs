//! Connection matrices of htsim (`.cm`, `.tm`; `ConnectionMatrix::load` of csg-htsim, commit
//! 841d9e7): a line for each flow, `0->13 id 1 start 0 size 2000000`, with its start in picoseconds or
//! the trigger that starts it, and the triggers themselves.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::str::FromStr;
use std::sync::Arc;

use pacesim_language::problem::shortened;
use pacesim_units::{Bytes, Span};

use super::ListedTransfer;
use crate::lines::Lines;
use crate::recording::RecordingError;

/// True if a file that begins with this line is such a matrix.
pub(super) fn begins_with(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    ["Nodes", "Connections", "Triggers", "Failures"].contains(&first) || first.contains("->")
}

/// The lines read so far.
#[derive(Default)]
struct Matrix {
    /// The numbers that the header gives.
    nodes: Option<u32>,
    counts: BTreeMap<&'static str, usize>,
    rows: Vec<Listed>,
    triggers: BTreeMap<u32, Trigger>,
    /// The rows whose end fires each trigger.
    fired_by: BTreeMap<u32, Vec<u32>>,
}

/// A flow, before its trigger is resolved.
struct Listed {
    line: usize,
    transfer: ListedTransfer,
    trigger: Option<u32>,
}

struct Trigger {
    line: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Fires once, or each time.
    Shot,
    /// Fires at the last of this many.
    Barrier(usize),
}

/// The rows of a matrix that begins with this line.
pub(super) fn parse(
    (line, first): (usize, &str),
    lines: &mut Lines<impl BufRead>,
) -> Result<Arc<[ListedTransfer]>, RecordingError> {
    let at = |line, message: String| RecordingError::at("line", line, message);
    let mut matrix = Matrix::default();
    matrix
        .take(line, first)
        .map_err(|message| at(line, message))?;
    while let Some((line, text)) = lines.next().map_err(RecordingError::whole)? {
        matrix
            .take(line, text)
            .map_err(|message| at(line, message))?;
    }
    matrix.check_counts().map_err(RecordingError::whole)?;
    matrix
        .check_triggers()
        .map_err(|(line, message)| at(line, message))?;
    let rows = matrix.rows.iter();
    let rows: Result<Vec<ListedTransfer>, (usize, String)> =
        rows.map(|row| matrix.resolved(row)).collect();
    let rows = rows.map_err(|(line, message)| at(line, message))?;
    match rows.is_empty() {
        true => Err(RecordingError::whole("there is no transfer".to_owned())),
        false => Ok(rows.into()),
    }
}

/// The number behind a word.
fn number<T: FromStr>(word: Option<&str>, what: &str) -> Result<T, String> {
    let word = word.ok_or_else(|| format!("{what} is missing"))?;
    let parsed = word.parse();
    parsed.map_err(|_| format!("\"{}\" is not {what}", shortened(word)))
}

impl Matrix {
    fn take(&mut self, line: usize, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        if let Some((from, to)) = first.split_once("->") {
            return self.take_flow(line, (from, to), words);
        }
        let mut count = |what, words: &mut dyn Iterator<Item = &str>| {
            let count = number(words.next(), "a number")?;
            self.counts.insert(what, count);
            Ok(())
        };
        match first {
            "Nodes" => {
                self.nodes = Some(number(words.next(), "a number of nodes")?);
                Ok(())
            }
            "Connections" => count("Connections", &mut words),
            "Triggers" => count("Triggers", &mut words),
            "Failures" => count("Failures", &mut words),
            "trigger" => self.take_trigger(line, words),
            "failure" => Err(
                "links that fail are events of the scenario: [[event]] with up = false".to_owned(),
            ),
            other => Err(format!(
                "\"{}\" begins no line of a connection matrix",
                shortened(other)
            )),
        }
    }

    fn take_flow<'w>(
        &mut self,
        line: usize,
        (from, to): (&str, &str),
        mut words: impl Iterator<Item = &'w str>,
    ) -> Result<(), String> {
        let place = |word| {
            let place = number::<u32>(Some(word), "a node")?;
            match self.nodes {
                Some(nodes) if place >= nodes => {
                    Err(format!("node {place} of {nodes}, which count from 0"))
                }
                _ => Ok(place),
            }
        };
        let (from, to) = (place(from)?, place(to)?);
        let (mut start, mut size, mut trigger) = (None, None, None);
        while let Some(word) = words.next() {
            match word {
                "start" => start = Some(picoseconds(words.next())?),
                "size" => size = Some(Bytes(number(words.next(), "a size in whole bytes")?)),
                "trigger" => trigger = Some(number(words.next(), "the id of a trigger")?),
                "id" => drop(number::<u32>(words.next(), "the id of a flow")?),
                "send_done_trigger" | "recv_done_trigger" => {
                    let fires = number(words.next(), "the id of a trigger")?;
                    let row = self.rows.len() as u32;
                    self.fired_by.entry(fires).or_default().push(row);
                }
                "prio" => return Err("prio orders the pulls of NDP's receivers, which no transfer here has; leave it out".to_owned()),
                other => return Err(format!("\"{}\" is no key of a connection", shortened(other))),
            }
        }
        let start = match (start, trigger) {
            (Some(start), None) => start,
            (None, Some(_)) => Span::ZERO,
            (None, None) => return Err("it has neither a start nor a trigger".to_owned()),
            (Some(_), Some(_)) => return Err("it has both a start and a trigger".to_owned()),
        };
        let size = size.filter(|size| *size > Bytes::ZERO);
        let size = size.ok_or("it has no size, and would never end; give size")?;
        let transfer = ListedTransfer {
            start,
            from,
            to,
            size,
            after: Vec::new(),
            path: None,
        };
        self.rows.push(Listed {
            line,
            transfer,
            trigger,
        });
        Ok(())
    }

    fn take_trigger<'w>(
        &mut self,
        line: usize,
        mut words: impl Iterator<Item = &'w str>,
    ) -> Result<(), String> {
        let (mut id, mut count, mut kind) = (None, None, None);
        while let Some(word) = words.next() {
            match word {
                "id" => id = Some(number::<u32>(words.next(), "the id of a trigger")?),
                "count" => count = Some(number::<usize>(words.next(), "a count")?),
                "oneshot" | "multishot" => kind = Some(Kind::Shot),
                "barrier" => kind = Some(Kind::Barrier(0)),
                other => return Err(format!("\"{}\" is no key of a trigger", shortened(other))),
            }
        }
        let id = id.ok_or("the trigger has no id")?;
        let kind = match kind.ok_or("the trigger is neither oneshot nor multishot nor barrier")? {
            Kind::Barrier(_) => Kind::Barrier(count.ok_or("the barrier has no count")?),
            Kind::Shot => Kind::Shot,
        };
        match self.triggers.insert(id, Trigger { line, kind }) {
            None => Ok(()),
            Some(before) => Err(format!(
                "trigger {id} is declared in line {} too",
                before.line
            )),
        }
    }

    /// Lines that are missing or too many by the header: the file is cut, or was edited.
    fn check_counts(&self) -> Result<(), String> {
        let found = [
            ("Connections", self.rows.len()),
            ("Triggers", self.triggers.len()),
        ];
        let differs = found.iter().find(|(what, found)| {
            let said = self.counts.get(what);
            said.is_some_and(|said| said != found)
        });
        match differs {
            None => Ok(()),
            Some((what, found)) => Err(format!(
                "the header says {what} {}, and the file has {found}",
                self.counts[what]
            )),
        }
    }

    /// Triggers whose moment does not follow from arrivals of all flows that fire them.
    fn check_triggers(&self) -> Result<(), (usize, String)> {
        for (id, Trigger { line, kind }) in &self.triggers {
            let fires = self.fired_by.get(id).map_or(0, Vec::len);
            let message = match kind {
                _ if fires == 0 => format!("no flow fires trigger {id}"),
                Kind::Shot if fires > 1 => format!(
                    "{fires} flows fire trigger {id}, and the first starts its flows; a list waits for all: make it a barrier"
                ),
                Kind::Barrier(count) if *count != fires => {
                    format!(
                        "barrier {id} counts {count} flows, and {fires} fire it; give it as many"
                    )
                }
                _ => continue,
            };
            return Err((*line, message));
        }
        Ok(())
    }

    /// The row of a list.
    fn resolved(&self, row: &Listed) -> Result<ListedTransfer, (usize, String)> {
        let after = match row.trigger {
            None => Vec::new(),
            Some(trigger) if self.triggers.contains_key(&trigger) => {
                self.fired_by[&trigger].clone()
            }
            Some(trigger) => return Err((row.line, format!("trigger {trigger} is not declared"))),
        };
        Ok(ListedTransfer {
            after,
            ..row.transfer.clone()
        })
    }
}

/// A start, in picoseconds that may have a fraction.
fn picoseconds(word: Option<&str>) -> Result<Span, String> {
    let ps: f64 = number(word, "a time in picoseconds")?;
    match ps.is_finite() && (0.0..1.8e19).contains(&ps) {
        true => Ok(Span::from_ps(ps as u64)),
        false => Err(format!("{ps} is not a time in picoseconds from 0")),
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::{Bytes, Span};

    use crate::transfers::parse;

    #[test]
    fn flows_start_at_their_times_or_after_those_that_fire_their_triggers() {
        // As gen_serial_alltoall.py and gen_incast.py write them.
        let text = "Nodes 4\nConnections 4\nTriggers 2\n0->1 id 1 start 0 size 100 send_done_trigger 1\n\
                    2->1 id 2 start 2500000 size 50 recv_done_trigger 7\n\
                    1->3 id 3 trigger 1 size 9 send_done_trigger 7\n3->0 id 4 trigger 7 size 8\n\
                    trigger id 1 oneshot\ntrigger id 7 barrier count 2\n";
        let rows = parse(text.as_bytes()).expect("good");
        let ends: Vec<_> = rows
            .iter()
            .map(|row| (row.from, row.to, row.size))
            .collect();
        assert_eq!(ends[0], (0, 1, Bytes(100)));
        assert_eq!(rows[1].start, Span::from_ps(2_500_000));
        let after: Vec<&[u32]> = rows.iter().map(|row| &*row.after).collect();
        assert_eq!(after, [&[][..], &[], &[0], &[1, 2]]);
        let plain = parse("# one\n0->13 start 0 size 2000000\n\n".as_bytes()).expect("good");
        assert_eq!((plain[0].to, plain[0].size), (13, Bytes(2_000_000)));
    }

    #[test]
    fn mistakes_have_their_line() {
        let flow = |keys: &str| format!("Nodes 4\n0->1 {keys}\n");
        for (text, place, part) in [
            ("Nodes 4\n".to_owned(), "", "no transfer"),
            (
                "Nodes 4\nConnections 2\n0->1 start 0 size 1\n".to_owned(),
                "",
                "says Connections 2",
            ),
            (
                "Nodes 4\n0->4 start 0 size 1\n".to_owned(),
                "line 2",
                "node 4 of 4",
            ),
            ("Nodes 4\nmost 5\n".to_owned(), "line 2", "begins no line"),
            (
                "Nodes 4\nfailure switch_type TOR\n".to_owned(),
                "line 2",
                "[[event]]",
            ),
            (flow("start 0"), "line 2", "no size"),
            (flow("start 0 size 0"), "line 2", "no size"),
            (flow("start -1 size 5"), "line 2", "from 0"),
            (flow("start 0 size"), "line 2", "missing"),
            (flow("size 5"), "line 2", "neither"),
            (flow("size 5 start 0 trigger 1"), "line 2", "both"),
            (flow("size 5 start 0 prio 2"), "line 2", "prio"),
            (flow("size 5 trigger 1"), "line 2", "not declared"),
            (
                flow("size 5 trigger 1\ntrigger id 1 oneshot"),
                "line 3",
                "no flow fires",
            ),
            (
                flow(
                    "size 5 start 0 send_done_trigger 1\n1->2 size 5 start 0 send_done_trigger 1\ntrigger id 1 oneshot",
                ),
                "line 4",
                "make it a barrier",
            ),
            (
                flow("size 5 start 0 send_done_trigger 1\ntrigger id 1 barrier count 3"),
                "line 3",
                "counts 3",
            ),
            (
                flow("size 5 start 0\ntrigger id 1"),
                "line 3",
                "neither oneshot",
            ),
        ] {
            let error = parse(text.as_bytes()).expect_err(&text);
            assert_eq!(error.place, place, "{text}: {}", error.message);
            assert!(error.message.contains(part), "{text}: {}", error.message);
        }
    }
}
