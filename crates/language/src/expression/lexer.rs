//! The tokens of expressions.

use std::ops::Range;

use crate::expression::problem::Problem;
use crate::expression::value::Value;

/// A token of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'t> {
    /// A number, perhaps with a unit.
    Literal(Value),
    /// A name, or a reference such as "core.back" or "hop[1]", perhaps a pattern: "hop[*]".
    Name(&'t str),
    /// One of + - * / ( ) and the comma.
    Sign(char),
}

/// Splits a text into tokens with their places.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, Problem> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        let token = match first {
            first if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '0'..='9' | '.' => {
                at += literal_length(&text[at..]);
                literal(&text[start..at], start)?
            }
            first if first.is_ascii_alphabetic() => {
                at += name_length(&text[at..]);
                Token::Name(&text[start..at])
            }
            sign => {
                at += sign.len_utf8();
                self::sign(sign, start..at)?
            }
        };
        found.push((token, start..at));
    }
    Ok(found)
}

fn sign<'t>(sign: char, at: Range<usize>) -> Result<Token<'t>, Problem> {
    match sign {
        '+' | '-' | '*' | '/' | '(' | ')' | ',' => Ok(Token::Sign(sign)),
        '×' => Ok(Token::Sign('*')),
        '÷' => Ok(Token::Sign('/')),
        '−' => Ok(Token::Sign('-')),
        _ => Err(Problem::new(
            at,
            format!("the character {sign:?} has no meaning here"),
            "use + - * / ( ), numbers, names, min, max, sqrt, log and pow",
        )),
    }
}

fn literal<'t>(text: &str, start: usize) -> Result<Token<'t>, Problem> {
    let is_rest_of_name = text
        .strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    if is_rest_of_name {
        return Err(Problem::new(
            start..start + text.len(),
            format!("no name begins with \"{text}\""),
            "a * stands for all of a name, as in flows.*.goodput_bps, and for no part of one: name each of several",
        ));
    }
    Value::written(text).map(Token::Literal).ok_or_else(|| {
        Problem::new(
            start..start + text.len(),
            format!("\"{text}\" is not a number with a unit"),
            "give a number like 0.5, 10Mbps, 5ms, 1500B or 20pkts",
        )
    })
}

/// Bytes of a number and the unit that follows it without a space. "1e3" is a number; "10Mbit/s" has a slash.
fn literal_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    while is_digit(end) || matches!(bytes.get(end), Some(b'.' | b'_')) {
        end += 1;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if is_digit(end + 1 + signed) {
            end += 1 + signed;
            while is_digit(end) {
                end += 1;
            }
        }
    }
    let is_unit = |c: char| c.is_alphabetic() && c != '×';
    let unit = text[end..]
        .find(|c| !is_unit(c))
        .unwrap_or(text.len() - end);
    let is_slashed = text[end..end + unit].ends_with("bit") && text[end + unit..].starts_with("/s");
    let slashed = if is_slashed { "/s".len() } else { 0 };
    end + unit + slashed
}

/// Bytes of a name or reference. A hyphen is part of it only between letters or digits without
/// spaces, a star only between dots or in brackets: "flows.*.goodput_bps", "hop[*]".
fn name_length(text: &str) -> usize {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_star = |at: usize| {
        [".*.", "[*]"]
            .iter()
            .any(|star| text[at..].starts_with(star))
    };
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next_is_plain = chars.peek().is_some_and(|(_, next)| is_plain(*next));
        let belongs = match c {
            '.' if is_star(at) => true,
            '-' | '.' => next_is_plain,
            '[' | ']' => true,
            '*' => is_star(at - 1),
            c => is_plain(c),
        };
        if !belongs {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}
