//! `llms.txt`: the pages of the book, for assistants that read files in place of a site.

use std::fs;

use super::root;

/// The lines above the list.
const HEAD: &str = "\
# pacesim

> A deterministic packet-level network simulator, as a program and a Rust library: small buffers, pacing, queue
> disciplines, forward error correction, and TCP from Tahoe to CUBIC, BBR and Prague. Scenarios and studies are TOML.

- `pacesim new | pacesim run -` runs a first scenario; `pacesim check FILE` lists all mistakes with line, key and remedy.
- `pacesim schema --reference` prints every key of scenarios, `pacesim schema` their JSON Schema; docs/study.md has the keys of studies.
- Quantities carry their unit in quotes: `\"10Mbps\"`, `\"20ms\"`, `\"40pkts\"`, `\"1.5KB\"`. Counts and shares are bare numbers.
- Equal file and seed give equal results. Differences between settings need replications: `pacesim sweep`, with claims (`[[expect]]`).
- `scripts/llms.sh` writes all of these pages as one Markdown file, `target/llms-full.txt`.
";

/// The file as it follows from the book's summary.
fn listed() -> String {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("a summary");
    let mut text = HEAD.to_owned();
    for line in summary.lines() {
        let line = line.trim_start();
        if let Some(heading) = line.strip_prefix("# ").filter(|name| *name != "Summary") {
            text += &format!("\n## {heading}\n\n");
        }
        let link = line
            .strip_prefix("- [")
            .and_then(|rest| rest.split_once("]("));
        if let Some((title, page)) = link {
            let page = page.trim_end_matches(')');
            let path = match page.strip_prefix("inside/") {
                Some(file) => file.trim_end_matches(".md").to_uppercase() + ".md",
                None => format!("docs/{page}"),
            };
            assert!(root().join(&path).is_file(), "{path}");
            text += &format!("- [{title}]({path})\n");
        }
    }
    text
}

#[test]
fn the_list_for_assistants_has_every_page() {
    let path = root().join("llms.txt");
    let listed = listed();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &listed).expect("written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == listed,
        "llms.txt is not the book's list (UPDATE_DOCS=1 writes it)"
    );
}
