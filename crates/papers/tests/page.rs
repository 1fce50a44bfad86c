//! The page of the papers: it follows from one store, and every difference on it has a reason or is
//! marked as unexplained.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_lab::claims::{Because, Claim, Verdict};
use pacesim_papers::{Catalogue, KeptPage};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproduction.md")
}

/// The findings stored with the page. A page without them comes from a version that did not store
/// them, and has no digest of all results.
fn kept() -> Option<KeptPage> {
    let text = fs::read_to_string(file()).expect("the page");
    match fs::read(file().with_extension("json")) {
        Ok(bytes) => Some(KeptPage::from_json(&bytes).expect("findings")),
        Err(_) => {
            assert!(
                !text.contains("Digest of all results"),
                "its findings are gone"
            );
            None
        }
    }
}

/// No editing by hand: page and figures follow from the findings of one store, judged by the claims of
/// today.
#[test]
fn the_page_follows_from_the_findings_beside_it() {
    let Some(stored) = kept() else { return };
    let catalogue = Catalogue::shipped();
    let (kept, _) = stored.today(&catalogue);
    let page = kept.page(&catalogue, &file());
    let figures = kept.figures_of_numbers(&file());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(file(), &page).expect("the page can be written");
        fs::write(file().with_extension("json"), kept.to_json()).expect("it can be written");
        for (name, bytes) in &figures {
            fs::write(file().with_file_name(name), bytes).expect("it can be written");
        }
    } else {
        assert!(
            stored == kept,
            "claims have changed: UPDATE_DOCS=1 cargo test -p pacesim-papers --test all page"
        );
    }
    for (name, bytes) in &figures {
        let there = fs::read(file().with_file_name(name)).expect("a figure of numbers");
        assert!(there == *bytes, "{name}");
    }
    let text = fs::read_to_string(file()).expect("the page");
    assert!(
        text == page,
        "run: UPDATE_DOCS=1 cargo test -p pacesim-papers --test all page"
    );
    assert!(text.contains(&kept.digest()));
    for (figure, digest) in &kept.figures {
        let bytes = fs::read(file().with_file_name(figure)).expect("a figure of the page");
        assert_eq!(KeptPage::digest_of(&bytes), *digest, "{figure}");
    }
}

/// Sections may come from several machines, days and versions of the program; the version of results
/// is part of a study's inputs, which the next test compares. One that is not at full length is
/// named at the page's top.
#[test]
fn the_page_names_its_shortened_sections() {
    let Some(kept) = kept() else { return };
    let text = fs::read_to_string(file()).expect("the page");
    let head = text.split("\n## ").next().expect("a head");
    for findings in &kept.findings {
        assert_eq!(findings.seed, None, "{}", findings.id);
        let is_named = head.contains(&findings.id);
        assert!(findings.scale == 1.0 || is_named, "{}", findings.id);
    }
}

/// A study whose runs change takes its section along, and so does a claim about a number that was not
/// stored.
#[test]
fn every_section_comes_from_the_study_that_ships() {
    let Some(kept) = kept() else { return };
    let (_, old) = kept.today(&Catalogue::shipped());
    assert!(
        old.is_empty(),
        "these studies changed after the page: pacesim reproduce {old:?} --report docs/reproduction.md --force"
    );
}

/// Each claim of a shipped study says of what kind it is.
#[test]
fn every_claim_that_ships_has_a_kind() {
    for (name, text) in pacesim_papers::FILES {
        let count = |line: &str| text.lines().filter(|one| one.starts_with(line)).count();
        assert_eq!(
            count("[[expect]]"),
            count("kind = \"paper\"") + count("kind = \"alternative\"") + count("kind = \"own\""),
            "{name}"
        );
    }
}

/// A setting is inferred from one number, and predicts several.
#[test]
fn inferred_settings_predict_three_numbers_or_more() {
    for findings in kept().iter().flat_map(|kept| &kept.findings) {
        for setting in &findings.inferred {
            let id = &findings.id;
            assert!(setting.predicts.len() >= 3, "{id}: {}", setting.setting);
        }
    }
}

/// Values drawn against fitting are judged on the same numbers as the inferred one.
#[test]
fn drawn_settings_have_a_verdict_on_each_number() {
    for findings in kept().iter().flat_map(|kept| &kept.findings) {
        for setting in &findings.inferred {
            let claims = findings.claims.iter();
            let named = claims.filter(|claim| {
                claim.claim == setting.fitted || setting.predicts.contains(&claim.claim)
            });
            for claim in named {
                for name in &setting.drawn {
                    let mut variants = claim.variants.iter();
                    let is_judged = variants.any(|one| one.variant == *name);
                    assert!(is_judged, "{}: {}, {name}", findings.id, claim.claim);
                }
            }
        }
    }
}

/// A difference has a reason that the program has evaluated, or is marked as unexplained.
#[test]
fn every_difference_on_the_page_has_a_reason_or_says_that_it_has_none() {
    let mut silent = Vec::new();
    for findings in kept().iter().flat_map(|kept| &kept.findings) {
        let is_open =
            |claim: &&Claim| matches!(claim.verdict, Verdict::Differs | Verdict::Undecided);
        for claim in findings.claims.iter().filter(is_open) {
            let is_marked = matches!(&claim.because, Some(Because::Words(_)));
            if claim.is_unexplained() && !is_marked {
                silent.push(format!("{}: {}", findings.id, claim.claim));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}
