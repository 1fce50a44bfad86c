//! Bytes with a few things wrong with them.

use crate::dice::Dice;

/// What a slip, a broken disk or malice may put into a file.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"[",
    b"]",
    b"[[flow]]",
    b"{",
    b"}",
    b"=",
    b".",
    b",",
    b"\n",
    b"\r\n",
    b"#",
    b"'",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    "µ".as_bytes(),
    b"-1",
    b"0",
    b"1e400",
    b"nan",
    b"-inf",
    b"99999999999999999999",
    b"18446744073709551615",
    b"9223372036854775808",
    b"4294967296",
    b"0.0000000000001",
    b"true",
    b"\"\"",
    b"\"0pkts\"",
    b"\"1ps\"",
    b"\"99999999h\"",
    b"\"18446744073709551615bps\"",
    b"left[3]",
    b"[4294967295]",
    b"[5..2]",
    b".back",
    b"count = 4294967295\n",
    b"pair = \"all\"\n",
    b"{ uniform = [\"1ms\", \"0ms\"] }",
    b"{ pareto = { mean = \"0s\", shape = -1 } }",
    b"1979-05-27",
    b"kind",
    b"shape = \"star\"\n",
    b"t_s,size_bytes\n",
    b"deadline_s",
    b"PAR1",
    b"\x7f\xff\xff\xff",
    b"\x80\x80\x80\x80\x80\x01",
];

/// Makes up to six changes, mostly few.
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
        0 | 1 => insert(bytes, start, *dice.pick::<&[u8]>(PIECES)),
        2 => drop(bytes.splice(start..end, dice.pick(PIECES).iter().copied())),
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

/// Changes the next digit to another.
fn number(bytes: &mut [u8], from: usize, dice: &mut Dice) {
    let rest = bytes.iter_mut().skip(from);
    if let Some(digit) = rest.into_iter().find(|byte| byte.is_ascii_digit()) {
        *digit = b'0' + dice.below(10) as u8;
    }
}
