//! The table of metrics and the page generated from it.

use std::path::Path;

use pacesim_runs::metrics::{ENTITIES, declared, page};

#[test]
fn the_page_is_the_table_of_metrics() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page()).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).expect("the page is there");
    assert!(
        written == page(),
        "docs/metrics.md is of another table: UPDATE_DOCS=1 cargo test -p pacesim-runs --test all metrics"
    );
}

#[test]
fn every_metric_has_a_meaning_and_its_share_is_of_one_beside_it() {
    for of in ENTITIES {
        let all = declared(of);
        assert!(!all.is_empty(), "{of} has no metrics");
        for metric in &all {
            let name = metric.name;
            assert!(metric.meaning.ends_with('.'), "{of}.{name}: no sentence");
            let twins = all.iter().filter(|other| other.name == name).count();
            assert_eq!(twins, 1, "{of}.{name} is declared twice");
            let packets = metric.share_of;
            let is_beside = |packets| all.iter().any(|other| other.name == packets);
            assert!(packets.is_none_or(is_beside), "{of}.{name}: {packets:?}");
        }
    }
}
