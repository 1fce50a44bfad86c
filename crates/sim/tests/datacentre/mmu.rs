//! The memory of a lossless switch: each counter after each arrival and departure.

use pacesim::units::Bytes;
use pacesim_datacentre::mmu::{Mmu, MmuConfig, Port};

use crate::cases::Case;
use crate::tolerances::{Bound, compare};

pub(crate) fn replay(case: &Case) -> Result<(), String> {
    let port = Port::shifted(case.bytes("hdrm"), case.whole("shift") as u32);
    let config = MmuConfig {
        memory: case.bytes("buf"),
        reserve: case.bytes("reserve"),
        resume_gap: case.bytes("resume"),
        ports: vec![port; case.whole("nport") as usize],
        classes: 1,
    };
    let mut mmu = Mmu::new(config).expect("memory to share");
    for row in case.table() {
        let [from, to] = ["in", "out"].map(|column| row.integer(column) as usize - 1);
        let size = Bytes(row.integer("bytes"));
        let (is_taken, pauses, resumes) = match row.text("op") {
            "a" => match mmu.arrive(from, to, 0, size) {
                Ok(pauses) => (true, pauses, false),
                Err(_) => (false, false, false),
            },
            "d" => (true, false, mmu.depart(from, to, 0, size)),
            other => panic!("no operation {other}"),
        };
        let input = mmu.input(from, 0);
        let bytes = |bytes: Bytes| bytes.get() as f64;
        compare(
            &row,
            &[
                ("admitted", f64::from(is_taken), Bound::Exact),
                ("pause", f64::from(pauses), Bound::Exact),
                ("resume", f64::from(resumes), Bound::Exact),
                ("ingress_bytes", input.bytes as f64, Bound::Exact),
                ("hdrm_bytes", input.headroom as f64, Bound::Exact),
                ("egress_bytes", bytes(mmu.output(to, 0)), Bound::Exact),
                ("shared_used", bytes(mmu.shared_used()), Bound::Exact),
                ("threshold", bytes(mmu.threshold(from)), Bound::Exact),
            ],
        )?;
    }
    Ok(())
}
