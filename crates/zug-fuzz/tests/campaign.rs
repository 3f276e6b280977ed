//! The driver finds what it is there to find. One test, since panics and memory are counted for
//! the whole process.

use std::time::Duration;
use zug_core::{Silent, StopFlag};
use zug_fuzz::Target;
use zug_fuzz::allocations::CountingAllocator;
use zug_fuzz::campaign::{self, Bounds, Report};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn run(target: fn(&[u8]), bounds: &Bounds) -> Report {
    let target = Target { name: "planted", run: target, words: &["magic", "long"] };
    let corpus = [b"some text 12".to_vec()];
    campaign::run(&target, &corpus, 20_000, 1, bounds, &Silent, &StopFlag::new())
}

fn has(input: &[u8], word: &[u8]) -> bool {
    input.windows(word.len()).any(|w| w == word)
}

#[test]
fn planted_faults_are_found_and_sound_code_passes() {
    let bounds = Bounds { memory: 1 << 20, memory_per_byte: 64, time: Duration::from_secs(5) };

    let sound = run(|input| drop(input.to_vec()), &bounds);
    assert_eq!((sound.inputs, sound.failures.len()), (20_000, 0));
    assert!(sound.largest.0 > 0, "memory is counted");

    let panics = run(|input| assert!(!has(input, b"magic"), "found: {}", input.len()), &bounds);
    assert_eq!(panics.failures.len(), 1, "one failure for each place");
    assert!(panics.failures[0].what.contains("tests/campaign.rs"), "{}", panics.failures[0].what);
    assert!(has(&panics.failures[0].input, b"magic"));

    let caught = run(
        |input| {
            let _ = std::panic::catch_unwind(|| assert!(!has(input, b"magic")));
        },
        &bounds,
    );
    assert_eq!(caught.failures.len(), 1, "a panic that is swallowed counts");

    let greedy = run(
        |input| {
            if has(input, b"long") {
                std::hint::black_box(vec![1u8; 8 << 20]);
            }
        },
        &bounds,
    );
    assert!(greedy.failures[0].what.contains("bytes of memory"), "{}", greedy.failures[0].what);

    let strict = Bounds { time: Duration::ZERO, ..bounds };
    let slow = run(|input| drop(input.to_vec()), &strict);
    assert!(slow.failures[0].what.ends_with(" s"), "{}", slow.failures[0].what);

    let stop = StopFlag::new();
    stop.set();
    let target = Target { name: "planted", run: |_| {}, words: &[] };
    let stopped = campaign::run(&target, &[], 1000, 1, &bounds, &Silent, &stop);
    assert_eq!(stopped.inputs, 0);
}
