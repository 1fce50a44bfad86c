//! The reference of the language as pages of the book: one for each table, or for each large key of one.

use pacesim_scenario::reference;
use std::fs;
use std::path::{Path, PathBuf};

/// The pages: file, title, and the beginnings of the headings of their sections.
const PAGES: [(&str, &str, &[&str]); 18] = [
    ("file", "The file", &["The file"]),
    ("host", "Hosts", &["[host]"]),
    ("run", "The run", &["[run]", "[[thread]]"]),
    (
        "topology",
        "Topologies",
        &["[topology]", "Links of a topology"],
    ),
    ("node", "Nodes", &["[[node]]"]),
    (
        "discipline",
        "Queue disciplines of links",
        &["[[link]]: discipline"],
    ),
    ("pacer", "Pacers of links", &["[[link]]: pacer"]),
    ("link", "Links", &["[[link]]"]),
    ("tcp", "TCP", &["[[flow]]: traffic: kind = \"tcp\""]),
    (
        "rdma",
        "RDMA and NDP",
        &[
            "[[flow]]: traffic: kind = \"rdma\"",
            "[[flow]]: traffic: kind = \"ndp\"",
        ],
    ),
    (
        "sources",
        "Sources other than transports",
        &["[[flow]]: traffic"],
    ),
    ("flow", "Flows", &["[[flow]]"]),
    ("switch", "Shared memories", &["[[switch]]"]),
    ("fec", "Forward error correction", &["[[fec]]"]),
    ("event", "Timed events", &["[[event]]"]),
    ("live", "Keys of live runs", &["[live]"]),
    ("output", "Recordings", &["[output]"]),
    ("accept", "Accepted warnings", &["[[accept]]"]),
];

/// The order of the pages in the index, in which tables come before their large keys.
const ORDER: [&str; 18] = [
    "file",
    "run",
    "topology",
    "node",
    "host",
    "link",
    "discipline",
    "pacer",
    "flow",
    "tcp",
    "rdma",
    "sources",
    "switch",
    "fec",
    "event",
    "live",
    "output",
    "accept",
];

/// A section: its heading, and the text below it.
struct Section {
    heading: String,
    text: String,
}

impl Section {
    fn page(&self) -> &'static str {
        let is_of =
            |(.., of): &&(&str, &str, &[&str])| of.iter().any(|of| self.heading.starts_with(of));
        let page = PAGES.iter().find(is_of);
        page.unwrap_or_else(|| panic!("no page for \"{}\": add it to PAGES", self.heading))
            .0
    }

    fn anchor(&self) -> String {
        let kept = self
            .heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        anchor.to_lowercase()
    }

    /// The heading as the text of a link.
    fn link(&self) -> String {
        self.heading.replace('[', "\\[").replace(']', "\\]")
    }
}

/// The introduction and the sections of the whole reference.
fn sections(whole: &str) -> (String, Vec<Section>) {
    let mut introduction = String::new();
    let mut sections: Vec<Section> = Vec::new();
    let mut fenced = false;
    for line in whole.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        match (
            line.strip_prefix("## ").filter(|_| !fenced),
            sections.last_mut(),
        ) {
            (Some(heading), _) => sections.push(Section {
                heading: heading.trim().to_owned(),
                text: String::new(),
            }),
            (None, Some(section)) => section.text += line,
            (None, None) => introduction += line,
        }
    }
    (introduction, sections)
}

/// The pages by path below `docs`: the index, and one for each of `PAGES`.
fn pages() -> Vec<(PathBuf, String)> {
    let (introduction, sections) = sections(&reference());
    let mut index = introduction.trim_end().to_owned()
        + "\n\n## Pages\n\nThe keys are on these pages; `pacesim schema --reference` prints them all.\n";
    let mut pages = Vec::new();
    for name in ORDER {
        let (_, title, _) = PAGES.iter().find(|(of, ..)| *of == name).expect("a page");
        let own: Vec<&Section> = sections
            .iter()
            .filter(|section| section.page() == name)
            .collect();
        assert!(
            !own.is_empty(),
            "{name} has no section: take it out of PAGES"
        );
        index += &format!("\n- [{title}](scenario/{name}.md)\n");
        let mut text = format!("# {title}\n");
        for section in own {
            let (anchor, link) = (section.anchor(), section.link());
            // Links to the page as it was before it was divided lead to these places.
            index += &format!("  - <a id=\"{anchor}\"></a>[{link}](scenario/{name}.md#{anchor})\n");
            let body = with_pages(&section.text, name, &sections);
            text += &format!("\n## {}\n{}\n", section.heading, body.trim_end());
        }
        pages.push((Path::new("scenario").join(format!("{name}.md")), text));
    }
    pages.push((PathBuf::from("scenario.md"), index));
    pages
}

/// A text whose links to sections name the pages of these.
fn with_pages(text: &str, page: &str, sections: &[Section]) -> String {
    let mut parts = text.split("](#");
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (anchor, _) = part.split_once(')').expect("a link ends");
        let section = sections.iter().find(|section| section.anchor() == anchor);
        let of = section
            .unwrap_or_else(|| panic!("no section #{anchor}"))
            .page();
        let file = if of == page {
            String::new()
        } else {
            format!("{of}.md")
        };
        changed += &format!("]({file}#{part}");
    }
    changed
}

#[test]
fn the_pages_on_disk_are_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = pages();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(docs.join("scenario")).expect("a folder");
        for (path, text) in &pages {
            fs::write(docs.join(path), text).expect("docs can be written");
        }
    }
    for (path, text) in &pages {
        let on_disk = fs::read_to_string(docs.join(path)).unwrap_or_default();
        assert!(
            on_disk == *text,
            "{}: run: UPDATE_DOCS=1 cargo test -p pacesim-scenario --test all pages",
            path.display()
        );
    }
    let files = fs::read_dir(docs.join("scenario"))
        .expect("a folder")
        .count();
    assert_eq!(files, PAGES.len(), "a page that is no longer written");
}

#[test]
fn no_page_has_a_fourth_of_all_keys() {
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("| `")).count();
    let all = rows(&reference());
    let of_pages: Vec<usize> = pages().iter().map(|(_, text)| rows(text)).collect();
    assert_eq!(of_pages.iter().sum::<usize>(), all, "no key is lost");
    assert!(
        of_pages.iter().all(|rows| 4 * rows < all),
        "{of_pages:?} of {all}"
    );
}
