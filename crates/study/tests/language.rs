//! The declarations of studies, and the schema and reference generated from them.

use pacesim_language::review;
use pacesim_study::{LANGUAGE, reference, schema};

#[test]
fn every_key_is_declared_well() {
    let complaints = review(LANGUAGE.table, &|name: &str| match name {
        "network.csv" => Ok("a,b,km\n1,2,3\n".to_owned()),
        "curve.csv" => Ok("value,cdf\n1,0.5\n9,1\n".to_owned()),
        "cellular.trace" => Ok("1\n2\n".to_owned()),
        "frames.txt" => Ok("1000\n2000\n".to_owned()),
        "transfers.csv" => Ok("start_s,from,to,size_bytes\n0,0,1,9\n".to_owned()),
        "web.cvec" => Ok("SEQ 0 1 1 1\n> 245\nt 51257\n< 5100\n".to_owned()),
        _ => Ok("t_s,size_bytes\n0,1\n".to_owned()),
    });
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn the_reference_on_disk_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/study.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, reference()).expect("docs can be written");
    }
    let on_disk = std::fs::read_to_string(path).expect("docs/study.md");
    assert!(
        on_disk == reference(),
        "run: UPDATE_DOCS=1 cargo test -p pacesim-study --test all language"
    );
}

#[test]
fn the_schema_has_the_keys_of_scenarios_and_of_studies() {
    let schema = schema();
    let properties = schema["properties"].as_object().expect("an object");
    for key in ["run", "flow", "sweep", "plot", "expect", "scenario"] {
        assert!(properties.contains_key(key), "{key}");
    }
    let needed = &schema["anyOf"];
    assert_eq!(needed[0]["required"][0], "run");
    assert_eq!(needed[1]["required"][0], "scenario");
}
