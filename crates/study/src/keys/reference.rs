//! [[reference]]: measured numbers beside those of the runs.

use pacesim_language::field::{Anything, FileName, MapOf, Name, Perhaps};
use pacesim_language::table;
use pacesim_language::tree::Item;

table! {
    /// Numbers measured elsewhere: a table whose rows are points of the study, each with a mean and
    /// optionally a spread. Figures draw them beside the runs, and claims compare the runs with
    /// them.
    pub(crate) struct ReferenceKeys "reference" {
        name: String as Name, "Its name in figures and claims.", "kernel";
        label: Option<String>, "Its name in the legend; by default its name.", "Linux 6.12";
        file: String as FileName, "A CSV file beside the study. Its first line names the columns: axes of the study, a mean, optionally a standard deviation.", "kernel.csv";
        y: String, "The measured number, OF.ENTITY.METRIC.", "link.core.utilisation";
        at: Vec<(String, Item)> as Perhaps<MapOf<Anything>>, "The common values of axes that have no column.", "{ pacing = \"none\" }";
        mean: String, (= "mean"), "The column of means.", "utilisation";
        sd: Option<String>, "The column of standard deviations; by default \"sd\", if there is one.", "utilisation_sd";
        unit: Option<String>, "The unit of means and deviations whose cells do not carry it: one of y, such as \"Mbps\", \"ms\" or \"KB\"; \"%\" for percentages of a share.", "%";
        ignore: Vec<String> as Perhaps<Vec<String>>, "Columns to ignore.", "[\"runs\"]";
    }
}
