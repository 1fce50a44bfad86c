//! A condition between two keys of TIMELY.

use pacesim_language::field::Reader;

use super::{RdmaControl, RdmaKeys};

impl RdmaKeys {
    /// Reports a first rate that the control could never choose itself.
    pub(super) fn first_rate(&self, reader: &mut Reader<'_>) {
        let RdmaControl::Timely {
            variant,
            least_rate,
            first_rate: Some(first),
            ..
        } = &self.control
        else {
            return;
        };
        let least = least_rate.unwrap_or(variant.config(*first).minimum);
        if *first < least {
            let message = format!("{first} is below the least rate, {least}");
            let help = "give a higher first_rate, or a lower least_rate".to_owned();
            reader.fault_once("control.first_rate", message, help);
        }
    }
}
