//! Which factor stands where? The written translation table between names and indices.
//!
//! The thesis shows the first 416 of its 1706 entries (material, isolated and doubled pawns, six
//! square tables) and warns that a slip of an index silently ruins the play; so every index of this
//! program comes from the one list below. Entries 23 to 31 and 416 to 1705, which the thesis never
//! lists, are filled here.

use std::collections::HashMap;
use std::sync::OnceLock;

/// How the factors of a group are arranged, for names and for drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A single factor, named like its group.
    One,
    /// One for each word.
    Words(&'static [&'static str]),
    /// Eight files, `a` to `h`.
    Files,
    /// Whole rows of the board, the first of which has this number (1 to 8).
    Squares(u8),
    /// Rows by their numbers, from this one on.
    Ranks(u8),
    /// Numbers, from this one on.
    Numbers(u8),
    /// A table: for each of the first words one row with the second words.
    Table(&'static [&'static str], &'static [&'static str]),
}

/// A group of factors that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its word, the first part of the names.
    pub word: &'static str,
    /// The index of its first factor.
    pub first: usize,
    /// The number of its factors.
    pub count: usize,
    /// How they are arranged.
    pub shape: Shape,
    /// What is counted.
    pub help: &'static str,
}

impl Shape {
    const fn count(self) -> usize {
        match self {
            Shape::One => 1,
            Shape::Words(words) => words.len(),
            Shape::Files => 8,
            // Lists whose length the shape does not tell carry it in the table below.
            Shape::Squares(_) | Shape::Ranks(_) | Shape::Numbers(_) => 0,
            Shape::Table(rows, columns) => rows.len() * columns.len(),
        }
    }
}

impl Group {
    /// The name of the factor at a place of the group.
    #[must_use]
    pub fn name(&self, place: usize) -> String {
        let word = self.word;
        match self.shape {
            Shape::One => word.to_string(),
            Shape::Words(words) => format!("{word}/{}", words[place]),
            Shape::Files => format!("{word}/{}", file(place)),
            Shape::Squares(row) => {
                format!("{word}/{}{}", file(place % 8), place / 8 + usize::from(row))
            }
            Shape::Ranks(row) => format!("{word}/rank{}", place + usize::from(row)),
            Shape::Numbers(from) => format!("{word}/{}", place + usize::from(from)),
            Shape::Table(rows, columns) => {
                let n = columns.len();
                format!("{word}/{}/{}", rows[place / n], columns[place % n])
            }
        }
    }
}

fn file(file: usize) -> char {
    char::from(b"abcdefgh"[file % 8])
}

/// The words of the pieces, pawn to king.
pub const PIECES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
const FIVE: &[&str] = &["pawn", "knight", "bishop", "rook", "queen"];
const FOUR: &[&str] = &["knight", "bishop", "rook", "queen"];
const MINORS: &[&str] = &["knight", "bishop"];
const EDGE: &[&str] = &["edge", "second", "third", "middle"];
const PAWN_ROWS: &[&str] = &["none", "rank2", "rank3", "rank4", "rank5", "rank6", "rank7"];
const STEPS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7"];
const LATE_ROWS: &[&str] = &["rank4", "rank5", "rank6", "rank7"];
const ONE_OR_MORE: &[&str] = &["one", "more"];

macro_rules! layout {
    ($($name:ident $count:expr, $word:literal, $shape:expr, $help:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, dead_code)]
        enum Place { $($name),* }
        const COUNTS: &[usize] = &[$($count),*];
        $(
            #[doc = concat!("Where `", $word, "` begins: ", $help, ".")]
            pub const $name: usize = before(Place::$name as usize);
        )*
        /// All groups, in the order of their indices.
        pub const GROUPS: &[Group] = &[$(Group {
            word: $word, first: $name, count: $count, shape: $shape, help: $help,
        }),*];
    };
}

const fn before(group: usize) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < group {
        sum += COUNTS[i];
        i += 1;
    }
    sum
}

layout! {
    // The part that the thesis shows (and nine entries that it does not).
    MATERIAL 7, "material", Shape::Words(&["none", "pawn", "knight", "bishop", "rook", "queen", "king"]), "pieces of each kind";
    ISOLATED 8, "isolated", Shape::Files, "pawns without an own pawn on a file beside them";
    DOUBLED 8, "doubled", Shape::Files, "pawns with an own pawn before them";
    TEMPO 1, "tempo", Shape::One, "being to move";
    BISHOP_PAIR 1, "bishop-pair", Shape::One, "bishops on squares of both colours";
    CASTLING_RIGHT 2, "castling-right", Shape::Words(&["short", "long"]), "castling is still allowed";
    CASTLED 2, "castled", Shape::Words(&["short", "long"]), "the king stands behind its rook in a corner";
    FIANCHETTO 1, "fianchetto", Shape::One, "a bishop on b2 or g2 behind its pawn one step before it";
    UNDEVELOPED 1, "undeveloped", Shape::One, "knights and bishops on their first squares";
    EARLY_QUEEN 1, "early-queen", Shape::One, "the queen has left its square before three minor pieces";
    SQUARES 64, "pawn-square", Shape::Squares(1), "pawns on a square";
    KNIGHT_SQUARE 64, "knight-square", Shape::Squares(1), "knights on a square";
    BISHOP_SQUARE 64, "bishop-square", Shape::Squares(1), "bishops on a square";
    ROOK_SQUARE 64, "rook-square", Shape::Squares(1), "rooks on a square";
    QUEEN_SQUARE 64, "queen-square", Shape::Squares(1), "queens on a square";
    KING_SQUARE 64, "king-square", Shape::Squares(1), "the king on a square";
    // What the thesis does not list. First: squares again, by the wings of the kings.
    OWN_WING 64, "pawn-square-own-king-left", Shape::Squares(1), "the same while the own king is on files a to d";
    OWN_WING_KNIGHT 64, "knight-square-own-king-left", Shape::Squares(1), "the same while the own king is on files a to d";
    OWN_WING_BISHOP 64, "bishop-square-own-king-left", Shape::Squares(1), "the same while the own king is on files a to d";
    OWN_WING_ROOK 64, "rook-square-own-king-left", Shape::Squares(1), "the same while the own king is on files a to d";
    OWN_WING_QUEEN 64, "queen-square-own-king-left", Shape::Squares(1), "the same while the own king is on files a to d";
    ENEMY_WING 64, "pawn-square-enemy-king-left", Shape::Squares(1), "the same while the enemy king is on files a to d";
    ENEMY_WING_KNIGHT 64, "knight-square-enemy-king-left", Shape::Squares(1), "the same while the enemy king is on files a to d";
    ENEMY_WING_BISHOP 64, "bishop-square-enemy-king-left", Shape::Squares(1), "the same while the enemy king is on files a to d";
    ENEMY_WING_ROOK 64, "rook-square-enemy-king-left", Shape::Squares(1), "the same while the enemy king is on files a to d";
    ENEMY_WING_QUEEN 64, "queen-square-enemy-king-left", Shape::Squares(1), "the same while the enemy king is on files a to d";
    // Mobility: squares that a piece can go to without being taken by a pawn.
    KNIGHT_MOBILITY 9, "mobility/knight", Shape::Numbers(0), "knights with so many safe squares";
    BISHOP_MOBILITY 14, "mobility/bishop", Shape::Numbers(0), "bishops with so many safe squares";
    ROOK_MOBILITY 15, "mobility/rook", Shape::Numbers(0), "rooks with so many safe squares";
    QUEEN_MOBILITY 28, "mobility/queen", Shape::Numbers(0), "queens with so many safe squares";
    // Passed pawns.
    PASSED 48, "passed", Shape::Squares(2), "passed pawns on a square";
    PASSED_PROTECTED 5, "passed-protected", Shape::Ranks(3), "passed pawns that a pawn guards";
    PASSED_CONNECTED 6, "passed-connected", Shape::Ranks(2), "passed pawns with another on a file beside, at most a row apart";
    PASSED_BLOCKED 6, "passed-blocked", Shape::Ranks(2), "passed pawns with a piece before them";
    PASSED_STEP 6, "passed-safe-step", Shape::Ranks(2), "passed pawns whose next square is empty and not attacked";
    PASSED_FREE 6, "passed-free-path", Shape::Ranks(2), "passed pawns with no enemy on the way nor attacking it";
    PASSED_OWN_KING 32, "passed-own-king", Shape::Table(LATE_ROWS, STEPS), "steps of the own king to the square before a passed pawn";
    PASSED_ENEMY_KING 32, "passed-enemy-king", Shape::Table(LATE_ROWS, STEPS), "steps of the enemy king to the square before a passed pawn";
    UNSTOPPABLE 1, "unstoppable", Shape::One, "pawns that a lone king cannot catch";
    ROOK_BEHIND 2, "rook-behind-passed", Shape::Words(&["own", "enemy"]), "a rook behind a passed pawn";
    CANDIDATE 5, "candidate", Shape::Ranks(2), "pawns on half-open files with as many helpers as hinderers";
    // Other pawns.
    BACKWARD 8, "backward", Shape::Files, "pawns that no pawn can guard and that cannot step forward safely";
    PHALANX 6, "phalanx", Shape::Ranks(2), "pawns with an own pawn at their side";
    SUPPORTED 5, "supported", Shape::Ranks(3), "pawns that pawns guard";
    ISLANDS 4, "pawn-islands", Shape::Numbers(1), "so many groups of pawns";
    RAMMED 8, "rammed", Shape::Files, "pawns face to face with an enemy pawn";
    WEAK_OPEN 2, "weak-on-half-open-file", Shape::Words(&["isolated", "backward"]), "weak pawns with no enemy pawn before them";
    LEVER 1, "lever", Shape::One, "enemy pawns that pawns attack";
    MAJORITY 2, "pawn-majority", Shape::Words(&["queenside", "kingside"]), "more pawns than the enemy on one wing";
    PAWNS 9, "pawns", Shape::Numbers(0), "so many pawns";
    // The king behind its pawns.
    SHELTER 28, "shelter", Shape::Table(EDGE, PAWN_ROWS), "the nearest own pawn on each file about the king, by the file's distance from the edge";
    STORM 28, "storm", Shape::Table(EDGE, PAWN_ROWS), "the nearest enemy pawn on each file about the king";
    STORM_BLOCKED 5, "storm-blocked", Shape::Ranks(3), "an enemy pawn that the shelter stops";
    KING_FILE 3, "king-file", Shape::Words(&["open", "half-open", "without-enemy-pawns"]), "the file of the king";
    PAWNLESS_WING 1, "pawnless-wing", Shape::One, "no pawns at all on the king's wing";
    KING_TO_PAWN 8, "king-to-nearest-pawn", Shape::Words(&["none", "1", "2", "3", "4", "5", "6", "7"]), "steps of the king to the nearest pawn of either colour";
    KING_MOBILITY 9, "mobility/king", Shape::Numbers(0), "squares that the king can go to";
    DEFENDERS 6, "king-defenders", Shape::Numbers(0), "own pieces within two steps of the king";
    // The assault on the enemy king.
    RING 8, "king-attackers", Shape::Table(FOUR, ONE_OR_MORE), "pieces of a kind that attack squares about the enemy king";
    ASSAULT 32, "assault", Shape::Numbers(0), "strength of the assault with a queen";
    ASSAULT_QUEENLESS 32, "assault-without-queen", Shape::Numbers(0), "strength of the assault without a queen";
    KING_HITS 1, "attacks-beside-king", Shape::One, "attacks on squares beside the enemy king, each piece for itself";
    WEAK_RING 9, "weak-squares-about-king", Shape::Numbers(0), "badly guarded, attacked squares about the enemy king";
    SAFE_CHECK 8, "safe-checks", Shape::Table(FOUR, ONE_OR_MORE), "checks that cannot be answered by taking";
    UNSAFE_CHECK 4, "unsafe-checks", Shape::Words(FOUR), "other checks";
    FLANK_ATTACK 1, "wing-attack", Shape::One, "attacked squares on the enemy king's wing, in its camp";
    FLANK_DEFENCE 1, "wing-defence", Shape::One, "guarded squares on the own king's wing, in the own camp";
    // Threats.
    PAWN_THREAT 4, "pawn-attacks", Shape::Words(FOUR), "pieces that pawns attack";
    KNIGHT_THREAT 5, "knight-attacks", Shape::Words(FIVE), "attacked pieces that are dearer or weakly guarded";
    BISHOP_THREAT 5, "bishop-attacks", Shape::Words(FIVE), "attacked pieces that are dearer or weakly guarded";
    ROOK_THREAT 5, "rook-attacks", Shape::Words(FIVE), "attacked pieces that are dearer or weakly guarded";
    QUEEN_THREAT 5, "queen-attacks", Shape::Words(FIVE), "attacked pieces that are weakly guarded";
    KING_THREAT 4, "king-attacks", Shape::Words(&["pawn", "knight", "bishop", "rook"]), "attacked pieces that are weakly guarded";
    HANGING 5, "hanging", Shape::Words(FIVE), "attacked enemy pieces that nothing guards";
    HANGING_NOW 5, "hanging-to-move", Shape::Words(FIVE), "the same for the side to move";
    PUSH_THREAT 4, "pawn-push-attacks", Shape::Words(FOUR), "pieces that a safe pawn move would attack";
    RESTRICTED 1, "restricted", Shape::One, "contested squares that the enemy does not hold firmly";
    PINNED 5, "pinned", Shape::Words(FIVE), "own pieces pinned to the king";
    QUEEN_PRESSURE 2, "queen-pressure", Shape::Words(&["bishop", "rook"]), "an enemy slider aims at the queen through one piece";
    LOOSE 1, "loose-pieces", Shape::One, "own pieces that nothing guards";
    CAMP 1, "double-attacks-in-camp", Shape::One, "squares of the enemy half attacked twice";
    // Posts and lines.
    KNIGHT_OUTPOST 24, "knight-outpost", Shape::Squares(4), "knights guarded by a pawn where no pawn can chase them";
    BISHOP_OUTPOST 24, "bishop-outpost", Shape::Squares(4), "bishops guarded by a pawn where no pawn can chase them";
    REACHABLE_OUTPOST 2, "reachable-outpost", Shape::Words(MINORS), "minor pieces one move from such a square";
    BEHIND_PAWN 2, "behind-pawn", Shape::Words(MINORS), "minor pieces right behind a pawn";
    ROOK_OPEN 8, "rook-open-file", Shape::Files, "rooks on files without pawns";
    ROOK_HALF_OPEN 8, "rook-half-open-file", Shape::Files, "rooks on files without own pawns";
    ROOK_SEVENTH 1, "rook-seventh", Shape::One, "rooks on the seventh row with something to attack";
    ROOKS_DOUBLED 1, "rooks-doubled", Shape::One, "rooks with a rook or queen on their file";
    ROOKS_CONNECTED 1, "rooks-connected", Shape::One, "rooks that guard each other";
    ROOK_TRAPPED 1, "rook-trapped", Shape::One, "rooks shut in by their king";
    ROOK_ON_QUEEN_FILE 1, "rook-on-queen-file", Shape::One, "rooks on the file of a queen";
    LONG_DIAGONAL 1, "long-diagonal", Shape::One, "bishops that see two squares of the centre past pieces";
    OPEN_DIAGONAL 1, "open-diagonal", Shape::One, "bishops that see nine squares past pieces";
    BISHOP_PAWNS 9, "bishop-own-pawns", Shape::Numbers(0), "bishops with so many own pawns on squares of their colour";
    BLOCKED_CENTRE 4, "bishop-blocked-centre", Shape::Numbers(1), "bishops with so many own pawns blocked on files c to f";
    BISHOP_XRAY 1, "bishop-x-ray", Shape::One, "enemy pawns on the diagonals of bishops";
    BISHOP_TRAPPED 1, "bishop-trapped", Shape::One, "bishops caught by pawns on a7, h7 and beside";
    QUEEN_INFILTRATION 1, "queen-infiltration", Shape::One, "queens in the enemy half where no pawn can chase them";
    CENTRE 4, "pawn-centre", Shape::Words(&["d4", "e4", "d5", "e5"]), "squares of the centre that pawns attack";
    SPACE 4, "space", Shape::Words(&["few", "some", "many", "all"]), "safe squares behind the centre, by the number of own pieces";
    // Material together.
    PAIR_PAWNS 9, "bishop-pair-pawns", Shape::Numbers(0), "the bishop pair with so many own pawns";
    KNIGHT_PAWNS 9, "knight-pawns", Shape::Numbers(0), "knights with so many own pawns";
    ROOK_PAWNS 9, "rook-pawns", Shape::Numbers(0), "rooks with so many own pawns";
    TOGETHER 4, "together", Shape::Words(&["two-knights", "two-rooks", "queen-knight", "queen-bishop"]), "pieces that are there together";
    AGAINST_MINORS 3, "against-minors", Shape::Words(&["pawn", "rook", "queen"]), "pieces, for each enemy minor piece";
    // Mating a bare king.
    MATE_KINGS 6, "mate-kings", Shape::Numbers(2), "steps between the kings, against a bare king";
    MATE_EDGE 7, "mate-edge", Shape::Numbers(0), "a bare enemy king so many steps from the centre";
    MATE_CORNER 8, "mate-corner", Shape::Numbers(0), "bishop and knight: the bare king so many steps from the bishop's corner";
}

/// The number of factors.
pub const FACTORS: usize = before(COUNTS.len());

const _: () = {
    assert!(FACTORS == 1706);
    assert!(SQUARES == 32 && OWN_WING == 416);
    let mut i = 0;
    while i < GROUPS.len() {
        let counted = GROUPS[i].shape.count();
        assert!(counted == 0 || counted == GROUPS[i].count);
        i += 1;
    }
};

/// The group of a factor, and its place there.
#[must_use]
pub fn group_of(factor: usize) -> (&'static Group, usize) {
    let group = &GROUPS[GROUPS.partition_point(|g| g.first <= factor) - 1];
    (group, factor - group.first)
}

/// The name of a factor.
///
/// ```
/// use zug_chess::factors;
/// assert_eq!(factors::name(9), "isolated/c");
/// assert_eq!(factors::name(96 + 21), "knight-square/f3");
/// assert_eq!(factors::find("isolated/c"), Some(9));
/// ```
///
/// # Panics
/// For an index that is not below [`FACTORS`].
#[must_use]
pub fn name(factor: usize) -> &'static str {
    &names().0[factor]
}

/// The factor of a name.
#[must_use]
pub fn find(name: &str) -> Option<usize> {
    names().1.get(name).copied()
}

fn names() -> &'static (Vec<String>, HashMap<String, usize>) {
    static NAMES: OnceLock<(Vec<String>, HashMap<String, usize>)> = OnceLock::new();
    NAMES.get_or_init(|| {
        let list: Vec<String> =
            GROUPS.iter().flat_map(|g| (0..g.count).map(|place| g.name(place))).collect();
        let map = list.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect();
        (list, map)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_factor_has_a_name_of_its_own_that_leads_back_to_it() {
        let mut seen = HashSet::new();
        for factor in 0..FACTORS {
            assert!(seen.insert(name(factor)), "{} twice", name(factor));
            assert_eq!(find(name(factor)), Some(factor));
            let (group, place) = group_of(factor);
            assert_eq!(group.name(place), name(factor));
        }
        assert_eq!(find("isolated/i"), None);
    }

    #[test]
    fn the_layout_of_the_thesis_is_kept() {
        for (factor, expected) in [
            (0, "material/none"),
            (1, "material/pawn"),
            (6, "material/king"),
            (7, "isolated/a"),
            (14, "isolated/h"),
            (15, "doubled/a"),
            (22, "doubled/h"),
            (32, "pawn-square/a1"),
            (95, "pawn-square/h8"),
            (96, "knight-square/a1"),
            (160, "bishop-square/a1"),
            (224, "rook-square/a1"),
            (288, "queen-square/a1"),
            (352, "king-square/a1"),
            (415, "king-square/h8"),
        ] {
            assert_eq!(name(factor), expected);
        }
        assert_eq!(FACTORS * 33, 56_298);
    }

    #[test]
    fn squares_on_rows_that_begin_higher_are_named_by_their_rows() {
        assert_eq!(name(PASSED), "passed/a2");
        assert_eq!(name(PASSED + 47), "passed/h7");
        assert_eq!(name(KNIGHT_OUTPOST + 8), "knight-outpost/a5");
        assert_eq!(name(SHELTER + 8), "shelter/second/rank2");
        assert_eq!(name(QUEEN_MOBILITY + 14), "mobility/queen/14");
    }
}
