//! The pieces of a hull in order: a stack that is also consumed from its bottom.

use crate::curve::Piece;
use crate::steps::Steps;

/// A hull works at its end with almost every packet and consumes a piece at its beginning rarely,
/// so the end is that of a vector, which is cheaper than a ring's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    /// Number of consumed pieces at the beginning of the list.
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

    /// Removes the last piece; there must be one.
    #[inline]
    pub(crate) fn pop_last(&mut self) {
        self.pieces.pop();
    }

    /// Takes the first piece. Moving up the others costs amortised O(1).
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
