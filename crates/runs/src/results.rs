//! The files of one results folder.

use pacesim::measure::record::{EndRow, PacketRow, Row, SeriesRow, TcpRow, TransferRow};
use pacesim::model::Model;
use pacesim_tables::{TableError, TableWriter};

use crate::copies;
use crate::folder::{Contents, FolderError, file_of};
use crate::input::Input;
use crate::manifest::{Manifest, SCHEMA_VERSION, TableSize};
use crate::packets::PacketLog;
use crate::plan::Plan;
use crate::series::Series;
use crate::summary::Summary;

/// The results of one run, in a folder being filled.
pub(crate) struct Results<'a> {
    folder: &'a Contents,
    digest: String,
    /// Notes in the footer of every table.
    notes: Vec<(&'static str, String)>,
    tables: Vec<TableSize>,
}

impl Results<'_> {
    /// Starts with the resolved scenario and its files.
    pub(crate) fn begin<'a>(
        folder: &'a Contents,
        input: &Input,
        model: &Model,
    ) -> Result<Results<'a>, FolderError> {
        let digest = copies::keep(folder, input, model.seed)?;
        let notes = vec![
            ("scenario_digest", digest.clone()),
            ("seed", model.seed.to_string()),
            ("replication", model.replication.to_string()),
            ("version", crate::VERSION.to_owned()),
            ("schema_version", SCHEMA_VERSION.to_string()),
        ];
        Ok(Results {
            folder,
            digest,
            notes,
            tables: Vec::new(),
        })
    }

    /// Creates a table to be filled.
    pub(crate) fn table<R: Row>(&self) -> Result<TableWriter<R>, TableError> {
        self.folder.table(&self.notes)
    }

    /// A log of packets, if the scenario requests one.
    pub(crate) fn packets(&self, model: &Model) -> Result<Option<PacketLog>, TableError> {
        let log = |filter| Ok(PacketLog::new(model, filter, self.table()?));
        model.output.packets.as_ref().map(log).transpose()
    }

    /// Creates a time series, if the scenario requests one.
    pub(crate) fn series(&self, model: &Model) -> Result<Option<Series>, TableError> {
        let series = |filter| Ok(Series::new(model, filter, self.table()?));
        model.output.series.as_ref().map(series).transpose()
    }

    /// A log of TCP senders, if the scenario requests one.
    pub(crate) fn tcp(&self, model: &Model) -> Result<Option<TableWriter<TcpRow>>, TableError> {
        let table = |_| self.table();
        model.output.tcp.as_ref().map(table).transpose()
    }

    /// A log of senders that are not TCP, if the scenario requests one.
    pub(crate) fn ends(&self, model: &Model) -> Result<Option<TableWriter<EndRow>>, TableError> {
        let table = |_| self.table();
        model.output.ends.as_ref().map(table).transpose()
    }

    /// Writes a whole table.
    pub(crate) fn write<R: Row>(&mut self, rows: &[R]) -> Result<(), TableError> {
        let mut table = self.table()?;
        table.extend(rows)?;
        let rows = table.finish()?;
        self.note_table::<R>(rows);
        Ok(())
    }

    /// Completes the table of transfers.
    pub(crate) fn close_transfers(
        &mut self,
        table: Option<TableWriter<TransferRow>>,
    ) -> Result<(), TableError> {
        match table {
            Some(table) => self.note_table::<TransferRow>(table.finish()?),
            None => self.write::<TransferRow>(&[])?,
        }
        Ok(())
    }

    /// Completes the time series, or writes an empty one.
    pub(crate) fn close_series(&mut self, series: Option<Series>) -> Result<(), TableError> {
        match series {
            Some(series) => self.note_table::<SeriesRow>(series.finish()?),
            None => self.write::<SeriesRow>(&[])?,
        }
        Ok(())
    }

    /// Completes a table that only some scenarios request.
    pub(crate) fn close<R: Row>(
        &mut self,
        table: Option<TableWriter<R>>,
    ) -> Result<(), TableError> {
        if let Some(table) = table {
            let rows = table.finish()?;
            self.note_table::<R>(rows);
        }
        Ok(())
    }

    /// Completes the packet log, if any.
    pub(crate) fn close_packets(&mut self, log: Option<PacketLog>) -> Result<(), TableError> {
        if let Some(log) = log {
            let rows = log.finish()?;
            self.note_table::<PacketRow>(rows);
        }
        Ok(())
    }

    /// Writes the remaining files.
    pub(crate) fn complete(
        self,
        summary: &Summary,
        plan: &Plan<'_>,
        host: crate::manifest::Host,
    ) -> Result<(), FolderError> {
        self.folder.write("summary.json", &summary.to_json())?;
        let manifest = Manifest::new(summary, &self.digest, plan.command, host, self.tables);
        self.folder.write_manifest(&manifest)
    }

    fn note_table<R: Row>(&mut self, rows: u64) {
        let file = file_of::<R>();
        self.tables.push(TableSize { file, rows });
    }
}
