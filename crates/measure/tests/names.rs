//! Names and units of columns, as documented in docs/results.md.

use pacesim_measure::record::{ColumnType, SCHEMAS};

/// Units that results do not use.
const OTHER_UNITS: [&str; 9] = [
    "_ms", "_us", "_ns", "_kbps", "_Mbps", "_mbps", "_kb", "_percent", "_share",
];

#[test]
fn columns_are_in_si_units_and_only_moments_in_picoseconds() {
    const MOMENTS: [&str; 11] = [
        "t_ps",
        "release_ps",
        "departure_ps",
        "start_ps",
        "end_ps",
        "from_ps",
        "until_ps",
        "read_ps",
        "due_ps",
        "write_ps",
        "written_ps",
    ];
    for column in SCHEMAS.iter().flat_map(|schema| schema.columns) {
        let name = column.name;
        let is_other = OTHER_UNITS.iter().any(|unit| name.ends_with(unit));
        assert!(!is_other, "{name}");
        assert_eq!(name.ends_with("_ps"), MOMENTS.contains(&name), "{name}");
        match name {
            "link" | "flow" | "group" => assert_eq!(column.kind, ColumnType::Text, "{name}"),
            "link_id" | "flow_id" => assert_eq!(column.kind, ColumnType::U32, "{name}"),
            _ => {}
        }
    }
}
