//! A congestion control written elsewhere, as a flow's configuration holds it.

use std::fmt;
use std::sync::Arc;

use super::{CongestionControl, Control, Setup};

type Make = dyn Fn(&Setup) -> Box<dyn CongestionControl> + Send + Sync;

/// A congestion control written elsewhere: its name, and how to make one for a sender.
#[derive(Clone)]
pub struct OwnControl {
    name: String,
    make: Arc<Make>,
}

impl OwnControl {
    /// A congestion control of this name, made anew for each sender, which then calls
    /// [`CongestionControl::restart`] with its first window.
    pub fn new<C: CongestionControl + 'static>(
        name: impl Into<String>,
        make: impl Fn(&Setup) -> C + Send + Sync + 'static,
    ) -> OwnControl {
        OwnControl {
            name: name.into(),
            make: Arc::new(move |setup| Box::new(make(setup))),
        }
    }

    /// A new one, with its first window.
    pub fn start(&self, setup: &Setup) -> Box<dyn CongestionControl> {
        let mut control = (self.make)(setup);
        control.restart(setup.window);
        control
    }
}

impl fmt::Debug for OwnControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Equal are only copies of one and the same.
impl PartialEq for OwnControl {
    fn eq(&self, other: &OwnControl) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl From<OwnControl> for Control {
    fn from(own: OwnControl) -> Control {
        Control::Own(own)
    }
}
