//! Rows of `packets.parquet`.

use pacesim_measure::record::PacketRow;
use pacesim_tables::{Strip, TableError, TableReader, Values};

use crate::trace::error::TraceError;
use crate::trace::folder::{Recording, What};

/// The table with the places of its columns.
pub(crate) struct PacketTable {
    pub(crate) table: TableReader,
    places: [usize; COLUMNS.len()],
    /// Missing in recordings of older versions.
    ecn: Option<usize>,
}

const COLUMNS: [&str; 11] = [
    "t_ps",
    "release_ps",
    "departure_ps",
    "link_id",
    "flow_id",
    "seq",
    "size_bytes",
    "kind",
    "outcome",
    "retransmission",
    "repaired",
];

/// The places of these columns, or the name of one that is missing.
pub(crate) fn places<const N: usize>(
    recording: &Recording,
    what: What,
    table: &TableReader,
    columns: [&str; N],
) -> Result<[usize; N], TraceError> {
    let names = table.column_names();
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        let found = names.iter().position(|name| name == column);
        *place = found.ok_or_else(|| TraceError::Damaged {
            path: recording.folder.clone(),
            why: format!("{what:?} lack the column {column}"),
        })?;
    }
    Ok(places)
}

impl PacketTable {
    pub(crate) fn open(recording: &Recording) -> Result<PacketTable, TraceError> {
        let table = recording.table(What::Packets)?;
        let places = places(recording, What::Packets, &table, COLUMNS)?;
        let ecn = table.column_names().iter().position(|name| name == "ecn");
        Ok(PacketTable { table, places, ecn })
    }

    /// The least arrival in a row group.
    pub(crate) fn least(&self, group: usize) -> Result<u64, TableError> {
        least(&self.table, group, self.places[0])
    }

    /// Visits the rows of a group.
    pub(crate) fn for_each(
        &self,
        group: usize,
        strip: &mut Strip,
        mut visit: impl FnMut(PacketRow),
    ) -> Result<(), TableError> {
        let mut places = self.places.to_vec();
        places.extend(self.ecn);
        self.table.for_each_strip(group, &places, strip, |columns| {
            let known = columns.first_chunk().expect("as many as asked for");
            let [
                t,
                release,
                departure,
                link,
                flow,
                seq,
                size,
                kind,
                outcome,
                again,
                repaired,
            ] = known;
            let ecn = columns.get(COLUMNS.len());
            let at = |values: &[Option<i64>], row: usize| values[row].unwrap_or(0) as u64;
            for row in 0..t.len() {
                visit(PacketRow {
                    t_ps: at(t, row),
                    release_ps: release[row].map(|t| t as u64),
                    departure_ps: departure[row].map(|t| t as u64),
                    link_id: at(link, row) as u32,
                    flow_id: at(flow, row) as u32,
                    seq: at(seq, row),
                    size_bytes: at(size, row) as u32,
                    kind: at(kind, row) as u8,
                    outcome: at(outcome, row) as u8,
                    retransmission: at(again, row) == 1,
                    repaired: at(repaired, row) == 1,
                    ecn: ecn.map_or(0, |ecn| at(ecn, row) as u8),
                });
            }
        })
    }
}

impl Recording {
    /// An error that names the key, unless packets were recorded.
    pub fn require_packets(&self) -> Result<(), TraceError> {
        PacketTable::open(self).map(|_| ())
    }

    /// Visits the recorded packets in the order of the table, which is that of their known fates.
    pub fn packets(&self, mut visit: impl FnMut(PacketRow)) -> Result<(), TraceError> {
        let packets = PacketTable::open(self)?;
        let mut strip = Strip::default();
        for group in 0..packets.table.groups() {
            packets.for_each(group, &mut strip, &mut visit)?;
        }
        Ok(())
    }
}

pub(crate) fn integers(values: Values) -> Vec<Option<i64>> {
    match values {
        Values::Integers(values) => values,
        // A column of another type has no such numbers.
        Values::Reals(values) => vec![None; values.len()],
        Values::Texts(values) => vec![None; values.len()],
    }
}

pub(crate) fn least(table: &TableReader, group: usize, place: usize) -> Result<u64, TableError> {
    if let Some(least) = table.least(group, place) {
        return Ok(least as u64);
    }
    Ok(match table.values(group, place)? {
        Values::Integers(values) => values.iter().flatten().min().map_or(0, |t| *t as u64),
        _ => 0,
    })
}
