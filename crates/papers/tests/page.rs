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

/// No editing by hand: page and figures follow from the findings of one store.
#[test]
fn the_page_follows_from_the_findings_beside_it() {
    let Some(kept) = kept() else { return };
    let page = kept.page(&Catalogue::shipped(), &file());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(file(), &page).expect("the page can be written");
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

/// A study that changes takes its section along.
#[test]
fn every_section_comes_from_the_study_that_ships() {
    let Some(kept) = kept() else { return };
    let catalogue = Catalogue::shipped();
    let mut old = Vec::new();
    for findings in &kept.findings {
        let experiments = catalogue.experiments().iter();
        let inputs = experiments.filter(|experiment| experiment.id == findings.id);
        if inputs.map(|experiment| experiment.inputs()).next()
            != Some(findings.origin.inputs.clone())
        {
            old.push(&findings.id);
        }
    }
    assert!(
        old.is_empty(),
        "these studies changed after the page: pacesim reproduce {old:?} --report docs/reproduction.md --force"
    );
}

/// A difference has a variant or ns-2 as its reason, or is marked as unexplained.
#[test]
fn every_difference_on_the_page_has_a_reason_or_says_that_it_has_none() {
    let mut silent = Vec::new();
    for findings in kept().iter().flat_map(|kept| &kept.findings) {
        let is_open =
            |claim: &&Claim| matches!(claim.verdict, Verdict::Differs | Verdict::Undecided);
        for claim in findings.claims.iter().filter(is_open) {
            let is_said = match &claim.because {
                Some(Because::Shown { .. }) => claim.shown_by().is_some(),
                Some(Because::Words(_)) => true,
                None => claim.differs_in_ns2_too(),
            };
            if !is_said {
                silent.push(format!("{}: {}", findings.id, claim.claim));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}
