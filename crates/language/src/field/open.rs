//! Values that the declarations leave open: any value, and tables whose keys the user chooses.

use std::marker::PhantomData;

use super::{Field, Reader, Written};
use crate::form::Form;
use crate::tree::Item;

/// Any value, as in the text; its reader interprets it.
pub struct Anything;

impl Field for Anything {
    type Value = Item;
    const FORM: &'static Form = &Form::Any;

    fn read(item: &Item, _: &mut Reader<'_>) -> Option<Item> {
        Some(item.clone())
    }

    fn write(value: &Item) -> Option<Written> {
        Some(Written::Plain(value.value.to_string()))
    }
}

/// A table whose keys the user chooses, in the order of the text.
pub struct MapOf<F>(PhantomData<F>);

impl<F: Field> Field for MapOf<F> {
    type Value = Vec<(String, F::Value)>;
    const FORM: &'static Form = &Form::Map(F::FORM);

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Vec<(String, F::Value)>> {
        let entries = item.table()?.entries.iter();
        let read = entries.map(|entry| {
            let value = reader.within(&entry.key, |reader| F::read(&entry.item, reader));
            let value = value.or_else(F::stand_in);
            Some((entry.key.clone(), value?))
        });
        read.collect()
    }

    fn write(value: &Vec<(String, F::Value)>) -> Option<Written> {
        let entry = |(key, value): &(String, F::Value)| {
            let key = Written::text(key);
            Some(format!("{key} = {}", F::write(value)?))
        };
        let entries: Vec<String> = value.iter().filter_map(entry).collect();
        Some(Written::Plain(format!("{{ {} }}", entries.join(", "))))
    }

    fn stand_in() -> Option<Vec<(String, F::Value)>> {
        Some(Vec::new())
    }
}

/// A field of exactly two values.
pub struct PairOf<F>(PhantomData<F>);

impl<F: Field> Field for PairOf<F> {
    type Value = (F::Value, F::Value);
    const FORM: &'static Form = &Form::Pair(F::FORM);

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<(F::Value, F::Value)> {
        match item.list()? {
            [first, second] => Some((F::read(first, reader)?, F::read(second, reader)?)),
            _ => None,
        }
    }

    fn write((first, second): &(F::Value, F::Value)) -> Option<Written> {
        Some(Written::List(vec![F::write(first)?, F::write(second)?]))
    }
}
