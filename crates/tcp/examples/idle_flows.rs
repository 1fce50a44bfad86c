//! Memory of idle flows: resident pages before and after creation of many. Linux only.
#![allow(unreachable_pub, dead_code)]

#[path = "../benches/rounds/mod.rs"]
mod rounds;

use std::sync::Arc;

use pacesim_tcp::{Amount, Config, Receiver, Sender, Variant};
use pacesim_units::Span;
use rounds::Rounds;

const FLOWS: usize = 100_000;
const PAGE: usize = 4096;

fn main() {
    let (sender, receiver) = (size_of::<Sender>(), size_of::<Receiver>());
    println!("bytes of a Sender and a Receiver        {sender} + {receiver}");
    let config = Arc::new(Config::ns2(Variant::Sack));
    let new = || (Sender::new(&config, Span::ZERO), Receiver::new(&config));
    println!("resident bytes of a new flow            {}", each(new));
    let clean = || transfer(&config, 0);
    println!("after a transfer of 100 packets         {}", each(clean));
    let lossy = || transfer(&config, 50);
    println!("after the same with 5 % loss            {}", each(lossy));
}

/// A flow that has sent 100 packets and has nothing more to do.
fn transfer(config: &Arc<Config>, loss_per_mille: u32) -> (Sender, Receiver) {
    let mut rounds = Rounds::of(config, Amount::Packets(100), loss_per_mille);
    while !rounds.sender.is_done() {
        rounds.ack::<false>();
    }
    (rounds.sender, rounds.receiver)
}

/// Resident bytes of one of many such flows; one run before, so that its temporary memory does not
/// count.
fn each(make: impl Fn() -> (Sender, Receiver)) -> usize {
    drop(make());
    let before = resident();
    let flows: Vec<_> = (0..FLOWS).map(|_| make()).collect();
    let bytes = resident().saturating_sub(before);
    drop(flows);
    bytes / FLOWS
}

fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages = statm.split(' ').nth(1).expect("size, then resident");
    pages.parse::<usize>().expect("a number of pages") * PAGE
}
