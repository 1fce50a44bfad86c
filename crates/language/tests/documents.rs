//! A file that includes the keys of another language, names files and changes them: every mistake
//! points at its original text.

#![allow(missing_docs)]

use pacesim_language::document::{Document, Language};
use pacesim_language::field::{Count, Keys, Reader, Record};
use pacesim_language::form::{Row, Table};
use pacesim_language::problem::{Faults, Problem};
use pacesim_language::table;
use pacesim_language::tree::TomlTable;

table! {
    /// A journey.
    pub struct Journey "journey" {
        to: String, "Where it leads.", "Rome";
        days: u32 as Count, (= "1"), "How long it takes.", "3";
    }
}

table! {
    /// Keys of a plan besides those of the journey.
    pub struct Own "own" {
        name: String, (= "plan"), "What it is called.", "summer";
        journey: Option<String>, "The file of the journey.", "rome.toml";
        days_each: Option<Vec<u32>> as Option<Vec<Count>>, "The lengths to compare.", "[3, 5]";
    }
}

static PLAN: Table = Table {
    name: "plan",
    doc: "Journeys to compare.",
    rows: &[Row::KeysOf(Own::TABLE), Row::KeysOf(Journey::TABLE)],
    common: &[],
};
static PLANS: Language = Language {
    noun: "plan",
    table: &PLAN,
    remedy: "give the path of a plan",
};
static JOURNEYS: Language = Language {
    noun: "journey",
    table: Journey::TABLE,
    remedy: "give the path of a journey",
};

fn problems(document: &Document) -> Vec<Problem> {
    let problems = document.check(Faults::default());
    problems.expect_err("something is wrong").0
}

fn read<R: Record>(tree: &TomlTable) -> R::Value {
    let mut faults = Faults::default();
    let value = R::read_keys(tree, &mut Reader::new(&(), &mut faults));
    assert!(faults.list.is_empty(), "{faults:?}");
    value.expect("every key is there or has a default")
}

#[test]
fn a_part_of_a_file_is_a_document_of_its_own() {
    let plan = Document::parse(
        &PLANS,
        "plan.toml",
        b"name = \"x\"\nto = \"Rome\"\ndays = 2\n",
    );
    assert_eq!(plan.check(Faults::default()), Ok(()));
    assert_eq!(read::<Own>(plan.tree()).name, "x");
    let journey = plan.part(&JOURNEYS);
    assert_eq!(journey.check(Faults::default()), Ok(()));
    let journey = read::<Journey>(journey.tree());
    assert_eq!(
        Keys::of::<Journey>(&journey).sections(),
        "to = \"Rome\"\ndays = 2\n"
    );
}

#[test]
fn a_value_that_is_set_is_reported_where_it_stands() {
    let text = "days_each = [3, 0]\nto = \"Rome\"\n";
    let plan = Document::parse(&PLANS, "plan.toml", text.as_bytes());
    let values = plan.tree().get("days_each").and_then(|item| item.list());
    let mut journey = plan.part(&JOURNEYS);
    let zero = values.expect("a list")[1].clone();
    journey.set("days", zero.place, zero.clone());
    let found = &problems(&journey)[0];
    assert_eq!((found.line, found.column), (1, 17));
    assert_eq!(found.path, "days");
    journey.set("dys", zero.place, zero);
    let found = &problems(&journey)[0];
    assert!(
        found
            .help
            .as_ref()
            .is_some_and(|help| help.contains("\"days\"")),
        "{found}"
    );
    assert_eq!((found.line, found.column), (1, 17));
}

#[test]
fn what_is_wrong_with_an_included_file_is_reported_there() {
    let plan = Document::parse(
        &PLANS,
        "plan.toml",
        b"journey = \"rome.toml\"\ndays_each = [0]\n",
    );
    let mut rome = plan.include(&JOURNEYS, "rome.toml", b"\n\ndays = \"two\"\n");
    let found: Vec<_> = problems(&rome)
        .iter()
        .map(|p| (p.file.clone(), p.line))
        .collect();
    assert_eq!(
        found,
        [("rome.toml".to_owned(), 1), ("rome.toml".to_owned(), 3)]
    );
    let zero = plan.tree().get("days_each").and_then(|item| item.list());
    let zero = zero.expect("a list")[0].clone();
    rome.set("days", zero.place, zero);
    rome.apply_sets(&["to=Rome"]);
    let found = problems(&rome);
    assert_eq!(
        (found.len(), found[0].file.as_str(), found[0].line),
        (1, "plan.toml", 2)
    );
    assert_eq!(rome.text_of("rome.toml"), Some("\n\ndays = \"two\"\n"));
}

#[test]
fn an_included_file_of_another_kind_is_not_shown() {
    let plan = Document::parse(&PLANS, "plan.toml", b"journey = \"secret\"\n");
    let secret = plan.include(&JOURNEYS, "secret", b"password = \"1234\"\n");
    let found = &problems(&secret)[0];
    assert_eq!(found.file, "secret");
    assert_eq!(found.help.as_deref(), Some("give the path of a journey"));
    assert_eq!(secret.text_of("secret"), None);
}
