//! Rows of `ends.parquet`: numbers that senders other than TCP declare.

use std::cell::RefCell;
use std::rc::Rc;

use pacesim_tables::{TableError, TableReader};

use crate::trace::error::TraceError;
use crate::trace::folder::{Recording, What};
use crate::trace::in_time::{Groups, InTime};
use crate::trace::packets::{integers, least, places};
use crate::trace::senders::reals;

/// A number of a sender that has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberRow {
    /// The time.
    pub t_ps: u64,
    /// The number of the flow.
    pub flow_id: u32,
    /// The name that its transport declares.
    pub name: Rc<str>,
    /// The value from then on.
    pub value: Option<f64>,
}

/// The table with the places of its columns, and the names met so far.
struct NumberTable {
    table: TableReader,
    places: [usize; COLUMNS.len()],
    names: RefCell<Vec<Rc<str>>>,
}

const COLUMNS: [&str; 4] = ["t_ps", "flow_id", "name", "value"];

impl NumberTable {
    fn open(recording: &Recording) -> Result<NumberTable, TraceError> {
        let table = recording.table(What::Ends)?;
        let places = places(recording, What::Ends, &table, COLUMNS)?;
        Ok(NumberTable {
            table,
            places,
            names: RefCell::default(),
        })
    }

    /// Visits the rows of a group.
    fn for_each(&self, group: usize, mut visit: impl FnMut(NumberRow)) -> Result<(), TableError> {
        let read = |place: usize| self.table.values(group, self.places[place]);
        let (t, flow, value) = (integers(read(0)?), integers(read(1)?), reals(read(3)?));
        let names = self
            .table
            .texts(group, self.places[2], |text| self.name(text))?;
        for (row, name) in names.into_iter().enumerate() {
            visit(NumberRow {
                t_ps: t[row].unwrap_or(0) as u64,
                flow_id: flow[row].unwrap_or(0) as u32,
                name: name.unwrap_or_else(|| Rc::from("")),
                value: value[row],
            });
        }
        Ok(())
    }

    fn name(&self, text: &[u8]) -> Rc<str> {
        let mut names = self.names.borrow_mut();
        if let Some(known) = names.iter().find(|name| name.as_bytes() == text) {
            return known.clone();
        }
        let name: Rc<str> = Rc::from(String::from_utf8_lossy(text));
        names.push(name.clone());
        name
    }
}

impl Groups for NumberTable {
    type Row = NumberRow;

    fn count(&self) -> usize {
        self.table.groups()
    }

    fn least(&self, group: usize) -> Result<u64, TraceError> {
        Ok(least(&self.table, group, self.places[0])?)
    }

    fn read(&mut self, group: usize, to: &mut Vec<NumberRow>) -> Result<(), TraceError> {
        Ok(self.for_each(group, |row| to.push(row))?)
    }

    fn times(&self, row: &NumberRow, mut visit: impl FnMut(u64, u8)) {
        visit(row.t_ps, 0);
    }
}

/// The changes of numbers in order of time; none if they were not recorded.
pub(crate) struct Numbers(Option<InTime<NumberTable>>);

impl Numbers {
    /// Visits the next changes up to this time.
    pub(crate) fn for_each_until<V>(&mut self, t_ps: u64, mut visit: V) -> Result<(), TraceError>
    where
        V: FnMut(&NumberRow) -> Result<(), TraceError>,
    {
        match &mut self.0 {
            Some(rows) => rows.for_each_until(t_ps, |_, _, row| visit(row)),
            None => Ok(()),
        }
    }
}

impl Recording {
    /// Visits the recorded changes of numbers in the order of the table: for each flow that of time.
    pub fn numbers(&self, mut visit: impl FnMut(NumberRow)) -> Result<(), TraceError> {
        let table = NumberTable::open(self)?;
        for group in 0..table.count() {
            table.for_each(group, &mut visit)?;
        }
        Ok(())
    }

    pub(crate) fn numbers_in_time(&self) -> Result<Numbers, TraceError> {
        let open = || InTime::new(NumberTable::open(self)?);
        let rows = self.has(What::Ends).then(open).transpose()?;
        Ok(Numbers(rows))
    }
}
