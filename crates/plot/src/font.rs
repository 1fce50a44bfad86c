//! The bundled font, for files that hold pixels or embed their fonts.

use ttf_parser::{Face, GlyphId};

use crate::drawing::{Anchor, Text};

/// See `font/OFL.txt`.
pub(crate) const FILE: &[u8] = include_bytes!("font/Arimo-subset.ttf");

/// The font's outlines and widths.
pub(crate) struct Font {
    pub(crate) face: Face<'static>,
}

/// A glyph and its offset from the beginning of its line, in pixels.
pub(crate) struct Letter {
    pub(crate) glyph: GlyphId,
    pub(crate) along: f64,
}

impl Font {
    pub(crate) fn bundled() -> Font {
        let face = Face::parse(FILE, 0);
        Font {
            face: face.expect("the bundled file is a font"),
        }
    }

    /// The glyph of a character; a question mark for characters missing in the font.
    pub(crate) fn glyph(&self, character: char) -> GlyphId {
        let found = self.face.glyph_index(character);
        let found = found.or_else(|| self.face.glyph_index('?'));
        found.expect("the bundled font has a question mark")
    }

    /// Pixels per font unit at a size.
    pub(crate) fn scale(&self, size: f64) -> f64 {
        size / f64::from(self.face.units_per_em())
    }

    /// The letters of a text with their places along its line, and its length.
    pub(crate) fn letters(&self, text: &Text) -> (Vec<Letter>, f64) {
        let scale = self.scale(text.size);
        let mut along = 0.0;
        let letter = |character| {
            let glyph = self.glyph(character);
            let letter = Letter { glyph, along };
            let advance = self.face.glyph_hor_advance(glyph).unwrap_or_default();
            along += f64::from(advance) * scale;
            letter
        };
        let letters = text.text.chars().map(letter).collect();
        (letters, along)
    }
}

impl Text {
    /// The map from a text of this length, along its line and up, to the page: a, b, c, d, e, f of
    /// x' = ax + cy + e, y' = bx + dy + f.
    pub(crate) fn matrix(&self, length: f64) -> [f32; 6] {
        let (x, y) = self.at;
        let (before, upwards) = match self.anchor {
            Anchor::Start => (0.0, false),
            Anchor::Middle => (length / 2.0, false),
            Anchor::End => (length, false),
            Anchor::Upwards => (length / 2.0, true),
        };
        if upwards {
            [0.0, -1.0, -1.0, 0.0, x as f32, (y + before) as f32]
        } else {
            [1.0, 0.0, 0.0, -1.0, (x - before) as f32, y as f32]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    fn text_of(letters: &str) -> Text {
        Text {
            at: (100.0, 50.0),
            anchor: Anchor::Upwards,
            size: 20.0,
            colour: crate::drawing::Colour(0, 0, 0),
            text: letters.to_owned(),
        }
    }

    #[test]
    fn the_table_of_widths_is_that_of_the_font() {
        let font = Font::bundled();
        for character in (' '..='~').chain("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−".chars()) {
            let text = text_of(&character.to_string());
            let (_, length) = font.letters(&text);
            let ours = width(&text.text, text.size);
            assert!((length - ours).abs() < 0.01, "{character}: {length} {ours}");
        }
    }

    #[test]
    fn what_the_font_has_not_is_a_question_mark() {
        let font = Font::bundled();
        assert_eq!(font.glyph('\u{4e00}'), font.glyph('?'));
        for character in "βγλµ²≤≥±×·∞√–…é".chars() {
            assert_ne!(font.glyph(character), font.glyph('?'), "{character}");
        }
    }

    #[test]
    fn a_text_upwards_begins_below_its_middle() {
        let [a, b, c, d, e, f] = text_of("").matrix(30.0);
        // Along the text is up the page; up in the letters is to the left.
        assert_eq!((a, b, c, d), (0.0, -1.0, -1.0, 0.0));
        assert_eq!((e, f), (100.0, 65.0));
    }
}
