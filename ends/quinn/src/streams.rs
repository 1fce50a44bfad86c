//! The application's data on the streams of a connection: at the source one stream for each transfer,
//! at the sink all that is read.

use std::collections::VecDeque;

use bytes::Bytes;
use pacesim_app::end::{Amount, Backlog, Command, DataError, EndEvent, Transfer};
use pacesim_app::units::{Bytes as Size, Time};
use quinn_proto::{Connection, Dir, ReadError, StreamId};

static DATA: [u8; 1 << 16] = [0x5a; 1 << 16];

/// A transfer, or data without end.
struct Outgoing {
    id: Option<StreamId>,
    /// Bytes that the library has not taken yet.
    left: u64,
    /// Bytes that it has taken.
    taken: u64,
    is_closed: bool,
    is_acknowledged: bool,
}

/// The data that a source sends.
#[derive(Default)]
pub(crate) struct Source {
    backlog: Backlog,
    streams: VecDeque<Outgoing>,
    /// Bytes of transfers that are fully acknowledged.
    acknowledged: u64,
    /// Bytes that the library has taken.
    taken: u64,
    /// True while data without end are sent.
    pub(crate) has_endless: bool,
}

impl Source {
    /// An order of the application; `payload` is that of a full packet.
    pub(crate) fn command(
        &mut self,
        now: Time,
        command: Command,
        payload: Size,
    ) -> Result<(), DataError> {
        let before = self.backlog.end();
        self.backlog.command(now, command, payload, self.taken)?;
        match command {
            Command::Send(Amount::Endless) => {
                self.has_endless = true;
                self.add(u64::MAX);
            }
            Command::Send(_) => self.add(self.backlog.end() - before),
            Command::Stop => {
                if let Some(last) = self.streams.back_mut().filter(|_| self.has_endless) {
                    (last.left, self.has_endless) = (0, false);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, bytes: u64) {
        self.streams.push_back(Outgoing {
            id: None,
            left: bytes,
            taken: 0,
            is_closed: false,
            is_acknowledged: false,
        });
    }

    /// True if not all data have been acknowledged.
    pub(crate) fn is_busy(&self) -> bool {
        !self.streams.is_empty()
    }

    pub(crate) fn pending(&self) -> Vec<Transfer> {
        self.backlog.pending()
    }

    /// Lets the library take what it can; true if it took anything.
    pub(crate) fn write(&mut self, connection: &mut Connection) -> bool {
        let mut took = false;
        for stream in self.streams.iter_mut().filter(|stream| !stream.is_closed) {
            if stream.id.is_none() {
                stream.id = connection.streams().open(Dir::Uni);
            }
            let Some(id) = stream.id else {
                break;
            };
            while stream.left > 0 {
                let length = stream.left.min(DATA.len() as u64) as usize;
                let mut chunk = [Bytes::from_static(&DATA[..length])];
                let Ok(written) = connection.send_stream(id).write_chunks(&mut chunk) else {
                    break;
                };
                if written.bytes == 0 {
                    break;
                }
                let bytes = written.bytes as u64;
                stream.left -= bytes;
                stream.taken += bytes;
                self.taken += bytes;
                took = true;
            }
            if stream.left > 0 {
                break;
            }
            stream.is_closed = true;
            took |= connection.send_stream(id).finish().is_ok();
        }
        took
    }

    /// All data of a stream have been acknowledged: the transfers that are done, in their order.
    pub(crate) fn finished(&mut self, id: StreamId) -> Vec<EndEvent> {
        if let Some(stream) = self.streams.iter_mut().find(|of| of.id == Some(id)) {
            stream.is_acknowledged = true;
        }
        while let Some(stream) = self.streams.front().filter(|of| of.is_acknowledged) {
            self.acknowledged += stream.taken;
            self.streams.pop_front();
        }
        self.backlog.done(self.acknowledged).collect()
    }
}

/// The data that a sink reads.
#[derive(Default)]
pub(crate) struct Sink {
    open: Vec<StreamId>,
    pub(crate) bytes: u64,
}

impl Sink {
    pub(crate) fn accept(&mut self, connection: &mut Connection) {
        while let Some(id) = connection.streams().accept(Dir::Uni) {
            self.open.push(id);
        }
    }

    /// Reads all that has arrived in order; true if there was anything.
    pub(crate) fn read(&mut self, connection: &mut Connection) -> bool {
        let before = self.bytes;
        let bytes = &mut self.bytes;
        self.open.retain(|id| {
            let mut stream = connection.recv_stream(*id);
            let Ok(mut chunks) = stream.read(true) else {
                return false;
            };
            let stays = loop {
                match chunks.next(usize::MAX) {
                    Ok(Some(chunk)) => *bytes += chunk.bytes.len() as u64,
                    Ok(None) => break false,
                    Err(ReadError::Blocked) => break true,
                    Err(ReadError::Reset(_)) => break false,
                }
            };
            let _ = chunks.finalize();
            stays
        });
        self.bytes > before
    }
}
