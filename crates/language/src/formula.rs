//! A formula: a string that begins with "=" in place of a quantity.

use pacesim_units::Quantity;

/// A formula as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The key with this value: "link\[0\].buffer".
    pub path: String,
    /// Text after the "=".
    pub text: String,
    /// The quantity that it must have.
    pub quantity: Quantity,
}

impl Formula {
    /// The formula in a string, if it is one.
    pub(crate) fn of(path: &str, text: &str, quantity: Quantity) -> Option<Formula> {
        let text = text.trim_start().strip_prefix('=')?;
        Some(Formula {
            path: path.to_owned(),
            text: text.to_owned(),
            quantity,
        })
    }
}
