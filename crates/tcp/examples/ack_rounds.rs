//! ACK rounds of one flow, for `benches/ack_instructions.sh` and profilers.
//!
//! `ack_rounds ROUNDS SENDER LOSS`: a sender of [`SENDERS`], and either the loss per mille below
//! the receiver's window or `buffer`, a bottleneck whose buffer the window fills; prints the
//! sender's counters.
#![allow(unreachable_pub, dead_code)]

#[path = "../benches/rounds/mod.rs"]
mod rounds;

use pacesim_tcp::{Amount, Profile};
use rounds::{Path, Rounds, SENDERS, sender};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((count, mut rounds)) = parse(&words) else {
        eprintln!("usage: ack_rounds ROUNDS SENDER LOSS_PER_MILLE|buffer");
        eprintln!("senders: {}", SENDERS.join(" "));
        std::process::exit(2)
    };
    match rounds.sender.config().profile {
        Profile::Linux => (0..count).for_each(|_| rounds.ack::<true>()),
        Profile::Ns2 | Profile::Rfc => (0..count).for_each(|_| rounds.ack::<false>()),
    }
    println!("{:?}", rounds.sender.counters());
}

fn parse(words: &[String]) -> Option<(u64, Rounds)> {
    let [count, name, loss] = words else {
        return None;
    };
    let path = match loss.as_str() {
        "buffer" => Path::Buffer,
        loss => Path::Loss(loss.parse().ok()?),
    };
    let rounds = Rounds::new(sender(name)?, Amount::Endless, path);
    Some((count.parse().ok()?, rounds))
}
