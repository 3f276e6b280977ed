//! How is a game tree written?

use super::tree::{NodeId, Tree};

/// Lines are broken before a node beyond this column.
const WIDTH: usize = 76;

/// Writes trees as UTF-8 (set `CA` to say so), with line breaks between nodes only, so that no
/// value changes.
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
