//! Scripts, losses, thresholds and hosts, which links get before routes and packets.

use pacesim_units::{Capacity, LinkId};

use super::Network;
use super::step::StepMarking;
use crate::engine::EventQueue;
use crate::net::{HostDelays, LossProcess, Parts, Script};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Gives a link scripted drops. Call it before routes are added.
    pub fn set_script(&mut self, link: LinkId, script: Script) {
        self.extra_of(link).script = Some(script);
        self.has_scripts = true;
    }

    /// Gives a link random loss. Call it before routes are added.
    pub fn set_loss(&mut self, link: LinkId, loss: LossProcess) {
        self.extra_of(link).loss = Some(loss);
        self.has_losses = true;
    }

    /// Gives the host at the port of a link these delays. Call it before routes are added.
    pub fn set_host(&mut self, link: LinkId, host: HostDelays) {
        self.extra_of(link).host = Some(Box::new(host));
        self.has_hosts = true;
    }

    /// Makes a link's own queue mark packets that find this much waiting. Call it before routes are
    /// added.
    pub fn set_step(&mut self, link: LinkId, threshold: Capacity) {
        self.extra_of(link).step = Some(StepMarking::from(threshold));
    }
}
