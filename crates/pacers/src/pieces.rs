//! The pieces of a hull in order: a stack whose bottom is eaten away.

use crate::curve::Piece;
use crate::steps::Steps;

/// A hull works at its end with almost every packet and leaves a piece at its
/// beginning rarely, so the end is that of a vector, cheaper than a ring's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    /// How many at the beginning have left.
    gone: usize,
}

impl Pieces {
    pub(crate) fn as_slice(&self) -> &[Piece] {
        &self.pieces[self.gone..]
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<&Piece> {
        if self.pieces.len() > self.gone {
            self.pieces.last()
        } else {
            None
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// Takes away the last piece; there must be one.
    #[inline]
    pub(crate) fn pop_last(&mut self) {
        self.pieces.pop();
    }

    /// Takes the first. Moving up the others costs O(1) amortised.
    #[cold]
    pub(crate) fn pop_first(&mut self, steps: &mut impl Steps) -> Option<Piece> {
        let first = self.as_slice().first().copied()?;
        self.gone += 1;
        steps.add(1);
        if 2 * self.gone >= self.pieces.len() {
            self.pieces.drain(..self.gone);
            steps.add(self.pieces.len());
            self.gone = 0;
        }
        Some(first)
    }
}
