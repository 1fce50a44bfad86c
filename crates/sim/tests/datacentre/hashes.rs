//! The hash by which switches choose among paths.

use pacesim::model::path_hash;

use crate::cases::Case;

pub(crate) fn replay(case: &Case) -> Result<(), String> {
    for (i, row) in case.rows().enumerate() {
        let of = |name: &str| row[name] as u32;
        let words = [of("sip"), of("dip"), of("sport") | of("dport") << 16];
        let found = path_hash(words, of("seed"));
        if found != of("hash") {
            return Err(format!("row {i}: {found} in place of {}", of("hash")));
        }
    }
    Ok(())
}
