#!/usr/bin/env python3
"""OpenSpiel's Monte Carlo tree search (its C++ `MCTSBot`) as a player for `regulus match`, by docs/protocol.md.

    regulus match breakthrough --seconds 0.1 --players "auto,program:python3 rivals/openspiel.py breakthrough --log openspiel.log"
    python3 rivals/openspiel.py breakthrough --check 20     # compares the rules in 20 random games
    python3 rivals/openspiel.py english_checkers --rules    # prints the game with OpenSpiel's rules about draws

It needs `pip install open_spiel`. The game is mirrored in an OpenSpiel state. The moves that Regulus says are legal are compared
with OpenSpiel's, and every move of the opponent must be one of OpenSpiel's. The arena throws away what programs write to
standard error, so `--log` appends it to a file, too.

Time. `--seconds`, or else what `go` says, is for a whole turn, as for Regulus' own players. Where OpenSpiel needs several actions
for a turn, each is a search of its own, since `MCTSBot` keeps no tree; what is left of the time is divided equally among the
actions that may still have to be chosen. In amazons (which amazon, where to, where the arrow goes) that is a third for each. In
checkers and morris the turn with the most choices counts: if a mill can be closed, finding the move gets one half, and the man to
take the other, which is lost if no mill is closed after all. Actions without a choice take no time. Comparing the rules (some
milliseconds in amazons, less elsewhere) is not taken off OpenSpiel's time; the arena forgives a second. OpenSpiel is
imported before the answer to `hello`, when nobody's clock runs.

Rules. Breakthrough, connect four, hex and amazons are the same games. So is reversi: who cannot place a disc passes in both, which
is a move. English checkers is drawn in OpenSpiel after 40 plies without a capture, in Regulus after 80 in which also only kings
moved. Nine men's morris is drawn in OpenSpiel after 200 turns, in Regulus after 100 plies of the second phase without a capture.
Where OpenSpiel says that the game is over and Regulus goes on, OpenSpiel cannot search: a random move is played, and
counted (in checkers until the next capture, in morris to the end). That makes it weaker than it is, so a fair match takes what
`--rules` prints: `regulus match FILE --players …`, with the name of the game, not of the file, behind `openspiel.py`.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pyspiel

HERE = Path(__file__).resolve().parent

# The following functions translate a move as Regulus writes it into OpenSpiel's actions. Whether it is legal is found out later;
# what makes no sense raises an error. `plies` is how many moves were made before.


def cell(square, size):
    """The number of a square such as d3 on a board that OpenSpiel counts row by row from the upper left corner."""
    return (size - int(square[1:])) * size + ord(square[0]) - ord("a")


def breakthrough(text, state, plies):
    # OpenSpiel's first player stands at the top, so the board is upside down. A move that takes has a star and its own number.
    wanted = "".join(square[0] + str(9 - int(square[1])) for square in text.split("-"))
    return (next(action for action in state.legal_actions() if state.action_to_string(action).rstrip("*") == wanted),)


def connect_four(text, state, plies):
    # Regulus names the square where the disc comes to rest, OpenSpiel only the column.
    column = ord(text[0]) - ord("a")
    if int(text[1]) != state.history().count(column) + 1:
        raise ValueError("a disc does not come to rest there")
    return (column,)


def english_checkers(text, state, plies):
    # A step is `a3-b4`. A ride names the first square, those that are taken in their order, and the last: `a5-b4-b2-a1`. In
    # OpenSpiel each jump is an action, made up of a square, one of four directions, and whether it is a jump.
    here, *others = [divmod(cell(square, 8), 8) for square in text.split("-")]
    actions, jumps = [], len(others) > 1
    for there in others[:-1] or others:
        down, right = there[0] - here[0], there[1] - here[1]
        direction = [(-1, -1), (-1, 1), (1, 1), (1, -1)].index((down, right))
        actions.append((here[0] * 8 + here[1]) * 8 + direction * 2 + jumps)
        here = (there[0] + down * jumps, there[1] + right * jumps)
    if here != others[-1]:
        raise ValueError("the ride does not end there")
    return tuple(actions)


MORRIS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


def nine_mens_morris(text, state, plies):
    # Nine men each are placed, then men move; a man that is taken comes last, and is an action of its own.
    first, *others = [MORRIS.index(point) for point in text.split("-")]
    return (first, *others) if plies < 18 else (24 + 24 * first + others[0], *others[1:])


# The name of the game in OpenSpiel, the translation, and the number of actions in a turn, if it is always the same.
GAMES = {
    "breakthrough": ("breakthrough", breakthrough, 1),
    "connect_four": ("connect_four", connect_four, 1),
    # The player who begins joins the sides a and k; in OpenSpiel the first and the last row.
    "hex_11": ("hex(board_size=11)", lambda text, *_: ((ord(text[0]) - ord("a")) * 11 + int(text[1:]) - 1,), 1),
    "reversi": ("othello", lambda text, *_: (64 if text == "pass" else cell(text, 8),), 1),
    "english_checkers": ("checkers", english_checkers, None),
    "amazons": ("amazons", lambda text, *_: tuple(cell(square, 10) for square in text.split("-")), 3),
    "nine_mens_morris": ("nine_mens_morris", nine_mens_morris, None),
}

# What to replace in the texts of bundled games so that draws are as in OpenSpiel. In morris 18 of the 200 turns are placings;
# who is left with two men by the last one still loses.
RULES = {
    "english_checkers": [
        ("quietPlies(80)", "quietPlies(40)"), ("Plies < 80}", "Plies < 40}"), ("Plies == 80}", "Plies == 40}"),
        ("80 consecutive", "40 consecutive"), ("80 plies", "40 plies"), ("only kings moved and ", ""),
        ("[me~King] ) [$ quietPlies=0]", "[me~King] )"),
        ("manRide(foe; ahead) ->> settleMan(me; ahead)", "manRide(foe; ahead) ->> settleMan(me; ahead) [$ quietPlies=0]"),
        ("{empty} ->> settleMan(me; ahead)", "{empty} ->> settleMan(me; ahead) countQuiet(me; foe)"),
        ("->> settleQuietKing(me; foe)", "->> [me~King] countQuiet(me; foe)"),
        ("#settleQuietKing(me; foe) =\n    [me~King] ", "#countQuiet(me; foe) =\n    "),
    ],
    "nine_mens_morris": [
        ("quietPlies(100)", "quietPlies(182)"), ("Plies < 100}", "Plies < 182}\n    + {$ quietPlies == 182} {$ foe~Man < 3}"),
        ("Plies == 100}", "Plies == 182} {$ foe~Man > 2}"), ("[$ quietPlies=0];", "countQuiet(me; foe);"),
        ("100 consecutive plies of the second phase in which no man was taken", "200 plies"),
        ("100 plies in which no man was taken", "200 plies"),
    ],
}


class Mirror:
    """A game of Regulus in OpenSpiel. Its state is `None` after a move that OpenSpiel does not know."""

    def __init__(self, name, say):
        spiel_name, self.translate, self.actions_per_turn = GAMES[name]
        self.game, self.say = pyspiel.load_game(spiel_name), say
        self.compared = self.differences = self.ended_early = 0
        self.start()

    def start(self):
        self.state, self.plies = self.game.new_initial_state(), 0

    def over(self):
        return self.state is None or self.state.is_terminal()

    def turns(self, state=None, before=()):
        """All turns that are legal in OpenSpiel, as tuples of actions."""
        state, found = state or self.state, []
        for action in state.legal_actions():
            turn = (*before, action)
            after = None if len(turn) == self.actions_per_turn else state.child(action)
            goes_on = after and not after.is_terminal() and after.current_player() == state.current_player()
            found += self.turns(after, turn) if goes_on else [turn]
        return found

    def actions(self, text):
        """The actions of a move of Regulus; the move itself, if it has no meaning in OpenSpiel."""
        try:
            return self.translate(text, self.state, self.plies)
        except (ValueError, IndexError, StopIteration):
            return text

    def differ(self, what):
        self.differences += 1
        self.say(f"difference after {self.plies} moves: {what}\n{self.state}")

    def compare(self, legal):
        """Compares the moves that are legal in Regulus with OpenSpiel's; returns those that both have, by their actions."""
        if self.over():
            self.ended_early += 1
            return {}
        self.compared += 1
        spiel, regulus = set(self.turns()), {self.actions(text): text for text in legal}
        if spiel != regulus.keys() or len(regulus) < len(legal):
            strange = [text for actions, text in regulus.items() if actions not in spiel]
            self.differ(f"Regulus {len(legal)} moves, others than OpenSpiel {strange}; only OpenSpiel {spiel - regulus.keys()}")
        return {actions: text for actions, text in regulus.items() if actions in spiel}

    def move(self, text):
        """Makes a move. After what is a draw for OpenSpiel only, it is not checked."""
        actions = self.actions(text) if self.state else ()
        if self.state and (actions == text or not self.over() and actions not in self.turns()):
            self.differ(f"{text} is not legal in OpenSpiel, which loses track of the game")
            self.state, actions = None, ()
        try:
            for action in actions:
                self.state.apply_action(action)
        except pyspiel.SpielError as error:
            self.differ(f"{text} cannot be made in OpenSpiel, which loses track of the game: {error}")
            self.state = None
        self.plies += 1


def choices(turns, made):
    """How many actions of the rest of a turn, of which some are made, have to be chosen among several, at most."""
    rest = {}
    for turn in turns:
        if len(turn) > made:
            rest.setdefault(turn[made], []).append(turn)
    return (len(rest) > 1) + max((choices(some, made + 1) for some in rest.values()), default=0)


class Player:
    """Chooses turns with OpenSpiel's tree search."""

    def __init__(self, mirror, options):
        self.mirror, self.options, self.random = mirror, options, random.Random(options.seed)
        self.at_random = self.simulations = 0
        self.given = self.used = 0.0

    def search(self, state, seconds):
        """The best action by a search of some seconds; if there is no time for two simulations, any."""
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.random.getrandbits(31))
        bot = pyspiel.MCTSBot(
            self.mirror.game, evaluator, uct_c=self.options.uct_c, max_simulations=2**31 - 1, max_memory_mb=self.options.memory,
            solve=True, seed=self.random.getrandbits(31), verbose=False, max_wall_clock_time=max(1e-4, seconds))
        # This is what `bot.step` does, which crashes without children; `root.best_child()` would copy a tree. The best proven
        # result comes first, then the most simulations, then the most points.
        root = bot.mcts_search(state)
        self.simulations += root.explore_count
        worth = lambda child: (child.outcome[child.player] if child.outcome else 0.0, child.explore_count, child.total_reward)
        best = max(root.children, key=worth, default=None)
        return best.action if best else self.random.choice(state.legal_actions())

    def choose(self, legal, seconds):
        """A turn for the position, as Regulus writes it."""
        moves = self.mirror.compare(legal)
        started, state, turn, turns = time.monotonic(), self.mirror.state, (), list(moves)
        while turn not in moves:
            turns = [other for other in turns if other[: len(turn)] == turn]
            if not turns:
                self.at_random += 1
                self.mirror.say(f"a random move after {self.mirror.plies} moves: the game is over for OpenSpiel, or differs")
                return self.random.choice(legal)
            left = choices(turns, len(turn))
            action = turns[0][len(turn)]
            if left > 0:
                action = self.search(state, (seconds - (time.monotonic() - started)) / left)
            turn, state = (*turn, action), state.child(action)
        if len(moves) > 1:
            self.given, self.used = self.given + seconds, self.used + time.monotonic() - started
        return moves[turn]


def play(name, options, say):
    """Speaks with the arena. Games with a number of iterations are played with a second for each turn."""
    mirror = Mirror(name, say)
    player, lines = Player(mirror, options), iter(sys.stdin.readline, "")
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "hello":
            print("hello 1 openspiel wants legal", flush=True)
        elif word == "rules":
            _ = [next(lines) for _ in range(int(rest))]
        elif word == "start":
            mirror.start()
            print("ready", flush=True)
        elif word == "move":
            mirror.move(rest.partition(" ")[2])
        elif word == "legal":
            legal = [next(lines).strip() for _ in range(int(rest))]
        elif word == "go":
            told = float(rest.split()[1]) if rest.startswith("seconds") else 1.0
            print("move", player.choose(legal, options.seconds or told), flush=True)
        elif word == "quit":
            break
    say(f"{mirror.plies} moves, {mirror.compared} positions compared, {mirror.differences} differences, {player.at_random} random"
        f" moves, {player.simulations} simulations in {player.used:.3f} of {player.given:.3f} s")


def check(name, options, say):
    """Plays random games and compares all legal moves, and the results."""
    command = [options.regulus, "engine", options.game, "--player", "random"]
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(line):
        print(line, file=engine.stdin, flush=True)
        return engine.stdout.readline().strip()

    mirror, chance, moves, ended_late, results = Mirror(name, say), random.Random(options.seed), 0, 0, 0
    for number in range(options.check):
        mirror.start()
        if ask("start") != "ready":
            sys.exit("Regulus does not start")
        while not (status := ask("status")).startswith("status over"):
            legal = [engine.stdout.readline().strip() for _ in range(int(ask("legal").split()[1]))]
            mirror.compare(legal)
            move = chance.choice(legal)
            print("move x", move, file=engine.stdin)
            mirror.move(move)
            moves += 1
        # Regulus gives each player 1, 0.5 or 0, OpenSpiel 1, 0 or -1.
        points = [2 * float(part) - 1 for part in status[status.index("[") + 1 : status.index("]")].split(",")]
        ended_late += not mirror.over()
        if mirror.state and mirror.over() and mirror.state.returns() != points:
            results += 1
            say(f"game {number + 1} after {mirror.plies} moves: {status}, but OpenSpiel says {mirror.state.returns()}")
    engine.communicate("quit\n")
    say(f"{options.check} games, {moves} moves, {mirror.compared} positions compared, {mirror.differences} differences, {results}"
        f" other results; over only in OpenSpiel at {mirror.ended_early} positions, only in Regulus at {ended_late}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a bundled game, or for --check also a file of that name: " + ", ".join(GAMES))
    parser.add_argument("--seconds", type=float, help="for a whole turn; what the arena says unless told")
    parser.add_argument("--uct-c", type=float, default=2.0, help="exploration; 2 unless told, as in OpenSpiel's examples")
    parser.add_argument("--memory", type=int, default=256, help="megabytes for a tree; 256 unless told")
    parser.add_argument("--seed", type=int, help="of all that is random; another each time unless told")
    parser.add_argument("--log", help="append messages to this file, too")
    parser.add_argument("--check", type=int, metavar="N", help="compare the rules in random games, and do not play")
    parser.add_argument("--rules", action="store_true", help="print the game with OpenSpiel's rules about draws")
    parser.add_argument("--regulus", default=HERE.parent / "target/release/regulus", help="the program, for --check")
    options = parser.parse_args()
    name = Path(options.game).stem
    if name not in GAMES:
        parser.error(f"{name} is not one of " + ", ".join(GAMES))

    def say(text):
        line = f"openspiel {name} {os.getpid()}: {text}"
        print(line, file=sys.stderr, flush=True)
        if options.log:
            with open(options.log, "a") as file:
                print(line, file=file)

    if options.rules:
        text = (HERE.parent / f"games/rbg/{name}.rbg").read_text()
        for old, new in RULES.get(name, []):
            if old not in text:
                sys.exit(f"the bundled game has changed and lacks `{old}`")
            text = text.replace(old, new)
        print(text, end="")
    elif options.check is not None:
        check(name, options, say)
    else:
        play(name, options, say)


if __name__ == "__main__":
    main()
