//! A congestion control of pacesim in the place of quinn's own. (The opposite does not compile: the
//! library's controllers are called with a `&RttEstimator`, which only the library can make.)

#![allow(
    clippy::disallowed_types,
    reason = "the library counts time from an instant, of which only differences matter"
)]

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use pacesim_app::tcp::{
    AckSample, Config, CongestionControl, Cubic, LossKind, LossSample, Reno, Setup, Variant,
};
use pacesim_app::units::Span;
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{self, ControllerFactory};

use crate::end::time;

/// The constructor of a control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuestConfig<C>(fn(&Setup) -> C);

pub(crate) const CUBIC: GuestConfig<Cubic> = GuestConfig(Cubic::of);
pub(crate) const RENO: GuestConfig<Reno> = GuestConfig(Reno::of);

impl<C: CongestionControl + Sync + 'static> ControllerFactory for GuestConfig<C> {
    fn build(self: Arc<Self>, _: Instant, mtu: u16) -> Box<dyn congestion::Controller> {
        let mut control = (self.0)(&Config::rfc(Variant::Sack).setup(10.0));
        control.restart(10.0);
        Box::new(Guest {
            control,
            config: self,
            mtu: u64::from(mtu),
            acked: 0,
            in_flight: 0,
            rtt: None,
            srtt: Span::ZERO,
            recovery: None,
            in_recovery: false,
        })
    }
}

pub(crate) struct Guest<C> {
    control: C,
    config: Arc<GuestConfig<C>>,
    mtu: u64,
    /// Bytes acknowledged that the control has not been told of.
    acked: u64,
    in_flight: u64,
    rtt: Option<Span>,
    srtt: Span,
    /// The beginning of the last recovery, and whether the last acknowledged packet left before it.
    recovery: Option<Instant>,
    in_recovery: bool,
}

fn span(of: std::time::Duration) -> Span {
    Span::from_ns(of.as_nanos() as u64)
}

impl<C: CongestionControl + Sync + 'static> congestion::Controller for Guest<C> {
    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, _: bool, rtt: &RttEstimator) {
        self.acked += bytes;
        self.rtt = Some(span(now - sent));
        self.srtt = span(rtt.get());
        self.in_recovery = self.recovery.is_some_and(|began| sent <= began);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, _: Option<u64>) {
        self.in_flight = in_flight;
        let packets = self.acked / self.mtu;
        self.acked %= self.mtu;
        if packets > 0 && !self.in_recovery {
            let mut sample = AckSample::new(time(now), packets as u32);
            sample.in_flight = (in_flight / self.mtu) as u32 + packets as u32;
            sample.rtt = self.rtt.take();
            sample.srtt = self.srtt;
            sample.window_unused = app_limited;
            self.control.on_ack(&sample);
        }
    }

    fn on_congestion_event(&mut self, now: Instant, sent: Instant, persistent: bool, _: u64) {
        if self.recovery.is_some_and(|began| sent <= began) {
            return;
        }
        self.recovery = Some(now);
        let kind = match persistent {
            true => LossKind::Timeout,
            false => LossKind::FastRetransmit,
        };
        let in_flight = self.control.window() as u32;
        self.control
            .on_loss(&LossSample::new(time(now), kind, in_flight));
        self.control.on_recovered(in_flight);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.mtu = u64::from(new_mtu);
    }

    fn window(&self) -> u64 {
        // The library sends only while the window would not be full: one byte more for equality.
        (self.control.window().floor().max(2.0)) as u64 * self.mtu + 1
    }

    fn clone_box(&self) -> Box<dyn congestion::Controller> {
        Arc::clone(&self.config).build(crate::end::base(), self.mtu as u16)
    }

    fn initial_window(&self) -> u64 {
        10 * self.mtu
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
