//! Reads all packets of a recording and counts them, which any export must do at least:
//!
//!     cargo run --release -p pacesim-trace --example rows RESULTS

use std::path::Path;

use pacesim_trace::{Recording, TraceError};

fn main() -> Result<(), TraceError> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut rows = 0_u64;
    Recording::open(Path::new(&folder))?.packets(|packet| {
        // Otherwise the compiler leaves out the fields that nothing reads.
        std::hint::black_box(&packet);
        rows += 1;
    })?;
    println!("{rows} rows");
    Ok(())
}
