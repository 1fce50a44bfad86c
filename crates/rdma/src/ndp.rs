//! The two ends of NDP (Handley et al., SIGCOMM 2017): a [`Source`] that sends its first window unasked
//! and then a packet for each pull, and a [`Sink`] that answers each packet or header at once, and
//! pulls when it is its turn among the sinks of its host.
//!
//! Queues may cut the payloads of data off ([`Flags::is_trimmable`](pacesim_units::flags::Flags)).
//!
//! | in a packet | data | answer | pull |
//! | --- | --- | --- | --- |
//! | `seq` | its number | the number of the packet that it answers | its number |
//! | `stamp` | its sending time | that of the packet it answers | its sending time |
//! | PSH | the last packet so far | – | – |
//! | ECE | – | – | always |
//! | CWR | – | a NACK: only the header has arrived | – |
//! | content | – | the number of a pull, if it carries one | its number |

mod packets;
mod sink;
mod source;

pub use sink::Sink;
pub use source::Source;

use pacesim_units::{Bytes, Span};

/// The settings of both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Data in a full packet.
    pub payload: Bytes,
    /// Headers of each packet: what is left of one whose payload was cut off.
    pub header: Bytes,
    /// Size of an answer, and of a pull.
    pub answer: Bytes,
    /// Packets that are sent unasked.
    pub window: u32,
    /// Time after which a packet without an answer is sent again, unasked.
    pub timeout: Option<Span>,
}

#[cfg(test)]
mod tests {
    use pacesim_transport::End;
    use pacesim_transport::laws::{self, Fate};

    use super::*;

    fn config() -> Config {
        Config {
            payload: Bytes(8936),
            header: Bytes(64),
            answer: Bytes(64),
            window: 5,
            timeout: Some(Span::from_ms(1)),
        }
    }

    fn ends() -> [Box<dyn End>; 2] {
        [
            Box::new(Source::new(config())),
            Box::new(Sink::new(&config())),
        ]
    }

    #[test]
    fn both_ends_keep_the_laws_over_a_line_that_loses_doubles_and_reorders() {
        let transfers = [Bytes(1), Bytes(100_000), Bytes(8936 * 7)];
        for salt in 0..20 {
            let fate = move |number: u32| match number.wrapping_mul(2_654_435_761 + salt) >> 28 {
                0 | 1 => Fate::Lost,
                2 => Fate::Twice(Span::from_us(30)),
                3 => Fate::Late(Span::from_us(90)),
                _ => Fate::Late(Span::ZERO),
            };
            laws::check_made(|_| ends(), &transfers, Span::from_us(20), fate);
        }
    }
}
