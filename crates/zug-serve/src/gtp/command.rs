//! What does a line of GTP say? An optional number, a name, arguments.

/// A command as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number to echo, as it was written.
    pub id: String,
    /// The name; empty where a line holds a number alone.
    pub name: String,
    /// What follows.
    pub arguments: Vec<String>,
}

/// Reads one line; `None` where it is blank or holds a comment only, which gets no response.
///
/// As the standard asks, tabs count as spaces, other control characters as nothing, and all from
/// `#` on is a comment.
///
/// ```
/// use zug_serve::gtp::command::parse;
/// let command = parse("7 play\tblack D4 # the centre").unwrap();
/// assert_eq!((command.id.as_str(), command.name.as_str()), ("7", "play"));
/// assert_eq!(command.arguments, ["black", "D4"]);
/// assert_eq!(parse("  # nothing"), None);
/// ```
#[must_use]
pub fn parse(line: &str) -> Option<Command> {
    let clean: String = line
        .chars()
        .take_while(|&c| c != '#')
        .filter_map(|c| match c {
            '\t' => Some(' '),
            c if c.is_control() => None,
            c => Some(c),
        })
        .collect();
    let mut words = clean.split(' ').filter(|w| !w.is_empty()).map(String::from).peekable();
    words.peek()?;
    let id = words.next_if(|w| w.bytes().all(|b| b.is_ascii_digit())).unwrap_or_default();
    let name = words.next().unwrap_or_default();
    Some(Command { id, name, arguments: words.collect() })
}

/// A response: `=` or `?`, the number, the text, a blank line. Blank lines within the text would
/// end it early and are left out (but text that begins with a newline, such as a drawing, begins on
/// a line of its own); control characters are replaced.
#[must_use]
pub fn response(id: &str, answer: Result<&str, &str>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let lines: Vec<String> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect())
        .collect();
    let own_line = if text.starts_with('\n') && !lines.is_empty() { "\n" } else { "" };
    format!("{sign}{id} {own_line}{}\n\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_number_may_stand_alone_or_before_a_name() {
        let command = parse("12").unwrap();
        assert_eq!((command.id.as_str(), command.name.as_str()), ("12", ""));
        assert_eq!(parse("name").unwrap().id, "");
        assert_eq!(parse("5 6").unwrap().name, "6");
        assert_eq!(parse(" \t\u{1} # 1 name"), None);
        assert_eq!(parse("na\u{7}me").unwrap().name, "name");
    }

    #[test]
    fn responses_end_with_the_only_blank_line() {
        assert_eq!(response("3", Ok("a\n\nb\n")), "=3 a\nb\n\n");
        assert_eq!(response("", Ok("")), "= \n\n");
        assert_eq!(response("", Ok("\n\n")), "= \n\n");
        assert_eq!(response("", Ok("\na\nb")), "= \na\nb\n\n");
        assert_eq!(response("1", Err("unknown command")), "?1 unknown command\n\n");
    }

    proptest! {
        #[test]
        fn any_response_holds_exactly_one_blank_line_at_its_end(id in "[0-9]{0,5}", text: String, good: bool) {
            let text = response(&id, if good { Ok(&text) } else { Err(&text) });
            prop_assert_eq!(text.matches("\n\n").count(), 1);
            prop_assert!(text.ends_with("\n\n"));
        }

        #[test]
        fn any_line_is_read(line: String) {
            if let Some(command) = parse(&line) {
                prop_assert!(!command.id.is_empty() || !command.name.is_empty());
            }
        }
    }
}
