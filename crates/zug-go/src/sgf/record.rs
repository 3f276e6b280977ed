//! The main line of an SGF file as a [`Record`], and back.
//!
//! The rules come from `RU`: `Japanese` and `Korean` are territory scoring with simple ko,
//! `NZ`, `GOE` and `Tromp-Taylor` allow suicide, and all others are the default. A record whose
//! moves break superko is taken as one under simple ko, since that is what its players did. Stones
//! set up before the first move become the start position; `HA` with its usual points becomes a
//! handicap. Variations, and properties without a tag, are not part of a record; [`Tree`] has
//! them.
//!
//! A record always has rules and a komi, a file need not: the tag `Unstated` (`komi`, `rules` or
//! `komi, rules`) says what we have assumed, so that it is not written as if the file had said it.

use super::main_line::{MainLine, Played, Unusable, write_result};
use super::read::{read_collection, visit_collection};
use super::study::{study_of, tree_of_study};
use super::tree::{NodeId, Property, Tree};
use super::write::write_collection;
use crate::board::Board;
use crate::game::Go;
use crate::point::{Move, Point};
use crate::position::{Position, side_word};
use crate::rules::{Ko, Rules, Scoring, handicap_points};
use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead};
use zug_core::record::{LONGEST, RecordSink, StudySink, whole};
use zug_core::study::Bounds;
use zug_core::{
    Game, Keep, Record, RecordError, RecordFormat, RecordMove, Side, Spec, Study, TextError,
};

/// The SGF format for Go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sgf;

/// Tags and the properties that hold them.
const TAGS: [(&str, &str); 15] = [
    ("Event", "EV"),
    ("Site", "PC"),
    ("Date", "DT"),
    ("Round", "RO"),
    ("Black", "PB"),
    ("White", "PW"),
    ("BlackRank", "BR"),
    ("WhiteRank", "WR"),
    ("BlackTeam", "BT"),
    ("WhiteTeam", "WT"),
    ("Name", "GN"),
    ("Opening", "ON"),
    ("TimeControl", "TM"),
    ("Annotator", "AN"),
    ("Source", "SO"),
];

/// The tag that names what a file did not state.
pub(crate) const UNSTATED: &str = "Unstated";

impl RecordFormat for Sgf {
    fn name(&self) -> &'static str {
        "SGF"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sgf"]
    }

    /// Whether a bracket is one depends on the charset, and the charset on the whole file.
    fn stream(&self, input: &mut dyn BufRead, sink: &mut RecordSink<'_>) -> io::Result<()> {
        self.for_each(&whole(input, self.name())?, sink);
        Ok(())
    }

    fn for_each(&self, bytes: &[u8], sink: &mut RecordSink<'_>) {
        let mut number = 0;
        visit_collection(bytes, LONGEST, &mut |tree| {
            number += 1;
            sink(tree.and_then(|tree| record_of(&tree, number)))
        });
    }

    fn write(&self, records: &[Record]) -> Result<Vec<u8>, RecordError> {
        let trees = records
            .iter()
            .enumerate()
            .map(|(i, record)| tree_of(record, i + 1))
            .collect::<Result<Vec<Tree>, RecordError>>()?;
        Ok(write_collection(&trees).into_bytes())
    }

    fn holds_variations(&self) -> bool {
        true
    }

    fn read_studies(&self, bytes: &[u8], bounds: Bounds, sink: &mut StudySink<'_>) {
        let mut number = 0;
        visit_collection(bytes, bounds, &mut |tree| {
            number += 1;
            // The tree is gone before somebody looks at the study.
            sink(tree.and_then(|tree| study_of(&tree, number)))
        });
    }

    fn write_studies(&self, studies: &[Study]) -> Result<Vec<u8>, RecordError> {
        let trees = studies
            .iter()
            .enumerate()
            .map(|(i, study)| tree_of_study(study, i + 1))
            .collect::<Result<Vec<Tree>, RecordError>>()?;
        Ok(write_collection(&trees).into_bytes())
    }

    fn rewrite(&self, bytes: &[u8], keep: &mut Keep<'_>) -> Option<Result<Vec<u8>, RecordError>> {
        let mut kept = Vec::new();
        for (i, tree) in read_collection(bytes).into_iter().enumerate() {
            match tree {
                Ok(mut tree) => {
                    let record = record_of(&tree, i + 1);
                    let is_sound = record.is_ok();
                    if keep(record) && is_sound {
                        // Without CA others would take what we write for Latin-1.
                        if !bytes.is_ascii() && tree.root().get("CA").is_none() {
                            tree.push(NodeId::ROOT, Property::new("CA", "UTF-8"));
                        }
                        kept.push(tree);
                    }
                }
                Err(error) => {
                    keep(Err(error.into()));
                }
            }
        }
        Some(Ok(write_collection(&kept).into_bytes()))
    }

    fn games_with_variations(&self, bytes: &[u8]) -> usize {
        let mut varied = 0;
        visit_collection(bytes, Bounds::NONE, &mut |tree| {
            let is_varied = |tree: Tree| tree.main_line().count() < tree.len();
            varied += usize::from(tree.is_ok_and(is_varied));
            true
        });
        varied
    }
}

/// The record of a tree's main line; `number` counts the games of the file from 1.
pub fn record_of(tree: &Tree, number: usize) -> Result<Record, RecordError> {
    let line = MainLine::of(tree).map_err(|Unusable { ply, error }| match ply {
        Some(ply) => RecordError::Move { game: number, ply, error },
        None => RecordError::Text(error),
    })?;
    let (mut rules, start) = beginning(&line, tree)?;
    let unstated: Vec<&str> = [
        (line.usable_komi().is_none(), "komi"),
        (tree.root().get("RU").is_none_or(|p| p.value().trim().is_empty()), "rules"),
    ]
    .into_iter()
    .filter_map(|(is_missing, what)| is_missing.then_some(what))
    .collect();
    let played = replay(&rules, &start, &line.moves).or_else(|first_error| {
        // Superko is the only rule that is given up for a record.
        rules.ko = Ko::Simple;
        replay(&rules, &start, &line.moves).map_err(|_| first_error)
    });
    let moves = played.map_err(|(ply, error)| RecordError::Move { game: number, ply, error })?;
    if let Some(ply) = line.late_setup {
        let error = TextError::new(0, "moves only", "stones set up during the game");
        return Err(RecordError::Move { game: number, ply, error });
    }
    let game = Go::new(rules);
    let mut record = Record {
        game: game.spec(),
        start: (start != game.start()).then(|| start.to_text()),
        moves,
        result: line.result,
        ..Record::default()
    };
    for (tag, name) in TAGS {
        if let Some(property) = tree.root().get(name) {
            record.set_tag(tag, property.simple_text());
        }
    }
    if let Some(termination) = line.termination {
        record.set_tag("Termination", termination);
    }
    if !unstated.is_empty() {
        record.set_tag(UNSTATED, unstated.join(", "));
    }
    Ok(record)
}

/// The rules and the position before the first move.
fn beginning(line: &MainLine, tree: &Tree) -> Result<(Rules, Position), RecordError> {
    let mut rules = Rules::new(line.size).ok_or_else(|| {
        let found = format!("{0}x{0}", line.size);
        TextError::new(0, "a board from 2x2 to 19x19", found)
    })?;
    let stated = tree.root().get("RU").map(|p| p.simple_text().to_ascii_lowercase());
    match stated.as_deref().map(str::trim) {
        Some("japanese" | "korean") => {
            rules.ko = Ko::Simple;
            rules.scoring = Scoring::Territory;
        }
        Some("nz" | "goe" | "tromp-taylor") => rules.suicide = true,
        _ => {}
    }
    let mut stones: BTreeMap<Point, Side> = BTreeMap::new();
    for setup in &line.setup {
        let p = Point::at(usize::from(setup.at.x), usize::from(setup.at.y));
        match setup.stone {
            Some(side) => stones.insert(p, side),
            None => stones.remove(&p),
        };
    }
    let handicap = line.handicap.unwrap_or(0);
    let usual = handicap_points(line.size, handicap)
        .filter(|points| points.len() == stones.len())
        .filter(|points| points.iter().all(|p| stones.get(p) == Some(&Side::First)));
    if usual.is_some() {
        rules = rules.with_handicap(handicap).unwrap_or(rules);
    }
    if let Some(komi) = line.usable_komi() {
        rules = rules.with_komi(komi);
    }
    let board = Board::with_stones(line.size, stones).map_err(|p| {
        let found = format!("{}, which has none", p.name(line.size));
        TextError::new(0, "set-up stones that have liberties", found)
    })?;
    let first = line.first.or(line.moves.first().map(|m| m.side)).unwrap_or(Side::First);
    let start = Position::from_board(board, first);
    Ok((rules, start))
}

/// The moves in notation, checked. Passes after the end of the game are dropped; they are how some
/// servers write that both players agreed.
fn replay(
    rules: &Rules,
    start: &Position,
    moves: &[Played],
) -> Result<Vec<RecordMove>, (usize, TextError)> {
    // A line would keep every position; for a record the keys are enough.
    let game = Go::new(*rules);
    let mut position = start.clone();
    let mut seen = HashSet::from([position.board().key()]);
    let mut out = Vec::with_capacity(moves.len());
    for (ply, played) in moves.iter().enumerate() {
        if position.passes() == 2 && moves[ply..].iter().all(|m| m.at.is_none()) {
            break;
        }
        if played.side != position.to_move() {
            let expected = format!("a move of {}", side_word(position.to_move()));
            let found = format!("a move of {}", side_word(played.side));
            return Err((ply, TextError::new(0, expected, found)));
        }
        let text = match played.at {
            Some(at) => Point::at(usize::from(at.x), usize::from(at.y)).name(rules.size()),
            None => "pass".to_string(),
        };
        let mv = game.read_move(&position, &text).map_err(|e| (ply, e))?;
        position.play(mv);
        let is_new = seen.insert(position.board().key());
        if rules.ko == Ko::Super && mv != Move::Pass && !is_new {
            let expected = "a move that does not bring back an earlier position (superko)";
            return Err((ply, TextError::new(0, expected, format!("'{text}'"))));
        }
        out.push(RecordMove { text, comment: played.comment.clone() });
    }
    Ok(out)
}

fn tree_of(record: &Record, number: usize) -> Result<Tree, RecordError> {
    let (mut tree, game, start) = head_of(record)?;
    put_moves(&mut tree, record, &game, start, number)?;
    Ok(tree)
}

/// A tree with nothing but its root, and what the moves are played on.
pub(super) fn head_of(record: &Record) -> Result<(Tree, Go, Position), RecordError> {
    let spec = Spec::parse(&record.game)?;
    if spec.name != "go" {
        let message = format!("SGF holds games of Go here, not of '{}'", record.game);
        return Err(RecordError::Unsupported(message));
    }
    let game = Go::new(Rules::from_spec(&spec)?);
    let rules = game.rules();
    let start = match &record.start {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    let mut tree = Tree::new();
    let root = NodeId::ROOT;
    let mut put = |name: &str, value: &str| tree.push(root, Property::new(name, value));
    put("GM", "1");
    put("FF", "4");
    put("CA", "UTF-8");
    put("AP", concat!("Zug:", env!("CARGO_PKG_VERSION")));
    put("SZ", &rules.size().to_string());
    let assumed =
        |what: &str| record.tag(UNSTATED).is_some_and(|t| t.split(", ").any(|w| w == what));
    if !(assumed("komi") && spec.get("komi").is_none()) {
        put("KM", &rules.komi().to_string());
    }
    if !(assumed("rules") && rule_word(rules) == "Chinese") {
        put("RU", rule_word(rules));
    }
    if rules.handicap() > 0 {
        put("HA", &rules.handicap().to_string());
    }
    for (tag, name) in TAGS {
        if let Some(value) = record.tag(tag) {
            put(name, value);
        }
    }
    if let Some(result) = write_result(record.result, record.tag("Termination")) {
        put("RE", &result);
    }
    put_setup(&mut tree, &start);
    Ok((tree, game, start))
}

fn rule_word(rules: &Rules) -> &'static str {
    match (rules.scoring, rules.suicide) {
        (Scoring::Territory, _) => "Japanese",
        (Scoring::Area, true) => "Tromp-Taylor",
        (Scoring::Area, false) => "Chinese",
    }
}

fn put_setup(tree: &mut Tree, start: &Position) {
    for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
        let board = start.board();
        let values: Vec<String> = board
            .points()
            .filter(|&p| board.at(p).side() == Some(side))
            .map(point_letters)
            .collect();
        if !values.is_empty() {
            tree.push(NodeId::ROOT, Property { name: name.to_string(), values });
        }
    }
    if start.to_move() == Side::Second {
        tree.push(NodeId::ROOT, Property::new("PL", "W"));
    }
}

fn point_letters(p: Point) -> String {
    [p.x(), p.y()].map(|i| char::from(b'a' + i as u8)).iter().collect()
}

/// The property of a move.
pub(super) fn move_property(position: &Position, mv: Move) -> Property {
    let name = if position.to_move() == Side::First { "B" } else { "W" };
    let value = match mv {
        Move::Play(p) => point_letters(p),
        Move::Pass => String::new(),
    };
    Property::new(name, &value)
}

fn put_moves(
    tree: &mut Tree,
    record: &Record,
    game: &Go,
    start: Position,
    number: usize,
) -> Result<(), RecordError> {
    let mut position = start;
    let mut node = NodeId::ROOT;
    for (ply, played) in record.moves.iter().enumerate() {
        let mv = game.read_move(&position, &played.text).map_err(|error| RecordError::Move {
            game: number,
            ply,
            error,
        })?;
        node = tree.add_child(node);
        tree.push(node, move_property(&position, mv));
        if let Some(comment) = &played.comment {
            tree.push(node, Property::new("C", comment));
        }
        position.play(mv);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::RecordResult;

    fn read(text: &str) -> Vec<Result<Record, RecordError>> {
        Sgf.read(text.as_bytes())
    }

    #[test]
    fn a_record_survives_being_written_and_read() {
        let text = "(;GM[1]FF[4]SZ[9]KM[5.5]RU[Japanese]PB[Ann \\] B]PW[Öl]RE[B+T]DT[2001-02-03]\
                    ;B[ee];W[cc]C[a remark];B[];W[])";
        let record = read(text).remove(0).unwrap();
        assert_eq!(record.game, "go:9x9,komi=5.5,ko=simple,scoring=territory");
        assert_eq!(record.tag("Black"), Some("Ann ] B"));
        assert_eq!(record.moves[0].text, "E5");
        assert_eq!(record.moves[1].comment.as_deref(), Some("a remark"));
        assert_eq!(record.start, None);
        let written = Sgf.write(std::slice::from_ref(&record)).unwrap();
        assert_eq!(Sgf.read(&written), [Ok(record)]);
    }

    #[test]
    fn a_komi_and_rules_that_no_file_stated_are_not_written() {
        for (stated, absent) in
            [("", &["KM[", "RU["][..]), ("KM[7]", &["RU["]), ("RU[Chinese]", &["KM["])]
        {
            let record = read(&format!("(;SZ[9]{stated};B[ee])")).remove(0).unwrap();
            assert_eq!(record.game, "go:9x9");
            let written = Sgf.write(std::slice::from_ref(&record)).unwrap();
            let written = String::from_utf8(written).unwrap();
            for name in ["KM[", "RU["] {
                assert_eq!(written.contains(name), !absent.contains(&name), "{written}");
            }
            assert_eq!(read(&written), [Ok(record)]);
        }
        let ours = Record { game: "go:9x9".into(), ..Record::default() };
        let written = String::from_utf8(Sgf.write(&[ours]).unwrap()).unwrap();
        assert!(written.contains("KM[7]RU[Chinese]"), "{written}");
    }

    #[test]
    fn a_file_is_written_again_with_everything_in_it() {
        let text = "(;GM[1]SZ[9]XY[odd][two]C[root](;B[ee]C[main];W[cc])(;B[dd]N[other]))\n";
        let broken = "(;GM[1]SZ[9];B[ee];W[ee])";
        let bytes = format!("{text}{broken}{text}").into_bytes();
        let mut shown = Vec::new();
        let written = Sgf.rewrite(&bytes, &mut |record| {
            shown.push(record.is_ok());
            true
        });
        assert_eq!(shown, [true, false, true]);
        assert_eq!(String::from_utf8(written.unwrap().unwrap()).unwrap(), format!("{text}{text}"));
        assert_eq!(Sgf.rewrite(&bytes, &mut |_| false), Some(Ok(Vec::new())));
        assert_eq!(Sgf.games_with_variations(&bytes), 2);
        let latin = Sgf.rewrite(b"(;PB[\xd6l])", &mut |_| true).unwrap().unwrap();
        assert_eq!(String::from_utf8(latin).unwrap(), "(;PB[Öl]CA[UTF-8])\n");
    }

    #[test]
    fn setup_becomes_the_start_position() {
        let record = read("(;SZ[5]AB[bb][cc]AW[dd]PL[W];W[aa])").remove(0).unwrap();
        let start = "5/1X3/2X2/3O1/5 white ko=- caps=0,0 passes=0 moves=0";
        assert_eq!(record.start.as_deref(), Some(start));
        assert_eq!(record.moves[0].text, "A5");
        let written = Sgf.write(std::slice::from_ref(&record)).unwrap();
        assert_eq!(Sgf.read(&written), [Ok(record)]);
    }

    #[test]
    fn the_usual_handicap_is_an_option() {
        let record = read("(;HA[2]AB[dp][pd]KM[0.5];W[dd])").remove(0).unwrap();
        assert_eq!((record.game.as_str(), record.start.as_ref()), ("go:handicap=2", None));
        let written = Sgf.write(std::slice::from_ref(&record)).unwrap();
        assert_eq!(Sgf.read(&written), [Ok(record)]);
    }

    #[test]
    fn bad_games_are_reported_and_the_others_read() {
        let text = "(;SZ[9];B[ee];W[ee])(;SZ[9];B[ee];B[aa])(;SZ[25])(;GM[1]SZ[9];B[ee])";
        let games = read(text);
        assert!(matches!(games[0], Err(RecordError::Move { game: 1, ply: 1, .. })));
        assert!(matches!(games[1], Err(RecordError::Move { game: 2, ply: 1, .. })));
        assert!(matches!(games[2], Err(RecordError::Text(_))));
        assert!(games[3].is_ok());
    }

    #[test]
    fn games_of_others_and_broken_records_are_not_written() {
        let record = Record { game: "chess".into(), ..Record::default() };
        assert!(matches!(Sgf.write(&[record]), Err(RecordError::Unsupported(_))));
        let mut record = Record { game: "go:9x9".into(), ..Record::default() };
        record.moves.push(RecordMove { text: "Z1".into(), comment: None });
        assert!(matches!(Sgf.write(&[record]), Err(RecordError::Move { ply: 0, .. })));
        let unfinished = Record { game: "go:9x9".into(), ..Record::default() };
        assert_eq!(unfinished.result, RecordResult::Unknown);
        assert!(Sgf.write(&[unfinished]).is_ok());
    }
}
