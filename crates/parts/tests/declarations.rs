//! Parts with wrong declarations cannot be installed.

use pacesim_core::net::{LossModel, Packet};
use pacesim_keys::install;
use pacesim_language::field::Whole;
use pacesim_language::table;
use pacesim_parts::{PartKeys, Parts};
use pacesim_units::Time;

table! {
    /// A loss model with the name of a built-in one.
    struct Taken "periodic" {
        every: u32 as Whole<u32, 1, 9>, (= "1"), "A number.", "2";
    }
}

impl PartKeys for Taken {}

table! {
    /// A loss model with a key that all parts have.
    struct Common "mine" {
        kind: u32 as Whole<u32, 1, 9>, (= "1"), "A number.", "2";
    }
}

impl PartKeys for Common {}

struct Nothing(u32);

impl LossModel for Nothing {
    fn loses(&mut self, _: Time, _: &Packet) -> bool {
        self.0 == 0
    }
}

fn refused(parts: Parts) -> String {
    let unusable = install(parts, &[], String::new).expect_err("it cannot be used");
    unusable.to_string()
}

#[test]
fn names_of_built_in_parts_and_common_keys_are_refused() {
    let taken = Parts::new().loss(|keys: &Taken, _| Nothing(keys.every));
    let expected =
        "the name \"periodic\" is taken by a built-in part; choose another name in table! { ... }";
    assert_eq!(refused(taken), expected);
    let common = Parts::new().loss(|keys: &Common, _| Nothing(keys.kind));
    let expected = "the part \"mine\" is declared wrongly: the key \"kind\" is common to all parts; correct its table! { ... }";
    assert_eq!(refused(common), expected);
    let twice = Parts::new().loss(|keys: &Taken, _| Nothing(keys.every));
    let twice = twice.loss(|keys: &Taken, _| Nothing(keys.every));
    let expected = "the name \"periodic\" is taken by another part of this program; choose another name in table! { ... }";
    assert_eq!(refused(twice), expected);
}
