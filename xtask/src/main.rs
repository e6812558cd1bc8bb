fn main() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut s = kapigen::Sources::default();
    for name in ["core/v1.yaml", "coordination.k8s.io/v1.yaml", "image.openshift.io/v1.yaml", "meta/v1.yaml"] {
        s.documents.push(kapigen::load::Source::new(name, std::fs::read_to_string(root.join("spec").join(name)).unwrap()));
    }
    s.groups = Some(kapigen::load::Source::new("groups.yaml", std::fs::read_to_string(root.join("spec/groups.yaml")).unwrap()));
    s.fixups = Some(kapigen::load::Source::new("fixups.yaml", std::fs::read_to_string(root.join("spec/fixups.yaml")).unwrap()));
    match kapigen::generate(&s) {
        Ok(o) => { println!("{:?}", o.features); println!("{:?}", o.fixups); println!("{}", o.tree.write(&root.join("generated")).unwrap().len()); }
        Err(e) => println!("{e}"),
    }
}
