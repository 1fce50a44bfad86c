//! The scripts of the job array and of the merge, and the output formats of `sbatch` and `squeue`.

use std::path::Path;

use crate::campaign::{Job, Queue, Queued, pattern_in};
use crate::engine::{EngineCommand, filled, one_line, ranges};

/// The arguments of `squeue` that list the user's jobs, one task per line.
pub(crate) const SQUEUE: [&str; 4] = ["--me", "--noheader", "--array", "--format=%F %K %T"];

/// Options of `sbatch` that pacesim sets itself.
const OURS: [(&str, &str); 4] = [
    ("--array", "-a"),
    ("--dependency", "-d"),
    ("--parsable", "--parsable"),
    ("--wrap", "--wrap"),
];

/// The first of the user's options of `sbatch` that pacesim sets itself.
pub(crate) fn taken(options: &[String]) -> Option<&str> {
    let is_taken = |option: &&String| {
        let is = |(long, short): &(&str, &str)| {
            let name = option.split('=').next().unwrap_or_default();
            let is_short = !short.starts_with("--") && option.starts_with(short);
            name == *long || name == *short || (is_short && !option.starts_with("--"))
        };
        OURS.iter().any(is)
    };
    options.iter().find(is_taken).map(String::as_str)
}

/// The script that makes one shard, given by its index in the array.
pub(crate) fn shard_script(command: &EngineCommand) -> String {
    let of_slurm = || "\"${SLURM_CPUS_PER_TASK:-1}\"".to_owned();
    filled(
        include_str!("shard.sh"),
        &[
            ("study", &one_line(&command.study)),
            ("shards", &command.shards.to_string()),
            ("start", &start(command)),
            ("plan", &command.plan),
            (
                "jobs",
                &command.jobs.map_or_else(of_slurm, |jobs| jobs.to_string()),
            ),
            ("out", &quoted_path(&pattern_in(&command.folder))),
        ],
    )
}

/// The script that merges all shards.
pub(crate) fn merge_script(command: &EngineCommand) -> String {
    filled(
        include_str!("merge.sh"),
        &[
            ("program", &quoted_path(&command.program)),
            ("folder", &quoted_path(&command.folder)),
            ("out", &quoted_path(&command.out)),
            ("plan", &command.plan),
        ],
    )
}

/// The arguments of `sbatch` for these shards.
pub(crate) fn shard_arguments(
    command: &EngineCommand,
    shards: &[u64],
    script: &Path,
) -> Vec<String> {
    let mut arguments = vec![
        "--parsable".to_owned(),
        format!("--job-name={}", one_line(&command.study)),
        format!("--array={}", ranges(shards)),
    ];
    arguments.extend(output(&command.folder, "%a.log"));
    arguments.push(script.display().to_string());
    arguments
}

/// The arguments of `sbatch` for the merge after these jobs.
pub(crate) fn merge_arguments(
    command: &EngineCommand,
    behind: &[String],
    script: &Path,
) -> Vec<String> {
    let mut arguments = vec![
        "--parsable".to_owned(),
        format!("--job-name={}-merge", one_line(&command.study)),
    ];
    arguments.extend(output(&command.folder, "merge.log"));
    if !behind.is_empty() {
        // Not afterok: after a failed task the merge could not report the missing runs.
        arguments.push(format!("--dependency=afterany:{}", behind.join(":")));
    }
    arguments.push(script.display().to_string());
    arguments
}

/// The option that names a log. Slurm expands placeholders after a `%`, so percent signs in the
/// folder are doubled; a backslash would disable expansion, and then the log has Slurm's default
/// name.
fn output(folder: &Path, log: &str) -> Option<String> {
    let folder = folder.join("logs").display().to_string();
    let plain = !folder.contains('\\');
    plain.then(|| format!("--output={}/{log}", folder.replace('%', "%%")))
}

/// The arguments with the user's own options before the script, which comes last.
pub(crate) fn with_options(mut arguments: Vec<String>, options: &[String]) -> Vec<String> {
    let script = arguments.pop();
    arguments.extend(options.iter().cloned());
    arguments.extend(script);
    arguments
}

/// The number of a job as `sbatch --parsable` prints it: "17" or "17;cluster".
pub(crate) fn job_id(printed: &str) -> Option<String> {
    let id = printed.lines().last()?.split(';').next()?.trim();
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| id.to_owned())
}

/// The state of these jobs in the output of `squeue` with [`SQUEUE`].
pub(crate) fn queue(printed: &str, jobs: &[Job]) -> Queue {
    let mut queue = Queue::default();
    for line in printed.lines() {
        let mut words = line.split_whitespace();
        let (Some(id), Some(index), Some(state)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let (Some(job), Some(state)) = (jobs.iter().find(|job| job.id == id), queued(state)) else {
            continue;
        };
        if !queue.jobs.contains(&job.id) {
            queue.jobs.push(job.id.clone());
        }
        match index.parse() {
            Ok(shard) if !job.shards.is_empty() => drop(queue.shards.insert(shard, state)),
            _ => queue.merge = Some(state),
        }
    }
    queue
}

/// The meaning of a Slurm state; `None` for a task that has ended.
fn queued(state: &str) -> Option<Queued> {
    match state {
        "RUNNING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "STAGE_OUT" => {
            Some(Queued::Running)
        }
        "PENDING" | "CONFIGURING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "RESIZING"
        | "SPECIAL_EXIT" | "RESV_DEL_HOLD" => Some(Queued::Waiting),
        _ => None,
    }
}

/// The program, the study and the options.
fn start(command: &EngineCommand) -> String {
    let mut words = vec![
        quoted_path(&command.program),
        "sweep".to_owned(),
        quoted_path(&command.file),
    ];
    words.extend(command.options.iter().map(|option| quoted(option)));
    words.join(" ")
}

fn quoted_path(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// A shell word, quoted so that it is taken literally.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,%+@".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> EngineCommand {
        EngineCommand {
            study: "buffers".to_owned(),
            program: "/opt/pacesim".into(),
            file: "/home/me/my study.toml".into(),
            options: vec!["--set".to_owned(), "link.core.buffer='5pkts'".to_owned()],
            plan: "fnv1a128:00".to_owned(),
            shards: 200,
            jobs: None,
            folder: "/home/me/results/buffers.shards".into(),
            out: "/home/me/results/buffers".into(),
        }
    }

    #[test]
    fn the_scripts_are_those_that_were_looked_at() {
        let with_jobs = EngineCommand {
            jobs: Some(4),
            ..command()
        };
        let scripts = [
            shard_script(&command()),
            merge_script(&command()),
            shard_script(&with_jobs),
        ];
        assert_eq!(scripts.concat(), include_str!("tests/scripts.txt"));
    }

    #[test]
    fn a_shell_reads_back_what_is_quoted() {
        let words = [
            "plain",
            "two words",
            "it's",
            "$HOME `x` \"y\" \\",
            "*",
            "",
            "a\nb",
        ];
        let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let script = format!("printf '%s|' {}", line.join(" "));
        let ran = std::process::Command::new("sh")
            .args(["-c", &script])
            .output();
        let Ok(ran) = ran else {
            println!("skipped: no sh");
            return;
        };
        let expected: String = words.iter().map(|word| format!("{word}|")).collect();
        assert_eq!(String::from_utf8_lossy(&ran.stdout), expected);
    }

    #[test]
    fn the_merge_comes_behind_all_however_they_end() {
        let behind = ["7".to_owned(), "9".to_owned()];
        let arguments = merge_arguments(&command(), &behind, Path::new("merge.sh"));
        assert!(
            arguments.contains(&"--dependency=afterany:7:9".to_owned()),
            "{arguments:?}"
        );
        let options = ["--time=1:00:00".to_owned()];
        let arguments = with_options(arguments, &options);
        assert_eq!(
            arguments[arguments.len() - 2..],
            ["--time=1:00:00", "merge.sh"]
        );
        let none = merge_arguments(&command(), &[], Path::new("merge.sh"));
        assert!(
            !none
                .iter()
                .any(|argument| argument.starts_with("--dependency"))
        );
    }

    #[test]
    fn only_missing_shards_are_in_the_array() {
        let arguments = shard_arguments(&command(), &[3, 17, 18, 19], Path::new("shard.sh"));
        assert!(
            arguments.contains(&"--array=3,17-19".to_owned()),
            "{arguments:?}"
        );
    }

    #[test]
    fn what_slurm_prints_is_understood() {
        assert_eq!(job_id("17\n"), Some("17".into()));
        assert_eq!(job_id("17;east\n"), Some("17".into()));
        assert_eq!(job_id("sbatch: error: no\n"), None);
        let job = |id: &str, shards: &[u64]| Job {
            id: id.to_owned(),
            shards: shards.to_vec(),
        };
        let jobs = [job("17", &[1, 2, 3]), job("18", &[])];
        let printed = "17 2 PENDING\n17 1 RUNNING\n17 3 FAILED\n18 N/A PENDING\n5 1 RUNNING\n";
        let queue = queue(printed, &jobs);
        assert_eq!(queue.shards.len(), 2);
        assert_eq!(queue.shards[&1], Queued::Running);
        assert_eq!(queue.shards[&2], Queued::Waiting);
        assert_eq!(queue.merge, Some(Queued::Waiting));
        assert_eq!(queue.jobs, ["17", "18"]);
    }

    #[test]
    fn options_that_are_ours_are_refused() {
        let options = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(taken(&options("--mem=2G --array=1-3")), Some("--array=1-3"));
        assert_eq!(taken(&options("-a 1-3")), Some("-a"));
        assert_eq!(taken(&options("--time=5 -p all --account=me")), None);
    }

    #[test]
    fn folders_with_signs_of_slurm_keep_their_names() {
        let named = |folder: &str| output(Path::new(folder), "%a.log");
        assert_eq!(
            named("/a/50%").as_deref(),
            Some("--output=/a/50%%/logs/%a.log")
        );
        assert_eq!(named("/a\\b"), None, "a backslash turns substitution off");
    }
}
