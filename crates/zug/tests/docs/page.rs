//! Does a page do what it says, block by block, as a person would paste it?

use crate::fences::{Block, blocks};
use crate::notes::{Note, Size};
use crate::shell::{Command, commands, split};
use crate::words;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

mod run;

/// The address in the pages, in place of which that of a server is asked.
const PAGE_SERVER: &str = "localhost:8080";

/// What a block may be: commands that are run, what a program prints or says, and source text.
const LABELS: &[&str] = &["sh", "text", "json", "rust"];

/// A block with its note.
pub struct Part {
    pub block: Block,
    pub note: Note,
}

/// The blocks of a page with their notes; or all that is wrong with them.
pub fn parts(name: &str, markdown: &str) -> Result<Vec<Part>, Vec<String>> {
    let at = |line: usize, fault: &str| format!("{name}:{line}: {fault}");
    let blocks = blocks(markdown).map_err(|(line, fault)| vec![at(line, &fault)])?;
    let mut faults = Vec::new();
    let mut parts = Vec::new();
    for block in blocks {
        match Note::read(block.note.as_deref().unwrap_or_default()) {
            Err(fault) => faults.push(at(block.line, &fault)),
            Ok(note) => {
                let fits = if block.label == "sh" { !note.printed } else { note.is_of_output() };
                if !fits {
                    faults.push(at(block.line, "this note does not fit a block with this label"));
                }
                faults.extend(label_fault(&block).map(|(line, fault)| at(line, &fault)));
                if !LABELS.contains(&block.label.as_str()) {
                    let label = &block.label;
                    faults.push(at(
                        block.line,
                        &format!("'{label}' is none of the labels {LABELS:?}"),
                    ));
                }
                parts.push(Part { block, note });
            }
        }
    }
    if faults.is_empty() { Ok(parts) } else { Err(faults) }
}

/// A line that is a command in a block that is not run.
fn label_fault(block: &Block) -> Option<(usize, String)> {
    let first = |text: &str| text.split(char::is_whitespace).next().unwrap_or_default().to_string();
    let (line, text) = block.numbered().find(|(_, text)| {
        let typed = text.strip_prefix("$ ");
        let word = first(typed.unwrap_or(text));
        let is_command = matches!(word.as_str(), "zug" | "cargo") || word.starts_with("scripts/");
        is_command && (block.label != "sh" || typed.is_some())
            || typed.is_some_and(|text| split(text).is_ok_and(|parts| has_zug(&parts)))
    })?;
    Some((line, format!("'{text}' is a command: label its block sh, without a $ in front of it")))
}

fn has_zug(parts: &[Vec<String>]) -> bool {
    parts.iter().any(|part| part[0] == "zug")
}

/// All commands of a page that the program, or the shell, would not understand.
pub fn misunderstood(name: &str, parts: &[Part]) -> Vec<String> {
    let mut faults = Vec::new();
    for part in parts.iter().filter(|part| part.block.label == "sh") {
        match commands(&part.block) {
            Err((line, fault)) => faults.push(format!("{name}:{line}: {fault}")),
            Ok(commands) => {
                for command in commands {
                    let said = words::check(&command.text);
                    faults.extend(said.err().map(|e| format!("{name}:{}: {e}", command.line)));
                }
            }
        }
    }
    faults
}

/// Changes whenever a file is written or replaced.
type Stamp = (i64, i64, u64, u64);

/// What became of the last command of a block.
enum Last {
    Printed(String),
    PassedOver,
}

/// A folder in which a page is followed.
struct Desk<'a> {
    name: &'a str,
    home: TempDir,
    folder: PathBuf,
    /// Files, and the line of the command that wrote each.
    written: BTreeMap<PathBuf, usize>,
    faults: Vec<String>,
}

/// Follows a page in a folder of its own; gives all that went wrong.
pub fn follow(name: &str, parts: &[Part]) -> Vec<String> {
    let home = tempfile::tempdir().expect("a folder");
    let bin = home.path().join("bin");
    fs::create_dir(&bin).expect("a folder for the program");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_zug"), bin.join("zug")).expect("a link");
    let mut desk =
        Desk { name, folder: PathBuf::new(), home, written: BTreeMap::new(), faults: Vec::new() };
    desk.sit_down(0);
    let mut last = None;
    for part in parts {
        if part.block.label == "sh" {
            if part.note.apart {
                desk.sit_down(part.block.line);
            }
            last = Some(desk.block(part));
            if part.note.apart {
                desk.sit_down(0);
            }
        } else if part.note.printed {
            desk.compare(part, last.as_ref());
        }
    }
    desk.faults
}

impl Desk<'_> {
    /// Goes on in the folder of this number.
    fn sit_down(&mut self, number: usize) {
        self.folder = self.home.path().join(format!("folder-{number}"));
        fs::create_dir_all(&self.folder).expect("a folder");
    }

    fn fault(&mut self, line: usize, fault: &str) {
        self.faults.push(format!("{}:{line}: {fault}", self.name));
    }

    fn pass_over(&self, line: usize, reason: &str) -> Last {
        // Not through `eprintln!`, which a passing test keeps to itself.
        let _ = writeln!(std::io::stderr(), "passed over: {}:{line}: {reason}", self.name);
        Last::PassedOver
    }

    fn block(&mut self, part: &Part) -> Last {
        let (line, note) = (part.block.line, &part.note);
        if let Some(reason) = &note.not_run {
            return self.pass_over(line, reason);
        }
        if let Some(program) =
            note.programs.iter().find(|program| run::installed(program).is_none())
        {
            return self.pass_over(line, &format!("needs the program {program}"));
        }
        for file in &note.data {
            match run::data(file) {
                Some(path) => {
                    let link = self.folder.join(file);
                    if !link.exists() {
                        std::os::unix::fs::symlink(path, link).expect("a link");
                    }
                }
                None => return self.pass_over(line, &format!("needs {file} below $ZUG_DATA")),
            }
        }
        self.lay_out(part);
        let Ok(commands) = commands(&part.block) else {
            return Last::PassedOver; // told by `misunderstood`
        };
        let mut used = vec![false; note.sizes.len()];
        let server = note.served.then(|| run::Server::start(self.home.path()));
        let mut last = Last::PassedOver;
        for command in &commands {
            let mut text = resized(&command.text, &note.sizes, &mut used);
            if let Some(server) = &server {
                text = text.replace(PAGE_SERVER, &server.address);
            }
            match self.command(command, &text, note) {
                Some(printed) => last = Last::Printed(printed),
                None => return Last::PassedOver,
            }
        }
        for (size, _) in note.sizes.iter().zip(&used).filter(|(_, used)| !**used) {
            self.fault(line, &format!("no command of this block has {}", size.name));
        }
        last
    }

    /// Lays out the files that the reader is taken to have.
    fn lay_out(&mut self, part: &Part) {
        for given in &part.note.given {
            let to = self.folder.join(&given.file);
            if self.written.contains_key(&to) {
                self.fault(part.block.line, &format!("{} was written before", given.file));
            } else if !to.exists() {
                let here = Path::new(env!("CARGO_MANIFEST_DIR"));
                let places =
                    ["tests/docs/given", "../../models"].map(|p| here.join(p).join(&given.fixture));
                copy(places.iter().find(|p| p.exists()).unwrap_or(&places[0]), &to);
            }
        }
        for command in &part.note.first {
            let run = run::Run { text: command, folder: &self.folder, home: self.home.path() };
            let ended = run.to_its_end();
            if ended.code != Some(0) {
                self.fault(
                    part.block.line,
                    &format!("{command}: {}{}", ended.stdout, ended.stderr),
                );
            }
        }
    }

    /// Runs a command and looks at what it wrote; what it printed, if all is well with it.
    fn command(&mut self, command: &Command, text: &str, note: &Note) -> Option<String> {
        let parts = split(&command.text).unwrap_or_default();
        let said = |list: &[crate::notes::For]| {
            list.iter().find(|item| item.concerns(&parts)).map(|item| item.what.clone())
        };
        let text = match said(&note.additions) {
            Some(_) if parts.len() > 1 => {
                self.fault(
                    command.line,
                    "options can be added to a command that stands alone only",
                );
                return None;
            }
            Some(more) => format!("{} {}", without_comment(text), lacking(&more, &parts)),
            None => text.to_string(),
        };
        let before = files(&self.folder);
        let begun = std::time::Instant::now();
        let run = run::Run { text: &text, folder: &self.folder, home: self.home.path() };
        let ended = match said(&note.stops) {
            // Without a shell that Ctrl-C would end first.
            Some(words) => run::Run { text: &format!("exec {text}"), ..run }.until(&words),
            None => run.to_its_end(),
        };
        if std::env::var_os("ZUG_DOCS_TIMES").is_some() {
            let _ = writeln!(
                std::io::stderr(),
                "{:6.2} s  {}:{}: {text}",
                begun.elapsed().as_secs_f64(),
                self.name,
                command.line
            );
        }
        let expected: i32 = said(&note.exits).map_or(0, |code| code.parse().expect("a code"));
        let fault = match &ended.code {
            Some(code) if *code == expected => None,
            Some(code) => Some(format!("ends with {code}, not with {expected}")),
            None => Some("does not end".to_string()),
        };
        if let Some(fault) = fault {
            let said = format!("{fault}: {text}\n{}{}", ended.stdout, ended.stderr);
            self.fault(command.line, &said);
            return None;
        }
        self.look_around(command.line, &before, &note.updates);
        Some(ended.stdout)
    }

    /// Finds files that another command of the page had written before.
    fn look_around(&mut self, line: usize, before: &BTreeMap<PathBuf, Stamp>, updates: &[String]) {
        for (path, stamp) in files(&self.folder) {
            if before.get(&path) == Some(&stamp) {
                continue;
            }
            let short = path.strip_prefix(&self.folder).unwrap_or(&path).to_path_buf();
            let earlier = self.written.insert(path.clone(), line);
            let owner = match earlier {
                Some(by) => format!("line {by}"),
                None if before.contains_key(&path) => "the reader".to_string(),
                None => continue,
            };
            let allowed = updates.iter().any(|update| short.starts_with(update));
            if !allowed && earlier != Some(line) {
                let short = short.display();
                self.fault(line, &format!("writes over {short}, which is from {owner}"));
            }
        }
        self.written.retain(|path, _| path.exists());
    }

    /// Holds a block of output against what the command before it printed.
    fn compare(&mut self, part: &Part, last: Option<&Last>) {
        let line = part.block.line;
        match last {
            None => self.fault(line, "no command stands before this output"),
            Some(Last::PassedOver) => {
                self.pass_over(line, "nothing was run that could print this");
            }
            Some(Last::Printed(printed)) => {
                if let Some(missing) = missing(&part.block.lines, printed) {
                    self.fault(line, &format!("'{missing}' is not printed here:\n{printed}"));
                }
            }
        }
    }
}

/// A command with the sizes of the note.
fn resized(text: &str, sizes: &[Size], used: &mut [bool]) -> String {
    let mut text = text.to_string();
    for (size, used) in sizes.iter().zip(used) {
        if let Some(smaller) = size.put_into(&text) {
            (text, *used) = (smaller, true);
        }
    }
    text
}

/// Those of the options that a command does not have.
fn lacking(options: &str, parts: &[Vec<String>]) -> String {
    let has = |option: &str| option != "--set" && parts.iter().flatten().any(|word| word == option);
    let mut text = String::new();
    let mut leave_out = false;
    for word in options.split_whitespace() {
        if word.starts_with("--") {
            leave_out = has(word);
        }
        if !leave_out {
            text += word;
            text.push(' ');
        }
    }
    text
}

/// A command without a comment at its end, so that words can be added.
fn without_comment(text: &str) -> &str {
    let mut ends = text.match_indices('#').map(|(at, _)| at);
    let same = |at: &usize| split(&text[..*at]).is_ok() && split(&text[..*at]) == split(text);
    ends.find(same).map_or(text, |at| text[..at].trim_end())
}

/// The first line that is not among those printed, in order; `…` stands for any number of letters, and alone on
/// a line for any number of lines.
fn missing<'a>(expected: &'a [String], printed: &str) -> Option<&'a str> {
    let mut rest = printed.lines();
    // After a gap, or at the beginning, lines may be skipped.
    let mut gap = true;
    for line in expected {
        if line.trim() == "…" {
            gap = true;
            continue;
        }
        let found = if gap {
            rest.any(|printed| looks_like(line, printed))
        } else {
            rest.next().is_some_and(|printed| looks_like(line, printed))
        };
        if !found {
            return Some(line);
        }
        gap = false;
    }
    None
}

fn looks_like(expected: &str, printed: &str) -> bool {
    let mut pieces = expected.trim_end().split('…');
    let first = pieces.next().expect("there is always one piece");
    let Some(mut rest) = printed.trim_end().strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((end, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(end)
}

/// All files below a folder, with their stamps.
fn files(folder: &Path) -> BTreeMap<PathBuf, Stamp> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                open.push(entry.path());
            } else {
                let stamp = (data.mtime(), data.mtime_nsec(), data.ino(), data.len());
                found.insert(entry.path(), stamp);
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder").flatten() {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::create_dir_all(to.parent().expect("a file in a folder")).expect("a folder");
        let bytes = fs::read(from).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
        fs::write(to, bytes).expect("a copy");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_blocks_that_are_not_run_are_found() {
        let faults = |page: &str| parts("p.md", page).err().unwrap_or_default();
        for page in [
            "```text\nzug games\n```",
            "\n\n```text\nscripts/test\n```",
            "```text\n$ cargo build\n```",
            "```console\nls\n```",
            "```\nls\n```",
            "```sh\n$ zug games\n```",
            "```text\n$ printf 'x' | zug play othello\n```",
        ] {
            assert_eq!(faults(page).len(), 1, "{page}");
        }
        assert!(faults("\n```text\nzug games\n```")[0].starts_with("p.md:3: 'zug games'"));
        for page in ["```sh\nzug games\n```", "```text\nzugzwang\n  zug x\n$ ls\n```"] {
            assert!(faults(page).is_empty(), "{page}");
        }
        assert!(faults("<!-- test: given a -->\n```text\n```")[0].contains("does not fit"));
    }

    #[test]
    fn output_may_have_gaps() {
        let lacks = |expected: &str, printed: &str| {
            let lines: Vec<String> = expected.lines().map(String::from).collect();
            missing(&lines, printed).map(String::from)
        };
        assert_eq!(lacks("b\nc", "a\nb\nc\nd"), None);
        assert_eq!(lacks("a\n…\nd", "a\nb\nc\nd"), None);
        assert_eq!(lacks("a\nc", "a\nb\nc"), Some("c".into()));
        assert_eq!(lacks("took … s, … nodes", "took 0.5 s, 17 nodes"), None);
        assert_eq!(lacks("took … s", "took 0.5 s, 17 nodes"), Some("took … s".into()));
    }

    /// What is wrong with a page, when it is followed.
    fn faults(page: &str) -> Vec<String> {
        follow("p.md", &parts("p.md", page).expect("labels are right"))
    }

    #[test]
    fn a_command_that_fails_or_never_ends_is_a_fault() {
        assert!(faults("```sh\nzug games show nim\n```").is_empty());
        let said = faults("```sh\nzug games show no-such-game\n```");
        assert!(said[0].starts_with("p.md:2: ends with 2") && said[0].contains("no-such-game"));
        let said = faults("<!-- test: sizes --games 1 -->\n```sh\nzug games\n```");
        assert!(said[0].contains("no command of this block has --games"), "{said:?}");
    }

    #[test]
    fn a_file_that_is_written_twice_is_a_fault() {
        let page = "```sh\necho 1 > a\n```\n```sh\necho 2 > b\necho 3 > a   # again\n```";
        let said = faults(page);
        assert!(
            said.len() == 1 && said[0].starts_with("p.md:6: writes over a, which is from line 2"),
            "{said:?}"
        );
        assert!(
            faults(&page.replace("```\n```sh", "```\n<!-- test: updates a -->\n```sh")).is_empty()
        );
        assert!(faults(&page.replace("```\n```sh", "```\n<!-- test: apart -->\n```sh")).is_empty());
    }

    #[test]
    fn what_is_printed_is_compared() {
        let page =
            "```sh\nzug perft othello --depth 4\n```\n<!-- test: printed -->\n```text\n244\n```\n";
        assert_eq!(faults(page), [] as [String; 0]);
        assert!(faults(&page.replace("244", "245"))[0].contains("'245' is not printed"));
        let page = "<!-- test: not run: no time -->\n".to_string() + page;
        assert!(faults(&page).is_empty());
    }
}
