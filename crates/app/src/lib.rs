//! The program `pacesim` with your own parts.
//!
//! `pacesim new part my_control --kind control` writes a crate that uses this one. Its `main` calls
//! [`main_with`] with the program's [`Parts`]; scenario files then name them like built-in ones, with
//! the keys that their [`keys!`] declares:
//!
//! ```no_run
//! # use std::process::ExitCode;
//! use pacesim_app::pacers::{Unpaced, UnpacedConfig};
//! use pacesim_app::units::Capacity;
//! use pacesim_app::{Parts, keys, main_with};
//!
//! keys! {
//!     /// No pacing, but a limit.
//!     pub struct Keys "limited" {
//!         limit: Capacity, "The most that is held.", "10pkts";
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     main_with(Parts::new().pacer(|keys: &Keys, _port| {
//!         Unpaced::new(&UnpacedConfig { capacity: keys.limit }).expect("any limit")
//!     }))
//! }
//! ```

mod arrivals;
pub mod laws;
pub mod networks;

/// Middleboxes behind the wires of links.
pub mod middlebox {
    pub use pacesim::middlebox::Site;
    pub use pacesim::model::Payload;
    pub use pacesim::net::{Flags, Kind, Middlebox, Packet, Step};
}

/// Transports: both ends of a flow.
pub mod end {
    pub use crate::arrivals::Arrivals;
    pub use pacesim::model::transport::{Made, Opening};
    pub use pacesim::net::{Ecn, Flags};
    pub use pacesim::transport::{
        Amount, Backlog, Command, Content, Counters, DataError, Datagram, Delivered, End, EndEvent,
        Gauges, Header, Limit, Standing, Transfer, laws,
    };
}

/// Applications: two sides that answer each other, over any transport.
pub mod application {
    pub use pacesim::model::application::{Application, Message, News, Role, Write};
    pub use pacesim::transport::application::laws;
}

/// Measures of studies.
pub mod measure {
    pub use pacesim::model::Model;
    pub use pacesim::net::{Kind, Packet};
    pub use pacesim::units::{FlowId, LinkId};
    pub use pacesim_parts::Measure;
}

/// Loss models of links.
pub mod loss {
    pub use pacesim::net::{LossModel, Packet};
    pub use pacesim::pacer::Port;
}

pub use pacesim::{model, pacers, queues, random, source, tcp, units};
pub use pacesim_cli::{main_of, main_with};
pub use pacesim_language::{field, table, words};
pub use pacesim_parts::{PartKeys, Parts, Wrong};
pub use pacesim_tcp_conformance as conformance;

/// Declares the keys of a part that accepts all their values. A part with further conditions takes
/// [`table!`] and implements [`PartKeys`].
#[macro_export]
macro_rules! keys {
    ($(#[doc = $doc:literal])* pub struct $name:ident $($keys:tt)*) => {
        $crate::table! { $(#[doc = $doc])* pub struct $name $($keys)* }
        impl $crate::PartKeys for $name {}
    };
}

/// The test that a part keeps the [laws](mod@laws) of its kind: `laws!(pacer, new);`. Those of ends and
/// applications also hold in [another process](mod@laws::elsewhere).
#[macro_export]
macro_rules! laws {
    (end, $new:expr) => {
        $crate::laws!(@elsewhere $crate::laws::end($new));
    };
    (application, $names:expr, $new:expr) => {
        $crate::laws!(@elsewhere $crate::laws::application($names, $new));
    };
    (@elsewhere $trials:expr) => {
        #[test]
        fn keeps_the_laws() {
            let test = concat!(module_path!(), "::keeps_the_laws");
            $crate::laws::elsewhere::same(test, &$trials);
        }
    };
    ($kind:ident, $($argument:expr),+) => {
        #[test]
        fn keeps_the_laws() {
            $crate::laws::$kind($($argument),+);
        }
    };
}
