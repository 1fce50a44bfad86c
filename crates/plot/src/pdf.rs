//! A drawing as PDF: one page of its size, with text that can be searched and copied.

use pdf_writer::types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

use crate::drawing::{Colour, Drawing, Element, OUTLINE, Paint, Spot, Stroke, TINT, Text};
use crate::font::{FILE, Font};

/// A pixel is 1/96 of an inch, a point 1/72.
const POINTS: f32 = 0.75;

const FONT: Name = Name(b"F");
/// Six letters and a plus mark a font subset.
const FONT_NAME: Name = Name(b"PACSIM+Arimo");
const OPAQUE: Name = Name(b"O");
const TINTED: Name = Name(b"T");

/// The objects of the file.
mod object {
    use super::Ref;

    pub(crate) const CATALOG: Ref = Ref::new(1);
    pub(crate) const PAGES: Ref = Ref::new(2);
    pub(crate) const PAGE: Ref = Ref::new(3);
    pub(crate) const CONTENT: Ref = Ref::new(4);
    pub(crate) const FONT: Ref = Ref::new(5);
    pub(crate) const LETTERS: Ref = Ref::new(6);
    pub(crate) const DESCRIPTOR: Ref = Ref::new(7);
    pub(crate) const FONT_FILE: Ref = Ref::new(8);
    pub(crate) const CHARACTERS: Ref = Ref::new(9);
    pub(crate) const OPAQUE: Ref = Ref::new(10);
    pub(crate) const TINTED: Ref = Ref::new(11);
}

/// The file's bytes.
pub(crate) fn pdf(drawing: &Drawing) -> Vec<u8> {
    let font = Font::bundled();
    let mut pdf = Pdf::new();
    let points = POINTS * drawing.scale as f32;
    let size = [drawing.width, drawing.height].map(|units| units as f32 * points);
    page(&mut pdf, size);
    pdf.stream(object::CONTENT, &content(drawing, &font, points, size[1]));
    embed(&mut pdf, &font, &characters(drawing));
    pdf.finish()
}

fn page(pdf: &mut Pdf, [width, height]: [f32; 2]) {
    pdf.catalog(object::CATALOG).pages(object::PAGES);
    pdf.pages(object::PAGES).kids([object::PAGE]).count(1);
    let mut page = pdf.page(object::PAGE);
    page.media_box(Rect::new(0.0, 0.0, width, height));
    page.parent(object::PAGES).contents(object::CONTENT);
    let mut resources = page.resources();
    resources.fonts().pair(FONT, object::FONT);
    let mut states = resources.ext_g_states();
    states.pair(OPAQUE, object::OPAQUE);
    states.pair(TINTED, object::TINTED);
    states.finish();
    resources.finish();
    page.finish();
    pdf.ext_graphics(object::OPAQUE).non_stroking_alpha(1.0);
    pdf.ext_graphics(object::TINTED).non_stroking_alpha(TINT);
}

/// Contents of the page, in units of the drawing from its upper left corner.
fn content(drawing: &Drawing, font: &Font, points: f32, height: f32) -> Vec<u8> {
    let mut content = Content::new();
    content.transform([points, 0.0, 0.0, -points, 0.0, height]);
    content.set_line_join(LineJoinStyle::RoundJoin);
    for element in &drawing.elements {
        match element {
            Element::Line { spots, stroke } => line(&mut content, spots, stroke),
            Element::Shape { spots, paint } => {
                prepare(&mut content, paint);
                path(&mut content, spots);
                content.close_path();
                apply(&mut content, paint);
            }
            Element::Circle {
                centre,
                radius,
                paint,
            } => {
                prepare(&mut content, paint);
                circle(&mut content, *centre, *radius as f32);
                apply(&mut content, paint);
            }
            Element::Text(text) => write(&mut content, text, font),
        }
    }
    content.finish().into_vec()
}

fn path(content: &mut Content, spots: &[Spot]) {
    for (i, (x, y)) in spots.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        match i {
            0 => content.move_to(x, y),
            _ => content.line_to(x, y),
        };
    }
}

/// Four cubic curves, indistinguishable from a circle.
fn circle(content: &mut Content, (x, y): Spot, r: f32) {
    let (x, y) = (x as f32, y as f32);
    // 4/3 (sqrt 2 - 1): the curve's middle is on the circle.
    let k = 0.552_284_8 * r;
    content.move_to(x + r, y);
    content.cubic_to(x + r, y + k, x + k, y + r, x, y + r);
    content.cubic_to(x - k, y + r, x - r, y + k, x - r, y);
    content.cubic_to(x - r, y - k, x - k, y - r, x, y - r);
    content.cubic_to(x + k, y - r, x + r, y - k, x + r, y);
    content.close_path();
}

fn line(content: &mut Content, spots: &[Spot], stroke: &Stroke) {
    let [red, green, blue] = shares(stroke.colour);
    content.set_stroke_rgb(red, green, blue);
    content.set_line_width(stroke.width as f32);
    content.set_dash_pattern(stroke.lengths().map(|length| length as f32), 0.0);
    path(content, spots);
    content.stroke();
}

/// Sets the paint of the next path: PDF allows no change once it has begun.
fn prepare(content: &mut Content, paint: &Paint) {
    let (state, colour) = match paint {
        Paint::Filled(colour) | Paint::Outlined(colour) => (OPAQUE, colour),
        Paint::Tinted(colour) => (TINTED, colour),
    };
    let [red, green, blue] = shares(*colour);
    content.set_parameters(state);
    content.set_fill_rgb(red, green, blue);
    content.set_stroke_rgb(red, green, blue);
    content.set_line_width(OUTLINE as f32);
    content.set_dash_pattern([], 0.0);
}

fn apply(content: &mut Content, paint: &Paint) {
    match paint {
        Paint::Filled(_) | Paint::Tinted(_) => content.fill_nonzero(),
        Paint::Outlined(_) => content.stroke(),
    };
}

fn write(content: &mut Content, text: &Text, font: &Font) {
    let (letters, length) = font.letters(text);
    let numbers = letters
        .iter()
        .flat_map(|letter| letter.glyph.0.to_be_bytes());
    let numbers: Vec<u8> = numbers.collect();
    let [red, green, blue] = shares(text.colour);
    content
        .set_parameters(OPAQUE)
        .set_fill_rgb(red, green, blue);
    content.begin_text();
    content.set_font(FONT, text.size as f32);
    content.set_text_matrix(text.matrix(length));
    content.show(Str(&numbers));
    content.end_text();
}

fn shares(Colour(red, green, blue): Colour) -> [f32; 3] {
    [red, green, blue].map(|part| f32::from(part) / 255.0)
}

/// All characters of the text, each once.
fn characters(drawing: &Drawing) -> Vec<char> {
    let texts = drawing.elements.iter().filter_map(|element| match element {
        Element::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let mut characters: Vec<char> = texts.flat_map(str::chars).collect();
    characters.sort_unstable();
    characters.dedup();
    characters
}

/// Embeds the font file, as letters by number, with widths and characters.
fn embed(pdf: &mut Pdf, font: &Font, characters: &[char]) {
    let info = SystemInfo {
        registry: Str(b"Adobe"),
        ordering: Str(b"Identity"),
        supplement: 0,
    };
    pdf.type0_font(object::FONT)
        .base_font(FONT_NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(object::LETTERS)
        .to_unicode(object::CHARACTERS);
    let mut letters = pdf.cid_font(object::LETTERS);
    letters.subtype(CidFontType::Type2).base_font(FONT_NAME);
    letters
        .system_info(info)
        .font_descriptor(object::DESCRIPTOR);
    letters.cid_to_gid_map_predefined(Name(b"Identity"));
    let thousandths = font.scale(1000.0) as f32;
    let width = |glyph| {
        let advance = font.face.glyph_hor_advance(ttf_parser::GlyphId(glyph));
        f32::from(advance.unwrap_or_default()) * thousandths
    };
    let widths = (0..font.face.number_of_glyphs()).map(width);
    letters.widths().consecutive(0, widths);
    letters.finish();
    describe(pdf, font);
    let mut unicode = UnicodeCmap::new(Name(b"Characters"), info);
    let known = |character: &&char| font.face.glyph_index(**character).is_some();
    for character in characters.iter().filter(known) {
        unicode.pair(font.glyph(*character).0, *character);
    }
    pdf.cmap(object::CHARACTERS, &unicode.finish());
}

fn describe(pdf: &mut Pdf, font: &Font) {
    let thousandths = font.scale(1000.0) as f32;
    let scaled = |units: i16| f32::from(units) * thousandths;
    let face = &font.face;
    let around = face.global_bounding_box();
    let [left, low, right, high] =
        [around.x_min, around.y_min, around.x_max, around.y_max].map(scaled);
    let mut descriptor = pdf.font_descriptor(object::DESCRIPTOR);
    descriptor.name(FONT_NAME).flags(FontFlags::NON_SYMBOLIC);
    descriptor.bbox(Rect::new(left, low, right, high));
    descriptor.italic_angle(0.0);
    descriptor.ascent(scaled(face.ascender()));
    descriptor.descent(scaled(face.descender()));
    descriptor.cap_height(scaled(face.capital_height().unwrap_or(face.ascender())));
    // Value of Arial, whose letters are alike.
    descriptor.stem_v(88.0);
    descriptor.font_file2(object::FONT_FILE);
    descriptor.finish();
    let mut file = pdf.stream(object::FONT_FILE, FILE);
    file.pair(Name(b"Length1"), FILE.len() as i32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tint_is_set_before_its_path() {
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.shape([(0.0, 0.0), (1.0, 1.0)], Paint::Tinted(Colour(0, 0, 0)));
        let bytes = content(&drawing, &Font::bundled(), POINTS, 10.0);
        let text = String::from_utf8_lossy(&bytes);
        let places = ["/T gs", " m\n", "\nf"].map(|operator| text.find(operator));
        assert!(places.is_sorted() && places[0].is_some(), "{text}");
    }

    #[test]
    fn letters_can_be_read_back() {
        let mut drawing = Drawing::new(10.0, 10.0);
        let black = Colour(0, 0, 0);
        let anchor = crate::drawing::Anchor::Start;
        drawing.text((0.0, 0.0), anchor, 10.0, black, "β\u{4e00}");
        let bytes = pdf(&drawing);
        let text = String::from_utf8_lossy(&bytes);
        // The glyph of beta maps to U+03B2; a character missing in the font maps to none.
        let beta = Font::bundled().glyph('β').0;
        assert!(text.contains(&format!("<{beta:04X}> <03B2>")), "{text}");
        assert!(!text.contains("4E00>"), "{text}");
    }
}
