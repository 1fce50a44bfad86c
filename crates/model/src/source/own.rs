//! Sources written elsewhere.

use std::fmt;
use std::sync::Arc;

use pacesim_core::random::Stream;

use super::Source;

/// A flow that gets a source.
#[derive(Clone, Debug)]
pub struct Feed {
    /// The flow's name: "flow/group\[index\]".
    pub flow: String,
    /// Random numbers that nothing else in the world draws.
    pub stream: Stream,
}

/// A source written elsewhere: its name, and how to make one for a flow.
#[derive(Clone)]
pub struct OwnSource {
    name: String,
    make: Arc<dyn Fn(Feed) -> Box<dyn Source> + Send + Sync>,
}

impl OwnSource {
    /// A source of this name, made anew for each flow and replication.
    pub fn new<S: Source + 'static>(
        name: impl Into<String>,
        make: impl Fn(Feed) -> S + Send + Sync + 'static,
    ) -> OwnSource {
        OwnSource {
            name: name.into(),
            make: Arc::new(move |feed| Box::new(make(feed))),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The source for this flow.
    pub fn build(&self, feed: Feed) -> Box<dyn Source> {
        (self.make)(feed)
    }
}

impl fmt::Debug for OwnSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
