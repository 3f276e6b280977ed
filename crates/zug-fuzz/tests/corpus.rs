//! Every parser survives its corpus and a few hundred mutations of it; the rest is a chore
//! (`cargo xtask fuzz-million`).

use std::fs;
use zug_core::rng;
use zug_fuzz::mutate::mutate;
use zug_fuzz::{TARGETS, corpus};

#[test]
fn every_target_survives_its_corpus_and_some_mutations() {
    for target in TARGETS {
        let corpus = corpus::load(&corpus::fuzz_folder(), target.name)
            .unwrap_or_else(|e| panic!("the corpus of {}: {e}", target.name));
        assert!(!corpus.is_empty(), "{} has no corpus", target.name);
        let mut rng = rng(1, 0);
        let mutated = (0..300).map(|_| mutate(&mut rng, &corpus, target.words));
        for input in corpus.iter().cloned().chain(mutated) {
            (target.run)(&input);
        }
    }
}

#[test]
fn every_target_has_a_libfuzzer_binary_and_no_corpus_is_left_over() {
    let fuzz = corpus::fuzz_folder();
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        let source = format!("fuzz_targets/{}.rs", target.name);
        assert!(manifest.contains(&format!("path = \"{source}\"")), "{source}");
        let code = fs::read_to_string(fuzz.join(&source)).unwrap();
        assert!(code.contains(&format!("zug_fuzz::target(\"{}\")", target.name)), "{source}");
    }
    for entry in fs::read_dir(fuzz.join("corpus")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(zug_fuzz::target(&name).is_some(), "there is no target for the corpus {name}");
    }
}

#[test]
fn the_corpus_stays_small() {
    for target in TARGETS {
        let corpus = corpus::load(&corpus::fuzz_folder(), target.name).unwrap();
        assert!(corpus.len() <= 40, "{} has {} files", target.name, corpus.len());
        let size: usize = corpus.iter().map(Vec::len).sum();
        assert!(size <= 64 << 10, "{} has {size} bytes", target.name);
    }
}
