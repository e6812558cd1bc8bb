//! Fair comparison of peers: in turns, and round by round.

use crate::report::median;

/// The number of turns of each peer.
pub fn rounds(quick: bool) -> usize {
    if quick { 3 } else { 15 }
}

/// The order of turns. The first subject may find memory in another state, so each round starts
/// with another one.
pub fn in_turns(rounds: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..rounds).flat_map(move |round| (0..count).map(move |turn| (turn + round) % count))
}

/// The times of each subject, one for each round.
pub fn measure<T>(subjects: &[T], rounds: usize, time: fn(&T) -> f64) -> Vec<Vec<f64>> {
    let mut times = vec![Vec::new(); subjects.len()];
    for index in in_turns(rounds, subjects.len()) {
        times[index].push(time(&subjects[index]));
    }
    times
}

/// The speed relative to the peer, by the times of each round.
pub fn ratio(times: &[f64], peer: &[f64]) -> f64 {
    median(&peer.iter().zip(times).map(|(peer, time)| peer / time).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{in_turns, ratio};

    #[test]
    fn each_round_starts_with_another() {
        assert_eq!(in_turns(3, 3).collect::<Vec<_>>(), [0, 1, 2, 1, 2, 0, 2, 0, 1]);
    }

    #[test]
    fn rounds_are_compared_with_each_other() {
        assert!((ratio(&[1.0, 10.0, 3.0], &[2.0, 20.0, 9.0]) - 2.0).abs() < f64::EPSILON);
    }
}
