// not vendored
//! Expressions and their syntax.

use super::Fault;
use super::lexer::{Token, tokens};
use super::macros::{Fold, fold, fold_kind, has};

/// An expression, with its offset in the source.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) at: usize,
    pub(super) expr: Expr,
    /// The depth of the tree below.
    depth: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Expr {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(String),
    Bytes(Vec<u8>),
    Name(String),
    /// `of.field`, or `of.?field`.
    Select {
        of: Box<Node>,
        field: String,
        is_optional: bool,
    },
    /// `has(of.field)`.
    Has {
        of: Box<Node>,
        field: String,
    },
    /// `of[index]`, or `of[?index]`.
    Index {
        of: Box<Node>,
        index: Box<Node>,
        is_optional: bool,
    },
    Not(Box<Node>),
    Negate(Box<Node>),
    /// All operands of a chain of `&&`.
    And(Vec<Node>),
    /// All operands of a chain of `||`.
    Or(Vec<Node>),
    Conditional(Box<[Node; 3]>),
    Binary(&'static str, Box<[Node; 2]>),
    /// Elements, and whether each is optional.
    List(Vec<(Node, bool)>),
    /// Keys, values, and whether each entry is optional.
    Map(Vec<(Node, Node, bool)>),
    Call {
        name: String,
        target: Option<Box<Node>>,
        arguments: Vec<Node>,
    },
    Fold(Box<Fold>),
}

/// Words that are no names.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

/// Binary operators except `&&` and `||`, by precedence.
const OPERATORS: [&[&str]; 3] =
    [&["==", "!=", "<", "<=", ">", ">=", "in"], &["+", "-"], &["*", "/", "%"]];

/// The depth of the deepest expression, in nodes. A server takes expressions of about that depth.
const DEEPEST: usize = 160;

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<Node, Fault> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
    let node = parser.expression()?;
    match parser.peek() {
        Token::End => Ok(node),
        _ => Err(parser.unexpected("the end of the expression")),
    }
}

pub(super) struct Parser {
    tokens: Vec<(Token, usize)>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> usize {
        self.tokens[self.next].1
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.next].0.clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes a sign if it is the next token.
    fn take(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Token::Sign(next) if *next == sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("'{sign}'"))) }
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        let found = match self.peek() {
            Token::End => "<EOF>".to_owned(),
            Token::Name(name) => name.clone(),
            Token::Sign(sign) => (*sign).to_owned(),
            _ => "literal".to_owned(),
        };
        let why = format!("Syntax error: mismatched input '{found}' expecting {wanted}");
        Fault { at: self.at(), why }
    }

    pub(super) fn node(at: usize, expr: Expr) -> Result<Node, Fault> {
        let depth = 1 + expr.children().map(|child| child.depth).max().unwrap_or_default();
        if depth > DEEPEST {
            return Err(too_deep(at));
        }
        Ok(Node { at, expr, depth })
    }

    fn expression(&mut self) -> Result<Node, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST / 4 {
            return Err(too_deep(self.at()));
        }
        let condition = self.chain("||", Expr::Or, |parser| {
            parser.chain("&&", Expr::And, |parser| parser.binary(0))
        })?;
        let at = self.at();
        let node = if self.take("?") {
            let yes = self.expression()?;
            self.expect(":")?;
            let no = self.expression()?;
            Self::node(at, Expr::Conditional(Box::new([condition, yes, no])))?
        } else {
            condition
        };
        self.depth -= 1;
        Ok(node)
    }

    /// Operands of `&&` or `||`.
    fn chain(
        &mut self,
        sign: &str,
        expr: impl Fn(Vec<Node>) -> Expr,
        operand: impl Fn(&mut Self) -> Result<Node, Fault>,
    ) -> Result<Node, Fault> {
        let first = operand(self)?;
        let at = self.at();
        let mut all = vec![first];
        while self.take(sign) {
            all.push(operand(self)?);
        }
        if all.len() == 1 { Ok(all.swap_remove(0)) } else { Self::node(at, expr(all)) }
    }

    /// Operands of operators from a level of precedence on.
    fn binary(&mut self, level: usize) -> Result<Node, Fault> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let operator = match self.peek() {
                Token::Sign(sign) => operators.iter().find(|operator| *operator == sign),
                Token::Name(name) => operators.iter().find(|operator| *operator == name),
                _ => None,
            };
            let Some(operator) = operator else { return Ok(left) };
            let at = self.at();
            self.advance();
            let right = self.binary(level + 1)?;
            left = Self::node(at, Expr::Binary(operator, Box::new([left, right])))?;
        }
    }

    fn unary(&mut self) -> Result<Node, Fault> {
        let at = self.at();
        let mut count = 0;
        let (sign, other) = if self.take("!") {
            count += 1;
            ("!", "-")
        } else if self.take("-") {
            count += 1;
            ("-", "!")
        } else {
            return self.member();
        };
        while self.take(sign) {
            count += 1;
        }
        if matches!(self.peek(), Token::Sign(next) if *next == other) {
            return Err(self.unexpected("an operand"));
        }
        if sign == "-"
            && count == 1
            && let Token::Int(number) = self.peek()
        {
            let number = i64::try_from(-i128::from(*number)).unwrap_or(i64::MIN);
            self.advance();
            let literal = Self::node(at, Expr::Int(number))?;
            return self.members(literal);
        }
        let operand = self.member()?;
        if count % 2 == 0 {
            return Ok(operand);
        }
        let operand = Box::new(operand);
        Self::node(at, if sign == "!" { Expr::Not(operand) } else { Expr::Negate(operand) })
    }

    fn member(&mut self) -> Result<Node, Fault> {
        let primary = self.primary()?;
        self.members(primary)
    }

    /// Selections, indices and calls after an operand.
    fn members(&mut self, mut node: Node) -> Result<Node, Fault> {
        loop {
            let at = self.at();
            if self.take(".") {
                let is_optional = self.take("?");
                let Token::Name(field) = self.peek().clone() else {
                    return Err(self.unexpected("a name"));
                };
                self.advance();
                let open = self.at();
                if !is_optional && self.take("(") {
                    node = self.call(open, field, Some(node))?;
                } else {
                    node = Self::node(at, Expr::Select { of: Box::new(node), field, is_optional })?;
                }
            } else if self.take("[") {
                let is_optional = self.take("?");
                let index = Box::new(self.expression()?);
                self.expect("]")?;
                node = Self::node(at, Expr::Index { of: Box::new(node), index, is_optional })?;
            } else {
                return Ok(node);
            }
        }
    }

    fn primary(&mut self) -> Result<Node, Fault> {
        let at = self.at();
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.take("[") {
            return self.list(at);
        }
        if self.take("{") {
            return self.map(at);
        }
        // A leading dot names something in the root, where all names are.
        self.take(".");
        let expr = match self.peek().clone() {
            Token::Int(number) => match i64::try_from(number) {
                Ok(number) => Expr::Int(number),
                Err(_) => return Err(Fault { at, why: "invalid int literal".to_owned() }),
            },
            Token::Uint(number) => Expr::Uint(number),
            Token::Double(number) => Expr::Double(number),
            Token::String(text) => Expr::String(text),
            Token::Bytes(bytes) => Expr::Bytes(bytes),
            Token::Name(name) => return self.name(at, name),
            Token::Sign(_) | Token::End => return Err(self.unexpected("an operand")),
        };
        self.advance();
        Self::node(at, expr)
    }

    fn name(&mut self, at: usize, name: String) -> Result<Node, Fault> {
        let expr = match &*name {
            "true" => Expr::Bool(true),
            "false" => Expr::Bool(false),
            "null" => Expr::Null,
            "in" => return Err(self.unexpected("an operand")),
            word if RESERVED.contains(&word) => {
                return Err(Fault { at, why: format!("reserved identifier: {word}") });
            }
            _ => {
                self.advance();
                let open = self.at();
                if self.take("(") {
                    return self.call(open, name, None);
                }
                return Self::node(at, Expr::Name(name));
            }
        };
        self.advance();
        Self::node(at, expr)
    }

    fn list(&mut self, at: usize) -> Result<Node, Fault> {
        let mut elements = Vec::new();
        while !self.take("]") {
            let is_optional = self.take("?");
            elements.push((self.expression()?, is_optional));
            if !self.take(",") {
                self.expect("]")?;
                break;
            }
        }
        Self::node(at, Expr::List(elements))
    }

    fn map(&mut self, at: usize) -> Result<Node, Fault> {
        let mut entries = Vec::new();
        while !self.take("}") {
            let is_optional = self.take("?");
            let key = self.expression()?;
            self.expect(":")?;
            entries.push((key, self.expression()?, is_optional));
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        Self::node(at, Expr::Map(entries))
    }

    /// The arguments of a call, after its bracket.
    fn call(&mut self, at: usize, name: String, target: Option<Node>) -> Result<Node, Fault> {
        let mut arguments = Vec::new();
        if !self.take(")") {
            arguments.push(self.expression()?);
            while self.take(",") {
                arguments.push(self.expression()?);
            }
            self.expect(")")?;
        }
        match target {
            None if name == "has" => has(at, arguments),
            Some(range) if fold_kind(&name, arguments.len()).is_some() => {
                fold(at, &name, range, arguments)
            }
            target => {
                let target = target.map(Box::new);
                Self::node(at, Expr::Call { name, target, arguments })
            }
        }
    }
}

pub(super) fn too_deep(at: usize) -> Fault {
    Fault { at, why: "expression recursion limit exceeded".to_owned() }
}

impl Expr {
    /// The expressions in this one.
    pub(super) fn children(&self) -> Box<dyn Iterator<Item = &Node> + '_> {
        match self {
            Self::Select { of, .. } | Self::Has { of, .. } => Box::new(std::iter::once(&**of)),
            Self::Index { of, index, .. } => Box::new([&**of, &**index].into_iter()),
            Self::Not(operand) | Self::Negate(operand) => Box::new(std::iter::once(&**operand)),
            Self::And(all) | Self::Or(all) => Box::new(all.iter()),
            Self::Conditional(parts) => Box::new(parts.iter()),
            Self::Binary(_, operands) => Box::new(operands.iter()),
            Self::List(elements) => Box::new(elements.iter().map(|(element, _)| element)),
            Self::Map(entries) => Box::new(entries.iter().flat_map(|(key, value, _)| [key, value])),
            Self::Call { target, arguments, .. } => {
                Box::new(target.iter().map(|target| &**target).chain(arguments))
            }
            Self::Fold(fold) => {
                let Fold { range, filter, body, .. } = &**fold;
                Box::new([Some(range), filter.as_ref(), Some(body)].into_iter().flatten())
            }
            _ => Box::new(std::iter::empty()),
        }
    }
}
