//! Tables for notebooks.

/// A table with a caption.
pub(crate) fn table<const N: usize>(
    caption: &str,
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let row = |cells: &[String], tag: &str| {
        let cell = |text: &String| format!("<{tag}>{}</{tag}>", escaped(text));
        let cells: String = cells.iter().map(cell).collect();
        format!("<tr>{cells}</tr>")
    };
    let head = row(&head.map(str::to_owned), "th");
    let rows: String = rows.map(|cells| row(&cells, "td")).collect();
    let caption = escaped(caption);
    format!("<table><caption>{caption}</caption><thead>{head}</thead><tbody>{rows}</tbody></table>")
}

/// Preformatted text.
pub(crate) fn text(caption: &str, text: &str) -> String {
    format!("<b>{}</b><pre>{}</pre>", escaped(caption), escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
