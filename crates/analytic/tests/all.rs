//! The tests of models as one program. `cargo test -p pacesim-analytic --test all played_out` runs those of one file.

mod bulk_figures;
mod catalogue_abuse;
mod dense_solve;
mod played_out;
mod queueing_figures;
