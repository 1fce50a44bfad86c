//! Text in a picture: its width and its line breaks.

/// Line spacing, in font sizes.
const LEADING: f64 = 1.25;

/// Advance widths of the characters from space to tilde in Arimo, whose unit is 1/2048 of the size.
/// Arial, Helvetica and Liberation Sans have the same widths.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    569, 569, 727, 1139, 1139, 1821, 1366, 391, 682, 682, 797, 1196, 569, 682, 569, 569,
    1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 569, 569, 1196, 1196, 1196, 1139,
    2079, 1366, 1366, 1479, 1479, 1366, 1251, 1593, 1479, 569, 1024, 1366, 1139, 1706, 1479, 1593,
    1366, 1593, 1479, 1366, 1251, 1479, 1366, 1933, 1366, 1366, 1251, 569, 569, 569, 961, 1139,
    682, 1139, 1139, 1024, 1139, 1139, 569, 1139, 1139, 455, 455, 1024, 455, 1706, 1139, 1139,
    1139, 1139, 682, 1024, 569, 1139, 1024, 1479, 1024, 1024, 1024, 684, 532, 684, 1196,
];
const UNITS: f64 = 2048.0;
/// Width of other characters: that of a digit, which few exceed.
const OTHER: u16 = 1139;
/// The width of raised digits.
const RAISED: u16 = 682;

/// Width of a line of text at a size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let units: u64 = text.chars().map(|c| u64::from(advance(c))).sum();
    units as f64 / UNITS * size
}

/// The height of n lines at a size.
pub(crate) fn height(lines: usize, size: f64) -> f64 {
    lines as f64 * LEADING * size
}

fn advance(c: char) -> u16 {
    let place = (c as usize).wrapping_sub(' ' as usize);
    match c {
        '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => RAISED,
        '−' => 1196,
        // A thousand of the widest still fit 64 bits; ideographs are as wide as high.
        '\u{1100}'.. if !('\u{2000}'..='\u{2bff}').contains(&c) => UNITS as u16,
        _ => WIDTHS.get(place).copied().unwrap_or(OTHER),
    }
}

/// A string in lines that fit, broken between words, and within words that are too long.
pub(crate) fn lines(text: &str, size: f64, widest: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        for part in parts(word, size, widest) {
            let last = lines.last_mut().expect("there is always a line");
            let joined = format!("{last} {part}");
            match () {
                () if last.is_empty() => *last = part,
                () if width(&joined, size) <= widest => *last = joined,
                () => lines.push(part),
            }
        }
    }
    lines
}

/// A word, cut where it is wider than a line.
fn parts(word: &str, size: f64, widest: f64) -> Vec<String> {
    let mut parts = vec![String::new()];
    for c in word.chars() {
        let last = parts.last_mut().expect("there is always a part");
        if !last.is_empty() && width(&format!("{last}{c}"), size) > widest {
            parts.push(c.to_string());
        } else {
            last.push(c);
        }
    }
    parts
}

/// Number at a tick; a value negligible against the axis' span is zero.
pub(crate) fn tick(value: f64, span: f64) -> String {
    let size = value.abs();
    if size <= span * 1e-9 {
        return "0".to_owned();
    }
    if needs_power(value) {
        power(value)
    } else {
        plain(&format!("{value:.6}")).replace('-', "−")
    }
}

/// True if a number is too long to be written out.
pub(crate) fn needs_power(value: f64) -> bool {
    value != 0.0 && !(1e-3..1e6).contains(&value.abs())
}

/// "2·10⁻⁷".
pub(crate) fn power(value: f64) -> String {
    let text = format!("{value:.3e}");
    let (digits, exponent) = text.split_once('e').expect("an exponent comes after e");
    let exponent: String = exponent.chars().map(raised).collect();
    match plain(digits) {
        "1" => format!("10{exponent}"),
        "-1" => format!("−10{exponent}"),
        digits => format!("{}·10{exponent}", digits.replace('-', "−")),
    }
}

fn raised(c: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])
}

/// Digits without trailing zeros.
pub(crate) fn plain(digits: &str) -> &str {
    digits.trim_end_matches('0').trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_lose_nothing() {
        let text = "throughput of 1000 flows, anUnbrokenNameThatIsFarTooLongForOneLine";
        let broken = lines(text, 14.0, 120.0);
        assert!(broken.len() > 2, "{:?}", broken.len());
        assert!(broken.iter().all(|line| width(line, 14.0) <= 120.0));
        let letters = |text: &str| text.replace(' ', "");
        assert_eq!(letters(&broken.concat()), letters(text));
    }

    #[test]
    fn ticks_are_short() {
        let texts = [0.1 + 0.2, 1e-7, 2e6, 0.0, 15.0, -3.0].map(|x| tick(x, 1.0));
        assert_eq!(texts, ["0.3", "10⁻⁷", "2·10⁶", "0", "15", "−3"]);
    }
}
