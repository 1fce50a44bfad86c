//! Parameters as data: names, kinds, defaults, ranges, and their parsers.

use pacesim_units::{Bytes, Rate, Reason, Span};

use crate::bulk::Bulks;
use crate::fec_network::Topology;
use crate::{Range, SolveError};

/// The kind of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// A plain number.
    Number,
    /// A whole number.
    Count,
    /// A rate such as `10Mbps`; its value is in bit/s.
    Rate,
    /// A size such as `3KB`; its value is in bytes.
    Size,
    /// A time such as `10ms`; its value is in seconds.
    Duration,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Numbers: `0.2,0.3` or `0.01..0.8:0.01` (from, to, step).
    Numbers,
    /// Classes of bulks: `0.05x1,0.06x5` (rate × customers).
    Bulks,
    /// A network: `nsfnet`, or links such as `0-1,1-2`.
    Network,
}

impl ParamKind {
    /// The accepted values, for messages and help.
    pub fn accepts(&self) -> String {
        match self {
            ParamKind::Number => "a number such as 0.3, of magnitude 1e-30 to 1e30".to_owned(),
            ParamKind::Count => "a whole number such as 15".to_owned(),
            ParamKind::Rate => "a rate with its unit, such as 10Mbps".to_owned(),
            ParamKind::Size => "a size with its unit, such as 3KB".to_owned(),
            ParamKind::Duration => "a time with its unit, such as 10ms".to_owned(),
            ParamKind::Choice(words) => format!("one of {}", words.join(", ")),
            ParamKind::Numbers => {
                "numbers such as 0.2,0.3, or from..to:step such as 0.01..0.8:0.01".to_owned()
            }
            ParamKind::Bulks => "rate x size for each class, such as 0.05x1,0.06x5".to_owned(),
            ParamKind::Network => {
                "nsfnet, or links between nodes 0 to 199 such as 0-1,1-2".to_owned()
            }
        }
    }

    fn read(&self, text: &str) -> Option<Value> {
        let zero_is_zero = |number: Option<f64>| match text {
            "0" => Some(0.0),
            _ => number,
        };
        match self {
            ParamKind::Number => read_number(text).map(Value::Number),
            ParamKind::Count => text.parse::<u32>().ok().map(|n| Value::Number(n.into())),
            ParamKind::Rate => match text.parse::<Rate>() {
                Ok(rate) => Some(rate.as_bps() as f64),
                Err(error) if *error.reason() == Reason::Zero => Some(0.0),
                Err(_) => zero_is_zero(None),
            }
            .map(Value::Number),
            ParamKind::Size => {
                let size = text.parse::<Bytes>().ok().map(|b| b.get() as f64);
                zero_is_zero(size).map(Value::Number)
            }
            ParamKind::Duration => {
                let time = text.parse::<Span>().ok().map(Span::as_secs_f64);
                zero_is_zero(time).map(Value::Number)
            }
            ParamKind::Choice(words) => {
                let word = words.iter().find(|w| **w == text)?;
                Some(Value::Word(word))
            }
            ParamKind::Numbers => read_numbers(text).map(Value::Numbers),
            ParamKind::Bulks => text
                .split(',')
                .map(read_bulks)
                .collect::<Option<_>>()
                .map(Value::Bulks),
            ParamKind::Network => read_network(text).map(Value::Network),
        }
    }
}

/// A number that no model overflows on: zero, or of magnitude 1e-30 to 1e30.
fn read_number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    let moderate = (1e-30..=1e30).contains(&number.abs());
    (number == 0.0 || moderate).then_some(number)
}

/// The longest list that a string may specify.
const MOST_NUMBERS: f64 = 1e6;

fn read_numbers(text: &str) -> Option<Vec<f64>> {
    let Some((from, rest)) = text.split_once("..") else {
        return text.split(',').map(read_number).collect();
    };
    let (to, step) = rest.split_once(':')?;
    let (from, to, step) = (read_number(from)?, read_number(to)?, read_number(step)?);
    // A thousandth of a step allows for the rounding of strings such as 0.1.
    let steps = ((to - from) / step + 1e-3).floor();
    if step <= 0.0 || !(0.0..=MOST_NUMBERS).contains(&steps) {
        return None;
    }
    Some(
        (0..=steps as usize)
            .map(|i| from + step * i as f64)
            .collect(),
    )
}

fn read_bulks(text: &str) -> Option<Bulks> {
    let (rate, size) = text.split_once('x')?;
    Some(Bulks {
        rate: read_number(rate)?,
        size: size.trim().parse().ok()?,
    })
}

/// The limit on nodes: there is a flow for each pair, so their number grows quadratically.
const MOST_NODES: usize = 200;

fn read_network(text: &str) -> Option<Topology> {
    if text == "nsfnet" {
        return Some(Topology::nsfnet());
    }
    let link = |part: &str| {
        let (a, b) = part.split_once('-')?;
        Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
    };
    let links: Vec<(usize, usize)> = text.split(',').map(link).collect::<Option<_>>()?;
    let largest = links.iter().map(|l| l.0.max(l.1)).max()?;
    let nodes = (largest < MOST_NODES).then_some(largest + 1)?;
    Topology::new(nodes, &links).ok()
}

/// One parameter of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Name of the parameter.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: ParamKind,
    /// The default, as a string.
    pub default: &'static str,
    /// The range of its value, or of every one of its numbers.
    pub range: Range,
    /// A one-line description of the parameter.
    pub doc: &'static str,
}

/// A parameter: name, kind, default, range and meaning.
macro_rules! param {
    ($name:literal: $kind:ident $(($words:expr))? = $default:literal, $range:expr, $doc:literal) => {
        $crate::catalogue::Param {
            name: $name,
            kind: $crate::catalogue::ParamKind::$kind $(($words))?,
            default: $default,
            range: $range,
            doc: $doc,
        }
    };
}
pub(super) use param;

/// The parameters of a model, one per line; a name alone stands for a parameter shared by several
/// models.
macro_rules! params {
    ($( $($known:ident)? $($name:literal: $kind:ident $(($words:expr))? = $default:literal, $range:expr, $doc:literal)? ; )*) => {
        &[ $(
            $($known)?
            $( $crate::catalogue::param::param! { $name: $kind $(($words))? = $default, $range, $doc } )?
        ),* ]
    };
}
pub(super) use params;

impl Param {
    /// Parses a string and checks its range.
    pub(crate) fn read(&self, text: &str) -> Result<Value, SolveError> {
        let value = self
            .kind
            .read(text.trim())
            .ok_or_else(|| SolveError::BadText {
                name: self.name.to_owned(),
                text: text.to_owned(),
                expected: format!("needs {}", self.kind.accepts()),
            })?;
        let numbers = match &value {
            Value::Number(x) => std::slice::from_ref(x),
            Value::Numbers(list) => list,
            _ => &[],
        };
        for x in numbers {
            self.range.check(self.name, *x)?;
        }
        Ok(value)
    }
}

/// A parsed value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Numbers(Vec<f64>),
    Word(&'static str),
    Bulks(Vec<Bulks>),
    Network(Topology),
}

/// All parameters of one model, parsed and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    entries: Vec<(&'static str, String, Value)>,
}

impl Values {
    /// Parses the given strings over the defaults.
    pub(crate) fn read(
        model: &'static str,
        params: &'static [Param],
        given: &[(&str, &str)],
    ) -> Result<Values, SolveError> {
        for (name, _) in given {
            if !params.iter().any(|p| p.name == *name) {
                return Err(SolveError::UnknownParameter {
                    model,
                    name: (*name).to_owned(),
                    nearest: super::nearest(name, params.iter().map(|p| p.name)),
                });
            }
        }
        let entry = |param: &Param| {
            let last = given.iter().rev().find(|(name, _)| *name == param.name);
            let text = last.map_or(param.default, |(_, text)| text);
            Ok((param.name, text.to_owned(), param.read(text)?))
        };
        let entries: Result<Vec<_>, SolveError> = params.iter().map(entry).collect();
        Ok(Values { entries: entries? })
    }

    /// Every parameter with its value in use, as a string.
    pub fn texts(&self) -> Vec<(&'static str, String)> {
        let pair = |(name, text, _): &(&'static str, String, Value)| (*name, text.clone());
        self.entries.iter().map(pair).collect()
    }

    fn value(&self, name: &str) -> &Value {
        let entry = self.entries.iter().find(|e| e.0 == name);
        &entry.expect("a solver asks only for its own parameters").2
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Number(x) => *x,
            other => unreachable!("{name} is not a number but {other:?}"),
        }
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    pub(crate) fn size(&self, name: &str) -> Bytes {
        Bytes(self.number(name) as u64)
    }

    pub(crate) fn numbers(&self, name: &str) -> &[f64] {
        match self.value(name) {
            Value::Numbers(list) => list,
            other => unreachable!("{name} is not a list but {other:?}"),
        }
    }

    pub(crate) fn word(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Word(word) => word,
            other => unreachable!("{name} is not a choice but {other:?}"),
        }
    }

    pub(crate) fn bulks(&self, name: &str) -> &[Bulks] {
        match self.value(name) {
            Value::Bulks(bulks) => bulks,
            other => unreachable!("{name} is not a list of bulks but {other:?}"),
        }
    }

    pub(crate) fn network(&self, name: &str) -> &Topology {
        match self.value(name) {
            Value::Network(network) => network,
            other => unreachable!("{name} is not a network but {other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_kind_are_read() {
        assert_eq!(ParamKind::Rate.read("10Mbps"), Some(Value::Number(1e7)));
        assert_eq!(ParamKind::Rate.read("0"), Some(Value::Number(0.0)));
        assert_eq!(ParamKind::Rate.read("0bps"), Some(Value::Number(0.0)));
        let written = ParamKind::Duration.read("63.18953829590249ms");
        assert_eq!(written, Some(Value::Number(0.063_189_538_296)));
        assert_eq!(ParamKind::Size.read("3KB"), Some(Value::Number(3e3)));
        assert_eq!(ParamKind::Duration.read("10ms"), Some(Value::Number(0.01)));
        let list = Value::Numbers(vec![0.2, 0.3]);
        assert_eq!(ParamKind::Numbers.read("0.2, 0.3"), Some(list));
        let Some(Value::Numbers(grid)) = ParamKind::Numbers.read("0.1..0.8:0.1") else {
            panic!("a grid");
        };
        assert_eq!(grid.len(), 8);
        let bulk = Bulks {
            rate: 0.05,
            size: 5,
        };
        assert_eq!(
            ParamKind::Bulks.read("0.05x5"),
            Some(Value::Bulks(vec![bulk]))
        );
        assert!(
            matches!(ParamKind::Network.read("0-1,1-2"), Some(Value::Network(n)) if n.nodes() == 3)
        );
    }

    #[test]
    fn bad_texts_of_every_kind_are_refused() {
        for (kind, text) in [
            (ParamKind::Number, "many"),
            (ParamKind::Count, "1.5"),
            (ParamKind::Rate, "10"),
            (ParamKind::Size, "3"),
            (ParamKind::Duration, "10"),
            (ParamKind::Choice(&["a", "b"]), "c"),
            (ParamKind::Numbers, "0..1:-1"),
            (ParamKind::Numbers, "0..1"),
            (ParamKind::Numbers, "0..1:1e-9"),
            (ParamKind::Bulks, "0.05"),
            (ParamKind::Network, "0-0"),
            (ParamKind::Network, ""),
        ] {
            assert_eq!(kind.read(text), None, "{kind:?} {text}");
        }
    }
}
