//! Words of TCP's profile `linux`.

use pacesim_language::words;
use pacesim_tcp::{AckRule, EcnEcho, Hystart};

/// The end of CUBIC's slow start before a loss.
pub(crate) struct HystartWord;

words! {
    HystartWord: Hystart {
        "off" => Hystart::Off, "a loss ends it";
        "linux" => Hystart::Linux, "HyStart as in Linux 6.12.13 and later";
        "linux_6.8" => Hystart::Linux68, "HyStart as in Linux up to 6.12: rounds count once the window is 16";
        "rfc9406" => Hystart::PlusPlus, "HyStart++";
    }
}

/// The echo of marks in profile linux.
pub(crate) struct EchoWord;

words! {
    EchoWord: EcnEcho {
        "rfc3168" => EcnEcho::UntilCwr, "on each ACK until the sender has reduced its window";
        "dctcp" => EcnEcho::Exact, "on the ACKs of the marked packets: the loss of an ACK loses its marks";
        "accecn" => EcnEcho::Counted, "a count on every ACK (RFC 9768), which no loss of ACKs changes";
    }
}

/// The rule for acknowledgements in profile linux.
pub(crate) struct AcksWord;

words! {
    AcksWord: AckRule {
        "linux" => AckRule::Linux, "each packet while the receive window grows or PSH is set, else pairs";
        "every_packet" => AckRule::EveryPacket, "each packet";
        "pairs" => AckRule::Pairs, "pairs, or one that has waited for 40 ms";
    }
}
