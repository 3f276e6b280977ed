//! Runs an experiment with patterns of nearest neighbours without the command line around it: for
//! profilers.
//!
//! ```text
//! cargo run --release -p zug-go --example knn -- 9x9 games/pro9 /tmp/run [key=value …]
//! ```

use zug_core::StopFlag;
use zug_core::progress::Silent;
use zug_learn::records::RecordOrder;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [experiment, data, out, options @ ..] = &words[..] else {
        panic!("expected: EXPERIMENT DATA OUT [KEY=VALUE …]");
    };
    let order = RecordOrder {
        method: "knn".into(),
        experiment: Some(experiment.clone()),
        data: data.split(',').map(Into::into).collect(),
        out: out.into(),
        seed: 1,
        threads: 1,
        options: options
            .iter()
            .filter_map(|o| o.split_once('='))
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect(),
        command: words.join(" "),
        ..RecordOrder::default()
    };
    match zug_go::knn::learn(&order, &Silent, &StopFlag::new()) {
        Ok(account) => println!("{}", account.text),
        Err(error) => println!("{error}"),
    }
}
