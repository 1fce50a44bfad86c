//! `pacesim sweep --shard`: one part of a study.

use std::path::{Path, PathBuf};

use pacesim_lab::BatchMonitor;
use pacesim_lab::study::campaign::{folder_of_shard, pattern_in, shards_folder};
use pacesim_lab::study::{PartSwept, Shard, Sweep, SweepError, sweep_part};

use crate::monitor::TerminalMonitor;
use crate::numbers::{count, how_many, time};

/// The folder of a shard's store: next to that of the study, unless the user names one.
pub(super) fn folder(asked: Option<&Path>, out: &Path, shard: Shard) -> PathBuf {
    match asked {
        Some(asked) => folder_of_shard(asked, shard),
        None => folder_of_shard(&pattern_in(&shards_folder(out)), shard),
    }
}

/// Makes the missing runs of a shard; returns the result and a message.
pub(super) fn sweep(
    sweep: &Sweep<'_>,
    shard: Shard,
    as_json: bool,
    watch: &TerminalMonitor,
) -> Result<(String, String), SweepError> {
    let swept = sweep_part(sweep, shard, watch)?;
    let message = message(&swept, watch);
    let text = if as_json {
        swept.to_json()
    } else {
        format!(
            "{}: shard {}, {}\n",
            swept.study,
            swept.shard,
            how_many(swept.runs as usize, "run")
        )
    };
    Ok((text, message))
}

fn message(swept: &PartSwept, watch: &TerminalMonitor) -> String {
    let seconds = watch.elapsed().as_secs_f64();
    let made = match swept.made {
        0 => "all were there".to_owned(),
        made => format!(
            "{made} made in {} ({})",
            time(seconds),
            count(watch.packet_hops() as f64 / seconds, "packet-hops/s")
        ),
    };
    let folder = &swept.folder;
    format!("{made}\nthe store is in {folder}; `pacesim merge` unites the stores of all shards\n")
}
