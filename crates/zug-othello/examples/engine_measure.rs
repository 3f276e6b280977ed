use std::sync::Arc;
use std::time::Duration;
use zug_core::StopFlag;
use zug_othello::engine::*;
use zug_othello::{AnyModel, Board, Move, open_model};

fn board_of(text: &str) -> Board {
    let mut b = Board::START;
    let t = text.trim().as_bytes();
    for c in t.chunks(2) {
        if b.moves() == 0 { b = b.passed(); }
        let sq = (c[1] - b'1') as u32 * 8 + (c[0].to_ascii_lowercase() - b'a') as u32;
        assert!(b.moves() >> sq & 1 == 1);
        b = b.after_move(Move::to_square(sq).unwrap());
    }
    b
}

fn cpu() -> f64 {
    // user time of the process in clock ticks
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mode = a[1].as_str();
    let depth: u32 = a[2].parse().unwrap();
    let dev: f32 = a.get(3).map_or(f32::INFINITY, |x| x.parse().unwrap());
    let threads: usize = a.get(4).map_or(1, |x| x.parse().unwrap());
    let count: usize = a.get(5).map_or(4, |x| x.parse().unwrap());
    let plies: usize = a.get(6).map_or(0, |x| x.parse().unwrap());
    let AnyModel::Patterns(model) = open_model("patterns").unwrap() else { panic!() };
    let model = Arc::new(model);
    let cuts = if dev.is_infinite() { None } else { Some(Arc::new(ProbCut::guessed())) };
    let stop = StopFlag::new();
    let text = std::fs::read_to_string("/work/shared/data/othello/xot-large.txt").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut boards = vec![Board::START];
    boards.extend((0..count).map(|i| board_of(lines[(i * 1237) % lines.len()])));
    // play on some plies with a small search
    let mut e = Engine::new(model.clone(), 8);
    for b in boards.iter_mut().skip(1) {
        for _ in 0..plies {
            if b.is_over() { break; }
            let f = e.search(*b, 5, 0, &stop).unwrap();
            *b = b.after_move(f.best.unwrap());
        }
    }
    if mode == "old" {
        let (mut nodes, mut secs) = (0, 0.0);
        for &b in &boards {
            let mut e = Engine::new(model.clone(), 128);
            let t = cpu();
            let f = e.search(b, depth, 0, &stop).unwrap();
            let t = cpu() - t;
            println!("old d{depth} value {} {:?} last {} nodes {:.2} s", f.value, f.best.map(|m| m.to_string()), f.nodes, t);
            nodes += f.nodes; secs += t;
        }
        println!("sum {nodes} nodes {secs:.2} s {:.2} M/s", nodes as f64 / secs / 1e6);
        return;
    }
    let settings = Settings { hash_mib: 256, threads, confidence: Confidence::deviations(dev).unwrap() };
    let (mut nodes, mut secs, mut wall) = (0, 0.0, 0.0);
    for &b in &boards {
        let mut t = Thinker::new(model.clone(), cuts.clone(), settings.clone()).unwrap();
        let c = cpu();
        let mut wish = Wish { depth: Some(depth), ..Wish::default() };
        if mode == "time" { wish = Wish { most: Some(Duration::from_millis(depth.into())), ..Wish::default() }; }
        let th = t.think(b, &wish, &stop, &mut |_| {});
        let c = cpu() - c;
        let l = &th.lines[0];
        println!("{} empties {:?} d{} {:?} {} nodes {} cpu {:.2} wall {:.3} line {}", b.empties(), th.phase, th.depth, l.value, l.mv, th.nodes, c, th.elapsed.as_secs_f64(), l.line.iter().map(|m| m.to_string()).collect::<String>());
        nodes += th.nodes; secs += c; wall += th.elapsed.as_secs_f64();
    }
    println!("sum {nodes} nodes {secs:.2} cpu s {wall:.2} wall s {:.2} M/s", nodes as f64 / secs / 1e6);
}
