//! A program's own parts, named in scenario files like built-in ones.
//!
//! A part has a table of keys, declared by [`table!`](pacesim_language::table), and a constructor.
//! [`Parts`] collects them, and [`Parts::install`] (in programs `pacesim_keys::install`) makes them known to the scenario language for the
//! rest of the process: its messages, options, schema and reference then include them. A scenario
//! that names none of them is unaffected, in its results and in its speed.
//!
//! ```
//! use pacesim_language::table;
//! use pacesim_parts::{PartKeys, Parts};
//! use pacesim_tcp_common::control::Setup;
//! # use pacesim_tcp_common::control::{AckSample, CongestionControl, LossSample};
//! # #[derive(Debug)]
//! # struct Constant(f64);
//! # impl CongestionControl for Constant {
//! #     fn window(&self) -> f64 { self.0 }
//! #     fn ssthresh(&self) -> f64 { self.0 }
//! #     fn on_ack(&mut self, _: &AckSample) {}
//! #     fn on_loss(&mut self, _: &LossSample) {}
//! #     fn restart(&mut self, _: f64) {}
//! # }
//!
//! table! {
//!     /// A window of constant size.
//!     pub struct ConstantKeys "constant" {
//!         packets: u32 as pacesim_language::field::Whole<u32, 1, 10000>, (= "10"), "The window in packets.", "20";
//!     }
//! }
//!
//! impl PartKeys for ConstantKeys {}
//!
//! let parts = Parts::new()
//!     .control(|keys: &ConstantKeys, _: &Setup| Constant(f64::from(keys.packets)));
//! assert!(parts.install(&[], || "hash of the program".to_owned()).is_ok());
//! ```

mod kinds;
mod measure;
mod own;
mod part;
mod parts;
mod registry;

pub use measure::{Measure, OwnMeasure};
pub use own::Own;
pub use part::{PartKeys, Wrong};
pub use parts::Parts;
pub use registry::{
    Kind, OF_APPLICATIONS, OF_TRANSPORTS, Unusable, control, control_name, controls,
    files_of_studies, installed, own_metrics,
};
