//! Steps a pacer so many times, for an instruction counter around it:
//! `instructions PACER N STEPS`. Without arguments it does nothing, so that
//! `cargo bench` passes over it.
#![allow(missing_docs, unreachable_pub)]

mod workload;

use pacesim_pacers::Pacer;
use workload::steady;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n, steps] = &arguments[..] else {
        return;
    };
    let (Ok(n), Ok(steps)) = (n.parse(), steps.parse::<u64>()) else {
        return;
    };
    let mut workload = steady(name, n);
    for _ in 0..steps {
        workload.step();
    }
    let waiting = workload.pacer.waiting().packets;
    println!("{waiting} waiting, {} bytes released", workload.released);
}
