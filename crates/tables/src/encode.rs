//! Two encodings of integers, as in Parquet's *Encodings.md*.

/// Values that form one run if they are equal, and are bit-packed otherwise. A multiple of eight.
const RUN: usize = 1024;

/// RLE / bit-packing hybrid: numbers of this many bits, runs of equal ones as such, all others
/// packed.
pub(crate) fn hybrid<N: Copy + PartialEq>(
    values: &[N],
    number: impl Fn(N) -> u32 + Copy,
    width: u32,
    to: &mut Vec<u8>,
) {
    let mut run: Option<(N, usize)> = None;
    for some in values.chunks(RUN) {
        let first = some[0];
        // Without an early exit, the loop compares many at once.
        let is_run = some
            .iter()
            .fold(true, |same, other| same & (*other == first));
        match &mut run {
            Some((value, length)) if is_run && *value == first => {
                *length += some.len();
                continue;
            }
            _ => end_run(run.take(), number, width, to),
        }
        if is_run {
            run = Some((first, some.len()))
        } else {
            pack_some(some, number, width, to)
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

/// A run of packed numbers; the last group of eight is padded with zeros.
fn pack_some<N: Copy>(values: &[N], number: impl Fn(N) -> u32, width: u32, to: &mut Vec<u8>) {
    let groups = values.len().div_ceil(8);
    put_varint((groups as u64) << 1 | 1, to);
    let end = to.len() + groups * width as usize;
    pack(values.iter().map(|value| number(*value).into()), width, to);
    to.resize(end, 0);
}

/// Values in a block of deltas, which share a minimum.
const BLOCK: usize = 256;

/// Delta encoding: differences between neighbours, minus the minimum of their block, in as many
/// bits as the maximum of their miniblock needs.
pub(crate) fn deltas(mut values: impl ExactSizeIterator<Item = i64>, to: &mut Vec<u8>) {
    put_varint(BLOCK as u64, to);
    put_varint((BLOCK / PACKED) as u64, to);
    put_varint(values.len() as u64, to);
    let mut before = values.next().unwrap_or(0);
    put_zigzag(before, to);
    let mut block = [0; BLOCK];
    while values.len() > 0 {
        let filled = values.len().min(BLOCK);
        let mut least = i64::MAX;
        for (delta, value) in block[..filled].iter_mut().zip(values.by_ref()) {
            *delta = value.wrapping_sub(before);
            before = value;
            least = least.min(*delta);
        }
        // The padding of the last miniblock is as short as possible.
        let parts = filled.div_ceil(PACKED);
        block[filled..parts * PACKED].fill(least);
        put_block(&mut block[..parts * PACKED], least, to);
    }
}

/// Miniblocks of a block; missing ones have no bits.
fn put_block(deltas: &mut [i64], least: i64, to: &mut Vec<u8>) {
    put_zigzag(least, to);
    let widths_at = to.len();
    to.extend([0; BLOCK / PACKED]);
    let (parts, _) = deltas.as_chunks_mut::<PACKED>();
    for (part, deltas) in parts.iter_mut().enumerate() {
        let mut bits = 0;
        for delta in deltas.iter_mut() {
            *delta = delta.wrapping_sub(least);
            bits |= *delta;
        }
        let width = u64::BITS - bits.leading_zeros();
        to[widths_at + part] = width as u8;
        pack(deltas.iter().map(|delta| delta.cast_unsigned()), width, to);
    }
}

/// Deltas in a miniblock, which has its own bit width.
const PACKED: usize = 64;

/// Consecutive numbers of this many bits, the lowest bit first, in whole words.
#[inline]
fn pack(numbers: impl Iterator<Item = u64>, width: u32, to: &mut Vec<u8>) {
    let (mut word, mut filled) = (0, 0);
    for number in numbers {
        word |= number << filled;
        filled += width;
        if filled >= u64::BITS {
            to.extend_from_slice(&u64::to_le_bytes(word));
            filled -= u64::BITS;
            // All bits of a 64-bit number may be in the previous word.
            word = number.checked_shr(width - filled).unwrap_or(0);
        }
    }
    if filled > 0 {
        to.extend_from_slice(&u64::to_le_bytes(word));
    }
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
