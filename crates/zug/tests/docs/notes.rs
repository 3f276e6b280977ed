//! What does a note above a block say about testing it?
//!
//! A note is a comment `<!-- test: CLAUSE; CLAUSE … -->`, which nobody sees on the page. Clauses stand one a line or
//! behind semicolons:
//!
//! | clause | meaning |
//! |---|---|
//! | `given FILE, FILE=FIXTURE` | these files of `tests/docs/given` or `models` lie in the folder of the page |
//! | `first COMMAND` | done before the block; the reader has done it long ago |
//! | `needs program NAME`, `needs data FILE` | passed over, and said, where there is no such program, or no such file below `$ZUG_DATA` |
//! | `not run: REASON` | its commands must be understood, but are not run |
//! | `sizes --games 2 movetime=1ms` | values of options, and inside players, that stand in place of those on the page |
//! | `add --set iterations=2 to zug learn` | more options for the commands that begin so, except for those that they have |
//! | `exit 1 of zug play` | these commands end with this code |
//! | `stop zug serve at http://` | these commands are stopped by Ctrl-C when they have printed this |
//! | `served` | a server runs at `localhost:8080` |
//! | `updates FILE, FILE` | files or folders that a block before has written, and that this one may change |
//! | `apart` | in a folder of its own |
//! | `printed` | the last command of the block before prints this; `…` stands for anything |

/// What is noted about a block.
#[derive(Default, Debug, PartialEq)]
pub struct Note {
    pub given: Vec<Given>,
    pub first: Vec<String>,
    pub programs: Vec<String>,
    pub data: Vec<String>,
    pub not_run: Option<String>,
    pub sizes: Vec<Size>,
    pub additions: Vec<For>,
    pub exits: Vec<For>,
    pub stops: Vec<For>,
    pub served: bool,
    pub updates: Vec<String>,
    pub apart: bool,
    pub printed: bool,
}

/// A file that the reader has already, and the fixture that stands for it.
#[derive(Debug, PartialEq)]
pub struct Given {
    pub file: String,
    pub fixture: String,
}

/// Something that is said of the commands that begin with these words.
#[derive(Debug, PartialEq)]
pub struct For {
    pub commands: String,
    pub what: String,
}

/// The value of an option (`--games 2`) or of a setting inside a word (`movetime=1ms`).
#[derive(Debug, PartialEq)]
pub struct Size {
    pub name: String,
    pub value: String,
}

impl Note {
    /// Reads the text of a note.
    pub fn read(text: &str) -> Result<Note, String> {
        let mut note = Note::default();
        for clause in text.split('\n').flat_map(|line| line.split("; ")) {
            let clause = clause.trim();
            let (verb, rest) = clause.split_once(' ').unwrap_or((clause, ""));
            let rest = rest.trim();
            let list = || rest.split(',').map(|name| name.trim().to_string());
            match (verb, rest) {
                ("", "") => {}
                ("served", "") => note.served = true,
                ("apart", "") => note.apart = true,
                ("printed", "") => note.printed = true,
                (_, "") => return Err(format!("'{clause}' is no clause of a note")),
                ("given", _) => note.given.extend(list().map(|item| match item.split_once('=') {
                    Some((file, fixture)) => Given { file: file.into(), fixture: fixture.into() },
                    None => Given { file: item.clone(), fixture: item },
                })),
                ("first", _) => note.first.push(rest.to_string()),
                ("updates", _) => note.updates.extend(list()),
                ("needs", _) => match rest.split_once(' ') {
                    Some(("program", name)) => note.programs.push(name.trim().to_string()),
                    Some(("data", file)) => note.data.push(file.trim().to_string()),
                    _ => {
                        return Err(format!(
                            "'{clause}': expected 'needs program' or 'needs data'"
                        ));
                    }
                },
                ("not", _) => match rest.strip_prefix("run:").map(str::trim) {
                    Some(reason) if !reason.is_empty() => note.not_run = Some(reason.to_string()),
                    _ => return Err(format!("'{clause}': expected 'not run: REASON'")),
                },
                ("sizes", _) => note.sizes.extend(sizes(rest)?),
                ("add", _) => note.additions.push(For::read(rest, " to ", false)?),
                ("exit", _) => note.exits.push(For::read(rest, " of ", false)?),
                ("stop", _) => note.stops.push(For::read(rest, " at ", true)?),
                _ => return Err(format!("'{clause}' is no clause of a note")),
            }
        }
        Ok(note)
    }

    /// Whether nothing is noted but what a block of output may have.
    pub fn is_of_output(&self) -> bool {
        *self == Note { printed: self.printed, ..Note::default() }
    }
}

impl For {
    fn read(text: &str, between: &str, commands_first: bool) -> Result<For, String> {
        let (a, b) = text
            .split_once(between)
            .ok_or_else(|| format!("'{text}': expected the word '{}' in it", between.trim()))?;
        let (commands, what) = if commands_first { (a, b) } else { (b, a) };
        Ok(For { commands: commands.trim().into(), what: what.trim().into() })
    }

    /// Whether it is said of this command: of the commands in it, one begins with the words.
    pub fn concerns(&self, parts: &[Vec<String>]) -> bool {
        let words: Vec<&str> = self.commands.split_whitespace().collect();
        parts
            .iter()
            .any(|part| part.len() >= words.len() && part.iter().zip(&words).all(|(a, b)| a == b))
    }
}

fn sizes(text: &str) -> Result<Vec<Size>, String> {
    let mut sizes = Vec::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let (name, value) = if word.starts_with("--") {
            (word, words.next().ok_or_else(|| format!("{word} has no value"))?)
        } else {
            word.split_once('=')
                .ok_or_else(|| format!("'{word}': expected --NAME VALUE or name=value"))?
        };
        sizes.push(Size { name: name.into(), value: value.into() });
    }
    Ok(sizes)
}

impl Size {
    /// The text with this value in place of every other, or `None` if the name does not occur.
    pub fn put_into(&self, text: &str) -> Option<String> {
        let option = self.name.starts_with("--");
        let (mut done, mut rest, mut found) = (String::new(), text, false);
        while let Some(at) = rest.find(&self.name) {
            let (before, after) = (&rest[..at], &rest[at + self.name.len()..]);
            let previous = before.chars().next_back().or(done.chars().next_back());
            let begins =
                previous.is_none_or(|c| c.is_whitespace() || !option && ":,;'\"".contains(c));
            let between = after.len() - after.trim_start_matches(value_begins_after(option)).len();
            done.push_str(before);
            done.push_str(&self.name);
            rest = after;
            let digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
            // `--games 100`, but not `--games FILE`.
            let same_kind = digit(&after[between..]) || !digit(&self.value);
            if begins && between > 0 && same_kind {
                found = true;
                done.push_str(&after[..between]);
                done.push_str(&self.value);
                rest = after[between..].trim_start_matches(|c: char| {
                    !(c.is_whitespace() || !option && ",;'\"".contains(c))
                });
            }
        }
        done.push_str(rest);
        found.then_some(done)
    }
}

/// What stands between a name and its value: `--games 4`, also across lines; `nodes=4`.
fn value_begins_after(option: bool) -> impl Fn(char) -> bool {
    move |c| if option { c.is_whitespace() || "=\\".contains(c) } else { c == '=' }
}

#[test]
fn clauses_say_what_they_say() {
    let text = "given a.pgn, b.obf=late.obf; needs program gnugo\n\
                sizes --games 2 movetime=1ms\nadd --set x=1 to zug learn\nexit 1 of zug play; served";
    let note = Note::read(text).unwrap();
    assert_eq!(note.given[1], Given { file: "b.obf".into(), fixture: "late.obf".into() });
    assert_eq!((note.programs.as_slice(), note.served), (&["gnugo".to_string()][..], true));
    assert_eq!(note.sizes[1], Size { name: "movetime".into(), value: "1ms".into() });
    let added = For { commands: "zug learn".into(), what: "--set x=1".into() };
    assert!(note.additions == [added] && note.exits[0].what == "1");
    let parts = |text: &str| crate::shell::split(text).unwrap();
    assert!(note.additions[0].concerns(&parts("cd x && zug learn go methods")));
    assert!(!note.additions[0].concerns(&parts("zug learner")));
    assert_eq!(Note::read("not run: it takes hours").unwrap().not_run.unwrap(), "it takes hours");
    for wrong in ["not run:", "needs gnugo", "run", "sizes --games", "add a b", "apart from that"] {
        assert!(Note::read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn sizes_stand_in_place_of_those_on_the_page() {
    let put = |name: &str, value: &str, text: &str| {
        Size { name: name.into(), value: value.into() }.put_into(text)
    };
    let text =
        "zug match zug:nodes=9,x=1 'a=zug:nodes=8' --games 100 --more-games 7 \\\n --nodes \\\n  5";
    assert_eq!(put("--games", "2", text).unwrap(), text.replace("--games 100", "--games 2"),);
    assert_eq!(
        put("nodes", "1", text).unwrap(),
        text.replace("nodes=9", "nodes=1").replace("nodes=8", "nodes=1"),
    );
    assert_eq!(put("--nodes", "6", text).unwrap(), text.replace("  5", "  6"));
    assert_eq!(put("--depth", "1", text), None);
    assert_eq!(put("--games", "2", "zug learn --games wthor.wtb"), None);
    assert_eq!(put("games", "1", text), None);
}
