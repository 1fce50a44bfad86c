//! Paragraphs for papers: the citation of the program, and the statement of a run or a study.

use pacesim_lab::study::Outline;

use crate::numbers::how_many;

/// The citation of this version, for BibTeX.
pub(crate) fn citation() -> String {
    let (version, url) = (pacesim_lab::VERSION, env!("CARGO_PKG_REPOSITORY"));
    let licence = env!("CARGO_PKG_LICENSE");
    format!(
        "@software{{pacesim,\n  \
         author  = {{{{The pacesim authors}}}},\n  \
         title   = {{pacesim: a deterministic packet-level network simulator}},\n  \
         version = {{{version}}},\n  \
         url     = {{{url}}},\n  \
         license = {{{licence}}}\n\
         }}\n"
    )
}

/// A finished run or its replications, for a statement.
pub(crate) struct Stated<'a> {
    pub(crate) scenario: &'a str,
    pub(crate) digest: &'a str,
    pub(crate) seed: u64,
    /// The replication or replications, in words.
    pub(crate) repeated: String,
    pub(crate) fingerprint: &'a str,
    pub(crate) command: &'a [String],
}

/// One paragraph with everything needed to repeat a run.
pub(crate) fn statement(stated: &Stated<'_>) -> String {
    let (version, schema) = (pacesim_lab::VERSION, pacesim_lab::SCHEMA_VERSION);
    let Stated {
        scenario,
        digest,
        seed,
        repeated,
        fingerprint,
        ..
    } = stated;
    let command = shell_words(stated.command);
    format!(
        "Simulated with pacesim {version} (results schema {schema}): scenario \"{scenario}\" with \
         digest {digest}, seed {seed}, {repeated}, by the command `{command}`. The fingerprint of \
         all packets is {fingerprint}; this version gives the same for this scenario and seed on \
         every machine.\n"
    )
}

/// One paragraph with everything needed to repeat a study.
pub(crate) fn statement_of_study(outline: &Outline, seed: u64, command: &[String]) -> String {
    let (version, schema) = (pacesim_lab::VERSION, pacesim_lab::SCHEMA_VERSION);
    let (study, fingerprint) = (&outline.study, &outline.fingerprint);
    let points = how_many(outline.points.len(), "point");
    let runs = how_many(outline.runs as usize, "run");
    let command = shell_words(command);
    format!(
        "Simulated with pacesim {version} (results schema {schema}): study \"{study}\" with {points} \
         and {runs}, seed {seed}, by the command `{command}`. The fingerprint of all runs is \
         {fingerprint}; this version gives the same for this study and seed on every machine.\n"
    )
}

/// A command without its folder and `--statement`, quoted for a shell.
fn shell_words(command: &[String]) -> String {
    let Some((program, arguments)) = command.split_first() else {
        return String::new();
    };
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let arguments = arguments.iter().filter(|word| *word != "--statement");
    let quoted = arguments.map(|word| quoted(word));
    let words: Vec<String> = std::iter::once(program.to_owned()).chain(quoted).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A citation in the package must agree with the file that repositories and archives read.
    #[test]
    fn the_citation_is_that_of_the_citation_file() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CITATION.cff");
        let file = std::fs::read_to_string(path).expect("CITATION.cff");
        let field = |key: &str| {
            let line = file.lines().find_map(|line| line.strip_prefix(key));
            line.expect("a field of CITATION.cff")
                .trim()
                .trim_matches('"')
                .to_owned()
        };
        let author = field("  - name:");
        for text in [
            author,
            field("title:"),
            field("version:"),
            field("repository-code:"),
        ] {
            assert!(
                citation().contains(&format!("{{{text}}}")),
                "the citation must have \"{text}\" of CITATION.cff:\n{}",
                citation()
            );
        }
    }

    #[test]
    fn commands_are_quoted_as_a_shell_reads_them() {
        let words = [
            "/usr/bin/pacesim",
            "run",
            "a b.toml",
            "--statement",
            "--set",
        ];
        let mut command: Vec<String> = words.iter().map(ToString::to_string).collect();
        command.push("fec=[]".to_owned());
        assert_eq!(
            shell_words(&command),
            "pacesim run 'a b.toml' --set 'fec=[]'"
        );
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
