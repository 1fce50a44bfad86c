//! The columns of a table, and the one declaration that makes rows and columns.

use std::borrow::Cow;
use std::sync::Arc;

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// True or false.
    Bool,
    /// An unsigned byte.
    U8,
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
    /// A float of 64 bits.
    F64,
    /// UTF-8 text.
    Text,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name of the column, including the unit.
    pub name: &'static str,
    /// Type of the column's values.
    pub kind: ColumnType,
    /// True if a value may be missing.
    pub nullable: bool,
    /// Unit: "ps", "byte", "bit/s"...; empty for a plain number, an id or a string.
    pub unit: &'static str,
    /// Meaning of the column's values.
    pub doc: &'static str,
}

/// A table: the name of its file, and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Name of the file without its extension.
    pub table: &'static str,
    /// Columns of the table, in order.
    pub columns: &'static [Column],
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A missing value, in a column that allows it.
    Null,
    /// A value of type [`ColumnType::Bool`].
    Bool(bool),
    /// A value of type [`ColumnType::U8`].
    U8(u8),
    /// A value of type [`ColumnType::U32`].
    U32(u32),
    /// A value of type [`ColumnType::U64`].
    U64(u64),
    /// A value of type [`ColumnType::F64`].
    F64(f64),
    /// A value of type [`ColumnType::Text`].
    Text(&'a str),
}

impl Value<'_> {
    /// Type of the column it belongs in; `None` for a missing value.
    pub fn kind(&self) -> Option<ColumnType> {
        Some(match self {
            Value::Null => return None,
            Value::Bool(_) => ColumnType::Bool,
            Value::U8(_) => ColumnType::U8,
            Value::U32(_) => ColumnType::U32,
            Value::U64(_) => ColumnType::U64,
            Value::F64(_) => ColumnType::F64,
            Value::Text(_) => ColumnType::Text,
        })
    }
}

/// A row of a table.
pub trait Row {
    /// Columns of the table.
    const SCHEMA: Schema;

    /// Visits the values in the order of the columns.
    fn for_each_value<'a>(&'a self, visit: impl FnMut(Value<'a>));

    /// Visits the columns of several rows in their order.
    fn for_each_column<'a>(rows: &'a [Self], visitor: &mut impl VisitColumns<'a>)
    where
        Self: Sized;
}

/// Takes rows column by column.
pub trait VisitColumns<'a> {
    /// Takes the values of the next column, one per row.
    fn visit(&mut self, values: impl ExactSizeIterator<Item = Value<'a>> + Clone);
}

/// A type of fields that can be columns.
pub trait Field {
    /// The type of the column.
    const KIND: ColumnType;
    /// True if a value may be missing.
    const NULLABLE: bool = false;
    /// The value of a field.
    fn value(&self) -> Value<'_>;
}

macro_rules! plain_fields {
    ($($field:ty => $variant:ident),*) => { $(
        impl Field for $field {
            const KIND: ColumnType = ColumnType::$variant;
            #[inline]
            fn value(&self) -> Value<'_> {
                Value::$variant(*self)
            }
        }
    )* };
}

plain_fields!(bool => Bool, u8 => U8, u32 => U32, u64 => U64, f64 => F64);

macro_rules! texts {
    ($($field:ty),*) => { $(
        impl Field for $field {
            const KIND: ColumnType = ColumnType::Text;
            fn value(&self) -> Value<'_> {
                Value::Text(self)
            }
        }
    )* };
}

texts!(Arc<str>, String, &str, Cow<'_, str>);

impl<T: Field> Field for Option<T> {
    const KIND: ColumnType = T::KIND;
    const NULLABLE: bool = true;
    #[inline]
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::value)
    }
}

/// Declares a row: `name: type, unit, documentation;` for each column.
#[macro_export]
macro_rules! row {
    (
        $(#[$meta:meta])*
        $row:ident $(<$life:lifetime>)? in $table:literal {
            $( $field:ident: $type:ty, $unit:literal, $doc:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $row $(<$life>)? {
            $( #[doc = $doc] pub $field: $type, )*
        }

        impl $(<$life>)? $crate::record::Row for $row $(<$life>)? {
            const SCHEMA: $crate::record::Schema = $crate::record::Schema {
                table: $table,
                columns: &[ $( $crate::record::Column {
                    name: stringify!($field),
                    kind: <$type as $crate::record::Field>::KIND,
                    nullable: <$type as $crate::record::Field>::NULLABLE,
                    unit: $unit,
                    doc: $doc,
                } ),* ],
            };

            #[inline]
            fn for_each_value<'v>(&'v self, mut visit: impl FnMut($crate::record::Value<'v>)) {
                $( visit($crate::record::Field::value(&self.$field)); )*
            }

            fn for_each_column<'v>(
                rows: &'v [Self],
                visitor: &mut impl $crate::record::VisitColumns<'v>,
            ) {
                $( visitor.visit(
                    rows.iter().map(|row| $crate::record::Field::value(&row.$field)),
                ); )*
            }
        }
    };
}
