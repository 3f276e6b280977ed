#!/usr/bin/env python3
"""Talks to a UCI engine the way a GUI does, with python-chess as the GUI.

    uci_client.py ENGINE [ARGUMENT...]      e.g. uci_client.py zug engine uci

Exits with 0 when all is well (or python-chess is missing: "skipped"), with 1 and a reason otherwise.
"""

import subprocess
import sys
import time

try:
    import chess
    import chess.engine
except ImportError:
    print("skipped: python-chess is not installed")
    sys.exit(0)

# Only a hang takes this long.
PATIENCE = 120.0

# White mates in two: 1. Ra6 and 2. Rxa7 or bxa7.
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def handshake(engine, _command):
    """The engine names itself and offers the options that GUIs use."""
    check(engine.id.get("name", "").startswith("Zug"), f"name is {engine.id}")
    check("author" in engine.id, "no author")
    for name in (
        "Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Clear Hash",
        "UCI_Chess960",
        "UCI_LimitStrength",
        "UCI_Elo",
        "UCI_AnalyseMode",
        "UCI_ShowWDL",
        "SyzygyPath",
        "SyzygyProbeDepth",
        "Syzygy50MoveRule",
    ):
        check(name in engine.options, f"no option {name}")
    check(engine.options["Hash"].type == "spin", "Hash is no spin option")
    check(engine.options["Clear Hash"].type == "button", "Clear Hash is no button")


def options(engine, _command):
    """Options can be set, and nonsense values are refused by their declared ranges."""
    engine.configure({"Hash": 8, "Threads": 1})
    engine.configure({"Clear Hash": None})
    engine.ping()
    try:
        engine.configure({"Hash": 0})
    except chess.engine.EngineError:
        pass
    else:
        raise AssertionError("Hash 0 was accepted")


def play(engine, _command):
    """A game against itself: every move is legal, by depth, nodes, time and clock."""
    limits = [
        chess.engine.Limit(depth=3),
        chess.engine.Limit(nodes=2000),
        chess.engine.Limit(time=0.03),
        chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01),
        chess.engine.Limit(white_clock=2, black_clock=2, remaining_moves=20),
    ]
    board = chess.Board()
    for ply in range(30):
        if board.is_game_over():
            break
        # python-chess raises an error on an illegal move.
        result = engine.play(board, limits[ply % len(limits)], game="self", info=chess.engine.INFO_ALL)
        check(result.move is not None, f"no move in {board.fen()}")
        board.push(result.move)
    check(board.ply() >= 10, "the game ended at once")


def info(engine, _command):
    """A search reports depth, score, nodes, time and a line that can be played."""
    board = chess.Board()
    found = engine.analyse(board, chess.engine.Limit(depth=4))
    for key in ("depth", "seldepth", "score", "nodes", "nps", "time", "pv"):
        check(key in found, f"no {key} in {found}")
    check(found["depth"] == 4, f"depth is {found['depth']}")
    check(found["score"].relative.score() is not None, "no centipawns in the start position")
    for move in found["pv"]:
        check(move in board.legal_moves, f"{move} in {found['pv']} is not legal")
        board.push(move)


def chances(engine, _command):
    """With UCI_ShowWDL scores come with chances that add up."""
    engine.configure({"UCI_ShowWDL": True})
    found = engine.analyse(chess.Board(), chess.engine.Limit(depth=5))
    check("wdl" in found, f"no chances in {found}")
    check(found["wdl"].relative.total() == 1000, f"chances are {found['wdl']}")
    check(found["wdl"].relative.winning_chance() > 0.2, f"chances are {found['wdl']}")


def strength(engine, _command):
    """Limited strength still makes legal moves, within the range that is declared, and can be left."""
    elo = engine.options["UCI_Elo"]
    for rating in (elo.min, elo.max, 1500):
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": rating})
        board = chess.Board()
        for _ in range(6):
            board.push(engine.play(board, chess.engine.Limit(time=0.1)).move)
    try:
        engine.configure({"UCI_Elo": elo.max + 1})
    except chess.engine.EngineError:
        pass
    else:
        raise AssertionError("a rating beyond the range was accepted")
    engine.configure({"UCI_LimitStrength": False})
    found = engine.analyse(chess.Board(), chess.engine.Limit(nodes=30_000))
    check(found["nodes"] > 10_000, f"still limited: {found}")


def signs_of_life(engine, _command):
    """A long search says how far it is and which move it looks at."""
    seen = set()
    board = chess.Board("r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 0 12")
    with engine.analysis(board) as analysis:
        for found in analysis:
            seen |= found.keys()
            if {"currmove", "hashfull"} <= seen and analysis.info.get("time", 0) > 2:
                break
    check("currmove" in seen and "currmovenumber" in seen and "hashfull" in seen, f"only {seen}")


def several_lines(engine, _command):
    """MultiPV gives different moves, the best first."""
    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=3), multipv=4)
    check(len(lines) == 4, f"{len(lines)} lines")
    first = [line["pv"][0] for line in lines]
    check(len(set(first)) == 4, f"the same move twice: {first}")
    scores = [line["score"].relative for line in lines]
    check(scores == sorted(scores, reverse=True), f"not in order: {scores}")


def only_some_moves(engine, _command):
    """searchmoves is obeyed."""
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = engine.play(chess.Board(), chess.engine.Limit(depth=3), root_moves=moves)
    check(result.move in moves, f"{result.move} was not allowed")


def infinite(engine, _command):
    """An infinite analysis goes on until it is stopped, then names its move."""
    with engine.analysis(chess.Board()) as analysis:
        for found in analysis:
            if found.get("depth", 0) >= 3:
                break
        analysis.stop()
        best = analysis.wait()
    check(best.move in chess.Board().legal_moves, f"best move is {best.move}")
    engine.ping()


def ponder(engine, _command):
    """The engine thinks on its opponent's time, both when the guess is right and when it is wrong."""
    limit = chess.engine.Limit(white_clock=3, black_clock=3)
    board = chess.Board()
    for guess_is_right in (True, False, True):
        result = engine.play(board, limit, ponder=True, game="ponder")
        board.push(result.move)
        replies = list(board.legal_moves)
        reply = result.ponder if guess_is_right and result.ponder in replies else replies[-1]
        board.push(reply)
    result = engine.play(board, limit, game="ponder")
    check(result.move in board.legal_moves, f"{result.move} after pondering")


def mates(engine, _command):
    """A mate in two is found, scored as such, and played out."""
    board = chess.Board(MATE_IN_TWO)
    found = engine.analyse(board, chess.engine.Limit(depth=5))
    check(found["score"].relative.mate() == 2, f"score is {found['score']}")
    check(found["pv"][0] == chess.Move.from_uci("a1a6"), f"line is {found['pv']}")
    found = engine.analyse(board, chess.engine.Limit(mate=2))
    check(found["score"].relative.mate() == 2, f"score is {found['score']} with 'go mate 2'")
    while not board.is_game_over():
        board.push(engine.play(board, chess.engine.Limit(depth=4)).move)
    check(board.is_checkmate() and board.ply() <= 3, f"not mated: {board.fen()}")


def unclaimed_draws(engine, _command):
    """Moves are found after a repetition that nobody claimed."""
    board = chess.Board()
    for _ in range(3):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(move)
    check(board.can_claim_threefold_repetition(), "no repetition")
    check(engine.play(board, chess.engine.Limit(depth=2)).move in board.legal_moves, "no move")


def shuffled_chess(engine, _command):
    """Chess960, with castling written as the king taking its rook."""
    board = chess.Board("4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1", chess960=True)
    castling = [move for move in board.legal_moves if board.is_castling(move)]
    check(len(castling) == 2, f"castling is {castling}")
    for move in castling:
        result = engine.play(board, chess.engine.Limit(depth=2), root_moves=[move])
        check(result.move == move, f"{result.move} instead of {move}")


def dialogue(command, lines):
    """What the engine says to these lines, and how it ends."""
    done = subprocess.run(
        command,
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    check(done.returncode == 0, f"exit code {done.returncode} after {lines}: {done.stderr}")
    return done.stdout.splitlines()


def illegal_input(_engine, command):
    """Nonsense gets an error line, the engine goes on, and whoever says go gets a move."""
    nonsense = [
        "castle",
        "go depth many",
        "position fen nothing",
        "position startpos moves e2e5",
        "setoption name Hash value lots",
        "setoption name Hash value 99999999999999999999",
        "setoption name SyzygyPath value no/such/folder",
        "setoption name UCI_Elo value 5",
        "setoption name Nothing value 1",
        "\u265e\u0000\u0007",
        "go" + " depth" * 5000,
    ]
    for line in nonsense:
        heard = dialogue(command, [line, "isready", "quit"])
        check(heard and heard[0].startswith("info string"), f"{line[:40]!r}: {heard}")
        check("readyok" in heard, f"{line[:40]!r}: {heard}")
        last = "bestmove " if line.startswith("go") else "readyok"
        check(heard[-1].startswith(last), f"{line[:40]!r}: {heard}")


def a_pipe(_engine, command):
    """A whole conversation at once gives a move before the end."""
    heard = dialogue(
        command,
        ["uci", "isready", "position startpos moves e2e4", "go depth 4", "quit"],
    )
    check("uciok" in heard and "readyok" in heard, f"no handshake in {heard}")
    check(heard[-1].startswith("bestmove "), f"ends with {heard[-1]}")


TESTS = [
    handshake,
    options,
    play,
    info,
    chances,
    strength,
    signs_of_life,
    several_lines,
    only_some_moves,
    infinite,
    ponder,
    mates,
    unclaimed_draws,
    shuffled_chess,
    illegal_input,
    a_pipe,
]


def main():
    command = sys.argv[1:]
    if not command:
        print(__doc__)
        return 2
    failed = 0
    for test in TESTS:
        begin = time.monotonic()
        engine = chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE)
        try:
            test(engine, command)
            engine.quit()
            print(f"ok      {test.__name__} ({time.monotonic() - begin:.1f} s)")
        except Exception as error:  # one failure must not hide the others
            failed += 1
            engine.close()
            print(f"FAILED  {test.__name__}: {test.__doc__}\n        {type(error).__name__}: {error}")
    print(f"{len(TESTS) - failed} of {len(TESTS)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
