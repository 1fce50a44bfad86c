use super::*;

fn parse(text: &str) -> Result<Vectors, String> {
    super::parse(text.as_bytes())
}
use pacesim_model::After::{self, Arrivals, OwnUnit};
use pacesim_units::Bytes;

fn one(text: &str) -> Vector {
    let vectors = parse(text).expect(text);
    assert_eq!(vectors.len(), 1, "{text}");
    vectors[0].clone()
}

/// The steps of an end: condition, microseconds, bytes.
fn steps(vector: &Vector, end: End) -> Vec<(After, u64, u64)> {
    let steps = vector.steps[end as usize].iter();
    steps
        .map(|step| (step.after, step.wait.as_ps() / 1_000_000, step.size.0))
        .collect()
}

#[test]
fn ends_that_take_turns_wait_for_all_that_the_other_sent() {
    let vector = one(
        "# own\n\nSEQ 2500 2 7 7\nw 8760 17520\nr 30000\nl 0.25 0\nm 536 1000\n\
        > 500\nt 20\n> 700\nt 0\n< 2000\nt 40\n> 9\nt 100000\n",
    );
    assert_eq!(vector.start, Span::from_us(2500));
    assert_eq!(vector.windows, Some([8760, 17520]));
    assert_eq!(vector.segments, Some([536, 1000]));
    assert_eq!(
        (vector.round_trip, vector.loss),
        (Span::from_ms(30), [0.25, 0.0])
    );
    assert_eq!(vector.first, Some(End::Initiator));
    let of_initiator = [
        (OwnUnit, 0, 500),
        (OwnUnit, 20, 700),
        (Arrivals(1), 40, 9),
        (OwnUnit, 100_000, 0),
    ];
    assert_eq!(steps(&vector, End::Initiator), of_initiator);
    let of_acceptor = [(Arrivals(2), 1, 2000), (OwnUnit, 0, 0)];
    assert_eq!(steps(&vector, End::Acceptor), of_acceptor);
}

#[test]
fn the_called_end_may_speak_first() {
    let vector = one("SEQ 0 1 1 1\n< 90\nt 12\n> 30");
    assert_eq!(vector.first, Some(End::Acceptor));
    let of_acceptor = [(OwnUnit, 0, 90), (OwnUnit, 0, 0)];
    assert_eq!(steps(&vector, End::Acceptor), of_acceptor);
    // Neither end has a time until it closes.
    let of_initiator = [(Arrivals(1), 12, 30), (OwnUnit, 1_000_000, 0)];
    assert_eq!(steps(&vector, End::Initiator), of_initiator);
}

#[test]
fn ends_that_do_not_take_turns_have_waits_of_their_own() {
    let vector = one("CONC 0 2 1 1 1\nc> 3000\nt> 200\nc< 5000\nt< 150\nc> 2000\nt> 90");
    assert_eq!(vector.first, None);
    let of_initiator = [(OwnUnit, 0, 3000), (OwnUnit, 200, 2000), (OwnUnit, 90, 0)];
    assert_eq!(steps(&vector, End::Initiator), of_initiator);
    let of_acceptor = [(OwnUnit, 0, 5000), (OwnUnit, 150, 0)];
    assert_eq!(steps(&vector, End::Acceptor), of_acceptor);
}

#[test]
fn both_formats_mean_the_same() {
    let original = "SEQ 60 2 2 2\nw 8760 64240\nr 20000\nl 0 0.5\n> 400\nt 3000\n< 30000\nt 7000\n\
        > 1460\nt 20\n> 8\nt 1000\n< 1461\nt 5\n\
        CONC 70 2 1 3 3\nr 10\nc> 1\nt> 20\nc< 5\nc> 2\nt< 9\nt> 8\n";
    let alternate = "S 60 2 2 2\nw 8760 64240\nr 20000\nl 0 0.5\nI 0 0 400\nA 0 3000 30000\n\
        I 0 7000 1460\nI 20 0 8\nA 0 1000 1461\nA 5 0 0\n\
        C 70 2 1 3 3\nr 10\nI 0 0 1\nA 0 0 5\nI 20 0 2\nA 9 0 0\nI 8 0 0\n";
    assert_eq!(parse(original), parse(alternate));
}

#[test]
fn what_does_not_parse_is_said_with_its_line_and_what_was_expected() {
    let header = "SEQ 0 1 1 1\n";
    for (lines, place, expected) in [
        ("", "there are no connections", "SEQ 10000"),
        ("# nothing\n", "there are no connections", "SEQ 10000"),
        ("> 245\n", "line 1", "the header of a connection"),
        (
            "SEQ now 1 1 1\n> 2\n",
            "line 1",
            "the start in microseconds",
        ),
        ("SEQ 0\n> 2\n", "line 1", "the number of units"),
        ("SEQ 0 1 1 1\n\n> many\n", "line 3", "a number of bytes"),
        ("SEQ 0 1 1 1\n> 2 3\n", "line 2", "a number of bytes"),
        ("SEQ 0 1 1 1\n> -2\n", "line 2", "a number of bytes"),
        (
            "SEQ 0 1 1 1\n> 2\n< 3\n",
            "line 3",
            "a number of microseconds",
        ),
        ("SEQ 0 1 1 1\nt 3\n> 2\n", "line 2", "a number of bytes"),
        (
            "SEQ 0 1 1 1\n> 2\nt 3\nt 3\n",
            "line 4",
            "a number of bytes",
        ),
        ("CONC 0 1 1 1 1\nc> 2\nc> 3\n", "line 3", "microseconds"),
        ("CONC 0 1 1 1 1\n> 2\n", "line 2", "c>, c<, t> or t<"),
        ("SEQ 0 1 1 1\nI 0 0 2\n", "line 2", ">, < or t"),
        ("S 0 1 1 1\nI 0 0\n", "line 2", "two waits"),
        ("S 0 1 1 1\nI 0 0 5\nA 3 4 5\n", "line 3", "one of them 0"),
        ("S 0 1 1 1\nw 5\n", "line 2", "two windows"),
        ("S 0 1 1 1\nl 1.5 0\n", "line 2", "from 0 to 1"),
        ("S 0 1 1 1\nm 0 5\n", "line 2", "at least 1"),
        ("S 0 1 1 1\nr 99999999999999999\n", "line 2", "a round trip"),
        (
            "S 0 1 1 1\nI 0 0 5\nI 9 0 0\nI 3 0 5\n",
            "line 4",
            "this end has closed",
        ),
        (header, "line 1", "sends nothing"),
        (
            "S 0 1 1 1\nI 0 0 0\nS 0 1 1 1\nI 0 0 1\n",
            "line 1",
            "sends nothing",
        ),
    ] {
        let error = parse(lines).expect_err(lines);
        let is_said = error.starts_with(place) && error.contains(expected);
        assert!(is_said, "{lines:?}: {error}");
    }
}

#[test]
fn a_unit_is_never_lost() {
    let vector = one("S 0 1 1 1\nA 0 0 1\nI 0 5 2\nI 0 0 3\n");
    let sum = |end| {
        vector.steps[end as usize]
            .iter()
            .map(|step| step.size.0)
            .sum::<u64>()
    };
    assert_eq!([sum(End::Initiator), sum(End::Acceptor)], [5, 1]);
    assert_eq!(vector.steps[0][1].wait, Span::from_us(1));
    assert_eq!(vector.steps[1][0].size, Bytes(1));
}
