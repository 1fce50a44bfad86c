//! Parts that a program adds, made known to the language.

use pacesim_language::field::Cases;
use pacesim_parts::{Kind, Parts, Unusable};

use crate::control::WORDS;
use crate::discipline::Discipline;
use crate::flow::Traffic;
use crate::link::LossModelKind;
use crate::middlebox::MiddleboxKind;
use crate::pacer::PacerKind;

/// Makes parts known to the language until the process ends; call it before the first scenario is
/// read. `others` are the built-in parts of other languages, the measures of studies; `version` is
/// that of parts that declare none, and should change with their code.
pub fn install(
    parts: Parts,
    others: &[(Kind, &'static str)],
    version: fn() -> String,
) -> Result<(), Unusable> {
    let built_in: Vec<_> = built_in_parts().chain(others.iter().copied()).collect();
    parts.install(&built_in, version)
}

/// The parts of scenarios that are built in.
pub fn built_in_parts() -> impl Iterator<Item = (Kind, &'static str)> {
    let controls = WORDS.iter().map(|(word, _)| (Kind::Control, *word));
    let pacers = PacerKind::CASES.declared.iter();
    let pacers = pacers.map(|table| (Kind::Pacer, table.name));
    let disciplines = Discipline::CASES.declared.iter();
    let disciplines = disciplines.map(|table| (Kind::Discipline, table.name));
    let sources = Traffic::CASES.declared.iter();
    let sources = sources.map(|table| (Kind::Source, table.name));
    let middleboxes = MiddleboxKind::CASES.declared.iter();
    let middleboxes = middleboxes.map(|table| (Kind::Middlebox, table.name));
    let losses = LossModelKind::CASES.declared.iter();
    let losses = losses.map(|table| (Kind::Loss, table.name));
    let rest = disciplines.chain(sources).chain(middleboxes).chain(losses);
    controls.chain(pacers).chain(rest)
}

#[cfg(test)]
mod tests {
    use pacesim_core::net::{LossModel, Packet};
    use pacesim_language::field::Whole;
    use pacesim_language::table;
    use pacesim_parts::PartKeys;
    use pacesim_units::Time;

    use super::*;

    table! {
        /// A loss model with the name of a built-in one.
        struct Taken "periodic" {
            every: u32 as Whole<u32, 1, 9>, (= "1"), "A number.", "2";
        }
    }

    impl PartKeys for Taken {}

    table! {
        /// A loss model with a key that all parts have.
        struct Common "mine" {
            kind: u32 as Whole<u32, 1, 9>, (= "1"), "A number.", "2";
        }
    }

    impl PartKeys for Common {}

    struct Nothing(u32);

    impl LossModel for Nothing {
        fn loses(&mut self, _: Time, _: &Packet) -> bool {
            self.0 == 0
        }
    }

    fn refused(parts: Parts) -> String {
        let unusable = install(parts, &[], String::new).expect_err("it cannot be used");
        unusable.to_string()
    }

    #[test]
    fn names_of_built_in_parts_and_common_keys_are_refused() {
        let taken = Parts::new().loss(|keys: &Taken, _| Nothing(keys.every));
        let expected = "the name \"periodic\" is taken by a built-in part; choose another name in table! { ... }";
        assert_eq!(refused(taken), expected);
        let common = Parts::new().loss(|keys: &Common, _| Nothing(keys.kind));
        let expected = "the part \"mine\" is declared wrongly: the key \"kind\" is common to all parts; correct its table! { ... }";
        assert_eq!(refused(common), expected);
        let twice = Parts::new().loss(|keys: &Taken, _| Nothing(keys.every));
        let twice = twice.loss(|keys: &Taken, _| Nothing(keys.every));
        let expected = "the name \"periodic\" is taken by another part of this program; choose another name in table! { ... }";
        assert_eq!(refused(twice), expected);
    }
}
