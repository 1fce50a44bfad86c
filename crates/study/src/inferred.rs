//! Settings that a paper leaves open, inferred from one of its numbers.

/// A setting inferred from one number of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// The setting in words.
    pub setting: String,
    /// Its value in words.
    pub value: String,
    /// Name of the variant that has the value, unless the study itself does.
    pub variant: Option<String>,
    /// Words of the claim whose number chose the value.
    pub fitted: String,
    /// Words of the claims that it predicts.
    pub predicts: Vec<String>,
    /// Names of variants whose values were drawn at random from the plausible range of the setting.
    pub drawn: Vec<String>,
}
