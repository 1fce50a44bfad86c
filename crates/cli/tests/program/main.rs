//! The program from outside: its output, its files, its exit codes.

#[cfg(unix)]
mod book;
mod check;
mod common;
mod compare;
mod damaged;
mod evaluate;
mod folders;
mod other;
mod phases;
mod planted;
mod plot;
mod readers;
mod reproduce;
mod run;
mod seeing;
mod shards;
#[cfg(unix)]
mod slurm;
mod solve;
mod sweep;
mod tune;
mod verify;
