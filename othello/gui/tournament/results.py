"""Standings and the outcome of a tournament in words, and the report in a file."""

import os
import re
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from othello.child_process import spawn_context
from othello.config import Config
from othello.errors import OthelloError
from othello.game import AnyGame
from othello.gui import ui, wording
from othello.gui.faces.board import BoardState
from othello.gui.tournament.following import Following, LiveGame
from othello.gui.tournament.panels import LiveState, Standing, StandingColumn
from othello.play.referee import Forfeit
from othello.players.registry import PLAYERS, configure, type_title
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Position, Rules
from othello.rules.registry import rules_of
from othello.texts import number, person, say
from othello.tournament.experiment import Experiment
from othello.tournament.processes import ignore_interrupts, without_interrupts
from othello.tournament.report import write_report
from othello.tournament.schedule import BEST_OF, most_games, most_games_per_pair, series_of_pair
from othello.tournament.sequential import SprtState
from othello.tournament.standings import Findings, PlayerTotal, Standings
from othello.tournament.statistics import Interval, Units
from othello.tournament.watched import PersonInvited

Write: TypeAlias = Callable[[list[Path], Path], object]
Browse: TypeAlias = Callable[[str], bool]


class ReportDesk:
    """Writes one report at a time."""

    def __init__(self, results: Path, write: Write = write_report, browse: Browse = webbrowser.open) -> None:
        """Write nothing yet. What writes the page and what shows it are functions that other processes can import."""
        self.message, self.failed = "", False  # how far the report is, or what went wrong
        self._results = results
        self._functions = (write, browse)
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    @property
    def is_busy(self) -> bool:
        return self._process is not None

    def open(self) -> None:
        """Begin to write the report of all games so far, to be shown in the browser."""
        if self.is_busy:
            return
        self.failed, self.message = False, say("report.writing")
        context = spawn_context()
        self._connection, theirs = context.Pipe(duplex=False)
        folder = self._results.with_name(f"{self._results.stem}-report")  # beside the results
        arguments = (theirs, self._results, folder, *self._functions)
        self._process = context.Process(target=_work, args=arguments, name="othello-report", daemon=True)
        with without_interrupts():
            self._process.start()
        theirs.close()

    def update(self) -> None:
        """Hear what the process has to say."""
        while self._connection is not None and self._connection.poll():
            try:
                text, detail = self._connection.recv()
                self.failed, self.message = text == "none", say(f"report.told.{text}", detail=str(detail))
            except EOFError:  # it has ended
                if self.message == say("report.writing"):
                    self.failed, self.message = True, say("report.broken")
                self.close()

    def forget(self) -> None:
        """There is something newer to tell than what became of the last report."""
        if not self.is_busy:
            self.message, self.failed = "", False

    def close(self) -> None:
        """Give up what is still being written."""
        if self._process is not None and self._connection is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None


def _work(connection: Connection, results: Path, folder: Path, write: Write, browse: Browse) -> None:
    """What the process does; it sends the name of a text, and what is to be put into the text."""
    ignore_interrupts()
    try:
        write([results], folder)
    except OthelloError as error:
        connection.send(("none", error.reason))
        return
    page = folder / "report.html"
    connection.send(("written", page))
    with Path(os.devnull).open("w") as nowhere:  # what browsers say to a terminal is no news
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    if not browse(page.resolve().as_uri()):
        connection.send(("no_browser", page))


_LEAST_RATE: Final = 0.1  # of games a second; a smaller one says nothing to anybody
_KNOWN_ELO: Final = 1000  # a wider interval says nothing
_PERSON: Final = configure("user").name  # as results call the person where nobody gave a name
_TYPE: Final = re.compile(r"(\w+)( \d+)?")  # as they call any other player then, with a number where two have the type


def called(name: str) -> str:
    """A player's name in words: the person is spoken to, and a type that stands for a name has its title."""
    if name == _PERSON:
        return person()
    found = _TYPE.fullmatch(name)
    return type_title(found[1]) + name[found.end(1) :] if found and found[1] in PLAYERS else name


class _Ranked(NamedTuple):
    """A player's place and results."""

    place: int  # from 1
    total: PlayerTotal
    elo: Interval


COLUMNS: Final = (
    StandingColumn("place", 22, 36, lambda row: str(row.place)),
    StandingColumn("player", 0, 0, lambda row: called(row.total.name)),
    StandingColumn("points", 54, 68, lambda row: number(row.total.points, ".1f")),
    StandingColumn("wins", 38, 52, lambda row: str(row.total.wins)),
    StandingColumn("draws", 34, 44, lambda row: str(row.total.draws)),
    StandingColumn("losses", 38, 48, lambda row: str(row.total.losses)),
    StandingColumn("balance", 54, 76, lambda row: wording.signed(row.total.balance)),
    StandingColumn("elo", 88, 96, lambda row: _elo(row.elo)),
    StandingColumn("seconds", 58, 84, lambda row: seconds(row.total)),
)


def columns(*, counts: bool) -> tuple[StandingColumn, ...]:
    """Return the columns of the standings; the balance only if the game counts discs."""
    return tuple(column for column in COLUMNS if counts or column.name != "balance")


def rows(found: Findings, *, counts: bool) -> tuple[Standing, ...]:
    """Return the rows of the standings, the best player first."""
    return tuple(
        Standing(
            tuple(column.cell(_Ranked(place, total, found.elo[total.name])) for column in columns(counts=counts)),
            tuple(_against(found.scores.get(total.name, {}).get(other.name)) for other in found.ranking),
            total.name,
        )
        for place, total in enumerate(found.ranking, 1)
    )


def colors(found: Findings, rules: Rules[Position]) -> str:
    """What each side of the game scored."""
    black, white = (number(found.colors[color].points, ".1f") for color in Color)
    first, second = (wording.side(rules, color) for color in Color)
    return say("hall.colors", black=black, white=white, first=first, second=second)


def forfeit(record: GameRecord) -> str:
    """How a game was lost that was not played to its end."""
    loser = called(record.black if record.winner is Color.WHITE else record.white)
    told = Forfeit.read(record.reason)
    if told is None:
        return say("hall.forfeit", name=loser, game=record.game)
    reason = wording.fault(rules_of(record.spec), told)
    return say("hall.forfeit_because", name=loser, game=record.game, reason=reason)


def live(shown: LiveGame, *, is_last: bool) -> LiveState:
    """A game on a board; `is_last`: nothing more will happen to it."""
    game, record = shown.game, shown.record
    black, white = shown.players
    note = say("hall.broken_off" if is_last else "hall.move", ply=game.number)
    if record is not None:
        note = wording.outcome(game.rules, record.winner)
        if record.is_adjudicated:
            note = say("hall.adjudicated", result=note)
        elif record.reason:
            note = say("hall.forfeited", result=note)
    score = _score(*game.rules.score(game.position)) if game.rules.points else ""
    board = BoardState(game.position, last_move=game.last_move, is_over=is_last or record is not None)
    return LiveState(called(black), called(white), board, note, score)


def invited(
    invitation: PersonInvited, config: Config, standings: Standings, under_way: AnyGame | None = None
) -> LiveState:
    """The person's game: on the board as it begins or stands, with the score of the two players so far."""
    game = under_way or invitation.start
    black, white, which, score = _meeting(invitation, config, standings)
    return LiveState(black, white, BoardState(game.position, last_move=game.last_move), which, score)


def occasion(invitation: PersonInvited, config: Config, standings: Standings) -> tuple[str, ...]:
    """Which game of the two players it is, in ever fewer words."""
    black, white, which, score = _meeting(invitation, config, standings)
    so_far = say("hall.so_far", black=black, score=score, white=white)
    return f"{which} · {so_far}", f"{which} · {score}", which


def title(following: Following, *, is_playing: bool) -> str:
    """What is on the boards; `is_playing`: a game of the person's is under way."""
    if following.invitation is not None:
        return say("hall.your_game" if is_playing else "hall.next_game")
    return say("hall.live" if following.end is None else "hall.last")


def progress(following: Following, experiment: Experiment) -> str:
    """How many games are done of how many, how fast, and how long it will take."""
    most, games = experiment.most_games, following.standings.games
    speed, left = following.games_per_second, following.seconds_left
    rate = [say("hall.rate", rate=number(speed, ".3g"))] if speed >= _LEAST_RATE else []
    if following.end is not None:
        return " · ".join((say("hall.games", n=games), *rate))
    done = wording.games_done(experiment.config.tournament, games, most)
    return " · ".join((done, *rate, *([] if left is None else [say("hall.left", time=wording.rough_time(left))])))


def _meeting(invitation: PersonInvited, config: Config, standings: Standings) -> tuple[str, str, str, str]:
    """Two players by their names, which of their games it is, and what they scored against each other so far."""
    job = invitation.job
    black, white = (player.name for player in job.players)
    if config.tournament.is_best_of_3:
        points = standings.series.score(job.experiment, job.series, (black, white))
        which = say("hall.game_of_at_most", game=int(sum(points)) + 1, most=BEST_OF)
        series, most = series_of_pair(config, job.series)
        which = f"{say('hall.series_of', series=series, most=most)} · {which}" if most > 1 else which
        return called(black), called(white), which, _score(*points)
    pairs, points = standings.results().pairs, (0.0, 0.0)
    for pair in {(black, white), (white, black)} & pairs.keys():
        points = pairs[pair].points, pairs[pair].games - pairs[pair].points
        points = points if pair[0] == black else points[::-1]
    which = say("hall.game_of", game=int(sum(points)) + 1, most=most_games_per_pair(config))
    return called(black), called(white), which, _score(*points)


def _score(black: float, white: float) -> str:
    return f"{number(black)} : {number(white)}"


def _against(scored: Units | None) -> str:
    """What a player scored against another, and the other against the player."""
    return _score(scored.points, scored.games - scored.points) if scored is not None else ""


def verdict(following: Following, config: Config, *, is_stopped: bool) -> str:
    """Who won, and whether that shows who is stronger."""
    found, end = following.findings, following.end
    if not found.games:
        return say("hall.stopped_at_once")
    begin = say("hall.stopped", games=say("hall.games", n=found.games)) if is_stopped else ""
    test = following.test
    if end is not None and test is not None and test.accepted is not None:
        first, second = (called(player.name) for player in config.players)
        more, than = map(number, test.elo)
        return say(
            "hall.sequential_test",
            first=first,
            second=second,
            accepted=test.accepted,
            games=test.games,
            more=more,
            than=than,
            elo=say(f"hall.elo.{test.test.elo_model}"),
        )
    return f"{begin} {_lead(found, config)}".lstrip()


def more_rounds(found: Findings, config: Config) -> tuple[int, int]:
    """The rounds, and their games, that would show whether the leader is the strongest; 0: none, or too many."""
    more = found.fields[0].more_games if found.fields else None
    if not more or config.tournament.sprt is not None or any(player.is_user for player in config.players):
        return 0, 0
    games = most_games(replace(config, game_repetitions=1))
    rounds = -(-_roughly(more) // games)
    return rounds, rounds * games


def _roughly(count: int) -> int:
    """A count rounded up to two digits: an estimate knows no more."""
    unit: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // unit) * unit


def _lead(found: Findings, config: Config) -> str:
    """Who is ahead, of whom the games show that they are weaker, and what they do not show."""
    (field, *_) = found.fields
    leader, is_person = field.leader, field.leader == _PERSON

    def listed(names: Sequence[str]) -> str:
        return ", ".join(say("players.you_too") if name == _PERSON else called(name) for name in names)

    total, name = next(each for each in found.ranking if each.name == leader), called(leader)
    games, points = total.games, number(total.points)
    told = [say("hall.you_lead" if is_person else "hall.leads", n=games, name=name, points=points, games=games)]
    if field.is_level:
        told = [say("hall.level", name=name, other=listed(field.names[1:2]))]
    weaker = [other for other in field.names[1:] if other not in field.possibly_as_strong]
    if weaker:
        told.append(say("hall.you_stronger" if is_person else "hall.stronger", name=name, others=listed(weaker)))
    if field.possibly_as_strong:
        others = listed(field.possibly_as_strong)
        told.append(say("hall.you_not_shown" if is_person else "hall.not_shown", name=name, others=others))
    if field.more_games:
        told.append(say("hall.more_games", n=more_rounds(found, config)[1] or _roughly(field.more_games)))
    return " ".join(told)


def sequential(state: SprtState, palette: ui.Palette) -> tuple[ui.Panel, ...]:
    """Return the log-likelihood ratio of a sequential test as a bar between its bounds, and its game pairs."""
    test, tip = state.test, say("hall.ratio_tip")
    (low, high), kind = test.bounds, say(f"hall.elo.{test.elo_model}")
    ends = []
    for name, bound, elo in (("H0", low, test.elo0), ("H1", high, test.elo1)):
        at = _decimal(bound)
        full = say("hall.hypothesis", name=name, bound=at, elo=number(elo), kind=kind)
        ends.append(ui.Label((full, say("hall.bound", name=name, bound=at)), 12, palette.muted))
    share = min(max(0.0, (state.ratio - low) / (high - low)), 1.0)
    bar = ui.Bar(share, height=6, grow=1, min_content=40, tip=tip)
    ratio, pairs = _decimal(state.ratio), "-".join(map(str, state.counts))
    words = say("hall.ratio_of_pairs", ratio=ratio, pairs=pairs), say("hall.ratio", ratio=ratio)
    return ui.Row((ends[0], bar, ends[1])), ui.Label(words, 13, palette.muted, height=24, tip=tip)


def _decimal(value: float) -> str:
    return number(value, "z.2f").replace("-", "–")


def seconds(total: PlayerTotal) -> str:
    if not total.games:
        return "–"
    return number(total.seconds_per_game, ".3f" if total.seconds_per_game < 10 else ".1f")


def _elo(interval: Interval) -> str:
    reach = (interval.high - interval.low) / 2
    return f"{wording.signed(round(interval.estimate))} ± {reach:.0f}" if reach < _KNOWN_ELO else "–"
