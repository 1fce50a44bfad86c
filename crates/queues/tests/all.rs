//! The tests of disciplines as one program. `cargo test -p pacesim-queues --test all schedulers` runs those of one file.

mod codel_rfc;
mod dualpi2_rfc;
mod every_discipline;
mod fq_codel_rfc;
mod fq_reference;
mod keep_the_laws;
mod pie_rfc;
mod red_figure;
mod red_linux;
mod red_ns2;
mod schedulers;
mod tbf_reference;
