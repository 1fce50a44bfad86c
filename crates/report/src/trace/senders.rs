//! Rows of `tcp.parquet`.

use pacesim_tables::{TableError, TableReader, Values};

use crate::trace::error::TraceError;
use crate::trace::folder::{Recording, What};
use crate::trace::packets::{integers, least, places};

/// An event of a TCP sender, and its state after it: the columns of `tcp.parquet` that reports use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenderRow {
    /// The time.
    pub t_ps: u64,
    /// The number of the flow.
    pub flow_id: u32,
    /// The event: window, timeout, fast_retransmit, recovered or rtt.
    pub event: &'static str,
    /// The reason of a change of the window.
    pub reason: &'static str,
    /// The congestion window.
    pub cwnd_pkts: f64,
    /// The window at which slow start ends.
    pub ssthresh_pkts: Option<f64>,
    /// The smoothed round trip.
    pub srtt_s: Option<f64>,
    /// The current time-out.
    pub rto_s: f64,
    /// Packets sent and not cumulatively acknowledged.
    pub in_flight_pkts: u32,
    /// The state: open or recovery.
    pub state: &'static str,
    /// The current limit on sending: data, window, congestion or pacing.
    pub limited_by: &'static str,
    /// The minimum round trip, for profile linux.
    pub min_rtt_s: Option<f64>,
    /// The pacing rate of BBR: its bandwidth times its gain.
    pub pacing_bps: Option<f64>,
}

/// The table with the places of its columns.
pub(crate) struct SenderTable {
    pub(crate) table: TableReader,
    places: [usize; COLUMNS.len()],
}

const COLUMNS: [&str; 14] = [
    "t_ps",
    "flow_id",
    "event",
    "reason",
    "cwnd_pkts",
    "ssthresh_pkts",
    "srtt_s",
    "rto_s",
    "in_flight_pkts",
    "state",
    "limited_by",
    "min_rtt_s",
    "bbr_bandwidth_bps",
    "bbr_pacing_gain",
];

/// The words of the table, so that rows need no allocated strings.
const WORDS: [&str; 16] = [
    "",
    "window",
    "timeout",
    "fast_retransmit",
    "recovered",
    "rtt",
    "opened",
    "growth",
    "partial_ack",
    "idle",
    "open",
    "recovery",
    "data",
    "congestion",
    "pacing",
    "other",
];

impl SenderTable {
    pub(crate) fn open(recording: &Recording) -> Result<SenderTable, TraceError> {
        let table = recording.table(What::Senders)?;
        let places = places(recording, What::Senders, &table, COLUMNS)?;
        Ok(SenderTable { table, places })
    }

    /// The least time in a row group.
    pub(crate) fn least(&self, group: usize) -> Result<u64, TableError> {
        least(&self.table, group, self.places[0])
    }

    /// Visits the rows of a group.
    pub(crate) fn for_each(
        &self,
        group: usize,
        mut visit: impl FnMut(SenderRow),
    ) -> Result<(), TableError> {
        let read = |place: usize| self.table.values(group, self.places[place]);
        let (t, flow, in_flight) = (integers(read(0)?), integers(read(1)?), integers(read(8)?));
        let texts = |place: usize| self.table.texts(group, self.places[place], word);
        let (event, reason, state, limit) = (texts(2)?, texts(3)?, texts(9)?, texts(10)?);
        let (cwnd, ssthresh) = (reals(read(4)?), reals(read(5)?));
        let (srtt, rto) = (reals(read(6)?), reals(read(7)?));
        let least = reals(read(11)?);
        let (bandwidth, gain) = (reals(read(12)?), reals(read(13)?));
        for row in 0..t.len() {
            visit(SenderRow {
                t_ps: t[row].unwrap_or(0) as u64,
                flow_id: flow[row].unwrap_or(0) as u32,
                event: event[row].unwrap_or(""),
                reason: reason[row].unwrap_or(""),
                cwnd_pkts: cwnd[row].unwrap_or(0.0),
                ssthresh_pkts: ssthresh[row],
                srtt_s: srtt[row],
                rto_s: rto[row].unwrap_or(0.0),
                in_flight_pkts: in_flight[row].unwrap_or(0) as u32,
                state: state[row].unwrap_or(""),
                limited_by: limit[row].unwrap_or(""),
                min_rtt_s: least[row],
                pacing_bps: bandwidth[row].zip(gain[row]).map(|(of, by)| of * by),
            });
        }
        Ok(())
    }
}

impl Recording {
    /// Visits the recorded events of senders in the order of the table.
    pub fn senders(&self, mut visit: impl FnMut(SenderRow)) -> Result<(), TraceError> {
        let senders = SenderTable::open(self)?;
        for group in 0..senders.table.groups() {
            senders.for_each(group, &mut visit)?;
        }
        Ok(())
    }
}

pub(crate) fn reals(values: Values) -> Vec<Option<f64>> {
    match values {
        Values::Reals(values) => values,
        Values::Integers(values) => values.iter().map(|n| n.map(|n| n as f64)).collect(),
        Values::Texts(values) => vec![None; values.len()],
    }
}

/// A word of the table; an unknown one of a later version is "other".
fn word(text: &[u8]) -> &'static str {
    let known = WORDS.iter().find(|word| word.as_bytes() == text);
    known.copied().unwrap_or("other")
}
