//! The tests of TCP as one program. `cargo test -p pacesim-tcp --test all laws` runs those of one file.

mod accecn;
mod bbr_alone;
mod bbr_closed_loop;
mod bbr_draft;
mod bbr_quiche;
mod control_laws;
mod cubic_epochs;
mod laws;
mod net;
mod path;
mod plugin;
mod variants;
