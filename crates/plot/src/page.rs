//! A page for custom charts: a drawing by the plotters crate becomes a file like those of our
//! figures, with the same font.

use std::convert::Infallible;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use crate::drawing::{Anchor, Colour, Drawing, Paint, Spot, Stroke};
use crate::{Format, pdf, png, svg, text, tikz};

/// Pixels of a PNG per pixel of the page.
const PIXELS: f64 = 2.0;
/// Ratio of plotters' font size to the size of the letters.
const FONT_SIZE: f64 = 1.24;

/// A white page for drawing with `plotters`.
///
/// Positions are whole pixels, as everywhere in plotters: use a large page for curves. Transparent
/// colours are drawn as on white.
///
/// ```
/// use pacesim_plot::{Format, Page};
/// use plotters::prelude::*;
///
/// let mut page = Page::new(600, 400);
/// {
///     let area = page.area();
///     let mut chart = ChartBuilder::on(&area)
///         .margin(20)
///         .x_label_area_size(40)
///         .y_label_area_size(50)
///         .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
///     chart.configure_mesh().x_desc("load").y_desc("loss").draw()?;
///     let curve = (0..=100).map(|i| f64::from(i) / 100.0).map(|x| (x, x * x));
///     chart.draw_series(LineSeries::new(curve, &BLUE))?;
/// }
/// assert!(page.encode(Format::Svg).starts_with(b"<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Page {
    drawing: Drawing,
}

impl Page {
    /// An empty page of this size in pixels.
    pub fn new(width: u32, height: u32) -> Page {
        Page {
            drawing: Drawing::new(width.into(), height.into()),
        }
    }

    /// The page as an area to draw on.
    pub fn area(&mut self) -> DrawingArea<&mut Page, Shift> {
        self.into_drawing_area()
    }

    /// The bytes of a picture file.
    pub fn encode(&self, format: Format) -> Vec<u8> {
        match format {
            Format::Svg => svg::svg(&self.drawing).into_bytes(),
            Format::Png => png::png(&self.drawing, (self.drawing.width * PIXELS) as u32),
            Format::Pdf => pdf::pdf(&self.drawing),
            Format::Tex => tikz::tikz(&self.drawing).into_bytes(),
        }
    }
}

type DrawingResult = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for &mut Page {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.drawing.width as u32, self.drawing.height as u32)
    }

    fn ensure_prepared(&mut self) -> DrawingResult {
        Ok(())
    }

    fn present(&mut self) -> DrawingResult {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> DrawingResult {
        let (left, top) = (f64::from(x), f64::from(y));
        let spots = rectangle((left, top), (left + 1.0, top + 1.0));
        self.drawing.shape(spots, Paint::Filled(colour(color)));
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> DrawingResult {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> DrawingResult {
        let spots: Vec<Spot> = path.into_iter().map(middle).collect();
        if is_seen(style.color()) && spots.len() > 1 {
            self.drawing.line(spots, stroke(style));
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> DrawingResult {
        let spots = rectangle(middle(upper_left), middle(bottom_right));
        match (is_seen(style.color()), fill) {
            (false, _) => (),
            (true, true) => self
                .drawing
                .shape(spots, Paint::Filled(colour(style.color()))),
            (true, false) => {
                let around: Vec<Spot> = spots.into_iter().chain([spots[0]]).collect();
                self.drawing.line(around, stroke(style));
            }
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> DrawingResult {
        let paint = if fill {
            Paint::Filled(colour(style.color()))
        } else {
            Paint::Outlined(colour(style.color()))
        };
        if is_seen(style.color()) {
            self.drawing.circle(middle(center), radius.into(), paint);
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> DrawingResult {
        let spots: Vec<Spot> = vert.into_iter().map(middle).collect();
        if is_seen(style.color()) {
            self.drawing
                .shape(spots, Paint::Filled(colour(style.color())));
        }
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        at: BackendCoord,
    ) -> DrawingResult {
        let size = style.size() / FONT_SIZE;
        let anchor = style.anchor();
        let is_upright = matches!(style.transform(), FontTransform::None);
        let (x, y) = middle(at);
        let lower = match anchor.v_pos {
            VPos::Top => size / 2.0,
            VPos::Center => 0.0,
            VPos::Bottom => -size / 2.0,
        };
        let (spot, anchor) = match (is_upright, anchor.h_pos) {
            (true, HPos::Left) => ((x, y + lower), Anchor::Start),
            (true, HPos::Center) => ((x, y + lower), Anchor::Middle),
            (true, HPos::Right) => ((x, y + lower), Anchor::End),
            (false, _) => ((x + lower, y), Anchor::Upwards),
        };
        self.drawing
            .text(spot, anchor, size, colour(style.color()), text);
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let size = style.size() / FONT_SIZE;
        let (across, up) = (text::width(text, size).ceil() as u32, size.ceil() as u32);
        Ok(match style.transform() {
            FontTransform::None => (across, up),
            _ => (up, across),
        })
    }
}

fn middle((x, y): BackendCoord) -> Spot {
    (f64::from(x), f64::from(y))
}

fn rectangle((left, top): Spot, (right, bottom): Spot) -> [Spot; 4] {
    [(left, top), (right, top), (right, bottom), (left, bottom)]
}

fn is_seen(color: BackendColor) -> bool {
    color.alpha > 0.0
}

/// The colour as it appears on white.
fn colour(BackendColor { alpha, rgb }: BackendColor) -> Colour {
    let on_white = |part: u8| (255.0 - alpha * (255.0 - f64::from(part))).round() as u8;
    Colour(on_white(rgb.0), on_white(rgb.1), on_white(rgb.2))
}

fn stroke<S: BackendStyle>(style: &S) -> Stroke {
    Stroke {
        colour: colour(style.color()),
        width: style.stroke_width().max(1).into(),
        dashes: &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Element;
    use plotters::prelude::*;

    /// A chart with a mesh, labels, a line, circles and a legend.
    fn chart() -> Page {
        let mut page = Page::new(600, 400);
        {
            let area = page.area();
            let mut chart = ChartBuilder::on(&area)
                .caption("loss", ("sans-serif", 20))
                .margin(20)
                .x_label_area_size(40)
                .y_label_area_size(50)
                .build_cartesian_2d(0.0..1.0, 0.0..1.0)
                .expect("a chart");
            let drawn = chart.configure_mesh().x_desc("load").y_desc("loss").draw();
            drawn.expect("axes");
            let curve = (0..=10).map(|i| f64::from(i) / 10.0).map(|x| (x, x * x));
            let line = LineSeries::new(curve.clone(), &BLUE);
            chart.draw_series(line).expect("a line");
            let circles = curve.map(|place| Circle::new(place, 3, RED.filled()));
            chart.draw_series(circles).expect("points");
        }
        page
    }

    #[test]
    fn what_plotters_draws_is_on_the_page() {
        let page = chart();
        let elements = &page.drawing.elements;
        let texts = |wanted: &str| {
            let is_it =
                |element: &&Element| matches!(element, Element::Text(t) if t.text == wanted);
            elements.iter().filter(is_it).count()
        };
        assert_eq!((texts("load"), texts("loss")), (1, 2));
        let is_circle = |element: &&Element| matches!(element, Element::Circle { .. });
        assert_eq!(elements.iter().filter(is_circle).count(), 11);
        let is_curve = |element: &&Element| matches!(element, Element::Line { spots, .. } if spots.len() == 11);
        assert_eq!(elements.iter().filter(is_curve).count(), 1);
    }

    #[test]
    fn a_page_is_a_file_of_each_kind() {
        let page = chart();
        for (format, start) in [
            (Format::Svg, &b"<svg"[..]),
            (Format::Png, b"\x89PNG"),
            (Format::Pdf, b"%PDF"),
        ] {
            assert_eq!(page.encode(format)[..4], *start);
        }
    }

    #[test]
    fn light_colours_are_those_on_white() {
        let grey = BackendColor {
            alpha: 0.5,
            rgb: (0, 0, 0),
        };
        assert_eq!(colour(grey), Colour(128, 128, 128));
    }
}
