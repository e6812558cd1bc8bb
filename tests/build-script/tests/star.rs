//! The generated crate, used and checked.

use build_script::example_com_v1::{Star, stars};
use build_script::params::GetParams;

#[test]
fn the_generated_crate_works() {
    let request = stars::get("sun", &GetParams::default()).unwrap();
    assert_eq!(request.to_http().uri(), "/apis/example.com/v1/stars/sun");
    assert_eq!(
        Star { magnitude: Some(-26.74), ..Default::default() }.kind.as_deref(),
        Some("Star")
    );
}
