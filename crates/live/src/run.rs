//! A live run: hosts, their programs, and the loop between them.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle, scope};

use nix::sys::prctl::set_timerslack;
use pacesim::units::Time;
use pacesim::{Exits, Fate, World};

use crate::clock::Clock;
use crate::drive::{Departure, Drive, Entry, Record};
use crate::error::LiveError;
use crate::header::Foreign;
use crate::host::{Received, Times, listen_udp, receive_tcp, receive_udp, send_tcp, send_udp};
use crate::judge::{Evidence, Verdict, drain_time};
use crate::lateness::Lateness;
use crate::namespace::{Host, separate_network};
use crate::plan::{FIRST_PORT, Plan, Program};

/// Time from the set-up to the start of the run.
const HEAD_START_NS: i64 = 100_000_000;

/// The results of a live run.
pub struct Outcome {
    /// The world at its end, for its rows and its fingerprint.
    pub world: World<Exits>,
    /// The packets that entered it, in their order.
    pub entries: Vec<Entry>,
    /// Their ends, in the order of time. Packets that were still inside at the end have none.
    pub departures: Vec<Departure>,
    /// Everything that the receiver of each real flow got, in the order of [`Plan::real`].
    pub received: Vec<Received>,
    /// Bytes or datagrams that the sender of each real flow handed to the kernel.
    pub sent: Vec<u64>,
    /// Lateness before the write, of packets due after the warm-up.
    pub late: Lateness,
    /// Time from the kernel's stamp of a packet until it was read.
    pub entry_lag: Lateness,
    /// Packets that entered after their stamp, because the world was past it.
    pub clamped: u64,
    /// Frames that were not carried, by reason.
    pub foreign: BTreeMap<Foreign, u64>,
    /// Share of a processor that the loop took.
    pub cpu_share: f64,
    /// The facts that the verdict follows from.
    pub evidence: Evidence,
}

impl Outcome {
    /// The verdict on the run.
    pub fn verdict(&self) -> Verdict {
        self.evidence.verdict()
    }
}

/// Makes a live run, until its end or until `stop` is set.
pub fn run(plan: &Plan, stop: &AtomicBool) -> Result<Outcome, LiveError> {
    let model = plan.model.clone();
    let world = World::watched(model, Exits::of(&plan.model))
        .map_err(|error| LiveError::Scenario(error.to_string()))?;
    // The namespace of a thread ends with it, and with the last of its hosts.
    scope(|threads| {
        let driver = threads.spawn(|| drive(plan, world, stop));
        driver.join().expect("the driver returns its errors")
    })
}

fn drive(plan: &Plan, world: World<Exits>, stop: &AtomicBool) -> Result<Outcome, LiveError> {
    separate_network()?;
    let made: Result<Vec<_>, _> = (0..plan.hosts.len()).map(Host::new).collect();
    let (hosts, doors): (Vec<_>, Vec<_>) = made?.into_iter().unzip();
    let listeners: Result<Vec<_>, _> = (0..plan.real.len())
        .map(|number| Listener::of(plan, &hosts, number))
        .collect();
    let listeners = listeners?;
    let clock = Clock::starting_in(HEAD_START_NS);
    let is_over = AtomicBool::new(false);
    let warm = Time::ZERO + plan.model.warmup;
    let times = Times {
        clock,
        window: [clock.outside(warm), clock.outside(world.end())],
        is_over: &is_over,
    };
    let _ = set_timerslack(1);
    let mut drive = Drive::new(plan, world, doors, clock);
    let (driven, ends) = scope(|threads| {
        let ends: Vec<Ends<'_>> = (0..plan.real.len())
            .map(|number| Ends::start(threads, plan, &hosts, &listeners[number], number, times))
            .collect();
        let driven = drive.run(stop);
        is_over.store(true, Ordering::Relaxed);
        (driven, ends.into_iter().map(Ends::join).collect::<Vec<_>>())
    });
    driven?;
    Ok(outcome(plan, drive, ends))
}

/// The results of a run that has ended.
fn outcome(plan: &Plan, drive: Drive<'_>, ends: Vec<[Result<Got, String>; 2]>) -> Outcome {
    let door_drops = drive.doors.iter().map(|door| door.drops).sum();
    let clock_step_ns = drive.clock.step();
    let (world, record) = (drive.world, drive.record);
    let Record {
        entries,
        departures,
        foreign,
        clamped,
        cpu_share,
    } = record;
    let warm = Time::ZERO + plan.model.warmup;
    let written = departures
        .iter()
        .filter(|departure| departure.fate == Fate::Delivered && departure.due >= warm);
    let late = Lateness::of(written.map(|departure| departure.late_before_ns));
    let entry_lag = Lateness::of(entries.iter().map(|entry| entry.lag_ns));
    let links = plan.outer().flat_map(|flow| world.path(flow));
    let drain = drain_time(&plan.model, links);
    let mut evidence = Evidence {
        door_drops,
        failures: Vec::new(),
        clock_step_ns,
        late_max_ns: late.max_ns,
        drain_ns: drain.map(|drain| (drain.as_ps() / 1000) as i64),
    };
    let (mut received, mut sent) = (Vec::new(), Vec::new());
    for (real, both) in plan.real.iter().zip(ends) {
        let (mut bytes, mut got) = (0, Received::default());
        for end in both {
            match end {
                Ok(Got::Sent(number)) => bytes = number,
                Ok(Got::Received(all)) => got = all,
                Err(reason) => {
                    let name = plan.name(real);
                    evidence
                        .failures
                        .push(format!("a host of {name} failed: {reason}"));
                }
            }
        }
        received.push(got);
        sent.push(bytes);
    }
    Outcome {
        world,
        entries,
        departures,
        received,
        sent,
        late,
        entry_lag,
        clamped,
        foreign,
        cpu_share,
        evidence,
    }
}

/// The socket of a receiver, which is bound before anything is sent.
enum Listener {
    Tcp(TcpListener),
    Udp(UdpSocket),
}

impl Listener {
    fn of(plan: &Plan, hosts: &[Host], number: usize) -> Result<Listener, LiveError> {
        let host = &hosts[plan.real[number].hosts[1]];
        let at = socket_address(host, number);
        let bound = host.inside(|| match plan.real[number].program {
            Program::Tcp { .. } => {
                let bound = TcpListener::bind(at).map_err(|error| error.to_string());
                bound.map(Listener::Tcp)
            }
            Program::Cbr { .. } => listen_udp(at).map(Listener::Udp),
        })?;
        bound.map_err(|reason| LiveError::at("cannot bind a receiver", reason))
    }
}

fn socket_address(host: &Host, number: usize) -> SocketAddrV4 {
    SocketAddrV4::new(Ipv4Addr::from(host.address), FIRST_PORT + number as u16)
}

/// The result of one end of a flow.
enum Got {
    Sent(u64),
    Received(Received),
}

/// The threads of a flow's ends.
struct Ends<'scope>([ScopedJoinHandle<'scope, Result<Got, String>>; 2]);

impl<'scope> Ends<'scope> {
    fn start<'env>(
        threads: &'scope Scope<'scope, 'env>,
        plan: &'env Plan,
        hosts: &'env [Host],
        listener: &'env Listener,
        number: usize,
        times: Times<'env>,
    ) -> Ends<'scope> {
        let real = &plan.real[number];
        let [from, to] = real.hosts.map(|host| &hosts[host]);
        let at = socket_address(to, number);
        let span = [real.start, real.stop].map(|time| times.clock.outside(time));
        let receiver = threads.spawn(move || {
            let received = match listener {
                Listener::Tcp(listener) => receive_tcp(listener, times),
                Listener::Udp(socket) => receive_udp(socket, times),
            };
            received.map(Got::Received)
        });
        let sender = threads.spawn(move || {
            from.enter().map_err(|error| error.to_string())?;
            let sent = match &real.program {
                Program::Tcp { control, bytes } => send_tcp(at, control, *bytes, span, times),
                Program::Cbr { rate, size } => {
                    send_udp(Ipv4Addr::from(from.address), at, *rate, size.0, span, times)
                }
            };
            sent.map(Got::Sent)
        });
        Ends([receiver, sender])
    }

    fn join(self) -> [Result<Got, String>; 2] {
        let lost = || Err("its thread panicked".to_owned());
        self.0
            .map(|thread| thread.join().unwrap_or_else(|_| lost()))
    }
}
