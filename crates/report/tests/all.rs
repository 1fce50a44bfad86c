//! Recordings of small runs whose course is known, put to each use.

mod common;
mod diff;
mod explain;
mod export;
mod html;
