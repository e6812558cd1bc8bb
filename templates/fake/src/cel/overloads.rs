// not vendored
//! The functions and operators of expressions, with the types that they take.

use super::types::Type;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// A signature of a function. Its types have the variables 0 and 1.
#[derive(Debug)]
pub(super) struct Overload {
    /// Whether it is called on its first argument.
    pub(super) is_member: bool,
    pub(super) parameters: Vec<Type>,
    pub(super) result: Type,
}

/// A line has names, the types of arguments and of the result. A function that is called on a value
/// has the type of that value before `:`. Capitals are variables; `@` is each of the types at the
/// end of the line.
const SIGNATURES: &str = "\
_?_:_(bool, A, A) A
!_(bool) bool
_==_ _!=_(A, A) bool
_+_ _-_(@, @) @ | int uint double duration
_+_(@, @) @ | string bytes list(A)
_+_(duration, timestamp) timestamp
_+_ _-_(timestamp, duration) timestamp
_-_(timestamp, timestamp) duration
_*_ _/_(@, @) @ | int uint double
_%_(@, @) @ | int uint
-_(@) @ | int double
_<_ _<=_ _>_ _>=_(@, @) bool | bool int uint double string bytes timestamp duration
_<_ _<=_ _>_ _>=_(int, @) bool | uint double
_<_ _<=_ _>_ _>=_(uint, @) bool | int double
_<_ _<=_ _>_ _>=_(double, @) bool | int uint
_[_](list(A), int) A
_[_](map(A, B), A) B
_[_](optional(list(A)), int) optional(A)
_[_](optional(map(A, B)), A) optional(B)
_[?_](@, int) optional(A) | list(A) optional(list(A))
_[?_](@, A) optional(B) | map(A, B) optional(map(A, B))
@in(A, @) bool | list(A) map(A, B)
size(@) int | bytes list(A) map(A, B) string
@: size() int | bytes list(A) map(A, B) string
type(A) type(A)
dyn(A) dyn
bool(@) bool | bool string
bytes(@) bytes | bytes string
double(@) double | double int string uint
duration(@) duration | duration string
int(@) int | int double duration string timestamp uint
string(@) string | string bool bytes double duration int timestamp uint ip cidr
timestamp(@) timestamp | timestamp int string
uint(@) uint | uint double int string
string: contains endsWith startsWith matches(string) bool
matches(string, string) bool
timestamp: getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek() int
timestamp: getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek(string) int
@: getHours getMinutes getSeconds getMilliseconds() int | timestamp duration
timestamp: getHours getMinutes getSeconds getMilliseconds(string) int
string: charAt(int) string
string: indexOf lastIndexOf(string) int
string: indexOf lastIndexOf(string, int) int
string: lowerAscii upperAscii trim reverse() string
string: replace(string, string) string
string: replace(string, string, int) string
string: split(string) list(string)
string: split(string, int) list(string)
string: substring(int) string
string: substring(int, int) string
string: format(list(dyn)) string
strings.quote(string) string
list(string): join() string
list(string): join(string) string
string: find(string) string
string: findAll(string) list(string)
string: findAll(string, int) list(string)
sets.contains sets.equivalent sets.intersects(list(A), list(A)) bool
list(A): slice(int, int) list(A)
list(list(A)): flatten() list(A)
list(dyn): flatten(int) list(dyn)
list(@): sort() list(@) | int uint double bool duration timestamp string bytes
list(A): @sortByAssociatedKeys(list(@)) list(A) | int uint double bool duration timestamp string bytes
lists.range(int) list(int)
list(A): reverse distinct() list(A)
list(A): first last() optional(A)
list(@): isSorted() bool | int uint double bool duration timestamp string bytes
list(@): max min() @ | int uint double bool duration timestamp string bytes
list(@): sum() @ | int uint double duration
list(A): indexOf lastIndexOf(A) int
optional.of optional.ofNonZeroValue(A) optional(A)
optional.none() optional(A)
optional.unwrap(list(optional(A))) list(A)
list(optional(A)): unwrapOpt() list(A)
optional(A): value() A
optional(A): hasValue() bool
optional(A): or(optional(A)) optional(A)
optional(A): orValue(A) A
cel.@mapInsert(map(A, B), A, B) map(A, B)
cel.@mapInsert(map(A, B), map(A, B)) map(A, B)
url(string) url
isURL isQuantity isIP isCIDR ip.isCanonical isSemver(string) bool
url: getScheme getHost getHostname getPort getEscapedPath() string
url: getQuery() map(string, list(string))
quantity(string) quantity
sign(quantity) int
quantity: isGreaterThan isLessThan(quantity) bool
quantity: compareTo(quantity) int
quantity: asApproximateFloat() double
quantity: asInteger() int
quantity: isInteger() bool
quantity: add sub(@) quantity | quantity int
semver(string) semver
semver(string, bool) semver
isSemver(string, bool) bool
semver: isGreaterThan isLessThan(semver) bool
semver: compareTo(semver) int
semver: major minor patch() int
ip(string) ip
ip: family() int
ip: isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast() bool
cidr(string) cidr
cidr: containsIP(@) bool | string ip
cidr: containsCIDR(@) bool | string cidr
cidr: ip() ip
cidr: prefixLength() int
cidr: masked() cidr
format: validate(string) optional(list(string))
format.named(string) optional(format)
format.byte format.date format.datetime format.dns1035Label format.dns1035LabelPrefix() format
format.dns1123Label format.dns1123LabelPrefix format.dns1123Subdomain() format
format.dns1123SubdomainPrefix format.labelValue format.qualifiedName format.uri() format
format.uuid() format";

pub(super) const IP: Type = Type::Named("net.IP");
pub(super) const CIDR: Type = Type::Named("net.CIDR");
pub(super) const URL: Type = Type::Named("kubernetes.URL");
pub(super) const QUANTITY: Type = Type::Named("kubernetes.Quantity");
pub(super) const SEMVER: Type = Type::Named("kubernetes.Semver");
pub(super) const FORMAT: Type = Type::Named("kubernetes.NamedFormat");

static OVERLOADS: LazyLock<HashMap<&'static str, Vec<Overload>>> = LazyLock::new(|| {
    let mut all: HashMap<&str, Vec<Overload>> = HashMap::new();
    for line in SIGNATURES.lines() {
        let (signature, each) = line.split_once(" | ").unwrap_or((line, ""));
        let (target, call) = match signature.split_once(": ") {
            Some((target, call)) => (Some(target), call),
            None => (None, signature),
        };
        let (names, types) = call.split_once('(').unwrap_or((call, ""));
        let (parameters, result) = types.rsplit_once(") ").unwrap_or_default();
        let mut each = parts(each, ' ');
        each.resize(each.len().max(1), "");
        for one in each {
            let own = |text: &str| typed(&text.replace('@', one));
            let parameters: Vec<_> =
                target.into_iter().chain(parts(parameters, ',')).map(own).collect();
            for name in names.split(' ') {
                let overload = Overload {
                    is_member: target.is_some(),
                    parameters: parameters.clone(),
                    result: own(result),
                };
                all.entry(name).or_default().push(overload);
            }
        }
    }
    all
});

/// The signatures of a function.
pub(super) fn overloads(name: &str) -> Option<&'static [Overload]> {
    OVERLOADS.get(name).map(Vec::as_slice)
}

/// The function of a name in a space of names, such as `optional.of`.
pub(super) fn qualified(space: &str, name: &str) -> Option<&'static str> {
    OVERLOADS.get_key_value(&*format!("{space}.{name}")).map(|(known, _)| *known)
}

/// The parts of a text that no brackets surround.
fn parts(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c == separator
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The type of a name, such as `map(A, int)`.
fn typed(text: &str) -> Type {
    let (name, inner) = text.split_once('(').unwrap_or((text, ""));
    let mut inner = parts(inner.strip_suffix(')').unwrap_or(inner), ',').into_iter().map(typed);
    let [first, second] = [(); 2].map(|()| inner.next().unwrap_or(Type::Dyn));
    match name {
        "A" => Type::Variable(0),
        "B" => Type::Variable(1),
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "duration" => Type::Duration,
        "timestamp" => Type::Timestamp,
        "list" => Type::list(first),
        "map" => Type::map(first, second),
        "optional" => Type::optional(first),
        "type" => Type::Kind(Arc::new(first)),
        "ip" => IP,
        "cidr" => CIDR,
        "url" => URL,
        "quantity" => QUANTITY,
        "semver" => SEMVER,
        "format" => FORMAT,
        _ => Type::Dyn,
    }
}
