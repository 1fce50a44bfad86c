//! Transfers of an end that counts its data in bytes.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Time};

use crate::{Amount, Command, DataError, EndEvent, Transfer};

/// The transfers handed over to a sending end and not yet fully acknowledged. It saves an end of
/// one's own the bookkeeping: bytes are numbered from 0 over all transfers.
#[derive(Clone, Debug, Default)]
pub struct Backlog {
    /// Unfinished transfers, each with the number behind its last byte.
    open: VecDeque<(u64, Transfer)>,
    /// The number behind the last byte handed over.
    end: u64,
    /// True if endless data follow.
    is_endless: bool,
    count: u32,
}

impl Backlog {
    /// The application hands over more; `payload` is that of a full packet.
    pub fn add(&mut self, now: Time, amount: Amount, payload: Bytes) -> Result<(), DataError> {
        if self.is_endless {
            return Err(DataError::AfterEndless);
        }
        let bytes = match amount {
            Amount::Endless => {
                self.is_endless = true;
                return Ok(());
            }
            Amount::Packets(n) => u64::from(n).checked_mul(payload.get()),
            Amount::Bytes(bytes) => Some(bytes.get()),
        };
        let bytes = bytes.ok_or(DataError::TooMuch)?;
        if bytes == 0 {
            return Err(DataError::Empty);
        }
        self.end = self.end.checked_add(bytes).ok_or(DataError::TooMuch)?;
        let transfer = Transfer {
            index: self.count,
            bytes: Bytes(bytes),
            started: now,
        };
        self.count += 1;
        self.open.push_back((self.end, transfer));
        Ok(())
    }

    /// An order of the application to an end that has sent all bytes before `sent` at least once.
    pub fn command(
        &mut self,
        now: Time,
        command: Command,
        payload: Bytes,
        sent: u64,
    ) -> Result<(), DataError> {
        match command {
            Command::Send(amount) => return self.add(now, amount, payload),
            Command::Stop => self.stop(sent),
            Command::Close | Command::Stand => {}
        }
        Ok(())
    }

    /// The events of all transfers that are complete once all bytes before `acknowledged` have
    /// arrived.
    pub fn done(&mut self, acknowledged: u64) -> impl Iterator<Item = EndEvent> {
        let next = move || self.finish(acknowledged).map(EndEvent::TransferDone);
        std::iter::from_fn(next)
    }

    /// Endless data end with the byte before this one.
    pub fn stop(&mut self, at: u64) {
        if self.is_endless {
            (self.is_endless, self.end) = (false, at.max(self.end));
        }
    }

    /// The number behind the last byte that may be sent.
    pub fn end(&self) -> u64 {
        if self.is_endless { u64::MAX } else { self.end }
    }

    /// The end of the oldest unfinished transfer, at which a packet may be short.
    pub fn next_end(&self, from: u64) -> u64 {
        let ends = self.open.iter().map(|(end, _)| *end);
        ends.into_iter()
            .find(|end| *end > from)
            .unwrap_or(self.end())
    }

    /// The oldest transfer, if all bytes before `acknowledged` have arrived and complete it; call
    /// until `None`.
    pub fn finish(&mut self, acknowledged: u64) -> Option<Transfer> {
        let (_, transfer) = *self.open.front().filter(|(end, _)| *end <= acknowledged)?;
        self.open.pop_front();
        Some(transfer)
    }

    /// The unfinished transfers, oldest first.
    pub fn pending(&self) -> Vec<Transfer> {
        self.open.iter().map(|(_, transfer)| *transfer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_finish_in_order_when_their_last_byte_is_acknowledged() {
        let mut backlog = Backlog::default();
        let mut add = |amount| backlog.add(Time::ZERO, amount, Bytes(100));
        assert_eq!(add(Amount::Bytes(Bytes(150))), Ok(()));
        assert_eq!(add(Amount::Packets(2)), Ok(()));
        assert_eq!(add(Amount::Bytes(Bytes(0))), Err(DataError::Empty));
        assert_eq!((backlog.end(), backlog.next_end(0)), (350, 150));
        assert_eq!(backlog.next_end(150), 350);
        assert_eq!(backlog.finish(149), None);
        let first = backlog.finish(350).map(|t| (t.index, t.bytes));
        assert_eq!(first, Some((0, Bytes(150))));
        assert_eq!(backlog.pending().len(), 1);
        let second = backlog.finish(350).map(|t| (t.index, t.bytes));
        assert_eq!(second, Some((1, Bytes(200))));
        assert_eq!(backlog.finish(350), None);
    }

    #[test]
    fn endless_data_end_where_they_are_stopped() {
        let mut backlog = Backlog::default();
        let mut add = |amount| backlog.add(Time::ZERO, amount, Bytes(100));
        assert_eq!(add(Amount::Endless), Ok(()));
        assert_eq!(add(Amount::Packets(1)), Err(DataError::AfterEndless));
        assert_eq!(backlog.end(), u64::MAX);
        backlog.stop(700);
        assert_eq!((backlog.end(), backlog.pending().len()), (700, 0));
    }
}
