//! Messages of wrong expressions.

use pacesim_language::expression::{Expression, NoNames, Target};

/// Wrong expressions for a capacity, each with the text at fault and the message.
const WRONG: [(&str, &str, &str); 28] = [
    ("", "", "expected a value, found the end"),
    ("1pkt +", "", "expected a value, found the end"),
    ("(1pkt", "", "expected \")\", found the end"),
    (
        "1pkt)",
        ")",
        "expected the end of the expression, found \")\"",
    ),
    (
        "1pkt 2pkt",
        "2pkt",
        "expected the end of the expression, found a number",
    ),
    ("* 2", "*", "expected a value, found \"*\""),
    ("1pkt % 2", "%", "the character '%' has no meaning here"),
    (
        "10Mbp * 1s",
        "10Mbp",
        "\"10Mbp\" is not a number with a unit",
    ),
    (
        "web*.goodput * 1pkt",
        ".goodput",
        "no name begins with \".goodput\"",
    ),
    (
        "1.2.3pkt",
        "1.2.3pkt",
        "\"1.2.3pkt\" is not a number with a unit",
    ),
    (
        "bdp(core)",
        "bdp(core)",
        "there is nothing of the name \"bdp\"",
    ),
    ("bdp(2)", "2", "expected a name, found a number"),
    ("bdp()", ")", "expected a name, found \")\""),
    ("min(1pkt)", "min", "min does not take 1 values"),
    ("sqrt(1, 2)", "sqrt", "sqrt does not take 2 values"),
    ("pow(2)", "pow", "pow does not take 1 values"),
    (
        "1pkt * pow(0 - 1, 2)",
        "pow(0 - 1, 2)",
        "pow of zero or a negative number",
    ),
    (
        "pow(2ms, 2) * 1pkt",
        "pow(2ms, 2)",
        "pow takes a number without a unit, and not a time in s",
    ),
    ("1pkt / 0", "1pkt / 0", "this divides by zero"),
    ("1pkt / (2 - 2)", "1pkt / (2 - 2)", "this divides by zero"),
    (
        "sqrt(0 - 4) * 1pkt",
        "sqrt(0 - 4)",
        "sqrt of a negative number",
    ),
    (
        "log(0) * 1pkt",
        "log(0)",
        "log of zero or a negative number",
    ),
    (
        "log(5ms) * 1pkt",
        "log(5ms)",
        "log takes a number without a unit, and not a time in s",
    ),
    (
        "1pkt + 1KB",
        "1pkt + 1KB",
        "+ joins a number of packets in pkt and an amount of data in bit",
    ),
    (
        "max(1ms, 10Mbps)",
        "max(1ms, 10Mbps)",
        "max joins a time in s and a rate in bit/s",
    ),
    (
        "10Mbps",
        "10Mbps",
        "this is a rate in bit/s, but an amount of data in bit or a number of packets in pkt is expected",
    ),
    ("0pkts - 3pkts", "0pkts - 3pkts", "this is negative: -3pkts"),
    (
        "1e300 * 1e300 * 1pkt",
        "1e300 * 1e300",
        "this is beyond all numbers",
    ),
];

#[test]
fn each_mistake_has_a_place_a_message_and_a_remedy() {
    for (text, at, message) in WRONG {
        let resolved =
            Expression::parse(text).and_then(|parsed| parsed.resolve(&NoNames, Target::Capacity));
        let problem = resolved.expect_err(text);
        assert_eq!(
            (&text[problem.at.clone()], problem.message.as_str()),
            (at, message),
            "{text}"
        );
        assert!(!problem.help.is_empty(), "{text} has no remedy");
    }
}

#[test]
fn depth_and_length_are_limited() {
    let deep = format!("{}1{}", "(".repeat(60), ")".repeat(60));
    let problem = Expression::parse(&deep).expect_err("too deep");
    assert_eq!(problem.message, "more than 50 levels are nested");
    let long = Expression::parse(&"1 + ".repeat(300)).expect_err("too long");
    assert_eq!(long.message, "the expression has more than 1000 characters");
}
