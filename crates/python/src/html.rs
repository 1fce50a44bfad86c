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

/// Judged claims, from the JSON of a sweep or of findings.
pub(crate) fn claims(caption: &str, document: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(document).unwrap_or_default();
    let shown = |value: &serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let claims = document["claims"].as_array().into_iter().flatten();
    let row = |claim: &serde_json::Value| {
        ["claim", "verdict", "paper", "ours", "accepts"].map(|key| shown(&claim[key]))
    };
    table(
        caption,
        ["claim", "verdict", "paper", "ours", "accepted"],
        claims.map(row),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
