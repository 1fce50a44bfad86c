//! A random scenario, generated from the number of its case.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use pacesim::World;
use pacesim::scenario::{Checked, schema};
use pacesim::units::Span;
use pacesim_lab::expand;
use serde_json::{Map, Value as Json, json};

use crate::dice::Dice;
use crate::draft::{Draft, Part, entry_name};
use crate::files::{self, Shelf};
use crate::ledger::Ledger;
use crate::names::{Group, Names};
use crate::quantity::{Scale, span_text};

/// The provenance of a valid scenario.
#[derive(Clone, Debug)]
pub struct Made {
    /// Elements of the language that it uses.
    pub used: BTreeSet<String>,
    /// The number of refused drafts.
    pub refused: u64,
}

/// A pair of nodes with flows between them, so that a network can be checked before its own flows
/// exist.
fn scaffold(flows: usize) -> String {
    let flow = |i| {
        let name = entry_name("flow", i);
        format!(
            "[[flow]]\nname = \"{name}\"\nfrom = \"x0\"\nto = \"x1\"\n\
             traffic = {{ kind = \"cbr\", rate = \"1bps\", size = \"1B\" }}\n"
        )
    };
    let network = "[[node]]\nname = \"x0\"\n[[node]]\nname = \"x1\"\n\
         [[link]]\nname = \"x\"\nfrom = \"x0\"\nto = \"x1\"\nrate = \"1Mbps\"\nlength = \"1m\"\n";
    network.to_owned() + &(0..flows).map(flow).collect::<String>()
}

/// Writes scenarios.
pub struct Maker {
    schema: Json,
}

impl Default for Maker {
    fn default() -> Maker {
        Maker { schema: schema() }
    }
}

impl Maker {
    /// The language that it writes.
    pub fn schema(&self) -> &Json {
        &self.schema
    }

    /// Writes the scenario of this number into a tree, and its files into a folder. Returns `None`
    /// if no draft of it was ever accepted. After a panic, the tree has the parts written so far.
    pub fn make(
        &self,
        number: u64,
        folder: &Path,
        tree: &mut Map<String, Json>,
    ) -> io::Result<Option<Made>> {
        let dice = &mut Dice::new(number);
        let scale = Scale::draw(dice);
        files::write_all(folder, &scale, dice)?;
        let flows = 1 + dice.place(4);
        let names = Names {
            flows: (0..flows)
                .map(|i| Group::single(entry_name("flow", i)))
                .collect(),
            ..Names::default()
        };
        let shelf = Shelf(folder.to_path_buf());
        let draft = Draft::new(&self.schema, &shelf, tree, names, scale);
        Ok(Writing { draft, flows }.write(dice))
    }
}

/// A scenario being written.
struct Writing<'a> {
    draft: Draft<'a>,
    flows: usize,
}

impl Writing<'_> {
    fn write(mut self, dice: &mut Dice) -> Option<Made> {
        self.network(dice)?;
        let checked = self.traffic(dice)?;
        let duration = cut(&checked, dice)?;
        self.shorten(duration)?;
        // Flows that the rest made impossible were drawn again.
        let checked = self.rest(dice)?;
        let duration = cut(&checked, dice)?;
        self.shorten(duration)?;
        self.draft.settle("", dice)?;
        Some(Made {
            used: self.draft.used(),
            refused: self.draft.refused(),
        })
    }

    /// Draws everything except flows and output, to learn its names.
    fn network(&mut self, dice: &mut Dice) -> Option<()> {
        let with_topology = dice.percent(60);
        let tables = self.draft.keys(false).into_iter();
        let tables = tables.filter(|key| *key != "output" && (with_topology || *key != "topology"));
        for key in tables.collect::<Vec<_>>() {
            self.draw((key.to_owned(), None), dice);
        }
        self.learn(dice)?;
        for (key, least) in [("node", 2), ("link", 1)] {
            let least = if with_topology { 0 } else { least };
            for i in 0..least + dice.place(4) {
                self.draw((key.to_owned(), Some(i)), dice);
            }
            self.learn(dice)?;
        }
        Some(())
    }

    fn learn(&mut self, dice: &mut Dice) -> Option<()> {
        let checked = self.draft.settle(&scaffold(self.flows), dice)?;
        self.draft.names.learn(&checked.expand(1, 0));
        self.draft.names.forget(&["x0", "x1", "x"]);
        Some(())
    }

    fn traffic(&mut self, dice: &mut Dice) -> Option<Checked> {
        for i in 0..self.flows {
            self.draw(("flow".to_owned(), Some(i)), dice);
        }
        let checked = self.draft.settle("", dice)?;
        let model = checked.expand(1, 0);
        self.draft.names.learn(&model);
        self.draft.names.learn_flows(&model);
        Some(checked)
    }

    /// Sets this length of the run, and scales the rest to it.
    fn shorten(&mut self, duration_ps: u64) -> Option<()> {
        let run = self.draft.tree.get_mut("run")?.as_object_mut()?;
        run.insert("duration".to_owned(), json!(span_text(duration_ps)));
        self.draft.scale.span_ps = duration_ps;
        let warmup = run.get("warmup").and_then(Json::as_str).unwrap_or("0s");
        if warmup.parse::<Span>().ok()?.as_ps() >= duration_ps {
            run.insert("warmup".to_owned(), json!(span_text(duration_ps / 3)));
        }
        Some(())
    }

    /// Draws the recordings, and additional lists of tables.
    fn rest(&mut self, dice: &mut Dice) -> Option<Checked> {
        self.draw(("output".to_owned(), None), dice);
        let known = ["node", "link", "flow"];
        for key in self.draft.keys(true) {
            if !known.contains(&key) && dice.percent(50) {
                // A link that goes down may come up again.
                let most = if key == "event" { 3 } else { 1 };
                for i in 0..1 + dice.place(most) {
                    self.draw((key.to_owned(), Some(i)), dice);
                }
            }
        }
        self.draft.settle("", dice)
    }

    fn draw(&mut self, part: Part, dice: &mut Dice) {
        let richness = *dice.pick(&[5, 20, 40, 60]);
        self.draft.draw(&part, richness, dice);
    }
}

/// The length of the run in picoseconds: as drawn, or until enough events have happened.
fn cut(checked: &Checked, dice: &mut Dice) -> Option<u64> {
    let wanted = checked.scenario().run.duration;
    let most = match dice.below(100) {
        0 => 40_000,
        1..10 => 10_000,
        _ => 3_000,
    };
    let model = expand(checked, checked.scenario().run.seed, 0);
    let ledger = Ledger::new(&model);
    let mut world = World::watched(model, ledger).ok()?;
    let mut steps = 0;
    while let Some(now) = world.step() {
        // Sources may send far more than their lines take.
        steps += 1;
        let events = world.probe().events().max(steps / 10);
        if events > most && now.as_ps() > 0 {
            return Some(now.as_ps());
        }
        if events > 100 * most {
            // Time stands still, which the trial must detect.
            break;
        }
    }
    Some(wanted.as_ps())
}
