//! [[event]]: changes at given times.

use pacesim_language::field::{FlowRef, LinkRef};
use pacesim_language::names::Reference;
use pacesim_language::{table, words};
use pacesim_model::Loss;
use pacesim_units::{Rate, Span};

use crate::link::LossKeys;

table! {
    /// A change at a given time, before everything else at that time. The transmission of a packet
    /// is completed at its original rate.
    pub struct Event "event" {
        at: Span, "The time since the start of the run.", "30s";
        links: Vec<Reference> as Vec<LinkRef>, (= "[]"), "The links that change; name.back is a link back.", "[\"core\", \"core.back\"]";
        rate: Option<Rate>, "The rate of these links from then on. Utilisation is the share of time in which the line sends, at any rate.", "5Mbps";
        delay: Option<Span>, "Their propagation delay from then on; no packet overtakes another.", "20ms";
        loss: Option<Loss> as Option<LossKeys>, "The random loss on their wires from then on; a probability of 0 is none.", "{ bernoulli = 0.01 }";
        up: Option<bool>, "Their state from then on: up or down.", "false";
        packets: Fate, (= "lost"), "The fate of packets while links are down.", "kept";
        reroute: bool, (= "false"), "Recompute all routes after these changes; no route uses a link that is down. A packet keeps the route on which it was sent, and a flow without another path keeps its own.", "true";
        start: Vec<Reference> as Vec<FlowRef>, (= "[]"), "The flows whose sources start then, regardless of their own `start`.", "[\"f\"]";
        stop: Vec<Reference> as Vec<FlowRef>, (= "[]"), "The flows whose sources stop then, regardless of their own `stop`.", "[\"f\"]";
    }
}

words! {
    /// The fate of packets of a link that is down.
    pub enum Fate {
        Lost "lost", "packets that wait, are on the wire, or arrive at the queue are lost";
        Kept "kept", "packets wait in the queue, and those on the wire arrive";
    }
}

impl Event {
    /// True if the event changes links.
    pub fn changes_links(&self) -> bool {
        self.rate.is_some() || self.delay.is_some() || self.loss.is_some() || self.up.is_some()
    }
}
