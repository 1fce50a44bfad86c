//! Packet captures are recognised by file name extension.

use std::fs;

use pacesim_runs::recorded;

/// A capture of two packets without data, in pcap with microseconds.
fn capture() -> Vec<u8> {
    let header = [0xA1B2_C3D4, 0, 0, 0, 65535, 1];
    let packets = [[7, 250, 0, 1500], [8, 0, 0, 60]];
    let numbers = header.into_iter().chain(packets.into_iter().flatten());
    numbers.flat_map(|n: u32| n.to_le_bytes()).collect()
}

#[test]
fn a_capture_is_read_and_a_cut_one_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.pcap", "a.cap", "a.pcapng"] {
        let path = folder.path().join(name);
        fs::write(&path, capture()).expect("written");
        let recording = recorded::read(&path).expect("a sound capture");
        let rows = recording.arrivals.iter();
        let rows: Vec<_> = rows.map(|a| (a.at.to_string(), a.size.get())).collect();
        assert_eq!(rows, [("0s".to_owned(), 1500), ("999.75ms".to_owned(), 60)]);
        fs::write(&path, &capture()[..50]).expect("written");
        let error = recorded::read(&path).expect_err("a cut file").to_string();
        assert!(
            error.starts_with("packet 2: the file ends at byte 50"),
            "{error}"
        );
    }
    let missing = recorded::read(&folder.path().join("b.pcap"));
    assert!(missing.is_err_and(|error| error.to_string().contains("no such file")));
}
