//! How is a game tree written?

use super::tree::{NodeId, Tree};

/// Lines are broken before a node beyond this column.
const WIDTH: usize = 76;

/// Writes trees as UTF-8, with line breaks between nodes only, so that no value changes but for that
/// of `CA`: where it names the charset that a tree was read in, it now says UTF-8.
#[must_use]
pub fn write_collection(trees: &[Tree]) -> String {
    let mut out = String::new();
    for tree in trees {
        write_tree(tree, &mut out);
        out.push('\n');
    }
    out
}

enum Step {
    Node(NodeId),
    Open(NodeId),
    Close,
}

fn write_tree(tree: &Tree, out: &mut String) {
    let mut line_begin = out.len();
    let mut todo = vec![Step::Open(NodeId::ROOT)];
    while let Some(step) = todo.pop() {
        if out.len() - line_begin > WIDTH && !matches!(step, Step::Close) {
            out.push('\n');
            line_begin = out.len();
        }
        match step {
            Step::Close => out.push(')'),
            Step::Open(id) => {
                out.push('(');
                todo.push(Step::Close);
                todo.push(Step::Node(id));
            }
            Step::Node(id) => {
                out.push(';');
                let node = tree.node(id);
                for property in &node.properties {
                    out.push_str(&property.name);
                    if property.name == "CA" {
                        out.push_str("[UTF-8]");
                        continue;
                    }
                    for value in &property.values {
                        out.push('[');
                        out.push_str(value);
                        out.push(']');
                    }
                }
                match node.children[..] {
                    [only] => todo.push(Step::Node(only)),
                    _ => todo.extend(node.children.iter().rev().map(|&c| Step::Open(c))),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::read_collection;

    #[test]
    fn a_tree_read_in_another_charset_says_that_it_is_utf_8_now() {
        let trees: Vec<Tree> =
            read_collection(b"(;CA[Shift_JIS]C[\x95\x5c])").into_iter().flatten().collect();
        let written = write_collection(&trees);
        assert_eq!(written, "(;CA[UTF-8]C[\u{8868}])\n");
        let again: Vec<Tree> = read_collection(written.as_bytes()).into_iter().flatten().collect();
        assert_eq!(again[0].root().get("C"), trees[0].root().get("C"));
    }
}
