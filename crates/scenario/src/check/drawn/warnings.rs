//! Warnings of distributions that are probably mistakes.

use super::{Each, Visitor, share_above, share_below, visit};
use crate::check::warn::Warn as _;
use pacesim_keys::{Scenario, Unit, Value, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::Distribution;
use pacesim_model::range::Range;
use pacesim_units::Bytes;

/// A smaller share of values beyond the range is ignored.
const NOTABLE: f64 = 1e-3;

/// Maximum length of a packet in an IP header.
const LARGEST_PACKET: Bytes = Bytes(u16::MAX as u64);

/// Probability below which larger packets are ignored.
const RARE_PACKET: f64 = 1e-9;

/// Warns of clamped values, of means that look like lengths of phases, and of packet sizes that no
/// network has.
pub(crate) fn warnings(scenario: &Scenario, faults: &mut Faults) {
    visit(scenario, &mut Warn(faults));
    for (i, flow) in scenario.flows.iter().enumerate() {
        for (key, size) in flow.traffic.largest_packet() {
            if size > LARGEST_PACKET {
                let message = format!("a packet of {size}: {}", TOO_LARGE.0);
                let path = format!("flow[{i}].traffic.{key}");
                faults
                    .warn(WarningName::LargePackets, path, message)
                    .help(TOO_LARGE.1);
            }
        }
    }
}

const TOO_LARGE: (&str, &str) = (
    "IP has none above 64 KB (65535B)",
    "smaller packets at the same rate have as many bits",
);

struct Warn<'f>(&'f mut Faults);

impl Visitor for Warn<'_> {
    fn visit<T: Unit>(&mut self, path: String, value: &Value<T>, range: Range<T>, each: Each) {
        let Value::Drawn(distribution) = value else {
            return;
        };
        self.ends(&path, distribution, range);
        match each {
            Each::FlowsMean => self.mean(&path, distribution),
            Each::Packet if path.ends_with(".size") => self.packets(&path, distribution),
            Each::Packet | Each::Stall | Each::Link | Each::Flow | Each::Transfer => {}
        }
    }
}

impl Warn<'_> {
    /// Values that are clamped to their range.
    fn ends<T: Unit>(&mut self, path: &str, distribution: &Distribution, range: Range<T>) {
        let sampler = distribution.checked_sampler();
        let sides = [
            (share_below(&sampler, range.least), "below", range.least),
            (share_above(&sampler, range.most), "above", range.most),
        ];
        for (share, side, end) in sides {
            if share >= NOTABLE {
                let message = format!(
                    "{} of the values drawn here are {side} {end} and become {end}",
                    in_words(share)
                );
                let help = "the mean is then not the one written; uniform stays between its ends";
                let name = WarningName::ClampedValues;
                self.0.warn(name, path, message).help(help);
            }
        }
    }

    /// A mean drawn from a distribution that was probably meant for lengths.
    fn mean(&mut self, path: &str, distribution: &Distribution) {
        if matches!(
            distribution,
            Distribution::Uniform { .. } | Distribution::Normal { .. }
        ) {
            return;
        }
        let message = "this draws one mean for each flow; its phases stay exponential";
        let help =
            "give a mean like \"100ms\", and many flows if their sum should have a heavy tail";
        let name = WarningName::DrawnMeans;
        self.0.warn(name, path, message).help(help);
    }

    fn packets(&mut self, path: &str, distribution: &Distribution) {
        let share = share_above(&distribution.checked_sampler(), LARGEST_PACKET);
        if share >= RARE_PACKET {
            let message = format!(
                "{} of the packets are larger than 64 KB: {}",
                in_words(share),
                TOO_LARGE.0
            );
            let help = "give a smaller mean or spread, or a pareto with max";
            let name = WarningName::LargePackets;
            self.0.warn(name, path, message).help(help);
        }
    }
}

/// Formats a share in words: "16 %", or "1 in 25000".
fn in_words(share: f64) -> String {
    match share {
        0.1.. => format!("{:.0} %", share * 100.0),
        NOTABLE.. => format!("{:.1} %", share * 100.0),
        _ => {
            // Rounded to two digits.
            let one_in = (1.0 / share) as u64;
            let unit = 10u64.pow(one_in.ilog10().saturating_sub(1));
            format!("1 in {}", (one_in + unit / 2) / unit * unit)
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn shares_are_said_in_two_digits() {
        for (share, words) in [
            (0.158_655, "16 %"),
            (0.012_3, "1.2 %"),
            (1e-3, "0.1 %"),
            (7.7e-8, "1 in 13000000"),
        ] {
            assert_eq!(super::in_words(share), words);
        }
    }
}
