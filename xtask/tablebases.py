"""Compares distances to mate with Gaviota's tables.

Usage: tablebases.py FOLDER < LINES

Each line is a FEN, a tab, and our value: "won in 5", "lost in 4", "draw". Differences are printed,
the first twenty of them word for word; the last line tells how many positions were compared and how
many differ. Needs python-chess.
"""

import sys

import chess
import chess.gaviota

SHOWN = 20


def published(tables, board):
    plies = tables.probe_dtm(board)
    if plies > 0:
        return f"won in {plies}"
    if plies < 0:
        return f"lost in {-plies}"
    return "lost in 0" if board.is_checkmate() else "draw"


def main():
    compared = different = 0
    with chess.gaviota.PythonTablebase() as tables:
        tables.add_directory(sys.argv[1])
        for line in sys.stdin:
            fen, ours = line.rstrip("\n").split("\t")
            theirs = published(tables, chess.Board(fen))
            compared += 1
            if ours != theirs:
                different += 1
                if different <= SHOWN:
                    print(f"{fen}: {ours}, Gaviota {theirs}")
    print(f"{compared} compared, {different} different")


main()
