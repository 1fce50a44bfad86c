//! Laws of units.

use pacesim_language::expression::Unit;
use proptest::prelude::*;

fn units() -> impl Strategy<Value = Unit> {
    let bases = [
        Unit::ONE,
        Unit::BIT,
        Unit::SECOND,
        Unit::PACKET,
        Unit::BIT_PER_SECOND,
    ];
    let base = prop::sample::select(bases.to_vec());
    prop::collection::vec((base, any::<bool>()), 0..5).prop_map(|factors| {
        let factors = factors.into_iter();
        let factors = factors.map(|(unit, is_below)| if is_below { unit.inverse() } else { unit });
        let product = |left: Unit, right| left.times(right).expect("few factors");
        factors.fold(Unit::ONE, product)
    })
}

proptest! {
    #[test]
    fn units_are_a_commutative_group(a in units(), b in units(), c in units()) {
        let times = |a: Unit, b| a.times(b).expect("few factors");
        prop_assert_eq!(times(a, b), times(b, a));
        prop_assert_eq!(times(times(a, b), c), times(a, times(b, c)));
        prop_assert_eq!(times(a, Unit::ONE), a);
        prop_assert_eq!(times(a, a.inverse()), Unit::ONE);
    }

    #[test]
    fn a_root_is_one_whose_square_it_was(a in units()) {
        let square = a.times(a).expect("few factors");
        prop_assert_eq!(square.root(), Some(a));
        let root = a.root().expect("whole powers");
        prop_assert_eq!(root.times(root), Some(a));
    }
}

#[test]
fn units_are_written_as_products_and_quotients() {
    let rate = Unit::BIT_PER_SECOND;
    assert_eq!(rate.to_string(), "bit/s");
    assert_eq!(rate.inverse().to_string(), "s/bit");
    assert_eq!(Unit::SECOND.inverse().to_string(), "1/s");
    assert_eq!(
        Unit::SECOND.root().map(|unit| unit.to_string()),
        Some("s^0.5".to_owned())
    );
    assert_eq!(
        rate.times(rate).map(|unit| unit.to_string()),
        Some("bit^2/s^2".to_owned())
    );
    assert_eq!(
        Unit::SECOND.root().and_then(Unit::root),
        None,
        "no quarter powers"
    );
}
