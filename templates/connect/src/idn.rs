//! Names of hosts in other scripts, in the form that DNS and certificates have: RFC 3492.

/// A host, or a list of labels, in ASCII: a label with other characters is encoded in lower case.
pub(crate) fn to_ascii(host: &str) -> String {
    if host.is_ascii() {
        return host.to_owned();
    }
    let encoded = host.split('.').map(|label| match label {
        label if label.is_ascii() => label.to_owned(),
        label => format!("xn--{}", punycode(&label.to_lowercase())),
    });
    encoded.collect::<Vec<_>>().join(".")
}

fn punycode(label: &str) -> String {
    let characters: Vec<u32> = label.chars().map(u32::from).collect();
    let mut encoded: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(encoded.len()).unwrap_or(u32::MAX);
    if basic > 0 {
        encoded.push('-');
    }
    let (mut least, mut delta, mut bias, mut handled) = (128, 0_u32, 72, basic);
    while let Some(next) = characters.iter().copied().filter(|&one| one >= least).min() {
        delta = delta.saturating_add((next - least).saturating_mul(handled + 1));
        least = next;
        for &character in &characters {
            if character < least {
                delta = delta.saturating_add(1);
            } else if character == least {
                encode(delta, bias, &mut encoded);
                bias = adapted(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.saturating_add(1);
        least += 1;
    }
    encoded
}

/// Appends a number in base 36, of which each digit says whether another one follows.
fn encode(mut number: u32, bias: u32, encoded: &mut String) {
    let mut position = 36;
    loop {
        let threshold = u32::clamp(position.max(bias) - bias, 1, 26);
        let is_last = number < threshold;
        let rest = 36 - threshold;
        let digit = if is_last { number } else { threshold + (number - threshold) % rest };
        encoded.extend(char::from_digit((digit + 10) % 36, 36));
        if is_last {
            return;
        }
        number = (number - threshold) / rest;
        position += 36;
    }
}

fn adapted(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut position = 0;
    while delta > 455 {
        delta /= 35;
        position += 36;
    }
    position + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::to_ascii;

    #[test]
    fn names_are_encoded_as_by_idna() {
        for (name, encoded) in [
            ("api.test", "api.test"),
            ("B\u{fc}cher.test", "xn--bcher-kva.test"),
            ("a.m\u{fc}nchen-ost.de", "a.xn--mnchen-ost-9db.de"),
            (
                "\u{4ed6}\u{4eec}\u{4e3a}\u{4ec0}\u{4e48}\u{4e0d}\u{8bf4}\u{4e2d}\u{6587}",
                "xn--ihqwcrb4cv8a8dqg056pqjye",
            ),
        ] {
            assert_eq!(to_ascii(name), encoded);
        }
    }
}
