//! Congestion controls: built-in ones by a word, those of the program by name or with keys.

use pacesim_language::field::{Field, Keys, Reader, Written};
use pacesim_language::form::{Form, KIND, Kinds, Word};
use pacesim_language::tree::{Item, TomlTable};
use pacesim_language::words;
use pacesim_parts::{control, control_name, controls};
use pacesim_tcp::{Control, OwnControl};

/// The type of a key for a congestion control.
pub(crate) struct ControlKey;

/// The congestion control.
struct ControlWord;

words! {
    ControlWord: Control {
        "reno" => Control::Reno, "half the window after a loss, one packet more per round trip";
        "cubic" => Control::Cubic, "CUBIC (RFC 9438), in profile linux in Linux's integers";
        "dctcp" => Control::Dctcp, "DCTCP (RFC 8257): the window falls by the share of marked packets; profile linux";
        "prague" => Control::Prague, "Prague (draft-briscoe-iccrg-prague-congestion-control-02) for L4S: like DCTCP, but paced, marked ECT(1), and fair to longer round trips; profile linux";
        "bbr" => Control::Bbr, "BBR version 1, which paces itself; profile linux";
        "bbr3" => Control::Bbr3, "BBR version 3 as Google's kernel code has it; profile linux";
        "bbr3_draft" => Control::Bbr3Draft, "the same with draft-ietf-ccwg-bbr's gains (Drain 0.5 for three rounds at most, DOWN 0.90), its exact test of losses, and its undo of spurious ones; profile linux";
    }
}

/// Words for the built-in controls.
pub(crate) const WORDS: &[Word] = match ControlWord::FORM {
    Form::Choice(words) => words,
    _ => &[],
};

impl Field for ControlKey {
    type Value = Control;
    const FORM: &'static Form = &Form::WordOrOwn(
        WORDS,
        Kinds {
            declared: &[],
            own: controls,
        },
    );

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Control> {
        let of_house = ControlWord::read(item, reader);
        of_house.or_else(|| own(item, reader).map(Control::Own))
    }

    fn write(value: &Control) -> Option<Written> {
        match value {
            Control::Own(own) => written(own),
            of_house => ControlWord::write(of_house),
        }
    }
}

/// A control that the program adds, by its name alone or by a table.
fn own(item: &Item, reader: &mut Reader<'_>) -> Option<OwnControl> {
    match item.table() {
        Some(table) => control(table.get(KIND)?.text()?, table, reader),
        None => control(item.text()?, &TomlTable::EMPTY, reader),
    }
}

/// A control that was read from a file is written with all of its keys.
fn written(own: &OwnControl) -> Option<Written> {
    let mut keys = Keys::default();
    keys.0
        .push((KIND, Written::Part(control_name(own.name())?)));
    let values = own.keys()?.iter();
    keys.0
        .extend(values.map(|(key, value)| (*key, Written::Plain(value.clone()))));
    Some(Written::Table(keys))
}
