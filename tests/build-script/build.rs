//! Keeps the crate as `spec/` says. In CI nothing is written: there a difference is an error.

fn main() {
    let build = kapigen::Build::new("spec", ".");
    println!("cargo::rerun-if-env-changed=CI");
    if std::env::var_os("CI").is_some() {
        build.check_or_exit();
    } else {
        build.generate_or_exit();
    }
}
