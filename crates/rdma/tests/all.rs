//! Tests of the ends of RDMA connections.

mod recovery;
