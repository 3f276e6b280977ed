//! Hostile bodies, sent to the real `zug serve`: what does the worst of them cost?

#[path = "support/server.rs"]
mod server;

use server::Server;

/// No body may cost more than this above a server that idles.
const MOST: u64 = 64 << 20;
/// Bodies are no larger than the server says.
const FILE: usize = 4 << 20;
const GAME: usize = 2 << 20;
const REPORT: usize = 1 << 20;

/// A text of about this size: a unit again and again between two ends.
fn filled(size: usize, before: &str, unit: &str, after: &str) -> Vec<u8> {
    let count = (size - before.len() - after.len()) / unit.len();
    [before, &unit.repeat(count), after].concat().into_bytes()
}

/// Sends each body to a server of its own and looks at its memory; a refusal must state a limit.
fn send(path: &str, bodies: Vec<(&str, Vec<u8>)>) {
    for (name, body) in bodies {
        let server = Server::start(&[]);
        let Some(idle) = server.peak() else { return };
        let (status, told) = server.ask("POST", path, &body);
        let used = server.peak().unwrap().saturating_sub(idle);
        let short: String = told.chars().take(300).collect();
        assert!(used <= MOST, "{path}: {name}: {} MiB", used >> 20);
        match status {
            200 => {}
            400 | 413 | 422 => assert!(told.contains("expected"), "{path}: {name}: {short}"),
            other => panic!("{path}: {name}: {other} {short}"),
        }
        let is_told = |body: &str| body.contains("at most");
        assert!(![413, 422].contains(&status) || is_told(&told), "{path}: {name}: {short}");
        assert_eq!(server.ask("GET", "/api/v1/health", "").0, 200, "{path}: {name}: it is alive");
    }
}

#[test]
fn hostile_files_of_go_are_read_in_little_memory() {
    let deep = |unit: &str| {
        let count = (FILE - 100) / (unit.len() + 1);
        ["(;SZ[19]", &unit.repeat(count), &")".repeat(count), ")"].concat().into_bytes()
    };
    let latin = |byte| [&b"(;SZ[19]C["[..], &vec![byte; FILE - 30], b"];B[aa])"].concat();
    send(
        "/api/v1/records/read?game=go&name=x.sgf",
        vec![
            ("variations", filled(FILE, "(;SZ[19]", "(;B[aa])", ")")),
            ("nested nodes", deep("(;")),
            ("nested variations", deep("(;B[pp])(;C[x]")),
            ("properties", filled(FILE, "(;SZ[19];B[aa](;W[bb]", "a[]", ")(;W[cc]))")),
            ("values", filled(FILE, "(;SZ[19]LB", "[aa:x]", ";B[aa])")),
            ("passes", filled(FILE, "(;SZ[19]", ";B[];W[]", ")")),
            ("games", filled(FILE, "", "(;B[aa])", "")),
            ("a charset that grows", latin(0x80)),
            ("controls", latin(1)),
            ("open for ever", filled(FILE, "", "(;GM[1](", "")),
        ],
    );
}

#[test]
fn hostile_files_of_other_games_are_read_in_little_memory() {
    send(
        "/api/v1/records/read?game=chess&name=x.pgn",
        vec![
            ("variations", filled(FILE, "1. e4 ", "(e4)", " *")),
            ("nested", filled(FILE, "1. e4 ", "(d4 ", " *")),
            ("remarks", filled(FILE, "1. e4 ", "{a}", " *")),
            ("glyphs", filled(FILE, "1. e4 ", "$1", " *")),
            ("tags", filled(FILE, "", "[A \"\"]\n", "e4 *")),
            ("moves", filled(FILE, "", "Nf3 Nf6 Ng1 Ng8 ", "*")),
            ("games", filled(FILE, "", "e4 *\n", "")),
        ],
    );
    let text = "[Game \"tictactoe\"]\n";
    send(
        "/api/v1/records/read?game=tictactoe&name=x.zgr",
        vec![
            ("variations", filled(FILE, &format!("{text}b2 "), "(a1)", " *")),
            ("moves", filled(FILE, text, "a ", "*")),
            ("remarks", filled(FILE, &format!("{text}b2 "), "{a}", " *")),
            ("tags", filled(FILE, text, "[A \"\"]\n", "b2 *")),
        ],
    );
    send(
        "/api/v1/records/read?game=othello",
        vec![
            ("transcripts", filled(FILE, "", "f5d6c3d3c4\n", "")),
            ("GGF", filled(FILE, "", "(;GM[Othello]B[f5];)", "")),
            ("too large", vec![b'x'; 2 * FILE]),
        ],
    );
}

#[test]
fn hostile_bodies_of_json_are_read_in_little_memory() {
    let record =
        |inside: &str| format!("{{\"game\":\"chess\",\"format\":\"PGN\",\"records\":[{inside}");
    let comment = "{\"nodes\":[{},{\"parent\":0,\"move\":\"e4\",\"comment\":\"";
    send(
        "/api/v1/records/write",
        vec![
            ("nodes", filled(GAME, &record("{\"nodes\":["), "{},", "{}]}]}")),
            ("records", filled(GAME, &record(""), "{},", "{}]}")),
            ("a remark", filled(GAME, &record(comment), "&", "\"}]}]}")),
            ("too large", vec![b' '; 3 * GAME]),
        ],
    );
    let report = |inside: &str| format!("{{\"game\":\"chess\",\"record\":{inside}");
    let judged = report("{\"moves\":[{\"move\":\"e4\"}]},\"judged\":[");
    send(
        "/api/v1/report",
        vec![
            ("a remark", filled(REPORT, &report(comment), "&", "\"}]}}")),
            ("judged", filled(REPORT, &judged, "{\"ply\":0,\"value\":null},", "{\"ply\":1}]}")),
        ],
    );
    let line = |inside: &str| format!("{{\"line\":{{\"game\":\"go\",{inside}");
    for path in ["judge", "analyse", "move", "guess"] {
        let bodies = vec![
            ("moves", filled(250_000, &line("\"moves\":["), "\"\",", "\"\"]}}")),
            ("start", filled(250_000, &line("\"start\":\""), "1", "\"}}")),
            ("nested", filled(250_000, &line("\"moves\":"), "[", "")),
            ("too large", vec![b' '; 5 << 20]),
        ];
        send(&format!("/api/v1/{path}"), bodies);
    }
}
