#!/usr/bin/env python3
"""Talks to a CECP engine the way xboard does, with python-chess as xboard.

    xboard_client.py ENGINE [ARGUMENT...]      e.g. xboard_client.py zug engine cecp

Exits with 0 when all is well (or python-chess is missing: "skipped"), with 1 and a reason otherwise.
"""

import sys

try:
    import chess
    import chess.engine
except ImportError:
    print("skipped: python-chess is not installed")
    sys.exit(0)

# Only a hang takes this long.
PATIENCE = 120.0

MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def handshake(engine):
    """The engine names itself and offers what GUIs ask for."""
    check(engine.id.get("name", "").startswith("Zug"), f"name is {engine.id}")
    for name in ("memory", "cores", "egtpath syzygy", "MultiPV", "Search"):
        check(name in engine.options, f"no option {name} in {list(engine.options)}")


def options(engine):
    """Options can be set while it runs."""
    engine.configure({"memory": 32, "cores": 1, "Search": "thesis"})
    engine.ping()
    engine.configure({"Search": "modern", "Learn": False})
    engine.ping()


def play(engine):
    """A game against itself: every move is legal, by depth, time and clock."""
    limits = [
        chess.engine.Limit(depth=3),
        chess.engine.Limit(time=1, depth=4),
        chess.engine.Limit(white_clock=3, black_clock=3, white_inc=1, black_inc=1, depth=5),
    ]
    board = chess.Board()
    for ply in range(16):
        if board.is_game_over():
            break
        # python-chess raises an error on an illegal move.
        result = engine.play(board, limits[ply % len(limits)], game="self", ponder=ply % 2 == 1)
        check(result.move is not None, f"no move in {board.fen()}")
        board.push(result.move)
    check(board.ply() >= 10, "the game ended at once")


def position(engine):
    """A position is set up, and a mate is told."""
    board = chess.Board(MATE_IN_TWO)
    result = engine.play(board, chess.engine.Limit(depth=5), info=chess.engine.INFO_ALL)
    check(result.move == chess.Move.from_uci("a1a6"), f"{result.move} is no mate")
    check(result.info["score"].relative == chess.engine.Mate(2), f"{result.info}")


def analysis(engine):
    """An analysis tells depth, score, nodes and a line that can be played."""
    board = chess.Board()
    with engine.analysis(board) as found:
        for info in found:
            if info.get("depth", 0) >= 6 and "pv" in info:
                break
    check(info["nodes"] > 0 and "score" in info, f"{info}")
    for move in info["pv"]:
        check(move in board.legal_moves, f"{move} in {info['pv']} is not legal")
        board.push(move)
    engine.ping()


def chess960(engine):
    """Castling in Chess960 is understood in both directions."""
    board = chess.Board("5k2/8/8/8/8/8/5PPP/4K2R w K - 0 1", chess960=True)
    for move in ("e1h1", "f8e7"):
        board.push(chess.Move.from_uci(move))
    result = engine.play(board, chess.engine.Limit(depth=2), game="960")
    check(result.move in board.legal_moves, f"{result.move}")


def main():
    command = sys.argv[1:]
    if not command:
        sys.exit(__doc__)
    for test in (handshake, options, play, position, analysis, chess960):
        with chess.engine.SimpleEngine.popen_xboard(command, timeout=PATIENCE) as engine:
            engine.timeout = PATIENCE
            try:
                test(engine)
            except (AssertionError, chess.engine.EngineError) as error:
                print(f"{test.__name__}: {error}")
                sys.exit(1)
        print(f"{test.__name__}: well")


main()
