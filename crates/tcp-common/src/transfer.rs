//! Data that the application has to send.

use std::collections::VecDeque;

pub use pacesim_transport::{Amount, DataError};
use pacesim_units::{Bytes, Time};

/// A finite transfer in progress.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// One past the number of the transfer's last packet.
    pub end: u32,
    /// Bytes of user data in the transfer's last packet.
    last_payload: u32,
    /// Bytes of user data in the whole transfer.
    pub bytes: Bytes,
    /// Time at which the application handed the transfer over.
    pub started: Time,
}

impl Transfer {
    /// True if the transfer only marks the end of the data.
    pub fn is_end(&self) -> bool {
        self.bytes == Bytes::ZERO
    }
}

/// Transfers not yet fully acknowledged, oldest first.
#[derive(Clone, Debug)]
pub struct Transfers {
    queue: VecDeque<Transfer>,
    /// End of the oldest transfer; never, if there is none.
    first_end: u32,
    /// Number of transfers started so far.
    started: u32,
}

/// The limit of endless data.
const ENDLESS: u32 = u32::MAX;

impl Default for Transfers {
    fn default() -> Transfers {
        Transfers {
            queue: VecDeque::new(),
            first_end: ENDLESS,
            started: 0,
        }
    }
}

impl Transfers {
    /// Adds data behind `limit`, in packets of `payload` bytes; returns the new limit.
    pub fn add(
        &mut self,
        now: Time,
        limit: u32,
        amount: Amount,
        payload: u32,
        short_last: bool,
    ) -> Result<u32, DataError> {
        if limit == ENDLESS {
            return Err(DataError::AfterEndless);
        }
        let Some((packets, last)) = cut_into_packets(amount, payload)? else {
            return Ok(ENDLESS);
        };
        let end = packets
            .checked_add(limit)
            .filter(|end| *end < ENDLESS)
            .ok_or(DataError::TooMuch)?;
        let last_payload = if short_last { last } else { payload };
        let bytes = u64::from(packets - 1) * u64::from(payload) + u64::from(last_payload);
        self.push(Transfer {
            end,
            last_payload,
            bytes: Bytes(bytes),
            started: now,
        });
        Ok(end)
    }

    /// True if the application's data currently end before packet `next`.
    #[inline]
    pub fn ends_at(&self, next: u32) -> bool {
        next >= self.first_end && self.queue.iter().any(|transfer| transfer.end == next)
    }

    /// Adds an empty packet behind `limit`, which marks the end of the data; returns the new limit.
    pub fn add_end(&mut self, now: Time, limit: u32) -> Result<u32, DataError> {
        if limit == ENDLESS {
            return Err(DataError::AfterEndless);
        }
        let end = limit + 1;
        if end == ENDLESS {
            return Err(DataError::TooMuch);
        }
        self.push(Transfer {
            end,
            last_payload: 0,
            bytes: Bytes::ZERO,
            started: now,
        });
        Ok(end)
    }

    fn push(&mut self, transfer: Transfer) {
        self.started += 1;
        self.first_end = self.first_end.min(transfer.end);
        self.queue.push_back(transfer);
    }

    /// Removes the oldest transfer if it is acknowledged; returns it with its index.
    #[inline]
    pub fn finish(&mut self, una: u32) -> Option<(u32, Transfer)> {
        if una < self.first_end {
            None
        } else {
            self.pop()
        }
    }

    #[cold]
    fn pop(&mut self) -> Option<(u32, Transfer)> {
        let index = self.started - self.queue.len() as u32;
        let transfer = self.queue.pop_front()?;
        self.first_end = self.queue.front().map_or(ENDLESS, |next| next.end);
        Some((index, transfer))
    }

    /// The unfinished transfers, with their indices.
    pub fn pending(&self) -> impl Iterator<Item = (u32, Bytes, Time)> + '_ {
        let first = self.started - self.queue.len() as u32;
        let numbered = (first..).zip(&self.queue);
        let numbered = numbered.filter(|(_, transfer)| !transfer.is_end());
        numbered.map(|(index, transfer)| (index, transfer.bytes, transfer.started))
    }

    /// Bytes of user data from packet `seq` to the end of its transfer; endless data have no end.
    pub fn remaining(&self, seq: u32, payload: u32) -> Option<u64> {
        let at = self.queue.partition_point(|t| t.end <= seq);
        let transfer = self.queue.get(at)?;
        let full = u64::from(transfer.end - 1 - seq) * u64::from(payload);
        Some(full + u64::from(transfer.last_payload))
    }

    /// The size of the transfer of packet `seq`; endless data have none.
    pub fn size(&self, seq: u32) -> Option<Bytes> {
        let at = self.queue.partition_point(|t| t.end <= seq);
        self.queue.get(at).map(|transfer| transfer.bytes)
    }

    /// Bytes of user data in packet `seq`; a full one has `payload`.
    #[inline]
    pub fn payload(&self, seq: u32, payload: u32) -> u32 {
        // All packets before the oldest transfer's last one are full.
        if seq + 1 < self.first_end {
            payload
        } else {
            self.short_or_full(seq, payload)
        }
    }

    #[cold]
    fn short_or_full(&self, seq: u32, payload: u32) -> u32 {
        let at = self.queue.partition_point(|t| t.end <= seq);
        match self.queue.get(at) {
            Some(t) if t.end == seq + 1 => t.last_payload,
            _ => payload,
        }
    }
}

/// Number of packets, and bytes in the last; `None` for endless data.
fn cut_into_packets(amount: Amount, payload: u32) -> Result<Option<(u32, u32)>, DataError> {
    match amount {
        Amount::Endless => Ok(None),
        Amount::Packets(0) | Amount::Bytes(Bytes::ZERO) => Err(DataError::Empty),
        Amount::Packets(n) => Ok(Some((n, payload))),
        Amount::Bytes(bytes) => {
            let full = u64::from(payload);
            let packets =
                u32::try_from(bytes.get().div_ceil(full)).map_err(|_| DataError::TooMuch)?;
            let last = (bytes.get() - 1) % full + 1;
            Ok(Some((packets, last as u32)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(t: &mut Transfers, limit: u32, amount: Amount, short: bool) -> Result<u32, DataError> {
        t.add(Time::ZERO, limit, amount, 1000, short)
    }

    #[test]
    fn bytes_are_cut_into_packets_and_a_rest() {
        let mut t = Transfers::default();
        assert_eq!(add(&mut t, 1, Amount::Bytes(Bytes(2500)), true), Ok(4));
        assert_eq!(add(&mut t, 4, Amount::Bytes(Bytes(2000)), true), Ok(6));
        let sizes: Vec<u32> = (1..7).map(|seq| t.payload(seq, 1000)).collect();
        assert_eq!(sizes, [1000, 1000, 500, 1000, 1000, 1000]);
    }

    #[test]
    fn a_transfer_has_the_bytes_from_a_packet_to_its_end() {
        let mut t = Transfers::default();
        add(&mut t, 1, Amount::Bytes(Bytes(2500)), true).expect("fits");
        add(&mut t, 4, Amount::Endless, true).expect("fits");
        let remaining = [0, 1, 3, 4].map(|seq| t.remaining(seq, 1000));
        assert_eq!(remaining, [Some(3500), Some(2500), Some(500), None]);
        let sizes = [0, 3, 4].map(|seq| t.size(seq).map(Bytes::get));
        assert_eq!(sizes, [Some(2500), Some(2500), None]);
    }

    #[test]
    fn whole_packets_only_where_that_is_the_rule() {
        let mut t = Transfers::default();
        assert_eq!(add(&mut t, 0, Amount::Bytes(Bytes(2500)), false), Ok(3));
        assert_eq!(t.payload(2, 1000), 1000);
        assert_eq!(
            t.finish(3).map(|(i, t)| (i, t.bytes)),
            Some((0, Bytes(3000)))
        );
    }

    #[test]
    fn transfers_finish_in_order() {
        let mut t = Transfers::default();
        add(&mut t, 0, Amount::Packets(2), true).expect("fits");
        add(&mut t, 2, Amount::Packets(3), true).expect("fits");
        assert!(t.finish(1).is_none());
        let pending = |t: &Transfers| t.pending().map(|(i, ..)| i).collect::<Vec<_>>();
        assert_eq!(pending(&t), [0, 1]);
        assert_eq!(t.finish(5).map(|(i, t)| (i, t.end)), Some((0, 2)));
        assert_eq!(pending(&t), [1]);
        assert_eq!(t.finish(5).map(|(i, t)| (i, t.end)), Some((1, 5)));
        assert!(t.finish(5).is_none());
    }

    #[test]
    fn the_end_of_the_data_is_a_packet_without_any_and_no_transfer() {
        let mut t = Transfers::default();
        add(&mut t, 0, Amount::Bytes(Bytes(1500)), true).expect("fits");
        assert_eq!(t.add_end(Time::ZERO, 2), Ok(3));
        assert_eq!([0, 1, 2].map(|seq| t.payload(seq, 1000)), [1000, 500, 0]);
        assert_eq!(t.pending().count(), 1);
        assert_eq!(t.finish(3).map(|(i, t)| (i, t.is_end())), Some((0, false)));
        assert_eq!(t.pending().count(), 0);
        assert_eq!(t.finish(3).map(|(i, t)| (i, t.is_end())), Some((1, true)));
    }

    #[test]
    fn what_cannot_be_sent_is_refused() {
        let mut t = Transfers::default();
        assert_eq!(
            add(&mut t, 0, Amount::Packets(0), true),
            Err(DataError::Empty)
        );
        assert_eq!(
            add(&mut t, 0, Amount::Bytes(Bytes::ZERO), true),
            Err(DataError::Empty)
        );
        assert_eq!(
            add(&mut t, 1, Amount::Packets(u32::MAX), true),
            Err(DataError::TooMuch)
        );
        let endless = add(&mut t, 1, Amount::Endless, true).expect("fits");
        assert_eq!(
            add(&mut t, endless, Amount::Packets(1), true),
            Err(DataError::AfterEndless)
        );
    }
}
