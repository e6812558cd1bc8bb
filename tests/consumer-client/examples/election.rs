//! Works only while it leads, and lets another one lead when it is interrupted. The argument is its
//! identity.

use kapigen_client::Client;
use openshift_api::election::ElectionEvent;
use std::time::Duration;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let identity =
        std::env::args().nth(1).ok_or("the argument is missing: the identity of this candidate")?;
    let client = Client::connect().await?;
    let mut election = client.elect("default", "example", &identity)?;
    let mut clock = tokio::time::interval(Duration::from_millis(100));
    loop {
        tokio::select! {
            event = election.next() => match event {
                Some(ElectionEvent::Leading) => println!("leading"),
                Some(ElectionEvent::Lost) => println!("lost"),
                Some(ElectionEvent::Leader(other)) => println!("{other} leads"),
                Some(ElectionEvent::Failed(failure)) => eprintln!("{failure}"),
                Some(_) => {}
                None => return Ok(()),
            },
            // A leader that is out of time does not work, even if it has not been told so yet.
            _ = clock.tick(), if election.is_leader() => println!("working"),
            _ = tokio::signal::ctrl_c() => election.release(),
        }
    }
}
