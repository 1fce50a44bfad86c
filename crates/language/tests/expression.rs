//! Values against an independent evaluator, laws of units, and the messages of mistakes.

mod evaluation;
mod mistakes;
mod units;
