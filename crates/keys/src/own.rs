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
    let kinds = [Kind::Source, Kind::End, Kind::Application];
    let sources = sources.flat_map(move |table| kinds.map(|kind| (kind, table.name)));
    let middleboxes = MiddleboxKind::CASES.declared.iter();
    let middleboxes = middleboxes.map(|table| (Kind::Middlebox, table.name));
    let losses = LossModelKind::CASES.declared.iter();
    let losses = losses.map(|table| (Kind::Loss, table.name));
    let rest = disciplines.chain(sources).chain(middleboxes).chain(losses);
    controls.chain(pacers).chain(rest)
}
