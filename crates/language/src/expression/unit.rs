//! Units: products of powers of bit, second, packet and metre.

use std::fmt;

/// A product of powers of base units; exponents are counted in halves, for square roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    bit: i16,
    second: i16,
    packet: i16,
    metre: i16,
}

/// The largest exponent in halves; products beyond it have no unit.
const MOST: i16 = 64;

impl Unit {
    /// Unit of a plain number.
    pub const ONE: Unit = Unit::of(0, 0, 0);
    /// Unit of an amount of data.
    pub const BIT: Unit = Unit::of(1, 0, 0);
    /// Unit of a time.
    pub const SECOND: Unit = Unit::of(0, 1, 0);
    /// Unit of a number of packets.
    pub const PACKET: Unit = Unit::of(0, 0, 1);
    /// Unit of a rate.
    pub const BIT_PER_SECOND: Unit = Unit::of(1, -1, 0);

    /// Unit of a frequency.
    pub const PER_SECOND: Unit = Unit::of(0, -1, 0);
    /// Unit of a length.
    pub const METRE: Unit = Unit {
        metre: 2,
        ..Unit::ONE
    };

    /// The product of these powers of bit, second and packet.
    const fn of(bit: i16, second: i16, packet: i16) -> Unit {
        Unit {
            bit: 2 * bit,
            second: 2 * second,
            packet: 2 * packet,
            metre: 0,
        }
    }

    /// The unit of a product, unless its exponents are too large.
    pub fn times(self, other: Unit) -> Option<Unit> {
        let unit = Unit {
            bit: self.bit + other.bit,
            second: self.second + other.second,
            packet: self.packet + other.packet,
            metre: self.metre + other.metre,
        };
        let largest = unit.exponents().into_iter().map(i16::abs).max();
        (largest <= Some(MOST)).then_some(unit)
    }

    /// The unit of a reciprocal.
    pub fn inverse(self) -> Unit {
        Unit {
            bit: -self.bit,
            second: -self.second,
            packet: -self.packet,
            metre: -self.metre,
        }
    }

    /// The unit of a square root, unless an exponent is a half already.
    pub fn root(self) -> Option<Unit> {
        let is_whole = self.exponents().iter().all(|exponent| exponent % 2 == 0);
        is_whole.then_some(Unit {
            bit: self.bit / 2,
            second: self.second / 2,
            packet: self.packet / 2,
            metre: self.metre / 2,
        })
    }

    fn exponents(self) -> [i16; 4] {
        [self.bit, self.second, self.packet, self.metre]
    }

    /// The unit to a whole power, unless its exponents are too large.
    pub fn power(self, exponent: i16) -> Option<Unit> {
        let one = if exponent < 0 { self.inverse() } else { self };
        let product = |unit: Unit, _| unit.times(one);
        (0..exponent.unsigned_abs()).try_fold(Unit::ONE, product)
    }

    /// The powers of bit/s, byte, second, packet and metre that it is the product of, if they are
    /// whole; bits per second are a rate, other bits are bytes.
    pub(crate) fn factors(self) -> Option<[i16; 5]> {
        let is_whole = self.exponents().iter().all(|halves| halves % 2 == 0);
        let [bit, second, packet, metre] = self.exponents().map(|halves| halves / 2);
        let is_rate = bit != 0 && bit == -second;
        let (rate, byte, second) = if is_rate {
            (bit, 0, 0)
        } else {
            (0, bit, second)
        };
        is_whole.then_some([rate, byte, second, packet, metre])
    }

    /// The quantity within a sentence: "a time in s".
    pub fn describe(self) -> String {
        match self {
            Unit::ONE => "a number without a unit".to_owned(),
            Unit::BIT => format!("an amount of data in {self}"),
            Unit::SECOND => format!("a time in {self}"),
            Unit::PACKET => format!("a number of packets in {self}"),
            Unit::BIT_PER_SECOND => format!("a rate in {self}"),
            Unit::METRE => format!("a length in {self}"),
            _ => format!("a quantity in {self}"),
        }
    }
}

/// Writes "bit/s", "s^0.5", "1/s".
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = |name: &str, halves: i16| match halves {
            2 => name.to_owned(),
            halves if halves % 2 == 0 => format!("{name}^{}", halves / 2),
            halves => format!("{name}^{}", f32::from(halves) / 2.0),
        };
        let all = [
            ("bit", self.bit),
            ("pkt", self.packet),
            ("m", self.metre),
            ("s", self.second),
        ];
        let above: Vec<String> = all
            .iter()
            .filter(|(_, halves)| *halves > 0)
            .map(|(name, halves)| power(name, *halves))
            .collect();
        if above.is_empty() {
            f.write_str("1")?
        } else {
            f.write_str(&above.join("*"))?
        }
        for (name, halves) in all.iter().filter(|(_, halves)| *halves < 0) {
            write!(f, "/{}", power(name, -halves))?;
        }
        Ok(())
    }
}
