//! The parts of a program.

use std::sync::Arc;

use pacesim_core::net::{LossModel, Middlebox};
use pacesim_language::field::Keys;
use pacesim_model::application::{Application, OwnApplication, Role};
use pacesim_model::middlebox::{OwnMiddlebox, Site};
use pacesim_model::pacer::{OwnPacer, Port};
use pacesim_model::queue::OwnQueue;
use pacesim_model::source::{Feed, OwnSource, Source};
use pacesim_model::transport::{Made, Opening, OwnTransport};
use pacesim_model::{Model, OwnLoss, Payload};
use pacesim_pacers::Pacer;
use pacesim_queues::Queue;
use pacesim_tcp_common::control::{CongestionControl, OwnControl, Setup};

use crate::measure::{Measure, OwnMeasure};
use crate::part::{Part, PartKeys};

/// The parts that a program adds to the scenario language.
#[derive(Default)]
pub struct Parts {
    pub(crate) controls: Vec<Part<OwnControl>>,
    pub(crate) pacers: Vec<Part<OwnPacer>>,
    pub(crate) disciplines: Vec<Part<OwnQueue>>,
    pub(crate) sources: Vec<Part<OwnSource>>,
    pub(crate) transports: Vec<Part<OwnTransport>>,
    pub(crate) transport_numbers: Vec<&'static str>,
    pub(crate) applications: Vec<Part<OwnApplication>>,
    pub(crate) application_numbers: Vec<&'static str>,
    pub(crate) middleboxes: Vec<Part<OwnMiddlebox>>,
    pub(crate) losses: Vec<Part<OwnLoss>>,
    pub(crate) measures: Vec<Part<OwnMeasure>>,
    pub(crate) files: Vec<(&'static str, &'static str)>,
}

impl Parts {
    /// A program without parts of its own.
    pub fn new() -> Parts {
        Parts::default()
    }

    /// Adds studies to those that `pacesim reproduce` knows, and the files that they name: the name of
    /// each file, such as `group/fig1.study.toml`, and its text.
    pub fn studies(mut self, files: &[(&'static str, &'static str)]) -> Parts {
        self.files.extend(files);
        self
    }

    /// Adds a congestion control, constructed for each sender.
    pub fn control<K: PartKeys, C: CongestionControl + 'static>(
        mut self,
        make: impl Fn(&K, &Setup) -> C + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        let part = move |keys: K, written: &Keys| {
            let make = Arc::clone(&make);
            let control = OwnControl::new(K::TABLE.name, move |setup| make(&keys, setup));
            let text = |(key, value): &(&'static str, _)| (*key, format!("{value}"));
            control.with_keys(written.0.iter().map(text).collect())
        };
        self.controls.push(Part::new(part));
        self
    }

    /// Adds a pacer, constructed for each port.
    pub fn pacer<K: PartKeys, P: Pacer + 'static>(
        mut self,
        make: impl Fn(&K, Port) -> P + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.pacers.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            OwnPacer::new(K::TABLE.name, move |port| make(&keys, port))
        }));
        self
    }

    /// Adds a queue discipline, constructed for each port. The port's buffer is its limit.
    pub fn discipline<K: PartKeys, Q: Queue + 'static>(
        mut self,
        make: impl Fn(&K, Port) -> Q + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.disciplines.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            OwnQueue::new(K::TABLE.name, move |port| make(&keys, port))
        }));
        self
    }

    /// Adds a source of traffic, constructed for each flow.
    pub fn source<K: PartKeys, S: Source + 'static>(
        mut self,
        make: impl Fn(&K, Feed) -> S + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.sources.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            OwnSource::new(K::TABLE.name, move |feed| make(&keys, feed))
        }));
        self
    }

    /// Adds a transport, whose ends are constructed for each connection; its sending ends yield
    /// numbers of these names. A constructor that refuses gives the reason, for which the run gives
    /// up.
    pub fn transport<K: PartKeys>(
        mut self,
        numbers: &'static [&'static str],
        make: impl Fn(&K, Opening) -> Made + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.transport_numbers.extend(numbers);
        self.transports.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            let name = K::TABLE.name;
            let transport = OwnTransport::fallible(name, move |opening| make(&keys, opening));
            transport.with_numbers(numbers)
        }));
        self
    }

    /// Adds an application, whose two sides are constructed for each pair of nodes, and yield numbers
    /// of these names.
    pub fn application<K: PartKeys>(
        mut self,
        numbers: &'static [&'static str],
        make: impl Fn(&K, Role) -> Box<dyn Application> + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.application_numbers.extend(numbers);
        self.applications.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            OwnApplication::new(K::TABLE.name, numbers, move |role| make(&keys, role))
        }));
        self
    }

    /// Adds a middlebox, constructed for each link behind whose wire it stands.
    pub fn middlebox<K: PartKeys, M: Middlebox<Payload = Payload> + Send + 'static>(
        mut self,
        make: impl Fn(&K, Site) -> M + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.middleboxes.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            OwnMiddlebox::new(K::TABLE.name, move |site| make(&keys, site))
        }));
        self
    }

    /// Adds a loss model, constructed for the wire of each link.
    pub fn loss<K: PartKeys, M: LossModel + 'static>(
        mut self,
        make: impl Fn(&K, Port) -> M + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.losses.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            OwnLoss::new(K::TABLE.name, move |port| make(&keys, port))
        }));
        self
    }

    /// Adds a measure with numbers of these names, constructed for each run of a study.
    pub fn measure<K: PartKeys, M: Measure + 'static>(
        mut self,
        numbers: &'static [&'static str],
        make: impl Fn(&K, &Model) -> M + Send + Sync + 'static,
    ) -> Parts {
        let make = Arc::new(make);
        self.measures.push(Part::new(move |keys: K, _| {
            let make = Arc::clone(&make);
            OwnMeasure::new(K::TABLE.name, numbers, move |model| make(&keys, model))
        }));
        self
    }
}
