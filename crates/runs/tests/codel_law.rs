//! CoDel's drops under a load that does not react, compared with the solution of its control law.

use pacesim::queues::{Codel, CodelConfig, Line, Pending, Queue, Turn};
use pacesim::units::{FlowId, Span, Time};
use pacesim_analytic::aqm::codel_drops;

/// Drop times in seconds, for 12 Mbps of packets of 1500 B on a line of 10 Mbps.
fn simulated(interval: Span, drops: usize) -> Vec<f64> {
    const SERVICE: Span = Span::from_us(1200);
    let mut codel = Codel::new(&CodelConfig {
        interval,
        ..CodelConfig::default()
    });
    let (mut times, mut free) = (Vec::new(), Time::ZERO);
    for key in 0.. {
        let now = Time::ZERO + Span::from_us(1000 * u64::from(key));
        while free <= now {
            match codel.turn(free, Line::Free) {
                Turn::Hold => break,
                Turn::Trim { .. } => unreachable!("it cuts no payloads off"),
                Turn::Drop(..) => times.push(free.as_secs_f64()),
                Turn::Go { .. } => free += SERVICE,
            }
        }
        let is_idle = codel.waiting().packets == 0 && free <= now;
        let packet = Pending::new(key, FlowId(0), 1500);
        codel.arrive(now, packet).expect("room for 1000");
        if is_idle {
            assert!(matches!(codel.turn(now, Line::Free), Turn::Go { .. }));
            free = now + SERVICE;
        }
        if times.len() >= drops {
            break;
        }
    }
    times
}

/// A drop waits for the packet on the line. The next one is due from the time at which it was due itself.
#[test]
fn drops_come_at_the_times_that_are_solved() {
    for (interval, drops) in [(Span::from_ms(100), 200), (Span::from_ms(50), 60)] {
        let solved = codel_drops(interval.as_secs_f64(), drops as u32).expect("drops");
        let times = simulated(interval, drops);
        for (number, (at, due)) in times.iter().zip(&solved).enumerate() {
            let late = at - times[0] - due;
            assert!(
                (-1e-9..0.0012 + 1e-9).contains(&late),
                "drop {number} of {interval}: {late} s behind the law"
            );
        }
    }
}
