//! Two encodings of whole numbers, as Parquet's *Encodings.md* has them.

/// Values that make one run, if they are equal, or else are packed bit by bit. A multiple of
/// eight.
const RUN: usize = 1024;

/// RLE / bit-packing hybrid: numbers of this many bits, runs of equal ones as such, all others
/// packed.
pub(super) fn hybrid<N: Copy + PartialEq>(
    values: &[N],
    number: impl Fn(N) -> u32 + Copy,
    width: u32,
    to: &mut Vec<u8>,
) {
    let mut run: Option<(N, usize)> = None;
    for some in values.chunks(RUN) {
        let first = some[0];
        let is_run = some.iter().all(|other| *other == first);
        match &mut run {
            Some((value, length)) if is_run && *value == first => {
                *length += some.len();
                continue;
            }
            _ => end_run(run.take(), number, width, to),
        }
        match is_run {
            true => run = Some((first, some.len())),
            false => pack_some(some, number, width, to),
        }
    }
    end_run(run, number, width, to);
}

fn end_run<N>(run: Option<(N, usize)>, number: impl Fn(N) -> u32, width: u32, to: &mut Vec<u8>) {
    if let Some((value, length)) = run {
        put_varint((length as u64) << 1, to);
        to.extend(&number(value).to_le_bytes()[..width.div_ceil(8) as usize]);
    }
}

/// A run of packed numbers; the last group of eight is filled up with zeros.
fn pack_some<N: Copy>(values: &[N], number: impl Fn(N) -> u32, width: u32, to: &mut Vec<u8>) {
    let groups = values.len().div_ceil(8);
    put_varint((groups as u64) << 1 | 1, to);
    let end = to.len() + groups * width as usize;
    for some in values.chunks(PACKED) {
        let mut numbers = [0; PACKED];
        let filled = numbers.iter_mut().zip(some);
        filled.for_each(|(to, value)| *to = number(*value).into());
        pack(&numbers, width, to);
    }
    to.truncate(end);
}

/// Values in a block of deltas, which have their least one in common.
const BLOCK: usize = 256;

/// Delta encoding: differences between neighbours, less the least of their block, in as many
/// bits as the greatest of their part of the block needs.
pub(super) fn deltas(values: impl ExactSizeIterator<Item = i64>, to: &mut Vec<u8>) {
    let mut left = values.len();
    put_varint(BLOCK as u64, to);
    put_varint((BLOCK / PACKED) as u64, to);
    put_varint(left as u64, to);
    let mut values = values;
    let mut before = values.next().unwrap_or(0);
    put_zigzag(before, to);
    left = left.saturating_sub(1);
    while left > 0 {
        let mut block = [0; BLOCK];
        let filled = left.min(BLOCK);
        let mut least = i64::MAX;
        for (delta, value) in block.iter_mut().zip(values.by_ref()) {
            *delta = value.wrapping_sub(before);
            before = value;
            least = least.min(*delta);
        }
        put_block(&block[..filled.next_multiple_of(PACKED)], filled, least, to);
        left -= filled;
    }
}

fn put_block(block: &[i64], filled: usize, least: i64, to: &mut Vec<u8>) {
    put_zigzag(least, to);
    let widths_at = to.len();
    to.extend([0; BLOCK / PACKED]);
    for (part, deltas) in block.chunks_exact(PACKED).enumerate() {
        let mut above = [0; PACKED];
        let mut bits = 0;
        for (above, delta) in above.iter_mut().zip(deltas) {
            *above = delta.wrapping_sub(least).cast_unsigned();
            bits |= *above;
        }
        let there = filled - part * PACKED;
        if there < PACKED {
            above[there..].fill(0);
            bits = above.iter().fold(0, |bits, above| bits | above);
        }
        let width = u64::BITS - bits.leading_zeros();
        to[widths_at + part] = width as u8;
        pack(&above, width, to);
    }
}

/// Numbers that are packed at a time.
const PACKED: usize = 64;

/// Numbers of this many bits one after the other, the lowest bit first.
fn pack(numbers: &[u64; PACKED], width: u32, to: &mut Vec<u8>) {
    let mut bytes = [0; PACKED * 8];
    let mut words = bytes.chunks_exact_mut(8);
    let (mut word, mut filled) = (0, 0);
    for number in numbers {
        word |= number << filled;
        filled += width;
        if filled >= u64::BITS {
            let full = words
                .next()
                .expect("64 numbers fill as many words as they have bits");
            full.copy_from_slice(&u64::to_le_bytes(word));
            filled -= u64::BITS;
            // All of a number of 64 bits may be in the word before.
            word = number.checked_shr(width - filled).unwrap_or(0);
        }
    }
    to.extend_from_slice(&bytes[..width as usize * 8]);
}

fn put_zigzag(number: i64, to: &mut Vec<u8>) {
    put_varint(((number << 1) ^ (number >> 63)).cast_unsigned(), to);
}

fn put_varint(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}
