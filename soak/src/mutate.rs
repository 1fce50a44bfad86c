//! Random mutations of bytes.

use crate::dice::Dice;

/// Fragments that a slip, a damaged disk or malice may put into a file, separated by bars.
const PIECES: &[u8] = b"\"|[|]|[[flow]]|{|}|=|.|,|\n|\r\n|#|'|\0|\xff|\xef\xbb\xbf|\xc2\xb5|-1|0|1e400|nan|-inf\
    |99999999999999999999|18446744073709551615|9223372036854775808|4294967296|0.0000000000001|true|\"\"|\"0pkts\"\
    |\"1ps\"|\"99999999h\"|\"18446744073709551615bps\"|left[3]|[4294967295]|[5..2]|.back|count = 4294967295\n\
    |pair = \"all\"\n|{ uniform = [\"1ms\", \"0ms\"] }|{ pareto = { mean = \"0s\", shape = -1 } }|1979-05-27|kind\
    |shape = \"star\"\n|t_s,size_bytes\n|deadline_s|PAR1|\x7f\xff\xff\xff|\x80\x80\x80\x80\x80\x01";

/// Makes up to six changes, usually a few.
pub(crate) fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let changes = 1 + dice.below(6);
    for _ in 0..1 + dice.below(changes) {
        change(bytes, dice);
    }
}

fn change(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let start = dice.place(bytes.len() + 1);
    let length = dice.magnitude(1, 64) as usize;
    let end = (start + length).min(bytes.len());
    match dice.below(8) {
        0 | 1 => insert(bytes, start, piece(dice)),
        2 => drop(bytes.splice(start..end, piece(dice).iter().copied())),
        3 => drop(bytes.drain(start..end)),
        4 => {
            let copy = bytes[start..end].to_vec();
            let to = dice.place(bytes.len() + 1);
            insert(bytes, to, &copy);
        }
        5 => flip(bytes, start, dice),
        6 => number(bytes, start, dice),
        _ if dice.one_in(4) => bytes.truncate(start),
        _ => flip(bytes, start, dice),
    }
}

fn piece(dice: &mut Dice) -> &'static [u8] {
    let pieces: Vec<&[u8]> = PIECES.split(|byte| *byte == b'|').collect();
    dice.pick::<&[u8]>(&pieces)
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Changes one byte: a bit, or all of it.
fn flip(bytes: &mut [u8], at: usize, dice: &mut Dice) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = match dice.below(4) {
            0 => *dice.pick(&[0, 1, 0x7F, 0x80, 0xFF]),
            1 => dice.below(256) as u8,
            _ => *byte ^ (1 << dice.below(8)),
        };
    }
}

/// Replaces the next digit.
fn number(bytes: &mut [u8], from: usize, dice: &mut Dice) {
    let rest = bytes.iter_mut().skip(from);
    if let Some(digit) = rest.into_iter().find(|byte| byte.is_ascii_digit()) {
        *digit = b'0' + dice.below(10) as u8;
    }
}
