//! A study file as written, and its mistakes.

use std::fmt;
use std::sync::OnceLock;

use pacesim_language::document::{Document, Language};
use pacesim_language::field::{Reader, Record};
use pacesim_language::form::{Row, Table};
use pacesim_language::problem::{Faults, Problems, suggest};
use pacesim_language::tree::{Item, TomlTable};
use pacesim_language::walk;
use pacesim_scenario::{SCENARIOS, Scenario};

use crate::axis::{Axis, changes};
use crate::base::{check_base, is_of_models_alone, laid_over, on_least, within};
use crate::chosen::{keep, more};
use crate::expectation::Expectation;
use crate::grid::Grid;
use crate::keys::{AxisKeys, ExpectKeys, PlotKeys, StudyKeys, Sweep, TuneKeys};
use crate::measure::{Measure, MeasureKind, measures};
use crate::model;
use crate::named::numbers;
use crate::once::{Identities, WARMUP};
use crate::origin::Origin;
use crate::origin::SharedFiles;
use crate::plot::Plot;
use crate::quantities::Quantities;
use crate::reading::inferred::inferred;
use crate::reading::kind::groups;
use crate::reading::reference::{advise, references};
use crate::selection::{is_open, selection};
use crate::statistics::{self, Statistics};
use crate::strays::Strays;
use crate::study::{MOST, Study};
use crate::tune::Tune;
use crate::variant;

static TABLE: Table = Table {
    name: "scenario",
    doc: "A network, its traffic, and the length of the run; in a study also the axes.",
    rows: &[Row::KeysOf(Scenario::TABLE), Row::KeysOf(StudyKeys::TABLE)],
    common: &[],
};

/// The language of scenario files that may be studies.
pub static LANGUAGE: Language = Language {
    noun: SCENARIOS.noun,
    table: &TABLE,
    remedy: SCENARIOS.remedy,
};

/// A file with a scenario, a study, or both: a tree that has not yet been compared with the
/// language.
pub struct StudyText {
    document: Document,
    origin: Origin,
    files: SharedFiles,
    /// The file that the base scenario names as its own base, which is refused.
    base_of_base: Option<String>,
}

impl fmt::Debug for StudyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StudyText").field(&self.origin.stem).finish()
    }
}

/// A study as far as it can be read.
pub struct Understood {
    /// The study without its faulty parts.
    pub study: Study,
    /// Mistakes of the study's tables.
    pub mistakes: Result<(), Problems>,
    /// True if the study's points can be examined.
    pub has_points: bool,
}

impl StudyText {
    /// Reads a file, and its base scenario. `stem` is its name if it does not give itself one.
    pub fn parse(file: &str, stem: &str, bytes: &[u8], files: SharedFiles) -> StudyText {
        let mut text = StudyText {
            document: Document::parse(&LANGUAGE, file, bytes),
            origin: Origin::new(file, stem, bytes),
            files,
            base_of_base: None,
        };
        text.stand_on_base();
        text
    }

    /// Overlays the base scenario with the keys of the file.
    fn stand_on_base(&mut self) {
        let Some(name) = self.document.tree().get("scenario").and_then(Item::text) else {
            return;
        };
        // The check reports a missing file.
        let Ok(base) = self.files.text(name) else {
            return;
        };
        let included = self.document.include(&SCENARIOS, name, base.as_bytes());
        let other = included.tree().get("scenario").and_then(Item::text);
        self.base_of_base = other.map(str::to_owned);
        self.origin.base = Some((name.to_owned(), base.clone()));
        let tree = within(name, included.tree().clone());
        let merged = laid_over(tree, self.document.tree());
        self.document = included.with_tree(&LANGUAGE, merged);
    }

    /// Applies options, each "key.path=value", to every point.
    pub fn apply_sets(&mut self, sets: &[&str]) {
        self.document.apply_sets(sets);
        let sets = sets.iter().map(|set| (*set).to_owned());
        self.origin.sets.extend(sets);
    }

    /// The text that a problem of this file refers to.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        self.document.text_of(file)
    }

    /// True if it has keys that only a study has.
    pub fn is_study(&self) -> bool {
        let keys = StudyKeys::TABLE.keys();
        keys.iter()
            .any(|key| self.document.tree().get(key.name).is_some())
    }

    /// Reads a study again from its stored sources, in place of its files.
    pub fn again(origin: &Origin) -> StudyText {
        let Origin {
            file, stem, text, ..
        } = origin;
        let mut again = StudyText::parse(file, stem, text, origin.files());
        let sets: Vec<&str> = origin.sets.iter().map(String::as_str).collect();
        again.apply_sets(&sets);
        again
    }

    /// The study, or all mistakes of its tables and of its first point.
    pub fn check(&self) -> Result<Study, Problems> {
        self.check_with(first_point)
    }

    /// The study, without checking any point, which would read the files that scenarios name.
    pub fn check_tables(&self) -> Result<Study, Problems> {
        self.check_with(|_| Ok(()))
    }

    fn check_with(&self, look: impl Fn(&Study) -> Result<(), Problems>) -> Result<Study, Problems> {
        let Understood {
            study,
            mistakes,
            has_points,
        } = self.understand();
        let first = if has_points { look(&study) } else { Ok(()) };
        match (mistakes, first) {
            (Ok(()), Ok(())) => Ok(study),
            (Err(problems), Ok(())) | (Ok(()), Err(problems)) => Err(problems),
            (Err(own), Err(first)) => Err(own.united(first)),
        }
    }

    /// The study as far as it can be read, with all mistakes of its tables.
    pub fn understand(&self) -> Understood {
        self.understand_but(&[])
    }

    /// The same if the values of these axes have mistakes, too: references to them are not
    /// reported.
    pub fn understand_but(&self, lost_axes: &[usize]) -> Understood {
        let mut faults = Faults::default();
        let (own, scenario) = self.split(&mut faults);
        faults.merge(walk::differences(&own, StudyKeys::TABLE));
        advise(&own, &mut faults);
        let mut found = Faults::default();
        let keys = StudyKeys::read_keys(&own, &mut Reader::new(&(), &mut found));
        let keys = keys.expect("every key of a study may be missing");
        check_base(
            &keys,
            &*self.files,
            self.base_of_base.as_deref(),
            &mut found,
        );
        let is_of_models_alone = is_of_models_alone(&keys, &scenario);
        let mut base = if is_of_models_alone {
            on_least(&self.document, &scenario)
        } else {
            self.document.with_tree(&SCENARIOS, scenario)
        };
        let settings = changes(&self.document, "set", &keys.set);
        settings.iter().for_each(|change| change.make(&mut base));
        if !settings.is_empty() && self.document.report(Faults::default()).is_ok() {
            self.options_again(&mut base);
        }
        let mut study = self.study(&keys, base, (&faults, lost_axes), &mut found);
        study.is_of_models_alone = is_of_models_alone;
        let is_alone = !found.touch("scenario") && !faults.touch("scenario");
        faults.merge(found);
        Understood {
            // A study without its base scenario would lack everything.
            has_points: is_alone && study.has_points(),
            study,
            mistakes: self.document.report(faults),
        }
    }

    /// Applies the options for keys of the scenario once more: they override the study's `set`.
    fn options_again(&self, scenario: &mut Document) {
        let of_study = |option: &&str| {
            let name = option.split(['.', '=', '[']).next().unwrap_or_default();
            StudyKeys::TABLE
                .keys()
                .iter()
                .any(|key| key.name == name.trim())
        };
        let options = self.origin.sets.iter().map(String::as_str);
        let options: Vec<&str> = options.filter(|option| !of_study(option)).collect();
        scenario.apply_sets(&options);
    }

    /// The keys of the study, and those of the scenario. Others are reported.
    fn split(&self, faults: &mut Faults) -> (TomlTable, TomlTable) {
        let (mut own, mut scenario) = (TomlTable::default(), TomlTable::default());
        let is_in = |table: &Table, name: &str| table.keys().iter().any(|key| key.name == name);
        for entry in &self.document.tree().entries {
            let key = &entry.key;
            if is_in(StudyKeys::TABLE, key) {
                own.entries.push(entry.clone());
            } else if is_in(Scenario::TABLE, key) {
                scenario.entries.push(entry.clone());
            } else {
                let keys = LANGUAGE.table.keys();
                let help = suggest(key, keys.iter().map(|key| key.name));
                faults.add(key.as_str(), "unknown key").at_key().help(help);
            }
        }
        (own, scenario)
    }

    /// Reads the axes; unreadable ones are marked as broken.
    fn axes(&self, keys: &StudyKeys, known: &Faults, faults: &mut Faults) -> Vec<Axis> {
        let axes = keys.sweep.axes.iter().enumerate();
        let read = |(i, axis): (usize, &AxisKeys)| {
            let path = format!("sweep.axis[{i}]");
            let is_parameter = model::takes(keys, &axis.name);
            if known.touch(&path) {
                Axis::broken(&axis.name)
            } else {
                Axis::of(&self.document, &path, axis, is_parameter, faults)
            }
        };
        axes.map(read).collect()
    }

    /// The axes, variants included, and the grid of their values.
    fn grid(
        &self,
        keys: &StudyKeys,
        base: &Document,
        (known, lost): (&Faults, &[usize]),
        faults: &mut Faults,
    ) -> (Vec<Axis>, Grid) {
        let sweep = &keys.sweep;
        let mut axes = self.axes(keys, known, faults);
        for (i, axis) in axes.iter_mut().enumerate() {
            axis.is_broken |= lost.contains(&i);
        }
        let mut grid = Grid::default();
        if axes.is_empty() && known.touch("sweep.axis") {
            axes.push(Axis::broken(""));
            grid.push(1);
        }
        names(&axes, faults);
        join(&mut grid, &axes, sweep, faults);
        leave_out_points(&mut grid, &axes, sweep, faults);
        let options: Vec<&str> = self.options().collect();
        let identities = Identities::of(base);
        identities.varied_once(&axes, &grid, &options, faults);
        identities.set(&keys.set, &axes, faults);
        if !known.touch("variant") {
            let document = &self.document;
            variant::add(document, &identities, keys, &mut axes, &mut grid, faults);
        }
        (axes, grid)
    }

    fn study(
        &self,
        keys: &StudyKeys,
        base: Document,
        (known, lost_axes): (&Faults, &[usize]),
        faults: &mut Faults,
    ) -> Study {
        let StudyKeys { name, sweep, .. } = keys;
        let (axes, grid) = self.grid(keys, &base, (known, lost_axes), faults);
        limit(&grid, sweep, keys.tune.is_some(), faults);
        let statistics = Statistics::of(sweep, keys.tune.is_some(), faults);
        whole_runs(sweep, &keys.measures, faults);
        let mut study = Study {
            name: name.clone().unwrap_or_else(|| self.origin.stem.clone()),
            replications: sweep.replications.into(),
            batches: sweep.batches.map(u64::from),
            find_warmup: statistics.find_warmup,
            precision: statistics.precision,
            precise: statistics.precise,
            most: sweep.most.into(),
            axes,
            measures: measures(&keys.measures, known, faults),
            courses: Vec::new(),
            is_of_models_alone: false,
            has_variants: !keys.variants.is_empty(),
            models: model::models(&keys.models, known, faults),
            references: Vec::new(),
            lost_references: false,
            lost_replications: ["replications", "batches", "precision"]
                .iter()
                .any(|key| known.touch(&format!("sweep.{key}"))),
            show: numbers(&keys.show, "show", faults),
            plots: Vec::new(),
            more: Vec::new(),
            keep: Vec::new(),
            tune: None,
            lost_tune: false,
            expectations: Vec::new(),
            inferred: Vec::new(),
            strays: Strays::default(),
            grid,
            base,
            document: self.document.clone(),
            origin: self.origin.clone(),
            files: self.files.clone(),
            scale: 1.0,
            only: OnceLock::new(),
            quantities: Quantities::default(),
        };
        study.resolve_axes();
        study.tune = searched(&study, keys, known).and_then(|tune| Tune::of(&study, tune, faults));
        study.lost_tune = keys.tune.is_some() && study.tune.is_none() || known.touch("tune");
        study.more = more(&study, sweep, faults);
        study.keep = keep(&study, sweep, faults);
        Self::shown_and_claimed(&mut study, keys, known, faults);
        statistics::nothing_precise(&study, faults);
        self.warmup_once(&mut study, faults);
        study
    }

    /// The tables that refer to the study's numbers: references, figures and claims.
    fn shown_and_claimed(study: &mut Study, keys: &StudyKeys, known: &Faults, faults: &mut Faults) {
        references(study, &keys.references, known, faults);
        let mut strays = Strays::default();
        study.plots = plots(study, &keys.plots, known, &mut strays, faults);
        for asked in study.plots.iter().flat_map(|plot| &plot.asks) {
            let all = match asked.kind {
                MeasureKind::Series(_) => &mut study.courses,
                _ => &mut study.measures,
            };
            if !all.iter().any(|known| known.name == asked.name) {
                all.push(asked.clone());
            }
        }
        study.expectations = expectations(study, &keys.expects, known, &mut strays, faults);
        study.strays = strays;
        study.inferred = inferred(study, &keys.inferred, known, faults);
    }

    /// The keys that options set.
    fn options(&self) -> impl Iterator<Item = &str> {
        let sets = self.origin.sets.iter();
        sets.map(|set| set.split('=').next().unwrap_or_default().trim())
    }

    /// An option for the warm-up overrides the search for it, and an axis excludes the search.
    fn warmup_once(&self, study: &mut Study, faults: &mut Faults) {
        let identities = Identities::of(&study.base);
        let is_given = self.options().any(|key| identities.gives(key, WARMUP));
        let axis = identities.axis_that_gives(WARMUP, &study.axes);
        let axis = axis.map(|axis| &study.axes[axis]);
        if let Some(axis) = axis.filter(|_| !is_given && !study.find_warmup.is_empty()) {
            let message = format!("the axis \"{}\" gives run.warmup", axis.name);
            let help = "leave the axis or find_warmup out";
            faults.add("sweep.find_warmup", message).help(help);
        }
        if is_given {
            study.find_warmup.clear();
        }
    }
}

/// The search, if all axes that it needs could be read.
fn searched<'k>(study: &Study, keys: &'k StudyKeys, known: &Faults) -> Option<&'k TuneKeys> {
    let tune = keys.tune.as_ref().filter(|_| !known.touch("tune"))?;
    let mut broken = study.axes.iter().filter(|axis| axis.is_broken);
    let is_lost = broken.any(|axis| axis.name.is_empty() || tune.search.contains(&axis.name));
    (!is_lost).then_some(tune)
}

/// Requires unique names of axes.
fn names(axes: &[Axis], faults: &mut Faults) {
    for (i, axis) in axes.iter().enumerate() {
        if !axis.name.is_empty() && axes[..i].iter().any(|other| other.name == axis.name) {
            let message = format!("there is another axis \"{}\"", axis.name);
            let help = "choose another name";
            faults
                .add(format!("sweep.axis[{i}].name"), message)
                .help(help);
        }
    }
}

/// Builds the grid of the axes; an axis that cannot be joined with another varies independently, so
/// that the others keep their places.
fn join(grid: &mut Grid, axes: &[Axis], sweep: &Sweep, faults: &mut Faults) {
    for (i, (axis, keys)) in axes.iter().zip(&sweep.axes).enumerate() {
        match partner(i, axes, keys, faults) {
            Some(other) => grid.push_with(other),
            None => grid.push(axis.values.len()),
        }
    }
}

/// The axis that another one varies with.
fn partner(i: usize, axes: &[Axis], keys: &AxisKeys, faults: &mut Faults) -> Option<usize> {
    let with = keys.with.as_ref()?;
    let path = format!("sweep.axis[{i}].with");
    let Some(other) = axes[..i].iter().position(|other| other.name == *with) else {
        let message = format!("there is no axis \"{with}\" above this one");
        let help = suggest(with, axes[..i].iter().map(|axis| axis.name.as_str()));
        faults.add(path, message).help(help);
        return None;
    };
    let (ours, theirs) = (axes[i].values.len(), axes[other].values.len());
    if axes[i].is_broken || axes[other].is_broken {
        return None;
    }
    if ours != theirs {
        let message = format!("{ours} values cannot go together with {theirs} of \"{with}\"");
        let help = "give both axes equally many values, or omit with";
        faults.add(path, message).help(help);
        return None;
    }
    Some(other)
}

fn leave_out_points(grid: &mut Grid, axes: &[Axis], sweep: &Sweep, faults: &mut Faults) {
    for (i, entries) in sweep.except.iter().enumerate() {
        let path = format!("sweep.except[{i}]");
        if entries.is_empty() {
            let help = "name an axis with its values: pacing = \"host\"";
            let message = "this would leave out all points";
            faults.add(path.clone(), message).help(help);
        }
        let before = faults.list.len();
        let excepted = selection(axes, entries, &path, faults);
        if faults.list.len() == before && !is_open(axes, &excepted) {
            grid.except(excepted);
        }
    }
}

/// Reads the figures, except faulty ones.
fn plots(
    study: &Study,
    all: &[PlotKeys],
    known: &Faults,
    strays: &mut Strays,
    faults: &mut Faults,
) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    for (i, keys) in all.iter().enumerate() {
        let path = format!("plot[{i}]");
        if known.touch(&path) {
            strays.of_plot(&path, keys, [known, faults]);
            continue;
        }
        if plots.iter().any(|other| other.name == keys.name) {
            let message = format!("there is another plot \"{}\"", keys.name);
            let help = "choose another name; its files are called so";
            faults.add(format!("{path}.name"), message).help(help);
        }
        match Plot::of(study, path.clone(), keys, faults) {
            Some(plot) => plots.push(plot),
            None => strays.of_plot(&path, keys, [known, faults]),
        }
    }
    plots
}

/// Reads the claims, except faulty ones.
fn expectations(
    study: &Study,
    all: &[ExpectKeys],
    known: &Faults,
    strays: &mut Strays,
    faults: &mut Faults,
) -> Vec<Expectation> {
    let mut sound: Vec<Expectation> = Vec::new();
    for (i, keys) in all.iter().enumerate() {
        let path = format!("expect[{i}]");
        Expectation::told_apart(all, i, faults);
        let claim = if known.touch(&path) {
            None
        } else {
            Expectation::of(study, path.clone(), keys, &sound, faults)
        };
        match claim {
            Some(claim) => sound.push(claim),
            None => strays.of_claim(&path, keys),
        }
    }
    groups(all, faults);
    sound
}

/// Probes measure a run from the end of its warm-up to its end.
fn whole_runs(sweep: &Sweep, measures: &[Measure], faults: &mut Faults) {
    if sweep.batches.is_some() && !measures.is_empty() {
        let message = "measures are of whole runs, and batches cuts one run into windows";
        let help = "give replications instead of batches, or leave [[measure]] out";
        faults.add("sweep.batches", message).help(help);
    }
}

/// Requires at least one point, and not too many; a search runs few of them.
fn limit(grid: &Grid, sweep: &Sweep, is_search: bool, faults: &mut Faults) {
    if faults.touch("sweep") {
        return;
    }
    let size = grid.size().filter(|size| *size <= MOST);
    let Some(_) = size else {
        let message = "the grid has more than a million points";
        let help = "give the axes fewer values, or let some vary together by `with`";
        faults.add("sweep", message).help(help);
        return;
    };
    let points = grid.numbers().count() as u64;
    if points == 0 {
        let help = "leave fewer points out";
        faults.add("sweep.except", "no point is left").help(help);
        return;
    }
    let (key, each) = match sweep.precision {
        Some(_) => ("most", sweep.most),
        None => ("replications", sweep.replications),
    };
    let each = sweep
        .more
        .iter()
        .map(|more| more.replications)
        .fold(each, u32::max);
    if !is_search && points * u64::from(each) > MOST {
        let message =
            format!("{points} points of {each} replications are more than a million runs");
        let help = "give fewer replications or values";
        faults.add(format!("sweep.{key}"), message).help(help);
    }
}

/// Checks that the first point can be run.
fn first_point(study: &Study) -> Result<(), Problems> {
    match study.points().next() {
        Some(first) => study.scenario(first).map(|_| ()),
        None => Ok(()),
    }
}
