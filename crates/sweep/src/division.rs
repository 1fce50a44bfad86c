//! Division of a study into shards. It follows from the study, the replications and the number of
//! shards alone, so any machine may make any shard.

use std::collections::BTreeMap;

use pacesim_store::shard::{Part, Shard};
use pacesim_study::Study;

use crate::compared::Groups;

/// The division of a study: its smallest pieces, dealt to the shards in turn to spread expensive
/// ones.
pub struct Division {
    of: u64,
    pieces: Pieces,
}

/// The unit of work that stays in one shard.
enum Pieces {
    /// A run, point by point, with this many replications each, and more at some points: those are
    /// dealt on in turn.
    Runs {
        replications: u64,
        more: BTreeMap<u64, u64>,
    },
    /// A point: its runs share a warm-up, which is found once.
    Points,
    /// Points that stop together; maps each point to the index of its group.
    Groups(BTreeMap<u64, u64>),
}

impl Division {
    /// Divides a study into this many parts.
    pub fn new(study: &Study, replications: u64, of: u64) -> Division {
        let pieces = if study.precision.is_some() {
            Pieces::Groups(places_of_groups(study))
        } else if !study.find_warmup.is_empty() {
            Pieces::Points
        } else {
            let own = |number| (number, study.replications_of(number, replications));
            let more = study.points().map(own);
            Pieces::Runs {
                replications,
                more: more.filter(|(_, own)| *own > replications).collect(),
            }
        };
        Division { of, pieces }
    }

    /// The number of pieces of a study with this many points, and so the most shards that have
    /// work.
    pub fn pieces(&self, points: u64) -> u64 {
        match &self.pieces {
            Pieces::Runs { replications, more } => {
                let more: u64 = more.values().map(|own| own - replications).sum();
                points.saturating_mul(*replications) + more
            }
            Pieces::Points => points,
            Pieces::Groups(places) => places.values().max().map_or(0, |last| last + 1),
        }
    }

    /// A shard's part of a point, by the point's index among all and its number.
    pub(crate) fn part(&self, shard: Shard, place: u64, number: u64) -> Option<Part> {
        let (index, of) = (shard.number() - 1, self.of);
        match &self.pieces {
            Pieces::Runs { replications, more } => {
                let before = place.saturating_mul(*replications) % of;
                let first = (index + of - before) % of;
                let own = more.get(&number).unwrap_or(replications);
                (first < *own).then_some(Part { first, step: of })
            }
            _ => (self.piece(place, number, 0) % of == index).then_some(Part::WHOLE),
        }
    }

    /// The shard that makes a run.
    pub fn shard(&self, place: u64, number: u64, replication: u64) -> Shard {
        let shard = self.piece(place, number, replication) % self.of + 1;
        Shard::new(shard, self.of).expect("a remainder is below the number of shards")
    }

    fn piece(&self, place: u64, number: u64, replication: u64) -> u64 {
        match &self.pieces {
            Pieces::Runs { replications, .. } => place
                .saturating_mul(*replications)
                .saturating_add(replication),
            Pieces::Points => place,
            Pieces::Groups(places) => places[&number],
        }
    }
}

/// The index of each point's group, with groups ordered by their first points.
fn places_of_groups(study: &Study) -> BTreeMap<u64, u64> {
    let groups = Groups::of(study);
    let mut places: BTreeMap<u64, u64> = BTreeMap::new();
    let mut next = 0;
    for number in study.points() {
        let first = groups.first(number);
        let place = *places.entry(first).or_insert_with(|| {
            next += 1;
            next - 1
        });
        places.insert(number, place);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_study::StudyText;
    use std::sync::Arc;

    const STUDY: &str = r#"
        run = { duration = "1s" }
        topology = { shape = "tandem", hops = 1, link = { rate = "10Mbps" } }
        flow = [{ name = "f", from = "node[0]", to = "node[1]", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
        [[sweep.axis]]
        name = "buffer"
        key = "topology.link.buffer"
        values = ["1pkt", "5pkts", "20pkts", "50pkts", "90pkts"]
    "#;

    fn study(more: &str) -> Study {
        let text = format!("{STUDY}\n{more}");
        let text = StudyText::parse("s.toml", "s", text.as_bytes(), Arc::new(()));
        text.check().expect("a good study")
    }

    /// The shards that make each run.
    fn makers(study: &Study, replications: u64, of: u64) -> BTreeMap<(u64, u64), Vec<Shard>> {
        let division = Division::new(study, replications, of);
        let mut makers: BTreeMap<(u64, u64), Vec<Shard>> = BTreeMap::new();
        for shard in Shard::all(of) {
            for (place, number) in (0..).zip(study.points()) {
                let Some(part) = division.part(shard, place, number) else {
                    continue;
                };
                let own = study.replications_of(number, replications);
                let has = (0..own).filter(|replication| part.has(*replication));
                let has: Vec<u64> = has.collect();
                assert_eq!(has.len() as u64, part.count(own));
                assert!(
                    !has.is_empty(),
                    "a point of which nothing is made is not checked"
                );
                for replication in has {
                    makers.entry((number, replication)).or_default().push(shard);
                    assert_eq!(division.shard(place, number, replication), shard);
                }
            }
        }
        makers
    }

    #[test]
    fn every_run_is_made_by_one_shard_and_shards_are_even() {
        let study = study("");
        for of in [1, 2, 3, 4, 7, 15, 16, 40] {
            let makers = makers(&study, 3, of);
            assert_eq!(makers.len(), 15, "{of} shards");
            assert!(makers.values().all(|shards| shards.len() == 1));
            let mut runs: BTreeMap<Shard, u64> = BTreeMap::new();
            makers
                .values()
                .for_each(|shards| *runs.entry(shards[0]).or_default() += 1);
            let (least, most) = (15 / of, 15_u64.div_ceil(of));
            assert!(
                runs.values().all(|n| (least..=most).contains(n)),
                "{runs:?}"
            );
        }
    }

    #[test]
    fn more_replications_of_a_point_are_dealt_on() {
        let more = "[[sweep.more]]\nat = { buffer = [\"5pkts\", \"90pkts\"] }\nreplications = 11";
        let text = format!("{more}\n[sweep]\nreplications = 3");
        let study = study(&text);
        for of in [1, 2, 4, 16, 40] {
            let makers = makers(&study, 3, of);
            assert_eq!(makers.len(), 3 * 3 + 2 * 11, "{of} shards");
            assert!(makers.values().all(|shards| shards.len() == 1));
            assert_eq!(Division::new(&study, 3, of).pieces(5), 31);
        }
        assert_eq!(makers(&study, 2, 4).len(), 10, "overridden");
    }

    #[test]
    fn points_that_stop_together_stay_together() {
        let claim = r#"
            [[expect]]
            claim = "more buffer, more goodput"
            y = "flows.f.goodput_bps"
            at = { buffer = "20pkts" }
            over = { buffer = "1pkt" }
            at_least = 1.0
        "#;
        let mut study = study(claim);
        study.precision = Some(0.1);
        let makers = makers(&study, 3, 4);
        let of_point = |point: u64| {
            let mut of_point = (0..3).map(|replication| makers[&(point, replication)][0]);
            let first = of_point.next().expect("three");
            assert!(
                of_point.all(|shard| shard == first),
                "a point is not torn apart"
            );
            first.number()
        };
        let shards: Vec<u64> = (0..5).map(of_point).collect();
        assert_eq!(shards, [1, 2, 1, 3, 4]);
        assert_eq!(Division::new(&study, 3, 4).pieces(5), 4);
    }

    #[test]
    fn a_shard_that_is_none_is_refused() {
        let refused = |text: &str| Shard::parse(text).expect_err(text);
        assert!(
            refused("7/5").contains("the last of 5 shards is 5/5"),
            "{}",
            refused("7/5")
        );
        assert!(
            refused("0/5").contains("count from 1"),
            "{}",
            refused("0/5")
        );
        assert!(refused("1/0").contains("1 to 100000"), "{}", refused("1/0"));
        for text in [
            "3",
            "",
            "a/5",
            "3/",
            "-1/5",
            "1+/5",
            "99999999999999999999/5",
        ] {
            assert!(refused(text).contains("such as 3/200"), "{text}");
        }
        let most = u64::MAX;
        assert!(
            refused(&format!("{most}+{most}/5")).contains("5/5"),
            "{}",
            refused(&format!("{most}+{most}/5"))
        );
    }

    #[test]
    fn folders_sort_as_shards_do() {
        let shard = Shard::parse("3/200").expect("a shard");
        assert_eq!(
            (shard.folder(), shard.to_string()),
            ("003-of-200".into(), "3/200".into())
        );
    }
}
