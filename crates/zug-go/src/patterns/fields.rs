//! What is looked at, and how many answers has each question?
//!
//! A *field* is a question about a move; a *feature* is an answer. Fields of tactics and places have
//! few answers and a fixed number for each; fields of patterns have as many as games hold, and
//! their answers are keys.

/// The fields with few answers: name, answers.
pub const FIELDS: [(&str, u32); COUNT] = [
    ("place", 55 * 7),
    ("near", 18 * 18),
    ("chain-distance", 12 * 12),
    ("answer", 47 * 5),
    ("follow", 47 * 5),
    ("liberties", 7 * 5 * 2),
    ("capture", 6 * 2 * 2 * 2),
    ("rescue", 6 * 4),
    ("atari", 6 * 2 * 2 * 2),
    ("self-atari", 6 * 4),
    ("fight", 6 * 6 * 5),
    ("weakest-other", 6 * 6 * 2),
    ("weakest-own", 6 * 6 * 2),
    ("touch", 5 * 5 * 2),
    ("nearest", 12 * 12 * 4),
    ("influence", 9 * 6),
    ("ko", 4),
    ("stage", 20),
    ("context", 6 * 4 * 2 * 2),
    ("alarm", 4 * 4),
];

/// How many fields have few answers.
pub const COUNT: usize = 20;

/// How many of them, the last ones, have the same answer for all moves of a position.
pub const SHARED: usize = 3;

/// The first feature of each field; the last number is how many features there are.
pub const FIRST: [u32; COUNT + 1] = {
    let mut first = [0; COUNT + 1];
    let mut i = 0;
    while i < COUNT {
        first[i + 1] = first[i] + FIELDS[i].1;
        i += 1;
    }
    first
};

/// Features of fields with few answers.
pub const PLAIN: usize = FIRST[COUNT] as usize;

/// Discs of colours around the move, by their widest distance.
pub const SHAPES: [usize; 12] = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16];
/// Discs of colours and liberties.
pub const BREATHS: [usize; 4] = [3, 4, 5, 6];
/// Discs of colours in which the last two moves are marked.
pub const MARKED: [usize; 6] = [4, 5, 6, 7, 8, 10];
/// Discs around the last move, with the place of the answer.
pub const REPLIES: [usize; 5] = [4, 5, 6, 7, 8];
/// Squares in a corner.
pub const CORNERS: [usize; 3] = [7, 9, 11];

/// Where each kind of pattern begins in the list of keys.
pub const AT_SHAPES: usize = 0;
/// See [`BREATHS`].
pub const AT_BREATHS: usize = AT_SHAPES + SHAPES.len();
/// See [`MARKED`].
pub const AT_MARKED: usize = AT_BREATHS + BREATHS.len();
/// See [`REPLIES`].
pub const AT_REPLIES: usize = AT_MARKED + MARKED.len();
/// See [`CORNERS`].
pub const AT_CORNERS: usize = AT_REPLIES + REPLIES.len();
/// The whole board.
pub const AT_BOARD: usize = AT_CORNERS + CORNERS.len();
/// How many fields are patterns.
pub const KEYS: usize = AT_BOARD + 1;

/// The name of a field of patterns.
#[must_use]
pub fn key_name(field: usize) -> String {
    let lists: [(&str, usize, &[usize]); 5] = [
        ("shape", AT_SHAPES, &SHAPES),
        ("breath", AT_BREATHS, &BREATHS),
        ("marked", AT_MARKED, &MARKED),
        ("reply", AT_REPLIES, &REPLIES),
        ("corner", AT_CORNERS, &CORNERS),
    ];
    for (name, first, widths) in lists {
        if let Some(width) = field.checked_sub(first).and_then(|i| widths.get(i)) {
            return format!("{name}-{width}");
        }
    }
    "board".to_string()
}
