//! Random expressions, written in infix notation and evaluated independently: by a stack machine in
//! Polish notation with units as real powers of base units.

use pacesim_language::expression::{Expression, Names, NoNames, Target, Value};
use pacesim_units::{Bytes, Rate, Span};
use proptest::prelude::*;

/// A step of the stack machine.
#[derive(Clone, Debug)]
enum Step {
    Push(f64, &'static str),
    Negate,
    Join(char),
    Pick(&'static str),
    Root,
    Logarithm,
    Power,
}

/// A number and the powers of bit, s and pkt.
type Entry = (f64, [f64; 3]);

/// The powers of a unit as written, and its size in base units.
fn base(unit: &str) -> (f64, [f64; 3]) {
    match unit {
        "" => (1.0, [0.0; 3]),
        "ms" => (1e-3, [0.0, 1.0, 0.0]),
        "s" => (1.0, [0.0, 1.0, 0.0]),
        "Mbps" => (1e6, [1.0, -1.0, 0.0]),
        "kB" => (8e3, [1.0, 0.0, 0.0]),
        "B" => (8.0, [1.0, 0.0, 0.0]),
        _ => (1.0, [0.0, 0.0, 1.0]),
    }
}

/// True if a result is a rounding residue of nearly equal numbers, so that its sign is uncertain.
fn cancels(result: f64, of: f64) -> bool {
    result.abs() <= 1e-5 * of
}

/// The result; `None` if the machine finds any mistake. Notes in `cancelled` if digits were lost.
fn machine(steps: &[Step], cancelled: &mut bool) -> Option<Entry> {
    let mut stack: Vec<Entry> = Vec::new();
    for step in steps {
        let top = match step {
            Step::Push(number, unit) => {
                let (size, powers) = base(unit);
                (number * size, powers)
            }
            Step::Negate => stack.pop().map(|(x, powers)| (-x, powers))?,
            Step::Join(sign) => {
                let ((b, of_b), (a, of_a)) = (stack.pop()?, stack.pop()?);
                let joined = join(*sign, (a, of_a), (b, of_b))?;
                *cancelled |= matches!(sign, '+' | '-') && cancels(joined.0, a.abs() + b.abs());
                joined
            }
            Step::Pick(name) => {
                let ((b, of_b), (a, of_a)) = (stack.pop()?, stack.pop()?);
                let picked = if *name == "min" { a.min(b) } else { a.max(b) };
                (of_a == of_b).then_some((picked, of_a))?
            }
            Step::Root => {
                let (x, powers) = stack.pop()?;
                let is_whole = powers.iter().all(|power| power.fract() == 0.0);
                (x >= 0.0 && is_whole).then(|| (x.sqrt(), powers.map(|power| power / 2.0)))?
            }
            Step::Logarithm => {
                let (x, powers) = stack.pop()?;
                *cancelled |= cancels(x - 1.0, 1.0);
                (x > 0.0 && powers == [0.0; 3]).then(|| (libm::log(x), powers))?
            }
            Step::Power => {
                let ((b, of_b), (a, of_a)) = (stack.pop()?, stack.pop()?);
                let is_plain = of_a == [0.0; 3] && of_b == of_a;
                // By logarithms, so a large exponent costs digits.
                *cancelled |= b.abs() > 1e3;
                (a > 0.0 && is_plain).then(|| (libm::exp(b * libm::log(a)), of_a))?
            }
        };
        let fits = top.1.iter().all(|power| power.abs() <= 32.0);
        stack.push((top.0.is_finite() && fits).then_some(top)?);
    }
    stack.pop()
}

fn join(sign: char, (a, of_a): Entry, (b, of_b): Entry) -> Option<Entry> {
    let with = |sign: f64| [0, 1, 2].map(|i| of_a[i] + sign * of_b[i]);
    match sign {
        '+' => (of_a == of_b).then_some((a + b, of_a)),
        '-' => (of_a == of_b).then_some((a - b, of_a)),
        '*' => Some((a * b, with(1.0))),
        _ => (b != 0.0).then(|| (a / b, with(-1.0))),
    }
}

/// A text, and the steps of the same expression.
fn expressions() -> impl Strategy<Value = (String, Vec<Step>)> {
    let units = prop::sample::select(vec!["", "", "ms", "s", "Mbps", "kB", "B", "pkts"]);
    let leaf = (1_u32..50, units).prop_map(|(n, unit)| {
        let step = Step::Push(f64::from(n), unit);
        (format!("{n}{unit}"), vec![step])
    });
    leaf.prop_recursive(5, 40, 2, |inner| {
        let sign = prop::sample::select(vec!['+', '-', '*', '/']);
        let pick = prop::sample::select(vec!["min", "max"]);
        let steps = |a: Vec<Step>, b: Vec<Step>, step| [a, b, vec![step]].concat();
        prop_oneof![
            4 => (inner.clone(), sign, inner.clone()).prop_map(move |((a, of_a), sign, (b, of_b))| {
                (format!("({a}) {sign} ({b})"), steps(of_a, of_b, Step::Join(sign)))
            }),
            1 => (inner.clone(), pick, inner.clone()).prop_map(move |((a, of_a), pick, (b, of_b))| {
                (format!("{pick}({a}, {b})"), steps(of_a, of_b, Step::Pick(pick)))
            }),
            1 => (inner.clone(), inner.clone()).prop_map(move |((a, of_a), (b, of_b))| {
                (format!("pow({a}, {b})"), steps(of_a, of_b, Step::Power))
            }),
            1 => inner.clone().prop_map(|(a, of_a)| (format!("-({a})"), [of_a, vec![Step::Negate]].concat())),
            1 => inner.clone().prop_map(|(a, of_a)| (format!("sqrt({a})"), [of_a, vec![Step::Root]].concat())),
            1 => inner.prop_map(|(a, of_a)| (format!("log({a})"), [of_a, vec![Step::Logarithm]].concat())),
        ]
    })
}

/// Products of base units, by the names of the powers that the machine has.
fn unit_text([bit, second, packet]: [f64; 3]) -> String {
    let power = |name: &str, power: f64| match power {
        1.0 => name.to_owned(),
        power => format!("{name}^{power}"),
    };
    let all = [("bit", bit), ("pkt", packet), ("s", second)];
    let above = all
        .iter()
        .filter(|(_, p)| *p > 0.0)
        .map(|(n, p)| power(n, *p));
    let above: Vec<String> = above.collect();
    let above = if above.is_empty() {
        "1".to_owned()
    } else {
        above.join("*")
    };
    let below = all
        .iter()
        .filter(|(_, p)| *p < 0.0)
        .map(|(n, p)| format!("/{}", power(n, -p)));
    above + &below.collect::<String>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn values_and_units_are_those_of_a_stack_machine((text, steps) in expressions()) {
        let parsed = Expression::parse(&text).expect("the grammar");
        let mut cancelled = false;
        match (parsed.value(&NoNames), machine(&steps, &mut cancelled)) {
            (Ok(Value { number, unit, .. }), Some((expected, powers))) => {
                let near = (number - expected).abs() <= 1e-9 * expected.abs();
                prop_assert!(near || cancelled, "{text}: {number}, expected {expected}");
                prop_assert_eq!(unit.to_string(), unit_text(powers), "{}", text);
            }
            (Err(_), None) => (),
            (found, expected) => prop_assert!(cancelled, "{text}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn any_text_gives_a_value_or_a_mistake_at_a_place_of_it(text in "[-+*/(), a-z0-9.×÷\\[\\]_]{0,60}") {
        let value = Expression::parse(&text).and_then(|parsed| parsed.value(&NoNames));
        match value {
            Ok(value) => prop_assert!(value.number.is_finite(), "{text}"),
            Err(problem) => prop_assert!(text.get(problem.at.clone()).is_some(), "{text}: {problem:?}"),
        }
    }
}

#[test]
fn precedence_and_order_are_those_of_arithmetic() {
    for (text, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("48 / 4 / 3", 4.0),
        ("-2 * -3", 6.0),
        ("--2", 2.0),
        ("6 ÷ 2 × 3", 9.0),
        ("2 − 3", -1.0),
        ("max(1, 2, min(9, 3))", 3.0),
        ("sqrt(16) + log(1)", 4.0),
        ("pow(2, 10) + pow(100, 1 / 2) + pow(4, -1)", 1034.25),
        ("1e3 + 1_000", 2000.0),
        (".5", 0.5),
    ] {
        let value = Expression::parse(text).and_then(|parsed| parsed.value(&NoNames));
        assert_eq!(value, Ok(Value::plain(expected)), "{text}");
    }
}

/// A scenario with a link of 10 Mbps and 40 ms, and 25 flows.
struct Core;

impl Names for Core {
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, (String, String)> {
        match (name, of) {
            ("flows", None) => Ok(Value::plain(25.0)),
            ("rate", Some("core")) => Ok(Rate::from_mbps(10).into()),
            ("rtt", Some("web-1")) => Ok(Span::from_ms(40).into()),
            ("bdp", Some("hop[1].back")) => Ok(Bytes(50_000).into()),
            (name, _) => Err((format!("no {name}"), "none".to_owned())),
        }
    }
}

#[test]
fn results_are_rounded_to_the_smallest_unit_of_their_quantity() {
    for (text, target, expected) in [
        ("bdp(hop[1].back) * 0.5", Target::Capacity, "25000B"),
        ("bdp(hop[1].back) / sqrt(flows)", Target::Capacity, "10000B"),
        (
            "bdp(hop[1].back) / 1500B * 1pkt",
            Target::Capacity,
            "33pkts",
        ),
        ("2 * rtt(web-1)", Target::Span, "80000000000ps"),
        ("rate(core) / 3", Target::Rate, "3333333bps"),
        ("rate(core) * rtt(web-1)", Target::Bytes, "50000B"),
        ("flows / 2", Target::Count, "13"),
        ("flows / 2", Target::Number, "12.5"),
        ("flows * 3pkts / 10", Target::Window, "7.5pkts"),
        ("1pkt * flows", Target::Packets, "25pkts"),
        ("10Mbit/s", Target::Rate, "10000000bps"),
        ("max(10Mbps - 0bps, 0.0Mbps)", Target::Rate, "10000000bps"),
    ] {
        let resolved = Expression::parse(text).and_then(|parsed| parsed.resolve(&Core, target));
        assert_eq!(resolved.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn results_are_exact_however_large_they_are() {
    for (text, target, expected) in [
        ("20000s + 1ps", Target::Span, "20000000000000001ps"),
        ("100 * 24h - 1ps", Target::Span, "8639999999999999999ps"),
        ("(0.1 + 0.2 - 0.3) * 1s", Target::Span, "0ps"),
        ("3 * (1s / 3)", Target::Span, "1000000000000ps"),
        (
            "2305843009213693951B",
            Target::Bytes,
            "2305843009213693951B",
        ),
        (
            "max(9007199254740993bps, 9007199254740992bps)",
            Target::Rate,
            "9007199254740993bps",
        ),
        ("0.29 * 100", Target::Count, "29"),
        ("1.5 * 1pkt", Target::Packets, "2pkts"),
    ] {
        let found = Expression::parse(text)
            .expect("a formula")
            .resolve(&NoNames, target);
        assert_eq!(found.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn nothing_is_written_as_a_negative_zero() {
    for text in [
        "-(1s - 1s)",
        "0s * -1",
        "-0s",
        "-sqrt(0) * 1s",
        "min(0s, -0s)",
    ] {
        let found = Expression::parse(text)
            .expect("a formula")
            .resolve(&NoNames, Target::Span);
        assert_eq!(found.as_deref(), Ok("0ps"), "{text}");
    }
    let plain = Expression::parse("-sqrt(0) * log(2)").expect("a formula");
    assert_eq!(
        plain.resolve(&NoNames, Target::Number).as_deref(),
        Ok("0.0")
    );
    let window = Expression::parse("-sqrt(0) * 1pkt").expect("a formula");
    assert_eq!(
        window.resolve(&NoNames, Target::Window).as_deref(),
        Ok("0pkts")
    );
}
