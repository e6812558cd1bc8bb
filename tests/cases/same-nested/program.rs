//! Uses one type under several names.

use case_same_nested::example_v1::BoilerSpecLooseMode::Shut;
use case_same_nested::example_v1::{Boiler, BoilerSpec, BoilerSpecMain, BoilerSpecSpare, Level, Tank, TankInner};

fn main() {
    let main = BoilerSpecMain { key: "a".to_owned(), mode: Some(Shut), ..Default::default() };
    // The same type, with fields and values named as another schema names them.
    let spare = BoilerSpecSpare { turns: Some(2), ..main.clone() };
    let level = Level { high: Some(1), ..Default::default() };
    let tank = Tank {
        valve: Some(Box::new(spare.clone())),
        inner: Some(Box::new(TankInner { level: Some(Box::new(level)), ..Default::default() })),
        ..Default::default()
    };
    let spec = BoilerSpec { main: Some(Box::new(main)), spare: Some(Box::new(spare)), ..Default::default() };
    let boiler = Boiler { spec: Some(Box::new(spec)), ..Default::default() };

    let json = serde_json::to_string(&boiler).unwrap();
    assert_eq!(json, r#"{"spec":{"main":{"key":"a","mode":"Shut"},"spare":{"key":"a","mode":"Shut","turns":2}}}"#);
    assert_eq!(serde_json::from_str::<Boiler>(&json).unwrap(), boiler);
    let json = serde_json::to_string(&tank).unwrap();
    assert_eq!(json, r#"{"valve":{"key":"a","mode":"Shut","turns":2},"inner":{"level":{"high":1}}}"#);
    println!("all is well");
}
