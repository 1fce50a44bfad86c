//! Printed reports on shards of a study: their progress, the submission, missing parts.

use pacesim_lab::study::Gaps;
use pacesim_lab::study::campaign::{ShardState, Status, Submission};
use pacesim_lab::study::engine::slurm::Submitted;
use pacesim_lab::study::engine::{EngineCommand, ranges};
use serde_json::json;

use crate::numbers::how_many;

/// The most names in a list.
const MOST_NAMED: usize = 10;

/// All states, in the order of the report.
const STATES: [ShardState; 5] = [
    ShardState::Done,
    ShardState::Running,
    ShardState::Waiting,
    ShardState::Failed,
    ShardState::Missing,
];

fn word(state: ShardState) -> &'static str {
    match state {
        ShardState::Done => "done",
        ShardState::Running => "running",
        ShardState::Waiting => "waiting",
        ShardState::Failed => "failed",
        ShardState::Missing => "missing",
    }
}

/// The progress of a study's shards.
pub(crate) fn status(study: &str, status: &Status, is_queue_known: bool) -> String {
    let mut text = format!("{study} in {}\n\n", how_many(status.shards.len(), "shard"));
    for state in STATES {
        let shards = status.of(state);
        let which = match state {
            ShardState::Done => String::new(),
            _ => shortened(&ranges(&shards)),
        };
        let line = format!(" {:>8}  {:>6}  {which}", word(state), shards.len());
        text += line.trim_end();
        text.push('\n');
    }
    text += &format!("\nmerge: {}\n", word(status.merge));
    if !status.of(ShardState::Failed).is_empty() {
        let logs = status.folder.join("logs");
        text += &format!("the output of failed shards is in {}\n", logs.display());
    }
    if !is_queue_known {
        text += "the engine's queue cannot be read from here: waiting shards count as missing\n";
    }
    text
}

/// The shards and jobs submitted now.
pub(crate) fn submitted(command: &EngineCommand, status: &Status, now: &Submitted) -> String {
    let EngineCommand { study, shards, .. } = command;
    let done = status.of(ShardState::Done).len();
    let Some(merge) = &now.merge else {
        let rest = status.shards.len() - done;
        return match (rest, status.merge) {
            (0, ShardState::Done) => format!("{study}: all is done and merged\n"),
            (0, _) => format!("{study}: all shards are done, and the merge is in the queue\n"),
            _ => format!(
                "{study}: {rest} of {shards} shards are in the queue, the others are done\n"
            ),
        };
    };
    let array = match &now.array {
        Some(job) => format!(
            "{} of {shards} as job {job}: {}\n",
            how_many(now.shards.len(), "shard"),
            shortened(&ranges(&now.shards))
        ),
        None => "no shards, for none is missing\n".to_owned(),
    };
    format!(
        "{study}: submitted {array}the merge, into {}, is job {merge}\n",
        command.out.display()
    )
}

/// The submitted shards and jobs as JSON.
pub(crate) fn submitted_json(submission: &Submission, now: &Submitted) -> String {
    let document = json!({
        "study": submission.plan.name,
        "plan": submission.plan.digest().to_string(),
        "shards": submission.shards,
        "submitted": now.shards,
        "array_job": now.array,
        "merge_job": now.merge,
    });
    format!("{document:#}\n")
}

/// The missing parts of a merge.
pub(crate) fn gaps(gaps: &Gaps) -> String {
    let Gaps {
        study,
        folder,
        runs,
        missing,
        ..
    } = gaps;
    let mut text =
        format!("{study}: {missing} of {runs} runs are missing; there are no tables yet\n\n");
    match (gaps.shards, gaps.missing) {
        (_, 0) => (),
        (Some(of), _) => {
            let shards = &gaps.missing_shards;
            text += &format!(" shards of {of}: {}\n", shortened(&ranges(shards)));
            if let Some(first) = shards.first() {
                text += &format!(
                    "make them with `pacesim sweep FILE --shard {first}/{of}` and so on, or all at once \
                     by the command that submitted them\n"
                );
            }
        }
        (None, _) => text += &format!(" points: {}\n", shortened(&ranges(&gaps.points))),
    }
    for blank in gaps.blank.iter().take(MOST_NAMED) {
        text += &format!("nothing was swept yet in {blank}\n");
    }
    if !gaps.unrecorded.is_empty() {
        let points = shortened(&ranges(&gaps.unrecorded));
        text +=
            &format!("there is no recording of the points {points}: sweep their shards again\n");
    }
    text + &format!("the runs that are there are kept in {folder}\n")
}

/// A list of ranges, shortened for readability.
fn shortened(ranges: &str) -> String {
    let all: Vec<&str> = ranges.split(',').collect();
    match all.len().saturating_sub(2 * MOST_NAMED) {
        0 => ranges.to_owned(),
        more => format!("{} and {more} more ranges", all[..2 * MOST_NAMED].join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let numbers: Vec<u64> = (0..30).map(|n| 2 * n).collect();
        let text = shortened(&ranges(&numbers));
        assert!(text.ends_with("38 and 10 more ranges"), "{text}");
        assert_eq!(shortened("1-4,7"), "1-4,7");
    }
}
