//! Reads all packets of a recording and sums their bytes, which any export must do at least:
//!
//!     cargo run --release -p pacesim-trace --example rows RESULTS

use std::path::Path;

use pacesim_trace::{Recording, TraceError};

fn main() -> Result<(), TraceError> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let (mut rows, mut bytes) = (0_u64, 0_u64);
    Recording::open(Path::new(&folder))?.packets(|packet| {
        rows += 1;
        bytes += u64::from(packet.size_bytes);
    })?;
    println!("{rows} rows, {bytes} bytes");
    Ok(())
}
