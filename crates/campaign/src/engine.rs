//! Engines that start the shards of a study on many machines: their input and their output.

pub mod error;
pub mod kubernetes;
pub mod runner;
pub mod slurm;

use std::path::PathBuf;

/// The command of a sweep, repeated by an engine for every shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The name of the study.
    pub study: String,
    /// The program.
    pub program: PathBuf,
    /// The study's file.
    pub file: PathBuf,
    /// The options that affect its runs, such as `--set`.
    pub options: Vec<String>,
    /// The digest of the plan.
    pub plan: String,
    /// The number of shards.
    pub shards: u64,
    /// The number of concurrent runs of a shard; by default as many as the engine provides.
    pub jobs: Option<usize>,
    /// The folder of the shards.
    pub folder: PathBuf,
    /// The folder of the whole study.
    pub out: PathBuf,
}

/// Numbers in the notation of engines: "1-4,7,9-10".
pub fn ranges(numbers: &[u64]) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let text = |(first, last): &(u64, u64)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

/// A template with its placeholders, such as `{{study}}`, filled in. Placeholders inside values are
/// kept.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("each placeholder ends");
        let value = values.iter().find(|(known, _)| *known == name);
        text += value.expect("each placeholder has a value").1;
        text += rest;
    }
    text
}

/// A name as a single line for a script or a comment.
fn one_line(name: &str) -> String {
    let is_kept = |c: &char| !c.is_control();
    name.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_each_other_are_one_range() {
        assert_eq!(ranges(&[1, 2, 3, 4, 7, 9, 10]), "1-4,7,9-10");
        assert_eq!((ranges(&[]), ranges(&[5])), (String::new(), "5".into()));
    }
}
