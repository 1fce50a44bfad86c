//! The points of a study, numbered: a mixed-radix count over its axes, the first of which varies
//! slowest. Numbers do not change when points are left out.

/// One digit of the count: axes that vary together, and their number of values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digit {
    values: u64,
}

/// A point, by the index of its value on each axis.
pub(crate) type Choice = Vec<usize>;

/// Points left out: for some axes, the values that must all match.
pub(crate) type Exception = Vec<(usize, Vec<usize>)>;

/// The grid of a study.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    digits: Vec<Digit>,
    /// Index of the digit of each axis.
    digit_of: Vec<usize>,
    exceptions: Vec<Exception>,
}

impl Grid {
    /// An axis of this number of values, which varies alone.
    pub(crate) fn push(&mut self, values: usize) {
        self.digit_of.push(self.digits.len());
        self.digits.push(Digit {
            values: values as u64,
        });
    }

    /// An axis that varies together with another, which has the same number of values.
    pub(crate) fn push_with(&mut self, other: usize) {
        self.digit_of.push(self.digit_of[other]);
    }

    /// An axis of this number of values that varies slowest, although it comes after all others.
    pub(crate) fn push_slowest(&mut self, values: usize) {
        self.digit_of.iter_mut().for_each(|digit| *digit += 1);
        self.digit_of.push(0);
        let values = values as u64;
        self.digits.insert(0, Digit { values });
    }

    pub(crate) fn except(&mut self, exception: Exception) {
        self.exceptions.push(exception);
    }

    /// Number of points in the grid; `None` on overflow.
    pub(crate) fn size(&self) -> Option<u64> {
        let mut values = self.digits.iter().map(|digit| digit.values);
        values.try_fold(1_u64, |all, values| all.checked_mul(values))
    }

    /// The values of a number, unless it is beyond the grid or left out.
    pub(crate) fn choice(&self, number: u64) -> Option<Choice> {
        let choice = self.digits_of(number)?;
        (!self.excepts(&choice)).then_some(choice)
    }

    fn excepts(&self, choice: &[usize]) -> bool {
        let is_met = |(axis, values): &(usize, Vec<usize>)| values.contains(&choice[*axis]);
        let is_left_out = |exception: &Exception| exception.iter().all(is_met);
        self.exceptions.iter().any(is_left_out)
    }

    /// True if a selection of one value of each axis names a point that is left out.
    pub(crate) fn leaves_out(&self, at: &[(usize, Vec<usize>)]) -> bool {
        let only = |digit: &Digit| (digit.values == 1).then_some(0);
        let mut digits: Vec<Option<usize>> = self.digits.iter().map(only).collect();
        for (axis, values) in at {
            if let [value] = values[..] {
                digits[self.digit_of[*axis]] = Some(value);
            }
        }
        let choice = self.digit_of.iter().map(|digit| digits[*digit]);
        let choice: Option<Choice> = choice.collect();
        choice.is_some_and(|choice| self.excepts(&choice))
    }

    /// True if a point of the grid has these values.
    pub(crate) fn meets(&self, number: u64, values: &[(usize, Vec<usize>)]) -> bool {
        let choice = self.choice(number);
        choice.is_some_and(|choice| values.iter().all(|(axis, at)| at.contains(&choice[*axis])))
    }

    fn digits_of(&self, number: u64) -> Option<Choice> {
        let mut rest = number;
        let mut digits = vec![0; self.digits.len()];
        for (place, digit) in self.digits.iter().enumerate().rev() {
            digits[place] = (rest % digit.values) as usize;
            rest /= digit.values;
        }
        let choice = || self.digit_of.iter().map(|digit| digits[*digit]).collect();
        (rest == 0).then(choice)
    }

    /// The number of a choice, unless it is left out or separates axes that vary together.
    pub(crate) fn number(&self, choice: &[usize]) -> Option<u64> {
        let mut digits = vec![None; self.digits.len()];
        for (digit, value) in self.digit_of.iter().zip(choice) {
            let known = digits[*digit].get_or_insert(*value);
            if known != value {
                return None;
            }
        }
        let mut number = 0;
        for (digit, value) in self.digits.iter().zip(digits) {
            number = number * digit.values + value? as u64;
        }
        self.choice(number).map(|_| number)
    }

    /// True if two axes share a digit.
    pub(crate) fn vary_together(&self, one: usize, other: usize) -> bool {
        self.digit_of.get(one) == self.digit_of.get(other)
    }

    /// The numbers of all points, ascending.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let all = 0..self.size().unwrap_or(0);
        all.filter(|number| self.choice(*number).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(values: &[usize]) -> Grid {
        let mut grid = Grid::default();
        values.iter().for_each(|n| grid.push(*n));
        grid
    }

    #[test]
    fn the_first_axis_varies_slowest() {
        let grid = grid(&[2, 3]);
        let all: Vec<Choice> = grid.numbers().filter_map(|n| grid.choice(n)).collect();
        assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!(grid.choice(6), None);
    }

    #[test]
    fn a_study_without_axes_is_one_point() {
        let none = Grid::default();
        assert_eq!(none.numbers().collect::<Vec<_>>(), [0]);
        assert_eq!(none.choice(0), Some(vec![]));
    }

    #[test]
    fn axes_that_vary_together_count_once() {
        let mut grid = grid(&[2, 2]);
        grid.push_with(0);
        assert_eq!(grid.size(), Some(4));
        assert_eq!(grid.choice(2), Some(vec![1, 0, 1]));
        assert_eq!(grid.number(&[1, 0, 1]), Some(2));
        assert_eq!(grid.number(&[1, 0, 0]), None);
        assert!(grid.vary_together(0, 2) && !grid.vary_together(0, 1));
    }

    #[test]
    fn a_slowest_axis_leaves_the_numbers_of_its_first_value() {
        let mut grid = grid(&[2, 3]);
        grid.push_slowest(2);
        assert_eq!(grid.choice(4), Some(vec![1, 1, 0]));
        assert_eq!(grid.choice(6), Some(vec![0, 0, 1]));
        assert_eq!(grid.number(&[1, 2, 1]), Some(11));
    }

    #[test]
    fn exceptions_leave_numbers_as_they_are() {
        let mut grid = grid(&[2, 3]);
        grid.except(vec![(0, vec![1]), (1, vec![0, 2])]);
        assert_eq!(grid.numbers().collect::<Vec<_>>(), [0, 1, 2, 4]);
        assert_eq!((grid.choice(3), grid.choice(4)), (None, Some(vec![1, 1])));
        let at = |one: usize, other: usize| [(0, vec![one]), (1, vec![other])];
        assert!(grid.leaves_out(&at(1, 0)) && !grid.leaves_out(&at(1, 1)));
        assert!(!grid.leaves_out(&[(1, vec![0])]), "no single point");
    }

    #[test]
    fn a_grid_beyond_all_numbers_has_no_size() {
        assert_eq!(grid(&[1 << 40, 1 << 40]).size(), None);
    }
}
