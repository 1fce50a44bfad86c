//! A user's own congestion control, in a flow's configuration.

use std::fmt;
use std::sync::Arc;

use super::{CongestionControl, Control, Setup};

type Make = dyn Fn(&Setup) -> Box<dyn CongestionControl> + Send + Sync;

/// A user's own congestion control: its name, and its constructor.
#[derive(Clone)]
pub struct OwnControl {
    name: String,
    keys: Option<Arc<[(&'static str, String)]>>,
    make: Arc<Make>,
}

impl OwnControl {
    /// A congestion control of this name, constructed for each sender, which then calls
    /// [`CongestionControl::restart`] with its initial window.
    pub fn new<C: CongestionControl + 'static>(
        name: impl Into<String>,
        make: impl Fn(&Setup) -> C + Send + Sync + 'static,
    ) -> OwnControl {
        OwnControl {
            name: name.into(),
            keys: None,
            make: Arc::new(move |setup| Box::new(make(setup))),
        }
    }

    /// A congestion control of this name, constructed from these keys of a scenario file, each with
    /// its value in TOML: two of equal name and keys are equal.
    pub fn with_keys(self, keys: Vec<(&'static str, String)>) -> OwnControl {
        OwnControl {
            keys: Some(keys.into()),
            ..self
        }
    }

    /// Name of the control.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The keys of its construction, if it is from a scenario file.
    pub fn keys(&self) -> Option<&[(&'static str, String)]> {
        self.keys.as_deref()
    }

    /// Builds the control with its initial window.
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

/// Copies of one control are equal, and so are those with the same keys.
impl PartialEq for OwnControl {
    fn eq(&self, other: &OwnControl) -> bool {
        let same_keys = self.keys.is_some() && self.keys == other.keys;
        Arc::ptr_eq(&self.make, &other.make) || (same_keys && self.name == other.name)
    }
}

impl From<OwnControl> for Control {
    fn from(own: OwnControl) -> Control {
        Control::Own(own)
    }
}
