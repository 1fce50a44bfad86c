//! Plain values: quantities, numbers, strings, names and references.

use std::fmt::Display;
use std::marker::PhantomData;

use pacesim_units::{Bytes, Capacity, Quantity, Rate, Span, Window};

use super::{Field, Reader, Written};
use crate::form::Form;
use crate::length::Length;
use crate::names::{Members, Named, Reference};
use crate::print_length::PrintLength;
use crate::tree::Item;

/// Implements types that are strings with a special form.
macro_rules! texts {
    ($( $type:ty, $form:expr, $stand_in:expr; )*) => { $(
        impl Field for $type {
            type Value = $type;
            const FORM: &'static Form = &$form;

            fn read(item: &Item, _: &mut Reader<'_>) -> Option<$type> {
                item.parsed()
            }

            fn write(value: &$type) -> Option<Written> {
                Some(Written::text(value))
            }

            fn stand_in() -> Option<$type> {
                $stand_in
            }
        }
    )* };
}

texts! {
    Span, Form::Quantity(Quantity::Span), Some(Span::from_secs(1));
    Rate, Form::Quantity(Quantity::Rate), Some(Rate::from_mbps(1_000));
    Bytes, Form::Quantity(Quantity::Bytes), Some(Bytes(1));
    Capacity, Form::Quantity(Quantity::Capacity), Some(Capacity::Unlimited);
    Length, Form::Length, None;
    PrintLength, Form::PrintLength, None;
    String, Form::Text, Some(String::new());
}

/// Declares markers of strings with restrictions.
macro_rules! words_of_the_user {
    ($( $(#[doc = $doc:literal])+ $marker:ident, $form:expr, $is_usable:expr; )*) => { $(
        $(#[doc = $doc])+
        pub struct $marker;

        impl Field for $marker {
            type Value = String;
            const FORM: &'static Form = &$form;

            fn read(item: &Item, _: &mut Reader<'_>) -> Option<String> {
                let is_usable: fn(&str) -> bool = $is_usable;
                item.text().filter(|text| is_usable(text)).map(str::to_owned)
            }

            fn write(value: &String) -> Option<Written> {
                Some(Written::text(value))
            }

            fn stand_in() -> Option<String> {
                Some(String::new())
            }
        }
    )* };
}

words_of_the_user! {
    /// A new name; an invalid one is kept too, so that references to it are not unknown.
    Name, Form::Name, |_| true;
    /// The path of another file.
    FileName, Form::File, |text| !text.is_empty();
}

/// Declares references to named things.
macro_rules! references {
    ($( $(#[doc = $doc:literal])+ $marker:ident, $named:expr; )*) => { $(
        $(#[doc = $doc])+
        pub struct $marker;

        impl Field for $marker {
            type Value = Reference;
            const FORM: &'static Form = &Form::Reference($named);

            fn read(item: &Item, _: &mut Reader<'_>) -> Option<Reference> {
                Reference::parse(item.text()?, $named).ok()
            }

            fn write(value: &Reference) -> Option<Written> {
                Some(Written::text(value))
            }

            /// The nameless group, to which nothing else refers.
            fn stand_in() -> Option<Reference> {
                Some(Reference { group: String::new(), members: Members::All })
            }
        }
    )* };
}

references! {
    /// Some nodes.
    NodeRef, Named::Nodes;
    /// Some links.
    LinkRef, Named::Links;
    /// Some flows.
    FlowRef, Named::Flows;
}

impl Field for bool {
    type Value = bool;
    const FORM: &'static Form = &Form::Flag;

    fn read(item: &Item, _: &mut Reader<'_>) -> Option<bool> {
        item.flag()
    }

    fn write(value: &bool) -> Option<Written> {
        Some(Written::Plain(value.to_string()))
    }
}

/// true, false or a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlagOr<T> {
    /// True or false.
    Flag(bool),
    /// The quantity.
    Value(T),
}

impl Field for FlagOr<Span> {
    type Value = FlagOr<Span>;
    const FORM: &'static Form = &Form::FlagOr(Quantity::Span);

    fn read(item: &Item, _: &mut Reader<'_>) -> Option<FlagOr<Span>> {
        let flag = item.flag().map(FlagOr::Flag);
        flag.or_else(|| item.parsed().map(FlagOr::Value))
    }

    fn write(value: &FlagOr<Span>) -> Option<Written> {
        Some(match value {
            FlagOr::Flag(flag) => Written::Plain(flag.to_string()),
            FlagOr::Value(span) => Written::text(span),
        })
    }
}

/// An integer from `LEAST` to `MOST`.
pub struct Whole<N, const LEAST: u64, const MOST: u64>(PhantomData<N>);

/// A number of things, or an ordinal.
pub type Count = Whole<u32, 1, { u32::MAX as u64 }>;

impl<N, const LEAST: u64, const MOST: u64> Field for Whole<N, LEAST, MOST>
where
    N: TryFrom<i128> + Display,
{
    type Value = N;
    const FORM: &'static Form = &Form::Count {
        least: LEAST,
        most: MOST,
    };

    fn read(item: &Item, _: &mut Reader<'_>) -> Option<N> {
        let legal = i128::from(LEAST)..=i128::from(MOST);
        N::try_from(item.integer().filter(|n| legal.contains(n))?).ok()
    }

    fn write(value: &N) -> Option<Written> {
        Some(Written::Plain(value.to_string()))
    }
}

/// Declares markers of numbers within a range.
macro_rules! numbers {
    ($( $(#[doc = $doc:literal])+ $marker:ident, $low:expr, $high:expr; )*) => { $(
        $(#[doc = $doc])+
        pub struct $marker;

        impl Field for $marker {
            type Value = f64;
            const FORM: &'static Form = &Form::Number { low: $low, high: $high };

            fn read(item: &Item, _: &mut Reader<'_>) -> Option<f64> {
                let x = item.value.number();
                (x.is_finite() && x >= $low && x <= $high).then_some(x)
            }

            /// Written so that TOML reads it as a float again.
            fn write(value: &f64) -> Option<Written> {
                Some(Written::Plain(format!("{value:?}")))
            }
        }
    )* };
}

numbers! {
    /// A probability or a share.
    Probability, 0.0, 1.0;
    /// Any finite number: the limits of a distribution are checked with it.
    Number, f64::NEG_INFINITY, f64::INFINITY;
}

/// A window, in packets and fractions of packets.
pub struct Packets;

impl Field for Packets {
    type Value = f64;
    const FORM: &'static Form = &Form::Quantity(Quantity::Window);

    fn read(item: &Item, _: &mut Reader<'_>) -> Option<f64> {
        item.parsed().map(Window::packets)
    }

    fn write(value: &f64) -> Option<Written> {
        Some(Written::text(Window::of_packets(*value)))
    }
}
