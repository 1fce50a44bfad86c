//! Payloads: data of packets in addition to their records.

use pacesim_units::telemetry::HopRecord;

/// A payload that may collect telemetry of its way.
pub trait Telemetric {
    /// The packet's transmission starts at a port of a switch.
    fn add_hop(&mut self, hop: HopRecord) {
        let _ = hop;
    }
}

impl Telemetric for () {}

/// The payloads of packets in flight, each freed with its packet. Payloads are numbered; zero is
/// none.
#[derive(Debug)]
pub(super) struct Payloads<L> {
    places: Vec<L>,
    free: Vec<u32>,
    /// Number of the payload of the packet that was delivered last.
    delivered: u32,
}

impl<L> Default for Payloads<L> {
    fn default() -> Payloads<L> {
        Payloads {
            places: Vec::new(),
            free: Vec::new(),
            delivered: 0,
        }
    }
}

impl<L: Default> Payloads<L> {
    /// Takes the payload of this number out, if there is one, and frees the number.
    pub(super) fn take(&mut self, number: u32) -> Option<L> {
        let payload = self.get_mut(number).map(std::mem::take);
        self.free(number);
        payload
    }

    /// Takes the payload of the packet that was delivered last.
    #[inline]
    pub(super) fn take_delivered(&mut self) -> Option<L> {
        let place = self.delivered.checked_sub(1)?;
        self.places.get_mut(place as usize).map(std::mem::take)
    }
}

impl<L> Payloads<L> {
    /// Stores a payload and returns its number.
    #[inline]
    pub(super) fn keep(&mut self, payload: L) -> u32 {
        if let Some(number) = self.free.pop() {
            self.places[number as usize - 1] = payload;
            return number;
        }
        self.places.push(payload);
        u32::try_from(self.places.len()).expect("less than 4e9 packets in flight")
    }

    /// The payload of this number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<&L> {
        let place = number.checked_sub(1)?;
        self.places.get(place as usize)
    }

    /// The payload of this number, mutable.
    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut L> {
        let place = number.checked_sub(1)?;
        self.places.get_mut(place as usize)
    }

    /// Frees a payload whose packet is gone.
    #[inline]
    pub(super) fn free(&mut self, number: u32) {
        if number != 0 {
            self.free.push(number);
        }
    }

    /// Keeps the payload of a delivered packet until the next delivery.
    #[inline(always)]
    pub(super) fn deliver(&mut self, number: u32) {
        if self.delivered != 0 {
            self.free.push(self.delivered);
        }
        self.delivered = number;
    }

    /// The payload of the packet that was delivered last.
    #[inline(always)]
    pub(super) fn delivered(&self) -> Option<&L> {
        self.get(self.delivered)
    }

    /// Number of payloads that memory is allocated for.
    #[cfg(test)]
    pub(super) fn room(&self) -> usize {
        self.places.len()
    }
}
