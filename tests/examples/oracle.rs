//! Prints the inputs for `tests/oracle`, one in each line.

fn main() {
    for input in kapigen_tests::oracle::inputs() {
        println!("{input}");
    }
}
