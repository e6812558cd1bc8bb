//! The lengths of the examples: what a program needs, with nothing shared behind it.

#[test]
fn examples_are_short_and_share_no_code() {
    let examples = [
        ("watch_pods", include_str!("../../examples/watch_pods.rs"), 25),
        ("images", include_str!("../../examples/images.rs"), 37),
        ("election", include_str!("../../examples/election.rs"), 60),
        ("follow_log", include_str!("../../examples/follow_log.rs"), 30),
        ("blocking", include_str!("../../examples/blocking.rs"), 80),
        ("apply", include_str!("../../examples/apply.rs"), 50),
        ("cp", include_str!("../../examples/cp.rs"), 40),
        ("webhook", include_str!("../../examples/webhook.rs"), 56),
    ];
    for (name, source, most) in examples {
        let lines = source
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("//"));
        let count = lines.clone().count();
        assert!(count <= most, "{name}: {count} lines without comments and blanks, of {most}");
        assert!(
            lines
                .clone()
                .all(|line| !line.starts_with("mod ") && !line.contains("consumer_client")),
            "{name}"
        );
    }
    let shared = include_str!("../../src/lib.rs").lines().filter(|line| line.contains("fn "));
    assert_eq!(shared.count(), 0, "functions behind the examples");
}
