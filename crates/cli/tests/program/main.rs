//! The program from outside: what it prints, what it writes, how it ends.

mod check;
mod common;
mod compare;
mod folders;
mod other;
mod planted;
#[cfg(feature = "studies")]
mod plot;
mod readers;
#[cfg(feature = "studies")]
mod reproduce;
mod run;
#[cfg(feature = "studies")]
mod shards;
#[cfg(all(feature = "studies", unix))]
mod slurm;
#[cfg(feature = "studies")]
mod sweep;
mod tune;
mod verify;
