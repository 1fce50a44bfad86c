//! The sheet of a figure.

use pacesim_plot::{LegendPlace, Sheet};
use pacesim_study::{LegendWord, SheetKeys, SheetStyle};

/// The sheet that the keys describe.
pub(super) fn sheet(keys: &SheetKeys) -> Sheet {
    let usual = of_style(keys.style());
    let (width, font_pt) = keys.points();
    Sheet {
        width_in: width / 72.0,
        height_in: keys.height.map(|height| height.points / 72.0),
        font_pt,
        legend: keys.legend.map_or(usual.legend, place),
        titled: keys.titled.unwrap_or(usual.titled),
        columns: keys.columns.map_or(usual.columns, |n| n as usize),
    }
}

/// The sheet of a kind of document.
pub(super) fn of_style(style: SheetStyle) -> Sheet {
    match style {
        SheetStyle::Screen => Sheet::SCREEN,
        SheetStyle::Ieee => Sheet::IEEE,
        SheetStyle::Acm => Sheet::ACM,
        SheetStyle::Talk => Sheet::TALK,
    }
}

fn place(word: LegendWord) -> LegendPlace {
    match word {
        LegendWord::Beside => LegendPlace::Beside,
        LegendWord::Below => LegendPlace::Below,
        LegendWord::Inside => LegendPlace::Inside,
        LegendWord::Nowhere => LegendPlace::Nowhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_alone_is_its_sheet() {
        for style in [
            SheetStyle::Screen,
            SheetStyle::Ieee,
            SheetStyle::Acm,
            SheetStyle::Talk,
        ] {
            let keys = SheetKeys {
                style: Some(style),
                ..SheetKeys::default()
            };
            let (ours, theirs) = (sheet(&keys), of_style(style));
            assert!((ours.width_in - theirs.width_in).abs() < 1e-9, "{style:?}");
            assert_eq!(
                Sheet {
                    width_in: theirs.width_in,
                    ..ours
                },
                theirs
            );
        }
        assert_eq!(sheet(&SheetKeys::default()), Sheet::SCREEN);
    }
}
