//! TCP traffic. Values of `others` override those of the group, which override the profile's
//! defaults.

use std::sync::Arc;

use pacesim_language::field::{Keys, Probability, Reader, Record, Tagged};
use pacesim_language::form::Table;
use pacesim_language::tree::TomlTable;
use pacesim_language::{table, words};
use pacesim_model::{Load, Tcp};
use pacesim_tcp::{Amount, Config, Profile, Variant};
use pacesim_units::{Bytes, Capacity, Span};

use crate::connection::TcpKeys;
use crate::exchanges::Exchanges;
use crate::job::Job;
use crate::share::chosen_evenly;
use crate::transfers::{Arrivals, exclude};

/// TCP flows: the configuration of each connection.
#[derive(Clone, Debug, PartialEq)]
pub struct TcpTraffic {
    /// Configuration of the group's connections.
    pub tcp: Tcp,
    /// The arrivals of the group's transfers, if they are independent of each other.
    pub arrivals: Option<Arrivals>,
    /// Recorded connections whose ends answer each other, instead of the group's own data.
    pub exchanges: Option<Exchanges>,
    /// Transfers of the group's flows that wait for each other, instead of the group's own data.
    pub job: Option<Job>,
    /// Flows of the group that differ, if any.
    pub others: Option<OtherFlows>,
}

/// Some flows of a group that differ from the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherFlows {
    /// Share of these flows in the group, 0 to 1, rounded to whole flows.
    pub share: f64,
    /// Configuration of these flows' connections.
    pub tcp: Tcp,
    /// The arrivals of these flows' transfers, if they are independent of each other.
    pub arrivals: Option<Arrivals>,
}

impl OtherFlows {
    /// Marks the places of these flows among the `count` members of a group.
    pub fn chosen(&self, count: usize) -> Vec<bool> {
        chosen_evenly(self.share, count)
    }
}

impl TcpTraffic {
    /// True if the other flows have no arrivals of their own: all flows of the group share one
    /// process.
    pub fn shares_arrivals(&self) -> bool {
        let others = self.others.as_ref();
        others.is_some_and(|others| others.arrivals == self.arrivals)
    }
}

impl From<Tcp> for TcpTraffic {
    fn from(tcp: Tcp) -> TcpTraffic {
        TcpTraffic {
            tcp,
            arrivals: None,
            exchanges: None,
            job: None,
            others: None,
        }
    }
}

table! {
    /// The TCP flows of a group.
    struct GroupKeys "tcp" {
        variant: Option<Variant> as Option<VariantWord>, "The detection and repair of losses; default: reno (ns2, rfc) or sack (linux).", "sack";
        profile: Profile as ProfileWord, (= "ns2"), "The rules and defaults: those of ns-2, of the RFCs, or of Linux.", "ns2";
        keys: TcpKeys, "The keys that `others` may change.";
        exchanges: Option<Exchanges>, "Recorded connections whose two ends answer each other; instead of transfer, transfers and others.", "{ file = \"web.cvec\" }";
        job: Option<Job> as Option<Tagged<Job>>, "Transfers that wait for each other: collectives, rounds, a list; instead of transfer, transfers, exchanges and others.", "{ kind = \"ring\", size = \"1MB\" }";
        others: Option<OtherKeys>, "A share of the group with other values of some keys.", "{ share = 0.5, pacing = \"window\" }";
    }
}

table! {
    /// A share of the group's flows with other values of these keys; omitted keys are those of the
    /// rest of the group. Exactly the nearest whole number of flows is chosen, spread evenly but
    /// aperiodically over the group: those with the lowest fractional parts of the multiples of the
    /// golden ratio, the same in each run.
    struct OtherKeys "others" {
        share: f64 as Probability, (else 0.0), "The share of the group's flows that differ.", "0.3";
        variant: Option<Variant> as Option<VariantWord>, "The detection and repair of losses.", "sack";
        profile: Option<Profile> as Option<ProfileWord>, "The rules and defaults: those of ns-2, of the RFCs, or of Linux.", "ns2";
        keys: TcpKeys, "The differences.";
    }
}

/// The detection and repair of losses.
struct VariantWord;

words! {
    VariantWord: Variant {
        "tahoe" => Variant::Tahoe, "fast retransmit, then slow start from one packet, go-back-N";
        "reno" => Variant::Reno, "fast recovery until any new ACK";
        "newreno" => Variant::NewReno, "fast recovery until all data sent before the loss is acknowledged";
        "sack" => Variant::Sack, "selective acknowledgements and a pipe estimate";
        "fack" => Variant::Fack, "selective acknowledgements; data below the forward-most acknowledged packet counts as lost";
    }
}

/// The rules, with their defaults.
struct ProfileWord;

words! {
    ProfileWord: Profile {
        "ns2" => Profile::Ns2, "ns-2 2.35, packet for packet";
        "rfc" => Profile::Rfc, "the RFCs, with today's defaults";
        "linux" => Profile::Linux, "Linux 6.12, packet for packet: RACK, tail loss probes, PRR, F-RTO, timers in ticks";
    }
}

impl Record for TcpTraffic {
    type Value = TcpTraffic;
    const TABLE: &'static Table = GroupKeys::TABLE;

    fn read_keys(table: &TomlTable, reader: &mut Reader<'_>) -> Option<TcpTraffic> {
        let group = GroupKeys::read_keys(table, reader)?;
        let of_group = Layer {
            keys: &group.keys,
            path: "",
        };
        let profile = (group.profile, variant(group.variant, group.profile));
        let (tcp, arrivals) = connection(profile, &[of_group], reader);
        only_load(&group, reader);
        let others = group.others.as_ref().map(|others| {
            let profile = others.profile.unwrap_or(group.profile);
            let profile = (profile, variant(others.variant.or(group.variant), profile));
            let of_others = Layer {
                keys: &others.keys,
                path: "others.",
            };
            let (tcp, arrivals) = connection(profile, &[of_group, of_others], reader);
            OtherFlows {
                share: others.share,
                tcp,
                arrivals,
            }
        });
        Some(TcpTraffic {
            tcp,
            arrivals,
            exchanges: group.exchanges,
            job: group.job,
            others,
        })
    }

    fn write_keys(traffic: &TcpTraffic, keys: &mut Keys) {
        let others = traffic.others.as_ref().map(|others| OtherKeys {
            share: others.share,
            variant: Some(others.tcp.config.variant),
            profile: Some(others.tcp.config.profile),
            keys: TcpKeys::of(&others.tcp, others.arrivals.as_ref()),
        });
        let mut own = TcpKeys::of(&traffic.tcp, traffic.arrivals.as_ref());
        // The load of each flow is its part of the exchanges.
        let is_own = traffic.exchanges.is_none() && traffic.job.is_none();
        own.transfer = own.transfer.filter(|_| is_own);
        let group = GroupKeys {
            variant: Some(traffic.tcp.config.variant),
            profile: traffic.tcp.config.profile,
            keys: own,
            exchanges: traffic.exchanges.clone(),
            job: traffic.job.clone(),
            others,
        };
        GroupKeys::write_keys(&group, keys);
    }
}

/// Reports other data keys of a group that has recorded connections or a job.
fn only_load(group: &GroupKeys, reader: &mut Reader<'_>) {
    let only = match (&group.job, &group.exchanges) {
        (Some(_), _) => "job",
        (None, Some(_)) => "exchanges",
        (None, None) => return,
    };
    for (said, key) in [
        (group.keys.transfer.is_some(), "transfer"),
        (group.keys.transfers.is_some(), "transfers"),
        (group.others.is_some(), "others"),
        (group.exchanges.is_some(), "exchanges"),
    ] {
        if said && key != only {
            exclude("", [key, only], reader);
        }
    }
}

/// The variant that is given, or the profile's.
fn variant(said: Option<Variant>, profile: Profile) -> Variant {
    said.unwrap_or(match profile {
        Profile::Ns2 | Profile::Rfc => Variant::Reno,
        Profile::Linux => Variant::Sack,
    })
}

/// The values of one table of the text.
#[derive(Clone, Copy)]
struct Layer<'k> {
    keys: &'k TcpKeys,
    /// The path in front of the key's name.
    path: &'static str,
}

/// A connection by its layers, the overriding one last.
fn connection(
    (profile, variant): (Profile, Variant),
    layers: &[Layer<'_>],
    reader: &mut Reader<'_>,
) -> (Tcp, Option<Arrivals>) {
    let mut config = Config::new(profile, variant);
    // The meaning of `delayed_ack = true` for profiles without a default: ns-2's `interval_`.
    let delay = config.delayed_ack.unwrap_or(Span::from_ms(100));
    for layer in layers {
        layer.keys.apply(&mut config, delay);
        layer.keys.fit(profile, layer.path, reader);
        layer.keys.fit_pacing(layer.path, reader);
    }
    fit_echo(layers, &config, reader);
    fit_bursts(layers, &config, reader);
    packet_size(layers, &mut config, reader);
    let above = layers.iter().rev();
    let (load, arrivals) = load(layers, reader);
    let tcp = Tcp {
        config: Arc::new(config),
        load,
        clock_phase: above.filter_map(|layer| layer.keys.clock_phase).next(),
        transport: None,
    };
    (tcp, arrivals)
}

/// Reports an echo of marks that packets cannot get.
fn fit_echo(layers: &[Layer<'_>], config: &Config, reader: &mut Reader<'_>) {
    let gives = |layer: &&Layer<'_>| layer.keys.ecn_echo.is_some();
    let Some(Layer { path, .. }) = layers.iter().rev().find(gives) else {
        return;
    };
    if config.profile == Profile::Linux && !config.linux.ecn {
        let message = "there are no marks to echo without ECN";
        let help = "give ecn = true, or leave ecn_echo out";
        reader.fault_once(
            &format!("{path}ecn_echo"),
            message.to_owned(),
            help.to_owned(),
        );
    }
}

/// Reports bursts of another size that are not sent.
fn fit_bursts(layers: &[Layer<'_>], config: &Config, reader: &mut Reader<'_>) {
    let gives = |layer: &&Layer<'_>| layer.keys.gso_by_rtt == Some(false);
    let given = layers.iter().rev().find(gives);
    if let Some(Layer { path, .. }) = given
        && config.profile == Profile::Linux
        && !config.linux.gso
    {
        let message = "there are no bursts without segmentation offload".to_owned();
        let help = "give gso = true, or leave gso_by_rtt out".to_owned();
        reader.fault_once(&format!("{path}gso_by_rtt"), message, help);
    }
}

/// The payload, given by payload or by packet_size minus the header.
fn packet_size(layers: &[Layer<'_>], config: &mut Config, reader: &mut Reader<'_>) {
    let says = |keys: &TcpKeys| keys.packet_size.is_some() || keys.payload.is_some();
    let Some(Layer { keys, path }) = layers.iter().rev().find(|layer| says(layer.keys)) else {
        return;
    };
    let (size, header) = match (keys.packet_size, keys.payload) {
        (Some(_), Some(_)) => return exclude(path, ["packet_size", "payload"], reader),
        (None, Some(payload)) => return config.payload = payload,
        (Some(size), None) => (size, config.header),
        (None, None) => return,
    };
    match size.0.checked_sub(header.0).filter(|n| *n > 0) {
        Some(payload) => config.payload = Bytes(payload),
        None => {
            let message =
                format!("a packet of {size} carries nothing beside its header of {header}");
            let help = "give a larger packet, or header = \"0B\"";
            reader.fault_once(&format!("{path}packet_size"), message, help.to_owned());
        }
    }
}

/// The load of a connection whose keys are only those of its data.
pub(crate) fn load_of(keys: &TcpKeys, reader: &mut Reader<'_>) -> (Load, Option<Arrivals>) {
    load(&[Layer { keys, path: "" }], reader)
}

fn load(layers: &[Layer<'_>], reader: &mut Reader<'_>) -> (Load, Option<Arrivals>) {
    let says = |keys: &TcpKeys| keys.transfer.is_some() || keys.transfers.is_some();
    let Some(Layer { keys, path }) = layers.iter().rev().find(|layer| says(layer.keys)) else {
        return (Load::Endless, None);
    };
    if keys.transfer.is_some() && keys.transfers.is_some() {
        exclude(path, ["transfer", "transfers"], reader);
    }
    if let Some(transfers) = &keys.transfers {
        let load = transfers.load(&format!("{path}transfers."), reader);
        return (load, transfers.arrivals.clone());
    }
    let load = match keys.transfer.unwrap_or(Capacity::Unlimited) {
        Capacity::Unlimited => Load::Endless,
        Capacity::Bytes(bytes) => Load::Once(Amount::Bytes(bytes)),
        // Values beyond the numbers of a flow are clamped to the maximum.
        Capacity::Packets(n) => Load::Once(Amount::Packets(u32::try_from(n).unwrap_or(u32::MAX))),
    };
    (load, None)
}
