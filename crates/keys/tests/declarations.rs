//! Every declaration of the scenario language passes the checks that its type allows.

use pacesim_keys::Scenario;
use pacesim_language::field::Record;
use pacesim_language::files::NamedFiles;
use pacesim_language::review;

/// The files named in examples of keys.
struct Examples;

impl NamedFiles for Examples {
    fn text(&self, name: &str) -> Result<String, String> {
        match name {
            "network.csv" => Ok("a,b,km\n1,2,3\n".to_owned()),
            "curve.csv" => Ok("value,cdf\n1,0.5\n9,1\n".to_owned()),
            "arrivals.csv" => Ok("t_s,size_bytes\n0,1\n".to_owned()),
            "cellular.trace" => Ok("1\n2\n".to_owned()),
            "frames.txt" => Ok("1000\n2000\n".to_owned()),
            "transfers.csv" => Ok("start_s,from,to,size_bytes\n0,0,1,9\n".to_owned()),
            "web.cvec" => Ok("SEQ 0 1 1 1\n> 245\nt 51257\n< 5100\n".to_owned()),
            _ => Err("no such example".to_owned()),
        }
    }
}

#[test]
fn every_key_of_the_language_is_declared_well() {
    let complaints = review(Scenario::TABLE, &Examples);
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn tables_deep_in_the_language_are_reviewed() {
    // Without the files, only the keys that name one are reported.
    let complaints = review(Scenario::TABLE, &());
    let named: Vec<_> = complaints
        .iter()
        .filter_map(|c| c.split(':').next())
        .filter(|name| !name.contains("empirical"))
        .collect();
    let recorded = "recorded.file, example";
    let expected = [
        "recorded_rate.file, example",
        "links of a topology.opportunities, example",
        "back.opportunities, example",
        "edge_list.file, example",
        "link.opportunities, example",
        recorded,
        "video.file, example",
        recorded,
        "tcp.exchanges, example",
        "exchanges.file, example",
        "list.file, example",
    ];
    assert_eq!(named, expected, "{complaints:#?}");
}
