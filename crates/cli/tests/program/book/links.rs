//! Links of all pages, and the table of contents.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::root;

/// All pages: those at the root and of docs, and the READMEs of crates and benchmarks.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in ["crates", "benches"] {
        walk(&root().join(folder), &mut pages);
    }
    // Other pages of crates are parts of pages of docs.
    pages.retain(|page| page.file_name().is_some_and(|name| name == "README.md"));
    walk(&root().join("docs"), &mut pages);
    let top = fs::read_dir(root()).expect("the repository");
    pages.extend(
        top.map(|entry| entry.expect("an entry").path())
            .filter(|path| is_page(path)),
    );
    pages
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

fn walk(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => walk(&path, pages),
            false if is_page(&path) => pages.push(path),
            false => {}
        }
    }
}

/// The text without blocks and code, where brackets are not links.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        let is_block = fenced || is_fence || line.starts_with("    ");
        if !is_block {
            let parts = line.split('`').step_by(2);
            parts.for_each(|part| prose.push_str(part));
        }
        prose.push('\n');
    }
    prose
}

/// Targets of the links in a text.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let ends = prose.match_indices("](").map(|(at, _)| at + 2);
    ends.filter_map(|at| Some(prose[at..].split_once(')')?.0.to_owned()))
        .collect()
}

/// The anchors of a page's headings, as GitHub and mdBook name them.
fn anchors(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = Vec::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || title == line || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().to_lowercase();
        let kept = kept
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let count = seen.entry(anchor.clone()).or_default();
        anchors.push(match *count {
            0 => anchor,
            n => format!("{anchor}-{n}"),
        });
        *count += 1;
    }
    anchors
}

/// The reason why a link is broken.
fn broken(page: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let to = match file {
        "" => page.to_owned(),
        _ => page.parent().expect("its folder").join(file),
    };
    if !to.exists() {
        return Some("there is no such file".to_owned());
    }
    if anchor.is_empty() || !is_page(&to) {
        return None;
    }
    let text = fs::read_to_string(&to).expect("a page");
    if anchors(&text).iter().any(|known| known == anchor) {
        None
    } else {
        Some("the page has no such heading".to_owned())
    }
}

#[test]
fn links_and_anchors_lead_somewhere() {
    let (mut wrong, mut links) = (Vec::new(), 0);
    for page in pages() {
        for target in targets(&fs::read_to_string(&page).expect("a page")) {
            links += 1;
            if let Some(reason) = broken(&page, &target) {
                wrong.push(format!("{}: {target}: {reason}", page.display()));
            }
        }
    }
    assert!(links > 300, "links found: {links}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_of_contents_has_every_page_once() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("the table of contents");
    let mut listed: Vec<PathBuf> = targets(&summary).iter().map(|to| docs.join(to)).collect();
    let mut pages = Vec::new();
    walk(&docs, &mut pages);
    pages.retain(|page| page.file_name().is_some_and(|name| name != "SUMMARY.md"));
    listed.sort();
    pages.sort();
    assert_eq!(
        listed, pages,
        "pages listed in SUMMARY.md, and pages in docs"
    );
}

#[test]
fn a_broken_link_would_be_noticed() {
    let page = root().join("README.md");
    assert!(broken(&page, "docs/nothing.md").is_some());
    assert!(broken(&page, "docs/study.md#nothing").is_some());
    assert_eq!(broken(&page, "docs/study.md#tune"), None);
    let text = "[a](b.md) `[c](d.md)`\n```\n[e](f.md)\n```\n";
    assert_eq!(targets(text), ["b.md"]);
}
