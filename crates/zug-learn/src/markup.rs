//! Text inside markup: escaping it on the way out, and a checker that reads pages and drawings back
//! to make sure that every tag is closed and no text became one.

use std::fmt::Write as _;

/// Text as content or as an attribute in double quotes. Characters that markup does not permit
/// become the replacement character.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

/// A coordinate: one decimal is a tenth of a pixel, and `-0` is 0.
pub(crate) fn coordinate(out: &mut String, value: f64) {
    let tenths = (value * 10.0).round();
    let _ = write!(out, "{}", if tenths == 0.0 { 0.0 } else { tenths / 10.0 });
}

/// Checks that markup is well-formed: tags nest and close, attributes are quoted and not repeated,
/// entities are known, nothing comes after the end. A doctype may lead; comments are not used here
/// and hence not permitted.
///
/// # Errors
/// Says what is wrong, and at which byte.
pub fn check(text: &str) -> Result<(), String> {
    let mut rest = text.strip_prefix("<!DOCTYPE html>").unwrap_or(text);
    let mut open: Vec<&str> = Vec::new();
    let mut roots = 0;
    loop {
        let at = text.len() - rest.len();
        let Some(start) = rest.find('<') else {
            check_text(rest, at, open.is_empty())?;
            break;
        };
        check_text(&rest[..start], at, open.is_empty())?;
        let at = at + start;
        rest = &rest[start + 1..];
        let end = tag_end(rest).ok_or(format!("byte {at}: a tag that does not end"))?;
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(expected) if expected == name => {}
                other => return Err(format!("byte {at}: </{name}> where {other:?} is open")),
            }
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
        let name = tag.split_whitespace().next().unwrap_or("");
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(format!("byte {at}: {name:?} is not the name of a tag"));
        }
        check_attributes(&tag[name.len()..]).map_err(|e| format!("byte {at}, <{name}>: {e}"))?;
        roots += usize::from(open.is_empty());
        if !closed && name == "script" {
            // What a browser takes as it is, up to the end of the script.
            let end = rest.find("</script>").ok_or(format!("byte {at}: a script without end"))?;
            rest = &rest[end + "</script>".len()..];
        } else if !closed {
            open.push(name);
        }
    }
    match (open.last(), roots) {
        (Some(name), _) => Err(format!("<{name}> is never closed")),
        (None, 1) => Ok(()),
        (None, n) => Err(format!("{n} outermost elements instead of one")),
    }
}

/// The end of a tag: the first `>` outside quotes.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quoted = false;
    tag.char_indices().find_map(|(i, c)| {
        quoted ^= c == '"';
        (c == '>' && !quoted).then_some(i)
    })
}

fn check_text(text: &str, at: usize, outside: bool) -> Result<(), String> {
    if outside && !text.trim().is_empty() {
        return Err(format!("byte {at}: text outside the outermost element"));
    }
    if text.contains('>') {
        return Err(format!("byte {at}: a bare >"));
    }
    for (i, _) in text.match_indices('&') {
        let entity = text[i..].split_inclusive(';').next().unwrap_or("");
        if !["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].contains(&entity) {
            return Err(format!("byte {}: a bare & or an unknown entity", at + i));
        }
    }
    match text.chars().find(|c| c.is_control() && !matches!(c, '\t' | '\n')) {
        Some(c) => Err(format!("byte {at}: the character {c:?}")),
        None => Ok(()),
    }
}

fn check_attributes(mut rest: &str) -> Result<(), String> {
    let mut seen = Vec::new();
    while !rest.trim_start().is_empty() {
        if !rest.starts_with(char::is_whitespace) {
            return Err("no space before an attribute".into());
        }
        let (name, value) =
            rest.trim_start().split_once("=\"").ok_or("an attribute without =\"")?;
        let (value, after) = value.split_once('"').ok_or("a quote that does not end")?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-:".contains(c)) {
            return Err(format!("{name:?} is not the name of an attribute"));
        }
        if value.contains('<') {
            return Err(format!("a bare < in {name}"));
        }
        check_text(value, 0, false)?;
        if seen.contains(&name) {
            return Err(format!("{name} twice"));
        }
        seen.push(name);
        rest = after;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_checker_finds_what_is_wrong() {
        assert_eq!(
            check("<!DOCTYPE html>\n<a b=\"1 &gt; 0\" c=\"d\"><e f=\"g\"/>x &amp; y</a>\n"),
            Ok(())
        );
        for bad in [
            "",
            "<a>",
            "<a></b>",
            "<a></a><b></b>",
            "<a><b></a></b>",
            "<a b=c></a>",
            "<a b=\"c></a>",
            "<a b=\"1\" b=\"2\"></a>",
            "<a>&nbsp;</a>",
            "<a>x & y</a>",
            "<a>1 > 0</a>",
            "x<a></a>",
            "<a b=\"<\"></a>",
            "<a>\u{7}</a>",
            "<a b=\"1\"c=\"2\"></a>",
            "<></>",
            "</a>",
            "<a><script>1 < 2</a>",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn escaped_text_is_never_markup(text in any::<String>()) {
            let escaped = escape(&text);
            let page = format!("<p title=\"{escaped}\">{escaped}</p>");
            prop_assert_eq!(check(&page), Ok(()));
        }
    }
}
