//! The programs of hosts for TCP: data without end, or the amounts of a flow at its times.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::Mutex;
use std::thread::{Scope, scope, sleep};
use std::time::Duration;

use nix::sys::socket::{
    AddressFamily, SockFlag, SockType, SockaddrIn, connect, setsockopt, socket, sockopt,
};
use nix::sys::time::{TimeVal, TimeValLike};
use pacesim::Amounts;
use pacesim::model::Carrier;
use pacesim::units::Time;

use crate::clock::{now, sleep_until};
use crate::host::{PATIENCE, Received, Times, Transfer};
use crate::sys;

/// Data repeat with this period, a prime, so that bytes in wrong places are seen.
const PERIOD: usize = 251;
/// Bytes that are written or read at once.
const CHUNK: usize = PERIOD * 261;
/// Time between two looks at a connection.
const LOOK: Duration = Duration::from_micros(200);

/// The data of a sender.
pub(crate) struct Sender<'a> {
    /// Address and port of the receiver.
    pub(crate) to: SocketAddrV4,
    pub(crate) control: &'a str,
    /// Start and stop, in nanoseconds of the monotonic clock.
    pub(crate) span: [i64; 2],
    pub(crate) times: Times<'a>,
    /// The transfers of the flow, shared with its receiver.
    pub(crate) ledger: &'a Mutex<Vec<Transfer>>,
}

/// Data of TCP from a place in the stream on.
fn pattern() -> Vec<u8> {
    (0..CHUNK + PERIOD).map(|i| (i % PERIOD) as u8).collect()
}

/// A connection, and the bytes written to it.
struct Connection {
    stream: TcpStream,
    port: u16,
    sent: u64,
}

impl Sender<'_> {
    /// Sends the amounts of a flow, the first of which is due at a time of the world. Returns the
    /// bytes sent.
    pub(crate) fn send(&self, mut amounts: Amounts, first: Time) -> Result<u64, String> {
        let carrier = amounts.carrier();
        let (mut sent, mut connection) = (0, None);
        let mut due = Some(first);
        scope(|threads| {
            let mut parallel = Vec::new();
            while let Some(at) = due.map(|due| self.times.clock.outside(due)) {
                if at >= self.span[1] {
                    break;
                }
                sleep_until(at);
                let Some(bytes) = amounts.next() else {
                    break;
                };
                let start = now();
                let began = self.times.clock.in_world(start);
                due = amounts.started(began);
                if carrier == Carrier::New && due.is_some() {
                    parallel.push(threads.spawn(move || self.alone(bytes, start)));
                    continue;
                }
                if carrier == Carrier::New {
                    sent += self.alone(bytes, start)?;
                } else {
                    let to = match &mut connection {
                        Some(connection) => connection,
                        None => match self.connect()? {
                            Some(made) => connection.insert(made),
                            None => break,
                        },
                    };
                    sent += self.write(to, bytes, start)?;
                    if due.is_none() && bytes.is_some() {
                        self.await_acknowledgement(to)?;
                    }
                }
                if due.is_none() {
                    due = amounts.acknowledged(self.times.clock.in_world(now()));
                }
            }
            for thread in parallel {
                sent += thread.join().map_err(|_| "its thread panicked")??;
            }
            Ok(sent)
        })
    }

    /// Sends an amount over a connection of its own, and waits for the last acknowledgement.
    fn alone(&self, bytes: Option<u64>, start: i64) -> Result<u64, String> {
        let Some(mut connection) = self.connect()? else {
            return Ok(0);
        };
        let sent = self.write(&mut connection, bytes, start)?;
        // The other end may have closed it already, at the end of the run.
        let _ = connection.stream.shutdown(std::net::Shutdown::Write);
        self.await_acknowledgement(&connection)?;
        Ok(sent)
    }

    fn connect(&self) -> Result<Option<Connection>, String> {
        let failed = |step: &str, error: &dyn ToString| format!("{step}: {}", error.to_string());
        let (family, flags) = (AddressFamily::Inet, SockFlag::SOCK_CLOEXEC);
        let socket = socket(family, SockType::Stream, flags, None)
            .map_err(|error| failed("socket", &error))?;
        setsockopt(&socket, sockopt::TcpCongestion, &self.control.into())
            .map_err(|error| failed(&format!("control {}", self.control), &error))?;
        let stop = self.span[1];
        let left = ((stop - now()) / 1000).max(1);
        setsockopt(&socket, sockopt::SendTimeout, &TimeVal::microseconds(left))
            .map_err(|error| failed("time-out", &error))?;
        match connect(socket.as_raw_fd(), &SockaddrIn::from(self.to)) {
            Ok(()) => {}
            Err(_) if now() >= stop => return Ok(None),
            Err(error) => return Err(failed("connect", &error)),
        }
        let stream = TcpStream::from(socket);
        let set = stream.set_write_timeout(Some(PATIENCE));
        set.map_err(|error| failed("time-out", &error))?;
        let port = stream
            .local_addr()
            .map_err(|error| failed("port", &error))?;
        let port = port.port();
        Ok(Some(Connection {
            stream,
            port,
            sent: 0,
        }))
    }

    /// Writes an amount, all of it if given, until the flow stops.
    fn write(&self, to: &mut Connection, bytes: Option<u64>, start: i64) -> Result<u64, String> {
        if let Some(bytes) = bytes {
            let connection = (to.port, to.sent + bytes);
            let start_ns = self.times.clock.since_start(start);
            let mut ledger = self.ledger.lock().expect("notes never panic");
            ledger.push(Transfer {
                bytes,
                start_ns,
                end_ns: None,
                connection,
            });
        }
        let (data, before) = (pattern(), to.sent);
        while now() < self.span[1] && !self.times.is_past() {
            let all = bytes.map_or(CHUNK as u64, |bytes| bytes - (to.sent - before));
            let left = all.min(CHUNK as u64) as usize;
            if left == 0 {
                break;
            }
            let from = to.sent as usize % PERIOD;
            match to.stream.write(&data[from..from + left]) {
                Ok(written) => to.sent += written as u64,
                Err(error) if is_patience(error.kind()) => {}
                Err(error) => return Err(format!("write: {error}")),
            }
        }
        Ok(to.sent - before)
    }

    fn await_acknowledgement(&self, to: &Connection) -> Result<(), String> {
        let left = || sys::unacknowledged(to.stream.as_fd()).map_err(|error| error.to_string());
        while !self.times.is_past() && left()? > 0 {
            sleep(LOOK);
        }
        Ok(())
    }
}

fn is_patience(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

/// Receives the connections of a flow, checks their bytes and counts them.
pub(crate) fn receive(
    listener: &TcpListener,
    ledger: &Mutex<Vec<Transfer>>,
    times: Times<'_>,
) -> Result<Received, String> {
    let failed = |error: std::io::Error| error.to_string();
    listener.set_nonblocking(true).map_err(failed)?;
    let mut received = Received {
        intact: true,
        ..Received::default()
    };
    let parts: Result<Vec<Received>, String> = scope(|threads| {
        let mut connections = Vec::new();
        while !times.is_past() {
            match listener.accept() {
                Ok((stream, from)) => {
                    connections.push(take(threads, (stream, from.port()), ledger, times));
                }
                Err(error) if is_patience(error.kind()) => sleep(LOOK),
                Err(error) => return Err(failed(error)),
            }
        }
        let lost = || Err("its thread panicked".to_owned());
        let ended = connections.into_iter();
        ended
            .map(|thread| thread.join().unwrap_or_else(|_| lost()))
            .collect()
    });
    for part in parts? {
        received.bytes += part.bytes;
        received.measured_bytes += part.measured_bytes;
        received.intact &= part.intact;
    }
    received.transfers = ledger.lock().expect("notes never panic").clone();
    Ok(received)
}

type Taken<'scope> = std::thread::ScopedJoinHandle<'scope, Result<Received, String>>;

/// Starts the thread of a connection.
fn take<'scope, 'env>(
    threads: &'scope Scope<'scope, 'env>,
    (stream, port): (TcpStream, u16),
    ledger: &'env Mutex<Vec<Transfer>>,
    times: Times<'env>,
) -> Taken<'scope> {
    threads.spawn(move || read(stream, port, ledger, times).map_err(|error| error.to_string()))
}

/// Reads a connection to its end.
fn read(
    mut stream: TcpStream,
    port: u16,
    ledger: &Mutex<Vec<Transfer>>,
    times: Times<'_>,
) -> std::io::Result<Received> {
    let mut received = Received {
        intact: true,
        ..Received::default()
    };
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let (data, mut buffer) = (pattern(), vec![0; CHUNK]);
    loop {
        let read = stream.read(&mut buffer);
        let time = now();
        if time >= times.window[1] || times.is_past() {
            return Ok(received);
        }
        match read {
            Ok(0) => return Ok(received),
            Ok(read) => {
                let from = received.bytes as usize % PERIOD;
                received.intact &= buffer[..read] == data[from..from + read];
                received.bytes += read as u64;
                if time >= times.window[0] {
                    received.measured_bytes += read as u64;
                }
                let mut ledger = ledger.lock().expect("notes never panic");
                let at = times.clock.since_start(time);
                note_ends(&mut ledger, (port, received.bytes), at);
            }
            Err(error) if is_patience(error.kind()) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Notes the ends of transfers on a connection that has come this far.
fn note_ends(ledger: &mut [Transfer], (port, bytes): (u16, u64), at: i64) {
    // The open ones of a connection are the last ones.
    for transfer in ledger.iter_mut().rev() {
        let (of, end) = transfer.connection;
        if of == port && transfer.end_ns.is_some() {
            break;
        }
        if of == port && end <= bytes {
            transfer.end_ns = Some(at);
        }
    }
}
