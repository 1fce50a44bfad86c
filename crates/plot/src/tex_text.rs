//! Text, numbers and colours in TeX.

use crate::drawing::Colour;

/// A text with TeX's special characters escaped, and letters that its fonts lack as symbols.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in superscripts_apart(text) {
        match c {
            Piece::Raised(digits) => out += &format!("$^{{{digits}}}$"),
            Piece::Plain('\\') => out += "\\textbackslash{}",
            Piece::Plain('~') => out += "\\textasciitilde{}",
            Piece::Plain('^') => out += "\\textasciicircum{}",
            Piece::Plain('<') => out += "$<$",
            Piece::Plain('>') => out += "$>$",
            Piece::Plain('|') => out += "$|$",
            Piece::Plain(c @ ('{' | '}' | '$' | '&' | '#' | '_' | '%')) => {
                out.push('\\');
                out.push(c);
            }
            Piece::Plain(c) => match symbol(c) {
                Some(name) => out += &format!("${name}$"),
                None if c.is_control() => out.push(' '),
                None => out.push(c),
            },
        }
    }
    out
}

/// A number in at most eight digits; pgfplots leaves out those that are not finite.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "nan".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if !(1e-4..1e7).contains(&size) {
        let text = format!("{value:.7e}");
        let (digits, exponent) = text.split_once('e').expect("an exponent comes after e");
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        return format!("{digits}e{exponent}");
    }
    let places = 7 - (libm::log10(size).floor() as i32).clamp(-4, 7);
    let text = format!("{value:.*}", places as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The colour in the notation of xcolor.
pub(crate) fn rgb(Colour(red, green, blue): Colour) -> String {
    format!("{{rgb,255:red,{red};green,{green};blue,{blue}}}")
}

/// A letter, or raised digits that stand together.
enum Piece {
    Plain(char),
    Raised(String),
}

fn superscripts_apart(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for c in text.chars() {
        match (raised(c), pieces.last_mut()) {
            (Some(digit), Some(Piece::Raised(digits))) => digits.push(digit),
            (Some(digit), _) => pieces.push(Piece::Raised(digit.to_string())),
            (None, _) => pieces.push(Piece::Plain(c)),
        }
    }
    pieces
}

/// The digit or sign that is raised.
fn raised(c: char) -> Option<char> {
    const RAISED: [(char, char); 11] = [
        ('⁰', '0'),
        ('¹', '1'),
        ('²', '2'),
        ('³', '3'),
        ('⁴', '4'),
        ('⁵', '5'),
        ('⁶', '6'),
        ('⁷', '7'),
        ('⁸', '8'),
        ('⁹', '9'),
        ('⁻', '-'),
    ];
    RAISED
        .iter()
        .find(|(up, _)| *up == c)
        .map(|(_, digit)| *digit)
}

/// The command for a letter that text fonts lack.
fn symbol(c: char) -> Option<&'static str> {
    const SYMBOLS: [(char, &str); 28] = [
        ('α', "\\alpha"),
        ('β', "\\beta"),
        ('γ', "\\gamma"),
        ('δ', "\\delta"),
        ('Δ', "\\Delta"),
        ('ε', "\\varepsilon"),
        ('η', "\\eta"),
        ('θ', "\\theta"),
        ('λ', "\\lambda"),
        ('µ', "\\mu"),
        ('μ', "\\mu"),
        ('π', "\\pi"),
        ('ρ', "\\rho"),
        ('σ', "\\sigma"),
        ('τ', "\\tau"),
        ('φ', "\\varphi"),
        ('ω', "\\omega"),
        ('Ω', "\\Omega"),
        ('≤', "\\le"),
        ('≥', "\\ge"),
        ('≈', "\\approx"),
        ('±', "\\pm"),
        ('×', "\\times"),
        ('÷', "\\div"),
        ('·', "\\cdot"),
        ('−', "-"),
        ('√', "\\surd"),
        ('∞', "\\infty"),
    ];
    SYMBOLS
        .iter()
        .find(|(letter, _)| *letter == c)
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_a_meaning_in_tex_are_escaped() {
        assert_eq!(escaped("50 % of a_b & {c}"), "50 \\% of a\\_b \\& \\{c\\}");
        assert_eq!(escaped("10⁻³ bps²"), "10$^{-3}$ bps$^{2}$");
        assert_eq!(escaped("γ ≤ 2·µ"), "$\\gamma$ $\\le$ 2$\\cdot$$\\mu$");
        assert_eq!(
            escaped("a\\b~c^d"),
            "a\\textbackslash{}b\\textasciitilde{}c\\textasciicircum{}d"
        );
    }

    #[test]
    fn numbers_are_short_and_exact_to_seven_digits() {
        let texts = [0.0, 1.0, -0.5, 1.0 / 3.0, 12_345_678.9, 2e-7, 9_653_000.0].map(number);
        assert_eq!(
            texts,
            [
                "0",
                "1",
                "-0.5",
                "0.33333333",
                "1.2345679e7",
                "2e-7",
                "9653000"
            ]
        );
    }
}
