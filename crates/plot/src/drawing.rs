//! What a picture is made of, before it is a file of some kind. Coordinates are
//! fractions of a pixel, so that curves stay smooth at any size.

/// Across and down, in pixels.
pub(crate) type Spot = (f64, f64);

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// A white page and what is on it, from back to front.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) elements: Vec<Element>,
}

/// One thing on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Element {
    /// Straight lines from each spot to the next.
    Line {
        spots: Vec<Spot>,
        stroke: Stroke,
    },
    /// The area that the spots enclose.
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

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) colour: Colour,
    pub(crate) width: f64,
    /// Lengths drawn and left out, in turn, in widths of the line; none is a whole line.
    pub(crate) dashes: &'static [f64],
}

/// How what is enclosed is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    Filled(Colour),
    /// Filled lightly, so that one sees what is behind.
    Tinted(Colour),
    Outlined(Colour),
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    /// The spot on the line that the letters stand on.
    pub(crate) at: Spot,
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) colour: Colour,
    pub(crate) text: String,
}

/// Where a text stands in relation to its spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
    /// Its middle at the spot, read from below to above.
    Upwards,
}

/// The strength of a tint: one part in five.
pub(crate) const TINT: f32 = 0.2;
/// The width of outlines.
pub(crate) const OUTLINE: f64 = 1.4;
/// The distance from the middle of a text to the line that it stands on, in sizes: half a capital.
const HALF_CAPITAL: f64 = 0.35;

impl Drawing {
    /// An empty page.
    pub(crate) fn new(width: f64, height: f64) -> Drawing {
        Drawing {
            width,
            height,
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

    /// A line of text whose middle is at the height of the spot.
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
    /// A line without gaps.
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
        match filled {
            true => Paint::Filled(colour),
            false => Paint::Outlined(colour),
        }
    }
}
