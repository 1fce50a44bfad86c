//! A key is one key, however it is spelt: no axis, option or variant undoes another's change.

use std::sync::Arc;

use pacesim_study::{Study, StudyText, Understood};

/// A scenario in which names, places and defaults lead to the same keys.
const SCENARIO: &str = r#"
    run = { duration = "10s" }
    topology = { shape = "star", leaves = 2, link = { rate = "10Mbps", buffer = "10pkts" } }
    [[node]]
    name = "a"
    [[node]]
    name = "b"
    [[link]]
    name = "other"
    from = "a"
    to = "b"
    rate = "10Mbps"
    [[link]]
    name = "core"
    from = "a"
    to = "b"
    rate = "10Mbps"
    buffer = "20pkts"
    [[flow]]
    name = "f"
    from = "a"
    to = "b"
    start = { uniform = ["0s", "1s"] }
    traffic = { kind = "poisson", rate = "9Mbps", size = "1KB" }
"#;

/// Keys, each in all of its spellings, with two values.
const KEYS: [(&[&str], [&str; 2]); 7] = [
    (
        &[
            "link.core.buffer",
            "link[1].buffer",
            "link[core].buffer",
            "link.1.buffer",
            "link.1[buffer]",
        ],
        ["\"1pkt\"", "\"2pkts\""],
    ),
    (
        &["link.other.buffer", "link[0].buffer", "link.0.buffer"],
        ["\"1pkt\"", "\"2pkts\""],
    ),
    (&["run.seed", "run[seed]"], ["1", "2"]),
    (
        &["topology.link.buffer", "topology[link].buffer"],
        ["\"1pkt\"", "\"2pkts\""],
    ),
    (
        &[
            "flow.f.start",
            "flow[0].start",
            "flow.f.start.uniform",
            "flow[0].start.exponential",
        ],
        ["\"1s\"", "\"2s\""],
    ),
    (
        &["flow.f.traffic.rate", "flow[0].traffic.rate"],
        ["\"1Mbps\"", "\"2Mbps\""],
    ),
    (
        &["flow.f.traffic.size", "flow.0.traffic.size"],
        ["\"1KB\"", "\"2KB\""],
    ),
];

fn read(text: &str, sets: &[&str]) -> Result<Study, String> {
    let mut text = StudyText::parse("s.toml", "s", text.as_bytes(), Arc::new(()));
    text.apply_sets(sets);
    let Understood {
        study, mistakes, ..
    } = text.understand();
    mistakes
        .map(|()| study)
        .map_err(|problems| problems.to_string())
}

fn axis(name: &str, key: &str, values: [&str; 2]) -> String {
    let [one, two] = values;
    format!("[[sweep.axis]]\nname = \"{name}\"\nkey = \"{key}\"\nvalues = [{one}, {two}]\n")
}

/// All pairs of spellings, with the number of their keys.
fn pairs() -> Vec<[(usize, &'static str); 2]> {
    let all: Vec<(usize, &str)> = KEYS
        .iter()
        .enumerate()
        .flat_map(|(i, (spellings, _))| spellings.iter().map(move |key| (i, *key)))
        .collect();
    let pairs = all
        .iter()
        .flat_map(|one| all.iter().map(move |other| [*one, *other]));
    pairs.collect()
}

#[test]
fn two_axes_of_one_key_are_refused_whatever_the_spelling() {
    for [(i, one), (j, other)] in pairs() {
        let (ours, theirs) = (axis("x", one, KEYS[i].1), axis("y", other, KEYS[j].1));
        let study = read(&format!("{SCENARIO}{ours}{theirs}"), &[]);
        if i == j {
            let said = study.expect_err(&format!("{one} and {other} are one key"));
            let expected = format!("\"{other}\" is varied by the axis \"x\" too");
            assert!(
                said.contains("s.toml:") && said.contains(&expected),
                "{said}"
            );
            assert_eq!(
                one != other,
                said.contains(&format!(", as \"{one}\"")),
                "{said}"
            );
        } else {
            assert!(study.is_ok(), "{one}, {other}: {study:?}")
        }
    }
}

#[test]
fn an_option_beside_an_axis_of_its_key_is_refused_whatever_the_spelling() {
    for [(i, one), (j, other)] in pairs() {
        let values = KEYS[i].1;
        let option = format!("{other}={}", KEYS[j].1[0]);
        let study = read(&format!("{SCENARIO}{}", axis("x", one, values)), &[&option]);
        // An option for one kind of a distribution is no mistake of the study's tables.
        if i == j {
            let said = study.expect_err(&format!("{one} and {other} are one key"));
            assert!(
                said.contains(&format!(
                    "an option sets \"{other}\", which this axis varies"
                )),
                "{said}"
            );
        } else {
            assert!(study.is_ok(), "{one}, {other}: {study:?}");
        }
    }
}

#[test]
fn a_variant_of_an_axis_key_is_refused_whatever_the_spelling() {
    for [(i, one), (j, other)] in pairs() {
        let variant = format!(
            "[[variant]]\nname = \"v\"\nset = {{ \"{other}\" = {} }}\n",
            KEYS[j].1[0]
        );
        let study = read(
            &format!("{SCENARIO}{}{variant}", axis("x", one, KEYS[i].1)),
            &[],
        );
        if i == j {
            let said = study.expect_err(&format!("{one} and {other} are one key"));
            let expected = format!("\"{other}\" is varied by the axis \"x\"");
            assert!(said.contains(&expected), "{said}");
        } else {
            assert!(study.is_ok(), "{one}, {other}: {study:?}")
        }
    }
}

#[test]
fn a_variant_whose_table_has_the_key_of_an_axis_is_refused() {
    let study = |set: &str| {
        let variant = format!("[[variant]]\nname = \"v\"\nset = {{ {set} }}\n");
        let rates = ["\"300kbps\"", "\"400kbps\""];
        let axis = axis("x", "flow.f.traffic.rate", rates);
        read(&format!("{SCENARIO}{axis}{variant}"), &[])
    };
    let table = r#""flow[0].traffic" = { kind = "poisson", size = "1KB", rate = "1500kbps" }"#;
    let said = study(table).expect_err("the axis undoes its rate");
    let expected = "\"flow[0].traffic\" is varied by the axis \"x\"";
    assert!(said.contains(expected), "{said}");
    let open = study(r#""flow[0].traffic" = { kind = "poisson", size = "1KB" }"#);
    assert!(open.is_ok(), "{open:?}");
}

#[test]
fn one_table_of_changes_sets_a_key_once() {
    for [(i, one), (j, other)] in pairs().into_iter().filter(|[one, other]| one.1 != other.1) {
        let both = format!(
            "{{ \"{one}\" = {}, \"{other}\" = {} }}",
            KEYS[i].1[0], KEYS[j].1[1]
        );
        for table in [
            format!("[[sweep.axis]]\nname = \"x\"\ncases = {{ none = {{}}, both = {both} }}\n"),
            format!("[[variant]]\nname = \"v\"\nset = {both}\n"),
        ] {
            let study = read(&format!("{SCENARIO}{table}"), &[]);
            if i == j {
                let said = study.expect_err(&format!("{one} and {other} are one key"));
                assert!(
                    said.contains(&format!("\"{other}\" is set twice, as \"{one}\"")),
                    "{said}"
                );
            } else {
                assert!(study.is_ok(), "{one}, {other}: {study:?}")
            }
        }
        let study = read(&format!("set = {both}\n{SCENARIO}"), &[]);
        assert_eq!(study.is_err(), i == j, "{one}, {other}: {study:?}");
    }
}

/// A table replaces all keys within it, so it may come before them, and not after.
#[test]
fn a_table_may_be_refined_and_not_undo_what_varies_before_it() {
    let table = |kind: &str| format!("{{ kind = \"{kind}\", rate = \"1Mbps\", size = \"1KB\" }}");
    let traffic = format!(
        "[[sweep.axis]]\nname = \"traffic\"\nkey = \"flow[0].traffic\"\nvalues = [{}, {}]\n",
        table("cbr"),
        table("poisson")
    );
    let rate = axis("rate", "flow.f.traffic.rate", ["\"2Mbps\"", "\"3Mbps\""]);
    let study = read(&format!("{SCENARIO}{traffic}{rate}"), &[]).expect("the rate refines it");
    let rates = study.points().map(|point| {
        let scenario = study.scenario(point).expect("sound");
        scenario.scenario().to_toml().contains("rate = \"2Mbps\"")
    });
    assert_eq!(rates.collect::<Vec<_>>(), [true, false, true, false]);
    let problems = read(&format!("{SCENARIO}{rate}{traffic}"), &[]);
    let problems = problems.expect_err("the rate is undone");
    let said = "\"flow[0].traffic\" is varied by the axis \"rate\" too, as \"flow.f.traffic.rate\"";
    assert!(problems.contains(said), "{problems}");
    let of_option = |table: &str, axis: &str| read(&format!("{SCENARIO}{axis}"), &[table]).is_ok();
    assert!(of_option(
        "flow.f.traffic={ kind = \"cbr\", size = \"1KB\" }",
        &rate
    ));
    assert!(!of_option(
        &format!("flow.f.traffic={}", table("cbr")),
        &rate
    ));
    assert!(!of_option("flow.f.traffic.rate=1Mbps", &traffic));
}

/// A part that is taken away has no value, and one that does not vary there is not undone.
#[test]
fn a_part_may_be_taken_away_and_points_left_out() {
    let fec = "[[fec]]\ningress = \"a\"\negress = \"b\"\nblock = 3\n";
    let block = axis("block", "fec[0].block", ["3", "5"]);
    let without = "[[sweep.axis]]\nname = \"fec\"\ncases = { with = {}, without = { fec = [] } }\n";
    assert!(read(&format!("{SCENARIO}{fec}{block}{without}"), &[]).is_ok());
    let other = without.replace(
        "fec = []",
        "fec = [{ ingress = \"a\", egress = \"b\", block = 9 }]",
    );
    assert!(read(&format!("{SCENARIO}{fec}{block}{other}"), &[]).is_err());
    let except = "[[sweep.except]]\nfec = \"without\"\nblock = 5\n";
    assert!(read(&format!("{SCENARIO}{fec}{block}{other}{except}"), &[]).is_ok());
    let only = block.replace("[3, 5]", "[3]");
    assert!(read(&format!("{SCENARIO}{fec}{only}{other}"), &[]).is_err());
}

#[test]
fn a_warm_up_given_by_any_spelling_or_table_is_not_searched_for() {
    let searched = "[sweep]\nfind_warmup = [\"link.core.queue_mean_pkts\"]\n";
    for (key, values) in [
        ("run.warmup", ["\"1s\"", "\"2s\""]),
        ("run[warmup]", ["\"1s\"", "\"2s\""]),
        ("run", ["{ duration = \"9s\" }", "{ duration = \"8s\" }"]),
    ] {
        let said = read(
            &format!("{SCENARIO}{searched}{}", axis("x", key, values)),
            &[],
        );
        let said = said.expect_err("it is given twice");
        assert!(said.contains("the axis \"x\" gives run.warmup"), "{said}");
    }
    let study = read(&format!("{SCENARIO}{searched}"), &["run[warmup]=1s"])
        .expect("an option overrides it");
    assert!(study.find_warmup.is_empty());
}

#[test]
fn an_option_of_the_program_is_no_more_undone_than_another_one() {
    for key in ["run.seed", "run[seed]"] {
        let study = read(&format!("{SCENARIO}{}", axis("x", key, ["1", "2"])), &[]);
        let refused = study.expect("sound").refuse_undone("run.seed", "--seed");
        let said = refused.expect_err("the axis gives the seed").to_string();
        assert!(
            said.contains("sweep.axis[0]: --seed gives run.seed"),
            "{said}"
        );
    }
    let study = read(SCENARIO, &[]).expect("sound");
    assert_eq!(study.refuse_undone("run.seed", "--seed"), Ok(()));
}

/// The second flow of the study starts after a third of the run, at any scale.
#[test]
fn starts_scale_with_the_run() {
    let late = "[[flow]]\nname = \"late\"\nfrom = \"a\"\nto = \"b\"\nstart = \"4s\"\nstop = \"8s\"\ntraffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }\n[[event]]\nat = \"5s\"\nlinks = [\"core\"]\nrate = \"5Mbps\"\n";
    let study = read(&format!("{SCENARIO}{late}"), &[])
        .expect("sound")
        .at_scale(0.1);
    let text = study.scenario(0).expect("sound").scenario().to_toml();
    for line in [
        "duration = \"1s\"",
        "start = { uniform = [\"0s\", \"100ms\"] }",
        "start = \"400ms\"",
        "stop = \"800ms\"",
        "at = \"500ms\"",
        "rate = \"5Mbps\"",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}
