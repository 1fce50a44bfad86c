//! Kubernetes: an Indexed Job that makes the shards, one per pod, and the Job that merges them.

mod files;

use std::io;
use std::path::{Component, Path, PathBuf};

use serde_json::to_string;

use crate::engine::{filled, one_line};

/// The name on command lines.
pub const NAME: &str = "kubernetes";

/// The most bytes of files in a manifest: the API limits a ConfigMap to 1 MiB.
const MOST_BYTES: usize = 900_000;

/// The contents of a manifest.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The name of the study.
    pub study: String,
    /// The image with the program.
    pub image: String,
    /// The claim of a volume that all pods can write to.
    pub claim: String,
    /// The study's file and the files that it names.
    pub files: StudyFiles,
    /// The options that affect its runs, such as `--set`.
    pub options: Vec<String>,
    /// The digest of the plan.
    pub plan: String,
    /// The number of shards.
    pub shards: u64,
    /// The number of concurrent runs of a shard.
    pub jobs: usize,
}

/// The study's file and the files that it names, with their relative positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFiles {
    /// The path of the study among them.
    pub study: String,
    /// Paths and contents.
    pub all: Vec<(String, String)>,
}

/// The reason why a study's files cannot go into a manifest.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// A file cannot be read.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file is not text, or is not named relative to the study.
    #[error(
        "{}: a manifest carries texts that are named relative to the study only; make an image that has \
         the study with its files, and start `pacesim sweep --shard` in it (docs/clusters.md)", .0.display()
    )]
    Foreign(PathBuf),
    /// The files are too large for a manifest.
    #[error(
        "the files of the study have {0} bytes, and a manifest carries at most {MOST_BYTES}; make an image \
         that has them, and start `pacesim sweep --shard` in it (docs/clusters.md)"
    )]
    TooLarge(usize),
}

impl StudyFiles {
    /// A study's file and the files that it names relative to it.
    pub fn read(file: &Path, names: &[String]) -> Result<StudyFiles, FilesError> {
        let around = file.parent().unwrap_or(Path::new(""));
        let own = file.file_name().map_or(PathBuf::new(), PathBuf::from);
        let named = names.iter().map(PathBuf::from);
        let mut paths: Vec<PathBuf> = Vec::new();
        for name in std::iter::once(own).chain(named) {
            let plain = plain(&name).ok_or_else(|| FilesError::Foreign(name.clone()))?;
            if !paths.contains(&plain) {
                paths.push(plain);
            }
        }
        // The depth at which the study must lie for all files it names to be below one folder.
        let is_up = |part: &Component<'_>| *part == Component::ParentDir;
        let ups = paths
            .iter()
            .map(|path| path.components().take_while(is_up).count());
        let depth = ups.max().unwrap_or(0);
        let below: PathBuf = (0..depth).map(|level| format!("level{level}")).collect();
        let mut all = Vec::new();
        for path in &paths {
            let source = around.join(path);
            let bytes = std::fs::read(&source);
            let bytes = bytes.map_err(|error| FilesError::File {
                path: source.clone(),
                source: error,
            })?;
            let text = String::from_utf8(bytes).map_err(|_| FilesError::Foreign(source))?;
            let inside = plain(&below.join(path)).expect("it is below one folder");
            all.push((inside.display().to_string(), text));
        }
        match all.iter().map(|(_, text)| text.len()).sum() {
            bytes if bytes > MOST_BYTES => Err(FilesError::TooLarge(bytes)),
            _ => Ok(StudyFiles {
                study: all[0].0.clone(),
                all,
            }),
        }
    }
}

/// A relative path without detours; `None` if it is not relative.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => (),
            Component::ParentDir => match plain.components().next_back() {
                Some(Component::Normal(_)) => drop(plain.pop()),
                _ => plain.push(".."),
            },
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

impl Manifest {
    /// The manifest: a ConfigMap with the study, the Indexed Job, and the Job of the merge, which
    /// is suspended until the user resumes it. Each index of the first Job has separate retries.
    pub fn to_yaml(&self) -> String {
        let study = &label(&self.study);
        let into = format!("/results/{study}");
        let folder = format!("{into}.shards");
        let mut sweep = vec!["sweep".to_owned()];
        sweep.push(escaped(&format!("/study/{}", self.files.study)));
        sweep.extend(self.options.iter().map(|option| escaped(option)));
        let shards = &self.shards.to_string();
        let shard = format!("$(JOB_COMPLETION_INDEX)+1/{shards}");
        let (jobs, out) = (self.jobs.to_string(), format!("{folder}/{{shard}}"));
        let own = [
            "--shard", &shard, "--plan", &self.plan, "--jobs", &jobs, "--out", &out,
        ];
        sweep.extend(own.map(str::to_owned));
        let merge = ["merge", &folder, "--into", &into, "--plan", &self.plan].map(str::to_owned);
        let contents = self.files.all.iter().zip(0..);
        let file = |((_, content), place): (&(_, String), usize)| {
            format!("  file{place}: {}", scalar(content))
        };
        filled(
            include_str!("kubernetes/manifest.yaml"),
            &[
                ("study", study),
                ("shards", shards),
                // A comment ends with its line.
                ("image_line", &one_line(&self.image)),
                ("claim_line", &one_line(&self.claim)),
                ("files", &contents.map(file).collect::<Vec<_>>().join("\n")),
                ("sweep_pod", &self.pod(study, &sweep)),
                ("merge_pod", &self.pod(study, &merge)),
            ],
        )
    }

    fn pod(&self, study: &str, arguments: &[String]) -> String {
        let argument = |text: &String| format!("            - {}", quoted(text));
        let arguments: Vec<String> = arguments.iter().map(argument).collect();
        let item = |((path, _), place): (&(String, _), usize)| {
            format!(
                "              - {{ key: file{place}, path: {} }}",
                quoted(path)
            )
        };
        let items: Vec<String> = self.files.all.iter().zip(0..).map(item).collect();
        filled(
            include_str!("kubernetes/pod.yaml"),
            &[
                ("study", study),
                ("image", &quoted(&self.image)),
                ("claim", &quoted(&self.claim)),
                ("jobs", &self.jobs.to_string()),
                ("arguments", &arguments.join("\n")),
                ("items", &items.join("\n")),
            ],
        )
    }
}

/// A valid name for a Job, short enough for the suffixes of its pods. If it differs from the
/// study's own name, it ends with a digest of that name, so that two studies do not share a Job.
fn label(study: &str) -> String {
    let plain = plain_label(study);
    if plain == study {
        plain
    } else {
        format!("{plain}-{:06x}", digest(study) & 0xFF_FFFF)
    }
}

fn digest(study: &str) -> u64 {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    study.bytes().fold(0xCBF2_9CE4_8422_2325, hash)
}

fn plain_label(study: &str) -> String {
    const MOST: usize = 32;
    let plain = |c: char| match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9') => c,
        _ => '-',
    };
    let label: String = study.chars().map(plain).take(MOST).collect();
    let label = label.trim_matches('-');
    if label.starts_with(|c: char| c.is_ascii_lowercase()) {
        label.to_owned()
    } else {
        format!("study-{label}").trim_matches('-').to_owned()
    }
}

/// An argument without variables that Kubernetes would expand.
fn escaped(argument: &str) -> String {
    argument.replace("$(", "$$(")
}

/// A quoted string; JSON's quoting is valid YAML.
fn quoted(text: &str) -> String {
    to_string(text).expect("a text is JSON")
}

/// A multi-line string as a block if YAML keeps it unchanged, otherwise quoted.
fn scalar(text: &str) -> String {
    let is_kept = |c: char| {
        matches!(c, '\n' | '\t' | ' '..='~')
            || (c > '\u{a0}' && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}'))
    };
    if text.trim().is_empty() || !text.chars().all(is_kept) {
        return quoted(text);
    }
    let (chomping, text) = match text.strip_suffix('\n') {
        Some(text) => ('+', text),
        None => ('-', text),
    };
    let line = |line: &str| {
        if line.is_empty() {
            String::new()
        } else {
            format!("    {line}")
        }
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    format!("|2{chomping}\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            study: "Edge Fig. 3".to_owned(),
            image: "registry.example/pacesim:0.2.0".to_owned(),
            claim: "pacesim".to_owned(),
            files: StudyFiles {
                study: "level0/fig3.toml".to_owned(),
                all: vec![
                    (
                        "level0/fig3.toml".to_owned(),
                        "a = 1\n\n  b = '$(x)'\n".to_owned(),
                    ),
                    ("base.toml".to_owned(), "c = 1".to_owned()),
                ],
            },
            options: vec!["--set".to_owned(), "title=$(HOME)".to_owned()],
            plan: "fnv1a128:00".to_owned(),
            shards: 200,
            jobs: 1,
        }
    }

    #[test]
    fn the_manifest_is_the_one_that_was_looked_at() {
        let expected = include_str!("kubernetes/tests/manifest.yaml");
        assert_eq!(manifest().to_yaml(), expected);
    }

    #[test]
    fn names_that_yaml_reads_as_something_else_are_quoted() {
        for study in ["yes", "null", "on"] {
            let study = study.to_owned();
            let yaml = Manifest {
                study,
                ..manifest()
            }
            .to_yaml();
            let names = yaml
                .lines()
                .filter_map(|line| line.strip_prefix("  name: "));
            for name in names {
                assert!(name.starts_with('"'), "{name}");
            }
        }
    }

    #[test]
    fn lines_in_a_claim_make_no_document() {
        let claim = "a\n---\nkind: Pod".to_owned();
        let yaml = Manifest {
            claim,
            ..manifest()
        }
        .to_yaml();
        let documents = yaml.lines().filter(|line| *line == "---").count();
        assert_eq!(documents, 3, "{yaml}");
    }

    #[test]
    fn texts_that_yaml_would_change_are_quoted() {
        assert_eq!(scalar("a\r\n"), "\"a\\r\\n\"");
        assert_eq!(scalar("\n"), "\"\\n\"");
        assert_eq!(scalar("\u{feff}a"), "\"\u{feff}a\"");
        assert_eq!(scalar("ü\n\n"), "|2+\n    ü\n");
    }

    #[test]
    fn files_keep_their_places_to_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("papers");
        std::fs::create_dir(&inner).expect("made");
        for (path, text) in [
            ("base.toml", "b"),
            ("papers/s.toml", "s"),
            ("papers/e.csv", "e"),
        ] {
            std::fs::write(folder.path().join(path), text).expect("written");
        }
        let names = ["../base.toml".to_owned(), "./e.csv".to_owned()];
        let files = StudyFiles::read(&inner.join("s.toml"), &names).expect("read");
        assert_eq!(files.study, "level0/s.toml");
        let all: Vec<&str> = files.all.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(all, ["level0/s.toml", "base.toml", "level0/e.csv"]);
        let absolute = [folder.path().join("base.toml").display().to_string()];
        let refused = StudyFiles::read(&inner.join("s.toml"), &absolute);
        assert!(
            matches!(refused, Err(FilesError::Foreign(_))),
            "{refused:?}"
        );
        std::fs::write(inner.join("e.csv"), [0xff]).expect("written");
        let refused = StudyFiles::read(&inner.join("s.toml"), &names);
        assert!(
            matches!(refused, Err(FilesError::Foreign(_))),
            "{refused:?}"
        );
    }

    #[test]
    fn names_are_such_that_kubernetes_takes_them() {
        assert_eq!(label("buffers"), "buffers");
        assert!(
            label("3 queues").starts_with("study-3-queues-"),
            "{}",
            label("3 queues")
        );
        assert!(label("ü").starts_with("study-"), "{}", label("ü"));
        assert_ne!(label("{{x}}"), label("$(X)"), "two studies share no Job");
        assert!(
            label(&"x".repeat(100)).len() <= 46,
            "{:?}",
            label(&"x".repeat(100)).len()
        );
    }
}
