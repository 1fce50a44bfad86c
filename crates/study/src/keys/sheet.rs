//! Size and arrangement of a figure.

use pacesim_language::field::Whole;
use pacesim_language::print_length::PrintLength;
use pacesim_language::{table, words};

table! {
    /// The place of a figure in a document.
    pub struct SheetKeys "sheet" derive(Default) {
        style: Option<SheetStyle>, "The document that the figure is for, which gives what the next keys omit; by default screen.", "ieee";
        width: Option<PrintLength>, "Its width in print: 3.5in (ieee), 3.33in (acm), 10in (talk), or 840 pixels of a screen, 8.75in.", "85mm";
        height: Option<PrintLength>, "Its height in print, with title and legends: frames become taller or lower; by default as their width suits.", "2in";
        font: Option<PrintLength>, "The size of the letters of labels in print; other letters are in proportion.", "8pt";
        legend: Option<LegendWord>, "The place of the legend; by default beside on a screen, below in print.", "inside";
        titled: Option<bool>, "Draw the title; by default not for ieee and acm, where the caption says it.", "false";
        columns: Option<u32> as Option<Columns>, "The number of panels side by side; by default 1.", "2";
    }
}

type Columns = Whole<u32, 1, 12>;

words! {
    /// A kind of document.
    pub enum SheetStyle {
        Screen "screen", "a page of a browser";
        Ieee "ieee", "a column of 3.5in, letters of 8pt";
        Acm "acm", "a column of 3.33in, letters of 8pt";
        Talk "talk", "a slide of 10in, letters of 18pt";
    }
}

words! {
    /// The place of legends.
    pub enum LegendWord {
        Beside "beside", "right of the frame";
        Below "below", "below the frame, once if all panels have the same";
        Inside "inside", "in a corner of the frame where it hides nothing; below, with a note, if none is free";
        Nowhere "none", "no legend";
    }
}

impl SheetStyle {
    /// Width and size of letters, in points.
    pub fn points(self) -> (f64, f64) {
        match self {
            SheetStyle::Screen => (630.0, 10.5),
            SheetStyle::Ieee => (252.0, 8.0),
            SheetStyle::Acm => (239.76, 8.0),
            SheetStyle::Talk => (720.0, 18.0),
        }
    }
}

impl SheetKeys {
    /// The style, if only by default.
    pub fn style(&self) -> SheetStyle {
        self.style.unwrap_or(SheetStyle::Screen)
    }

    /// Width and size of letters, in points.
    pub fn points(&self) -> (f64, f64) {
        let (width, font) = self.style().points();
        let given = |length: Option<PrintLength>| length.map(|length| length.points);
        (
            given(self.width).unwrap_or(width),
            given(self.font).unwrap_or(font),
        )
    }
}
