//! Every argument has its own position in the path, and none of them may make it another path.

use case_parameters::example_com_v1::{files, proxy, things};
use case_parameters::example_v1::DeleteOptions;

fn main() {
    let body = DeleteOptions::default();
    let params = things::AtReplaceParams::default().limit(0.5);
    let replace = things::replace_at_foo_bar_foo_bar_params_body_patch_type;
    let request = replace("n", "1", "2", "3", "4", "5", "6", "7", "8", &body, &params);
    assert_eq!(request.unwrap().uri(), "/apis/example.com/v1/things/n/at/1/2/3/4/5/6/7/8?limit=0.5");

    let list = things::ThingsListParams::default().field_manager("a").field_manager_2("b").default_("c");
    let list = list.parameter(true).parameter_2(false).ratio(0.25).ratios([1.0, 1.5]);
    let request = things::list(&list).unwrap();
    assert_eq!(
        request.uri(),
        "/apis/example.com/v1/things?default=c&fieldManager=a&field_manager_2=b&ratio=0.25&ratios=1&ratios=1.5&\
         %E5%89%8D=true&%E5%90%8D=false"
    );

    // Without its last argument each of these paths is that of a collection.
    for argument in ["", ".", "..", "a/b", "/"] {
        assert!(files::delete(argument).is_err(), "{argument}");
        assert!(proxy::delete("default", argument).is_err(), "{argument}");
    }
    assert_eq!(proxy::delete("default", "a").unwrap().uri(), "/apis/example.com/v1/namespaces/default/proxy/a");
    println!("all is well");
}
