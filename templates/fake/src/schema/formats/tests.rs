use super::fits;

fn check(format: &str, taken: &[&str], refused: &[&str]) {
    for text in taken {
        assert!(fits(format, text), "{format} {text:?}");
    }
    for text in refused {
        assert!(!fits(format, text), "{format} {text:?}");
    }
}

#[test]
fn durations_are_those_of_go_or_numbers_with_names() {
    let taken = [
        "0",
        "-0",
        "1h30m",
        "-1.5h",
        ".5s",
        "1.s",
        "3μs",
        "2 weeks",
        "1 Hour",
        " 5s",
        "5 S 2 DAYS ",
        "1wk",
    ];
    let refused = ["", " ", "1", ".s", "1 month", "s", "1 2", "99999999999999999999 d"];
    check("duration", &taken, &refused);
    assert!(fits("duration", "1 parsec 2 s"), "one of them is a unit");
}

#[test]
fn identifiers_of_later_versions_state_their_variant() {
    let named = |version: char, variant: char| {
        format!("00000000-0000-{version}000-{variant}000-000000000000")
    };
    for version in ['4', '5'] {
        let format = format!("uuid{version}");
        check(
            &format,
            &[&named(version, '8'), &named(version, 'B')],
            &[&named(version, '0'), &named('1', '8')],
        );
    }
    check("uuid3", &[&named('3', '0')], &[&named('4', '8')]);
}

#[test]
fn hardware_addresses_have_pairs_or_fours_of_digits() {
    let taken = ["00:00:5e:00:53:01", "02-00-5E-10-00-00-00-01", "0000.5e00.5301"];
    let refused = [
        "00:00:5e:00:53",
        "00:00-5e:00:53:01",
        "0000.5e00.530g",
        "00005e005301",
        "é0:00:5e:00:53:01",
    ];
    check("mac", &taken, &refused);
    check(
        "bsonobjectid",
        &["507f1f77bcf86cd799439011"],
        &["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
    );
}

/// As the functions of Go on which servers rely.
#[test]
fn addresses_have_leading_zeros_where_servers_allow_them() {
    check(
        "ipv4",
        &["1.2.3.4", "01.2.3.004", "::ffff:1.02.3.4"],
        &["1.2.3", "1.2.3.256", "::1", ""],
    );
    check(
        "ipv6",
        &["::1", "::ffff:1.2.3.4"],
        &["1.2.3.4", "::ffff:1.02.3.4", "fe80::1%eth0", "12345::"],
    );
    check(
        "cidr",
        &["01.2.3.4/8", "1.2.3.4/08", "::1/128"],
        &["1.2.3.4", "1.2.3.4/33", "1.2.3.4/+8"],
    );
}

#[test]
fn hosts_have_labels_and_end_with_letters() {
    let taken =
        ["a", "1", "ab1", "a-b", "a-", "a.io", "1-2.a-b.io", "bücher.example", "☃.net", "a.中国"];
    let refused =
        ["", "-a", "ab-c", "a_b", "a.b", "a.1a", "a..io", "-a.io", "a-.io", "a.io.", "a b"];
    check("hostname", &taken, &refused);
    check("hostname", &[&"a".repeat(63)], &[&"a".repeat(64), &format!("{}.io", "a".repeat(64))]);
}

#[test]
fn uris_have_a_scheme_or_begin_with_a_slash() {
    let taken = [
        "/",
        "/a b",
        "*",
        "a:",
        "urn:x y",
        "http://a/%20?%zz",
        "http://u:p@a:80/",
        "http://[::1]:8/",
        "http://",
        "http:///x",
        "http://é/",
        "//a",
        "http://a:/",
        "http://%E4.io",
    ];
    let refused = [
        "",
        "a",
        "a/b",
        "?a",
        "#a",
        ":a",
        "http://a b/",
        "/%zz",
        "http://a:x/",
        "http://[::1",
        "/a\n",
        "1a:/b",
        "http://%41/",
        "http://u r@a/",
    ];
    check("uri", &taken, &refused);
}

#[test]
fn addresses_of_mail_have_a_name_and_a_domain() {
    let taken =
        ["a@b", "a.b@c.io", "A B <a@b.io>", "\"a b\"@c", "a@[1.2.3.4]", "<a@b>", "a@b (c)", "é@b"];
    let refused =
        ["", "a", "@b", "a@", "a b@c", ".a@b", "a..b@c", "a@b.", "a@b@c d", "<a@b", "a@b>"];
    check("email", &taken, &refused);
}

#[test]
fn times_have_a_zone() {
    let taken = ["2024-02-29T23:59:59Z", "2024-01-01t00:00:00.5+01:00", "2024-01-01T00:00:00x5z"];
    let refused =
        ["2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00", "2024-01-01"];
    check("date-time", &taken, &refused);
}

#[test]
fn numbers_have_their_checksums() {
    check("isbn10", &["0321751043", "0-321-75104-3", "080442957X"], &["0321751044", "03217510"]);
    check("isbn13", &["978-0321751041"], &["978-0321751042", "0321751043"]);
    check("isbn", &["0321751043", "9780321751041"], &["1"]);
    check("creditcard", &["4111 1111 1111 1111", "378282246310005"], &["4111111111111112", "1234"]);
    check("ssn", &["111-11-1111", "111 11 1111"], &["111111111", "111-11-111a"]);
    check("hexcolor", &["#fff", "FFFFFF"], &["#ff", "#ggg", "##fff"]);
    check("rgbcolor", &["rgb(0, 255,10)"], &["rgb(0,256,0)", "rgb(00,1,1)", "rgb(1,2)"]);
}
