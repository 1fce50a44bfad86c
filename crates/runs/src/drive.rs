//! The loop that runs a world to its end, pausing for watchers.

use pacesim::World;
use pacesim::measure::record::{EndRow, TcpRow, TransferRow};
use pacesim::model::{Flow, Load, Traffic};
use pacesim::net::Probe;
use pacesim::units::{FlowId, Span, Time};
use pacesim_tables::TableWriter;

use crate::error::RunError;
use crate::lived::{Lived, enter, entered};
use crate::run_monitor::{Progress, RunMonitor};
use crate::sampler::Sampler;
use crate::series::Series;
use crate::steadiness::Steadiness;
use crate::summary::Timelines;

/// Packet hops and timers between two progress reports: some 50 ms.
const HOPS_PER_SLICE: u64 = 1_000_000;

/// The least number per link, since all links are looked at between slices.
const HOPS_PER_SLICE_AND_LINK: u64 = 4;

/// The number for runs that record TCP senders: few enough that events are read while still in
/// cache, many enough per flow that scanning for them costs little.
const RECORDED_HOPS_PER_SLICE: u64 = 1 << 15;
const RECORDED_HOPS_PER_FLOW: u64 = 64;

/// The number for runs with consecutive transfers: finished ones are taken out of the world after
/// each slice, so that memory holds at most some ten thousand.
const HOPS_PER_SLICE_OF_TRANSFERS: u64 = 1 << 17;

/// A listener for finished transfers.
pub(crate) type Hear<'a> = &'a mut dyn FnMut(&TransferRow);

/// Watchers that inspect a world at their own times, without changing anything.
#[derive(Default)]
pub struct Watchers<'a> {
    /// Recorder of the queue and load of links over time.
    pub timelines: Option<Timelines>,
    /// Recorder of tallies by halves of the measured time.
    pub steadiness: Option<Steadiness>,
    /// Recorders of time series.
    pub series: Vec<Series>,
    /// Table of transfers.
    pub transfers: Option<TableWriter<TransferRow>>,
    /// Listener for finished transfers.
    pub hear: Option<Hear<'a>>,
    /// Log of TCP senders.
    pub tcp: Option<TableWriter<TcpRow>>,
    /// Log of senders that are not TCP.
    pub ends: Option<TableWriter<EndRow>>,
    /// A live run, whose packets enter the world at their times.
    pub lived: Option<&'a Lived>,
    /// Number of bytes that probes keep for their samples.
    pub probes_bytes: u64,
}

/// Looks of watchers between two progress reports, at the least.
const LOOKS_PER_REPORT: u64 = 1 << 16;

impl Watchers<'_> {
    fn kept_bytes(&self) -> u64 {
        let series = self.series.iter().map(Series::kept_bytes);
        self.probes_bytes + series.sum::<u64>()
    }

    /// Makes the world record the data to be taken out of it; call it before time starts.
    fn begin<P: Probe>(&self, world: &mut World<P>) {
        if self.tcp.is_some() {
            let asked = world.model().output.tcp.clone().unwrap_or_default();
            let all = (0..world.model().flows.len()).map(FlowId::from_index);
            if asked.is_empty() {
                all.for_each(|flow| world.record_tcp(flow))
            } else {
                asked.into_iter().for_each(|flow| world.record_tcp(flow))
            }
        }
        if self.ends.is_some() {
            let asked = world.model().output.ends.clone().unwrap_or_default();
            let all = (0..world.model().flows.len()).map(FlowId::from_index);
            if asked.is_empty() {
                all.for_each(|flow| world.record_ends(flow))
            } else {
                asked.into_iter().for_each(|flow| world.record_ends(flow))
            }
        }
    }

    fn due(&self) -> Time {
        let timelines = self.timelines.iter().map(Timelines::sampler);
        let series = self.series.iter().map(Series::sampler);
        let borders = self.steadiness.iter().map(Steadiness::due);
        let due = timelines.chain(series).map(Sampler::due).chain(borders);
        due.min().unwrap_or(Time::NEVER)
    }

    fn look<P: Probe>(&mut self, world: &World<P>) -> Result<(), RunError> {
        match &mut self.timelines {
            Some(timelines) if timelines.sampler().due() == world.now() => timelines.sample(world),
            _ => (),
        }
        match &mut self.steadiness {
            Some(steadiness) if steadiness.due() == world.now() => steadiness.look(world),
            _ => (),
        }
        let due = |series: &&mut Series| series.sampler().due() == world.now();
        let mut due = self.series.iter_mut().filter(due);
        Ok(due.try_for_each(|series| series.sample(world))?)
    }

    /// Takes the finished transfers out of the world, so that they do not pile up.
    fn take_transfers<P: Probe>(&mut self, world: &mut World<P>) -> Result<(), RunError> {
        let finished = world.take_transfers();
        self.note_transfers(&finished)
    }

    fn note_transfers(&mut self, rows: &[TransferRow]) -> Result<(), RunError> {
        if let Some(table) = &mut self.transfers {
            table.extend(rows)?;
        }
        if let Some(hear) = &mut self.hear {
            rows.iter().for_each(hear);
        }
        Ok(())
    }

    /// Records the unfinished transfers at the end of the run.
    fn note_unfinished<P: Probe>(&mut self, world: &World<P>) -> Result<(), RunError> {
        if let Some(lived) = self.lived {
            self.note_transfers(&lived.transfers)?;
        }
        match (&self.transfers, &self.hear) {
            (None, None) => Ok(()),
            _ => self.note_transfers(&world.unfinished_transfers()),
        }
    }

    /// Takes the recorded events of senders out of the world.
    fn take_senders<P: Probe>(&mut self, world: &mut World<P>) -> Result<(), RunError> {
        if let Some(table) = &mut self.ends {
            let mut rows = world.take_end_rows();
            rows.try_for_each(|row| table.push(row))?;
        }
        if let Some(table) = &mut self.tcp {
            let mut rows = world.take_tcp_rows();
            rows.try_for_each(|row| table.push(row))?;
        }
        Ok(())
    }
}

/// Runs a world to its end, unless the monitor stops it.
pub fn drive<P: Probe>(
    world: &mut World<P>,
    watchers: &mut Watchers<'_>,
    run_monitor: &mut dyn RunMonitor,
) -> Result<(), RunError> {
    watchers.begin(world);
    let mut drive = Drive::new(world.end());
    let of_links = HOPS_PER_SLICE_AND_LINK * world.model().links.len() as u64;
    drive.slices.most_hops = HOPS_PER_SLICE.max(of_links);
    if world.model().flows.iter().any(has_transfers) {
        drive.slices.most_hops = HOPS_PER_SLICE_OF_TRANSFERS;
    }
    if watchers.tcp.is_some() || watchers.ends.is_some() {
        let of_flows = RECORDED_HOPS_PER_FLOW * world.model().flows.len() as u64;
        drive.slices.most_hops = of_flows.clamp(RECORDED_HOPS_PER_SLICE, HOPS_PER_SLICE);
    }
    drive.to(world.end(), world, watchers, run_monitor)?;
    watchers.note_unfinished(world)
}

fn has_transfers(flow: &Flow) -> bool {
    let load = match &flow.traffic {
        Traffic::Tcp(tcp) => &tcp.load,
        _ => return false,
    };
    matches!(
        load,
        Load::Transfers(_) | Load::Scheduled(_) | Load::Messages(_)
    )
}

/// Runs a world slice by slice.
pub(crate) struct Drive {
    slices: Slices,
    /// Number of looks of watchers so far.
    looks: u64,
    /// Number of packets of a live run that have entered.
    entered: usize,
}

impl Drive {
    /// A drive that starts at the beginning.
    pub(crate) fn new(end: Time) -> Drive {
        let slices = Slices::new(end);
        Drive {
            slices,
            looks: 0,
            entered: 0,
        }
    }

    /// Runs up to and including everything at `end`.
    pub(crate) fn to<P: Probe>(
        &mut self,
        end: Time,
        world: &mut World<P>,
        watchers: &mut Watchers<'_>,
        run_monitor: &mut dyn RunMonitor,
    ) -> Result<(), RunError> {
        let Some(lived) = watchers.lived else {
            return self.through(end, world, watchers, run_monitor);
        };
        let left = lived.packets.iter().skip(self.entered);
        for packet in left.take_while(|packet| entered(packet) <= end) {
            self.through(entered(packet), world, watchers, run_monitor)?;
            enter(world, (self.entered, packet));
            self.entered += 1;
        }
        self.through(end, world, watchers, run_monitor)?;
        if end == world.end() {
            lived.note(world);
        }
        Ok(())
    }

    /// Runs up to and including everything at `end`; no packet of a live run enters.
    fn through<P: Probe>(
        &mut self,
        end: Time,
        world: &mut World<P>,
        watchers: &mut Watchers<'_>,
        run_monitor: &mut dyn RunMonitor,
    ) -> Result<(), RunError> {
        loop {
            let look = watchers.due().min(end);
            let until = self.slices.until.min(look);
            let has_come = world.run_towards(until, look);
            if let Some(gave_up) = world.gave_up() {
                return Err(RunError::GaveUp(gave_up.clone()));
            }
            if !has_come {
                watchers.take_transfers(world)?;
                watchers.take_senders(world)?;
                report(world, watchers, run_monitor)?;
                continue;
            }
            watchers.look(world)?;
            self.looks += 1;
            let has_looked = self.looks.is_multiple_of(LOOKS_PER_REPORT);
            if until >= self.slices.until || until == end || has_looked {
                watchers.take_transfers(world)?;
                watchers.take_senders(world)?;
                report(world, watchers, run_monitor)?;
            }
            if until >= self.slices.until {
                self.slices.next(world.now(), world.work());
            }
            if until == end {
                return recordings_lasted(world);
            }
        }
    }

    /// Runs up to `end`, excluding everything at that instant.
    pub(crate) fn before<P: Probe>(
        &mut self,
        end: Time,
        world: &mut World<P>,
        watchers: &mut Watchers<'_>,
        run_monitor: &mut dyn RunMonitor,
    ) -> Result<(), RunError> {
        if let Some(last_before) = end.as_ps().checked_sub(1) {
            self.to(Time::from_ps(last_before), world, watchers, run_monitor)?;
        }
        world.run_before(end);
        Ok(())
    }
}

/// Fails if a recording could not be read up to the run's current time.
fn recordings_lasted<P: Probe>(world: &World<P>) -> Result<(), RunError> {
    match world.model().failed_recording() {
        None => Ok(()),
        Some(error) => Err(RunError::Recording(error.to_string())),
    }
}

fn report<P: Probe>(
    world: &World<P>,
    watchers: &Watchers<'_>,
    run_monitor: &mut dyn RunMonitor,
) -> Result<(), RunError> {
    let progress = Progress {
        now: world.now(),
        end: world.end(),
        packet_hops: world.packet_hops(),
        held: world.in_flight(),
        kept_bytes: watchers.kept_bytes(),
    };
    if run_monitor.progress(&progress).is_break() {
        return Err(RunError::Interrupted);
    }
    let at = progress.now;
    match run_monitor.exhausted(&progress) {
        Some(limit) => Err(RunError::Exhausted { limit, at }),
        None => Ok(()),
    }
}

/// Slices of simulated time with about equal numbers of packet hops and timers. They follow from
/// the model alone, and do not affect results.
struct Slices {
    until: Time,
    span: Span,
    /// Number of packet hops and timers so far.
    hops: u64,
    /// Target number of packet hops and timers per slice.
    most_hops: u64,
}

impl Slices {
    fn new(end: Time) -> Slices {
        let span = Span::from_ps((end.as_ps() / 10_000).max(1));
        Slices {
            until: Time::ZERO.saturating_add(span),
            span,
            hops: 0,
            most_hops: HOPS_PER_SLICE,
        }
    }

    fn next(&mut self, now: Time, hops: u64) {
        let done = hops - self.hops;
        let ps = self.span.as_ps();
        self.span = Span::from_ps(if done < self.most_hops {
            ps.saturating_mul(2)
        } else {
            (ps / 2).max(1)
        });
        self.hops = hops;
        self.until = now.saturating_add(self.span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_monitor::Unwatched;
    use pacesim::model::tape::{OpenStore, Store, TapeWriter};
    use pacesim::model::{Arrival, Model};
    use pacesim::units::{Bytes, Rate};
    use std::io;

    /// A store that accepts everything and retains nothing.
    struct Lost;

    impl Store for Lost {
        fn append(&mut self, _bytes: &[u8]) -> io::Result<()> {
            Ok(())
        }

        fn read(&self, _from: u64, _bytes: &mut [u8]) -> io::Result<()> {
            Err(io::Error::other("no such sector"))
        }
    }

    #[test]
    fn a_recording_that_cannot_be_read_back_ends_a_run_with_an_error() {
        let lost: &OpenStore = &|| Ok(Box::new(Lost));
        let mut arrivals = TapeWriter::new(Some(lost));
        // More than may be held in memory.
        for ms in 0..1 << 20 {
            let (at, size) = (Span::from_ms(ms), Bytes(1000));
            arrivals.push(Arrival { at, size }).expect("all is taken");
        }
        let recorded = Traffic::Recorded(arrivals.finish().expect("all is taken"));
        let mut model = Model::new("line", Span::from_ms(10));
        let (a, b) = (model.add_node("a"), model.add_node("b"));
        model.add_link(a, b, Rate::from_mbps(8), Span::ZERO);
        model.add_flow(a, b, recorded);
        let mut world = World::new(model).expect("a good model");
        let mut watchers = Watchers {
            timelines: None,
            series: Vec::new(),
            transfers: None,
            hear: None,
            tcp: None,
            ends: None,
            lived: None,
            probes_bytes: 0,
            steadiness: None,
        };
        let ended = drive(&mut world, &mut watchers, &mut Unwatched);
        let error = ended.expect_err("nothing was read").to_string();
        assert!(
            error.ends_with("cannot be read back: no such sector"),
            "{error}"
        );
    }
}
