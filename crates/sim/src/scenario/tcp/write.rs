//! TCP traffic as TOML again, every default written out.

use pacesim_tcp::{Amount, Clock, Config, Pacing, Profile, Variant};
use pacesim_units::{Bytes, Capacity, Span};

use super::super::types::Others;
use super::super::write::{Keys, float, of_distribution, one, quoted};
use crate::model::{Load, Pause, Sizes, Tcp};

pub(in super::super) fn traffic(tcp: &Tcp, others: Option<&Others>) -> Keys {
    let keys = connection(Keys::default().text("kind", "tcp"), tcp);
    let others = others.map(|others| {
        let share = Keys::default().raw("share", float(others.share));
        connection(share, &others.tcp).inline()
    });
    keys.maybe("others", others)
}

fn connection(keys: Keys, tcp: &Tcp) -> Keys {
    let keys = config(keys, &tcp.config).maybe("clock_phase", tcp.clock_phase.map(quoted));
    match &tcp.load {
        Load::Endless => keys.text("transfer", Capacity::Unlimited),
        // `check` refuses it: there is no key.
        Load::Scheduled(_) => keys,
        Load::Once(Amount::Endless) => keys.text("transfer", Capacity::Unlimited),
        Load::Once(Amount::Packets(n)) => keys.text("transfer", Capacity::Packets(u64::from(*n))),
        Load::Once(Amount::Bytes(bytes)) => keys.text("transfer", bytes),
        Load::Transfers { size, pause, count } => {
            keys.raw("transfers", transfers(size, pause, *count).inline())
        }
    }
}

fn transfers(size: &Sizes, pause: &Pause, count: Option<u32>) -> Keys {
    let size = match size {
        Sizes::Constant(size) => quoted(size),
        Sizes::Drawn(distribution) => of_distribution::<Bytes>(distribution),
    };
    let pause = match pause {
        Pause::Constant(pause) => quoted(pause),
        Pause::Drawn(distribution) => of_distribution::<Span>(distribution),
    };
    Keys::default()
        .raw("size", size)
        .raw("pause", pause)
        .maybe("count", count)
}

fn config(keys: Keys, config: &Config) -> Keys {
    let (Clock::Ticks(tick) | Clock::Stamps { granularity: tick }) = config.clock;
    let packets = |n: f64| quoted(Capacity::Packets(n as u64));
    let delayed_ack = config
        .delayed_ack
        .map_or_else(|| "false".to_owned(), quoted);
    keys.text("variant", variant(config.variant))
        .text("profile", profile(config.profile))
        .raw("window", packets(config.window_cap))
        .text("payload", config.payload)
        .text("header", config.header)
        .text("ack_size", config.ack_size)
        .text("sack_block_size", config.sack_block_size)
        .raw("sack_blocks", config.max_sack_blocks)
        .raw("syn", config.syn)
        .text("syn_size", config.syn_size)
        .raw("initial_window", packets(config.initial_window))
        .maybe("initial_ssthresh", config.initial_ssthresh.map(packets))
        .raw("dupack_threshold", config.dupack_threshold)
        .raw("limited_transmit", config.limited_transmit)
        .raw("delayed_ack", delayed_ack)
        .text("tick", tick)
        .text("min_rto", config.min_rto)
        .text("max_rto", config.max_rto)
        .text("initial_rto", config.initial_rto)
        .raw("pacing", pacing(config.pacing))
}

fn variant(variant: Variant) -> &'static str {
    match variant {
        Variant::Tahoe => "tahoe",
        Variant::Reno => "reno",
        Variant::NewReno => "newreno",
        Variant::Sack => "sack",
        Variant::Fack => "fack",
    }
}

fn profile(profile: Profile) -> &'static str {
    match profile {
        Profile::Ns2 => "ns2",
        Profile::Rfc => "rfc",
    }
}

fn pacing(pacing: Pacing) -> String {
    match pacing {
        Pacing::Window {
            retransmissions: false,
        } => quoted("window"),
        Pacing::Window {
            retransmissions: true,
        } => quoted("window_all"),
        Pacing::Linux => quoted("linux"),
        Pacing::Fixed(rate) => one("rate", quoted(rate)),
        // The check refuses a controller's rate: none of the variants has one.
        Pacing::Off | Pacing::Controller => quoted("off"),
    }
}
