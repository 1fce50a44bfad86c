//! A TCP flow built in code: a file sent over a path with a small buffer, and its window over time.
//!
//!     cargo run --release -p pacesim --example tcp_flow

use std::sync::Arc;

use pacesim::model::{Buffer, Load, Model, Tcp, Traffic};
use pacesim::tcp::{Amount, Config, Variant};
use pacesim::units::{Bytes, Capacity, Rate, Span, Time};
use pacesim::{BuildError, World};

fn main() -> Result<(), BuildError> {
    let mut model = Model::new("a file over TCP", Span::from_secs(30));
    let (server, client) = (model.add_node("server"), model.add_node("client"));
    let (rate, delay) = (Rate::from_mbps(10), Span::from_ms(20));
    let there = model.add_link(server, client, rate, delay);
    model.link_mut(there).buffer = Buffer::waiting(Capacity::Packets(16));
    // Acknowledgements need a reverse path.
    model.add_link(client, server, rate, delay);
    let tcp = Tcp {
        config: Arc::new(Config::rfc(Variant::Sack)),
        load: Load::Once(Amount::Bytes(Bytes(5_000_000))),
        clock_phase: None,
        transport: None,
    };
    let flow = model.add_flow(server, client, Traffic::Tcp(tcp));
    model.flow_mut(flow).start = Time::ZERO + Span::from_ms(100);

    let mut world = World::new(model)?;
    for second in 1..=5 {
        world.run_until(Time::ZERO + Span::from_secs(second));
        let sender = world.tcp_sender(flow).expect("a TCP flow");
        let (window, slow_start) = (sender.cwnd(), sender.ssthresh());
        println!("{second} s: window {window:.1} packets, threshold {slow_start:.1}");
    }
    world.run();
    let transfers = world.take_transfers();
    let [file] = &transfers[..] else {
        panic!("one file was sent");
    };
    let row = &world.flow_rows()[flow.index()];
    println!("{file:?}\n{} packets sent again", row.retransmitted_pkts);
    assert!(row.retransmitted_pkts > 0, "the buffer is small");
    Ok(())
}

#[test]
fn runs() {
    main().expect("a good model");
}
