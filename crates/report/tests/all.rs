//! Recordings of small runs with a known course, in each use.

mod common;
mod diff;
mod explain;
mod export;
mod html;
mod ns2;
mod palette;
