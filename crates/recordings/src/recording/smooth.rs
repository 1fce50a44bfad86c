//! Recordings smoothed by the off-line optimum.

use pacesim_model::{Arrival, wire_size};
use pacesim_pacers::offline::{self, DueArrival};
use pacesim_units::{Span, Time};

use super::{Recording, RecordingError};

/// The deadlines by which a recording is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smooth {
    /// Each packet is due this long after its arrival.
    Within(Span),
    /// Each packet has its recorded deadline.
    Deadlines,
}

impl Recording {
    /// The packets at the times at which the shortest path between arrivals and deadlines releases
    /// them (zerobuf 4.2; Salehi et al. 1998): among all schedules that keep every deadline, that
    /// with the lowest peak rate and the least variance of the rate.
    ///
    /// # Panics
    ///
    /// Panics if a packet's size does not fit 32 bits, which [`Rows`](super::Rows) does not accept.
    pub fn smoothed(&self, smooth: Smooth) -> Result<Box<[Arrival]>, RecordingError> {
        let due = self.due(smooth)?;
        let packet = |(arrival, due): (Arrival, Span)| DueArrival {
            at: time(arrival.at),
            deadline: time(due),
            size: wire_size(arrival.size),
        };
        let trace: Vec<_> = self.arrivals.iter().zip(due).map(packet).collect();
        let sent =
            offline::smooth(&trace).map_err(|error| RecordingError::whole(error.to_string()))?;
        let resent = |(arrival, at): (Arrival, Time)| Arrival {
            at: at - Time::ZERO,
            size: arrival.size,
        };
        Ok(self.arrivals.iter().zip(sent).map(resent).collect())
    }

    /// The deadline of each packet, if all can be met: at any time no more may be due than has been
    /// sent, and no more sent than has arrived, A(t) >= S(t) >= D(t).
    pub fn due(&self, smooth: Smooth) -> Result<Vec<Span>, RecordingError> {
        let due = self.deadlines_of(smooth)?;
        if due.len() != self.arrivals.len() {
            let (due, all) = (due.len(), self.arrivals.len());
            let message = format!("{due} deadlines for {all} arrivals");
            return Err(RecordingError::whole(message));
        }
        let mut before = Span::ZERO;
        for (row, (arrival, deadline)) in (1..).zip(self.arrivals.iter().zip(&due)) {
            check_deadline(arrival.at, *deadline, before)
                .map_err(|message| RecordingError::at("row", row, message))?;
            before = *deadline;
        }
        Ok(due)
    }

    fn deadlines_of(&self, smooth: Smooth) -> Result<Vec<Span>, RecordingError> {
        let later =
            |span| move |arrival: Arrival| time(arrival.at).saturating_add(span) - Time::ZERO;
        match (smooth, &self.deadlines) {
            (Smooth::Within(span), _) => Ok(self.arrivals.iter().map(later(span)).collect()),
            (Smooth::Deadlines, Some(deadlines)) => Ok(deadlines.iter().collect()),
            (Smooth::Deadlines, None) => Err(RecordingError::whole(
                "there is no column of deadlines: accepted are deadline_s, deadline_ms, \
                 deadline_us, deadline_ns, deadline_ps",
            )),
        }
    }
}

/// True if a deadline can be met after the deadline `before`.
fn check_deadline(at: Span, deadline: Span, before: Span) -> Result<(), String> {
    if deadline < at {
        return Err(format!(
            "the deadline {deadline} is before the arrival at {at}: more is due than has come, \
             D(t) > A(t), but sending S(t) needs A(t) >= S(t) >= D(t)"
        ));
    }
    if deadline < before {
        return Err(format!(
            "the deadline {deadline} overtakes {before} of the row above it: what is sent in \
             order of arrival cannot keep S(t) >= D(t) packet by packet"
        ));
    }
    Ok(())
}

fn time(since_start: Span) -> Time {
    Time::ZERO.saturating_add(since_start)
}
