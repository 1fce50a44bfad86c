//! Users' own sources.

use std::fmt;
use std::sync::Arc;

use pacesim_core::random::Stream;

use super::Source;

/// A flow that gets a custom source.
#[derive(Clone, Debug)]
pub struct Feed {
    /// Name of the flow: "flow/group\[index\]".
    pub flow: String,
    /// Stream of random numbers used nowhere else in the world.
    pub stream: Stream,
}

/// A user's source: its name, and its constructor for a flow.
#[derive(Clone)]
pub struct OwnSource {
    name: String,
    make: Arc<dyn Fn(Feed) -> Box<dyn Source> + Send + Sync>,
}

impl OwnSource {
    /// A source of this name, constructed for each flow and replication.
    pub fn new<S: Source + 'static>(
        name: impl Into<String>,
        make: impl Fn(Feed) -> S + Send + Sync + 'static,
    ) -> OwnSource {
        OwnSource {
            name: name.into(),
            make: Arc::new(move |feed| Box::new(make(feed))),
        }
    }

    /// Name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Builds the source for this flow.
    pub fn build(&self, feed: Feed) -> Box<dyn Source> {
        (self.make)(feed)
    }
}

impl fmt::Debug for OwnSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
