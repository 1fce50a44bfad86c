//! File formats of figures.

use std::ffi::OsStr;
use std::path::Path;

use crate::draw::draw;
use crate::figure::Figure;

/// A picture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines and text, for browsers.
    Svg,
    /// Pixels, for slides and messages.
    #[cfg(feature = "pictures")]
    Png,
    /// Lines and text with their font, for papers.
    #[cfg(feature = "pictures")]
    Pdf,
    /// TikZ, drawn by pgfplots in the fonts of a paper.
    Tex,
}

/// Reason why no picture can be written under a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// There is no suffix.
    #[error("a picture's name needs a suffix: .svg, .png, .pdf or .tex")]
    NoSuffix,
    /// The suffix belongs to no supported format.
    #[error("\".{0}\" is not a kind of picture; end the name in .svg, .png, .pdf or .tex")]
    Unknown(String),
    /// The program was built without this format.
    #[error(
        "this program was built without \".{0}\" (feature `pictures`); .svg and .tex can be written"
    )]
    LeftOut(String),
}

impl Format {
    /// All formats that this program can write.
    pub const ALL: &'static [Format] = &[
        Format::Svg,
        #[cfg(feature = "pictures")]
        Format::Png,
        #[cfg(feature = "pictures")]
        Format::Pdf,
        Format::Tex,
    ];

    /// The format named by the suffix of a path, in any case.
    pub fn of(path: &Path) -> Result<Format, FormatError> {
        let suffix = path.extension().map(OsStr::to_string_lossy);
        let suffix = suffix.ok_or(FormatError::NoSuffix)?.to_lowercase();
        // TikZ by its other name.
        let suffix = if suffix == "pgf" {
            "tex".to_owned()
        } else {
            suffix
        };
        let mut all = Format::ALL.iter();
        match all.find(|format| format.suffix() == suffix) {
            Some(format) => Ok(*format),
            None if ["png", "pdf"].contains(&suffix.as_str()) => Err(FormatError::LeftOut(suffix)),
            None => Err(FormatError::Unknown(suffix)),
        }
    }

    /// Suffix of such files, without the dot.
    pub fn suffix(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            #[cfg(feature = "pictures")]
            Format::Png => "png",
            #[cfg(feature = "pictures")]
            Format::Pdf => "pdf",
            Format::Tex => "tex",
        }
    }
}

impl Figure {
    /// The bytes of a picture file; the same figure gives the same bytes.
    pub fn encode(&self, format: Format) -> Vec<u8> {
        match format {
            Format::Svg => self.svg().into_bytes(),
            #[cfg(feature = "pictures")]
            Format::Png => self.png(crate::png::WIDTH),
            #[cfg(feature = "pictures")]
            Format::Pdf => self.pdf(),
            Format::Tex => self.tex().into_bytes(),
        }
    }

    /// The figure as a TikZ picture for pgfplots.
    pub fn tex(&self) -> String {
        crate::tex::tex(self)
    }

    /// The numbers of the figure as CSV, with the lines of matplotlib and ggplot that draw `file`.
    pub fn values(&self, file: &str) -> String {
        crate::values::values(self, file)
    }

    /// The figure as an SVG document, with lines and text.
    pub fn svg(&self) -> String {
        crate::svg::svg(&draw(self))
    }

    /// The figure as a picture `width` pixels wide, at least one.
    #[cfg(feature = "pictures")]
    pub fn png(&self, width: u32) -> Vec<u8> {
        crate::png::png(&draw(self), width)
    }

    /// The figure as a PDF page of its own size, with searchable text.
    #[cfg(feature = "pictures")]
    pub fn pdf(&self) -> Vec<u8> {
        crate::pdf::pdf(&draw(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suffix_says_the_kind() {
        let of = |name: &str| Format::of(Path::new(name));
        assert_eq!(of("a.svg"), Ok(Format::Svg));
        assert_eq!(of("a.b/c.SVG"), Ok(Format::Svg));
        assert_eq!(of("svg"), Err(FormatError::NoSuffix));
        assert_eq!(of("a.jpeg"), Err(FormatError::Unknown("jpeg".to_owned())));
        for format in Format::ALL {
            assert_eq!(of(&format!("a.{}", format.suffix())), Ok(*format));
        }
    }

    #[test]
    fn what_was_left_out_is_said_to_be() {
        let png = Format::of(Path::new("a.png"));
        assert_eq!(png.is_err(), !cfg!(feature = "pictures"), "{png:?}");
    }
}
