#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    (zug_fuzz::target("cecp-session").expect("a target of this name").run)(input)
});
