//! Generates the crate from `spec/`. In CI it writes nothing: there, a difference is an error.

fn main() {
    let build = kapigen::Build::new("spec", ".");
    println!("cargo::rerun-if-env-changed=CI");
    if std::env::var_os("CI").is_some() {
        build.check_or_exit();
    } else {
        build.generate_or_exit();
    }
}
