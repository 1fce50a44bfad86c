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
