//! Elements of a picture, independent of the file format. Coordinates are fractions of a pixel, so
//! that curves stay smooth at any size.

/// Horizontal and vertical position, in pixels.
pub(crate) type Spot = (f64, f64);

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// A white page and its elements, from back to front.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Pixels of the picture per unit of these sizes.
    pub(crate) scale: f64,
    pub(crate) elements: Vec<Element>,
}

/// An element of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Element {
    /// Straight lines from each spot to the next.
    Line {
        spots: Vec<Spot>,
        stroke: Stroke,
    },
    /// The area enclosed by the spots.
    Shape {
        spots: Vec<Spot>,
        paint: Paint,
    },
    Circle {
        centre: Spot,
        radius: f64,
        paint: Paint,
    },
    Text(Text),
}

/// Style of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) colour: Colour,
    pub(crate) width: f64,
    /// Alternating lengths of dashes and gaps, in line widths; empty for a solid line.
    pub(crate) dashes: &'static [f64],
}

/// Style of an enclosed area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    Filled(Colour),
    /// Light fill that lets the background show through.
    Tinted(Colour),
    Outlined(Colour),
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    /// The spot, on the baseline of the letters.
    pub(crate) at: Spot,
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) colour: Colour,
    pub(crate) text: String,
}

/// Position of a text relative to its spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
    /// Centred at the spot, reading upwards.
    Upwards,
}

/// Opacity of a tint: one part in five.
pub(crate) const TINT: f32 = 0.2;
/// Width of outlines.
pub(crate) const OUTLINE: f64 = 1.4;
/// Distance from the middle of a text to its baseline, in font sizes: half a capital.
const HALF_CAPITAL: f64 = 0.35;

impl Drawing {
    /// An empty page.
    pub(crate) fn new(width: f64, height: f64) -> Drawing {
        Drawing {
            width,
            height,
            scale: 1.0,
            elements: Vec::new(),
        }
    }

    pub(crate) fn line(&mut self, spots: impl Into<Vec<Spot>>, stroke: Stroke) {
        let spots = spots.into();
        self.elements.push(Element::Line { spots, stroke });
    }

    pub(crate) fn shape(&mut self, spots: impl Into<Vec<Spot>>, paint: Paint) {
        let spots = spots.into();
        self.elements.push(Element::Shape { spots, paint });
    }

    pub(crate) fn circle(&mut self, centre: Spot, radius: f64, paint: Paint) {
        self.elements.push(Element::Circle {
            centre,
            radius,
            paint,
        });
    }

    /// Adds a line of text centred vertically at the spot.
    pub(crate) fn text(
        &mut self,
        middle: Spot,
        anchor: Anchor,
        size: f64,
        colour: Colour,
        text: &str,
    ) {
        let (x, y) = middle;
        let at = match anchor {
            Anchor::Upwards => (x + HALF_CAPITAL * size, y),
            _ => (x, y + HALF_CAPITAL * size),
        };
        self.elements.push(Element::Text(Text {
            at,
            anchor,
            size,
            colour,
            text: text.to_owned(),
        }));
    }
}

impl Stroke {
    /// A solid line.
    pub(crate) const fn solid(colour: Colour, width: f64) -> Stroke {
        Stroke {
            colour,
            width,
            dashes: &[],
        }
    }

    /// The lengths of its dashes, in pixels.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = f64> {
        self.dashes.iter().map(|dash| dash * self.width)
    }
}

impl Paint {
    /// Filled or only outlined.
    pub(crate) fn of(colour: Colour, filled: bool) -> Paint {
        if filled {
            Paint::Filled(colour)
        } else {
            Paint::Outlined(colour)
        }
    }
}
