//! Kubernetes: an Indexed Job that makes the shards, one a pod, and the Job that merges them.

mod files;

use std::io;
use std::path::{Component, Path, PathBuf};

use serde_json::to_string;

use crate::engine::one_line;

/// The name on command lines.
pub const NAME: &str = "kubernetes";

/// The most bytes of files that go into a manifest: the API takes 1 MiB of a ConfigMap.
const MOST_BYTES: usize = 900_000;

/// The folder of the study in a pod, and that of the claim of the results.
const STUDY: &str = "/study";
const RESULTS: &str = "/results";

/// The contents of a manifest.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The name of the study.
    pub study: String,
    /// The image with the program.
    pub image: String,
    /// The claim of a volume that all pods may write to.
    pub claim: String,
    /// The study's file and those that it names.
    pub files: StudyFiles,
    /// The options that its runs depend on, such as `--set`.
    pub options: Vec<String>,
    /// The digest of the plan.
    pub plan: String,
    /// The number of shards.
    pub shards: u64,
    /// The number of runs that a shard makes at a time.
    pub jobs: usize,
}

/// The study's file and those that it names, as they lie to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFiles {
    /// The path of the study among them.
    pub study: String,
    /// Paths and contents.
    pub all: Vec<(String, String)>,
}

/// Why a study's files cannot go into a manifest.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// A file cannot be read.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file that is no text, or none that is named from the study.
    #[error(
        "{}: a manifest carries texts that are named relative to the study only; make an image that has \
         the study with its files, and start `pacesim sweep --shard` in it (docs/clusters.md)", .0.display()
    )]
    Foreign(PathBuf),
    /// Too much for a manifest.
    #[error(
        "the files of the study have {0} bytes, and a manifest carries at most {MOST_BYTES}; make an image \
         that has them, and start `pacesim sweep --shard` in it (docs/clusters.md)"
    )]
    TooLarge(usize),
}

impl StudyFiles {
    /// A study's file, with those that it names, relative to it.
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
        // As deep as the study must lie for all that it names to be below one folder.
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
    /// is suspended until somebody lets it go.
    pub fn to_yaml(&self) -> String {
        let name = label(&self.study);
        let folder = format!("{RESULTS}/{name}.shards");
        let out = format!("{folder}/{{shard}}");
        let shard = format!("$(JOB_COMPLETION_INDEX)+1/{}", self.shards);
        let (file, jobs) = (
            escaped(&format!("{STUDY}/{}", self.files.study)),
            self.jobs.to_string(),
        );
        let mut sweep = vec!["sweep".to_owned(), file];
        sweep.extend(self.options.iter().map(|option| escaped(option)));
        let own = [
            "--shard", &shard, "--plan", &self.plan, "--jobs", &jobs, "--out", &out,
        ];
        sweep.extend(own.map(str::to_owned));
        let into = format!("{RESULTS}/{name}");
        let merge = ["merge", &folder, "--into", &into, "--plan", &self.plan].map(str::to_owned);
        [
            self.head(&name),
            self.config_map(&name),
            self.job(&name, &self.indexed(), &sweep),
            self.job(
                &format!("{name}-merge"),
                "  suspend: true\n  backoffLimit: 2\n",
                &merge,
            ),
        ]
        .join("---\n")
    }

    fn head(&self, name: &str) -> String {
        let Manifest {
            claim,
            image,
            shards,
            ..
        } = self;
        // A comment ends with its line.
        let (claim, image) = (one_line(claim), one_line(image));
        format!(
            "# The study {study} in {shards} shards. {image} is the image with the program, and {claim} the claim\n\
             # of a volume that all pods may write to (ReadWriteMany). When no shard is active any more, let the merge go:\n\
             #   kubectl get job/{name} --watch\n\
             #   kubectl patch job/{name}-merge --type=merge --patch '{{\"spec\":{{\"suspend\":false}}}}'\n\
             #   kubectl logs --follow job/{name}-merge\n",
            study = label(&self.study),
        )
    }

    /// An array of indexes: each has retries of its own, so that one that fails loses
    /// only itself.
    fn indexed(&self) -> String {
        let shards = self.shards;
        format!(
            "  completionMode: Indexed\n  completions: {shards}\n  parallelism: {shards}\n  \
             backoffLimitPerIndex: 3\n  maxFailedIndexes: {shards}\n"
        )
    }

    fn config_map(&self, name: &str) -> String {
        let mut text = format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\nimmutable: true\ndata:\n",
            quoted(name)
        );
        for (place, (_, content)) in self.files.all.iter().enumerate() {
            text += &format!("  file{place}: {}", scalar(content));
        }
        text
    }

    fn job(&self, name: &str, kind: &str, arguments: &[String]) -> String {
        let argument = |text: &String| format!("            - {}\n", quoted(text));
        let arguments: String = arguments.iter().map(argument).collect();
        let items: String = (0..)
            .zip(&self.files.all)
            .map(|(place, (path, _)): (usize, _)| {
                format!(
                    "              - {{ key: file{place}, path: {} }}\n",
                    quoted(path)
                )
            })
            .collect();
        let Manifest {
            image, claim, jobs, ..
        } = self;
        let (image, claim, config) = (quoted(image), quoted(claim), quoted(&label(&self.study)));
        let name = quoted(name);
        format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {name}\nspec:\n{kind}  template:\n    spec:\n      \
             restartPolicy: Never\n      containers:\n        - name: pacesim\n          image: {image}\n          \
             securityContext: {{ allowPrivilegeEscalation: false, capabilities: {{ drop: [\"ALL\"] }}, seccompProfile: {{ type: RuntimeDefault }} }}\n          \
             args:\n{arguments}          resources:\n            requests: {{ cpu: \"{jobs}\", memory: 512Mi }}\n          \
             volumeMounts:\n            - {{ name: study, mountPath: {STUDY} }}\n            \
             - {{ name: results, mountPath: {RESULTS} }}\n      volumes:\n        - name: study\n          \
             configMap:\n            name: {config}\n            items:\n{items}        - name: results\n          \
             persistentVolumeClaim:\n            claimName: {claim}\n"
        )
    }
}

/// A name as Kubernetes takes it for a Job, short enough for what it appends for each pod. One that is not the study's
/// own ends with a digest of that, so that two studies do not share a Job.
fn label(study: &str) -> String {
    let plain = plain_label(study);
    match plain == study {
        true => plain,
        false => format!("{plain}-{:06x}", digest(study) & 0xFF_FFFF),
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
    match label.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => label.to_owned(),
        false => format!("study-{label}").trim_matches('-').to_owned(),
    }
}

/// An argument in which Kubernetes puts in no variable.
fn escaped(argument: &str) -> String {
    argument.replace("$(", "$$(")
}

/// A text in quotes: JSON's are YAML's too.
fn quoted(text: &str) -> String {
    to_string(text).expect("a text is JSON")
}

/// A text of many lines as it stands, where YAML leaves it as it is, or else in quotes.
fn scalar(text: &str) -> String {
    let is_kept = |c: char| {
        matches!(c, '\n' | '\t' | ' '..='~')
            || (c > '\u{a0}' && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}'))
    };
    if text.trim().is_empty() || !text.chars().all(is_kept) {
        return quoted(text) + "\n";
    }
    let (chomping, end) = match text.ends_with('\n') {
        true => ('+', ""),
        false => ('-', "\n"),
    };
    let line = |line: &str| match line.trim_end_matches('\n').is_empty() {
        true => line.to_owned(),
        false => format!("    {line}"),
    };
    let lines: String = text.split_inclusive('\n').map(line).collect();
    format!("|2{chomping}\n{lines}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            study: "Edge Fig. 3".to_owned(),
            image: "registry.example/pacesim:0.1.0".to_owned(),
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
    fn the_job_is_indexed_and_the_number_of_shards_stands_in_it() {
        let yaml = manifest().to_yaml();
        for part in [
            "completionMode: Indexed",
            "completions: 200",
            "backoffLimitPerIndex: 3",
            "restartPolicy: Never",
            "\"$(JOB_COMPLETION_INDEX)+1/200\"",
            "\"title=$$(HOME)\"",
            "name: \"edge-fig--3-",
            "\"/results/edge-fig--3-",
            "allowPrivilegeEscalation: false",
            "suspend: true",
            "file0: |2+\n    a = 1\n\n      b = '$(x)'\n",
            "file1: |2-\n    c = 1\n",
            "{ key: file1, path: \"base.toml\" }",
        ] {
            assert!(yaml.contains(part), "{part}\n{yaml}");
        }
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
        assert_eq!(scalar("a\r\n"), "\"a\\r\\n\"\n");
        assert_eq!(scalar("\n"), "\"\\n\"\n");
        assert_eq!(scalar("\u{feff}a"), "\"\u{feff}a\"\n");
        assert_eq!(scalar("ü\n\n"), "|2+\n    ü\n\n");
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
        assert!(matches!(refused, Err(FilesError::Foreign(_))));
        std::fs::write(inner.join("e.csv"), [0xff]).expect("written");
        let refused = StudyFiles::read(&inner.join("s.toml"), &names);
        assert!(matches!(refused, Err(FilesError::Foreign(_))));
    }

    #[test]
    fn names_are_such_that_kubernetes_takes_them() {
        assert_eq!(label("buffers"), "buffers");
        assert!(label("3 queues").starts_with("study-3-queues-"));
        assert!(label("ü").starts_with("study-"));
        assert_ne!(label("{{x}}"), label("$(X)"), "two studies share no Job");
        assert!(label(&"x".repeat(100)).len() <= 46);
    }
}
