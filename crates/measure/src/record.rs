//! Rows of results as plain data, and the columns of their tables.
//!
//! Each row is declared once, by [`row!`](crate::row), which gives the struct, its documentation
//! and its [`Schema`]; a file therefore has the right columns even when empty, and they cannot
//! drift from the fields. A writer of files walks the schema for the columns and
//! [`Row::for_each_value`] for the values, in the same order.
//!
//! ```
//! use pacesim_measure::record::{Row, SeriesRow, Value};
//!
//! let names: Vec<_> = SeriesRow::SCHEMA.columns.iter().map(|column| column.name).collect();
//! assert_eq!(names, ["t_ps", "of", "entity", "metric", "value"]);
//!
//! let row = SeriesRow { t_ps: 5, of: "link", entity: "bottleneck".into(), metric: "queue_pkts", value: 3.0 };
//! let mut values = Vec::new();
//! row.for_each_value(|value| values.push(value));
//! assert_eq!(values[2], Value::Text("bottleneck"));
//! ```

mod end;
mod fec;
mod flow;
mod link;
mod live;
mod packet;
mod schema;
mod series;
mod tcp;
mod transfer;

pub use end::EndRow;
pub use fec::FecRow;
pub use flow::FlowRow;
pub use link::LinkRow;
pub use live::LiveRow;
pub use packet::{PacketKind, PacketOutcome, PacketRow};
pub use schema::{Column, ColumnType, Field, Row, Schema, Value, VisitColumns};
pub use series::SeriesRow;
pub use tcp::TcpRow;
pub use transfer::TransferRow;

/// All tables of a results folder.
pub const SCHEMAS: [Schema; 9] = [
    FlowRow::SCHEMA,
    LinkRow::SCHEMA,
    TransferRow::SCHEMA,
    SeriesRow::SCHEMA,
    PacketRow::SCHEMA,
    TcpRow::SCHEMA,
    EndRow::SCHEMA,
    FecRow::SCHEMA,
    LiveRow::SCHEMA,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds_of<R: Row>(row: &R) -> Vec<Option<ColumnType>> {
        let mut kinds = Vec::new();
        row.for_each_value(|value| kinds.push(value.kind()));
        kinds
    }

    fn values_fit_columns<R: Row + Default>() {
        let kinds = kinds_of(&R::default());
        assert_eq!(kinds.len(), R::SCHEMA.columns.len());
        for (kind, column) in kinds.into_iter().zip(R::SCHEMA.columns) {
            let null_or_right = kind.map_or(column.nullable, |kind| kind == column.kind);
            assert!(null_or_right, "{} of {}", column.name, R::SCHEMA.table);
        }
    }

    #[test]
    fn values_come_in_the_order_and_type_of_the_columns() {
        values_fit_columns::<FlowRow>();
        values_fit_columns::<LinkRow>();
        values_fit_columns::<TransferRow>();
        values_fit_columns::<EndRow>();
        values_fit_columns::<SeriesRow>();
        values_fit_columns::<PacketRow>();
        values_fit_columns::<TcpRow>();
        values_fit_columns::<FecRow>();
        values_fit_columns::<LiveRow>();
    }

    #[test]
    fn column_names_are_unique_and_carry_their_unit() {
        for schema in SCHEMAS {
            for (i, column) in schema.columns.iter().enumerate() {
                let earlier = &schema.columns[..i];
                let is_new = earlier.iter().all(|other| other.name != column.name);
                assert!(is_new, "{} twice", column.name);
                let in_name = match column.unit {
                    "bit/s" => "_bps",
                    "byte" => "bytes",
                    "packet" => "pkts",
                    "ps" => "_ps",
                    "s" => "_s",
                    _ => "",
                };
                assert!(
                    column.name.contains(in_name),
                    "{} in {}",
                    column.name,
                    column.unit
                );
                assert!(column.doc.ends_with('.'), "{} is documented", column.name);
            }
        }
    }

    #[test]
    fn a_missing_value_is_null() {
        let row = PacketRow::default();
        let mut values = Vec::new();
        row.for_each_value(|value| values.push(value));
        assert_eq!(values[1], Value::Null);
    }
}
