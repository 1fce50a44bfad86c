//! The studies that ship with the project.

use std::num::NonZeroUsize;
use std::path::Path;

use pacesim_study::templates;
use pacesim_sweep::input::{self, study_from_file, study_from_stream};

use crate::queues::run;

#[test]
fn every_shipped_study_is_sound() {
    let mut studies = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".study.toml") && !name.ends_with(".input.study.toml") {
                let read = study_from_file(&path, &[]);
                let study = read.unwrap_or_else(|rejected| panic!("{:?}", rejected.problems));
                let checked = input::check(&study.study, NonZeroUsize::MIN);
                assert!(checked.is_ok(), "{}: {checked:?}", path.display());
                studies += 1;
            }
        }
    }
    assert!(studies >= 1, "studies are found");
}

#[test]
fn the_template_of_a_study_runs_and_its_claim_holds() {
    let all = templates();
    let template = all
        .iter()
        .find(|one| one.name == "study")
        .expect("it is there");
    let sets = ["run.duration=2s".to_owned(), "run.warmup=1s".to_owned()];
    let study = study_from_stream(template.text.as_bytes(), &sets).expect("a sound study");
    assert!(input::check(&study.study, NonZeroUsize::MIN).is_ok());
    let folder = tempfile::tempdir().expect("a folder");
    let outline = run(&study.study, &folder.path().join("buffers"));
    assert_eq!((outline.points.len(), outline.claims.len()), (14, 1));
    assert!(template.text.lines().count() <= 40, "short enough to read");
}
