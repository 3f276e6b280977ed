//! A game tree: nodes with properties, in the order of the file.
//!
//! Nodes live in one list and know each other by number, so that a game of a million moves is
//! neither read nor written nor dropped by recursion.

use super::text;

/// The number of a node within its tree. The root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A property: a name of capital letters with one or more values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// `B`, `SZ`, `C`; small letters of old files are dropped (`Black` is `B`).
    pub name: String,
    /// The values as they stand between the brackets, escapes included.
    pub values: Vec<String>,
}

impl Property {
    /// A property with one value of plain text, escaped here.
    #[must_use]
    pub fn new(name: &str, value: &str) -> Property {
        Property { name: name.to_string(), values: vec![text::escape(value)] }
    }

    /// The first value as it stands.
    #[must_use]
    pub fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    /// The first value as text of one line.
    #[must_use]
    pub fn simple_text(&self) -> String {
        text::simple_text(self.value())
    }

    /// The first value as text.
    #[must_use]
    pub fn text(&self) -> String {
        text::text(self.value())
    }
}

/// A node: properties, and the nodes that follow, main line first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// In the order of the file; a name may stand more than once in broken files.
    pub properties: Vec<Property>,
    /// The nodes that follow.
    pub children: Vec<NodeId>,
}

impl Node {
    /// The first property of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|p| p.name == name)
    }
}

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Nodes of the file that were not kept.
    pub left_out: usize,
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { left_out: 0, nodes: vec![Node::default()] }
    }
}

impl Tree {
    /// A tree with an empty root.
    #[must_use]
    pub fn new() -> Tree {
        Tree::default()
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// A node; a number from another tree gives the root.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.index()).unwrap_or(&self.nodes[0])
    }

    /// A node, to change its properties.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let index = if id.index() < self.nodes.len() { id.index() } else { 0 };
        &mut self.nodes[index]
    }

    /// Adds a property to a node.
    pub fn push(&mut self, id: NodeId, property: Property) {
        self.node_mut(id).properties.push(property);
    }

    /// Adds a node after another, as its last variation.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than bytes in a file"));
        self.nodes.push(Node::default());
        self.node_mut(parent).children.push(id);
        id
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a tree has a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The nodes of the main line, root first: always the first variation.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        let mut next = Some(NodeId::ROOT);
        std::iter::from_fn(move || {
            let node = self.node(next?);
            next = node.children.first().copied();
            Some(node)
        })
    }
}
