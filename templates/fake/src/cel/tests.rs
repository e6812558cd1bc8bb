// not vendored
//! Values of expressions, their errors, and their bounds.

use super::decl::Decl;
use super::eval::Evaluator;
use super::outcome::Failure;
use super::parser::parse;
use super::refusals;
use super::rule::Rule;
use super::schema::Schema;
use super::value::Value;
use super::walk::validate;
use serde_json::json;
use std::time::Instant;

/// Evaluates an expression over an object, and shows its value or its error.
fn value(text: &str) -> String {
    let schema = Schema::read(
        &json!({"type": "object", "properties": {
            "at": {"type": "string", "format": "date-time"},
            "bytes": {"type": "string", "format": "byte"},
            "for": {"type": "string", "format": "duration"},
            "keyed": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {
                    "k": {"type": "string"}, "v": {"type": "integer"},
                }},
            },
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
            "size": {"type": "number"},
        }}),
        None,
        false,
    );
    let object = json!({
        "at": "2026-02-03T04:05:06.5Z", "bytes": "aGk=", "for": "90s", "size": 2, "set": ["a", "b"],
        "map": {"a": 1, "b": 2}, "keyed": [{"k": "x", "v": 1}, {"k": "y", "v": 2}],
    });
    let node = match parse(text) {
        Ok(node) => node,
        Err(fault) => return format!("{}: {}", fault.at, fault.why),
    };
    let scope = vec![("self", Value::of(&object, Some(&schema)))];
    match Evaluator::new(scope, 1_000_000).eval(&node) {
        Ok(Value::String(text)) => format!("'{}'", &*text),
        Ok(Value::Bool(flag)) => flag.to_string(),
        Ok(Value::Int(number)) => number.to_string(),
        Ok(Value::Double(number)) => format!("{number:?}"),
        Ok(other) => format!("{other:?}"),
        Err(Failure::Error(why)) => why,
        Err(Failure::Exhausted) => "exhausted".to_owned(),
    }
}

#[track_caller]
fn assert_values(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(value(text), *expected, "{text}");
    }
}

#[track_caller]
fn assert_true(expressions: &[&str]) {
    for text in expressions {
        assert_eq!(value(text), "true", "{text}");
    }
}

#[test]
fn literals_and_precedence() {
    assert_values(&[
        ("1 + 2 * 3 - 4 / 2 % 3", "5"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "0: invalid int literal"),
        ("0x1F + -0x1", "30"),
        ("1.5e2", "150.0"),
        (".5 + 1e0", "1.5"),
    ]);
    assert_true(&[
        r"'\x41\u00e9\101\'' == 'AéA' + '\''",
        r"r'\n' == '\\n'",
        "'''it's\n''' == 'it\\'s\\n'",
        "b'\\xff'.size() == 1",
        "true || false && false",
        "1 < 2 == true",
        "!false && !!true",
        "true ? true : false ? false : false",
        "1 + 1 == 2 // a comment",
        "{'a': 1, 'b': [2]}.b[0] == 2",
        "1u + 2u == 3u",
        "size([1, 2,]) == 2",
    ]);
}

#[test]
fn syntax_errors_have_their_place() {
    for (text, at) in [
        ("1 +", 3),
        ("(1", 2),
        ("a b", 2),
        ("if > 1", 0),
        ("'a", 0),
        ("1 # 2", 2),
        ("has(a)", 4),
        ("[1].all(x.y, true)", 9),
        ("a.1", 1),
        ("", 0),
    ] {
        assert_eq!(parse(text).unwrap_err().at, at, "{text}");
    }
}

#[test]
fn errors_are_the_words_of_servers() {
    assert_values(&[
        ("1 / 0", "division by zero"),
        ("1 % 0", "modulus by zero"),
        ("9223372036854775807 + 1", "integer overflow"),
        ("0u - 1u", "unsigned integer overflow"),
        ("1 + 'a'", "no such overload"),
        ("[1][1]", "index out of bounds: 1"),
        ("{'a': 1}.b", "no such key: b"),
        ("self.map['z']", "no such key: z"),
        ("int('x')", "type conversion error from 'string' to 'int'"),
        ("optional.none().value()", "optional.none() dereference"),
        ("[].min()", "min called on empty list"),
        ("'abc'.substring(2, 1)", "invalid substring range. start: 2, end: 1"),
        ("{'a': 1, 'a': 2}", "insert failed: key a already exists"),
    ]);
}

/// An error does not matter where the other operand decides.
#[test]
fn logic_absorbs_errors() {
    assert_true(&[
        "1 / 0 > 0 || true",
        "!(1 / 0 > 0 && false)",
        "[0, 1].exists(x, 1 / x > 0)",
        "![0, 2].all(x, 1 / x > 0)",
    ]);
    assert_values(&[
        ("1 / 0 > 0 || false", "division by zero"),
        ("[0, 1].all(x, 1 / x > 0)", "division by zero"),
        ("1 && true", "no such overload"),
    ]);
}

#[test]
fn macros() {
    assert_true(&[
        "[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]",
        "[1, 2].exists_one(x, x == 1)",
        "{'a': 1}.all(k, k == 'a')",
        "[5, 6].all(i, v, v == i + 5)",
        "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
        "{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'}",
        "[1, 2, 3].transformList(i, v, i > 0, v) == [2, 3]",
        "['bb', 'a'].sortBy(s, s.size()) == ['a', 'bb']",
        "optional.of(1).optMap(x, x + 1).value() == 2",
        "[[1], [2]].all(x, x.all(x, x > 0))",
        "has(self.map.a) && !has(self.map.c) && !has(self.none)",
    ]);
}

#[test]
fn optional_values() {
    assert_true(&[
        "self.?map.?a.orValue(0) == 1",
        "!self.?none.?a.hasValue()",
        "[1][?3].orValue(7) == 7",
        "{?'a': optional.none(), 'b': 1}.size() == 1",
        "[?optional.of(1), 2] == [1, 2]",
        "!optional.ofNonZeroValue('').hasValue()",
        "optional.none().or(optional.of(1)).value() == 1",
        "optional.of({'a': 1}).a.value() == 1",
        "optional.unwrap([optional.of(1), optional.none()]) == [1]",
        "[optional.none(), optional.of(2)].unwrapOpt() == [2]",
    ]);
}

#[test]
fn values_have_the_types_of_their_schemas() {
    assert_true(&[
        "self.at.getFullYear() == 2026 && self.at.getMonth() == 1 && self.at.getHours('+02:00') == 6",
        "self.at > timestamp('2026-01-01T00:00:00Z') && self.at.getMilliseconds() == 500",
        "self.at + self.__for__ == timestamp('2026-02-03T04:06:36.5Z')",
        "self.__for__ == duration('1m30s') && self.__for__.getMinutes() == 1",
        "string(duration('-1.5s')) == '-1.5s' && string(self.at) == '2026-02-03T04:05:06.5Z'",
        "self.bytes == b'hi' && string(self.bytes) == 'hi'",
        "type(self.size) == double && type(self.at) == google.protobuf.Timestamp",
        "self.set == ['b', 'a'] && self.set + ['a', 'c'] == ['c', 'b', 'a']",
        "['b', 'a'] != self.set",
        "(self.keyed + [{'k': 'x', 'v': 9}]).map(e, e.v) == [9, 2]",
    ]);
}

#[test]
fn numbers() {
    assert_true(&[
        "1 == 1.0 && 1u < 1.5 && 2 > 1u",
        "1 in [1.0] && 'a' in self.map && !('z' in self.map)",
        "int(1.9) == 1 && int('-3') == -3 && uint(3) == 3u && double('1e3') == 1000.0",
        "string(1.0) == '1' && string(1e21) == '1e+21' && string(true) == 'true'",
        "dyn(1) != 'a' && dyn(null) == null",
        "bool('t') && type(1) == int && type(type(1)) == type",
    ]);
}

#[test]
fn strings() {
    assert_true(&[
        "'äb'.size() == 2 && 'äb'.charAt(1) == 'b' && 'ab'.charAt(2) == ''",
        "'hello'.indexOf('l') == 2 && 'hello'.lastIndexOf('l') == 3 && 'a'.indexOf('b') == -1",
        "'hello'.indexOf('l', 3) == 3 && 'hello'.lastIndexOf('l', 2) == 2",
        "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']",
        "'ab'.split('') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b' && ['a'].join() == 'a'",
        "'banana'.replace('a', 'o', 2) == 'bonona' && ' a '.trim() == 'a'",
        "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco'",
        "'aB'.lowerAscii() == 'ab' && 'aB'.upperAscii() == 'AB' && 'abc'.reverse() == 'cba'",
        "'abc'.matches('b') && matches('abc', '^a') && 'a1b22'.find('[0-9]+') == '1'",
        "'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a1b22'.findAll('[0-9]+', 1) == ['1']",
        "'%s %d %.2f %x %%'.format(['a', 2, 1.5, 255]) == 'a 2 1.50 ff %'",
        "'%e|%o|%X|%b'.format([1234.5, 8, 'ab', 5]) == '1.234500e+03|10|6162|101'",
        "strings.quote('a\"') == '\"a\\\\\"\"'",
    ]);
}

#[test]
fn lists() {
    assert_true(&[
        "[1, 2].isSorted() && ![2, 1].isSorted() && [].isSorted()",
        "[1, 2].sum() == 3 && [1.5].sum() == 1.5 && [2, 1].min() == 1 && ['a', 'b'].max() == 'b'",
        "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(3) == -1",
        "[1, 2, 3].slice(1, 3) == [2, 3] && [[1], [2, [3]]].flatten() == [1, 2, [3]]",
        "[1, 1, 2].distinct() == [1, 2] && [1, 2].reverse() == [2, 1] && [2, 1].sort() == [1, 2]",
        "[1, 2].first().value() == 1 && ![].last().hasValue() && lists.range(3) == [0, 1, 2]",
        "sets.contains([1, 2], [1]) && !sets.contains([1], [2])",
        "sets.equivalent([1, 2, 1], [2, 1]) && sets.intersects([1, 2], [2, 3])",
        "!sets.intersects([1], [2])",
    ]);
}

#[test]
fn values_of_kubernetes() {
    assert_true(&[
        "quantity('1Ki').isGreaterThan(quantity('1k')) && quantity('1500m').compareTo(quantity('1.5')) == 0",
        "isQuantity('1.5Gi') && !isQuantity('x') && quantity('2k').asInteger() == 2000",
        "quantity('50k').add(quantity('20k')) == quantity('70k') && quantity('50k').add(20) == quantity('50020')",
        "quantity('1').sub(quantity('100m')) == quantity('900m') && !quantity('100m').isInteger()",
        "ip('10.0.0.1').family() == 4 && isIP('::1') && !isIP('1.2.3') && !isIP('::ffff:1.2.3.4')",
        "ip('127.0.0.1').isLoopback() && ip('8.8.8.8').isGlobalUnicast() && ip('fe80::1').isLinkLocalUnicast()",
        "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1')",
        "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))",
        "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
        "cidr('10.0.0.0/8').prefixLength() == 8 && !isCIDR('10.0.0.0/33') && cidr('::/0').containsIP('::1')",
        "url('https://a.b:80/p%20q?x=1&x=2&y#f').getHost() == 'a.b:80'",
        "url('https://[::1]:80/p').getHostname() == '::1' && url('https://a:80').getPort() == '80'",
        "url('https://a/p%20q?x=1&x=2#f').getEscapedPath() == '/p%20q'",
        "url('https://a?x=1&x=2').getQuery() == {'x': ['1', '2']} && url('https://a').getScheme() == 'https'",
        "isURL('/path') && !isURL('a b') && !isURL('../a') && !isURL('') && !isURL('https://a:b')",
        "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-a.2').isLessThan(semver('1.0.0-a.10'))",
        "semver('1.0.0-rc').isLessThan(semver('1.0.0')) && !isSemver('1.2') && isSemver('v1.2', true)",
        "semver('1.2.3+b') == semver('1.2.3') && semver('v1.0', true).major() == 1",
        "!format.dns1123Label().validate('a-b').hasValue() && format.uuid().validate('x').hasValue()",
        "format.named('date').value().validate('2026-13-01').hasValue() && !format.named('x').hasValue()",
        "!format.dns1123LabelPrefix().validate('a-').hasValue() && format.dns1035Label().validate('1a').hasValue()",
    ]);
    assert_values(&[
        ("quantity('1').sub(1)", "no such overload"),
        ("semver('1.2.x')", "Invalid character(s) found in patch number \"x\""),
    ]);
}

/// Each level multiplies the steps by ten: a billion at nine levels.
#[test]
fn an_evaluation_of_a_billion_steps_is_stopped() {
    let list = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let nested = |name: &str, inner: &str| {
        (0..9).fold(inner.to_owned(), |inner, level| format!("{list}.{name}(x{level}, {inner})"))
    };
    let start = Instant::now();
    for text in [
        nested("all", "true"),
        nested("exists", "1 / 0 > 0"),
        nested("map", "1"),
        format!("{} || true", nested("all", "true")),
        (0..40).fold("['aaaaaaaa']".to_owned(), |list, level| {
            format!("{list}.map(x{level}, x{level} + x{level})")
        }),
        (0..40).fold("[[1, 2, 3, 4]]".to_owned(), |list, level| {
            format!("{list}.map(x{level}, x{level} + x{level})")
        }),
        "lists.range(1000000000).size() > 0".to_owned(),
        "lists.range(100000).all(x, lists.range(100000) == lists.range(100000))".to_owned(),
        format!("lists.range(1000).all(x, !'{}'.matches('(a*)*b'))", "a".repeat(10_000)),
    ] {
        assert_eq!(value(&text), "exhausted", "{text}");
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Neither the parser nor the evaluation nor the drop overflows the stack of a thread.
#[test]
fn deep_and_long_expressions_are_refused_or_evaluated() {
    let count = 20_000;
    for text in [
        "(".repeat(count),
        format!("{}1{}", "(".repeat(count), ")".repeat(count)),
        format!("{}1{}", "[".repeat(count), "]".repeat(count)),
        format!("1{}", " + 1".repeat(count)),
        format!("self{}", ".a".repeat(count)),
        format!("self{}", "[0]".repeat(count)),
        format!("{}true", "true ? true : ".repeat(2000)),
        "1".repeat(200_000),
    ] {
        assert!(parse(&text).is_err());
    }
    assert_eq!(value(&format!("true{}", " && true".repeat(10_000))), "true");
    assert_eq!(value(&format!("{}true", "!".repeat(count))), "true");
    for depth in [36, 150] {
        let brackets = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(parse(&brackets).is_ok(), depth == 36);
        assert_eq!(value(&format!("1{} > 0", " + 1".repeat(depth))), "true");
    }
}

/// Each expression, and what a server says of it for the schema below.
#[track_caller]
fn assert_refused(cases: &[(&str, &str)]) {
    for (rule, why) in cases {
        let found = refusal(rule);
        assert!(found.contains(why) && found.is_empty() == why.is_empty(), "{rule}: {found}");
    }
}

fn refusal(rule: &str) -> String {
    let schema = json!({
        "type": "object",
        "properties": {
            "i": {"type": "integer", "nullable": true}, "d": {"type": "number"},
            "s": {"type": "string", "maxLength": 10}, "b": {"type": "boolean"},
            "l": {"type": "array", "maxItems": 10, "items": {"type": "integer"}},
            "m": {
                "type": "object", "maxProperties": 10,
                "additionalProperties": {"type": "string", "maxLength": 10},
            },
            "o": {"type": "object", "properties": {"x-y": {"type": "string", "maxLength": 10}}},
            "any": {"x-kubernetes-preserve-unknown-fields": true},
            "either": {"x-kubernetes-int-or-string": true},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "at": {"type": "string", "format": "date-time"},
        },
        "x-kubernetes-validations": [{"rule": rule, "message": "no"}],
    });
    let versions = json!([{"schema": {"openAPIV3Schema": schema}}]);
    let causes = refusals(&json!({"spec": {"versions": versions}}));
    causes.iter().map(|cause| cause.message.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn unknown_names_are_refused_with_their_place() {
    assert_refused(&[
        (
            "foo > 1 &&\n self.s.frob(y)",
            "ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo > 1 &&\n \
             | ^\nERROR: <input>:2:13: undeclared reference to 'frob' (in container '')\n |  \
             self.s.frob(y)\n | ............^\nERROR: <input>:2:14: undeclared reference to 'y' \
             (in container '')\n |  self.s.frob(y)\n | .............^",
        ),
        ("[1].all(x, true) && x > 0", "1:21: undeclared reference to 'x'"),
        ("self.nope", "undefined field 'nope'"),
        ("self.o.x_y == 'a'", "undefined field 'x_y'"),
        ("self.any == 1", "undefined field 'any'"),
        ("self.free.x == 1", "undefined field 'x'"),
        ("has(self.metadata.labels)", "undefined field 'labels'"),
    ]);
}

/// A rule that does not compile refuses each object: no rule is silently true.
#[test]
fn rules_without_a_value_refuse_objects() {
    for (rule, why) in [
        ("frob(self)", "rule compile error: compilation failed: ERROR: <input>:1:5: undeclared"),
        ("self.a", "rule compile error: cel expression must evaluate to a bool"),
        ("self.a.size() / 0 > 1", "division by zero evaluating rule: self.a.size() / 0 > 1"),
        ("dyn(self.a) + 1 == 2", "call arguments did not match"),
        ("self.a.matches('[' + self.a)", "error parsing regexp: missing closing ]: `[x`"),
    ] {
        let schema = json!({
            "type": "object", "properties": {"a": {"type": "string"}},
            "x-kubernetes-validations": [{"rule": rule}],
        });
        let schema = Schema::of_kind(&schema).expect("rules");
        let verdict = validate(&schema, &json!({"a": "x"}), None);
        let found: Vec<_> = verdict.causes.iter().map(ToString::to_string).collect();
        assert!(found.len() == 1 && found[0].contains(why), "{rule}: {found:?}");
    }
}

/// A long list of refused elements costs no more than a limit, which is a cause of its own.
#[test]
fn causes_are_bounded() {
    let schema = json!({"type": "object", "properties": {"l": {"type": "array", "items": {
        "type": "integer", "x-kubernetes-validations": [{"rule": "self > 0", "message": "m".repeat(2000)}],
    }}}});
    let schema = Schema::of_kind(&schema).expect("rules");
    let verdict = validate(&schema, &json!({"l": vec![0; 100_000]}), None);
    assert!(verdict.causes.len() < 10_000, "{}", verdict.causes.len());
}

#[test]
fn old_values_are_found_only_below_keys() {
    let definition = |items: serde_json::Value, list: &str| {
        let list = json!({
            "type": "array", "x-kubernetes-list-type": list, "x-kubernetes-list-map-keys": ["k"],
            "items": items,
        });
        let schema = json!({"type": "object", "properties": {"l": list}});
        json!({"spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]}})
    };
    let rules =
        json!({"type": "object", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]});
    assert_eq!(refusals(&definition(rules.clone(), "map")), []);
    let causes = refusals(&definition(rules, "atomic"));
    assert!(causes[0].message.ends_with("openAPIV3Schema.properties[l]"), "{causes:?}");
}

#[test]
fn types_of_expressions_are_checked() {
    let overload = |name: &str, types: &str| {
        format!("found no matching overload for '{name}' applied to '{types}'")
    };
    for (rule, name, types) in [
        ("self.i == 'x'", "_==_", "(int, string)"),
        ("self.i == self.d", "_==_", "(int, double)"),
        ("self.i != null", "_!=_", "(int, null)"),
        ("self.l == ['a']", "_==_", "(list(int), list(string))"),
        ("self.i + self.d > 1.0", "_+_", "(int, double)"),
        ("self.d % 2.0 == 0.0", "_%_", "(double, double)"),
        ("self.s < 1", "_<_", "(string, int)"),
        ("'x' in self.l", "@in", "(string, list(int))"),
        ("!self.s", "!_", "(string)"),
        ("self.l.all(x, x > 'a')", "_>_", "(int, string)"),
        ("self.m.exists(k, self.m[k] == 1)", "_==_", "(string, int)"),
        ("self.at == 'x'", "_==_", "(timestamp, string)"),
        ("self.l.filter(x, x) == []", "_?_:_", "(int, list(int), list(int))"),
        ("quantity(self.s).sign() == 1", "sign", "kubernetes.Quantity.()"),
        ("self.?s.orValue(1) == 'a'", "orValue", "optional_type(string).(int)"),
        ("self.l.optMap(x, x) == optional.of(1)", "hasValue", "list(int).()"),
        ("self.s.duration() == self.at", "duration", "string.()"),
        ("(self.b ? self.i : 'a') == 1", "_?_:_", "(bool, int, string)"),
    ] {
        assert_refused(&[(rule, &overload(name, types))]);
    }
    assert_refused(&[
        ("self.b && self.i", "1:15: expected type 'bool' but found 'int'"),
        ("self.l.all(x, x)", "1:15: expected type 'bool' but found 'int'"),
        ("[1, 'a'] == []", "expected type 'int' but found 'string'"),
        ("[1, dyn(2)] == []", "expected type 'int' but found 'dyn'"),
        ("{'a': [1, 'a']}.b == []", "1:11: expected type 'int' but found 'string'"),
        ("self.s.size == 1", "type 'string' does not support field selection"),
        ("self.i.all(x, true)", "expression of type 'int' cannot be range of a comprehension"),
        ("self.l.map(x, x * 2)", "cel expression must evaluate to a bool"),
        ("dyn(self.b)", "cel expression must evaluate to a bool"),
        ("duration('x') > duration('1s')", "1:10: invalid duration argument"),
        ("timestamp('x') < self.at", "1:11: invalid timestamp argument"),
        ("self.s.matches('[')", "1:16: invalid matches argument"),
    ]);
}

#[test]
fn expressions_of_fitting_types_are_taken() {
    for rule in [
        "self.i > 1.5 && self.d < 2",
        "self.o.x__dash__y + self.m['a'] == self.s",
        "self.o == null || self.at != null",
        "dyn(self.i) == 'x' && dyn(self.b)",
        "self.either == 1 || self.either == 'a'",
        "self.at > timestamp('2026-01-01T00:00:00Z') - duration('1h')",
        "self.l.filter(x, x > 0) == [1] && self.l + [1] == []",
        "(self.b ? dyn(self.i) : 1) == 'x' && self.?i.orValue(1) == 1",
        "self.metadata.name == 'a' && self.kind.startsWith('b')",
        "self.l.all(i, x, x == i) && self.m.all(k, v, v == k)",
        "quantity('1').add(1).isInteger() && type(self.i) == int",
        "type(self.at) == google.protobuf.Timestamp",
        "[[]] == [[1]] && {} == {'a': []} && [optional.none()] == [optional.of(1)]",
        "self.l.sortBy(x, -x) == [1] && self.m.transformMap(k, v, k) == self.m",
        "self.?m['a'].optMap(x, x.size()).orValue(0) == 1",
        "self.?m['a'].optFlatMap(x, optional.of(x.size())).orValue(0) == 1",
        "self.l.exists_one(x, x == 1) && [?self.?s, 'a'].size() == 1",
        "'%s %s'.format([self.i, [1, 'a']]) == 'a' && self.s.split(',').size() > 1 && url('a').getHost() == ''",
    ] {
        assert_eq!(refusal(rule), "", "{rule}");
    }
}

/// The types of nested collections, and their comparison, are bounded.
#[test]
fn types_of_many_parts_are_checked_in_time() {
    let start = Instant::now();
    let doubled = |count: usize| {
        (0..count).fold("[1]".to_owned(), |list, level| {
            format!("{list}.map(x{level}, {{'a': x{level}}}).map(y{level}, {{y{level}: y{level}}})")
        })
    };
    assert_eq!(refusal(&format!("{} == []", doubled(20))), "");
    refusal(&format!("{} == {}", doubled(20), doubled(20)));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// The numbers are the ones of a server's own tests.
#[test]
fn costs_are_those_of_a_server() {
    let cost = |schema: &serde_json::Value, rule: &str| {
        let decl = Decl::of(schema, false).expect("a declaration");
        Rule::read(&json!({"rule": rule}), schema, &decl).program.expect("a program").cost
    };
    let text = |most: Option<u64>| json!({"type": "string", "maxLength": most});
    let formatted = |format: &str| json!({"type": "string", "format": format});
    let plain = |kind: &str| json!({"type": kind});
    let list =
        |items, most: Option<u64>| json!({"type": "array", "items": items, "maxItems": most});
    let map = |entries: serde_json::Value, most: Option<u64>| json!({"type": "object", "additionalProperties": entries, "maxProperties": most});
    let either = json!({"x-kubernetes-int-or-string": true});
    let values = json!({"type": "string", "enum": ["A", "B", "C", "LongValue"]});
    let nested = "self.all(x, self.all(y, self.all(z, true)))";
    for (schema, rule, expected) in [
        (list(plain("number"), None), "self.all(x, true)", 4_718_591),
        (list(plain("number"), Some(10)), "self.all(x, true)", 32),
        (list(text(None), None), "self.all(x, true)", 3_145_727),
        (list(plain("boolean"), None), "self.all(x, true)", 1_887_437),
        (list(either.clone(), None), "self.all(x, true)", 4_718_591),
        (list(formatted("duration"), None), "self.all(x, true)", 2_359_295),
        (list(formatted("date"), None), "self.all(x, true)", 725_936),
        (list(formatted("date-time"), None), "self.all(x, true)", 428_963),
        (list(plain("number"), None), "self.all(x, x == 0.0)", 6_291_454),
        (list(plain("number"), Some(10)), nested, 3552),
        (list(plain("number"), None), "self[1] == 0.0", 2),
        (list(text(None), Some(8)), "self[1] == self[1]", 314_577),
        (list(either, None), "self[0] == 5", 3),
        (list(formatted("duration"), None), "self[0].getHours() == 2", 4),
        (map(plain("number"), None), "self.all(x, true)", 1_348_169),
        (map(text(None), None), "self.all(x, true)", 1_179_647),
        (map(plain("boolean"), None), "self.all(x, true)", 943_718),
        (map(text(None), None), "self.all(x, x.contains(self[x]))", 2_752_507),
        (map(text(Some(10)), Some(10)), "self.all(x, x.contains(self[x]))", 72),
        (map(plain("integer"), None), "oldSelf.size() == self.size()", 5),
        (map(formatted("date-time"), None), "self['a'] == self['b']", 8),
        (text(None), "self.contains('test')", 314_574),
        (text(Some(10)), "self.contains('test')", 5),
        (text(None), "self.startsWith('test')", 2),
        (text(None), "size(self + 'hello') > size('hello')", 314_578),
        (text(None), "self.matches('x')", 314_574),
        (text(None), "''.matches('(((((((((())))))))))[0-9]')", 7),
        (text(None), "self.matches('')", 1),
        (text(None), "self.find('[0-9]+') == ''", 629_147),
        (text(Some(10)), "self.find('[0-9]+') == ''", 11),
        (values, "self.contains('A')", 2),
    ] {
        assert_eq!(cost(&schema, rule), expected, "{rule}: {schema}");
    }
}

/// The estimates of a server, by their factors.
#[test]
fn costs_of_expressions_are_estimated() {
    let rule = |schema: serde_json::Value, rule: &str| {
        let value = json!({"type": "object", "properties": {"v": schema},
            "x-kubernetes-validations": [{"rule": rule}]});
        let schema = json!({"type": "object", "properties": {"spec": value}});
        let versions = json!([{"name": "v1", "schema": {"openAPIV3Schema": schema}}]);
        let definition = json!({"spec": {"versions": versions}});
        let factor =
            |text: &str| text.split("factor of ").nth(1)?.split(" (").next().map(str::to_owned);
        refusals(&definition).iter().find_map(|cause| factor(&cause.message)).unwrap_or_default()
    };
    let matched = format!("self.v.matches('{}')", "a".repeat(130));
    let text = json!({"type": "string"});
    let list = json!({"type": "array", "items": {"type": "string"}});
    let short =
        json!({"type": "array", "maxItems": 1000, "items": {"type": "string", "maxLength": 1000}});
    for (schema, text, factor) in [
        // 3145726 characters.
        (&text, "self.v == 'a'", ""),
        (&text, "self.v.contains(self.v)", "more than 100x"),
        (&text, &matched, "1.038091x"),
        // (3145728 - 2) / 3 elements, each at a cost of three and of the comparison.
        (&list, "self.v.all(x, x.size() > 0)", ""),
        (&list, "self.v.all(x, x.startsWith('abc'))", ""),
        (&list, "self.v.all(x, x == self.v[0])", "more than 100x"),
        // 4000 bytes each, a thousand times a thousand times.
        (&short, "self.v.all(x, self.v.exists(y, x == y))", "40.6x"),
        (&short, "self.v.map(x, x + x).all(y, y.size() > 0)", ""),
    ] {
        assert_eq!(rule(schema.clone(), text), factor, "{text}");
    }
}

/// Each schema declares what is in it once, however many of them have rules.
#[test]
fn rules_at_every_depth_are_checked_in_time() {
    let leaves: serde_json::Map<_, _> =
        (0..2000).map(|number| (format!("p{number}"), json!({"type": "boolean"}))).collect();
    let leaves = json!({"type": "object", "properties": leaves});
    let rules = json!([{"rule": "!has(self.a)"}]);
    let nested = |rules: &serde_json::Value| {
        (0..60).fold(leaves.clone(), |inner, _| {
            let mut schema = json!({"type": "object", "properties": {"a": inner}});
            schema["x-kubernetes-validations"] = rules.clone();
            schema
        })
    };
    let time = |rules: &serde_json::Value| {
        let versions = json!([{"schema": {"openAPIV3Schema": nested(rules)}}]);
        let definition = json!({"spec": {"versions": versions}});
        let start = Instant::now();
        assert_eq!(refusals(&definition), []);
        start.elapsed()
    };
    let [without, with] = [json!([]), rules].map(|rules| time(&rules));
    assert!(with.as_millis() < 300 + without.as_millis() * 20, "{without:?}, {with:?}");
}
