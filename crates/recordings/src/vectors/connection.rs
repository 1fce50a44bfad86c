//! A connection while its lines are being read.

use pacesim_model::{After, Step};
use pacesim_units::{Bytes, Span};

use super::line::{Line, time};
use super::{End, Vector};

const UNIT: &str = "a number of bytes, as in \"> 245\"";
const WAIT: &str = "a number of microseconds, as in \"t 51257\"";
const UNIT_WITH_WAITS: &str =
    "two waits in microseconds, one of them 0, and a number of bytes, as in \"A 0 51257 5100\"";

const NO_MORE: &str =
    "the header of the next connection, or a line of the other end: this end has closed";

/// The duration of a wait of zero, as in ns-2's player.
const LEAST_WAIT: Span = Span::from_us(1);

/// Time until the end that sends last closes, if neither end has one.
const LAST_WAIT: Span = Span::from_ms(1000);

/// The notation of units and waits in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Lines that begin with `>`, `<` and `t`.
    Turns,
    /// Lines that begin with `c>`, `c<`, `t>` and `t<`.
    Apart,
    /// Lines that begin with `I` and `A`.
    Alternate,
}

/// A connection as far as its lines have been read.
#[derive(Debug)]
pub(super) struct Draft {
    style: Style,
    takes_turns: bool,
    vector: Vector,
    steps: [Vec<Step>; 2],
    /// Closings of the ends, if given.
    closings: [Option<Step>; 2],
    /// The end of the last unit, if any.
    last: Option<End>,
    /// Waits not yet followed by a unit: sequential connections use the first.
    waits: [Option<Span>; 2],
}

impl Draft {
    /// Starts a connection if this line is a header.
    pub(super) fn begun_by(line: &Line<'_>) -> Result<Option<Draft>, String> {
        let (style, takes_turns) = match line.word {
            "SEQ" => (Style::Turns, true),
            "CONC" => (Style::Apart, false),
            "S" => (Style::Alternate, true),
            "C" => (Style::Alternate, false),
            _ => return Ok(None),
        };
        let example = "the start in microseconds and the number of units, as in \"SEQ 10000 1 1 1\" or \"CONC 10000 1 1 1 1\"";
        let [start, _] = line.first_numbers(example)?;
        let start = time(start).ok_or_else(|| line.expected(example))?;
        Ok(Some(Draft::new(start, style, takes_turns)))
    }

    fn new(start: Span, style: Style, takes_turns: bool) -> Draft {
        Draft {
            style,
            takes_turns,
            vector: Vector {
                start,
                windows: None,
                segments: None,
                round_trip: Span::ZERO,
                loss: [0.0; 2],
                steps: Default::default(),
                first: None,
            },
            steps: Default::default(),
            closings: [None; 2],
            last: None,
            waits: [None; 2],
        }
    }

    /// Takes another line.
    pub(super) fn add(&mut self, line: &Line<'_>) -> Result<(), String> {
        use End::{Acceptor, Initiator};
        match (self.style, line.word) {
            (_, "w") => {
                let example = "the bytes of two windows, as in \"w 29200 29200\"";
                self.vector.windows = Some(line.numbers(example)?);
            }
            (_, "m") => {
                let example = "the bytes of two segments, at least 1, as in \"m 1460 1460\"";
                let sizes: [u64; 2] = line.numbers(example)?;
                let is_legal = |size: &u64| (1..=1 << 30).contains(size);
                let sizes = Some(sizes).filter(|sizes| sizes.iter().all(is_legal));
                self.vector.segments = Some(sizes.ok_or_else(|| line.expected(example))?);
            }
            (_, "r") => {
                let example = "a round trip in microseconds, as in \"r 50000\"";
                self.vector.round_trip = line.time(example)?;
            }
            (_, "l") => {
                let example = "two rates of loss from 0 to 1, as in \"l 0.01 0\"";
                self.vector.loss = line.shares(example)?;
            }
            (Style::Turns, ">") | (Style::Apart, "c>") => self.unit(line, Initiator)?,
            (Style::Turns, "<") | (Style::Apart, "c<") => self.unit(line, Acceptor)?,
            (Style::Turns, "t") => self.wait_of_turns(line)?,
            (Style::Apart, "t>") => self.wait_apart(line, Initiator)?,
            (Style::Apart, "t<") => self.wait_apart(line, Acceptor)?,
            (Style::Alternate, "I") => self.unit_with_waits(line, Initiator)?,
            (Style::Alternate, "A") => self.unit_with_waits(line, Acceptor)?,
            _ => return Err(line.expected(self.lines())),
        }
        Ok(())
    }

    /// Names the lines that are allowed here.
    fn lines(&self) -> &'static str {
        match self.style {
            Style::Turns => {
                "a line with w, r, l, m, >, < or t, or the header of the next connection"
            }
            Style::Apart => {
                "a line with w, r, l, m, c>, c<, t> or t<, or the header of the next connection"
            }
            Style::Alternate => {
                "a line with w, r, l, m, I or A, or the header of the next connection"
            }
        }
    }

    /// Takes a unit whose wait was on an earlier line.
    fn unit(&mut self, line: &Line<'_>, end: End) -> Result<(), String> {
        let [size] = line.numbers(UNIT)?;
        let is_first = match self.style {
            Style::Turns => self.last.is_none(),
            _ => self.steps[end as usize].is_empty(),
        };
        let place = match self.style {
            Style::Turns => 0,
            _ => end as usize,
        };
        let wait = match self.waits[place].take() {
            Some(wait) => wait,
            None if is_first => Span::ZERO,
            None => return Err(line.expected(WAIT)),
        };
        let after = if self.last.is_some_and(|last| last != end) && self.takes_turns {
            self.all_of_the_other(end)
        } else {
            After::OwnUnit
        };
        self.push(end, after, wait, size);
        Ok(())
    }

    fn wait_of_turns(&mut self, line: &Line<'_>) -> Result<(), String> {
        let wait = line.time(WAIT)?.max(LEAST_WAIT);
        if self.last.is_some() && self.waits[0].is_none() {
            self.waits[0] = Some(wait)
        } else {
            return Err(line.expected(UNIT));
        }
        Ok(())
    }

    fn wait_apart(&mut self, line: &Line<'_>, end: End) -> Result<(), String> {
        let wait = line.time(WAIT)?.max(LEAST_WAIT);
        match self.waits[end as usize].replace(wait) {
            None => Ok(()),
            Some(_) => Err(line.expected(UNIT)),
        }
    }

    /// Takes a unit with the wait after its end's own unit, and that after data of the other end.
    fn unit_with_waits(&mut self, line: &Line<'_>, end: End) -> Result<(), String> {
        let [own, other, size] = line.numbers(UNIT_WITH_WAITS)?;
        if self.closings[end as usize].is_some() {
            return Err(line.expected(NO_MORE));
        }
        let complain = || line.expected(UNIT_WITH_WAITS);
        let is_first = self.steps[end as usize].is_empty();
        let (after, wait) = match (own, other) {
            (0, 0) if is_first => (After::OwnUnit, Span::ZERO),
            (own, 0) => (
                After::OwnUnit,
                time(own).ok_or_else(complain)?.max(LEAST_WAIT),
            ),
            (0, other) => {
                let wait = time(other).ok_or_else(complain)?;
                (self.all_of_the_other(end), wait)
            }
            _ => return Err(complain()),
        };
        self.push(end, after, wait, size);
        Ok(())
    }

    fn all_of_the_other(&self, end: End) -> After {
        After::Arrivals(self.steps[1 - end as usize].len() as u32)
    }

    fn push(&mut self, end: End, after: After, wait: Span, size: u64) {
        let size = Bytes(size);
        let step = Step { after, wait, size };
        if size == Bytes::ZERO {
            self.closings[end as usize] = Some(step);
            return;
        }
        if self.last.is_none() && self.takes_turns {
            self.vector.first = Some(end);
        }
        self.last = Some(end);
        self.steps[end as usize].push(step);
    }

    /// The connection, if it sends any data.
    pub(super) fn finish(mut self) -> Option<Vector> {
        let last = self.last?;
        match self.style {
            Style::Turns => self.close(last, self.waits[0]),
            Style::Apart => {
                self.close(End::Initiator, self.waits[0]);
                self.close(End::Acceptor, self.waits[1]);
            }
            Style::Alternate => {}
        }
        if self.closings == [None; 2] {
            self.close(last, Some(LAST_WAIT));
        }
        let at_once = Step {
            after: After::OwnUnit,
            wait: Span::ZERO,
            size: Bytes::ZERO,
        };
        for (steps, closing) in self.steps.iter_mut().zip(self.closings) {
            steps.push(closing.unwrap_or(at_once));
        }
        Some(Vector {
            steps: self.steps.map(Into::into),
            ..self.vector
        })
    }

    /// Closes an end this long after its last unit.
    fn close(&mut self, end: End, wait: Option<Span>) {
        if let Some(wait) = wait {
            self.push(end, After::OwnUnit, wait, 0);
        }
    }
}
