//! The report as a file.

use pacesim_report::html::report;

use crate::common::{Runs, TCP};

#[test]
fn names_with_markup_stay_text() {
    let runs = Runs::new();
    let title = r#"title = "</script><script>alert('x')</script><!-- & \"quoted\"""#;
    let scenario = TCP.replace("title = \"One flow\"", title);
    let page = runs.path("report.html");
    report(&runs.run("a", &scenario, &[]), &[], &page).expect("written");
    let text = std::fs::read_to_string(page).expect("a page");
    assert_eq!(
        text.matches("</script>").count(),
        2,
        "those of the page itself"
    );
    assert!(!text.contains("<script>alert"), "the title would run");
    assert!(
        text.contains("\\u003c/script>\\u003cscript>alert"),
        "the title is there as JSON"
    );
}

#[test]
fn the_page_names_no_other_file() {
    let runs = Runs::new();
    let page = runs.path("report.html");
    report(&runs.run("a", TCP, &[]), &[], &page).expect("written");
    let text = std::fs::read_to_string(page).expect("a page");
    let addresses = text.matches("://").count();
    let of_svg = text.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(
        addresses, of_svg,
        "only the name space of SVG looks like an address"
    );
    assert!(
        !text.contains(" src=") && !text.contains("<link"),
        "something would be loaded"
    );
    assert!(
        text.contains("default-src 'none'"),
        "requests are forbidden"
    );
}

#[test]
fn a_file_in_the_way_stays() {
    let runs = Runs::new();
    let page = runs.path("report.html");
    std::fs::write(&page, "mine").expect("written");
    let refused = report(&runs.run("a", TCP, &[]), &[], &page).expect_err("it exists");
    assert!(refused.to_string().contains("exists already"), "{refused}");
    assert_eq!(std::fs::read_to_string(page).expect("there"), "mine");
}
