//! Random operations of several clients, compared with a model: versions only rise, no update is
//! lost, watches see exactly what happened, and all pages show one version.

mod clients;
mod reads;
mod state;

use clients::Clients;
use proptest::prelude::*;

/// An operation. Numbers choose among the existing clients, names, watches and lists.
#[derive(Clone, Debug)]
enum Operation {
    Create {
        name: u8,
        label: u8,
    },
    /// A client reads an object, to change it later.
    Read {
        client: usize,
        name: u8,
    },
    /// A client writes the object that it read, with a greater number in it.
    Increment {
        client: usize,
        name: u8,
    },
    Label {
        name: u8,
        label: u8,
    },
    /// Adds or removes a finalizer.
    Hold {
        name: u8,
        is_held: bool,
    },
    /// A patch that changes nothing.
    Touch {
        name: u8,
    },
    Delete {
        name: u8,
    },
    /// Opens a watch, from now or with all that exists, of all objects or those with a label.
    Watch {
        label: Option<u8>,
        is_initial: bool,
    },
    Poll {
        watch: usize,
    },
    /// Drops a watch.
    Leave {
        watch: usize,
    },
    List {
        limit: usize,
    },
    NextPage {
        list: usize,
    },
    Compact,
}

fn operation() -> impl Strategy<Value = Operation> {
    let name = 0..4_u8;
    let label = 0..2_u8;
    let client = 0..3_usize;
    prop_oneof![
        3 => (name.clone(), label.clone()).prop_map(|(name, label)| Operation::Create { name, label }),
        3 => (client.clone(), name.clone()).prop_map(|(client, name)| Operation::Read { client, name }),
        6 => (client, name.clone()).prop_map(|(client, name)| Operation::Increment { client, name }),
        3 => (name.clone(), label.clone()).prop_map(|(name, label)| Operation::Label { name, label }),
        2 => (name.clone(), any::<bool>()).prop_map(|(name, is_held)| Operation::Hold { name, is_held }),
        1 => name.clone().prop_map(|name| Operation::Touch { name }),
        2 => name.prop_map(|name| Operation::Delete { name }),
        2 => (proptest::option::of(label), any::<bool>())
            .prop_map(|(label, is_initial)| Operation::Watch { label, is_initial }),
        4 => any::<usize>().prop_map(|watch| Operation::Poll { watch }),
        1 => any::<usize>().prop_map(|watch| Operation::Leave { watch }),
        1 => (1..4_usize).prop_map(|limit| Operation::List { limit }),
        2 => any::<usize>().prop_map(|list| Operation::NextPage { list }),
        1 => Just(Operation::Compact),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn clients_see_what_the_model_says(operations in proptest::collection::vec(operation(), 1..100)) {
        let mut clients = Clients::new();
        for operation in &operations {
            clients.perform(operation);
            clients.check_state();
        }
        clients.finish();
    }
}
