//! Which move would a good player make? Learned from records, by patterns and tactics.
//!
//! Every legal move gets *features*: answers to questions about it. Some questions have few answers
//! (how many liberties will the stone have, does a ladder work, how far is the last move); others are
//! patterns, discs and squares of stones in several sizes, each known by a key. What the features of
//! a move add up to is its score, and moves are as likely as their scores say. Weights are those
//! under which the moves of the records are most likely.
//!
//! The method stands on Coulom's teams of features (2007), a generalised Bradley-Terry model, and on
//! the latent factors by which Wistuba and Schmidt-Thieme (2013) let features work together; the
//! patterns are nested, as in Stern, Herbrich and Graepel (2006), but all sizes count, not the largest
//! alone.
//!
//! | module | answers |
//! |---|---|
//! | [`geometry`] | where are the points around a point, and what are their keys in all mirror images? |
//! | [`view`] | what is on the board for the mover: stones, chains, liberties? |
//! | [`ladder`] | can a chain with two liberties be chased to its end? |
//! | [`fields`] | which questions are asked? |
//! | [`tactics`], [`surroundings`], [`features`] | what are the answers for each legal move? |
//! | [`dictionary`], [`harvest`] | which patterns have a number, and which are worth one? |
//! | [`weights`] | what do features add up to? |
//! | [`trainer`], [`learn`], [`order`] | which weights explain the records best? |
//! | [`model`], [`mod@file`], [`shipped`] | how is that kept small, and how is it asked? |

pub mod dictionary;
pub mod features;
pub mod fields;
pub mod file;
pub mod geometry;
pub mod harvest;
pub mod ladder;
pub mod learn;
pub mod model;
pub mod order;
pub mod shipped;
pub mod surroundings;
pub mod tactics;
#[cfg(test)]
mod tests;
pub mod trainer;
pub mod view;
pub mod weights;
