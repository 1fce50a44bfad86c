//! The place of a figure in a document: its width, its letters, its legend.

/// Pixels per inch, as browsers count them.
const PER_INCH: f64 = 96.0;
/// Points per inch.
const POINTS: f64 = 72.0;
/// The size of labels in the units of the layout.
pub(crate) const UNIT_LABEL: f64 = 14.0;

/// Size and arrangement of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Width in inches.
    pub width_in: f64,
    /// Height in inches; without one, frames have their usual heights.
    pub height_in: Option<f64>,
    /// Size of the labels' letters in points; other letters are in proportion.
    pub font_pt: f64,
    /// Place of the legends.
    pub legend: LegendPlace,
    /// True if the figure has its title; in papers the caption says it.
    pub titled: bool,
    /// Number of panels side by side.
    pub columns: usize,
}

/// The place of legends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendPlace {
    /// Right of the frame.
    Beside,
    /// Below the frame; once for the figure if all panels have the same.
    Below,
    /// In a corner of the frame where it hides nothing; below if none is free.
    Inside,
    /// None.
    Nowhere,
}

impl Default for Sheet {
    fn default() -> Sheet {
        Sheet::SCREEN
    }
}

impl Sheet {
    /// A page of a browser.
    pub const SCREEN: Sheet = Sheet {
        width_in: 8.75,
        height_in: None,
        font_pt: 10.5,
        legend: LegendPlace::Beside,
        titled: true,
        columns: 1,
    };
    /// A column of an IEEE journal or proceedings.
    pub const IEEE: Sheet = Sheet {
        width_in: 3.5,
        height_in: None,
        font_pt: 8.0,
        legend: LegendPlace::Below,
        titled: false,
        columns: 1,
    };
    /// A column of ACM proceedings.
    pub const ACM: Sheet = Sheet {
        width_in: 3.33,
        ..Sheet::IEEE
    };
    /// A slide.
    pub const TALK: Sheet = Sheet {
        width_in: 10.0,
        height_in: None,
        font_pt: 18.0,
        legend: LegendPlace::Below,
        titled: true,
        columns: 1,
    };

    /// Pixels per unit of the layout, in which labels have a fixed size.
    pub(crate) fn scale(&self) -> f64 {
        self.font_pt * PER_INCH / POINTS / UNIT_LABEL
    }

    /// The width in units of the layout.
    pub(crate) fn width(&self) -> f64 {
        self.width_in * PER_INCH / self.scale()
    }

    /// The height in units of the layout, if it is given.
    pub(crate) fn height(&self) -> Option<f64> {
        self.height_in
            .map(|inches| inches * PER_INCH / self.scale())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_of_a_screen_is_in_pixels() {
        assert_eq!((Sheet::SCREEN.scale(), Sheet::SCREEN.width()), (1.0, 840.0));
    }

    #[test]
    fn letters_keep_their_size_where_the_sheet_is_narrow() {
        let sheet = Sheet::ACM;
        let label_pt = UNIT_LABEL * sheet.scale() * POINTS / PER_INCH;
        assert!((label_pt - 8.0).abs() < 1e-12);
        assert!((sheet.width() * sheet.scale() / PER_INCH - 3.33).abs() < 1e-12);
    }
}
