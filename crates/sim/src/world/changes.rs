//! Timed changes of links, and the rerouting that follows them.

use std::collections::VecDeque;

use pacesim_core::net::{LossProcess, Outage, Probe};
use pacesim_core::random::Streams;
use pacesim_pacers::Pacer;
use pacesim_units::{LinkId, Rate, Time};

use super::World;
use super::loss::{LOSSLESS, loss_process};
use super::parts::PacerStage;
use crate::model::change::{Change, TimedChange};
use crate::model::{Link, Loss, Model};

/// Pending changes, in order of time.
#[derive(Debug, Default)]
pub(super) struct Changes {
    of_links: VecDeque<TimedChange>,
    /// The times at which routes are recomputed.
    reroutes: VecDeque<Time>,
}

impl Changes {
    pub(super) fn of(model: &Model) -> Changes {
        let mut reroutes = model.reroutes.clone();
        reroutes.sort_unstable();
        reroutes.dedup();
        Changes {
            of_links: model.changes_in_order().into(),
            reroutes: reroutes.into(),
        }
    }

    /// The time of the next change, if it is due by `until`.
    #[inline]
    pub(super) fn next_by(&self, until: Time) -> Option<Time> {
        let of_links = self.of_links.front().map(|change| change.at);
        let next = of_links.into_iter().chain(self.reroutes.front().copied());
        next.min().filter(|next| *next <= until)
    }
}

impl<P: Probe> World<P> {
    /// Changes a link now, after all events at this instant: routes stay as they are.
    ///
    /// # Panics
    ///
    /// Panics if the model has no [change](Model::changes) of this link, which its queue must
    /// expect from the start. One after the end of the run, [`Model::let_change`], is enough.
    pub fn change(&mut self, link: LinkId, change: Change) {
        self.must_be_whole("does not change");
        let at = self.now;
        let change = TimedChange { at, link, change };
        self.rerouting.standing.note(&change);
        self.make(at, change);
    }

    /// Sets the rate of a link's pacer from now on. `None` without a pacer, false if the pacer has
    /// no rate to set.
    pub fn set_pacer_rate(&mut self, link: LinkId, rate: Rate) -> Option<bool> {
        self.must_be_whole("does not change");
        let now = self.now;
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        let set = |stage: &mut PacerStage| stage.pacer.set_rate(now, rate);
        self.network.change_gate(link, now, set, watchers)
    }

    /// Makes the changes of this instant, before all its other events.
    pub(super) fn make_changes(&mut self, now: Time) {
        let changes = &mut self.changes;
        let due = (changes.of_links).partition_point(|change| change.at <= now);
        let due: Vec<TimedChange> = changes.of_links.drain(..due).collect();
        let reroutes = changes.reroutes.front().is_some_and(|at| *at <= now);
        if reroutes {
            changes.reroutes.pop_front();
        }
        for change in due {
            self.rerouting.standing.note(&change);
            self.make(now, change);
        }
        if reroutes {
            self.reroute();
        }
        // A link that is up again may be free, and no event of the network tells it.
        self.serve_cards(now, now);
    }

    fn make(&mut self, now: Time, TimedChange { link, change, .. }: TimedChange) {
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        match change {
            Change::Rate(rate) => self.network.set_rate(link, rate),
            Change::Delay(delay) => self.network.set_delay(link, delay),
            Change::Loss(loss) => {
                let streams = Streams {
                    seed: self.model.seed,
                    replication: self.model.replication,
                };
                let loss = changed_loss(&self.model.links[link.index()], loss, now, &streams);
                self.network.change_loss(link, loss);
            }
            Change::Down => self.network.take_down(link, now, Outage::Loses, watchers),
            Change::Pause => self.network.take_down(link, now, Outage::Holds, watchers),
            Change::Up => self.network.bring_up(link, now, watchers),
        }
    }
}

/// Each loss process has a separate stream, named by its starting time.
fn changed_loss(link: &Link, loss: Option<Loss>, now: Time, streams: &Streams) -> LossProcess {
    let purpose = format!("loss from {}ps", now.as_ps());
    let stream = streams.stream(&format!("link/{}", link.name), &purpose);
    loss_process(&loss.unwrap_or(LOSSLESS), stream)
}
