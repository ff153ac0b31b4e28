"""Texts and tables of a tournament's results, and the process that writes its report."""

import os
import re
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from othello.child_process import Connection, start_process
from othello.config import Config
from othello.errors import OthelloError
from othello.game import AnyGame
from othello.gui import labels, ui
from othello.gui.boards.board_layout import BoardState
from othello.gui.screens.tournament.standings_widgets import LiveBoardState, Standing
from othello.gui.screens.tournament.tournament_state import LiveGame, TournamentState
from othello.play.referee import Forfeit
from othello.players.player_registry import PLAYERS, configure, type_title
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Position, Rules
from othello.rules.registry import rules_of
from othello.texts import number, person, tr
from othello.tournament.background import PersonInvited
from othello.tournament.experiment import Experiment
from othello.tournament.schedule import BEST_OF, max_games, max_games_per_pair, series_of_pair
from othello.tournament.sequential import SprtState
from othello.tournament.standings import PlayerTotal, Standings, TournamentAnalysis
from othello.tournament.statistics import Interval, PairScores
from othello.tournament.tournament_report import write_report

Write: TypeAlias = Callable[[list[Path], Path], object]
Browse: TypeAlias = Callable[[str], bool]


class ReportWriter:
    """Writes one report at a time, in its own process."""

    def __init__(self, results: Path, write: Write = write_report, browse: Browse = webbrowser.open) -> None:
        """Write nothing yet. `write` and `browse` must be importable by another process."""
        self.message, self.failed = "", False  # progress or failure of the report
        self._results = results
        self._functions = (write, browse)
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    @property
    def is_busy(self) -> bool:
        return self._process is not None

    def open(self) -> None:
        """Write a report of all games so far, and open it in the browser."""
        if self.is_busy:
            return
        self.failed, self.message = False, tr("report.writing")
        folder = self._results.with_name(f"{self._results.stem}-report")  # beside the results
        arguments = (self._results, folder, *self._functions)
        self._process, self._connection = start_process("othello-report", _write_and_show, *arguments)

    def update(self) -> None:
        """Read the messages of the process."""
        while self._connection is not None and self._connection.poll():
            try:
                text, detail = self._connection.recv()
                self.failed, self.message = text == "none", tr(f"report.written.{text}", detail=str(detail))
            except EOFError:  # the process has ended
                if self.message == tr("report.writing"):
                    self.failed, self.message = True, tr("report.broken")
                self.close()

    def forget(self) -> None:
        """Forget the message about the latest report, because there is newer news."""
        if not self.is_busy:
            self.message = ""

    def close(self) -> None:
        """Stop writing."""
        if self._process is not None and self._connection is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None


def _write_and_show(connection: Connection, results: Path, folder: Path, write: Write, browse: Browse) -> None:
    """Write and show a report; send the name of a text and its detail after each step."""
    try:
        write([results], folder)
    except OthelloError as error:
        connection.send(("none", error.reason))
        return
    page = folder / "report.html"
    connection.send(("written", page))
    with Path(os.devnull).open("w") as nowhere:  # hides the browser's output
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    if not browse(page.resolve().as_uri()):
        connection.send(("no_browser", page))


_MIN_RATE: Final = 0.1  # games per second; lower rates are not shown
_MAX_ELO_MARGIN: Final = 1000  # half of a 95 % interval; wider ones are not shown
_USER_NAME: Final = configure("user").name  # the user's name in results, if none was given
_TYPE_NAME: Final = re.compile(r"(\w+)( \d+)?")  # any other player's: its type, numbered if two have it


def called(name: str) -> str:
    """Return a player's name for display: "You" for the user, a title for a bare type."""
    if name == _USER_NAME:
        return person()
    analysis = _TYPE_NAME.fullmatch(name)
    return type_title(analysis[1]) + name[analysis.end(1) :] if analysis and analysis[1] in PLAYERS else name


class _Ranked(NamedTuple):
    """A player's place and results."""

    place: int  # from 1
    total: PlayerTotal
    elo: Interval


COLUMNS: Final = (
    ui.TableColumn("place", 16, 30, lambda row: str(row.place), rank=7, is_left=True, is_muted=True),
    ui.TableColumn("player", 0, 0, lambda row: called(row.total.name), is_left=True, is_bold=True, grows=True),
    ui.TableColumn("points", 48, 62, lambda row: number(row.total.points, ".1f"), is_bold=True),
    ui.TableColumn("wins", 32, 46, lambda row: str(row.total.wins), rank=6),
    ui.TableColumn("draws", 28, 38, lambda row: str(row.total.draws), rank=4),
    ui.TableColumn("losses", 32, 42, lambda row: str(row.total.losses), rank=5),
    ui.TableColumn("balance", 48, 70, lambda row: labels.signed(row.total.balance), rank=2, needs_points=True),
    ui.TableColumn("elo", 82, 90, lambda row: _elo(row.elo), rank=8),
    ui.TableColumn(
        "seconds", 52, 78, lambda row: seconds(row.total.seconds_per_game if row.total.games else None), rank=3
    ),
    ui.TableColumn("move_seconds", 52, 78, lambda row: seconds(row.total.seconds_per_move), rank=1),
)


def columns(*, counts: bool) -> tuple[ui.TableColumn, ...]:
    """Return the columns of the standings; `counts`: the game has game points, such as discs."""
    return tuple(column for column in COLUMNS if counts or not column.needs_points)


def rows(analysis: TournamentAnalysis, *, counts: bool) -> tuple[Standing, ...]:
    """Return the rows of the standings, the best player first."""
    return tuple(
        Standing(
            tuple(column.cell(_Ranked(place, total, analysis.elo[total.name])) for column in columns(counts=counts)),
            tuple(_score_text(analysis.scores.get(total.name, {}).get(other.name)) for other in analysis.ranking),
            total.name,
        )
        for place, total in enumerate(analysis.ranking, 1)
    )


def colors(analysis: TournamentAnalysis, rules: Rules[Position]) -> str:
    """Return the points of both sides."""
    black, white = (number(analysis.colors[color].points, ".1f") for color in Color)
    first, second = (labels.side(rules, color) for color in Color)
    return tr("tournament.colors", black=black, white=white, first=first, second=second)


def forfeit(record: GameRecord) -> str:
    """Return a sentence on a game that was lost by forfeit."""
    loser = called(record.black if record.winner is Color.WHITE else record.white)
    fault = Forfeit.of(record)
    if fault is None:
        return tr("tournament.forfeit", name=loser, game=record.game)
    reason = labels.fault(rules_of(record.spec), fault)
    return tr("tournament.forfeit_because", name=loser, game=record.game, reason=reason)


def live(shown: LiveGame, *, is_last: bool) -> LiveBoardState:
    """Return the display of a live game; `is_last`: the display is final."""
    game, record = shown.game, shown.record
    black, white = shown.players
    note = tr("tournament.broken_off" if is_last else "tournament.move", ply=game.number)
    if record is not None:
        note = labels.outcome(game.rules, record.winner)
        if record.is_adjudicated:
            note = tr("tournament.adjudicated", result=note)
        elif record.reason:
            note = tr("tournament.forfeited", result=note)
    score = _score(*game.rules.score(game.position)) if game.rules.points else ""
    board = BoardState(game.position, last_move=game.last_move, is_over=is_last or record is not None)
    return LiveBoardState(called(black), called(white), board, note, score)


def invited(
    invitation: PersonInvited, config: Config, standings: Standings, under_way: AnyGame | None = None
) -> LiveBoardState:
    """Return the display of the user's game, with the score against the opponent so far."""
    game = under_way or invitation.start
    black, white, which, score = _pairing(invitation, config, standings)
    return LiveBoardState(black, white, BoardState(game.position, last_move=game.last_move), which, score)


def occasion(invitation: PersonInvited, config: Config, standings: Standings) -> tuple[str, ...]:
    """Return which game of the pairing it is, in versions from long to short."""
    black, white, which, score = _pairing(invitation, config, standings)
    so_far = tr("tournament.so_far", black=black, score=score, white=white)
    return f"{which} · {so_far}", f"{which} · {score}", which


def title(state: TournamentState, *, is_playing: bool) -> str:
    """Return the title of the live games; `is_playing`: a game of the user is under way."""
    if state.invitation is not None:
        return tr("tournament.your_game" if is_playing else "tournament.next_game")
    return tr("tournament.live" if state.end is None else "tournament.last")


def progress(state: TournamentState, experiment: Experiment) -> str:
    """Return the number of games played and left, the speed and the remaining time."""
    most, games = experiment.max_games, state.standings.games
    speed, left = state.games_per_second, state.seconds_left
    rate = [tr("tournament.rate", rate=number(speed, ".3g"))] if speed >= _MIN_RATE else []
    if state.end is not None:
        return " · ".join((tr("tournament.games", n=games), *rate))
    done = labels.games_done(experiment.config.tournament, games, most)
    return " · ".join((done, *rate, *([] if left is None else [tr("tournament.left", time=labels.rough_time(left))])))


def _pairing(invitation: PersonInvited, config: Config, standings: Standings) -> tuple[str, str, str, str]:
    """Return both players' names, which game of the pairing it is, and the score so far."""
    job = invitation.job
    black, white = (player.name for player in job.players)
    if config.tournament.is_best_of_3:
        points = standings.series.score(job.experiment, job.series, (black, white))
        which = tr("tournament.game_of_at_most", game=int(sum(points)) + 1, maximum=BEST_OF)
        series, most = series_of_pair(config, job.series)
        which = f"{tr('tournament.series_of', series=series, maximum=most)} · {which}" if most > 1 else which
        return called(black), called(white), which, _score(*points)
    pairs, points = standings.results().pairs, (0.0, 0.0)
    for pair in {(black, white), (white, black)} & pairs.keys():
        points = pairs[pair].points, pairs[pair].games - pairs[pair].points
        points = points if pair[0] == black else points[::-1]
    which = tr("tournament.game_of", game=int(sum(points)) + 1, maximum=max_games_per_pair(config))
    return called(black), called(white), which, _score(*points)


def _score(black: float, white: float) -> str:
    return f"{number(black)} : {number(white)}"


def _score_text(scored: PairScores | None) -> str:
    """Return a score between two players; empty: no games."""
    return _score(scored.points, scored.games - scored.points) if scored is not None else ""


def verdict(state: TournamentState, config: Config, *, is_stopped: bool) -> str:
    """Return the winner, and the significance of the result."""
    analysis, end = state.findings, state.end
    if not analysis.games:
        return tr("tournament.stopped_at_once")
    begin = tr("tournament.stopped", games=tr("tournament.games", n=analysis.games)) if is_stopped else ""
    test = state.standings.test
    if end is not None and test is not None and test.accepted is not None:
        first, second = (called(player.name) for player in config.players)
        more, than = map(number, test.elo)
        return tr(
            "tournament.sequential_test",
            first=first,
            second=second,
            accepted=test.accepted,
            games=test.games,
            more=more,
            than=than,
            elo=tr(f"tournament.elo.{test.test.elo_model}"),
        )
    return f"{begin} {_leader_text(analysis, config)}".lstrip()


def more_rounds(analysis: TournamentAnalysis, config: Config) -> tuple[int, int]:
    """Return how many more rounds and games would show whether the leader is the strongest; 0, 0: none, or too many."""
    more = analysis.fields[0].more_games if analysis.fields else None
    if not more or config.tournament.sprt is not None or any(player.is_user for player in config.players):
        return 0, 0
    games = max_games(replace(config, game_repetitions=1))
    rounds = -(-_round_up(more) // games)
    return rounds, rounds * games


def _round_up(count: int) -> int:
    """Round up to two digits, because the count is an estimate."""
    unit: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // unit) * unit


def _leader_text(analysis: TournamentAnalysis, config: Config) -> str:
    """Return the leader, the significantly weaker players, and the open comparisons."""
    (field, *_) = analysis.fields
    total, name = next(rank for rank in analysis.ranking if rank.name == field.leader), called(field.leader)
    is_user, games = field.leader == _USER_NAME, total.games

    def listed(names: Sequence[str]) -> str:
        return ", ".join(tr("players.you_too") if name == _USER_NAME else called(name) for name in names)

    points = number(total.points)
    leads = tr("tournament.you_lead" if is_user else "tournament.leads", n=games, name=name, points=points, games=games)
    sentences = [leads]
    if field.is_level:
        sentences = [tr("tournament.level", name=name, other=listed([field.names[1]]))]
    others = listed([other for other in field.names[1:] if other not in field.possibly_as_strong])
    if others:
        sentences.append(tr("tournament.you_stronger" if is_user else "tournament.stronger", name=name, others=others))
    if field.possibly_as_strong:
        others = listed(field.possibly_as_strong)
        sentences.append(
            tr("tournament.you_not_shown" if is_user else "tournament.not_shown", name=name, others=others)
        )
    if field.more_games:
        sentences.append(tr("tournament.more_games", n=more_rounds(analysis, config)[1] or _round_up(field.more_games)))
    return " ".join(sentences)


def sequential(state: SprtState, palette: ui.Palette) -> tuple[ui.Widget, ...]:
    """Return the panels of a sequential test: a bar between its bounds, the ratio and the game pairs."""
    test, tip = state.test, tr("tournament.ratio_tip")
    (low, high), kind = test.bounds, tr(f"tournament.elo.{test.elo_model}")
    ends = []
    for name, bound, elo in (("H0", low, test.elo0), ("H1", high, test.elo1)):
        at = _decimal(bound)
        full = tr("tournament.hypothesis", name=name, bound=at, elo=number(elo), kind=kind)
        ends.append(ui.Label((full, tr("tournament.bound", name=name, bound=at)), 12, palette.muted))
    share = min(max(0.0, (state.ratio - low) / (high - low)), 1.0)
    bar = ui.ProgressBar(share, height=6, grow=True, min_content=40, tip=tip)
    ratio, pairs = _decimal(state.ratio), "-".join(map(str, state.counts))
    words = tr("tournament.ratio_of_pairs", ratio=ratio, pairs=pairs), tr("tournament.ratio", ratio=ratio)
    return ui.Row((ends[0], bar, ends[1])), ui.Label(words, 13, palette.muted, height=24, tip=tip)


def _decimal(value: float) -> str:
    return number(value, "z.2f").replace("-", "–")


def seconds(mean: float | None) -> str:
    """Format a mean time with as many decimals as its size needs."""
    if mean is None:
        return "–"
    return number(mean, ".5f" if mean < 0.01 else ".3f" if mean < 10 else ".1f")


def _elo(interval: Interval) -> str:
    reach = (interval.high - interval.low) / 2
    return f"{labels.signed(round(interval.estimate))} ± {reach:.0f}" if reach < _MAX_ELO_MARGIN else "–"
