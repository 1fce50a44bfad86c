//! A user-defined queue discipline in one file, in front of a line.
//!
//!     cargo run --release -p pacesim --example own_queue

use std::collections::VecDeque;

use pacesim::model::{Buffer, Model, PortQueue, Sizes, Traffic};
use pacesim::queue::OwnQueue;
use pacesim::queues::{Line, Pending, Queue, Reason, Turn, Waiting, laws};
use pacesim::units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use pacesim::{BuildError, World};

/// Class 0 has priority, and pushes out class 1 if there is no room. A packet of class 1 that
/// waited too long is dropped at its turn.
struct Priority {
    classes: [VecDeque<(Pending, Time)>; 2],
    room: u64,
    patience: Span,
}

impl Priority {
    fn new(room: u64, patience: Span) -> Priority {
        Priority {
            classes: [VecDeque::new(), VecDeque::new()],
            room,
            patience,
        }
    }

    fn packets(&self) -> u64 {
        self.classes.iter().map(|class| class.len() as u64).sum()
    }
}

impl Queue for Priority {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        let class = usize::from(packet.class.min(1));
        let gives_way = class == 0 && !self.classes[1].is_empty();
        if self.packets() >= self.room && !gives_way {
            return Err(Reason::Full);
        }
        self.classes[class].push_back((packet, now));
        Ok(())
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        if self.packets() > self.room {
            let (pushed_out, _) = self.classes[1].pop_back().expect("it gives way");
            return Turn::Drop(pushed_out.key, Reason::Full);
        }
        if line == Line::Busy {
            return Turn::Hold;
        }
        let first = self.classes[0].pop_front();
        match first.or_else(|| self.classes[1].pop_front()) {
            None => Turn::Hold,
            Some((packet, came)) if packet.class > 0 && now - came > self.patience => {
                Turn::Drop(packet.key, Reason::Early)
            }
            Some((packet, _)) => Turn::go(packet.key),
        }
    }

    fn waiting(&self) -> Waiting {
        let all = self.classes.iter().flatten();
        Waiting {
            packets: self.packets(),
            bytes: Bytes(all.map(|(packet, _)| u64::from(packet.size)).sum()),
        }
    }
}

fn main() -> Result<(), BuildError> {
    // The laws that every discipline keeps.
    let (capacity, patience) = (Capacity::Packets(20), Span::from_ms(10));
    let promise = laws::Promise {
        capacity,
        counts_sending: false,
        ..laws::Promise::NONE
    };
    let arrivals = laws::random_arrivals(1, 5000);
    let make = || Priority::new(20, patience);
    if let Err(violation) = laws::check(make, promise, Rate::from_mbps(10_000), &arrivals) {
        panic!("the discipline breaks a law: {violation}");
    }

    let mut model = Model::new("two classes at one port", Span::from_secs(20));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(1));
    let own = OwnQueue::new("priority", move |_port| Priority::new(20, patience));
    model.link_mut(port).buffer = Buffer::waiting(capacity);
    model.link_mut(port).extras.queue = Some(PortQueue::Own(own));
    let size = Sizes::Constant(Bytes(1000));
    for (class, mbps) in [(0, 4), (1, 8)] {
        let rate = Rate::from_mbps(mbps);
        let flow = model.add_flow(
            a,
            b,
            Traffic::Poisson {
                rate,
                size: size.clone(),
            },
        );
        model.flow_mut(flow).class = class;
    }
    let mut world = World::new(model)?;
    world.run();
    let [urgent, patient] = [0, 1].map(|flow| world.flow(FlowId(flow)).dropped.packets);
    println!("dropped: {urgent} of class 0, {patient} of class 1");
    assert!(urgent == 0 && patient > 0, "class 0 goes first");
    Ok(())
}

#[test]
fn runs() {
    main().expect("a good model");
}
