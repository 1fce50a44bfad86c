//! Named streams: (seed, replication, component, purpose) names a sequence.
//!
//! A stream depends only on its name. Adding a component therefore shifts no other component's
//! numbers, and two models that use the same name share its stream.

use std::convert::Infallible;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The last half of every ChaCha key. Changing it changes every result.
const KEY_DOMAIN: [u8; 16] = *b"pacesim streams1";

/// All random streams of one run.
///
/// ```
/// use pacesim_core::random::{Rng, Streams};
///
/// let run = Streams { seed: 7, replication: 0 };
/// let first = run.stream("link/3", "loss").next_u64();
/// assert_eq!(first, run.stream("link/3", "loss").next_u64());
/// assert_ne!(first, run.stream("link/3", "delay").next_u64());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Streams {
    /// The seed of the experiment.
    pub seed: u64,
    /// Number of this run's replication.
    pub replication: u64,
}

impl Streams {
    /// The stream that `component` (its path in the model, such as `"link/3"`)
    /// draws from for one `purpose` (such as `"loss"`).
    ///
    /// Every call with the same names starts the same sequence afresh. Names
    /// are distinguished by 64 bits: among a million streams of one run, the
    /// chance that any two coincide is 3e-8.
    pub fn stream(&self, component: &str, purpose: &str) -> Stream {
        let mut seeder = ChaCha8Rng::from_seed(self.key());
        seeder.set_stream(name_hash(component, purpose));
        let mut seed = [0; 32];
        seeder.fill_bytes(&mut seed);
        Stream(Xoshiro256PlusPlus::from_seed(seed))
    }

    fn key(&self) -> [u8; 32] {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.replication.to_le_bytes());
        key[16..].copy_from_slice(&KEY_DOMAIN);
        key
    }
}

/// FNV-1a over both names, each after its length as eight little-endian bytes (so that ("ab", "c")
/// is not ("a", "bc")), then MurmurHash3's 64-bit finaliser. Written out here because it must never
/// change.
fn name_hash(component: &str, purpose: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for name in [component, purpose] {
        let length = (name.len() as u64).to_le_bytes();
        hash = fnv_1a(hash, &length);
        hash = fnv_1a(hash, name.as_bytes());
    }
    mixed(hash)
}

fn fnv_1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// MurmurHash3's 64-bit finaliser, which spreads each bit over all.
#[inline]
pub(crate) fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// One component's own random numbers: xoshiro256++ (32 bytes of state, so that
/// tens of thousands of sources stay in cache), seeded from the ChaCha8 stream
/// of its name.
///
/// It is a [`rand_core::Rng`] and not cryptographically secure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn streams(seed: u64, replication: u64) -> Streams {
        Streams { seed, replication }
    }

    fn first_three(seed: u64, replication: u64, component: &str, purpose: &str) -> [u64; 3] {
        let mut stream = streams(seed, replication).stream(component, purpose);
        [(); 3].map(|()| stream.next_u64())
    }

    /// The values come from an independent second implementation of the whole chain (hash, ChaCha8,
    /// xoshiro256++).
    #[test]
    fn first_values_are_pinned() {
        assert_eq!(
            first_three(0, 0, "", ""),
            [0xcca59b5874ce9059, 0x3715ab78b95a2fbf, 0x43132c1a83090a2b]
        );
        assert_eq!(
            first_three(1, 0, "link/3", "loss"),
            [0xe9c5f4df6c97a549, 0x693907d81d32609f, 0x18343a11cd26e1f9]
        );
        assert_eq!(
            first_three(1, 1, "link/3", "loss"),
            [0xc7c0be4daf530997, 0x54a6c6749f291440, 0x7e6729ebbe108773]
        );
        assert_eq!(
            first_three(u64::MAX, 7, "source/7", "gap"),
            [0x9d9d135fb5f0e070, 0x02dcbf383d985537, 0x584b1cbf03fc5382]
        );
    }

    #[test]
    fn where_one_name_ends_matters() {
        assert_ne!(name_hash("ab", "c"), name_hash("a", "bc"));
        assert_ne!(name_hash("", "abc"), name_hash("abc", ""));
        assert_ne!(name_hash("a", "b"), name_hash("b", "a"));
    }

    #[test]
    fn each_part_of_the_name_changes_the_stream() {
        let mut seen = BTreeSet::new();
        for (seed, replication) in [(0, 0), (0, 1), (1, 0), (1, 1), (1 << 32, 0)] {
            for component in ["link/1", "link/2", "link/11"] {
                for purpose in ["loss", "delay"] {
                    let [value, ..] = first_three(seed, replication, component, purpose);
                    assert!(seen.insert(value), "{component} {purpose} shares a stream");
                }
            }
        }
    }

    #[test]
    fn drawing_from_one_stream_shifts_no_other() {
        let run = streams(5, 0);
        let alone = first_three(5, 0, "source/2", "gap");
        let mut newcomer = run.stream("source/1", "gap");
        let mut resident = run.stream("source/2", "gap");
        let beside = [(); 3].map(|()| {
            newcomer.next_u64();
            resident.next_u64()
        });
        assert_eq!(alone, beside);
    }

    /// Bits of neighbouring streams agree like coin flips: with 640 000 of them, half +- 2000 is
    /// five standard deviations.
    #[test]
    fn neighbouring_streams_are_uncorrelated() {
        let pairs = [
            (
                streams(1, 0).stream("s/1", "g"),
                streams(1, 0).stream("s/2", "g"),
            ),
            (
                streams(1, 0).stream("s/1", "g"),
                streams(1, 1).stream("s/1", "g"),
            ),
            (
                streams(1, 0).stream("s/1", "g"),
                streams(2, 0).stream("s/1", "g"),
            ),
        ];
        for (mut one, mut other) in pairs {
            let differing: u32 = (0..10_000)
                .map(|_| (one.next_u64() ^ other.next_u64()).count_ones())
                .sum();
            assert!(differing.abs_diff(320_000) < 2_000, "{differing} of 640000");
        }
    }

    #[test]
    fn first_values_of_many_streams_are_spread_evenly() {
        let run = streams(3, 0);
        let mut counts = [0_u32; 16];
        for source in 0..16_000 {
            let value = run.stream(&format!("source/{source}"), "start").next_u64();
            counts[(value >> 60) as usize] += 1;
        }
        // Chi-squared with 15 degrees of freedom exceeds 44.3 once in 10^4.
        let chi: f64 = counts
            .iter()
            .map(|&n| (f64::from(n) - 1000.0) * (f64::from(n) - 1000.0) / 1000.0)
            .sum();
        assert!(chi < 44.3, "chi-squared {chi}");
    }

    #[test]
    fn a_stream_is_small_and_may_move_between_threads() {
        fn is_send_and_clone<T: Send + Clone>() {}
        is_send_and_clone::<Stream>();
        assert_eq!(size_of::<Stream>(), 32);
    }
}
