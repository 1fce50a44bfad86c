//! The grammar: sums of products of literals, names, calls and parentheses.

use std::ops::Range;

use crate::expression::lexer::{Token, tokens};
use crate::expression::problem::Problem;
use crate::expression::value::Value;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub(crate) root: Node,
}

/// A node of the expression's tree, with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) at: Range<usize>,
    pub(crate) term: Term,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    Literal(Value),
    /// A name of the caller, or a function of the caller applied to a reference.
    Name(String, Option<String>),
    Negative(Box<Node>),
    Binary(char, Box<Node>, Box<Node>),
    Call(Function, Vec<Node>),
}

/// A function that expressions may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Min,
    Max,
    Sqrt,
    Log,
    Pow,
}

impl Function {
    fn named(name: &str) -> Option<Function> {
        match name {
            "min" => Some(Function::Min),
            "max" => Some(Function::Max),
            "sqrt" => Some(Function::Sqrt),
            "log" => Some(Function::Log),
            "pow" => Some(Function::Pow),
            _ => None,
        }
    }

    /// The name of the function as written.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Sqrt => "sqrt",
            Function::Log => "log",
            Function::Pow => "pow",
        }
    }

    /// True if it takes this number of values.
    fn takes(self, count: usize) -> bool {
        match self {
            Function::Min | Function::Max => count >= 2,
            Function::Sqrt | Function::Log => count == 1,
            Function::Pow => count == 2,
        }
    }
}

/// The most nested parentheses, calls and signs.
const DEEPEST: usize = 50;

/// Length of the longest text, in bytes.
const LONGEST: usize = 1000;

impl Expression {
    /// Parses the text of an expression.
    pub fn parse(text: &str) -> Result<Expression, Problem> {
        if text.len() > LONGEST {
            let message = format!("the expression has more than {LONGEST} characters");
            return Err(Problem::new(0..0, message, "shorten it"));
        }
        let mut parser = Parser {
            tokens: tokens(text)?,
            next: 0,
            end: text.len(),
            depth: 0,
        };
        let root = parser.sum()?;
        match parser.peek() {
            None => Ok(Expression { root }),
            Some(_) => {
                let help = "join the parts by + - * or /";
                Err(parser.unexpected("the end of the expression", help))
            }
        }
    }
}

struct Parser<'t> {
    tokens: Vec<(Token<'t>, Range<usize>)>,
    next: usize,
    end: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).map(|(token, _)| *token)
    }

    fn place(&self) -> Range<usize> {
        let place = self.tokens.get(self.next).map(|(_, at)| at.clone());
        place.unwrap_or(self.end..self.end)
    }

    /// Takes this sign if it is next.
    fn takes(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(Token::Sign(sign));
        self.next += usize::from(is_next);
        is_next
    }

    fn unexpected(&self, expected: &str, help: &str) -> Problem {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(Token::Sign(sign)) => format!("\"{sign}\""),
            Some(Token::Name(name)) => format!("\"{name}\""),
            Some(Token::Literal(_)) => "a number".to_owned(),
        };
        let message = format!("expected {expected}, found {found}");
        Problem::new(self.place(), message, help)
    }

    fn deeper<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.depth == DEEPEST {
            let message = format!("more than {DEEPEST} levels are nested");
            return Err(Problem::new(
                self.place(),
                message,
                "simplify the expression",
            ));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn sum(&mut self) -> Result<Node, Problem> {
        self.chain(['+', '-'], Parser::product)
    }

    fn product(&mut self) -> Result<Node, Problem> {
        self.chain(['*', '/'], Parser::signed)
    }

    /// Operands joined by either sign, from left to right.
    fn chain(
        &mut self,
        signs: [char; 2],
        operand: fn(&mut Self) -> Result<Node, Problem>,
    ) -> Result<Node, Problem> {
        let mut left = operand(self)?;
        while let Some(sign) = signs.into_iter().find(|sign| self.takes(*sign)) {
            let right = operand(self)?;
            left = Node {
                at: left.at.start..right.at.end,
                term: Term::Binary(sign, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Node, Problem> {
        let start = self.place().start;
        if !self.takes('-') {
            return self.operand();
        }
        let of = self.deeper(Parser::signed)?;
        Ok(Node {
            at: start..of.at.end,
            term: Term::Negative(Box::new(of)),
        })
    }

    fn operand(&mut self) -> Result<Node, Problem> {
        let at = self.place();
        match self.peek() {
            Some(Token::Literal(value)) => {
                self.next += 1;
                let term = Term::Literal(value);
                Ok(Node { at, term })
            }
            Some(Token::Sign('(')) => {
                self.next += 1;
                let inner = self.deeper(Parser::sum)?;
                let end = self.place().end;
                self.close("(")?;
                Ok(Node {
                    at: at.start..end,
                    ..inner
                })
            }
            Some(Token::Name(name)) => {
                self.next += 1;
                self.named(name, at)
            }
            _ => Err(self.unexpected("a value", self.missing())),
        }
    }

    /// The remedy where a value is missing.
    fn missing(&self) -> &'static str {
        let before = self.next.checked_sub(1).map(|place| &self.tokens[place]);
        match before.map(|(token, _)| token) {
            Some(Token::Sign('*')) => {
                "give a number, a name or a call; in a name, * stands for a whole group or link: flows.*.goodput_bps"
            }
            _ => "give a number, a name or a call",
        }
    }

    fn close(&mut self, open: &str) -> Result<(), Problem> {
        if self.takes(')') {
            Ok(())
        } else {
            let help = format!("close \"{open}\"");
            Err(self.unexpected("\")\"", &help))
        }
    }

    /// A name, or a call of a function.
    fn named(&mut self, name: &str, at: Range<usize>) -> Result<Node, Problem> {
        if !self.takes('(') {
            let term = Term::Name(name.to_owned(), None);
            return Ok(Node { at, term });
        }
        let term = match Function::named(name) {
            Some(function) if !self.is_at_pattern() => self.call(function, at.clone())?,
            _ => match self.peek() {
                Some(Token::Name(reference)) => {
                    self.next += 1;
                    Term::Name(name.to_owned(), Some(reference.to_owned()))
                }
                _ => {
                    let help = format!(
                        "write {name}(name); of values there are min, max, sqrt, log and pow"
                    );
                    return Err(self.unexpected("a name", &help));
                }
            },
        };
        let end = self.place().end;
        self.close(&format!("{name}("))?;
        Ok(Node {
            at: at.start..end,
            term,
        })
    }

    /// True if a pattern is all that a call takes: it stands for several values, of which the
    /// caller makes one.
    fn is_at_pattern(&self) -> bool {
        let rest = self.tokens[self.next..].iter().map(|(token, _)| *token);
        let next: Vec<Token<'_>> = rest.take(2).collect();
        matches!(next[..], [Token::Name(name), Token::Sign(')')] if name.contains('*'))
    }

    fn call(&mut self, function: Function, at: Range<usize>) -> Result<Term, Problem> {
        let mut values = vec![self.deeper(Parser::sum)?];
        while self.takes(',') {
            values.push(self.deeper(Parser::sum)?);
        }
        if function.takes(values.len()) {
            return Ok(Term::Call(function, values));
        }
        let name = function.name();
        let message = format!("{name} does not take {} values", values.len());
        let help = match function {
            Function::Min | Function::Max => format!("write {name}(a, b)"),
            Function::Sqrt | Function::Log => format!("write {name}(a)"),
            Function::Pow => format!("write {name}(a, b)"),
        };
        Err(Problem::new(at, message, help))
    }
}
