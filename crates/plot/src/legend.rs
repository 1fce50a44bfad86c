//! Legends: their entries, and the place of each on the sheet.

use crate::covered::Covered;
use crate::drawing::Spot;
use crate::figure::{Intervals, Mark, Panel, Series};
use crate::frame::{Axes, Frame};
use crate::sizes::{GAP, LEGEND, NOTE, SAMPLE};
use crate::text::{height, lines, plain, width};

const WIDEST_LEGEND: f64 = 190.0;
/// The meaning of arrows at the ends of logarithmic axes.
const BEYOND: &str = "arrow at the edge: 0 or less, or far below";

/// The legend of a panel, before it has a place.
#[derive(Debug, PartialEq)]
pub(crate) struct Legend {
    /// One for each series, or none at all.
    pub(crate) entries: Vec<Entry>,
    /// The note that all entries share.
    pub(crate) note: Vec<String>,
}

/// Legend entry of a series.
#[derive(Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) label: Vec<String>,
    pub(crate) note: Vec<String>,
    /// Lines that are never shared with other entries.
    pub(crate) remarks: Vec<String>,
}

/// The places of a legend's parts: their upper left corners.
#[derive(Debug)]
pub(crate) struct Spots {
    pub(crate) entries: Vec<Spot>,
    pub(crate) note: Spot,
    /// The rectangle that the legend covers, if it lies on the drawing.
    pub(crate) cover: Option<[f64; 4]>,
}

impl Legend {
    pub(crate) const NONE: Legend = Legend {
        entries: Vec::new(),
        note: Vec::new(),
    };

    /// A single series that is named by its axis needs no legend.
    pub(crate) fn of(panel: &Panel, axes: &Axes) -> Legend {
        let said_by_axis = |series: &Series| {
            let is_plain = series.intervals.is_none() && series.mark != Mark::Boxes;
            let has_remarks = !series.remarks.is_empty() || axes.has_beyond(series);
            is_plain && !has_remarks && panel.y.label.starts_with(&series.label)
        };
        let mut entries = match panel.series.as_slice() {
            [only] if said_by_axis(only) => Vec::new(),
            all => all.iter().map(|series| Entry::of(series, axes)).collect(),
        };
        let note = shared_note(&mut entries);
        Legend { entries, note }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Width of its widest part, with the sample of a line before each label.
    pub(crate) fn width(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let note = self.note.iter().map(|line| width(line, NOTE));
        let entries = self.entries.iter().map(Entry::width);
        SAMPLE + entries.chain(note).fold(0.0, f64::max)
    }

    /// Height of its entries one below the other.
    pub(crate) fn height(&self) -> f64 {
        let entries: f64 = self.entries.iter().map(Entry::height).sum();
        entries + height(self.note.len(), NOTE) + 0.5 * GAP
    }

    /// The entries one below the other.
    pub(crate) fn in_column(&self, (left, mut top): Spot) -> Spots {
        let mut entries = Vec::new();
        for entry in &self.entries {
            entries.push((left, top));
            top += entry.height();
        }
        Spots {
            entries,
            note: (left, top + 0.5 * GAP),
            cover: None,
        }
    }

    /// The entries in rows between two edges, as many in a row as fit, and the height below them.
    pub(crate) fn in_rows(&self, (left, right): (f64, f64), top: f64) -> (Spots, f64) {
        let cell = self.entry_width() + 2.0 * GAP;
        let across = (((right - left) / cell) as usize).clamp(1, self.entries.len().max(1));
        let mut below = top;
        let mut entries = Vec::new();
        for row in self.entries.chunks(across) {
            let places = (0..row.len()).map(|column| (left + column as f64 * cell, below));
            entries.extend(places);
            below += row.iter().map(Entry::height).fold(0.0, f64::max);
        }
        let spots = Spots {
            entries,
            note: (left, below),
            cover: None,
        };
        (spots, below + height(self.note.len(), NOTE))
    }

    fn entry_width(&self) -> f64 {
        SAMPLE + self.entries.iter().map(Entry::width).fold(0.0, f64::max)
    }

    /// The entries in a corner of a frame where they hide nothing; `None` if no corner is free.
    pub(crate) fn in_corner(&self, frame: &Frame, covered: &Covered) -> Option<Spots> {
        let (wide, high) = (self.width() + 2.0 * GAP, self.height() + GAP);
        if wide > 0.8 * (frame.right - frame.left) || high > 0.8 * (frame.bottom - frame.top) {
            return None;
        }
        let lefts = [frame.right - wide - 2.0, frame.left + 2.0];
        let tops = [frame.top + 2.0, frame.bottom - high - 2.0];
        let corners = tops.iter().flat_map(|top| lefts.map(|left| (left, *top)));
        let mut covers = corners.map(|(left, top)| [left, top, left + wide, top + high]);
        let cover = covers.find(|cover| covered.within(*cover) == 0)?;
        Some(Spots {
            cover: Some(cover),
            ..self.in_column((cover[0] + GAP, cover[1] + 0.5 * GAP))
        })
    }
}

/// Removes the note from all entries that have one, if it is the same in several.
fn shared_note(entries: &mut [Entry]) -> Vec<String> {
    let mut noted = entries.iter().filter(|entry| !entry.note.is_empty());
    let Some(first) = noted.next() else {
        return Vec::new();
    };
    let note = first.note.clone();
    let others: Vec<&Entry> = noted.collect();
    if others.is_empty() || others.iter().any(|entry| entry.note != note) {
        return Vec::new();
    }
    entries.iter_mut().for_each(|entry| entry.note.clear());
    note
}

/// Note on its intervals: "95 % intervals, n = 5".
fn note(intervals: &Intervals) -> String {
    let level = format!("{:.2}", 100.0 * intervals.level);
    match intervals.samples {
        (_, 1) => "n = 1, no interval".to_owned(),
        (least, most) if least == most => format!("{} % intervals, n = {most}", plain(&level)),
        (least, most) => format!("{} % intervals, n = {least} to {most}", plain(&level)),
    }
}

impl Entry {
    fn of(series: &Series, axes: &Axes) -> Entry {
        let boxed = (series.mark == Mark::Boxes).then(|| format!("quartiles; {}", series.whiskers));
        let note = series.intervals.as_ref().map(note).or(boxed);
        Entry {
            label: lines(&series.label, LEGEND, WIDEST_LEGEND),
            note: note.map_or_else(Vec::new, |note| lines(&note, NOTE, WIDEST_LEGEND)),
            remarks: {
                let beyond = axes.has_beyond(series).then_some(BEYOND);
                let all = series.remarks.iter().map(String::as_str).chain(beyond);
                all.flat_map(|text| lines(text, NOTE, WIDEST_LEGEND))
                    .collect()
            },
        }
    }

    /// The lines below its label.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &String> {
        self.note.iter().chain(&self.remarks)
    }

    fn width(&self) -> f64 {
        let label = self.label.iter().map(|line| width(line, LEGEND));
        let note = self.notes().map(|line| width(line, NOTE));
        label.chain(note).fold(0.0, f64::max)
    }

    /// Height, including the space to the next entry.
    pub(crate) fn height(&self) -> f64 {
        height(self.label.len(), LEGEND) + height(self.notes().count(), NOTE) + 0.5 * GAP
    }
}
