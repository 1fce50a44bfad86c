//! Reads a recording, which any export must do at least: its packets and events of senders as rows,
//! or row group by row group all columns of both tables, as a data frame holds them.
//!
//!     cargo run --release -p pacesim-trace --example rows RESULTS [columns]

use std::error::Error;
use std::hint::black_box;
use std::path::Path;

use pacesim_report::trace::Recording;
use pacesim_tables::TableReader;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| ".".to_owned());
    let folder = Path::new(&folder);
    let mut rows = 0_u64;
    if args.next().is_some() {
        for table in ["packets.parquet", "tcp.parquet"] {
            let table = TableReader::open(&folder.join(table))?;
            for group in 0..table.groups() {
                let places = 0..table.column_names().len();
                let columns = places.map(|place| table.values(group, place));
                black_box(columns.collect::<Result<Vec<_>, _>>()?);
            }
            rows += table.rows();
        }
    } else {
        let recording = Recording::open(folder)?;
        // Otherwise the compiler leaves out the fields that nothing reads.
        recording.packets(|packet| {
            black_box(&packet);
            rows += 1;
        })?;
        recording.senders(|sender| {
            black_box(&sender);
            rows += 1;
        })?;
    }
    println!("{rows} rows");
    Ok(())
}
