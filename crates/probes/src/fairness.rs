//! Jain's index of goodputs, within groups and between them.

use pacesim::measure::fairness;
use pacesim::measure::record::FlowRow;
use pacesim_language::names::Reference;
use pacesim_study::measure as study;

use crate::schema::{Cell, Column, MeasureSchema, Measurement, Measuring, Results, columns};
use crate::tap::members;

impl MeasureSchema for study::Fairness {
    fn names(&self) -> Vec<String> {
        let within = self.groups.iter();
        let within = within.map(|group| format!("within_{}", label(group)));
        let all = ["all", "between"].map(str::to_owned);
        all.into_iter().chain(within).collect()
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "group": "The place of the flow's group in the list of groups, from 0.";
            "flow_id": "The flow's number, as in flows.parquet.";
            "goodput_bps": "Its goodput over the time that it was there.";
        }
    }
}

/// A group's name within names of numbers: `f_3` for `f[3]`.
fn label(group: &Reference) -> String {
    let text = group.to_string().replace("..", "_to_");
    text.replace('[', "_").replace(']', "")
}

impl Measuring for study::Fairness {
    /// Rates of the flows that existed, each divided by its lifetime, as in the summary of a group.
    fn found(&self, results: &Results<'_>) -> Measurement {
        let of = |group: &Reference| -> Vec<&FlowRow> {
            let members = members(results.model, group);
            let ours = results.flows.iter();
            let ours = ours.filter(|row| members[row.flow_id as usize]);
            ours.filter(|row| row.until_ps > row.from_ps).collect()
        };
        let groups: Vec<Vec<&FlowRow>> = self.groups.iter().map(of).collect();
        let goodputs = |group: &Vec<&FlowRow>| group.iter().map(|row| row.goodput_bps).collect();
        let found = fairness(&groups.iter().map(goodputs).collect::<Vec<_>>());
        let rows = groups.iter().enumerate().flat_map(|(place, group)| {
            let row = move |row: &&FlowRow| -> Vec<Cell> {
                let cells = [place as f64, f64::from(row.flow_id), row.goodput_bps];
                cells.map(Some).to_vec()
            };
            group.iter().map(row)
        });
        let both = [found.all, found.between];
        Measurement {
            rows: rows.collect(),
            numbers: both.into_iter().chain(found.within).collect(),
        }
    }
}
