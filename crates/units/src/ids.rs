//! Dense ids: each an index with its own type.

macro_rules! dense_id {
    ($name:ident, $what:literal) => {
        #[doc = concat!("The index of a ", $what, ", dense from zero.")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into a table.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id for an index into a table. Panics beyond 2^32.
            #[inline]
            pub fn from_index(index: usize) -> $name {
                $name(u32::try_from(index).expect(concat!("more than 2^32 of: ", $what)))
            }
        }
    };
}

dense_id!(NodeId, "node");
dense_id!(
    LinkId,
    "link (one direction of a wire, with the port that feeds it)"
);
dense_id!(FlowId, "flow");

/// A connection by its flow and its number there: the unit that shares one five-tuple. It comes from
/// the model alone, whatever the memory that the connection takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ConnectionId {
    /// Flow of the connection.
    pub flow: FlowId,
    /// The number of its transfer within the flow, from 1, if each transfer has a connection of its
    /// own; 0 for a flow's only connection.
    pub call: u32,
}

impl ConnectionId {
    /// A flow's connection for one transfer, the first of which is number 1.
    #[inline]
    pub const fn of_call(flow: FlowId, call: u32) -> ConnectionId {
        ConnectionId { flow, call }
    }

    /// Both numbers in one word, which for a flow's only connection is the flow's number.
    #[inline]
    pub const fn word(self) -> u64 {
        (self.call as u64) << 32 | self.flow.0 as u64
    }
}

/// Stands for a flow's only connection.
impl From<FlowId> for ConnectionId {
    #[inline]
    fn from(flow: FlowId) -> ConnectionId {
        ConnectionId { flow, call: 0 }
    }
}
