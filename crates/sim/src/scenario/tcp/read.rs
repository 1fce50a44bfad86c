//! From the keys of TCP traffic to what a connection is told: what `others` says
//! stands above what the group says, and that above the profile's defaults.

use std::sync::Arc;

use pacesim_tcp::{Amount, Clock, Config, Pacing, Profile, Variant};
use pacesim_units::{Bytes, Capacity, Rate, Span};

use super::super::problem::Faults;
use super::super::tree::{Item, Value as Raw};
use super::super::types::{Others, Traffic};
use super::super::values::Value;
use super::super::view::{View, flag, integer, parsed, table_of, text};
use super::super::walk::number;
use crate::model::{Load, Pause, Sizes, Tcp};

/// What `delayed_ack = true` means where the profile has none: ns-2's `interval_`.
const NS2_DELAYED_ACK: Span = Span::from_ms(100);

pub(in super::super) fn traffic(view: &View<'_>, faults: &mut Faults) -> Traffic {
    let group = Layers(vec![view]);
    let tcp = group.tcp(faults);
    let others = view.table("others").map(|others| {
        let share = |item: &Item| Some(number(&item.value)).filter(|p| (0.0..=1.0).contains(p));
        Others {
            share: others.get("share", share).unwrap_or(0.0),
            tcp: Layers(vec![&others, view]).tcp(faults),
        }
    });
    Traffic::Tcp { tcp, others }
}

/// Tables of the text, what stands above first.
struct Layers<'v, 't>(Vec<&'v View<'t>>);

impl Layers<'_, '_> {
    fn get<T>(&self, name: &str, read: impl Fn(&Item) -> Option<T>) -> Option<T> {
        let mut items = self.0.iter().filter_map(|view| view.item(name));
        items.next().and_then(read)
    }

    /// Puts what a key says, if it is there, into its field.
    fn put<T>(&self, field: &mut T, name: &str, read: impl Fn(&Item) -> Option<T>) {
        if let Some(value) = self.get(name, read) {
            *field = value;
        }
    }

    /// The first table that has one of two keys, of which it may have one only.
    fn either(&self, [a, b]: [&str; 2], faults: &mut Faults) -> Option<&View<'_>> {
        let view = self.0.iter().find(|view| {
            let given = |name| view.item(name).is_some();
            given(a) || given(b)
        })?;
        let path = view.path(b);
        if view.item(a).is_some() && view.item(b).is_some() && !faults.touch(&path) {
            faults
                .add(path, format!("{a} and {b} exclude each other"))
                .help(format!("keep {a} or {b}"));
        }
        Some(view)
    }

    fn tcp(&self, faults: &mut Faults) -> Tcp {
        Tcp {
            config: Arc::new(self.config(faults)),
            load: self.load(faults),
            clock_phase: self.get("clock_phase", parsed),
        }
    }

    fn config(&self, faults: &mut Faults) -> Config {
        let profile = self.get("profile", profile).unwrap_or(Profile::Ns2);
        let variant = self.get("variant", variant).unwrap_or(Variant::Reno);
        let mut config = Config::new(profile, variant);
        self.windows(&mut config);
        self.sizes(&mut config, faults);
        self.acks(&mut config);
        self.times(&mut config);
        self.put(&mut config.pacing, "pacing", pacing);
        config
    }

    fn windows(&self, config: &mut Config) {
        let some = |item: &Item| packets(item).map(Some);
        self.put(&mut config.window_cap, "window", packets);
        self.put(&mut config.initial_window, "initial_window", packets);
        self.put(&mut config.initial_ssthresh, "initial_ssthresh", some);
        self.put(&mut config.syn, "syn", flag);
    }

    fn sizes(&self, config: &mut Config, faults: &mut Faults) {
        self.put(&mut config.header, "header", parsed);
        self.put(&mut config.syn_size, "syn_size", parsed);
        self.put(&mut config.ack_size, "ack_size", parsed);
        self.put(&mut config.sack_block_size, "sack_block_size", parsed);
        let Some(view) = self.either(["packet_size", "payload"], faults) else {
            return;
        };
        if let Some(payload) = view.parsed::<Bytes>("payload") {
            config.payload = payload;
        } else if let Some(size) = view.parsed::<Bytes>("packet_size") {
            match size.0.checked_sub(config.header.0).filter(|n| *n > 0) {
                Some(payload) => config.payload = Bytes(payload),
                None => self.tell_all_header(view, size, config.header, faults),
            }
        }
    }

    fn tell_all_header(&self, view: &View<'_>, size: Bytes, header: Bytes, faults: &mut Faults) {
        let path = view.path("packet_size");
        if !faults.touch(&path) {
            let message =
                format!("a packet of {size} carries nothing beside its header of {header}");
            faults
                .add(path, message)
                .help("give a larger packet, or header = \"0B\"");
        }
    }

    fn acks(&self, config: &mut Config) {
        let profiles = config.delayed_ack.unwrap_or(NS2_DELAYED_ACK);
        let delay = |item: &Item| match flag(item) {
            Some(delayed) => Some(delayed.then_some(profiles)),
            None => parsed(item).map(Some),
        };
        self.put(&mut config.delayed_ack, "delayed_ack", delay);
        self.put(&mut config.dupack_threshold, "dupack_threshold", count);
        self.put(&mut config.limited_transmit, "limited_transmit", flag);
        let blocks = |item: &Item| u8::try_from(integer(item)?).ok();
        self.put(&mut config.max_sack_blocks, "sack_blocks", blocks);
    }

    fn times(&self, config: &mut Config) {
        let step = match &mut config.clock {
            Clock::Ticks(step) | Clock::Stamps { granularity: step } => step,
        };
        self.put(step, "tick", parsed);
        self.put(&mut config.min_rto, "min_rto", parsed);
        self.put(&mut config.max_rto, "max_rto", parsed);
        self.put(&mut config.initial_rto, "initial_rto", parsed);
    }

    fn load(&self, faults: &mut Faults) -> Load {
        let view = self.either(["transfer", "transfers"], faults);
        let load = view.and_then(|view| match view.table("transfers") {
            Some(transfers) => transfers_load(&transfers),
            None => view.get("transfer", amount),
        });
        load.unwrap_or(Load::Endless)
    }
}

fn transfers_load(view: &View<'_>) -> Option<Load> {
    let size = match view.drawn::<Bytes>("size")? {
        Value::Constant(size) => Sizes::Constant(size),
        Value::Drawn(distribution) => Sizes::Drawn(distribution),
    };
    let pause = match view.drawn::<Span>("pause")? {
        Value::Constant(pause) => Pause::Constant(pause),
        Value::Drawn(distribution) => Pause::Drawn(distribution),
    };
    let count = view.count("count");
    Some(Load::Transfers { size, pause, count })
}

fn amount(item: &Item) -> Option<Load> {
    Some(match parsed(item)? {
        Capacity::Unlimited => Load::Endless,
        Capacity::Bytes(bytes) => Load::Once(Amount::Bytes(bytes)),
        // More than a flow can number is as good as the most.
        Capacity::Packets(n) => Load::Once(Amount::Packets(u32::try_from(n).unwrap_or(u32::MAX))),
    })
}

fn packets(item: &Item) -> Option<f64> {
    match parsed(item)? {
        Capacity::Packets(n) => Some(n as f64),
        _ => None,
    }
}

fn count(item: &Item) -> Option<u32> {
    u32::try_from(integer(item)?).ok().filter(|n| *n > 0)
}

fn profile(item: &Item) -> Option<Profile> {
    match text(item)? {
        "ns2" => Some(Profile::Ns2),
        "rfc" => Some(Profile::Rfc),
        _ => None,
    }
}

fn variant(item: &Item) -> Option<Variant> {
    match text(item)? {
        "tahoe" => Some(Variant::Tahoe),
        "reno" => Some(Variant::Reno),
        "newreno" => Some(Variant::NewReno),
        "sack" => Some(Variant::Sack),
        "fack" => Some(Variant::Fack),
        _ => None,
    }
}

fn pacing(item: &Item) -> Option<Pacing> {
    if let Some(table) = table_of(item) {
        return parsed::<Rate>(table.get("rate")?).map(Pacing::Fixed);
    }
    match &item.value {
        Raw::Text(word) => Some(match word.as_str() {
            "off" => Pacing::Off,
            "window" => Pacing::Window {
                retransmissions: false,
            },
            "window_all" => Pacing::Window {
                retransmissions: true,
            },
            "linux" => Pacing::Linux,
            _ => return None,
        }),
        _ => None,
    }
}
