//! The gallery: its figures are those of the pages behind them, whose commands draw them.

use std::fs;
use std::path::Path;

use super::root;

/// An entry: picture, page, file and its stated length, and the command.
struct Entry<'a> {
    picture: &'a str,
    page: &'a str,
    command: &'a str,
    file: &'a str,
    lines: usize,
}

/// The text between two others, and what follows.
fn between<'a>(text: &'a str, open: &str, close: &str) -> (&'a str, &'a str) {
    let (_, rest) = text.split_once(open).expect("an entry as the others");
    rest.split_once(close).expect("an entry as the others")
}

fn entry(text: &str) -> Entry<'_> {
    let (picture, rest) = between(text, "](", ")](");
    let (page, rest) = rest.split_once(')').expect("a page");
    let (command, rest) = between(rest, "`", "`");
    let (lines, rest) = between(rest, "[", " lines](");
    let (file, _) = rest.split_once(')').expect("a file");
    let lines = lines.parse().expect("a number of lines");
    Entry {
        picture,
        page,
        command,
        file,
        lines,
    }
}

#[test]
fn each_figure_of_the_gallery_is_drawn_on_its_page_by_a_short_file() {
    let docs = root().join("docs");
    let read = |path: &Path| fs::read_to_string(path).expect("a file of the book");
    let gallery = read(&docs.join("gallery.md"));
    let entries: Vec<Entry<'_>> = gallery.split("\n[![").skip(1).map(entry).collect();
    assert!(entries.len() >= 46, "{}", entries.len());
    for entry in entries {
        let page = docs.join(entry.page);
        let text = read(&page);
        let folder = page.parent().expect("its folder");
        let picture = docs.join(entry.picture);
        let of_page = picture.strip_prefix(folder).expect("beside its page");
        let shown = format!("]({})", of_page.display());
        assert!(text.contains(&shown), "{} shows no {shown}", entry.page);
        assert!(
            text.contains(entry.command),
            "{}: {}",
            entry.page,
            entry.command
        );
        let lines = read(&docs.join(entry.file)).lines().count();
        assert_eq!(lines, entry.lines, "{}", entry.file);
        assert!(lines <= 45, "{}: {lines} lines", entry.file);
    }
}
