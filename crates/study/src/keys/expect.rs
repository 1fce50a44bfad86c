//! `[[expect]]`: claims.

use pacesim_language::field::{Anything, MapOf, Name, PairOf, Perhaps, Probability};
use pacesim_language::tree::Item;
use pacesim_language::{table, words};

/// Axes, each with a value or a list of values.
type Selection = Vec<(String, Item)>;

table! {
    /// A claim about numbers of the study. It passes if the whole confidence interval satisfies it,
    /// differs if no part of it does, and is undecided in between or without an interval.
    pub(crate) struct ExpectKeys "expect" {
        claim: String, "The claim in words.", "loss at 2 KB, no pacing";
        kind: Option<ClaimKind>, "The kind of claim; by default \"own\". Only claims of kind \"paper\" make the score of a paper.", "paper";
        instead_of: Option<String>, "For an alternative: the words of the paper's claim above, of which this is the same statement under another value of one axis of `at` that the paper leaves open. Both are judged as one claim.", "loss at 2 KB, no pacing";
        group: Option<String>, "A sentence of the paper that several claims of kind \"paper\" repeat: they count as one, which holds if all of them do.", "pacing shortens transfers";
        y: String, "The number that it is about: OF.ENTITY.METRIC, as in the tables of the study.", "link.core.loss_ratio";
        per: Option<String>, "Another number, by which y is divided in each run before anything else.", "flows.plain.flow_goodput_bps";
        at: Selection as Perhaps<MapOf<Anything>>, "The point: axes with a value each, all except the one of `along`.", "{ buffer = \"2KB\", pacing = \"none\" }";
        over: Selection as Perhaps<MapOf<Anything>>, "The claim is about the ratio of y to y where these axes have these values instead, replication by replication.", "{ pacing = \"host\" }";
        minus: Selection as Perhaps<MapOf<Anything>>, "The same for the difference.", "{ pacing = \"host\" }";
        jain_with: Vec<String> as Perhaps<Vec<String>>, "The claim is about Jain's fairness index of y and these numbers: with over, of their ratios (zerobuf eq. 26).", "[\"flows.far.flow_goodput_bps\"]";
        times: Option<Item> as Option<Anything>, "The factor of y, the ratio or the difference: a quantity or a formula, whose unit becomes part of that of the claim, or a bare number if y has no unit.", "= 1 / rate(core)";
        at_least: Option<Item> as Option<Anything>, "The lower bound: an amount with the unit of the claim, \"9Mbps\", \"5ms\", \"3KB\", \"12pkts\", \"2/s\", \"1.5 Mbps^2\", or a formula of quantities of the scenario at the claim's point. A number or a percentage if the claim has no unit, as for ratios, shares and indices.", "= 0.9 * rate(core)";
        at_most: Option<Item> as Option<Anything>, "The upper bound.", "20ms";
        about: Option<Item> as Option<Anything>, "The expected value, within the share in `within`.", "93kbps";
        band: Option<Band>, "Words of a paper, whose range is the same in all studies: of the number itself, or with `about` relative to that.", "approximately the same";
        quotient: Vec<String> as Perhaps<Vec<String>>, "Two claims above with `about`, whose printed numbers make a quotient: the claim is about that, with a tolerance that follows from theirs.", "[\"goodput, edge pacing\", \"goodput, host pacing\"]";
        within: Option<Item> as Option<Anything>, "The tolerance as a share of `about`, such as 0.05 or \"5%\", by default 0.1; with `reference` the distance from the mean: standard deviations, percent of the mean, an amount with the unit of the claim, or a sum of them.", "2 sd + 0.5Mbps";
        reference: Option<String> as Option<Name>, "A table of measured numbers with which y agrees, within `within`.", "kernel";
        quantile: Option<f64> as Option<Probability>, "The claim is about this quantile over replications instead of the mean, with an interval from order statistics; with at_least, at_most or about.", "0.9";
        along: Option<String> as Option<Name>, "An axis along which y takes the claimed course; with at_least, at_most or about alone, the claim holds at each of its values, with simultaneous intervals.", "buffer";
        between: Option<(Item, Item)> as Option<PairOf<Anything>>, "Two values of that axis: the claim is about these and those between them; by default all.", "[\"1KB\", \"8KB\"]";
        slope: Option<Slope>, "The claim is about the slope of y along that axis, by least squares, instead of y itself.", "log_y";
        straight: Option<Slope>, "The claim is about the straightness of y along that axis: the share of its variance explained by a least-squares line. It needs at least four values.", "log_y";
        course: Option<Course>, "The course that y takes.", "rises";
        least_at: Option<Item> as Option<Anything>, "The value of that axis at which y is least.", "5KB";
        greatest_at: Option<Item> as Option<Anything>, "The value of that axis at which y is greatest.", "5KB";
        paper: Option<Item> as Option<Anything>, "The paper's number, with the unit of the claim, or words; \"\" if it says nothing. By default, the number of `about`.", "in excess of 15 %";
        ns2: Option<Item> as Option<Anything>, "The result of ns-2, with the unit of the claim.", "9.4Mbps";
        because: Option<Item> as Option<Anything>, "Why it differs, shown only where it does: the variant that moves it into what is claimed, a model of `pacesim solve` (model, y, set, times, within) whose result is our number and not what is claimed, or a bound (bound, with the formula at_least or at_most) that excludes what is claimed; each with what this shows in words; or \"not explained\".", "{ variant = \"delayed ACKs\", shows = \"receivers acknowledge every second packet\" }";
        scale: f64 as Probability, (= "0.0"), "The minimum --scale at which the claim is judged.", "0.25";
    }
}

words! {
    /// A kind of claim.
    pub enum ClaimKind {
        Paper "paper", "a statement of the paper about this system";
        Alternative "alternative", "the same statement under another value of a setting that the paper leaves open";
        Own "own", "a law or a test of ours, or a sentence carried over to another system";
    }
}

words! {
    /// Words of papers without a number, each with its range. They were fixed before any run was judged
    /// by them: a figure does not show a difference of a tenth.
    pub enum Band {
        NearlyConstant "nearly constant", "from 0.8 to 1.2: a tenth to each side of a line that is itself drawn to a tenth";
        Same "approximately the same", "from 0.9 to 1.1";
        NoBetter "no better", "at most 1.1";
        NearOne "quite close to 1", "at least 0.85: Jain's index of two halves, one of which has 2.4 times the goodput of the other, is 0.849";
        NearlyFull "nearly 100 %", "at least 0.95";
        WhiteNoise "white noise", "from -0.25 to 0.25: a correlation that explains less than a sixteenth of the variance";
        AsMuchAs "as much as", "an effect, the distance from 1, from half to one and a half times that of `about`";
    }
}

words! {
    /// A limit that no run can exceed.
    pub enum Bound {
        FullLink "full link", "no link passes more than its rate";
        Windows "windows", "no sender passes more than its window in a round trip";
        Path "path", "no packet arrives before the delays of its links are over";
    }
}

words! {
    /// Change of a number from one value of an axis to the next.
    pub enum Course {
        Rises "rises", "it is greater at each value than at the previous one";
        Falls "falls", "it is less at each value than at the previous one";
        Convex "convex", "its slope increases from each value to the next: it bends upwards";
        Concave "concave", "its slope decreases from each value to the next: it bends downwards";
    }
}

words! {
    /// Scales in which a line is laid through points; values without a logarithm are left out.
    pub enum Slope {
        Linear "linear", "y against the axis; the slope is its change for each unit";
        LogY "log_y", "the natural logarithm of y against the axis";
        LogLog "log_log", "the logarithm of y against that of the axis; the slope is the exponent of a power law";
    }
}
