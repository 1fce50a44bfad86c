//! ACK rounds of one flow, for `benches/ack_instructions.sh` and profilers.
//!
//! `ack_rounds ROUNDS VARIANT [LOSS]`, with the variant in lower case and the loss per mille;
//! prints what the sender counted.
#![allow(unreachable_pub)]

#[path = "../benches/rounds/mod.rs"]
mod rounds;

use pacesim_tcp::{Amount, Variant};
use rounds::Rounds;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (count, variant, loss) = parse(&words).unwrap_or_else(|| {
        eprintln!("usage: ack_rounds ROUNDS tahoe|reno|newreno|sack|fack [LOSS_PER_MILLE]");
        std::process::exit(2)
    });
    let mut rounds = Rounds::new(variant, Amount::Endless, loss);
    for _ in 0..count {
        rounds.ack();
    }
    println!("{:?}", rounds.sender.counters());
}

fn parse(words: &[String]) -> Option<(u64, Variant, u32)> {
    let (count, variant, loss) = match words {
        [count, variant] => (count, variant, 0),
        [count, variant, loss] => (count, variant, loss.parse().ok()?),
        _ => return None,
    };
    let named = |v: &Variant| format!("{v:?}").eq_ignore_ascii_case(variant);
    Some((
        count.parse().ok()?,
        Variant::ALL.into_iter().find(named)?,
        loss,
    ))
}
