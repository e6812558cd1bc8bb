// not vendored
//! Types of expressions, and their unification.

use super::decl::Decl;
use std::fmt;
use std::sync::Arc;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// Any type, which only an evaluation shows.
    Dyn,
    /// The type of an expression that is refused.
    Error,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Null,
    Duration,
    Timestamp,
    /// A type of a library, by its name.
    Named(&'static str),
    Object(Object),
    List(Arc<Type>),
    Map(Arc<Type>, Arc<Type>),
    Optional(Arc<Type>),
    /// The type of a type.
    Kind(Arc<Type>),
    /// A type that is not known yet.
    Variable(usize),
}

/// The type of an object, by its place in a schema.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) name: Arc<str>,
    pub(super) decl: Arc<Decl>,
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dyn => "dyn",
            Self::Error => "!error!",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Null => "null",
            Self::Duration => "duration",
            Self::Timestamp => "timestamp",
            Self::Named(name) => name,
            Self::Object(object) => &object.name,
            Self::List(of) => return write!(f, "list({of})"),
            Self::Map(key, value) => return write!(f, "map({key}, {value})"),
            Self::Optional(of) => return write!(f, "optional_type({of})"),
            Self::Kind(of) => return write!(f, "type({of})"),
            Self::Variable(number) => return write!(f, "_var{number}"),
        })
    }
}

impl Type {
    pub(super) fn list(of: Self) -> Self {
        Self::List(Arc::new(of))
    }

    pub(super) fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new(key), Arc::new(value))
    }

    pub(super) fn optional(of: Self) -> Self {
        Self::Optional(Arc::new(of))
    }

    /// The types in this one.
    fn parameters(&self) -> impl Iterator<Item = &Arc<Self>> {
        let (first, second) = match self {
            Self::List(of) | Self::Optional(of) | Self::Kind(of) => (Some(of), None),
            Self::Map(key, value) => (Some(key), Some(value)),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The same type with other types in it.
    pub(super) fn with(&self, mut change: impl FnMut(&Self) -> Self) -> Self {
        match self {
            Self::List(of) => Self::list(change(of)),
            Self::Map(key, value) => Self::map(change(key), change(value)),
            Self::Optional(of) => Self::optional(change(of)),
            Self::Kind(of) => Self::Kind(Arc::new(change(of))),
            other => other.clone(),
        }
    }

    /// Whether values of the type may be null.
    fn is_nullable(&self) -> bool {
        matches!(
            self,
            Self::Null
                | Self::Object(_)
                | Self::Named(_)
                | Self::Optional(_)
                | Self::Duration
                | Self::Timestamp
        )
    }

    /// Whether all values have the same size.
    pub(super) fn is_scalar(&self) -> bool {
        match self {
            Self::Optional(of) => of.is_scalar(),
            _ => matches!(
                self,
                Self::Bool
                    | Self::Double
                    | Self::Duration
                    | Self::Int
                    | Self::Timestamp
                    | Self::Uint
            ),
        }
    }

    /// Whether this type takes all values of the other one, and says no more of them.
    fn is_general(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn | Self::Variable(_), _) | (Self::Kind(_), Self::Kind(_)) => true,
            (_, Self::Dyn | Self::Variable(_)) => false,
            (Self::List(one), Self::List(other)) | (Self::Optional(one), Self::Optional(other)) => {
                one.is_general(other)
            }
            (Self::Map(key, value), Self::Map(other, entry)) => {
                key.is_general(other) && value.is_general(entry)
            }
            (one, other) => one == other,
        }
    }

    pub(super) fn most_general(&self, other: &Self) -> Self {
        if self.is_general(other) { self.clone() } else { other.clone() }
    }
}

/// The types of variables, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    known: Vec<Option<Type>>,
    /// The former values of variables, for an attempt that fails.
    changed: Vec<(usize, Option<Type>)>,
}

/// The number of parts of the largest type that is told apart from others.
const LARGEST: usize = 500;

impl Bindings {
    /// Adds variables. Returns the number of the first.
    pub(super) fn add(&mut self, count: usize) -> usize {
        let first = self.known.len();
        self.known.resize(first + count, None);
        first
    }

    pub(super) fn variable(&mut self) -> Type {
        Type::Variable(self.add(1))
    }

    /// Whether values of the second types can be used as the first. Binds variables if so.
    pub(super) fn unify_all(&mut self, all: &[Type], others: &[Type]) -> bool {
        self.changed.clear();
        let is_fit = all.len() == others.len()
            && all.iter().zip(others).all(|(one, other)| self.assignable(one, other));
        if !is_fit {
            while let Some((number, former)) = self.changed.pop() {
                self.known[number] = former;
            }
        }
        is_fit
    }

    pub(super) fn unify(&mut self, one: &Type, other: &Type) -> bool {
        self.unify_all(std::slice::from_ref(one), std::slice::from_ref(other))
    }

    fn bind(&mut self, number: usize, own: Type) {
        let former = self.known[number].replace(own);
        self.changed.push((number, former));
    }

    fn assignable(&mut self, one: &Type, other: &Type) -> bool {
        if let Type::Variable(number) = other {
            let has_known = self.known[*number].is_some();
            if self.substitutes(one, *number) {
                return true;
            }
            if has_known {
                return false;
            }
        }
        match (one, other) {
            (Type::Variable(number), other) => self.substitutes(other, *number),
            (Type::Dyn | Type::Error, _)
            | (_, Type::Dyn | Type::Error)
            | (Type::Kind(_), Type::Kind(_)) => true,
            (Type::Null, of) | (of, Type::Null) => of.is_nullable(),
            (Type::List(one), Type::List(other)) | (Type::Optional(one), Type::Optional(other)) => {
                self.assignable(one, other)
            }
            (Type::Map(key, value), Type::Map(other, entry)) => {
                self.assignable(key, other) && self.assignable(value, entry)
            }
            (one, other) => one == other,
        }
    }

    /// Whether a type can be that of a variable.
    fn substitutes(&mut self, own: &Type, number: usize) -> bool {
        if *own == Type::Variable(number) {
            return true;
        }
        match self.known[number].clone() {
            Some(known) if known == *own => true,
            Some(known) => {
                let is_fit = self.assignable(own, &known);
                let general = own.most_general(&known);
                if is_fit && !self.refers(&general, number) {
                    self.bind(number, general);
                }
                is_fit
            }
            None if self.refers(own, number) => false,
            None => {
                self.bind(number, own.clone());
                true
            }
        }
    }

    /// Whether a type has a variable in it.
    fn refers(&self, own: &Type, number: usize) -> bool {
        match own {
            Type::Variable(other) if *other == number => true,
            Type::Variable(other) => {
                self.known[*other].as_ref().is_some_and(|known| self.refers(known, number))
            }
            _ => own.parameters().any(|of| self.refers(of, number)),
        }
    }

    /// A type without known variables. Types of which the parts are too many are `dyn`.
    pub(super) fn substitute(&self, own: &Type) -> Type {
        if self.is_large(own, &mut { LARGEST }) { Type::Dyn } else { self.replace(own) }
    }

    /// A type without variables: unknown ones are `dyn`.
    pub(super) fn finish(&self, own: &Type) -> Type {
        fn closed(own: &Type) -> Type {
            match own {
                Type::Variable(_) => Type::Dyn,
                own => own.with(closed),
            }
        }
        closed(&self.substitute(own))
    }

    fn replace(&self, own: &Type) -> Type {
        match own {
            Type::Variable(number) => self.known[*number]
                .as_ref()
                .map_or_else(|| own.clone(), |known| self.replace(known)),
            own => own.with(|of| self.replace(of)),
        }
    }

    fn is_large(&self, own: &Type, left: &mut usize) -> bool {
        if *left == 0 {
            return true;
        }
        *left -= 1;
        match own {
            Type::Variable(number) => {
                self.known[*number].as_ref().is_some_and(|known| self.is_large(known, left))
            }
            own => own.parameters().any(|of| self.is_large(of, left)),
        }
    }
}
