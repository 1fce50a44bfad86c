//! The memory of a lossless switch: it counts each packet at its input, and pauses inputs (PFC).
//!
//! Source: `SwitchMmu` of alibaba-edu/High-Precision-Congestion-Control at 9f4be2a. Each input and class has
//! a reserve, then a share of the common memory, then headroom:
//!
//! * threshold of an input: alpha · (memory − headroom − reserves − shared use), in the source an alpha of 2^−shift;
//! * a packet goes wholly to headroom if it would exceed reserve and threshold, and is refused if it exceeds
//!   the headroom too; so does one for which the common memory has no room, which thresholds above the free
//!   memory (an alpha above 1) do not prevent: the source would take it;
//! * an arrival pauses its input if headroom is in use or the shared use has reached the threshold;
//! * a departure resumes its input if no headroom is in use, and the shared use is zero or below the
//!   threshold by `resume_gap`. A departure frees headroom first, then shared memory, then the reserve.
//!
//! So an input that receives nothing is not paused although the threshold falls below its use, and with a
//! headroom of zero and the shared memory in use a packet is refused though its reserve is free. Nothing limits
//! an output: without pauses this memory is no model of a lossy one.

use pacesim_units::Bytes;

/// A port as an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Memory of each class for packets that arrive after a pause.
    pub headroom: Bytes,
    /// The threshold as a multiple of the free memory, in units of 2^-32.
    pub alpha: u64,
}

impl Port {
    /// A port whose threshold is the free memory over 2 to the power `shift`, of at most 32.
    pub fn shifted(headroom: Bytes, shift: u32) -> Port {
        Port {
            headroom,
            alpha: 1 << (32 - shift),
        }
    }
}

/// The settings of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmuConfig {
    /// Size of the memory, headroom and reserves included.
    pub memory: Bytes,
    /// Memory that each input and class has for itself.
    pub reserve: Bytes,
    /// Bytes below the threshold at which an input is resumed.
    pub resume_gap: Bytes,
    /// The ports.
    pub ports: Vec<Port>,
    /// Number of classes that are paused apart.
    pub classes: usize,
}

impl MmuConfig {
    /// Reserve of the authors' simulator.
    pub const RESERVE: Bytes = Bytes(4096);
    /// Bytes below the threshold at which its inputs are resumed.
    pub const RESUME_GAP: Bytes = Bytes(3072);
    /// Shift of its ports at the rate of hosts; one less for each doubling of the rate.
    pub const HOST_SHIFT: u32 = 3;

    /// The memory that inputs share; none if reserves and headroom take it all.
    pub fn shared(&self) -> Option<Bytes> {
        let classes = self.classes as u64;
        let own = |port: &Port| port.headroom.get().checked_add(self.reserve.get());
        let of_ports = self.ports.iter().try_fold(0u64, |sum, port| {
            sum.checked_add(own(port)?.checked_mul(classes)?)
        })?;
        let shared = self.memory.get().checked_sub(of_ports)?;
        (shared > 0).then_some(Bytes(shared))
    }
}

/// The state of an input in a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Bytes in its reserve and in the shared memory.
    pub bytes: u64,
    /// Bytes in its headroom.
    pub headroom: u64,
    /// True from a pause to the next resumption.
    pub is_paused: bool,
}

/// A packet was refused: neither the shared memory nor the headroom of its input has room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadroomFull;

/// The memory of a switch.
#[derive(Clone, Debug)]
pub struct Mmu {
    config: MmuConfig,
    shared: u64,
    shared_used: u64,
    /// By port and class.
    inputs: Vec<Input>,
    outputs: Vec<u64>,
}

impl Mmu {
    /// An empty memory; none if reserves and headroom leave nothing to share.
    pub fn new(config: MmuConfig) -> Option<Mmu> {
        let shared = config.shared()?.get();
        let queues = config.ports.len() * config.classes;
        Some(Mmu {
            config,
            shared,
            shared_used: 0,
            inputs: vec![Input::default(); queues],
            outputs: vec![0; queues],
        })
    }

    fn place(&self, port: usize, class: usize) -> usize {
        port * self.config.classes + class
    }

    /// Bytes of an input beyond its reserve.
    fn beyond_reserve(&self, bytes: u64) -> u64 {
        bytes.saturating_sub(self.config.reserve.get())
    }

    /// A packet has arrived over port `from`, to leave over port `to`. True if the input must be
    /// paused now.
    pub fn arrive(
        &mut self,
        from: usize,
        to: usize,
        class: usize,
        size: Bytes,
    ) -> Result<bool, HeadroomFull> {
        let size = size.get();
        let place = self.place(from, class);
        let mut input = self.inputs[place];
        let threshold = self.threshold(from).get();
        let own = self.beyond_reserve(input.bytes);
        let with_it = self.beyond_reserve(input.bytes + size);
        let is_shared_full = with_it - own > self.shared - self.shared_used;
        let is_headroom_full = size + input.headroom > self.config.ports[from].headroom.get();
        if is_headroom_full && (size + own > threshold || is_shared_full) {
            return Err(HeadroomFull);
        }
        if with_it > threshold || is_shared_full {
            input.headroom += size;
        } else {
            input.bytes += size;
            self.shared_used += with_it - own;
        }
        let is_over =
            input.headroom > 0 || self.beyond_reserve(input.bytes) >= self.threshold(from).get();
        let pauses = !input.is_paused && is_over;
        input.is_paused |= pauses;
        self.inputs[place] = input;
        let output = self.place(to, class);
        self.outputs[output] += size;
        Ok(pauses)
    }

    /// A packet that was taken has left. True if its input must be resumed now.
    pub fn depart(&mut self, from: usize, to: usize, class: usize, size: Bytes) -> bool {
        let size = size.get();
        let place = self.place(from, class);
        let mut input = self.inputs[place];
        let of_headroom = input.headroom.min(size);
        let before = self.beyond_reserve(input.bytes);
        input.headroom -= of_headroom;
        input.bytes -= size - of_headroom;
        let own = self.beyond_reserve(input.bytes);
        self.shared_used -= before - own;
        let gap = self.config.resume_gap.get();
        let has_room = own == 0 || own + gap <= self.threshold(from).get();
        let resumes = input.is_paused && input.headroom == 0 && has_room;
        input.is_paused &= !resumes;
        self.inputs[place] = input;
        let output = self.place(to, class);
        self.outputs[output] -= size;
        resumes
    }

    /// The most bytes that an input over this port may have beyond its reserve.
    pub fn threshold(&self, port: usize) -> Bytes {
        let free = u128::from(self.shared - self.shared_used);
        let threshold = (free * u128::from(self.config.ports[port].alpha)) >> 32;
        Bytes(u64::try_from(threshold).unwrap_or(u64::MAX))
    }

    /// The state of an input.
    pub fn input(&self, port: usize, class: usize) -> Input {
        self.inputs[self.place(port, class)]
    }

    /// Bytes that wait for an output.
    pub fn output(&self, port: usize, class: usize) -> Bytes {
        Bytes(self.outputs[self.place(port, class)])
    }

    /// Bytes in the shared memory.
    pub fn shared_used(&self) -> Bytes {
        Bytes(self.shared_used)
    }

    /// All bytes in the memory.
    pub fn held(&self) -> Bytes {
        let of_inputs = self.inputs.iter();
        Bytes(of_inputs.map(|input| input.bytes + input.headroom).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(memory: u64, headroom: u64, shift: u32) -> Mmu {
        let port = Port::shifted(Bytes(headroom), shift);
        let config = MmuConfig {
            memory: Bytes(memory),
            reserve: Bytes(1000),
            resume_gap: Bytes(500),
            ports: vec![port; 2],
            classes: 1,
        };
        Mmu::new(config).expect("memory to share")
    }

    #[test]
    fn reserves_and_headroom_must_leave_memory() {
        let config = MmuConfig {
            memory: Bytes(10_000),
            reserve: Bytes(1000),
            resume_gap: Bytes(500),
            ports: vec![Port::shifted(Bytes(1500), 0); 2],
            classes: 2,
        };
        assert_eq!(config.shared(), None, "all of it");
        let more = MmuConfig {
            memory: Bytes(10_001),
            ..config
        };
        assert_eq!(more.shared(), Some(Bytes(1)));
    }

    /// Computed by hand: 4000 bytes to share, alpha 1.
    #[test]
    fn an_input_is_paused_beyond_its_threshold_and_resumed_below_it() {
        let mut mmu = memory(10_000, 2000, 0);
        let arrive = |mmu: &mut Mmu| mmu.arrive(0, 1, 0, Bytes(1000));
        assert_eq!([(); 2].map(|()| arrive(&mut mmu)), [Ok(false); 2]);
        assert_eq!(
            (mmu.shared_used(), mmu.threshold(0)),
            (Bytes(1000), Bytes(3000))
        );
        assert_eq!(arrive(&mut mmu), Ok(true), "2000 of 2000");
        assert_eq!(
            [(); 2].map(|()| arrive(&mut mmu)),
            [Ok(false); 2],
            "paused already"
        );
        assert_eq!(mmu.input(0, 0).headroom, 2000);
        assert_eq!(arrive(&mut mmu), Err(HeadroomFull));
        let mut resumed = [false; 5];
        for resumes in &mut resumed {
            *resumes = mmu.depart(0, 1, 0, Bytes(1000));
        }
        assert_eq!(
            resumed,
            [false, false, true, false, false],
            "1000 + 500 of 3000"
        );
        assert_eq!((mmu.held(), mmu.shared_used()), (Bytes(0), Bytes(0)));
    }

    #[test]
    fn without_headroom_a_packet_is_refused_though_its_reserve_is_free() {
        let mut mmu = memory(4000, 0, 1);
        assert_eq!(mmu.arrive(0, 1, 0, Bytes(900)), Ok(false));
        assert_eq!(mmu.arrive(0, 1, 0, Bytes(900)), Ok(true), "800 of 600");
        assert_eq!(mmu.threshold(1), Bytes(600));
        assert_eq!(mmu.arrive(1, 0, 0, Bytes(900)), Err(HeadroomFull));
        assert_eq!(mmu.input(1, 0), Input::default());
    }

    /// 4000 bytes to share, and a threshold of four times what is free.
    #[test]
    fn a_threshold_above_the_free_memory_does_not_overfill_it() {
        let config = MmuConfig {
            ports: vec![
                Port {
                    headroom: Bytes(2000),
                    alpha: 4 << 32,
                };
                2
            ],
            ..memory(10_000, 2000, 0).config
        };
        let mut mmu = Mmu::new(config).expect("memory to share");
        let mut arrive = |from, size| mmu.arrive(from, 1 - from, 0, Bytes(size));
        assert_eq!(arrive(0, 3500), Ok(false), "2500 of 6000 more");
        assert_eq!(arrive(0, 1600), Ok(true), "1500 are free, 6000 allowed");
        assert_eq!(arrive(1, 900), Ok(false), "its reserve");
        assert_eq!(arrive(0, 1400), Ok(false), "these fit");
        assert_eq!(arrive(0, 900), Err(HeadroomFull));
        assert_eq!((mmu.shared_used(), mmu.held()), (Bytes(3900), Bytes(7400)));
        let mut depart = |from, size| mmu.depart(from, 1 - from, 0, Bytes(size));
        assert!(!depart(0, 1600), "3900 + 500 of 400");
        assert!(depart(0, 3500), "400 + 500 of 14,400");
        assert!(!depart(0, 1400) && !depart(1, 900), "resumed already");
        assert_eq!((mmu.shared_used(), mmu.held()), (Bytes(0), Bytes(0)));
    }
}
