//! The program from outside: what it prints, what it writes, how it ends.

mod check;
mod common;
mod folders;
mod other;
mod readers;
mod reproduce;
mod run;
#[cfg(feature = "studies")]
mod sweep;
mod tune;
