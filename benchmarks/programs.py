"""Play the engine against another program at equal processor time: the program's process against our thread.

Each opening is played twice with colours swapped. Before each of its moves, the engine gets an equal share of the time
by which the program is ahead, so that both have used the same time at the end. Results are appended to a file with a
line for each game; an existing file is continued.

    python -m benchmarks.programs out.jsonl [--games 100] [--openings FILE] [--player '{"search_threads": 1}']
        -- /usr/games/gtp-rhino -l 3 -b 0
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

from othello.game import AnyGame
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.players.program_player import ProgramConfig, ProgramPlayer
from othello.programs.program_registry import Program
from othello.records.openings import read_openings
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, Move
from othello.rules.registry import game_spec, rules_of
from othello.tournament.statistics import PairScores

SPEC: Final = game_spec()
RULES: Final = rules_of(SPEC)
OPENINGS: Final = Path(__file__).parents[1] / "tests" / "data" / "xot.txt"
LEAST: Final = 0.002  # minimum seconds for a move of ours


class Match:
    """A match, with the processor time of both sides."""

    def __init__(self, program: Program, options: dict[str, Any], done: list[dict[str, Any]]) -> None:
        config = ProgramConfig("external", program=program.name, inline_program=program)
        self.theirs = ProgramPlayer(config, RULES)
        self.ours = create_player(configure("engine", depth=60, **options), SPEC)
        self.ours.prepare()
        self.their_seconds = sum(game["their_seconds"] for game in done)
        self.our_seconds = sum(game["our_seconds"] for game in done)

    def play(self, opening: str, color: Color, number: int) -> dict[str, Any]:
        """Play a game in which the engine has this colour."""
        before = self.their_seconds, self.our_seconds
        game = parse_transcript(opening, RULES)
        self.theirs.new_game(number)
        self.ours.new_game(number)
        while not game.is_over:
            if game.must_pass:
                game = game.play(game.legal_moves()[0])
            else:
                game = game.play(self._ours(game) if game.to_move is color else self._theirs(game))
        assert game.outcome is not None
        points = 0.5 if game.outcome.winner is None else float(game.outcome.winner is color)
        return {
            "opening": opening,
            "color": color.label,
            "points": points,
            "discs": game.outcome.difference * (1 if color is Color.BLACK else -1),
            "their_seconds": self.their_seconds - before[0],
            "our_seconds": self.our_seconds - before[1],
            "moves": format_transcript(game),
        }

    def _theirs(self, game: AnyGame) -> Move:
        begun = self.theirs.cpu_seconds
        move = choose(self.theirs, game).move
        self.their_seconds += self.theirs.cpu_seconds - begun
        return move

    def _ours(self, game: AnyGame) -> Move:
        moves_left = max(2, (RULES.moves_left(game.position) - 16) // 2)  # the last moves take almost no time
        share = max(LEAST, (self.their_seconds - self.our_seconds) / moves_left)
        begun = time.process_time()
        move = choose(self.ours, game, share).move
        self.our_seconds += time.process_time() - begun
        return move


def main() -> None:
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--openings", type=Path, default=OPENINGS)
    parser.add_argument("--player", type=json.loads, default={})
    arguments = parser.parse_args(sys.argv[1:end])
    if not sys.argv[end + 1 :]:
        parser.error("the program and its arguments are missing after --")
    program = Program("program", tuple(sys.argv[end + 1 :]), protocol="gtp")
    openings = read_openings(arguments.openings, RULES)
    done = [json.loads(line) for line in arguments.out.read_text().splitlines()] if arguments.out.exists() else []
    match = Match(program, arguments.player, done)
    with match.theirs, match.ours, arguments.out.open("a") as file:
        for number in range(len(done), arguments.games):
            game = match.play(openings[number // 2 % len(openings)], Color(number % 2), number)
            done.append(game)
            file.write(json.dumps(game) + "\n")
            file.flush()
    units = PairScores()
    for first, second in zip(done[::2], done[1::2], strict=False):
        units.add(2, first["points"] + second["points"])
    score, times = units.interval, f"{match.our_seconds:.1f} s of ours, {match.their_seconds:.1f} s of theirs"
    discs = sum(game["discs"] for game in done) / len(done)
    bounds = f"{100 * score.estimate:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f})"
    print(f"{len(done)} games, {bounds}, {discs:+.1f} discs a game, {times}")


if __name__ == "__main__":
    main()
