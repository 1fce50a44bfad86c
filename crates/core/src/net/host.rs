//! Hosts that take time for the packets that they send.

use pacesim_units::{Span, Time};

use super::Kind;
use super::port::Accepted;
use crate::random::samplers::Sampler;
use crate::random::{Distribution as _, Rng as _, Stream};

/// The time that a host takes between a packet's turn at its port and the first bit on its line, as
/// by a processor, a driver and a card behind the queue. Packets keep their order and never leave
/// faster than the line sends, and the host works on several at once: it delays packets and costs
/// no throughput. It is known when the port takes a packet, so it needs no event.
#[derive(Clone, Debug)]
pub struct HostDelays {
    /// Delays of data in picoseconds, and of all other packets, which are answers.
    data: Delays,
    answers: Delays,
    stalls: Option<Stalls>,
    stream: Stream,
    /// Time at which the line has sent all packets so far.
    line_free: Time,
}

impl HostDelays {
    /// Delays of data and of answers, in picoseconds, and the host's stalls.
    pub fn new(delays: [Sampler; 2], stalls: Option<Stalls>, stream: Stream) -> HostDelays {
        let [data, answers] = delays.map(Delays::from);
        HostDelays {
            data,
            answers,
            stalls,
            stream,
            line_free: Time::ZERO,
        }
    }

    /// Puts off the schedule of a packet of this kind, which is that of an ideal host.
    #[inline]
    pub(super) fn put_off(&mut self, kind: Kind, accepted: &mut Accepted) {
        accepted.delay(self.time_taken(kind, accepted.began, accepted.departure));
    }

    /// The time by which a packet of this kind starts later than at an ideal host, where its
    /// transmission would begin and end at these times.
    #[inline]
    fn time_taken(&mut self, kind: Kind, began: Time, departure: Time) -> Span {
        let delays = match kind {
            Kind::Data => &self.data,
            Kind::Ack | Kind::Auxiliary => &self.answers,
        };
        let delay = delays.draw(&mut self.stream);
        let ready = began.saturating_add(delay).max(self.line_free);
        let start = match &mut self.stalls {
            Some(stalls) => stalls.passed(ready),
            None => ready,
        };
        let late = start.saturating_since(began);
        self.line_free = departure.saturating_add(late);
        late
    }
}

/// Delays as they are drawn.
#[derive(Clone, Debug)]
enum Delays {
    /// The default, whole picoseconds with the same chance for each, drawn without looking for a sampler.
    Uniform {
        low: u64,
        width: u64,
    },
    Other(Sampler),
}

impl From<Sampler> for Delays {
    fn from(sampler: Sampler) -> Delays {
        match &sampler {
            Sampler::Uniform(uniform) => match uniform.whole_ends() {
                Some((low, high)) if high <= LONGEST.as_ps() => Delays::Uniform {
                    low,
                    width: high - low,
                },
                _ => Delays::Other(sampler),
            },
            _ => Delays::Other(sampler),
        }
    }
}

impl Delays {
    #[inline]
    fn draw(&self, stream: &mut Stream) -> Span {
        match self {
            Delays::Uniform { low, width } => {
                // The nearest whole number to that share of the width, as a sampler's is.
                let scaled = u128::from(stream.next_u64()) * u128::from(*width) + (1 << 63);
                Span::from_ps(low + (scaled >> 64) as u64)
            }
            Delays::Other(sampler) => draw_other(sampler, stream),
        }
    }
}

#[cold]
#[inline(never)]
fn draw_other(sampler: &Sampler, stream: &mut Stream) -> Span {
    span_of(sampler.sample(stream))
}

/// No drawn time is longer than a day.
const LONGEST: Span = Span::from_secs(86_400);

/// A drawn number of picoseconds.
fn span_of(ps: f64) -> Span {
    Span::from_ps((ps + 0.5) as u64).min(LONGEST)
}

/// The stalls of a host, during which it neither sends nor receives: they begin at random after the
/// end of the one before.
#[derive(Clone, Debug)]
pub struct Stalls {
    /// Times between stalls and their lengths, in picoseconds.
    gaps: Sampler,
    lengths: Sampler,
    stream: Stream,
    /// The time from which on no stall is drawn.
    until: Time,
    /// The stall that ends last of those known.
    begins: Time,
    ends: Time,
}

impl Stalls {
    /// Stalls with these gaps between them and these lengths, in picoseconds, up to the end of a run:
    /// a packet that is ready a day later would have billions drawn. Two copies with equal streams
    /// have the same stalls.
    pub fn new(gaps: Sampler, lengths: Sampler, stream: Stream, until: Time) -> Stalls {
        let mut stalls = Stalls {
            gaps,
            lengths,
            stream,
            until,
            begins: Time::ZERO,
            ends: Time::ZERO,
        };
        stalls.find_next();
        stalls
    }

    fn find_next(&mut self) {
        // At least a picosecond of each, so that time goes on.
        let mut draw =
            |sampler: &Sampler| span_of(sampler.sample(&mut self.stream)).max(Span::from_ps(1));
        self.begins = self.ends.saturating_add(draw(&self.gaps));
        self.ends = self.begins.saturating_add(draw(&self.lengths));
    }

    /// The first time from `now` on at which the host works. Call it with times in ascending order.
    pub fn passed(&mut self, now: Time) -> Time {
        if now > self.until {
            return now;
        }
        while self.ends <= now && self.ends < Time::NEVER {
            self.find_next();
        }
        if self.begins <= now { self.ends } else { now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Streams;
    use crate::random::samplers::{Constant, Exponential, Uniform};

    const LINE: Span = Span::from_us(10);

    fn streams() -> Streams {
        Streams {
            seed: 3,
            replication: 0,
        }
    }

    /// The start on the line of a packet whose turn is at this time.
    fn start(host: &mut HostDelays, kind: Kind, turn: Time) -> Time {
        turn + host.time_taken(kind, turn, turn + LINE)
    }

    fn uniform(us: u64) -> Sampler {
        Uniform::new(0.0, us as f64 * 1e6).expect("a range").into()
    }

    fn host(us: u64, stalls: Option<Stalls>) -> HostDelays {
        let never = Constant::new(0.0).expect("a constant");
        HostDelays::new(
            [uniform(us), never.into()],
            stalls,
            streams().stream("h", "host"),
        )
    }

    /// Starts on the line of packets whose turns are this far apart.
    fn starts(host: &mut HostDelays, gap: Span, packets: u64) -> Vec<(Time, Time)> {
        let turn = |i: u64| Time::ZERO + Span::from_ps(gap.as_ps() * i);
        let mut sent = |i| (turn(i), start(host, Kind::Data, turn(i)));
        (0..packets).map(&mut sent).collect()
    }

    #[test]
    fn packets_far_apart_are_delayed_as_drawn() {
        let all = starts(&mut host(5, None), Span::from_us(100), 10_000);
        let delays = all
            .iter()
            .map(|(turn, start)| start.saturating_since(*turn).as_ps());
        assert!(delays.clone().all(|ps| ps <= 5_000_000));
        let mean = delays.sum::<u64>() as f64 / 1e4;
        // Five standard errors of 2.5 us +- 1.44 us.
        assert!((mean - 2.5e6).abs() < 5.0 * 1.45e4, "{mean} ps");
    }

    /// Ten thousand draws, so one is another picosecond than the sampler's with a chance of 10^-5.
    #[test]
    fn uniform_delays_are_those_of_their_sampler() {
        let (sampler, mut same) = (uniform(5), streams().stream("h", "host"));
        for (turn, start) in starts(&mut host(5, None), Span::from_us(100), 10_000) {
            let drawn = span_of(sampler.sample(&mut same));
            assert_eq!(start.saturating_since(turn), drawn);
        }
    }

    #[test]
    fn a_busy_line_stays_busy_and_keeps_its_rate() {
        let all = starts(&mut host(50, None), LINE, 10_000);
        let gaps: Vec<Span> = all
            .windows(2)
            .map(|pair| pair[1].1.saturating_since(pair[0].1))
            .collect();
        assert!(
            gaps.iter().all(|gap| *gap >= LINE),
            "in order, and no faster than the line"
        );
        let (turn, start) = all[9_999];
        let late = start.saturating_since(turn);
        assert!(late <= Span::from_us(50), "{late}: delays do not add up");
    }

    #[test]
    fn answers_have_delays_of_their_own() {
        let mut host = host(5, None);
        let turn = Time::ZERO + Span::from_ms(1);
        assert_eq!(start(&mut host, Kind::Ack, turn), turn);
        assert_eq!(start(&mut host, Kind::Ack, turn), turn + LINE);
    }

    fn stalls() -> Stalls {
        let gaps = Exponential::with_mean(1e9).expect("a mean");
        let lengths = Constant::new(2e8).expect("a constant");
        let end = Time::ZERO + Span::from_secs(1000);
        Stalls::new(
            gaps.into(),
            lengths.into(),
            streams().stream("h", "stalls"),
            end,
        )
    }

    /// Stalls every two nanoseconds of a run of a millisecond, asked about a day later: a check ran for
    /// hours here.
    #[test]
    fn beyond_the_end_of_the_run_no_stall_is_drawn() {
        let short = || Constant::new(1e3).expect("a constant").into();
        let end = Time::ZERO + Span::from_ms(1);
        let mut stalls = Stalls::new(short(), short(), streams().stream("h", "stalls"), end);
        let day = Time::ZERO + Span::from_secs(86_400);
        assert_eq!(stalls.passed(day), day);
    }

    #[test]
    fn stalls_take_their_share_of_time_and_are_the_same_for_every_reader() {
        let (mut often, mut seldom) = (stalls(), stalls());
        let (mut stalled, asked) = (0, 100_000);
        for i in 0..asked {
            let now = Time::ZERO + Span::from_us(50 * i);
            let passed = often.passed(now);
            assert!(passed <= now + Span::from_us(200), "a stall takes 200 us");
            stalled += u64::from(passed > now);
            if i % 7 == 0 {
                assert_eq!(seldom.passed(now), passed);
            }
        }
        // A renewal process of 1 ms and 200 us; 4167 stalls, so 5 standard errors are 1 % of 1/6.
        let share = stalled as f64 / asked as f64;
        assert!((share - 1.0 / 6.0).abs() < 0.015, "{share}");
    }

    #[test]
    fn nothing_starts_during_a_stall_and_order_is_kept() {
        let mut host = host(5, Some(stalls()));
        let mut known = stalls();
        let all = starts(&mut host, Span::from_us(30), 20_000);
        for pair in all.windows(2) {
            assert!(pair[1].1 >= pair[0].1 + LINE);
        }
        for (_, start) in all {
            assert_eq!(known.passed(start), start, "it works when it sends");
        }
    }
}
