//! Claims of studies: an M/M/1/K queue with known loss and utilisation.

use std::sync::Arc;

use pacesim_claims::claims::{Claim, Verdict};
use pacesim_runs::run_monitor::Unwatched;
use pacesim_study::{Study, StudyText};
use pacesim_sweep::input::{mistakes, study_from_file};
use pacesim_sweep::kept::Kept;

use crate::common::checked;
use crate::queues::{QUEUES, expect, run, study};

pub(crate) fn judged(replications: u64, claims: &str) -> Vec<Claim> {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(replications, claims);
    assert!(mistakes(&study).is_empty(), "{:?}", mistakes(&study));
    run(&study, &folder.path().join("queues")).claims
}

const AT: &str = "at = { places = \"4pkts\", rate = \"800kbps\" }";

#[test]
fn true_claims_pass_and_false_ones_differ_each_of_their_kind() {
    let fixed = "at = { rate = \"800kbps\" }";
    let pairs = [
        (
            format!("{AT}\nat_least = 0.1"),
            format!("{AT}\nat_least = 0.2"),
        ),
        (
            format!("{AT}\nat_most = 0.2"),
            format!("{AT}\nat_most = 0.1"),
        ),
        (
            format!("{AT}\nat_least = 0.1\nat_most = 0.15"),
            format!("{AT}\nat_least = 0.15\nat_most = 0.2"),
        ),
        // M/M/1/4 at load 0.8.
        (
            format!("{AT}\nabout = 0.1218"),
            format!("{AT}\nabout = 0.2"),
        ),
        (
            format!("{AT}\nover = {{ rate = \"500kbps\" }}\nat_least = 3"),
            format!("{AT}\nover = {{ rate = \"500kbps\" }}\nat_most = 3"),
        ),
        (
            format!("{AT}\nminus = {{ rate = \"500kbps\" }}\ntimes = 100.0\nat_least = 7"),
            format!("{AT}\nminus = {{ rate = \"500kbps\" }}\ntimes = 100.0\nat_most = 7"),
        ),
        (
            format!("{fixed}\nalong = \"places\"\ncourse = \"falls\""),
            format!("{fixed}\nalong = \"places\"\ncourse = \"rises\""),
        ),
        (
            format!("{fixed}\nalong = \"places\"\nleast_at = \"8pkts\""),
            format!("{fixed}\nalong = \"places\"\nleast_at = \"2pkts\""),
        ),
        (
            format!("{fixed}\nalong = \"places\"\ngreatest_at = \"2pkts\""),
            format!("{fixed}\nalong = \"places\"\ngreatest_at = \"4pkts\""),
        ),
    ];
    let texts: String = pairs
        .iter()
        .flat_map(|(a, b)| [expect(a), expect(b)])
        .collect();
    let claims = judged(6, &texts);
    assert_eq!(claims.len(), 2 * pairs.len());
    for (both, (right, wrong)) in claims.chunks(2).zip(&pairs) {
        assert_eq!(both[0].verdict, Verdict::Pass, "{right}: {:?}", both[0]);
        assert_eq!(both[1].verdict, Verdict::Differs, "{wrong}: {:?}", both[1]);
    }
}

/// The study next to a table: 8 % and 16 % of packets at four and eight places, measured with this
/// spread.
fn beside(tables: &str, sd: &str) -> (tempfile::TempDir, Study) {
    let folder = tempfile::tempdir().expect("a folder");
    let table = format!("places,mean,sd\n2pkts,0.262,{sd}\n4pkts,0.122,{sd}\n8pkts,0.039,{sd}\n");
    std::fs::write(folder.path().join("theory.csv"), table).expect("written");
    let reference = "[[reference]]\nname = \"theory\"\nfile = \"theory.csv\"\ny = \"link.core.loss_ratio\"\nat = { rate = \"800kbps\" }\n";
    let text = QUEUES.replace("REPLICATIONS", "5") + reference + tables;
    let file = folder.path().join("queues.toml");
    std::fs::write(&file, text).expect("written");
    let input = study_from_file(&file, &[]);
    let input = input.unwrap_or_else(|rejected| panic!("{:?}", rejected.problems));
    (folder, input.study)
}

/// M/M/1/K loses 26.2, 12.2 and 3.9 % at a load of 0.8 (the closed form).
#[test]
fn runs_agree_with_what_was_measured_as_far_as_its_spread_goes() {
    let one = "at = { places = \"4pkts\", rate = \"800kbps\" }\nreference = \"theory\"";
    let all = "at = { rate = \"800kbps\" }\nalong = \"places\"\nreference = \"theory\"";
    let claims = [
        format!("{one}\nwithin = \"2 sd\""),
        format!("{one}\nwithin = \"0.0001\""),
        format!("{all}\nwithin = \"2 sd\""),
        format!("{all}\nwithin = \"1 %\"\ntimes = 100.0"),
    ];
    let tables: String = claims.iter().map(|lines| expect(lines)).collect();
    let plot = "[[plot]]\nname = \"loss\"\nx = \"places\"\ny = \"link.core.loss_ratio\"\nlines = \"rate\"\nreference = [\"theory\"]\n";
    let (folder, study) = beside(&(tables + plot), "0.01");
    assert!(mistakes(&study).is_empty(), "{:?}", mistakes(&study));
    let out = folder.path().join("results");
    let claims = run(&study, &out).claims;
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(verdicts[0], Verdict::Pass, "{:?}", claims[0]);
    assert_ne!(verdicts[1], Verdict::Pass, "{:?}", claims[1]);
    assert_eq!(verdicts[2], Verdict::Pass, "{:?}", claims[2]);
    assert_ne!(verdicts[3], Verdict::Pass, "{:?}", claims[3]);
    assert_eq!(
        (claims[0].least, claims[0].most),
        (Some(0.122 - 0.02), Some(0.122 + 0.02))
    );
    let svg = std::fs::read_to_string(out.join("figures/loss.svg")).expect("a figure");
    assert!(svg.contains("theory, rate"), "no legend of the reference");
    // The figure is redrawn from the store alone, without the table.
    std::fs::remove_file(folder.path().join("theory.csv")).expect("removed");
    let drawn = Kept::open(&out).and_then(|kept| {
        let study = kept.study()?;
        kept.draw(&study, None, &Unwatched)
    });
    let drawn = drawn.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        drawn[0].1.svg().contains("theory, rate"),
        "no legend of the reference"
    );
}

#[test]
fn what_an_interval_cannot_tell_is_undecided() {
    // Noise far exceeds these differences from the mean.
    let both = "at = { rate = \"800kbps\" }\nalong = \"places\"\nbetween = [\"2pkts\", \"4pkts\"]";
    let claims = format!(
        "{}{}{}[set]\n\"run.duration\" = \"12s\"\n",
        expect(&format!("{AT}\nabout = 0.12\nwithin = 0.001")),
        expect(&format!("{AT}\nat_least = 0.12")),
        expect(&format!("{both}\nat_least = 0.12")),
    );
    let claims = judged(3, &claims);
    for claim in &claims {
        assert_eq!(claim.verdict, Verdict::Undecided, "{claim:?}");
        assert!(claim.low.is_some());
        let note = claim.note.as_deref().expect("a note");
        assert!(note.contains("replications would decide it"), "{note}");
    }
}

#[test]
fn one_replication_decides_nothing() {
    let claims = judged(1, &expect(&format!("{AT}\nat_most = 1")));
    assert_eq!(claims[0].verdict, Verdict::Undecided);
    assert!(
        claims[0]
            .note
            .as_deref()
            .is_some_and(|note| note.contains("no interval"))
    );
}

#[test]
fn a_reason_is_given_only_where_a_claim_differs() {
    let lines =
        |bound| format!("{AT}\nat_most = {bound}\nbecause = \"not explained\"\npaper = \"little\"");
    let claims = judged(
        4,
        &format!("{}{}", expect(&lines(0.5)), expect(&lines(0.01))),
    );
    assert_eq!(
        (claims[0].verdict, claims[0].note.clone()),
        (Verdict::Pass, None)
    );
    assert_eq!(claims[1].note.as_deref(), Some("not explained"));
}

/// Packets of one size lose less than those of exponential sizes: a reason for a smaller loss.
const VARIANT: &str = "[[variant]]\nname = \"one size\"\nat = { places = \"4pkts\" }\nset = { \"flow.f.traffic.size\" = \"1KB\" }\n";

#[test]
fn a_variant_shows_why_a_claim_differs() {
    let because = "because = { variant = \"one size\", shows = \"sizes that vary lose more\" }";
    let claims = format!(
        "{VARIANT}{}{}{}",
        expect(&format!("{AT}\nat_most = 0.1\n{because}")),
        expect(&format!("{AT}\nat_most = 0.01\n{because}")),
        expect(&format!(
            "at = {{ places = \"2pkts\", rate = \"800kbps\" }}\nat_most = 0.01\n{because}"
        )),
    );
    let claims = judged(4, &claims);
    let shown = &claims[0];
    assert_eq!(shown.verdict, Verdict::Differs);
    assert_eq!(shown.variants.len(), 1);
    assert_eq!(shown.shown_by().map(|one| one.verdict), Some(Verdict::Pass));
    assert!(claims[1].is_unexplained(), "{:?}", claims[1]);
    assert_eq!(claims[2].variants, [], "the variant has no such point");
}

#[test]
fn a_reason_is_a_variant_that_is_there_or_none() {
    let read = |because: &str| {
        let text = QUEUES.replace("REPLICATIONS", "1")
            + VARIANT
            + &expect(&format!("{AT}\nat_most = 1\nbecause = {because}"));
        let text = StudyText::parse("queues.toml", "queues", text.as_bytes(), Arc::new(()));
        text.check()
            .map(|_| ())
            .map_err(|problems| problems.to_string())
    };
    assert_eq!(read("\"not explained\""), Ok(()));
    let other = read("{ variant = \"on size\", shows = \"x\" }").expect_err("no such variant");
    assert!(other.contains("one size"), "{other}");
    for vague in ["\"of waves\"", "{ variant = \"one size\" }", "\"\""] {
        let text = read(vague).expect_err("no reason");
        assert!(text.contains("not explained"), "{text}");
    }
}

#[test]
fn slopes_are_taken_in_the_scales_that_a_claim_names() {
    let fixed = "at = { rate = \"500kbps\" }\nalong = \"places\"";
    // M/M/1/K at load 0.5 loses 1/7, 1/31 and 1/511 at 2, 4 and 8 places: the least-squares slope
    // of the logarithms is -0.7130 against places, and -3.095 against their logarithms.
    let claims = [
        format!("{fixed}\nslope = \"log_y\"\nabout = \"-0.7130/pkt\""),
        format!("{fixed}\nslope = \"log_log\"\nabout = -3.095"),
        format!("{fixed}\nslope = \"log_y\"\nabout = \"-0.5/pkt\""),
        format!("{fixed}\nslope = \"linear\"\nat_most = \"0/pkt\""),
    ];
    let claims: String = claims.iter().map(|lines| expect(lines)).collect();
    let verdicts: Vec<Verdict> = judged(6, &claims)
        .iter()
        .map(|claim| claim.verdict)
        .collect();
    let (pass, differs) = (Verdict::Pass, Verdict::Differs);
    assert_eq!(verdicts, [pass, pass, differs, pass]);
}

#[test]
fn a_claim_that_needs_more_is_not_judged_at_a_small_scale() {
    let folder = tempfile::tempdir().expect("a folder");
    let claims = expect(&format!("{AT}\nat_most = 1\nscale = 0.5"));
    let study = study(4, &claims).at_scale(0.25);
    let claims = run(&study, &folder.path().join("queues")).claims;
    assert_eq!(
        (claims[0].verdict, claims[0].ours.clone()),
        (Verdict::NotRun, None)
    );
}

/// Losses of M/M/1/K queues fall by about the load with each place, so their logarithm is nearly a
/// straight line.
#[test]
fn how_straight_a_course_is_can_be_claimed() {
    let places = "[\"2pkts\", \"3pkts\", \"4pkts\", \"5pkts\"]";
    let straight = |rate: &str, scales: &str, bound: &str| {
        expect(&format!(
            "at = {{ rate = \"{rate}\" }}\nalong = \"places\"\nstraight = \"{scales}\"\n{bound}"
        ))
    };
    let claims = straight("500kbps", "log_y", "at_least = 0.97")
        + &straight("500kbps", "linear", "at_least = 0.97")
        + &straight("500kbps", "log_y", "at_most = 0.9");
    let text = QUEUES
        .replace("REPLICATIONS", "6")
        .replace("[\"2pkts\", \"4pkts\", \"8pkts\"]", places);
    let text = StudyText::parse("q.toml", "q", (text + &claims).as_bytes(), Arc::new(()));
    let study = text.check().unwrap_or_else(|problems| panic!("{problems}"));
    let folder = tempfile::tempdir().expect("a folder");
    let claims = run(&study, &folder.path().join("q")).claims;
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Pass, Verdict::Differs, Verdict::Differs],
        "{claims:?}"
    );
}

#[test]
fn three_points_are_too_few_to_be_called_straight() {
    let claim = expect(
        "at = { rate = \"500kbps\" }\nalong = \"places\"\nstraight = \"log_y\"\nat_least = 0.1",
    );
    let claims = judged(3, &claim);
    assert_eq!(claims[0].verdict, Verdict::Undecided, "{:?}", claims[0]);
}

/// At four places and a load of 0.8: loss 0.1218, utilisation 0.7025.
#[test]
fn a_number_may_be_divided_by_another_of_the_same_run() {
    let per = "per = \"link.core.utilisation\"";
    let [right, wrong] = [0.1734, 0.2].map(|ratio| format!("{per}\n{AT}\nabout = {ratio}"));
    let claims = judged(4, &[right, wrong].map(|lines| expect(&lines)).concat());
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Differs], "{claims:?}");
    let unknown = study(
        1,
        &expect(&format!(
            "per = \"link.core.utilization\"\n{AT}\nat_least = 0.0"
        )),
    );
    let problem = mistakes(&unknown)[0].to_string();
    assert!(
        problem.contains("expect[0].per") && problem.contains("utilisation"),
        "{problem}"
    );
}

/// Claims about a link and a group that no packet reaches: nothing is known of them.
#[test]
fn a_share_or_a_rate_of_nothing_has_no_value_and_proves_no_claim() {
    let claim = |y: &str, bound: &str| {
        format!(
            "[[expect]]\nclaim = \"{y}\"\ny = \"{y}\"\nat = {{ places = \"4pkts\", rate = \"500kbps\" }}\n{bound}\n"
        )
    };
    let claims = [
        claim("link.core.loss_ratio", "at_most = 0.0"),
        claim("flows.f.loss_ratio", "at_most = 0.0"),
        claim("flows.f.jain_index", "at_least = 0.0"),
        claim(
            "flows.f.goodput_bps",
            "per = \"flows.f.offered_bps\"\nat_most = 1.0",
        ),
    ];
    let text = QUEUES
        .replace("REPLICATIONS", "3")
        .replace("400s", "20s")
        .replace("name = \"f\",", "name = \"f\", start = \"30s\",");
    let study = checked("nothing", &(text + &claims.concat()));
    let folder = tempfile::tempdir().expect("a folder");
    let found = run(&study, &folder.path().join("nothing")).claims;
    assert_eq!(found.len(), claims.len());
    for claim in found {
        assert_eq!(claim.verdict, Verdict::Undecided, "{claim:?}");
        let note = claim.note.expect("a reason");
        assert!(note.contains("no value in any replication"), "{note}");
        assert_eq!(
            note.contains("no packet arrived"),
            note.contains("loss_ratio"),
            "{note}"
        );
    }
}
