//! What has been learned: patterns by stage, the best first, with what was counted for each.

use super::settings::{Settings, Value, stage_of};
use super::shapes::{Room, Shape, Shapes};
use crate::point::Point;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::io::Write;
use std::ops::Range;
use zug_core::container::{Container, ContainerError, Writer};
use zug_learn::face::TaskError;

/// How the sections of a model are to be understood.
pub const LAYOUT: &str = "go-knn/1";

/// A move, and the best pattern that proposes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Where.
    pub point: Point,
    /// The number of the pattern: smaller ones are better.
    pub pattern: u32,
}

/// What was counted for one pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How often it matched.
    pub matched: u32,
    /// How often its move was then played.
    pub played: u32,
}

impl Counts {
    /// The value that orders patterns.
    #[must_use]
    pub fn value(self, kind: Value) -> f64 {
        if self.matched == 0 {
            return 0.0;
        }
        let n = f64::from(self.matched);
        let share = f64::from(self.played) / n;
        match kind {
            Value::Share | Value::LeaveOut => share,
            Value::Lower => {
                // Wilson's interval at 95 %.
                let z2 = 1.959_963_984_540_054f64.powi(2);
                let spread = (z2 * (share * (1.0 - share) / n + z2 / (4.0 * n * n))).sqrt();
                ((share + z2 / (2.0 * n) - spread) / (1.0 + z2 / n)).max(0.0)
            }
        }
    }
}

/// Patterns of one board size. They are numbered stage by stage, and within a stage from the best to the
/// worst: by value, then by how often they were played, then by their words.
#[derive(Clone, Debug, PartialEq)]
pub struct Database {
    about: About,
    shapes: Shapes,
    rooms: Vec<Room>,
    counts: Vec<Counts>,
    /// The end of each stage.
    ends: Vec<usize>,
}

/// What must be known of a board to ask the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    size: usize,
    /// The last moves of all stages but the open one.
    stages: Vec<u32>,
    ko: bool,
    lower: bool,
}

impl Database {
    /// Keeps the patterns that pass the filters, in order.
    pub(super) fn new(
        settings: &Settings,
        shapes: &Shapes,
        rooms: &[Room],
        counts: &[Counts],
    ) -> Database {
        let value = |i: u32| counts[i as usize].value(settings.value);
        let keeps = |&i: &u32| {
            counts[i as usize].matched >= settings.support && value(i) >= settings.confidence
        };
        let mut order: Vec<u32> = (0..shapes.len() as u32).filter(keeps).collect();
        order.sort_by(|&a, &b| -> Ordering {
            let stage = |i: u32| shapes.get(i as usize).stage();
            let played = |i: u32| counts[i as usize].played;
            // Numbers follow the words of patterns, so equal ones keep that order.
            stage(a)
                .cmp(&stage(b))
                .then_with(|| value(b).total_cmp(&value(a)))
                .then_with(|| played(b).cmp(&played(a)))
        });
        let about = About {
            size: settings.size,
            stages: settings.stages.clone(),
            ko: settings.ko,
            lower: settings.value == Value::Lower,
        };
        let pick = |i: &u32| *i as usize;
        Database {
            ends: stage_ends(&shapes.select(&order), settings.stage_count()),
            about,
            shapes: shapes.select(&order),
            rooms: order.iter().map(|i| rooms[pick(i)]).collect(),
            counts: order.iter().map(|i| counts[pick(i)]).collect(),
        }
    }

    /// Points along an edge.
    #[must_use]
    pub fn size(&self) -> usize {
        self.about.size
    }

    /// How many patterns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// None?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The patterns.
    #[must_use]
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// Where the move of a pattern may lie, in its own frame.
    #[must_use]
    pub fn room(&self, number: usize) -> Room {
        self.rooms[number]
    }

    /// What was counted for a pattern.
    #[must_use]
    pub fn counts(&self, number: usize) -> Counts {
        self.counts[number]
    }

    /// What a pattern is worth.
    #[must_use]
    pub fn value(&self, number: usize) -> f64 {
        let kind = if self.about.lower { Value::Lower } else { Value::Share };
        self.counts[number].value(kind)
    }

    /// The stage of a move, by its number in the game from 1.
    #[must_use]
    pub fn stage(&self, number: u32) -> usize {
        stage_of(&self.about.stages, number)
    }

    /// How many stages there are.
    #[must_use]
    pub fn stage_count(&self) -> usize {
        self.ends.len()
    }

    /// The numbers of the patterns of a stage.
    #[must_use]
    pub fn stage_range(&self, stage: usize) -> Range<usize> {
        let begin = stage.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin..self.ends[stage]
    }

    /// Do patterns know of ko?
    #[must_use]
    pub fn knows_ko(&self) -> bool {
        self.about.ko
    }

    /// How many patterns have each number of stones and sides, from 0 on.
    #[must_use]
    pub fn histogram(&self) -> Vec<usize> {
        histogram(&self.shapes)
    }

    /// Bytes in memory, without a tree.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shapes.bytes()
            + self.rooms.capacity() * size_of::<Room>()
            + self.counts.capacity() * size_of::<Counts>()
    }

    /// Writes it as sections of a model.
    pub fn write<W: Write>(&self, writer: &mut Writer<W>) -> Result<(), ContainerError> {
        let about = serde_json::to_vec(&self.about).unwrap_or_default();
        let (words, starts) = self.shapes.parts();
        let rooms: Vec<u8> = self.rooms.iter().flat_map(|r| [r.x.0, r.x.1, r.y.0, r.y.1]).collect();
        let column = |of: fn(&Counts) -> u32| self.counts.iter().map(of).collect::<Vec<u32>>();
        writer.bytes("about", &about)?;
        writer.array("words", words)?;
        writer.array("starts", starts)?;
        writer.array("rooms", &rooms)?;
        writer.array("matched", &column(|c| c.matched))?;
        writer.array("played", &column(|c| c.played))
    }

    /// Reads what [`write`](Database::write) wrote, and checks it.
    pub fn read(file: &Container) -> Result<Database, TaskError> {
        let unfit = |what: &str| TaskError::Unfit(format!("{}: {what}", file.file()));
        let about = file.section("about").and_then(|s| s.bytes(MOST_ABOUT));
        let about: About = serde_json::from_slice(&about.map_err(TaskError::below)?)
            .map_err(|e| unfit(&format!("section 'about': {e}")))?;
        let rising = about.stages.windows(2).all(|pair| pair[0] < pair[1]);
        if !(2..=19).contains(&about.size) || about.stages.len() > 7 || !rising {
            return Err(unfit(
                "expected a board of 2 to 19 lines and at most 8 stages that follow each other",
            ));
        }
        let stages = about.stages.len() + 1;
        fn section<T: zug_core::container::Element>(
            file: &Container,
            name: &str,
        ) -> Result<Vec<T>, TaskError> {
            file.section(name).and_then(|s| s.array(MOST)).map_err(TaskError::below)
        }
        let (words, starts) = (section(file, "words")?, section(file, "starts")?);
        let shapes = Shapes::of_parts(words, starts, about.size, stages)
            .ok_or_else(|| unfit("its patterns make no sense"))?;
        let rooms: Vec<u8> = section(file, "rooms")?;
        let (matched, played): (Vec<u32>, Vec<u32>) =
            (section(file, "matched")?, section(file, "played")?);
        let n = shapes.len();
        let in_order = (1..n).all(|i| shapes.get(i - 1).stage() <= shapes.get(i).stage());
        if rooms.len() != 4 * n || matched.len() != n || played.len() != n || !in_order {
            return Err(unfit("the lengths or the order of its sections do not fit"));
        }
        let rooms: Vec<Room> =
            rooms.chunks_exact(4).map(|r| Room { x: (r[0], r[1]), y: (r[2], r[3]) }).collect();
        let fits = |(shape, room): (Shape<'_>, &Room)| {
            let most = shape.room(about.size);
            let inside = |(low, high): (u8, u8), most: (u8, u8)| {
                most.0 <= low && low <= high && high <= most.1
            };
            // Sides alone say where a pattern that has any may lie.
            let tied = shape.column().is_some();
            inside(room.x, most.x) && inside(room.y, most.y) && (!tied || *room == most)
        };
        if !shapes.iter().zip(&rooms).all(fits) {
            return Err(unfit("a pattern has no room, or more than its board"));
        }
        let counts = matched.iter().zip(&played);
        Ok(Database {
            ends: stage_ends(&shapes, stages),
            about,
            shapes,
            rooms,
            counts: counts.map(|(&matched, &played)| Counts { matched, played }).collect(),
        })
    }
}

/// Items of the longest section.
const MOST: u64 = 1 << 30;
/// Bytes of what must be known of a board.
const MOST_ABOUT: u64 = 1 << 16;

fn stage_ends(shapes: &Shapes, stages: usize) -> Vec<usize> {
    let mut ends = vec![0; stages];
    shapes.iter().for_each(|shape| ends[shape.stage()] += 1);
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    ends
}

/// How many patterns have each number of stones and sides, from 0 on.
pub(super) fn histogram(shapes: &Shapes) -> Vec<usize> {
    let mut counts = Vec::new();
    for shape in shapes.iter() {
        let k = shape.k();
        if counts.len() <= k {
            counts.resize(k + 1, 0);
        }
        counts[k] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_patterns_are_worth_less_by_their_lower_bound() {
        let few = Counts { matched: 3, played: 1 };
        let many = Counts { matched: 300, played: 90 };
        assert!(few.value(Value::Share) > many.value(Value::Share));
        assert!(few.value(Value::Lower) < many.value(Value::Lower));
        // From a table: one of three is between 6.1 % and 79 %.
        assert!((few.value(Value::Lower) - 0.0615).abs() < 1e-4);
        assert_eq!(Counts::default().value(Value::Lower), 0.0);
    }
}
