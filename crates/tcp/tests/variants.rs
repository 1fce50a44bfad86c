//! The variants differ: each reacts differently to two losses in a window.

use std::sync::Arc;

use crate::net::{Net, Weather};
use pacesim_tcp::{Amount, Config, Profile, Variant};
use pacesim_units::Time;

/// Packets that a variant sends when its 60th and 62nd are lost.
fn trace(profile: Profile, variant: Variant) -> Vec<(Time, u32, bool)> {
    let mut config = Config::new(profile, variant);
    config.window_cap = 64.0;
    let weather = Weather {
        lost_data: [60, 62].into(),
        ..Weather::default()
    };
    let mut net = Net::new(&Arc::new(config), weather);
    net.give(Amount::Packets(200));
    net.run();
    net.log
}

#[test]
fn no_two_variants_do_the_same_about_two_losses() {
    for profile in [Profile::Ns2, Profile::Rfc] {
        for (i, a) in Variant::ALL.into_iter().enumerate() {
            for b in &Variant::ALL[i + 1..] {
                assert_ne!(
                    trace(profile, a),
                    trace(profile, *b),
                    "{profile:?}: {a:?} and {b:?}"
                );
            }
        }
    }
}

#[test]
fn the_profiles_differ() {
    for variant in Variant::ALL {
        assert_ne!(trace(Profile::Ns2, variant), trace(Profile::Rfc, variant));
    }
}
