//! Which fenced blocks does a page of Markdown hold, and what is noted about each?

/// Lines between two fences.
pub struct Block {
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The word behind the fence: `sh`, `text`, or nothing.
    pub label: String,
    /// The lines, without the indentation of the fence.
    pub lines: Vec<String>,
    /// The text of the comment `<!-- test: … -->` above the fence.
    pub note: Option<String>,
}

impl Block {
    /// The lines with their numbers on the page.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines.iter().enumerate().map(|(i, text)| (self.line + 1 + i, text.as_str()))
    }
}

/// The blocks of a page; or the line and the fault of what can be none.
pub fn blocks(markdown: &str) -> Result<Vec<Block>, (usize, String)> {
    let mut blocks = Vec::new();
    let mut note: Option<(usize, String)> = None;
    let mut lines = markdown.lines().enumerate().map(|(i, text)| (i + 1, text));
    while let Some((number, line)) = lines.next() {
        let text = line.trim_start();
        if let Some(comment) = text.strip_prefix("<!-- test:") {
            if note.is_some() {
                return Err((number, "two notes for one block".into()));
            }
            let mut whole = comment.to_string();
            while !whole.contains("-->") {
                let (_, more) = lines.next().ok_or((number, "a note without -->".to_string()))?;
                whole.push('\n');
                whole.push_str(more);
            }
            let (inside, rest) = whole.split_once("-->").expect("the loop has found it");
            if !rest.trim().is_empty() {
                return Err((number, "text behind the --> of a note".into()));
            }
            note = Some((number, inside.to_string()));
            continue;
        }
        let marks = text.chars().take_while(|&c| c == '`').count();
        if marks < 3 {
            match &note {
                Some((at, _)) if !text.is_empty() => {
                    return Err((*at, "a note that stands above no block".into()));
                }
                _ => continue,
            }
        }
        let indent = line.len() - text.len();
        let mut block = Block {
            line: number,
            label: text[marks..].trim().to_string(),
            lines: Vec::new(),
            note: note.take().map(|(_, text)| text),
        };
        loop {
            let (_, line) = lines.next().ok_or((number, "a block without an end".to_string()))?;
            let end = line.trim();
            if end.len() >= marks && end.chars().all(|c| c == '`') {
                break;
            }
            let spaces = line.chars().take(indent).take_while(|c| *c == ' ').count();
            block.lines.push(line[spaces..].to_string());
        }
        blocks.push(block);
    }
    match note {
        Some((at, _)) => Err((at, "a note that stands above no block".into())),
        None => Ok(blocks),
    }
}

/// What stands in backticks outside the blocks, with the first line of its paragraph; line ends are spaces.
pub fn spans(markdown: &str, blocks: &[Block]) -> Vec<(usize, String)> {
    let inside =
        |line: usize| blocks.iter().any(|b| (b.line..=b.line + b.lines.len() + 1).contains(&line));
    let mut spans = Vec::new();
    let (mut begin, mut paragraph) = (1, String::new());
    let mut end = |begin: usize, paragraph: &mut String| {
        let text = std::mem::take(paragraph);
        spans.extend(text.split('`').skip(1).step_by(2).map(|span| (begin, span.to_string())));
    };
    for (number, line) in markdown.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        // A row of a table stands for itself.
        if line.is_empty() || line.starts_with('|') || inside(number) {
            end(begin, &mut paragraph);
        }
        if paragraph.is_empty() {
            begin = number;
        }
        if !inside(number) {
            paragraph.push_str(line);
            paragraph.push(' ');
        }
    }
    end(begin, &mut paragraph);
    spans
}

#[test]
fn words_in_backticks_are_found_across_lines() {
    let page = "a `b` c `d\n e` f\n\n```sh\nx `y`\n```\n| `1` | 2 |\n| 3 | `4` |\n";
    let expected = [(1, "b"), (1, "d e"), (7, "1"), (8, "4")];
    let found = spans(page, &blocks(page).unwrap());
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_string())));
}

#[test]
fn blocks_come_with_label_place_and_note() {
    let page = "text\n\n```sh\nzug games\n\nzug man\n```\n\n<!-- test: given a.txt\nneeds data b -->\n\
                ```json\n{}\n```\n1. list\n\n   ````\n   one\n     ```\n   ````\n";
    let found = blocks(page).unwrap();
    let told: Vec<_> =
        found.iter().map(|b| (b.line, b.label.as_str(), b.lines.join("|"))).collect();
    let expected = [(3, "sh", "zug games||zug man"), (11, "json", "{}"), (16, "", "one|  ```")];
    assert_eq!(told, expected.map(|(line, label, text)| (line, label, text.to_string())));
    assert_eq!(found[1].note.as_deref(), Some(" given a.txt\nneeds data b "));
    assert_eq!(found[0].note, None);
    assert_eq!(found[0].numbered().nth(2), Some((6, "zug man")));
}

#[test]
fn notes_and_blocks_that_lead_nowhere_are_found() {
    for (page, line) in [
        ("a\n```sh\nzug games\n", 2),
        ("<!-- test: apart -->\ntext\n```sh\n```\n", 1),
        ("\n<!-- test: apart -->\n", 2),
        ("<!-- test: apart\n", 1),
        ("<!-- test: apart -->\n<!-- test: apart -->\n```\n```\n", 2),
    ] {
        assert_eq!(blocks(page).err().map(|(at, _)| at), Some(line), "{page}");
    }
}
