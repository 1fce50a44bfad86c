//! Invalid configurations name the field, the condition and the remedy.

use pacesim_pacers::*;
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};

fn qlbp() -> QlbpConfig {
    QlbpConfig {
        mu_min: Some(Rate::from_mbps(2)),
        mu_max: Rate::from_mbps(10),
        q_max: Capacity::Packets(10),
        q_lim: Capacity::Packets(1000),
        line_rate: Rate::from_mbps(15),
    }
}

fn fields(problems: &[ConfigProblem]) -> Vec<&'static str> {
    problems.iter().map(|p| p.field).collect()
}

#[test]
fn each_broken_condition_of_qlbp_names_its_field() {
    let cases = [
        (qlbp(), vec![]),
        (
            QlbpConfig {
                mu_min: Some(Rate::from_mbps(11)),
                ..qlbp()
            },
            vec!["mu_min"],
        ),
        (
            QlbpConfig {
                mu_max: Rate::from_mbps(16),
                ..qlbp()
            },
            vec!["mu_max"],
        ),
        (
            QlbpConfig {
                q_max: Capacity::Packets(0),
                ..qlbp()
            },
            vec!["q_max"],
        ),
        (
            QlbpConfig {
                q_max: Capacity::Packets(1001),
                ..qlbp()
            },
            vec!["q_max"],
        ),
        (
            QlbpConfig {
                q_max: Capacity::Unlimited,
                ..qlbp()
            },
            vec!["q_max"],
        ),
        (
            QlbpConfig {
                q_lim: Capacity::Bytes(Bytes(9000)),
                ..qlbp()
            },
            vec!["q_lim"],
        ),
        (
            QlbpConfig {
                mu_min: Some(Rate::from_mbps(20)),
                mu_max: Rate::from_mbps(16),
                q_max: Capacity::Packets(2000),
                ..qlbp()
            },
            vec!["mu_min", "q_max", "mu_max"],
        ),
    ];
    for (config, expected) in cases {
        assert_eq!(fields(&config.validate()), expected, "{config:?}");
        assert_eq!(Qlbp::new(&config).is_ok(), expected.is_empty());
    }
}

#[test]
fn the_message_teaches() {
    let config = QlbpConfig {
        mu_max: Rate::from_mbps(16),
        ..qlbp()
    };
    assert_eq!(
        config.validate()[0].to_string(),
        "mu_max: mu_max <= C does not hold: 16Mbps > 15Mbps; \
         lower mu_max to the line's rate: nothing leaves faster than that"
    );
}

#[test]
fn the_form_of_2009_checks_its_own_conditions() {
    let config = Qlbp09Config {
        d_max: Span::ZERO,
        s_max: Bytes(1518),
        mu_max: Rate::from_mbps(200),
        q_max: Capacity::Packets(100),
        q_lim: Capacity::Unlimited,
        plug_in: Some(PlugIn {
            alpha_percent: 50,
            tick: Span::from_ms(1),
            whole_ticks: false,
        }),
        jitter: Span::from_secs(7200),
    };
    assert_eq!(
        fields(&config.validate()),
        ["jitter", "d_max", "plug_in.alpha_percent"]
    );
}

#[test]
fn absurd_delays_and_empty_buffers_are_refused() {
    let two_hours = Span::from_secs(7200);
    assert_eq!(fields(&HullConfig::new(two_hours).validate()), ["delay"]);
    let multi = HullMultiConfig::new(vec![Span::from_ms(1), two_hours]);
    assert_eq!(fields(&multi.validate()), ["delays"]);
    let none = UnpacedConfig {
        capacity: Capacity::Packets(0),
    };
    assert_eq!(fields(&none.validate()), ["capacity"]);
    let bucket = TokenBucketConfig {
        rate: Rate::from_mbps(1),
        burst: Bytes::ZERO,
        capacity: Capacity::Unlimited,
    };
    assert_eq!(fields(&bucket.validate()), ["burst"]);
    rule_of_thumb(1.5, Rate::from_mbps(1), Span::from_ms(1)).expect_err("a load of 150 %");
}

#[test]
fn packets_that_cannot_be_served_are_refused_with_the_reason() {
    let now = Time::from_ps(1000);
    let packet = Pending::new(0, FlowId(0), 100);
    let mut hull = HullMulti::new(&HullMultiConfig::new(vec![Span::from_us(1)])).expect("valid");
    let late = packet.due(Time::from_ps(999));
    assert_eq!(hull.enqueue(now, late), Err(Refused::DeadlineBeforeArrival));
    assert_eq!(
        hull.enqueue(now, packet.of_class(1)),
        Err(Refused::UnknownClass)
    );
    assert_eq!(hull.waiting(), Waiting::default());
    let mut bucket = TokenBucket::new(&TokenBucketConfig {
        rate: Rate::from_mbps(1),
        burst: Bytes(99),
        capacity: Capacity::Unlimited,
    })
    .expect("valid");
    assert_eq!(bucket.enqueue(now, packet), Err(Refused::LargerThanBucket));
}
