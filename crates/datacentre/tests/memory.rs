//! Laws of a lossless memory: bytes are conserved, and nothing is refused while the headroom holds
//! all that arrives after a pause.

use pacesim_datacentre::mmu::{HeadroomFull, Mmu, MmuConfig, Port};
use pacesim_units::Bytes;
use proptest::prelude::*;

const PACKET: u64 = 1500;

/// A packet in the memory: its ports, class and size.
type Held = (usize, usize, usize, u64);

/// A memory between inputs that obey its pauses, of each of which at most `in_flight` bytes still
/// arrive.
struct Switch {
    mmu: Mmu,
    config: MmuConfig,
    in_flight: u64,
    held: Vec<Held>,
    /// By port and class: bytes that may still arrive during a pause; none if it is not paused.
    paused: Vec<Option<u64>>,
    pauses: u32,
    resumptions: u32,
}

impl Switch {
    fn new(config: MmuConfig, in_flight: u64) -> Switch {
        Switch {
            mmu: Mmu::new(config.clone()).expect("memory to share"),
            in_flight,
            held: Vec::new(),
            paused: vec![None; config.ports.len() * config.classes],
            pauses: 0,
            resumptions: 0,
            config,
        }
    }

    /// An arrival, unless the input is paused and all in flight has arrived.
    fn arrive(&mut self, packet: Held) -> Result<(), HeadroomFull> {
        let (from, to, class, size) = packet;
        let place = from * self.config.classes + class;
        if let Some(left) = &mut self.paused[place] {
            if *left < size {
                return Ok(());
            }
            *left -= size;
        }
        let pauses = self.mmu.arrive(from, to, class, Bytes(size))?;
        self.held.push(packet);
        if pauses {
            assert!(self.paused[place].is_none(), "paused twice");
            self.paused[place] = Some(self.in_flight);
            self.pauses += 1;
        }
        Ok(())
    }

    fn depart(&mut self, choice: usize) {
        if self.held.is_empty() {
            return;
        }
        let (from, to, class, size) = self.held.swap_remove(choice % self.held.len());
        if self.mmu.depart(from, to, class, Bytes(size)) {
            let place = from * self.config.classes + class;
            assert!(self.paused[place].take().is_some(), "resumed twice");
            self.resumptions += 1;
        }
    }

    /// Asserts that the counters are the sums of the packets.
    fn is_conserved(&self) {
        let sum = |of: &dyn Fn(&Held) -> bool| -> u64 {
            let held = self.held.iter();
            held.filter(|packet| of(packet))
                .map(|packet| packet.3)
                .sum()
        };
        assert_eq!(self.mmu.held().get(), sum(&|_| true));
        let mut shared = 0;
        for port in 0..self.config.ports.len() {
            for class in 0..self.config.classes {
                let input = self.mmu.input(port, class);
                let arrived = sum(&|packet| packet.0 == port && packet.2 == class);
                assert_eq!(input.bytes + input.headroom, arrived);
                let leaves = sum(&|packet| packet.1 == port && packet.2 == class);
                assert_eq!(self.mmu.output(port, class).get(), leaves);
                assert!(input.headroom <= self.config.ports[port].headroom.get());
                shared += input.bytes.saturating_sub(self.config.reserve.get());
            }
        }
        assert_eq!(self.mmu.shared_used().get(), shared);
        assert!(shared <= self.config.shared().expect("checked").get());
    }
}

fn memories() -> impl Strategy<Value = (MmuConfig, u64)> {
    let port = (0u64..20_000, 0u32..4);
    let ports = prop::collection::vec(port, 2..6);
    let rest = (
        0u64..20_000,
        1usize..3,
        1u64..60_000,
        0u64..3000,
        0u64..3000,
    );
    (ports, rest).prop_map(|(ports, (in_flight, classes, shared, reserve, gap))| {
        let ports: Vec<Port> = ports
            .into_iter()
            .map(|(more, shift)| Port::shifted(Bytes(in_flight + PACKET + more), shift))
            .collect();
        let own: u64 = ports.iter().map(|port| port.headroom.get() + reserve).sum();
        let config = MmuConfig {
            memory: Bytes(own * classes as u64 + shared),
            reserve: Bytes(reserve),
            resume_gap: Bytes(gap),
            ports,
            classes,
        };
        (config, in_flight)
    })
}

proptest! {
    #[test]
    fn nothing_is_refused_while_headroom_holds_all_in_flight_and_a_packet(
        (config, in_flight) in memories(),
        steps in prop::collection::vec((any::<u32>(), 64u64..=PACKET, 0u32..10), 1..600),
    ) {
        let [ports, classes] = [config.ports.len(), config.classes];
        let mut switch = Switch::new(config, in_flight);
        for (choice, size, kind) in steps {
            let choice = choice as usize;
            if kind < 6 {
                let packet = (choice % ports, choice / 7 % ports, choice / 50 % classes, size);
                prop_assert_eq!(switch.arrive(packet), Ok(()));
            } else {
                switch.depart(choice);
            }
            switch.is_conserved();
        }
        while !switch.held.is_empty() {
            switch.depart(0);
        }
        switch.is_conserved();
        prop_assert_eq!(switch.pauses, switch.resumptions, "a pause ends");
    }
}

/// Five packets fill the half of the memory that one input may have, so that the sixth is the first in
/// headroom, and pauses it.
#[test]
fn a_packet_is_refused_if_headroom_lacks_a_packet() {
    let in_flight = 4 * PACKET;
    for (headroom, refused) in [(in_flight + PACKET, 0), (in_flight, 1)] {
        let port = Port::shifted(Bytes(headroom), 0);
        let config = MmuConfig {
            memory: Bytes(2 * headroom + 10 * PACKET + 1),
            reserve: Bytes::ZERO,
            resume_gap: Bytes::ZERO,
            ports: vec![port; 2],
            classes: 1,
        };
        let mut switch = Switch::new(config, in_flight);
        let arrivals = (0..20).map(|_| switch.arrive((0, 1, 0, PACKET)));
        assert_eq!(arrivals.filter(Result::is_err).count(), refused);
        assert_eq!(switch.pauses, 1);
    }
}
