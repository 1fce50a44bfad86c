//! Arithmetic that sizes and spans share.

/// Sums, differences and multiples of a quantity; an overflow panics with this message.
macro_rules! amount {
    ($of:ident, too_much: $much:literal, too_little: $little:literal) => {
        impl $of {
            /// The sum, or `None` on overflow.
            #[inline]
            pub const fn checked_add(self, other: $of) -> Option<$of> {
                match self.0.checked_add(other.0) {
                    Some(n) => Some($of(n)),
                    None => None,
                }
            }
        }

        impl std::ops::Add for $of {
            type Output = $of;
            #[inline]
            fn add(self, other: $of) -> $of {
                self.checked_add(other).expect($much)
            }
        }

        impl std::ops::AddAssign for $of {
            #[inline]
            fn add_assign(&mut self, other: $of) {
                *self = *self + other;
            }
        }

        impl std::ops::Sub for $of {
            type Output = $of;
            #[inline]
            fn sub(self, other: $of) -> $of {
                $of(self.0.checked_sub(other.0).expect($little))
            }
        }

        impl std::ops::SubAssign for $of {
            #[inline]
            fn sub_assign(&mut self, other: $of) {
                *self = *self - other;
            }
        }

        impl std::ops::Mul<u64> for $of {
            type Output = $of;
            #[inline]
            fn mul(self, n: u64) -> $of {
                $of(self.0.checked_mul(n).expect($much))
            }
        }

        impl std::iter::Sum for $of {
            fn sum<I: Iterator<Item = $of>>(all: I) -> $of {
                all.fold($of::ZERO, std::ops::Add::add)
            }
        }
    };
}
pub(crate) use amount;

/// Debug output of quantities is their readable form.
macro_rules! debug_as_text {
    ($($of:ident),+) => { $(
        impl std::fmt::Debug for $of {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    )+ };
}
pub(crate) use debug_as_text;
