//! `[[inferred]]`: settings that a paper leaves open.

use pacesim_language::field::Perhaps;
use pacesim_language::table;

table! {
    /// A setting that the paper leaves open, inferred from one of its numbers. All others that it decides
    /// are predictions, and are shown whether they hold or not.
    pub(crate) struct InferredKeys "inferred" {
        setting: String, "The setting in words.", "the mean round trip";
        value: String, "Its value in words.", "96 ms, where the paper says about 100 ms";
        variant: Option<String>, "The variant that has this value; by default the study as stated.", "delayed ACKs";
        fitted: String, "The claim, of kind \"paper\", whose number chose the value.", "utilisation, QLBP, 160, %";
        predicts: Vec<String>, "The claims of kind \"paper\" that it then predicts.", "[\"mean delay, QLBP, 160, ms\"]";
        drawn: Vec<String> as Perhaps<Vec<String>>, "Variants with values drawn at random from the plausible range of the setting, as a test against fitting: with them, fewer of the same numbers should hold.", "[\"drawn: 91.5 ms\"]";
    }
}
