//! Descriptions in the text of a study, and the order of ids.

/// A one-line description of a study: its key `title`, or the beginning of its head comment.
pub(crate) fn title(text: &str) -> String {
    let Ok(table) = text.parse::<toml::Table>() else {
        return "cannot be read: `pacesim check` says why".to_owned();
    };
    let title = table.get("title").and_then(toml::Value::as_str);
    let notes = notes(text);
    let first = || Some(notes.first()?.split(". ").next()?.trim_end_matches('.'));
    title.or_else(first).unwrap_or("without a title").to_owned()
}

/// The paragraphs of a study's head comment, without command lines, which are indented.
pub(crate) fn notes(text: &str) -> Vec<String> {
    let comment = text.lines().map_while(|line| line.strip_prefix('#'));
    let prose: Vec<&str> = comment.filter(|line| !line.starts_with("  ")).collect();
    let joined = |lines: &[&str]| {
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        words.collect::<Vec<_>>().join(" ")
    };
    let paragraphs = prose.split(|line| line.trim().is_empty()).map(joined);
    paragraphs.filter(|prose| !prose.is_empty()).collect()
}

/// A part of an id for sorting: digits compare as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IdPart<'a> {
    Number(u64),
    Text(&'a str),
}

/// An id as alternating strings and numbers.
pub(crate) fn number_or_text(id: &str) -> impl Iterator<Item = IdPart<'_>> {
    let mut rest = id;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let differs = |c: char| c.is_ascii_digit() != first.is_ascii_digit();
        let (part, after) = rest.split_at(rest.find(differs).unwrap_or(rest.len()));
        rest = after;
        let number = part.parse().map(IdPart::Number);
        Some(number.unwrap_or(IdPart::Text(part)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_the_order_in_which_people_count() {
        let mut ids = ["fig10", "table2", "fig9-10", "fig9", "fig11-12", "law"];
        ids.sort_by(|a, b| number_or_text(a).cmp(number_or_text(b)));
        assert_eq!(
            ids,
            ["fig9", "fig9-10", "fig10", "fig11-12", "law", "table2"]
        );
    }

    #[test]
    fn notes_are_the_prose_at_the_head() {
        let text = "# One idea\n# in two lines.\n#   pacesim check x\n#\n# Another.\n#\n#   pacesim sweep x\n\nname = \"x\"\n# no note\n";
        assert_eq!(notes(text), ["One idea in two lines.", "Another."]);
        assert_eq!(notes("name = 1"), Vec::<String>::new());
    }

    #[test]
    fn every_study_has_a_line_about_it() {
        assert_eq!(title("# Heads.\ntitle = \"x\"\n[sweep]\n"), "x");
        assert_eq!(title("# Heads. Or tails.\nname = \"x\""), "Heads");
        assert_eq!(title("name = \"x\""), "without a title");
        assert!(
            title("= =").starts_with("cannot be read"),
            "{}",
            title("= =")
        );
    }
}
