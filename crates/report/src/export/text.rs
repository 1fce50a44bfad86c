//! Numbers as text, for formats with many of them.

/// The decimals of the numbers below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < pairs.len() {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Appends a number in decimal.
pub(super) fn decimal(to: &mut Vec<u8>, number: u64) {
    let mut digits = [[0; 2]; 10];
    let (mut place, mut rest) = (digits.len(), number);
    loop {
        place -= 1;
        digits[place] = PAIRS[(rest % 100) as usize];
        rest /= 100;
        if rest == 0 {
            break;
        }
    }
    let leading = usize::from(digits[place][0] == b'0');
    to.extend_from_slice(&digits[place..].as_flattened()[leading..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_by_the_standard_library() {
        let powers = (0..20).map(|n| 10_u64.pow(n));
        for number in powers.flat_map(|n| [n - 1, n, n + 7]).chain([u64::MAX]) {
            let mut text = b"=".to_vec();
            decimal(&mut text, number);
            assert_eq!(text, format!("={number}").into_bytes());
        }
    }
}
