//! The application's data for TCP, and the times at which it hands them over.

use std::sync::Arc;

use pacesim_core::random::samplers::Sampler;
use pacesim_core::random::{Distribution, Stream, Streams};
use pacesim_tcp::Amount;
use pacesim_units::{Bytes, Span, Time};

use super::dialogue::Dialogue;
use super::exchange_end::ExchangeEnd;
use super::task_queue::TaskQueue;
use crate::model::range::DELAY;
use crate::model::{Load, Pause, PauseFrom, Tcp, TransferSizes, Transfers};
use crate::source::SizeSampler;

/// Data that the application of a flow still has to send.
pub(super) enum Application {
    Done,
    One(Amount),
    Scheduled {
        list: Arc<[(Span, Amount)]>,
        next: usize,
    },
    Transfers(Box<Drawn>),
    Exchange(Box<ExchangeEnd>),
    Tasks(Box<TaskQueue>),
    Dialogue(Box<Dialogue>),
}

/// Transfers drawn from a distribution.
pub(super) struct Drawn {
    amounts: Amounts,
    pauses: Pauses,
    pause_from: PauseFrom,
    left: u32,
}

enum Amounts {
    Bytes(SizeSampler),
    Packets(u32),
    DrawnPackets(Sampler, Stream),
}

enum Pauses {
    Constant(Span),
    Drawn(Sampler, Stream),
}

impl Amounts {
    fn new(size: &TransferSizes, stream: impl FnOnce() -> Stream) -> Amounts {
        match size {
            TransferSizes::Bytes(sizes) => Amounts::Bytes(SizeSampler::new(sizes, stream)),
            TransferSizes::Packets(n) => Amounts::Packets(*n),
            TransferSizes::DrawnPackets(distribution) => {
                Amounts::DrawnPackets(distribution.checked_sampler(), stream())
            }
        }
    }

    fn draw(&mut self) -> Amount {
        match self {
            Amounts::Bytes(sizes) => Amount::Bytes(Bytes(u64::from(sizes.draw()))),
            Amounts::Packets(n) => Amount::Packets(*n),
            Amounts::DrawnPackets(sampler, stream) => {
                // The cast saturates.
                let packets = (sampler.sample(stream) + 0.5) as u32;
                Amount::Packets(packets.max(1))
            }
        }
    }
}

impl Pauses {
    fn new(pause: &Pause, stream: impl FnOnce() -> Stream) -> Pauses {
        match pause {
            Pause::Constant(span) => Pauses::Constant(*span),
            Pause::Drawn(distribution) => Pauses::Drawn(distribution.checked_sampler(), stream()),
        }
    }

    fn draw(&mut self) -> Span {
        match self {
            Pauses::Constant(span) => *span,
            Pauses::Drawn(sampler, stream) => DELAY.nearest(sampler.sample(stream)),
        }
    }
}

impl Drawn {
    fn new(transfers: &Transfers, streams: &Streams, name: &str) -> Drawn {
        let size_stream = || streams.stream(name, "transfer sizes");
        Drawn {
            amounts: Amounts::new(&transfers.size, size_stream),
            pauses: Pauses::new(&transfers.pause, || streams.stream(name, "pauses")),
            pause_from: transfers.pause_from,
            left: transfers.count.unwrap_or(u32::MAX),
        }
    }
}

impl Application {
    /// The application of a flow with this start, and its delay after it.
    pub(super) fn new(
        tcp: &Tcp,
        start: Time,
        streams: &Streams,
        name: &str,
    ) -> (Application, Span) {
        match &tcp.load {
            Load::Endless => (Application::One(Amount::Endless), Span::ZERO),
            Load::Once(amount) => (Application::One(*amount), Span::ZERO),
            Load::Scheduled(schedule) => {
                let list = schedule.list.clone();
                let first = list.first().map_or(Span::ZERO, |(at, _)| *at);
                (Application::Scheduled { list, next: 0 }, first)
            }
            Load::Transfers(transfers) => {
                let stream = || streams.stream(name, "first transfer");
                let first = Pauses::new(&transfers.first, stream).draw();
                let drawn = Drawn::new(transfers, streams, name);
                (Application::Transfers(Box::new(drawn)), first)
            }
            Load::Tasks(tasks) => {
                let queue = TaskQueue::new(tasks, start, &tcp.config);
                let due = queue.next_due();
                let first = due.map_or(Span::MAX, |at| at.saturating_since(start));
                (Application::Tasks(Box::new(queue)), first)
            }
            Load::Exchange(exchange) => {
                let exchange_end = ExchangeEnd::new(exchange, &tcp.config);
                let first = exchange_end.wait().unwrap_or(Span::MAX);
                (Application::Exchange(Box::new(exchange_end)), first)
            }
            Load::Messages(side) => {
                let dialogue = Dialogue::new(side, start, tcp, (streams, name));
                let due = dialogue.next_due();
                let first = due.map_or(Span::MAX, |at| at.saturating_since(start));
                (Application::Dialogue(Box::new(dialogue)), first)
            }
        }
    }

    /// Takes the amount that the application hands over now.
    pub(super) fn next(&mut self) -> Option<Amount> {
        match self {
            Application::Done => None,
            Application::One(amount) => {
                let amount = *amount;
                *self = Application::Done;
                Some(amount)
            }
            Application::Scheduled { list, next } => {
                *next += 1;
                list.get(*next - 1).map(|(_, amount)| *amount)
            }
            Application::Transfers(drawn) => {
                drawn.left = drawn.left.checked_sub(1)?;
                Some(drawn.amounts.draw())
            }
            Application::Exchange(exchange_end) => exchange_end.next(),
            Application::Tasks(queue) => queue.next(),
            Application::Dialogue(dialogue) => dialogue.next(),
        }
    }

    /// The time of the next amount after one that was handed over now, unless it depends on the end
    /// of that one; the flow began at `start`.
    pub(super) fn after_start(&mut self, start: Time, now: Time) -> Option<Time> {
        match self {
            Application::Scheduled { list, next } => {
                list.get(*next).map(|(at, _)| start.saturating_add(*at))
            }
            Application::Transfers(drawn) => drawn.after(now, PauseFrom::Start),
            Application::Exchange(exchange_end) => Some(now.saturating_add(exchange_end.wait()?)),
            Application::Tasks(queue) => queue.next_due(),
            Application::Dialogue(dialogue) => dialogue.next_due(),
            _ => None,
        }
    }

    /// True for an end of an exchange without further data to send; it may still receive.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Application::Exchange(exchange_end) if !exchange_end.has_more())
    }

    /// True if more will follow at a time that depends on the other end, or on other flows.
    pub(super) fn waits_for_others(&self) -> bool {
        match self {
            Application::Exchange(exchange_end) => exchange_end.has_more(),
            Application::Tasks(queue) => queue.has_more(),
            Application::Dialogue(_) => true,
            _ => false,
        }
    }

    /// The time of the next amount after one that is fully acknowledged now, if it depends on that.
    pub(super) fn after_last_ack(&mut self, now: Time) -> Option<Time> {
        match self {
            Application::Transfers(drawn) => drawn.after(now, PauseFrom::LastAck),
            Application::Dialogue(dialogue) => dialogue.acknowledged(now),
            _ => None,
        }
    }
}

impl Drawn {
    fn after(&mut self, now: Time, what: PauseFrom) -> Option<Time> {
        let is_next = self.left > 0 && self.pause_from == what;
        is_next.then(|| now.saturating_add(self.pauses.draw()))
    }
}
