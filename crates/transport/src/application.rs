//! Applications: what two nodes say to each other, whatever transport carries it.

pub mod laws;

use pacesim_units::{Bytes, Span, Time};

/// Data that one side sends to the other as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Bytes of user data, at least one.
    pub size: Bytes,
    /// A number that the other side reads once all bytes have arrived, such as a size that it is asked
    /// for. It is a part of the message and takes no further bytes.
    pub word: u64,
}

impl Message {
    /// A message of this size whose number is zero.
    pub fn new(size: Bytes) -> Message {
        Message { size, word: 0 }
    }
}

/// A message to send, after a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The time until it is handed to the transport, behind all that was handed over before.
    pub wait: Span,
    /// The message.
    pub message: Message,
}

impl Write {
    /// A message to send now.
    pub fn now(message: Message) -> Write {
        let wait = Span::ZERO;
        Write { wait, message }
    }

    /// A message to send after this time.
    pub fn after(wait: Span, message: Message) -> Write {
        Write { wait, message }
    }
}

/// An event of which one side hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum News {
    /// The flow starts. Both sides hear this, before all else.
    Start,
    /// All bytes of a message of the other side have arrived, and those of all before it.
    Arrived(Message),
    /// All bytes of an own message have been acknowledged, and those of all before it.
    Acknowledged(Message),
}

/// One side of an application: it hears of messages, and sends some.
///
/// It knows no transport, no network and no clock. All that it knows of the other side came in
/// messages.
pub trait Application: Send {
    /// Hears news, and sends a message if it has one.
    fn told(&mut self, now: Time, news: News) -> Option<Write>;

    /// Numbers that it declares by name, in the order of the names; `None` for one without a value. A side
    /// that measures nothing has none.
    fn numbers(&self) -> Vec<Option<f64>> {
        Vec::new()
    }
}
