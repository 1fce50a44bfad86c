//! The built-in congestion controls, and the place of a user's own.

use pacesim_units::{Rate, Time};

use super::frozen_window::FrozenWindow;
use super::{
    AckSample, CongestionControl, Halving, LossSample, OwnControl, Reno, SentSample, Setup,
};

/// Makes the names of the controls listed below, and one type for any of them, each constructed by
/// its `of(&Setup)`. A profile has those of its own list and of the lists before it.
macro_rules! house {
    (
        ns2 { $( $(#[$of_ns2:meta])+ $ns2:ident, )+ }
        rfc { $( $(#[$of_rfc:meta])+ $rfc:ident, )+ }
        linux { $( $(#[$of_linux:meta])+ $linux:ident, )+ }
    ) => {
        /// The congestion control of a sender.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub enum Control {
            $( $(#[$of_ns2])+ $ns2, )+
            $( $(#[$of_rfc])+ $rfc, )+
            $( $(#[$of_linux])+ $linux, )+
            /// A user's own congestion control.
            Own(OwnControl),
        }

        impl Control {
            /// All controls of profile rfc.
            pub const HOUSE: &'static [Control] = &[$( Control::$ns2, )+ $( Control::$rfc, )+];
            /// Controls among them without a place in profile ns2.
            pub const RFC: &'static [Control] = &[$( Control::$rfc, )+];
            /// Controls of Linux's profile only.
            pub const LINUX: &'static [Control] = &[$( Control::$linux, )+];
        }

        /// A built-in control without indirection, or a user's own.
        #[derive(Debug)]
        pub enum Controller {
            $( #[doc = stringify!($ns2)] $ns2(super::$ns2), )+
            $( #[doc = stringify!($rfc)] $rfc(super::$rfc), )+
            /// A user's own congestion control.
            Own(Box<dyn CongestionControl>),
        }

        impl Controller {
            /// A new control of this name; Reno for one of Linux's profile, which
            /// `Config::validate` refuses elsewhere.
            pub fn new(control: &Control, setup: &Setup) -> Controller {
                match control {
                    $( Control::$ns2 => Controller::$ns2(super::$ns2::of(setup)), )+
                    $( Control::$rfc => Controller::$rfc(super::$rfc::of(setup)), )+
                    $( Control::$linux => Controller::new(&Control::Reno, setup), )+
                    Control::Own(own) => Controller::Own(own.start(setup)),
                }
            }
        }

        impl Controller {
            /// The control behind a single indirection.
            pub fn boxed(self) -> Box<dyn CongestionControl> {
                match self {
                    Controller::Own(own) => own,
                    house => Box::new(house),
                }
            }

            /// Stops the growth of the window by acknowledgements.
            pub fn stop_growing(&mut self) {
                let no_more = Controller::Reno(Reno::rfc(1.0, 1.0, Halving::Flight));
                let growing = std::mem::replace(self, no_more);
                *self = Controller::Own(Box::new(FrozenWindow(growing)));
            }
        }

        /// Reno is tested first, since for most senders that takes one comparison.
        macro_rules! whichever {
            ($self:expr, $control:ident => $call:expr) => {
                if let Controller::Reno($control) = $self {
                    $call
                } else {
                    pacesim_units::dispatch!(
                        $self, Controller { $($ns2,)+ $($rfc,)+ Own }, $control => $call
                    )
                }
            };
        }
    };
}

house! {
    ns2 {
        /// The window of the profile.
        #[default]
        Reno,
    }
    rfc {
        /// RFC 9438's; in Linux's profile in its integers.
        Cubic,
    }
    linux {
        /// DCTCP; Reno where the far end echoes no marks.
        Dctcp,
        /// Prague, for queues that mark early (L4S); Reno if the far end does not echo each mark.
        Prague,
        /// BBR version 1. It paces by itself if nothing else does.
        Bbr,
        /// BBR version 3, as Google's kernel code has it.
        Bbr3,
        /// BBR version 3 with the constants and the loss test of draft-ietf-ccwg-bbr.
        Bbr3Draft,
    }
}

impl Control {
    /// True if it sets a sending rate, which has no effect without pacing.
    pub fn sets_rate(&self) -> bool {
        use Control::{Bbr, Bbr3, Bbr3Draft, Prague};
        matches!(self, Bbr | Bbr3 | Bbr3Draft | Prague)
    }
}

impl Controller {
    /// The window, and the threshold at which slow start ends.
    #[inline]
    pub fn sizes(&self) -> (f64, f64) {
        whichever!(self, c => (c.window(), c.ssthresh()))
    }
}

impl CongestionControl for Controller {
    #[inline]
    fn window(&self) -> f64 {
        whichever!(self, c => c.window())
    }
    #[inline]
    fn ssthresh(&self) -> f64 {
        whichever!(self, c => c.ssthresh())
    }
    fn least_window(&self) -> f64 {
        whichever!(self, c => c.least_window())
    }
    #[inline]
    fn on_ack(&mut self, sample: &AckSample) {
        whichever!(self, c => c.on_ack(sample));
    }
    fn on_loss(&mut self, sample: &LossSample) {
        whichever!(self, c => c.on_loss(sample));
    }
    fn restart(&mut self, window: f64) {
        whichever!(self, c => c.restart(window));
    }
    fn deflate(&mut self, packets: f64) {
        whichever!(self, c => c.deflate(packets));
    }
    fn on_recovered(&mut self, in_flight: u32) {
        whichever!(self, c => c.on_recovered(in_flight));
    }
    fn on_recovery_end(&mut self, now: Time) {
        whichever!(self, c => c.on_recovery_end(now));
    }
    #[inline]
    fn on_sent(&mut self, sample: &SentSample) {
        whichever!(self, c => c.on_sent(sample));
    }
    fn pacing_rate(&self) -> Option<Rate> {
        whichever!(self, c => c.pacing_rate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Variant};
    use crate::laws;

    #[test]
    fn each_control_of_the_house_keeps_the_laws() {
        for config in [Config::ns2(Variant::Reno), Config::rfc(Variant::Reno)] {
            for control in Control::HOUSE {
                let config = Config {
                    control: control.clone(),
                    ..config.clone()
                };
                for seed in 0..20 {
                    let new = || Controller::new(&config.control, &config.setup(2.0));
                    let verdict = laws::check(new, &laws::random_events(seed, 500));
                    assert_eq!(verdict.err(), None, "{control:?}");
                }
            }
        }
    }
}
