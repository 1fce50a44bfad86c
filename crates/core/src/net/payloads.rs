//! Payloads: all that packets carry beside their records.

/// The payloads of packets in flight, each freed with its packet. A payload is known by its number; zero is none.
#[derive(Debug)]
pub(super) struct Payloads<L> {
    places: Vec<L>,
    free: Vec<u32>,
    /// That of the packet that was delivered last.
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

impl<L> Payloads<L> {
    /// Keeps a payload, and says its number.
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

    /// Its packet is no more.
    #[inline]
    pub(super) fn free(&mut self, number: u32) {
        if number != 0 {
            self.free.push(number);
        }
    }

    /// Its packet is delivered: it stays until the next is.
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

    /// The number that there is memory for.
    #[cfg(test)]
    pub(super) fn room(&self) -> usize {
        self.places.len()
    }
}
