//! A drawing as PNG.

use tiny_skia::{
    Color, FillRule, LineJoin, Paint as Ink, Path, PathBuilder, Pixmap, Stroke as Pen, StrokeDash,
    Transform,
};
use ttf_parser::OutlineBuilder;

use crate::drawing::{Colour, Drawing, Element, OUTLINE, Paint, Spot, Stroke, TINT, Text};
use crate::font::Font;

/// Default width of a picture: that of a page, at 200 dpi.
pub(crate) const WIDTH: u32 = 1680;

/// The file of a picture `width` pixels wide, at least one.
pub(crate) fn png(drawing: &Drawing, width: u32) -> Vec<u8> {
    let scale = f64::from(width.max(1)) / drawing.width;
    let height = (drawing.height * scale).ceil().max(1.0) as u32;
    let mut pixels = Pixmap::new(width.max(1), height).expect("a picture has some pixels");
    pixels.fill(Color::WHITE);
    let mut canvas = Canvas {
        pixels,
        scale: Transform::from_scale(scale as f32, scale as f32),
        font: Font::bundled(),
    };
    for element in &drawing.elements {
        canvas.draw(element);
    }
    let encoded = canvas.pixels.encode_png();
    encoded.expect("pixels in memory can be encoded")
}

struct Canvas {
    pixels: Pixmap,
    scale: Transform,
    font: Font,
}

impl Canvas {
    fn draw(&mut self, element: &Element) {
        match element {
            Element::Line { spots, stroke } => self.line(spots, stroke),
            Element::Shape { spots, paint } => self.paint(path(spots, true), paint),
            Element::Circle {
                centre,
                radius,
                paint,
            } => {
                let (x, y) = (centre.0 as f32, centre.1 as f32);
                self.paint(PathBuilder::from_circle(x, y, *radius as f32), paint);
            }
            Element::Text(text) => self.text(text),
        }
    }

    /// A path of no length is not drawn.
    fn line(&mut self, spots: &[Spot], stroke: &Stroke) {
        let Some(path) = path(spots, false) else {
            return;
        };
        let lengths: Vec<f32> = stroke.lengths().map(|length| length as f32).collect();
        let pen = Pen {
            width: stroke.width as f32,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(lengths, 0.0),
            ..Pen::default()
        };
        let ink = ink(stroke.colour, 1.0);
        self.pixels.stroke_path(&path, &ink, &pen, self.scale, None);
    }

    fn paint(&mut self, path: Option<Path>, paint: &Paint) {
        let Some(path) = path else {
            return;
        };
        match paint {
            Paint::Filled(colour) => self.fill(&path, &ink(*colour, 1.0), self.scale),
            Paint::Tinted(colour) => self.fill(&path, &ink(*colour, TINT), self.scale),
            Paint::Outlined(colour) => {
                let pen = Pen {
                    width: OUTLINE as f32,
                    ..Pen::default()
                };
                let ink = ink(*colour, 1.0);
                self.pixels.stroke_path(&path, &ink, &pen, self.scale, None);
            }
        }
    }

    fn fill(&mut self, path: &Path, ink: &Ink<'_>, transform: Transform) {
        self.pixels
            .fill_path(path, ink, FillRule::Winding, transform, None);
    }

    fn text(&mut self, text: &Text) {
        let (letters, length) = self.font.letters(text);
        let mut outlines = Outlines {
            path: PathBuilder::new(),
            scale: self.font.scale(text.size) as f32,
            along: 0.0,
        };
        for letter in letters {
            outlines.along = letter.along as f32;
            // A space has no outline.
            let _ = self.font.face.outline_glyph(letter.glyph, &mut outlines);
        }
        let [a, b, c, d, e, f] = text.matrix(length);
        let placed = Transform::from_row(a, b, c, d, e, f).post_concat(self.scale);
        if let Some(path) = outlines.path.finish() {
            self.fill(&path, &ink(text.colour, 1.0), placed);
        }
    }
}

fn path(spots: &[Spot], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, (x, y)) in spots.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        match i {
            0 => path.move_to(x, y),
            _ => path.line_to(x, y),
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn ink(Colour(red, green, blue): Colour, opacity: f32) -> Ink<'static> {
    let mut ink = Ink::default();
    let opacity = (opacity * 255.0).round() as u8;
    ink.set_color_rgba8(red, green, blue, opacity);
    ink
}

/// Collects consecutive letters, in pixels along their line and up.
struct Outlines {
    path: PathBuilder,
    scale: f32,
    along: f32,
}

impl Outlines {
    fn x(&self, x: f32) -> f32 {
        self.along + x * self.scale
    }

    fn y(&self, y: f32) -> f32 {
        y * self.scale
    }
}

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x(x), self.y(y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x(x), self.y(y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let [(x1, y1), (x, y)] = [(x1, y1), (x, y)].map(|(x, y)| (self.x(x), self.y(y)));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let spots = [(x1, y1), (x2, y2), (x, y)].map(|(x, y)| (self.x(x), self.y(y)));
        let [(x1, y1), (x2, y2), (x, y)] = spots;
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
