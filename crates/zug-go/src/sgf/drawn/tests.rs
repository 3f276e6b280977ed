//! Drawings on their way from a file to a study and back.

use crate::sgf::{NodeId, Property, Sgf, Tree, read_collection, write_collection};
use proptest::prelude::*;
use std::collections::BTreeSet;
use zug_core::study::Bounds;
use zug_core::{RecordFormat, Study};

const NAMES: [&str; 13] =
    ["TR", "SQ", "CR", "MA", "LB", "AR", "LN", "SL", "DD", "DM", "GB", "GW", "UC"];

fn study(bytes: &[u8]) -> Study {
    let mut all = Vec::new();
    Sgf.read_studies(bytes, Bounds::NONE, &mut |study| {
        all.push(study.unwrap());
        true
    });
    all.remove(0)
}

fn write(study: &Study) -> String {
    let bytes = Sgf.write_studies(std::slice::from_ref(study)).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn comment(study: &Study, id: usize) -> &str {
    study.nodes()[id].comment.as_deref().unwrap_or("")
}

/// What is drawn at each node of the main line.
fn drawn(text: &str) -> Vec<BTreeSet<(String, String)>> {
    let tree = read_collection(text.as_bytes()).remove(0).unwrap();
    let of_node = |node: &crate::sgf::tree::Node| {
        let all = node.properties.iter().filter(|p| NAMES.contains(&p.name.as_str()));
        all.flat_map(|p| p.values.iter().map(|v| (p.name.clone(), v.clone()))).collect()
    };
    tree.main_line().map(of_node).collect()
}

#[test]
fn drawings_survive_being_read_and_written() {
    let text = "(;GM[1]SZ[9]C[root]TR[aa][bb]LB[cc:A][dd:1\\:2\\],=%]DM[1]\
                ;B[ee]SQ[ee]CR[aa]MA[bb][cc]AR[aa:bb]LN[cc:dd]SL[ee]DD[ff]GW[2]C[a \\] move]\
                ;W[cc]UC[1];B[dd]GB[1];W[ff]GB[2]TR[ff];B[gg]GW[1])";
    let read = study(text.as_bytes());
    assert_eq!(comment(&read, 0), "root [%tri A9,B8] [%lbl C7=A,D6=1:2%5D%2C%3D%25] [%nag 10]");
    let first = "a ] move [%csl GA9] [%sqr E5] [%crs B8,C7] [%sel E5] [%dim F4] [%cal GA9-B8] \
                 [%lin C7-D6] [%nag 18]";
    assert_eq!(comment(&read, 1), first);
    assert_eq!(comment(&read, 2), "[%nag 13]");
    let written = write(&read);
    assert_eq!(study(written.as_bytes()).nodes(), read.nodes());
    assert_eq!(drawn(&written), drawn(text));
    assert!(!written.contains("[%"), "{written}");
    assert!(written.contains("C[root]") && written.contains("C[a \\] move]"), "{written}");
    let written = written.replace('\n', "");
    assert!(written.contains(";W[cc]UC[1];B[dd]GB[1];W[ff]GB[2]TR[ff];B[gg]GW[1])"), "{written}");
}

#[test]
fn lists_of_points_are_expanded_as_far_as_the_board_goes() {
    let read = study(b"(;SZ[5]TR[ab:ba]SQ[dd:ss]CR[zz:tt]MA[aa:][:]SL[tt][][a][aaa]DD[])");
    assert_eq!(comment(&read, 0), "[%tri A5,B5,A4,B4] [%sqr D2,E2,D1,E1]");
    let read = study(b"(;SZ[5]AR[aa:aa][aa:tt][aa]LN[aa:bb:cc]LB[aa][bb:][ff:x]GW[7]DM[2]GB[])");
    assert_eq!(comment(&read, 0), "[%nag 10,17]");
}

#[test]
fn rectangles_at_every_node_stay_within_bounds() {
    let node = ";TR[aa:ss]SQ[aa:ss]CR[aa:ss]MA[aa:ss]";
    let text = format!("(;SZ[19]{}TR[ss:aa];B[aa]DD[bb]SL[aa:ss])", node.repeat(1000));
    let read = study(text.as_bytes());
    assert_eq!(comment(&read, 0).matches(',').count(), 4 * 360);
    assert_eq!(comment(&read, 1), "[%dim B18]");
}

#[test]
fn drawings_at_nodes_without_a_move_belong_to_the_move_before() {
    let read = study(b"(;SZ[9];B[ee]C[one]TR[aa];C[two]TR[bb]SQ[aa]DM[1];W[cc])");
    assert_eq!(comment(&read, 1), "one two [%tri A9,B8] [%sqr A9] [%nag 10]");
    let written = write(&read);
    assert!(written.contains(";B[ee]C[one two]DM[1]TR[aa][bb]SQ[aa];"), "{written}");
    assert_eq!(study(written.as_bytes()).nodes(), read.nodes());
}

#[test]
fn what_sgf_cannot_hold_stays_in_the_comment() {
    let mut from_page = study(b"(;SZ[9];B[ee])");
    let said =
        "[%csl RA9,ya8] [%tri Z1] plan [%cal RA9B8,YC7-D6] [%clk 1] [%nag 16,18,36] [%lin A9";
    from_page.node_mut(1).comment = Some(said.to_string());
    let written = write(&from_page);
    let expected = ";B[ee]C[[%csl RA9,ya8\\] [%tri Z1\\] plan [%clk 1\\] [%lin A9 [%nag 16,36\\]]\
                    GW[2]AR[aa:bb][cc:dd])";
    assert!(written.contains(expected), "{written}");
    let again = study(written.as_bytes());
    assert_eq!(
        comment(&again, 1),
        "[%csl RA9,ya8] [%tri Z1] plan [%clk 1] [%lin A9 [%cal GA9-B8,GC7-D6] [%nag 16,18,36]"
    );
    assert_eq!(study(write(&again).as_bytes()).nodes(), again.nodes());
}

#[test]
fn commands_in_the_comments_of_a_file_are_drawings_too() {
    let read = study(b"(;SZ[9]C[[%tri a9\\] words [%lbl B8=%20x%2C\\]]TR[bb])");
    assert_eq!(comment(&read, 0), "words [%tri A9,B8] [%lbl B8=%20x%2C]");
    let written = write(&read);
    assert!(written.contains("C[words]TR[aa][bb]LB[bb: x,]"), "{written}");
    assert_eq!(study(written.as_bytes()).nodes(), read.nodes());
}

fn value() -> impl Strategy<Value = (&'static str, String)> {
    let at = "[a-j]{2}";
    let points = prop_oneof![at.prop_map(String::from), (at, at).prop_map(|(a, b)| a + ":" + &b)];
    let label = (at, "[ -~\n\té囲]{0,6}").prop_map(|(at, text)| (at, Property::new("LB", &text)));
    prop_oneof![
        (prop::sample::select(vec!["TR", "SQ", "CR", "MA", "SL", "DD"]), points),
        (prop::sample::select(vec!["AR", "LN"]), (at, at).prop_map(|(a, b)| a + ":" + &b)),
        label.prop_map(|(at, text)| ("LB", format!("{at}:{}", text.value()))),
        (prop::sample::select(vec!["DM", "UC", "GB", "GW"]), "[12]?"),
        (prop::sample::select(NAMES.to_vec()), "[a-jA-Z:]{0,5}"),
    ]
}

proptest! {
    #[test]
    fn any_drawings_survive_being_read_and_written(
        nodes in prop::collection::vec(
            (prop::collection::vec(value(), 0..8), prop::sample::select(vec![
                "", "words", " two\nlines ", "[%clk 0:01]", "a [% b", "[%tri A1] x", "[%nag 16,36]",
                "[%csl RA1,Y9]", "]", " ",
            ]), any::<bool>()),
            1..6,
        ),
    ) {
        let mut tree = Tree::new();
        tree.push(NodeId::ROOT, Property::new("SZ", "9"));
        let (mut id, mut plies) = (NodeId::ROOT, 0);
        for (values, words, moves) in nodes {
            id = tree.add_child(id);
            if moves {
                let at = format!("a{}", char::from(b'a' + plies));
                tree.push(id, Property::new(if plies % 2 == 0 { "B" } else { "W" }, &at));
                plies += 1;
            }
            tree.push(id, Property::new("C", words));
            for (name, value) in values {
                tree.push(id, Property { name: name.to_string(), values: vec![value] });
            }
        }
        let text = write_collection(std::slice::from_ref(&tree));
        let read = study(text.as_bytes());
        prop_assert_eq!(read.nodes().len(), usize::from(plies) + 1);
        let written = write(&read);
        let again = study(written.as_bytes());
        prop_assert_eq!(again.nodes(), read.nodes(), "{}", written);
        prop_assert_eq!(&write(&again), &written);
        // Every point of a file that is on the board is still there.
        let all = |text: &str| drawn(text).into_iter().flatten().collect::<BTreeSet<_>>();
        let there = all(&written);
        for (name, value) in all(&text) {
            let on_board = value.len() == 2 && value.bytes().all(|b| (b'a'..=b'i').contains(&b));
            prop_assert!(!on_board || name == "LB" || name.starts_with(['A', 'L', 'U', 'G'])
                || name == "DM" || there.contains(&(name, value)), "{}", written);
        }
    }

    #[test]
    fn no_comment_is_too_strange(pieces in prop::collection::vec(prop::sample::select(vec![
        "[%", "]", "tri", "lbl", "cal", "nag", " ", "A1", "GA1-B2", "=", ",", "%2C", "16", "é", "-",
    ]), 0..30)) {
        let mut strange = study(b"(;SZ[9];B[ee])");
        strange.node_mut(1).comment = Some(pieces.concat());
        let mut text = write(&strange);
        // Commands that stand in each other come out one by one.
        for _ in 0..pieces.len() {
            text = write(&study(text.as_bytes()));
        }
        let rested = study(text.as_bytes());
        let again = study(write(&rested).as_bytes());
        prop_assert_eq!(again.nodes(), rested.nodes());
    }
}
