//! A hundred generated scenarios and some broken files; `scripts/soak.sh` tries more.

use std::collections::BTreeSet;
use std::sync::Mutex;

use pacesim_soak::{
    Damaged, Kind, Maker, Studied, Swept, Verdict, document, ending, places, study, try_broken,
    try_case, try_study,
};
use serde_json::Map;
use tempfile::tempdir;

#[test]
fn a_hundred_generated_scenarios_run_twice_the_same_and_lose_no_packet() {
    let (maker, around) = (Maker::default(), tempdir().expect("a folder"));
    let (mut sound, mut divided) = (0, 0);
    for number in 1..=100 {
        let folder = around.path().join(number.to_string());
        match try_case(&maker, number, &folder).expect("a disk to write on") {
            Verdict::NoScenario => (),
            Verdict::Sound(_, figures) => {
                sound += 1;
                divided += u64::from(figures.parts > 1);
            }
            Verdict::Failed(failure, tree) => {
                panic!("scenario {number}: {failure}\n{}", document(&tree))
            }
        }
    }
    assert!(sound > 85, "only {sound} of 100 drafts became a scenario");
    assert!(divided > 10, "only {divided} were also run in parts");
}

/// The keys, words, kinds and forms of values, and formats of files that no scenario up to this
/// number has, and the number of all.
fn never_accepted(most: u64) -> (BTreeSet<String>, usize) {
    let all = places(Maker::default().schema());
    let all: BTreeSet<String> = all.iter().map(|place| ending(place).to_owned()).collect();
    let count = all.len();
    let missing = Mutex::new(all);
    let is_done = || missing.lock().expect("no panic").is_empty();
    // A rare word takes thousands of scenarios: two threads share them.
    std::thread::scope(|scope| {
        for first in [1, 2] {
            let (missing, is_done) = (&missing, &is_done);
            scope.spawn(move || {
                let (maker, around) = (Maker::default(), tempdir().expect("a folder"));
                for number in (first..=most).step_by(2).take_while(|_| !is_done()) {
                    let made = maker.make(number, around.path(), &mut Map::new());
                    let made = made.expect("a disk to write on");
                    let mut missing = missing.lock().expect("no panic");
                    for used in made.iter().flat_map(|made| &made.used) {
                        missing.remove(ending(used));
                    }
                }
            });
        }
    });
    (missing.into_inner().expect("no panic"), count)
}

/// A sample in each test run; the next two have the rest.
#[test]
fn most_keys_of_the_language_are_in_one_of_300_scenarios() {
    let (missing, all) = never_accepted(300);
    let missing = missing.len();
    assert!(4 * missing <= all, "{missing} of {all} were never accepted");
}

#[test]
#[ignore = "five minutes of both cores"]
fn nearly_every_key_of_the_language_is_in_one_of_1500_scenarios() {
    let (missing, all) = never_accepted(1500);
    assert!(
        20 * missing.len() <= all,
        "never accepted, of {all}: {missing:?}"
    );
}

/// Otherwise the generator lacks it.
#[test]
#[ignore = "the rarest words take thousands of scenarios, and ten minutes"]
fn every_key_of_the_language_is_in_some_generated_scenario() {
    let (missing, all) = never_accepted(20_000);
    assert!(missing.is_empty(), "never accepted, of {all}: {missing:?}");
}

#[test]
fn a_number_always_makes_the_same_scenario() {
    let (maker, around) = (Maker::default(), tempdir().expect("a folder"));
    let text = |number| {
        let mut tree = Map::new();
        maker
            .make(number, around.path(), &mut tree)
            .expect("a disk to write on");
        document(&tree)
    };
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}

#[test]
fn broken_files_are_read_or_refused() {
    let (maker, around) = (Maker::default(), tempdir().expect("a folder"));
    for kind in Kind::all() {
        let mut refused = 0;
        for number in 1..=100 {
            let broken = try_broken(&maker, kind, number, around.path());
            match broken.expect("a disk to write on").outcome {
                Ok(accepted) => refused += u32::from(!accepted),
                Err(failure) => panic!("{} {number}: {failure}", kind.name()),
            }
        }
        assert!(
            (1..100).contains(&refused),
            "{}: {refused} refused",
            kind.name()
        );
    }
}

#[test]
fn damaged_stores_are_refused_or_mended() {
    let (swept, around) = (Swept::new().expect("a sweep"), tempdir().expect("a folder"));
    let mut noticed = 0;
    for number in 1..=60 {
        let folder = around.path().join(number.to_string());
        let found = swept.try_damaged(number, &folder);
        match found.expect("a disk to write on") {
            Ok(damaged) => noticed += u32::from(damaged == Damaged::Noticed),
            Err(failure) => panic!("damaged store {number}: {failure}"),
        }
    }
    assert!(noticed > 30, "only {noticed} of 60 were noticed");
}

#[test]
fn a_study_that_check_accepts_is_planned_and_swept_or_searched() {
    let around = tempdir().expect("a folder");
    let mut swept = 0;
    for number in 1..=150 {
        let text = study(number);
        let tried = try_study(&text, &around.path().join("out")).expect("a disk to write on");
        match tried {
            Ok(Studied::Swept) => swept += 1,
            Ok(Studied::Refused(mistakes)) => assert!(mistakes > 0, "study {number}"),
            Err(failure) => panic!("study {number}: {failure}\n{text}"),
        }
    }
    assert!(
        (60..140).contains(&swept),
        "{swept} of 150 studies were swept"
    );
}
