//! Does `openapi.json` say what is true? Answers are held against it, and so is what is asked: whatever it lists is
//! taken, and nothing else.

use super::*;
use std::collections::BTreeSet;

/// Holds a value against a schema of the document.
struct Document(Value);

impl Document {
    fn new() -> Document {
        Document(serde_json::from_str(include_str!("../openapi.json")).unwrap())
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(name) => {
                self.0.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("no {name}"))
            }
            None => schema,
        }
    }

    /// What is wrong, with its place.
    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = self.resolve(schema);
        if let Some(ways) = schema["oneOf"].as_array() {
            let told: Vec<_> = ways.iter().map(|way| self.check(way, value)).collect();
            if told.iter().filter(|way| way.is_ok()).count() == 1 {
                return Ok(());
            }
            return Err(format!(": not one of {told:?}: {value}"));
        }
        if schema.get("const").is_some_and(|fixed| fixed != value) {
            return Err(format!(": {value} is not {}", schema["const"]));
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            Value::Array(some) => some.iter().filter_map(Value::as_str).collect(),
            _ => vec![],
        };
        let fits = |kind: &&str| match *kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            other => panic!("{other} is no type"),
        };
        if !types.is_empty() && !types.iter().any(fits) {
            return Err(format!(": {value} is not of {types:?}"));
        }
        if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
            return Err(format!(": {value} is not among {}", schema["enum"]));
        }
        if let Some(number) = value.as_f64() {
            let bound = |name: &str| schema[name].as_f64();
            if bound("minimum").is_some_and(|least| number < least)
                || bound("maximum").is_some_and(|most| number > most)
            {
                return Err(format!(": {value} is out of bounds"));
            }
        }
        if let Some(list) = value.as_array() {
            let bound = |name: &str| schema[name].as_u64().map(|n| n as usize);
            if bound("minItems").is_some_and(|least| list.len() < least)
                || bound("maxItems").is_some_and(|most| list.len() > most)
            {
                return Err(format!(": {} items", list.len()));
            }
            for (i, item) in list.iter().enumerate() {
                self.check(&schema["items"], item).map_err(|e| format!("[{i}]{e}"))?;
            }
        }
        if let Some(object) = value.as_object() {
            for name in schema["required"].as_array().into_iter().flatten() {
                if !object.contains_key(name.as_str().unwrap()) {
                    return Err(format!(": {name} is missing"));
                }
            }
            for (name, value) in object {
                let of = schema["properties"].get(name).unwrap_or(&schema["additionalProperties"]);
                match of {
                    Value::Bool(false) => return Err(format!(": {name} is not listed")),
                    Value::Bool(true) => {}
                    Value::Null => {
                        return Err(format!(": {name}: nothing says whether more may come"));
                    }
                    of => self.check(of, value).map_err(|e| format!(".{name}{e}"))?,
                }
            }
        }
        Ok(())
    }

    fn operation(&self, method: &str, path: &str) -> &Value {
        &self.0["paths"][path][method]
    }

    fn answer(&self, method: &str, path: &str) -> &Value {
        &self.operation(method, path)["responses"]["200"]["content"]["application/json"]["schema"]
    }

    fn body(&self, path: &str) -> &Value {
        &self.operation("post", path)["requestBody"]["content"]["application/json"]["schema"]
    }
}

/// A question of every kind with everything that may be said in it, with values that are taken.
fn questions() -> Vec<(&'static str, Value)> {
    let line = json!({"game": "tictactoe", "start": null, "moves": ["b2"]});
    let limits = json!({"movetime_ms": 20, "depth": 2, "nodes": 1000,
        "clock": {"remaining_ms": [100, 100], "increment_ms": [0, 0]}});
    let value = json!({"text": "+1", "kind": "estimate", "number": 1.0, "chance": 0.5, "plies": 3});
    let node = |parent: Value, mv: Value| {
        let mark = if parent.is_null() { Value::Null } else { json!("!") };
        json!({"parent": parent, "move": mv, "text": null, "comment": "so", "mark": mark})
    };
    let record = json!({"tags": {"White": "A"}, "start": null, "moves": [node(Value::Null, json!("b2"))],
        "nodes": [node(Value::Null, Value::Null), node(json!(0), json!("b2"))],
        "result": {"winner": 0, "margin": 1.5}});
    let judged = json!({"ply": 0, "value": value, "best": "b2", "best_text": "b2", "line": ["b2"],
        "texts": ["b2"], "loss": 0.5, "unit": "chance", "mark": "?"});
    vec![
        ("/view", line.clone()),
        ("/views", line.clone()),
        ("/settle", json!({"game": "go:9x9", "start": null, "moves": ["E5"]})),
        (
            "/move",
            json!({"line": line, "level": "0", "player": "zug", "limits": limits, "seed": 1}),
        ),
        (
            "/analyse",
            json!({"line": line, "player": "zug", "lines": 2, "all": false, "limits": limits}),
        ),
        ("/judge", json!({"line": line, "player": "zug", "limits": limits})),
        ("/guess", json!({"line": {"game": "go:9x9", "start": null, "moves": ["E5"]}, "top": 3})),
        (
            "/explore",
            json!({"line": {"game": "othello", "start": null, "moves": ["f5"]}, "source": "book",
                "part": "whole", "from": 1900, "until": 2000, "player": "A", "latest": true}),
        ),
        ("/records/write", json!({"game": "tictactoe", "format": "text", "records": [record]})),
        (
            "/report",
            json!({"game": "tictactoe", "record": record, "judged": [judged], "format": "HTML",
                "by": "me"}),
        ),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_are_as_described_and_all_that_is_described_is_answered() {
    let (app, document) = (app(), Document::new());
    let mut covered = BTreeSet::new();
    let mut hold = |method: &str, path: &str, answer: &Value| {
        let checked = document.check(document.answer(method, path), answer);
        assert_eq!(checked, Ok(()), "{method} {path}");
        covered.insert(format!("{method} {path}"));
    };
    for (path, real) in [
        ("/games", "/games"),
        ("/games/{spec}", "/games/chess"),
        ("/games/{spec}", "/games/go:9x9"),
        ("/games/{spec}", "/games/tictactoe"),
        ("/databases/{spec}", "/databases/tictactoe"),
        ("/databases/{spec}/random", "/databases/tictactoe/random?value=won&plies=1&seed=3"),
        ("/runs", "/runs"),
        ("/openapi.json", "/openapi.json"),
        ("/health", "/health"),
    ] {
        hold("get", path, &get(&app, &format!("/api/v1{real}")).await);
    }
    let line = json!({"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"]});
    let mate = json!({"game": "chess", "start": "7k/5K2/8/8/8/8/8/6R1 w - - 0 1"});
    let handicap = json!({"game": "go:9x9,handicap=2", "moves": ["E5", "pass"]});
    for (path, body) in [
        ("/view", line.clone()),
        ("/view", handicap.clone()),
        ("/views", line.clone()),
        ("/settle", handicap.clone()),
        ("/move", json!({"line": mate, "player": "zug:depth=3"})),
        ("/move", json!({"line": {"game": "tictactoe"}, "player": "random"})),
        ("/guess", json!({"line": handicap})),
        ("/explore", json!({"line": {"game": "othello", "moves": ["f5"]}, "source": "book"})),
        ("/explore", json!({"line": {"game": "tictactoe"}, "source": "database"})),
    ] {
        hold("post", path, &post(&app, &format!("/api/v1{path}"), body).await);
    }
    let text =
        "[Game \"tictactoe\"]\n[Result \"1-0\"]\n{so} b2 $1 (a1 {or}) c3 *\n\n[Game \"x\"]\n";
    let path = "/api/v1/records/read?game=tictactoe&name=x.zgr";
    let response = app.clone().oneshot(request("POST", path, text)).await.unwrap();
    let answer = super::text(response).await;
    hold("post", "/records/read", &serde_json::from_str(&answer).unwrap());
    // What needs a folder is held against the document where its folder is.
    let elsewhere = ["get /runs/{name}", "get /runs/{name}/weights", "get /explore/{spec}/game"];
    covered.extend(elsewhere.map(ToString::to_string));
    let described: BTreeSet<String> = document.0["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(move |m| (m, path)))
        .filter(|(method, path)| !document.answer(method, path).is_null())
        .map(|(method, path)| format!("{method} {path}"))
        .collect();
    assert_eq!(described, covered);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_are_as_described() {
    let (app, document) = (app(), Document::new());
    for (path, body) in [
        (
            "/analyse",
            json!({"line": {"game": "chess"}, "lines": 2, "limits": {"movetime_ms": 200}}),
        ),
        ("/analyse", json!({"line": {"game": "tictactoe"}, "all": true})),
        (
            "/judge",
            json!({"line": {"game": "chess", "moves": ["f3", "e5", "g4", "Qh4#"]},
            "limits": {"depth": 2}}),
        ),
    ] {
        let full = format!("/api/v1{path}");
        let response = app.clone().oneshot(request("POST", &full, body.to_string())).await.unwrap();
        let told = events(&text(response).await);
        let content = &document.operation("post", path)["responses"]["200"]["content"];
        let listed = content["text/event-stream"]["schema"]["oneOf"].as_array().unwrap();
        assert_eq!(told.last().unwrap().0, "end");
        for (name, data) in &told {
            let event = listed.iter().find(|e| e["properties"]["event"]["const"] == **name);
            let event = event.unwrap_or_else(|| panic!("{path}: {name} is not listed"));
            let schema = &event["properties"]["data"]["contentSchema"];
            assert_eq!(document.check(schema, data), Ok(()), "{path}: {name}");
        }
    }
}

/// Every object and every bounded number in a value, by pointer, with its schema.
fn parts(
    document: &Document,
    schema: &Value,
    value: &Value,
    at: &str,
    found: &mut Vec<(String, Value)>,
) {
    let schema = document.resolve(schema);
    if let Some(ways) = schema["oneOf"].as_array() {
        let fit =
            ways.iter().find(|way| document.check(way, value).is_ok()).expect("a way that fits");
        return parts(document, fit, value, at, found);
    }
    found.push((at.to_string(), schema.clone()));
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        parts(document, &schema["items"], item, &format!("{at}/{i}"), found);
    }
    for (name, item) in value.as_object().into_iter().flatten() {
        if let Some(of) = schema["properties"].get(name) {
            parts(document, of, item, &format!("{at}/{name}"), found);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_described_can_be_asked_and_nothing_else() {
    let (app, document) = (app(), Document::new());
    let questions = questions();
    let asked: BTreeSet<&str> = questions.iter().map(|(path, _)| *path).collect();
    let paths = document.0["paths"].as_object().unwrap();
    let described: BTreeSet<&str> =
        paths.keys().map(String::as_str).filter(|path| !document.body(path).is_null()).collect();
    assert_eq!(asked, described);
    for (path, sample) in &questions {
        let schema = document.body(path);
        assert_eq!(document.check(schema, sample), Ok(()), "{path}");
        let ask = async |body: &Value| {
            let full = format!("/api/v1{path}");
            let response =
                app.clone().oneshot(request("POST", &full, body.to_string())).await.unwrap();
            let status = response.status();
            // Streams are read to their end, so that no engine is kept.
            (status, text(response).await)
        };
        let (status, told) = ask(sample).await;
        assert_eq!(status, StatusCode::OK, "{path}: {told}");
        let mut found = Vec::new();
        parts(&document, schema, sample, "", &mut found);
        for (at, schema) in &found {
            let refused = async |what: &str, put: Value| {
                let mut body = sample.clone();
                *body.pointer_mut(at).unwrap() = put;
                let (status, told) = ask(&body).await;
                assert_eq!(status, StatusCode::BAD_REQUEST, "{path} {at}: {what}: {told}");
                insist_on_plain_words(&told);
            };
            if let Some(listed) = schema["properties"].as_object() {
                let object = sample.pointer(at).unwrap().as_object().unwrap();
                let named: BTreeSet<&String> = object.keys().collect();
                assert_eq!(
                    named,
                    listed.keys().collect(),
                    "{path} {at}: the sample says everything"
                );
                let mut more = sample.pointer(at).unwrap().clone();
                more["unheard-of"] = json!(1);
                refused("another property", more).await;
                refused("an array", json!(object.values().collect::<Vec<_>>())).await;
                refused("a number", json!(1)).await;
            }
            for (bound, beyond) in [("minimum", -1.0), ("maximum", 1.0)] {
                let Some(limit) = schema[bound].as_f64().filter(|_| schema["type"] != "string")
                else {
                    continue;
                };
                let whole = schema["type"].to_string().contains("integer");
                let out = match whole {
                    true if limit + beyond < 0.0 => json!(-1),
                    true if limit > 1e18 => json!(1e20),
                    true => json!((limit + beyond) as u64),
                    false => json!(limit + beyond),
                };
                refused("out of bounds", out).await;
            }
            if schema.get("enum").is_some() {
                refused("another word", json!("unheard-of")).await;
            }
        }
    }
}

/// Nobody outside knows our types.
fn insist_on_plain_words(told: &str) {
    for word in ["struct ", "enum ", "tuple ", "Request", "View", "Option<", "::"] {
        assert!(!told.contains(word), "{told}");
    }
}

#[tokio::test]
async fn arrays_and_other_nonsense_are_no_bodies_and_types_are_not_named() {
    let (app, document) = (app(), Document::new());
    let nonsense = [
        "[]",
        "[1]",
        "1",
        "null",
        "\"x\"",
        "{",
        "",
        "{}",
        "[\"chess\",null,[]]",
        "{\"line\":[]}",
        "{\"line\":{\"game\":1}}",
        "{\"line\":[\"chess\",null,[]],\"source\":{\"book\":null}}",
        "{\"game\":\"chess\",\"record\":[],\"records\":[[]],\"format\":\"PGN\"}",
        "{} {}",
        "\u{0}",
        "{\"line\":{\"game\":\"\\u0000\"}}",
        "{\"line\":{\"game\":\"chess\"},\"limits\":[1,2,3]}",
    ];
    let paths = document.0["paths"].as_object().unwrap();
    for path in paths.keys().filter(|path| !document.body(path).is_null()) {
        for body in nonsense {
            let full = format!("/api/v1{path}");
            let response = app.clone().oneshot(request("POST", &full, body)).await.unwrap();
            let status = response.status();
            let told = text(response).await;
            assert!(status.is_client_error(), "{path} {body}: {status} {told}");
            insist_on_plain_words(&told);
        }
    }
}
