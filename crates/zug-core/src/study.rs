//! A game with everything that was tried and said about it: a tree of moves.
//!
//! A [`Record`] is what was played. A [`Study`] also has what could have been played instead, remarks
//! before the first move, and marks such as "a blunder". Formats that can hold all that (PGN, SGF, the
//! plain text) read and write studies; the others do it with the main line alone.
//!
//! ```
//! use zug_core::study::{Mark, Study, ROOT};
//! let mut study = Study::default();
//! let first = study.add(ROOT, "f5");
//! let second = study.add(first, "f4");
//! study.node_mut(second).mark = Some(Mark::Mistake);
//! study.add(first, "d6");
//! let played: Vec<_> = study.main_line().moves.into_iter().map(|m| m.text).collect();
//! assert_eq!(played, ["f5", "f4"]);
//! ```

use crate::{Record, RecordMove};

/// What a move is worth in the eyes of whoever wrote the remarks. The numbers are those of PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Mark {
    /// "!"
    Good = 1,
    /// "?"
    Mistake = 2,
    /// "!!"
    Brilliant = 3,
    /// "??"
    Blunder = 4,
    /// "!?"
    Interesting = 5,
    /// "?!"
    Doubtful = 6,
}

impl Mark {
    /// All of them, in the order of their numbers.
    pub const ALL: [Mark; 6] = [
        Mark::Good,
        Mark::Mistake,
        Mark::Brilliant,
        Mark::Blunder,
        Mark::Interesting,
        Mark::Doubtful,
    ];

    /// By the number that PGN gives it.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Mark> {
        Mark::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// "!", "?", "!!", "??", "!?", "?!".
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Good => "!",
            Mark::Mistake => "?",
            Mark::Brilliant => "!!",
            Mark::Blunder => "??",
            Mark::Interesting => "!?",
            Mark::Doubtful => "?!",
        }
    }

    /// By its sign.
    #[must_use]
    pub fn from_sign(sign: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.sign() == sign)
    }
}

/// The node before the first move.
pub const ROOT: usize = 0;

/// How much of a game is kept in memory. Files come from anywhere, and a game of a few megabytes may have a
/// million variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Moves, remarks, glyphs, tags and properties together. Variations beyond are left out, and counted; a game
    /// whose main line does not fit is an error.
    pub parts: usize,
}

impl Bounds {
    /// Everything is kept.
    pub const NONE: Bounds = Bounds { parts: usize::MAX };
}

/// A move of a study. Nodes are many, so they are linked to each other by short numbers and not by lists.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Node {
    /// The move in the game's notation; nothing at the root.
    pub text: Box<str>,
    /// A remark: words for people, and [commands](crate::commands) for programs, drawings among them.
    pub comment: Option<String>,
    /// What it is worth.
    pub mark: Option<Mark>,
    parent: u32,
    /// What follows first and last, and what else follows the parent; 0 for nothing, since nothing leads to the root.
    first: u32,
    last: u32,
    next: u32,
}

impl Node {
    /// The node that it follows; the root follows itself.
    #[must_use]
    pub fn parent(&self) -> usize {
        self.parent as usize
    }

    /// What follows in the main line.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        (self.first > 0).then_some(self.first as usize)
    }
}

/// A game with its variations. Nodes live in one list, and each comes after the one that it follows, so
/// that the longest game is neither read nor written nor dropped by recursion.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Who played what from where, with which result. It has no moves: those are in the tree.
    pub head: Record,
    /// Moves of variations that were not kept: see [`Bounds`].
    pub left_out: usize,
    nodes: Vec<Node>,
}

impl Default for Study {
    fn default() -> Study {
        Study::new(Record::default())
    }
}

impl Study {
    /// Without moves; those of `head` are dropped.
    #[must_use]
    pub fn new(head: Record) -> Study {
        let head = Record { moves: Vec::new(), ..head };
        Study { head, left_out: 0, nodes: vec![Node::default()] }
    }

    /// What was played, and nothing else.
    #[must_use]
    pub fn of_record(mut record: Record) -> Study {
        let moves = std::mem::take(&mut record.moves);
        let mut study = Study::new(record);
        let mut at = ROOT;
        for RecordMove { text, comment } in moves {
            at = study.add(at, text);
            study.nodes[at].comment = comment;
        }
        study
    }

    /// Adds a move after a node, as its last variation.
    ///
    /// # Panics
    /// Where there is no node of that number.
    pub fn add(&mut self, parent: usize, text: impl Into<Box<str>>) -> usize {
        let short = |id: usize| u32::try_from(id).expect("fewer nodes than bytes in a file");
        let id = self.nodes.len();
        let above = &mut self.nodes[parent];
        let before = std::mem::replace(&mut above.last, short(id));
        if before == 0 {
            above.first = short(id);
        } else {
            self.nodes[before as usize].next = short(id);
        }
        self.nodes.push(Node { parent: short(parent), text: text.into(), ..Node::default() });
        id
    }

    /// What follows a node, the main line first.
    pub fn children(&self, id: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.nodes[id].first(), |&id| self.next(id))
    }

    fn next(&self, id: usize) -> Option<usize> {
        Some(self.nodes[id].next as usize).filter(|&next| next > 0)
    }

    /// All nodes, the root first.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node, to change what is said about it.
    ///
    /// # Panics
    /// Where there is no node of that number.
    pub fn node_mut(&mut self, id: usize) -> &mut Node {
        &mut self.nodes[id]
    }

    /// Adds to what is said about a node.
    pub fn say(&mut self, id: usize, text: &str) {
        match &mut self.nodes[id].comment {
            Some(comment) => {
                comment.push(' ');
                comment.push_str(text);
            }
            none => *none = Some(text.to_string()),
        }
    }

    /// Was something else tried than what was played?
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.first != node.last)
    }

    /// The nodes of the main line after the root.
    pub fn main_nodes(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.nodes[ROOT].first(), |&id| self.nodes[id].first())
    }

    /// What was played, with its remarks.
    #[must_use]
    pub fn main_line(&self) -> Record {
        let played = |id: usize| RecordMove {
            text: self.nodes[id].text.to_string(),
            comment: self.nodes[id].comment.clone(),
        };
        Record { moves: self.main_nodes().map(played).collect(), ..self.head.clone() }
    }

    /// Visits the tree in the order in which it is written: a move, then what could have been played
    /// instead of it, each to its end, then what follows it. `visit` hears of every step, and nothing is
    /// called from within itself, however deep variations lie in each other.
    pub fn walk<E>(&self, mut visit: impl FnMut(Step<'_>) -> Result<(), E>) -> Result<(), E> {
        enum Task {
            /// Everything that may follow a node.
            After(usize),
            /// A variation, and those after it.
            Open(usize),
            Close,
        }
        let mut tasks = vec![Task::After(ROOT)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::After(id) => {
                    let Some(main) = self.nodes[id].first() else { continue };
                    visit(Step::Move(main, &self.nodes[main]))?;
                    tasks.push(Task::After(main));
                    tasks.extend(self.next(main).map(Task::Open));
                }
                Task::Open(id) => {
                    visit(Step::Open(self.nodes[id].parent()))?;
                    visit(Step::Move(id, &self.nodes[id]))?;
                    tasks.extend(self.next(id).map(Task::Open));
                    tasks.push(Task::Close);
                    tasks.push(Task::After(id));
                }
                Task::Close => visit(Step::Close)?,
            }
        }
        Ok(())
    }
}

/// A step of [`Study::walk`].
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A move: its number and what it is.
    Move(usize, &'a Node),
    /// A variation begins after the node of this number.
    Open(usize),
    /// It ends.
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Study {
        let mut study = Study::default();
        let a = study.add(ROOT, "a");
        let b = study.add(a, "b");
        let other = study.add(a, "x");
        study.add(other, "y");
        study.add(other, "z");
        study.add(b, "c");
        study.add(ROOT, "q");
        study
    }

    #[test]
    fn a_study_is_walked_as_it_is_written() {
        let mut text = String::new();
        let _ = example().walk(|step| {
            match step {
                Step::Move(_, node) => text.push_str(&node.text),
                Step::Open(_) => text.push('('),
                Step::Close => text.push(')'),
            }
            Ok::<(), ()>(())
        });
        assert_eq!(text, "a(q)b(xy(z))c");
    }

    #[test]
    fn the_main_line_is_always_the_first_move() {
        let study = example();
        let line = study.main_line();
        let moves: Vec<&str> = line.moves.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(moves, ["a", "b", "c"]);
        assert!(study.has_variations());
        assert_eq!(study.children(1).collect::<Vec<_>>(), [2, 3]);
        assert_eq!((study.nodes()[3].parent(), study.children(6).count()), (1, 0));
        assert!(!Study::of_record(line.clone()).has_variations());
        assert_eq!(Study::of_record(line.clone()).main_line(), line);
    }

    #[test]
    fn a_line_of_a_million_moves_costs_no_stack() {
        let mut study = Study::default();
        let mut at = ROOT;
        for _ in 0..500_000 {
            let next = study.add(at, "a");
            study.add(at, "b");
            at = next;
        }
        let mut moves = 0;
        let _ = study.walk(|step| {
            moves += usize::from(matches!(step, Step::Move(..)));
            Ok::<(), ()>(())
        });
        assert_eq!(moves, 1_000_000);
    }

    #[test]
    fn a_node_is_small() {
        assert!(size_of::<Node>() <= 64, "{}", size_of::<Node>());
    }

    #[test]
    fn marks_have_the_numbers_and_signs_of_chess_players() {
        for mark in Mark::ALL {
            assert_eq!(Mark::from_number(mark as u8), Some(mark));
            assert_eq!(Mark::from_sign(mark.sign()), Some(mark));
        }
        assert_eq!((Mark::from_number(0), Mark::from_number(7)), (None, None));
        assert_eq!(Mark::from_number(4).map(Mark::sign), Some("??"));
    }
}
