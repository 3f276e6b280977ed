//! A command line split into words, as a shell would, without a shell.

use std::path::Path;
use zug_core::TextError;

/// Splits at white space; single and double quotes hold words together, a backslash takes the next
/// character as it is (inside double quotes only `"` and `\`). Nothing is expanded.
pub(crate) fn split(text: &str) -> Result<Vec<String>, TextError> {
    let mut words = Vec::new();
    // None between words; an empty quoted word is a word.
    let mut word: Option<String> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some((_, q)) if q == c => break,
                        Some((_, '\\')) if c == '"' => match chars.peek() {
                            Some(&(_, next @ ('"' | '\\'))) => {
                                word.push(next);
                                chars.next();
                            }
                            _ => word.push('\\'),
                        },
                        Some((_, other)) => word.push(other),
                        None => {
                            let expected = format!("a closing {c}");
                            return Err(TextError::new(at, expected, "the end of the command"));
                        }
                    }
                }
            }
            '\\' => match chars.next() {
                Some((_, next)) => word.get_or_insert_default().push(next),
                None => {
                    return Err(TextError::new(
                        at,
                        "a character after \\",
                        "the end of the command",
                    ));
                }
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) {
        return Err(TextError::new(0, "a program to run", format!("'{text}'")));
    }
    if let Some(at) = text.find('\0') {
        return Err(TextError::new(at, "no zero bytes", "one"));
    }
    Ok(words)
}

/// The name of a program without its folders.
pub(crate) fn base_name(program: &str) -> String {
    Path::new(program).file_name().map_or(program, |n| n.to_str().unwrap_or(program)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, words: &[&str]) {
        assert_eq!(split(text).unwrap(), words, "{text}");
    }

    #[test]
    fn words_are_split_as_a_shell_would() {
        check("gnugo --mode gtp", &["gnugo", "--mode", "gtp"]);
        check("  'my engine'  -x\t\"a b\"c ''", &["my engine", "-x", "a bc", ""]);
        check(r#"a\ b "c\"d\e" 'f\g'"#, &["a b", r#"c"d\e"#, r"f\g"]);
    }

    #[test]
    fn open_quotes_and_empty_commands_are_refused() {
        assert_eq!(split("a 'b").unwrap_err().byte, 2);
        assert_eq!(split("ab\\").unwrap_err().byte, 2);
        assert!(split("  ").is_err() && split("'' x").is_err() && split("a\0").is_err());
    }

    #[test]
    fn a_program_is_known_by_its_file_name() {
        assert_eq!(base_name("/usr/games/stockfish"), "stockfish");
    }

    proptest! {
        #[test]
        fn quoted_words_come_back(words in proptest::collection::vec("[^'\0]{1,8}", 1..5)) {
            let text: Vec<String> = words.iter().map(|w| format!("'{w}'")).collect();
            prop_assert_eq!(split(&text.join(" ")).unwrap(), words);
        }

        #[test]
        fn any_text_is_split_or_refused(text in ".{0,60}") {
            let _ = split(&text);
        }
    }
}
