//! The three macros that declare a language: [`table!`] for the keys of a table, [`cases!`] for a
//! table that is one of several, [`words!`] for a closed list of words. One declaration generates
//! the Rust type with its documentation, the row of the table of keys (and from that messages,
//! schema and reference), the reader and the writer.
//!
//! A key is one line:
//!
//! ```text
//! warmup: Span, (= "0s"), "How long before statistics start.", "10s";
//! ```
//!
//! - `warmup`: the field, and the key; `nodes "node": ...` where they differ;
//! - `Span`: the type of the field, a [`Field`](crate::field::Field). `f64 as Probability` if the
//!   key is narrower than the type: the field is an `f64`, the key takes a probability;
//! - `(= "0s")`: the default, as `--set` would give it. A key without a default is required,
//!   or optional where the type says so (`Option`). `(else EXPRESSION)`: required, with a
//!   stand-in for it while the rest of a faulty scenario is checked, if the type's own
//!   stand-in would cause further complaints;
//! - the meaning, a sentence; and a valid example.
//!
//! A line without an example, `queue: Queue, "The queue.";`, is no key: it includes all keys of
//! that table in this one (`queue: Queue as QueueKeys`: of another table that reads a queue).

/// Declares the keys of a table, and the struct that holds them.
///
/// ```text
/// table! {
///     /// How long to run, and how.
///     pub struct Run "run" derive(Copy, Eq) {
///         duration: Span, "The simulated time.", "60s";
///         seed: u64 as Seed, (= "1"), "The seed of all random streams.", "1";
///     }
/// }
/// ```
///
/// `for PlugIn as PlugInKeys "plug_in" { ... }` instead of `pub struct ...` declares the keys of a
/// struct that is defined elsewhere, under a marker of this name; all its fields must be listed.
#[macro_export]
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        for $name:ident as $marker:ident $tag:literal {
            $( $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal $( , $example:expr )? ; )*
        }
    ) => {
        $(#[doc = $about])+
        struct $marker;

        $crate::table! {
            $(#[doc = $about])+
            @keys $name $marker $tag {
                $( $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )? ; )*
            }
        }
    };
    (
        $(#[doc = $about:literal])+
        @keys $name:ident $marker:ident $tag:literal {
            $( $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal $( , $example:expr )? ; )*
        }
    ) => {
        const _: () = {
            // No imports: they would hide the user's types of the same names.
            static TABLE: $crate::form::Table = $crate::form::Table {
                name: $tag,
                doc: concat!($($about),+),
                rows: &[ $( $crate::row!(@row $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )?) ),* ],
                common: &[],
            };
            impl $crate::field::Record for $marker {
                type Value = $name;
                const TABLE: &'static $crate::form::Table = &TABLE;

                fn read_keys(table: &$crate::tree::TomlTable, reader: &mut $crate::field::Reader<'_>) -> Option<$name> {
                    Some($name {
                        $( $field: $crate::row!(@read table reader $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )?) ),*
                    })
                }

                fn write_keys(value: &$name, keys: &mut $crate::field::Keys) {
                    let $name { $( $field ),* } = value;
                    $( $crate::row!(@write keys $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )?); )*
                }
            }
        };
    };
    (
        $(#[doc = $about:literal])+
        $visible:vis struct $name:ident $tag:literal $(derive($($more:ident),+))? {
            $( $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal $( , $example:expr )? ; )*
        }
    ) => {
        $(#[doc = $about])+
        #[allow(rustdoc::broken_intra_doc_links, rustdoc::private_intra_doc_links)]
        #[derive(Clone, Debug, PartialEq $( $(, $more)+ )?)]
        $visible struct $name {
            $( #[doc = $doc] $visible $field: $type, )*
        }

        $crate::table! {
            $(#[doc = $about])+
            @keys $name $name $tag {
                $( $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )? ; )*
            }
        }
    };
}

/// Declares a table whose key, the tag, selects one of several cases, and the enum of these cases.
/// A case has keys of its own, is a table that is declared elsewhere, or has no key.
///
/// ```text
/// cases! {
///     /// What a pacer does.
///     pub enum PacerKind by "kind" with Share {
///         /// No pacing: packets pass at once.
///         None "none"
///         /// Releases at most at this rate, packet by packet.
///         LeakyBucket "leaky_bucket" {
///             rate: Rate, "The rate at which it leaks.", "5Mbps";
///         }
///         /// The convex-hull pacer of one delay class.
///         Hull "hull" (HullConfig as HullKeys)
///     }
/// }
/// ```
///
/// `with Share`: every case also has the keys of that table, which the enum does not hold.
///
/// `or Own(Own<OwnPacer>), "A pacer of the program's own."` behind the braces adds a variant for kinds
/// that the program declares, an [`OwnKinds`](crate::field::OwnKinds).
#[macro_export]
macro_rules! cases {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident by $tag:literal $(with $common:ty)? {
            $(
                $(#[doc = $meaning:literal])+
                $case:ident $word:literal
                $( { $( $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal $( , $example:expr )? ; )* } )?
                $( ( $inner:ty $(as $keys:ty)? ) )?
            )+
        }
        $( or $own:ident($of_own:ty), $own_doc:literal )?
    ) => {
        $(#[doc = $about])+
        #[allow(rustdoc::broken_intra_doc_links, rustdoc::private_intra_doc_links)]
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $(
                $(#[doc = $meaning])+
                $case $( { $( #[doc = $doc] $field: $type, )* } )? $( ($inner) )?,
            )+
            $( #[doc = $own_doc] $own($of_own), )?
        }

        const _: () = {
            use $crate::field::{Cases, Keys, Reader};
            use $crate::form::{Kinds, Row, Table};
            use $crate::tree::TomlTable;
            const COMMON: &[Row] = &[ $( Row::KeysOf(<$common as $crate::field::Record>::TABLE) )? ];
            impl Cases for $name {
                const TAG: &'static str = $tag;
                const CASES: Kinds = Kinds { own: $crate::cases!(@own COMMON $($of_own)?), declared: &[ $( {
                    static CASE: Table = Table {
                        name: $word,
                        doc: concat!($($meaning),+),
                        rows: &[
                            $( $( $crate::row!(@row $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )?) ),* )?
                            $( Row::KeysOf(<$crate::row!(@form $inner $(, $keys)?) as $crate::field::Record>::TABLE) )?
                        ],
                        common: COMMON,
                    };
                    &CASE
                } ),+ ] };

                fn read_case(case: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<$name> {
                    Some(match case {
                        $( $word => $name::$case
                            $( { $( $field: $crate::row!(@read table reader $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )?) ),* } )?
                            $( ( <$crate::row!(@form $inner $(, $keys)?) as $crate::field::Record>::read_keys(table, reader)? ) )?,
                        )+
                        _own => (None::<$name> $( .or_else(|| {
                            <$of_own as $crate::field::OwnKinds>::read_own(_own, table, reader).map($name::$own)
                        }) )?)?,
                    })
                }

                fn write_case(&self, keys: &mut Keys) {
                    match self {
                        $( $name::$case $( { $( $field ),* } )? $( ( $crate::row!(@bind inner $inner) ) )? => {
                            keys.put::<String>($tag, &$word.to_owned());
                            $( $( $crate::row!(@write keys $field $($key)? : $type $(as $form)? , $( ( $($need)+ ) , )? $doc $( , $example )?); )* )?
                            $( <$crate::row!(@form $inner $(, $keys)?) as $crate::field::Record>::write_keys(inner, keys); )?
                        } )+
                        $( $name::$own(own) => <$of_own as $crate::field::OwnKinds>::write_own(own, $tag, keys), )?
                    }
                }
            }
        };
    };
    (@own $common:ident) => { || &[] };
    (@own $common:ident $of_own:ty) => {
        || {
            static OWN: std::sync::OnceLock<Vec<Table>> = std::sync::OnceLock::new();
            OWN.get_or_init(|| $crate::field::own_tables::<$of_own>($common))
        }
    };
}

/// Declares a closed list of words, each with its meaning, and the enum of them.
///
/// ```text
/// words! {
///     /// What counts towards a buffer.
///     pub enum BufferCounts {
///         Waiting "waiting", "packets that wait, not the one being sent";
///         System "system", "packets that wait and the one being sent";
///     }
/// }
/// ```
///
/// For a type that is defined elsewhere, declares the words of a marker or of the type itself:
///
/// ```text
/// words! {
///     Phase: Phase { "on" => Phase::On, "ON"; "off" => Phase::Off, "OFF"; }
/// }
/// ```
///
/// The words may be followed by tables of one key each, whose value a variant holds: `or rate: Rate
/// => Pacing::Fixed, "At this rate.", "1Mbps";`.
#[macro_export]
macro_rules! words {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident {
            $( $case:ident $word:literal, $meaning:literal; )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $( #[doc = $meaning] $case, )+
        }

        $crate::words! { $name: $name { $( $word => $name::$case, $meaning; )+ } }
    };
    (
        $marker:ident: $value:ty { $( $word:literal => $case:expr, $meaning:literal; )+ }
        $( or $key:ident: $inner:ty => $wrap:path, $doc:literal, $example:literal; )*
    ) => {
        const _: () = {
            use $crate::field::{Field, Reader, Written};
            use $crate::form::{Form, Word};
            use $crate::tree::Item;
            const WORDS: &[Word] = &[ $( ($word, $meaning) ),+ ];
            const VALUES: &[(&str, $value)] = &[ $( ($word, $case) ),+ ];
            impl Field for $marker {
                type Value = $value;
                const FORM: &'static Form = $crate::words!(@form WORDS $(, $crate::row!(@key $key: Option<$inner>, $doc, $example))*);

                fn read(item: &Item, _reader: &mut Reader<'_>) -> Option<$value> {
                    $( if let Some(given) = item.table().and_then(|table| table.get(stringify!($key))) {
                        return <$inner as Field>::read(given, _reader).map($wrap);
                    } )*
                    let word = item.text()?;
                    VALUES.iter().find(|(name, _)| *name == word).map(|(_, value)| <$value>::clone(value))
                }

                fn write(value: &$value) -> Option<Written> {
                    $( if let $wrap(inner) = value {
                        return Some($crate::field::Keys::one::<$inner>(stringify!($key), inner));
                    } )*
                    VALUES.iter().find(|(_, known)| known == value).map(|(word, _)| Written::text(word))
                }
            }
        };
    };
    (@form $words:ident) => { &Form::Choice($words) };
    (@form $words:ident $(, $row:expr)+) => { &Form::ChoiceOr($words, &[$($row),+]) };
}

/// One line of a table, for the macros above: its row, its reader, its writer.
#[doc(hidden)]
#[macro_export]
macro_rules! row {
    // All keys of another table.
    (@row $field:ident : $type:ty, $doc:literal) => {
        $crate::form::Row::KeysOf(<$type as $crate::field::Record>::TABLE)
    };
    (@read $table:ident $reader:ident $field:ident : $type:ty, $doc:literal) => {
        <$type as $crate::field::Record>::read_keys($table, $reader)?
    };
    (@write $keys:ident $field:ident : $type:ty, $doc:literal) => {
        <$type as $crate::field::Record>::write_keys($field, $keys)
    };
    // The same where the table has another type than the field.
    (@row $field:ident : $type:ty as $form:ty, $doc:literal) => {
        $crate::form::Row::KeysOf(<$form as $crate::field::Record>::TABLE)
    };
    (@read $table:ident $reader:ident $field:ident : $type:ty as $form:ty, $doc:literal) => {
        <$form as $crate::field::Record>::read_keys($table, $reader)?
    };
    (@write $keys:ident $field:ident : $type:ty as $form:ty, $doc:literal) => {
        <$form as $crate::field::Record>::write_keys($field, $keys)
    };
    // An incomplete key.
    (@row $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal) => { $crate::row!(@incomplete $field) };
    (@read $table:ident $reader:ident $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal) => { $crate::row!(@incomplete $field) };
    (@write $keys:ident $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal) => { $crate::row!(@incomplete $field) };
    (@incomplete $field:ident) => {
        compile_error!(concat!("the key `", stringify!($field), "` needs a meaning and a good value"))
    };
    // A key.
    (@row $($line:tt)+) => { $crate::form::Row::Key($crate::row!(@key $($line)+)) };
    (@key $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal, $example:expr) => {
        $crate::form::Key {
            name: $crate::row!(@name $field $($key)?),
            form: <$crate::row!(@form $type $(, $form)?) as $crate::field::Field>::FORM,
            need: $crate::row!(@need $crate::row!(@form $type $(, $form)?) $(, $($need)+)?),
            doc: $doc,
            example: $example,
            takes: $crate::field::takes::<$crate::row!(@form $type $(, $form)?)>,
        }
    };
    (@read $table:ident $reader:ident $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal, $example:expr) => {
        $reader.field::<$crate::row!(@form $type $(, $form)?)>(
            $table,
            $crate::row!(@name $field $($key)?),
            $crate::row!(@need $crate::row!(@form $type $(, $form)?) $(, $($need)+)?),
            $crate::row!(@stand_in $crate::row!(@form $type $(, $form)?) $(, $($need)+)?),
        )?
    };
    (@write $keys:ident $field:ident $($key:literal)? : $type:ty $(as $form:ty)? , $( ( $($need:tt)+ ) , )? $doc:literal, $example:expr) => {
        $keys.put::<$crate::row!(@form $type $(, $form)?)>($crate::row!(@name $field $($key)?), $field)
    };
    // Parts of a line.
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $key:literal) => { $key };
    (@form $type:ty) => { $type };
    (@form $type:ty, $form:ty) => { $form };
    (@need $form:ty) => { <$form as $crate::field::Field>::NEED };
    (@need $form:ty, = $default:literal) => { $crate::form::Need::Default($default) };
    (@need $form:ty, else $stand_in:expr) => { $crate::form::Need::Required };
    (@stand_in $form:ty) => { <$form as $crate::field::Field>::stand_in };
    (@stand_in $form:ty, = $default:literal) => { <$form as $crate::field::Field>::stand_in };
    (@stand_in $form:ty, else $stand_in:expr) => { || Some($stand_in) };
    // The caller's name for the value of a variant.
    (@bind $name:ident $type:ty) => { $name };
}
