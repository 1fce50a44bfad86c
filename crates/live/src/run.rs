//! A live run: hosts, their programs, and the loop between them.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, UdpSocket};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle, scope};

use nix::sys::prctl::set_timerslack;
use pacesim::units::{FlowId, Time};
use pacesim::{Amounts, Exits, Fate, World};

use crate::clock::{Clock, now, sleep_until};
use crate::coders::Coders;
use crate::command::{self, Ended};
use crate::drive::{Departure, Drive, Entry, Record};
use crate::error::LiveError;
use crate::header::Foreign;
use crate::host::{Received, Times, Transfer, listen_udp, receive_udp, send_udp};
use crate::judge::{Evidence, Verdict, drain_time};
use crate::lateness::Lateness;
use crate::namespace::{Host, separate_network};
use crate::plan::{FIRST_PORT, Plan, Program};
use crate::{sys, tcp};

/// Time from the set-up to the start of the run.
const HEAD_START_NS: i64 = 100_000_000;
/// Time from the start of a command to that of the next: a server then listens.
const COMMAND_START_NS: i64 = 200_000_000;

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
    /// The ends of commands.
    pub commands: Vec<Ended>,
    /// Packets whose bytes were repaired by forward error correction.
    pub repairs: u64,
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
    let mut model = plan.model.clone();
    let outer: Vec<usize> = plan.outer().map(FlowId::index).collect();
    let coders = Coders::of(&mut model, |flow| outer.contains(&flow));
    let world = World::watched(model, Exits::of(&plan.model))
        .map_err(|error| LiveError::Scenario(error.to_string()))?;
    // The namespace of a thread ends with it, and with the last of its hosts.
    scope(|threads| {
        let driver = threads.spawn(|| drive(plan, (world, coders), stop));
        driver.join().expect("the driver returns its errors")
    })
}

fn drive(
    plan: &Plan,
    (world, coders): (World<Exits>, Coders),
    stop: &AtomicBool,
) -> Result<Outcome, LiveError> {
    separate_network()?;
    let control = plan.settings.control.as_deref();
    let made: Result<Vec<_>, _> = (0..plan.hosts.len())
        .map(|number| Host::new(number, control))
        .collect();
    let (hosts, doors): (Vec<_>, Vec<_>) = made?.into_iter().unzip();
    let parts: Result<Vec<_>, _> = (0..plan.real.len())
        .map(|number| Listening::of(plan, &hosts, number))
        .collect();
    let parts = parts?;
    let head_start = match plan.settings.commands.len() {
        0 => HEAD_START_NS,
        commands => HEAD_START_NS + COMMAND_START_NS * commands as i64,
    };
    let clock = Clock::starting_in(head_start);
    let [is_over, has_failed] = [AtomicBool::new(false), AtomicBool::new(false)];
    let warm = Time::ZERO + plan.model.warmup;
    let times = Times {
        clock,
        window: [clock.outside(warm), clock.outside(world.end())],
        is_over: &is_over,
    };
    let _ = set_timerslack(1);
    if let Some(priority) = plan.settings.priority {
        let set = sys::set_priority(priority);
        set.map_err(|error| {
            LiveError::at("cannot set [live] priority, which only root may", error)
        })?;
    }
    let mut drive = Drive::new(plan, world, doors, (clock, coders));
    let (driven, ends, commands) = scope(|threads| {
        let ends: Vec<Ends<'_>> = (0..plan.real.len())
            .map(|number| Ends::start(threads, plan, &hosts, &parts[number], number, times))
            .collect();
        let commands: Vec<_> = (0..plan.settings.commands.len())
            .map(|number| {
                let start = now() + COMMAND_START_NS * number as i64;
                threads.spawn({
                    let (hosts, times, has_failed) = (&hosts, times, &has_failed);
                    move || command_at(plan, hosts, number, (start, times, has_failed))
                })
            })
            .collect();
        let driven = drive.run([stop, &has_failed]);
        is_over.store(true, Ordering::Relaxed);
        let commands = commands
            .into_iter()
            .map(|thread| thread.join().expect("it returns its errors"));
        let commands: Result<Vec<Ended>, LiveError> = commands.collect();
        (
            driven,
            ends.into_iter().map(Ends::join).collect::<Vec<_>>(),
            commands,
        )
    });
    driven?;
    Ok(outcome(plan, drive, ends, commands?))
}

/// Runs a command at its host, from a time on.
fn command_at(
    plan: &Plan,
    hosts: &[Host],
    number: usize,
    (start, times, has_failed): (i64, Times<'_>, &AtomicBool),
) -> Result<Ended, LiveError> {
    let command = &plan.settings.commands[number];
    let place = plan.names.iter().position(|name| *name == command.host);
    let host = &hosts[place.expect("the plan was checked")];
    host.enter()?;
    lower_priority(plan);
    sleep_until(start);
    let zero = times.clock.outside(Time::ZERO);
    let limits = command::Limits {
        start: zero,
        timeout: (plan.settings.timeout).map(|timeout| times.clock.outside(Time::ZERO + timeout)),
        is_over: times.is_over,
        has_failed,
    };
    let text = command::addressed(&command.text, plan, hosts);
    Ok(command::run(&command.host, text, command.must_end, limits))
}

/// Gives a thread of a host a priority below that of the loop.
fn lower_priority(plan: &Plan) {
    if let Some(priority) = plan.settings.priority {
        // The loop's own has been set: this one may be.
        let _ = sys::set_priority(priority.saturating_sub(10).max(1));
    }
}

/// The results of a run that has ended.
fn outcome(
    plan: &Plan,
    drive: Drive<'_>,
    ends: Vec<[Result<Got, String>; 2]>,
    commands: Vec<Ended>,
) -> Outcome {
    let door_drops = drive.doors.iter().map(|door| door.drops).sum();
    let clock_step_ns = drive.clock.step();
    let (world, record, coders) = (drive.world, drive.record, drive.coders);
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
        late: plan.settings.late,
    };
    evidence
        .failures
        .extend(failures(&commands, coders.differs));
    let (mut received, mut sent) = (Vec::new(), Vec::new());
    for (real, both) in plan.real.iter().zip(ends) {
        let (bytes, got, failures) = both_ends(both);
        let failed = |reason| format!("a host of {} failed: {reason}", plan.name(real));
        evidence.failures.extend(failures.into_iter().map(failed));
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
        commands,
        repairs: coders.repairs,
        evidence,
    }
}

/// Failures of commands, and of the codec of bytes.
fn failures(commands: &[Ended], differs: Option<String>) -> Vec<String> {
    let of_commands = commands.iter().filter_map(|ended| {
        let failure = ended.failure.as_ref()?;
        Some(format!("`{}` at {} {failure}", ended.text, ended.host))
    });
    let of_codec = differs
        .map(|differs| format!("the codec of bytes differs from the simulated coders: {differs}"));
    of_commands.chain(of_codec).collect()
}

/// The results of both ends of a flow: sent, received, and failures.
fn both_ends(both: [Result<Got, String>; 2]) -> (u64, Received, Vec<String>) {
    let (mut sent, mut received, mut failures) = (0, Received::default(), Vec::new());
    for end in both {
        match end {
            Ok(Got::Sent(number)) => sent = number,
            Ok(Got::Received(all)) => received = all,
            Err(reason) => failures.push(reason),
        }
    }
    (sent, received, failures)
}

/// The socket of a receiver, which is bound before anything is sent, and the flow's transfers.
struct Listening {
    listener: Listener,
    ledger: Mutex<Vec<Transfer>>,
}

enum Listener {
    Tcp(TcpListener),
    Udp(UdpSocket),
}

impl Listening {
    fn of(plan: &Plan, hosts: &[Host], number: usize) -> Result<Listening, LiveError> {
        let host = &hosts[plan.real[number].hosts[1]];
        let at = socket_address(host, number);
        let bound = host.inside(|| match plan.real[number].program {
            Program::Tcp { .. } => {
                let bound = TcpListener::bind(at).map_err(|error| error.to_string());
                bound.map(Listener::Tcp)
            }
            Program::Cbr { .. } => listen_udp(at).map(Listener::Udp),
        })?;
        let listener = bound.map_err(|reason| LiveError::at("cannot bind a receiver", reason))?;
        Ok(Listening {
            listener,
            ledger: Mutex::default(),
        })
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
        part: &'env Listening,
        number: usize,
        times: Times<'env>,
    ) -> Ends<'scope> {
        let real = &plan.real[number];
        let [from, to] = real.hosts.map(|host| &hosts[host]);
        let at = socket_address(to, number);
        let span = [real.start, real.stop].map(|time| times.clock.outside(time));
        let receiver = threads.spawn(move || {
            lower_priority(plan);
            let received = match &part.listener {
                Listener::Tcp(listener) => tcp::receive(listener, &part.ledger, times),
                Listener::Udp(socket) => receive_udp(socket, times),
            };
            received.map(Got::Received)
        });
        let sender = threads.spawn(move || {
            from.enter().map_err(|error| error.to_string())?;
            lower_priority(plan);
            let sent = match &real.program {
                Program::Tcp { control, flow } => {
                    let sender = tcp::Sender {
                        to: at,
                        control,
                        span,
                        times,
                        ledger: &part.ledger,
                    };
                    let (amounts, first) = Amounts::of(&plan.model, flow).expect("it is TCP");
                    sender.send(amounts, first)
                }
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
