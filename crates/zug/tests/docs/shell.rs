//! Which commands stand in a block for the shell, and of which words are they made?

use super::fences::Block;

/// One command as a person pastes it: a line, with those that continue it.
pub struct Command {
    /// Its first line on the page.
    pub line: usize,
    pub text: String,
}

/// What the text stopped in the middle of.
const OPEN_QUOTE: &str = "a quotation mark without its partner";
const OPEN_LINE: &str = "a \\ at the end of the last line";

/// The commands of a block; or the line and the fault of one that has no end.
pub fn commands(block: &Block) -> Result<Vec<Command>, (usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(Command, &str)> = None;
    for (line, text) in block.numbered() {
        let command = match open.take() {
            Some((mut command, _)) => {
                command.text.push('\n');
                command.text.push_str(text);
                command
            }
            None => Command { line, text: text.to_string() },
        };
        match split(&command.text) {
            Ok(parts) if parts.is_empty() => {}
            Ok(_) => found.push(command),
            Err(fault) => open = Some((command, fault)),
        }
    }
    match open {
        Some((command, fault)) => Err((command.line, fault.to_string())),
        None => Ok(found),
    }
}

/// The simple commands of a text, each as its words: what stands between `&&`, `|` and the like. Comments,
/// redirections and variables that are set in front of a command are left out.
pub fn split(text: &str) -> Result<Vec<Vec<String>>, &'static str> {
    let mut parts: Vec<Vec<String>> = vec![Vec::new()];
    // A word that has begun: an empty one in quotation marks counts too.
    let mut word: Option<String> = None;
    // The next word is where a redirection leads.
    let mut redirected = false;
    let mut letters = text.chars().peekable();
    let end_word = |word: &mut Option<String>, redirected: &mut bool, part: &mut Vec<String>| {
        if let Some(word) = word.take()
            && !std::mem::take(redirected)
            && !(part.is_empty() && is_variable(&word))
        {
            part.push(word);
        }
    };
    while let Some(letter) = letters.next() {
        let part = parts.last_mut().expect("there is always one");
        match letter {
            '\\' => match letters.next() {
                Some('\n') => {}
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err(OPEN_LINE),
            },
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('\'') => break,
                        Some(next) => word.push(next),
                        None => return Err(OPEN_QUOTE),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('"') => break,
                        Some('\\') if matches!(letters.peek(), Some('"' | '\\' | '$')) => {
                            word.extend(letters.next());
                        }
                        Some(next) => word.push(next),
                        None => return Err(OPEN_QUOTE),
                    }
                }
            }
            '#' if word.is_none() => while letters.next_if(|&c| c != '\n').is_some() {},
            '>' | '<' => {
                // `2>`: the number of a stream.
                word.take_if(|word| word.chars().all(|c| c.is_ascii_digit()));
                end_word(&mut word, &mut redirected, part);
                letters.next_if_eq(&letter);
                redirected = true;
            }
            '&' | '|' | ';' | '\n' => {
                end_word(&mut word, &mut redirected, part);
                letters.next_if_eq(&letter);
                parts.push(Vec::new());
            }
            _ if letter.is_whitespace() => end_word(&mut word, &mut redirected, part),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    end_word(&mut word, &mut redirected, parts.last_mut().expect("there is always one"));
    parts.retain(|part| !part.is_empty());
    Ok(parts)
}

/// `NAME=value`, as it may stand in front of a command.
fn is_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::super::fences::blocks;
    use super::*;

    #[test]
    fn texts_fall_into_commands_and_words() {
        let words = |text: &str| split(text).unwrap();
        assert_eq!(words("zug games  # what is here"), [["zug", "games"]]);
        assert_eq!(words("a 'b c'\"d\\\"e\" f\\ g ''"), [["a", "b cd\"e", "f g", ""]]);
        assert_eq!(words("a b && c d | e > f 2>/dev/null"), [&["a", "b"][..], &["c", "d"], &["e"]]);
        assert_eq!(words("PLAN=\"1 2\" \\\n  scripts/x N=1"), [["scripts/x", "N=1"]]);
        assert_eq!(words("zug match a#b --x 'y # z'"), [["zug", "match", "a#b", "--x", "y # z"]]);
        assert!(words("# only a comment").is_empty());
    }

    #[test]
    fn a_command_goes_on_where_its_line_says_so() {
        let page =
            "```sh\none a \\\n  b   # c\n\n# words\ntwo '1\n2'\nthree\n```\n```sh\nopen \\\n```\n";
        let blocks = blocks(page).unwrap();
        let found: Vec<_> =
            commands(&blocks[0]).unwrap().into_iter().map(|c| (c.line, c.text)).collect();
        let expected = [(2, "one a \\\n  b   # c"), (6, "two '1\n2'"), (8, "three")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_string())));
        assert_eq!(commands(&blocks[1]).err().map(|(line, _)| line), Some(11));
    }
}
