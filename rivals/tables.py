#!/usr/bin/env python3
"""Plays the matches of the tables in docs/players.md, and prints their rows.

    python3 rivals/tables.py openspiel --core 0            # a whole table, on one processor core
    python3 rivals/tables.py uct --only hex,amazons        # some of its rows
    python3 rivals/tables.py fairy --seconds 0.1 --games 40
    python3 rivals/tables.py nets --nets runs --train 20m --games 200       # trains what is not there yet
    python3 rivals/tables.py learning --nets runs --train 10m --only stray

Both players of a match think in turn, so one core is one core a side. Rows are printed as Markdown, and appended to the file of
`--keep` with the largest overrun of our side, so that a table can be made in several runs. `fairy` needs `fairy-stockfish` on the
path, `openspiel` what rivals/openspiel.py needs.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REGULUS = HERE.parent / "target/release/regulus"

OPENSPIEL = ["breakthrough", "connect_four", "hex_11", "reversi", "english_checkers", "amazons", "nine_mens_morris"]
# The games that are drawn by other rules there.
OTHER_DRAWS = ["english_checkers", "nine_mens_morris"]
UCT = [
    *["breakthrough", "chess", "english_checkers", "reversi", "hex_11", "amazons", "gardner_chess", "connect_four", "gomoku", "arimaa"],
    *["metagame_chess", "american_checkers", "animal_shogi"],
]
LEVELS = [(4, 1), (7, 4), (10, 7)]
ABLATION = ["chess", "breakthrough", "reversi"]
# What nets are compared with: the player that `auto` is without one.
NETS = {
    **{"breakthrough": "alphabeta", "english_checkers": "alphabeta", "gardner": "alphabeta"},
    **{"reversi": "alphabeta", "knightthrough": "alphabeta?settling=0"},
}
# Settings of training that are compared; the first one changes nothing.
LEARNING = ["measure=0", "target=outcome", "target=search", "trace=0.95", "stray=0", "stray=0.2", "mirrors=0", "sums=32", "sums=256"]
PARTS = ["learning=0", "evaluation=material", "settling=0", "reducing=0", "pruning=0", "memory=1"]


def trained(options, game, setting="measure=0"):
    """The player with a net of a game. Trains it if it is not there."""
    folder = options.nets / (game if setting == LEARNING[0] else f"{game}-{setting}")
    net = folder / "best.safetensors"
    if not net.exists():
        command = [str(options.regulus), "train", game, "-o", str(folder), "--budget", options.train, "--set", "measure=0"]
        # One core for a run; on both, runs would be beside each other as matches are.
        command += ["--threads", "1"] + (["--set", setting] if setting != LEARNING[0] else [])
        subprocess.run(on_core(options, command), check=True, stdout=subprocess.DEVNULL)
    return f"net:{net}"


def on_core(options, command):
    return command if options.core is None else ["taskset", "-c", options.core, *command]


def rows(options):
    """The rows of a table: what they are called, the game, our player (or how to get it), the other one, and how it may end early."""
    table = options.table
    if table == "nets":
        for game, other in NETS.items():
            yield f"{game} against `{other}`", game, lambda game=game: trained(options, game), other, None
    elif table == "learning":
        for setting in LEARNING:
            game = "breakthrough"
            yield f"{game}, `{setting}`", game, lambda it=setting: trained(options, game, it), NETS[game], None
    elif table == "openspiel":
        for game in OPENSPIEL:
            yield game, game, "auto", f"program:{sys.executable} {HERE}/openspiel.py {game}", None
    elif table == "uct":
        for game in UCT:
            yield game, game, "auto", "uct", "0,100"
    elif table == "random":
        for game in UCT:
            yield game, game, "auto", "random", None
    elif table == "fairy":
        for game in ["chess", "breakthrough"]:
            for level in [0, 5, 10, 20]:
                engine = f"uci:fairy-stockfish?Skill Level={level}"
                yield f"{game}, skill level {level}", game, "auto", engine, None
    elif table == "levels":
        for game in ["breakthrough", "chess"]:
            for high, low in LEVELS:
                yield f"{game}, {high} against {low}", game, f"auto?level={high}", f"auto?level={low}", None
    elif table == "ablation":
        for game in ABLATION:
            for part in PARTS:
                yield f"{game}, `{part}`", game, "alphabeta", f"alphabeta?{part}", "0,100"
        for part in ["rave=0", "rave=0&wide=1000000", "wide=1000000"]:
            yield f"hex_11, `{part}`", "hex_11", "mcts", f"mcts?{part}", "0,100"
            yield f"amazons, `{part}`", "amazons", "mcts", f"mcts?{part}", "0,100"


def text_of(game, table, folder):
    """What `regulus match` is given: for some games a text with OpenSpiel's rules about draws."""
    if table != "openspiel" or game not in OTHER_DRAWS:
        return game
    file = folder / f"{game}.rbg"
    file.write_text(subprocess.run(
        [sys.executable, HERE / "openspiel.py", game, "--rules"], check=True, capture_output=True, text=True).stdout)
    return str(file)


def play(options, table, row, folder):
    name, game, ours, theirs, sprt = row
    ours = ours if isinstance(ours, str) else ours()
    command = [
        str(options.regulus), "match",
        text_of(game, table, folder), "--players", f"{ours},{theirs}", "--games", str(options.games),
        "--seconds", str(options.seconds), "--opening", "4", "--longest", "200", "--seed", str(options.seed), "--json",
    ]
    if sprt and not options.all_games:
        command += ["--sprt", sprt]
    command = on_core(options, command)
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    won = drawn = lost = slowest = 0
    odd = []
    for record in answer["games"]:
        seat = next(i for i, seat in enumerate(record["players"]) if seat["player"] == ours)
        mine = record["results"][seat]
        other = max(result for i, result in enumerate(record["results"]) if i != seat)
        won, drawn, lost = won + (mine > other), drawn + (mine == other), lost + (mine < other)
        for move in record["moves"]:
            if move["player"] == record["players"][seat]["seat"]:
                slowest = max(slowest, move["seconds"])
        if record["end"] not in ("rules", "longest"):
            odd.append(record["reason"])
    games = won + drawn + lost
    share = (won + drawn / 2) / games
    # Wilson's interval, with draws as halves.
    z = 1.96
    middle, spread = (share + z * z / 2 / games), z * ((share * (1 - share) + z * z / 4 / games) / games) ** 0.5
    low, high = ((middle + sign * spread) / (1 + z * z / games) for sign in (-1, 1))
    print(f"| {name} | {games} | {100 * share:.1f} % ({100 * low:.0f} to {100 * high:.0f}) | {won} / {drawn} / {lost} |", flush=True)
    if odd:
        print(f"  not ended by the rules: {odd}", file=sys.stderr)
    if options.keep:
        with open(options.keep, "a") as file:
            file.write(json.dumps({"table": table, "row": name, "games": games, "share": share, "won": won, "drawn": drawn,
                                   "lost": lost, "slowest": slowest, "seconds": options.seconds, "odd": odd}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=["openspiel", "uct", "random", "fairy", "levels", "ablation", "nets", "learning"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", help="the processor core to use")
    parser.add_argument("--only", default="", help="parts of the names of rows, with commas between them")
    parser.add_argument("--all-games", action="store_true", help="do not end a match when the answer is clear")
    parser.add_argument("--regulus", type=Path, default=REGULUS)
    parser.add_argument("--nets", type=Path, default=Path("nets"), help="the folder with the runs of `nets` and `learning`")
    parser.add_argument("--train", default="20m", help="how long nets are trained, on one core")
    parser.add_argument("--keep", help="a file to which rows are appended as JSON")
    options = parser.parse_args()
    print("| game | games | points (95 %) | won / drawn / lost |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(options):
            if any(word in row[0] for word in options.only.split(",")):
                play(options, options.table, row, Path(folder))


if __name__ == "__main__":
    main()
