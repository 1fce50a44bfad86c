//! A measure: packets that arrive after one sent later.
use std::collections::BTreeMap;

use pacesim_app::measure::{FlowId, Kind, Measure, Packet};
use pacesim_app::units::Time;
use pacesim_app::{Parts, field::Whole, keys, laws, main_with};

keys! {
    /// Packets that arrive after one sent later.
    pub struct Keys "own_measure" {
        least: u32 as Whole<u32, 1, 1000>, (= "1"), "The least distance that counts as reordering, in packets.", "3";
    }
}

/// The names of its numbers: measure.NAME.late_pkts and measure.NAME.late_ratio.
const NUMBERS: &[&str] = &["late_pkts", "late_ratio"];

struct Late {
    least: u32,
    latest: BTreeMap<FlowId, u32>,
    late: u64,
    all: u64,
}
impl Measure for Late {
    fn delivered(&mut self, _: Time, packet: &Packet) {
        if packet.kind() == Kind::Data {
            let latest = self.latest.entry(packet.flow).or_default();
            self.all += 1;
            self.late += u64::from(packet.seq + self.least <= *latest);
            *latest = packet.seq.max(*latest);
        }
    }
    fn numbers(&self, _: Time) -> Vec<Option<f64>> {
        let (late, all) = (self.late as f64, self.all as f64);
        vec![Some(late), (all > 0.0).then_some(late / all)]
    }
}

fn new(keys: &Keys) -> Late {
    Late {
        least: keys.least,
        latest: BTreeMap::new(),
        late: 0,
        all: 0,
    }
}

fn main() -> std::process::ExitCode {
    main_with(Parts::new().measure(NUMBERS, |keys, _model| new(keys)))
}
laws!(measure, NUMBERS, new);
