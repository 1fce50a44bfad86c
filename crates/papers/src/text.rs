//! What the text of a study says about it, and the order of ids.

/// The title of a study: the value of its key `title`, or nothing.
pub(crate) fn title(text: &str) -> String {
    let table: Option<toml::Table> = text.parse().ok();
    let title = table
        .as_ref()
        .and_then(|table| table.get("title")?.as_str());
    title.unwrap_or_default().to_owned()
}

/// The paragraphs of the comment at the head of a study, without those of command lines.
pub(crate) fn notes(text: &str) -> Vec<String> {
    let comment = text.lines().map_while(|line| line.strip_prefix('#'));
    let lines: Vec<&str> = comment.collect();
    let paragraphs = lines.split(|line| line.trim().is_empty());
    let is_indented = |lines: &&[&str]| lines.iter().all(|line| line.starts_with("  "));
    let prose = paragraphs.filter(|lines| !lines.is_empty() && !is_indented(lines));
    let joined = |lines: &[&str]| {
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        words.collect::<Vec<_>>().join(" ")
    };
    prose.map(joined).collect()
}

/// A part of an id, for the order: digits count as the number that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part<'a> {
    Number(u64),
    Text(&'a str),
}

/// An id as texts and numbers in turns.
pub(crate) fn number_or_text(id: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = id;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let differs = |c: char| c.is_ascii_digit() != first.is_ascii_digit();
        let (part, after) = rest.split_at(rest.find(differs).unwrap_or(rest.len()));
        rest = after;
        let number = part.parse().map(Part::Number);
        Some(number.unwrap_or(Part::Text(part)))
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
        let text = "# One idea\n# in two lines.\n#\n# Another.\n#\n#   pacesim sweep x\n\nname = \"x\"\n# no note\n";
        assert_eq!(notes(text), ["One idea in two lines.", "Another."]);
        assert_eq!(notes("name = 1"), Vec::<String>::new());
    }

    #[test]
    fn a_title_is_read_of_any_study_and_of_none() {
        assert_eq!(title("title = \"x\"\n[sweep]\n"), "x");
        assert_eq!(title("name = \"x\""), "");
        assert_eq!(title("= ="), "");
    }
}
