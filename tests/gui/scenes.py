"""Every screen, mode and dialog of the window in states worth looking at, each with a small fixed game."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, permutations
from pathlib import Path
from random import Random
from time import sleep
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias
from unittest.mock import Mock

import pytest

from othello.config import Comparison, Figures, PlayerConfig, SprtConfig
from othello.errors import OutputError, Reason
from othello.game import AnyGame, Game, GameTree
from othello.gui import commands as gui, ui
from othello.gui.dialogs import program_dialogs, tournament_setup
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.dialog_registry import DIALOGS
from othello.gui.dialogs.file_dialogs import OpenDialog, RenameDialog
from othello.gui.dialogs.games import GamesDialog
from othello.gui.dialogs.player_form import MoveTimes
from othello.gui.dialogs.program_dialogs import ProgramsDialog
from othello.gui.dialogs.rating_history_dialog import ResultsDialog
from othello.gui.dialogs.tournament_setup import ResumableTournament
from othello.gui.mode_registry import MODES
from othello.gui.modes.explore.explore_widgets import PlayedRow
from othello.gui.modes.openings import openings_mode
from othello.gui.preferences import PreferencesFile
from othello.gui.screens.tournament.results_file_exists import ResultsFileExistsDialog, StartupPromptScreen
from othello.gui.screens.tournament.tournament_state import LiveGame, TournamentState
from othello.gui.widgets.search_tree import TREE, TreePanel
from othello.play import playback, session_commands as cmd
from othello.play.referee import GameJob
from othello.play.worker import Worker
from othello.players.conformance import ProgramTest
from othello.programs.program_registry import Program, register
from othello.records.game_file import GameFile, GameHeaders, GameListEntry, PositionData
from othello.records.readers import read_games
from othello.records.record import GameRecord
from othello.records.transcript import format_transcript, parse_transcript
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec, rules_of
from othello.search.report import BoundTerms, MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag
from othello.store.database import Store
from othello.store.import_job import ImportProgress
from othello.study.training import Exercise
from othello.texts import tr
from othello.tournament.background import (
    BackgroundTournament,
    Event,
    GameFinished,
    PersonInvited,
    StandingsShown,
    TournamentEnded,
)
from othello.tournament.standings import analyse
from tests.gui.mistakes import played_badly, review
from tests.gui.tournament_driver import PLAYERS, OpenTournament, TournamentDriver, config_for
from tests.gui.window_driver import COMPILE_TIMEOUT, EventDriver, OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, Hanging, Judge, computer, make_judge
from tests.play.session_driver import PASS_AHEAD
from tests.play.test_training import listed
from tests.positions import RULES, SPEC, parse_board, random_game_of

MOVES = "f5d6c3d3c4f4c5"  # which all games of the archive reach
ARCHIVE = (
    ("Ada", "Bo", 1999, "f5 d6 c3 d3 c4 f4 c5 b3 c2", "40-24"),
    ("Cy", "Ada", 2004, "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6", "32-32"),
    ("Bo", "Di", 2009, "c4 e3 f6 e6 f5 c5 f4 g5", "12-52"),  # the same with the board turned, and then another move
)


class Opener(NamedTuple):
    """Opens windows, with files in a folder."""

    window: OpenWindow
    tournament: OpenTournament
    folder: Path
    patch: pytest.MonkeyPatch
    size: tuple[int, int] = (1280, 800)

    def start(self, *players: object, moves: str = "", **settings: object) -> WindowDriver:
        driver = self.window(*(players or (PERSON, PERSON)), self.size, **settings)
        game = driver.session.game
        for move in parse_transcript(moves, game.rules, game.position).moves:
            driver.session.do(cmd.PlayMove(move), 0.0)
        driver.settle()
        return driver


Changes: TypeAlias = tuple[tuple[str, object], ...]  # controls of a dialog, and their new values
_OWN_LIMIT, _TEST = (("start_seconds", "other"),), (("program", 3), ("test", True))
Scene: TypeAlias = Callable[[Opener], EventDriver]


def write_archive(folder: Path) -> Path:
    path = folder / "games.pgn"
    tags = '[Black "{}"]\n[White "{}"]\n[Date "{}.01.01"]\n[Event "Cup"]\n\n{} {}\n\n'
    path.write_text("".join(tags.format(*game) for game in ARCHIVE))
    return path


def past(opener: Opener) -> WindowDriver:
    """Look at the position two moves before the end of the line."""
    driver = opener.start(moves="d3c3c4c5")
    driver.session.do(cmd.Browse(-2), 0.0)
    driver.settle()
    return driver


def offered(opener: Opener) -> WindowDriver:
    """Ask whether the game continues from an earlier position."""
    driver = past(opener)
    shown = driver.session.view.shown
    driver.scene.view_state.offer = shown, shown.legal_moves()[0]
    driver.settle()
    return driver


def passing(opener: Opener) -> WindowDriver:
    opener.patch.setattr(playback, "PASS_SECONDS", 600.0)  # the announcement stays
    driver = opener.start(start=Game.new(RULES, parse_board(PASS_AHEAD)))
    driver.type("a1")
    driver.until(lambda: driver.session.announces_pass)
    driver.settle()
    return driver


def failed(opener: Opener) -> WindowDriver:
    driver = opener.start(computer("raising"), PERSON)
    driver.until(lambda: driver.session.worker.failure is not None)
    driver.settle()
    return driver


def over(opener: Opener) -> WindowDriver:
    return opener.start(start=Game.new(RULES, parse_board("X" * 57 + "O" * 6 + "-X")), moves="h8")


def in_mode(mode: str, opener: Opener, state: Scene = past) -> WindowDriver:
    driver = state(opener)
    assert isinstance(driver, WindowDriver)
    driver.switch(mode)
    driver.until(lambda: not driver.shows_words(tr("steps.recording")), COMPILE_TIMEOUT)
    driver.settle()
    return driver


def stepped(opener: Opener) -> WindowDriver:
    """Show the choice of a simulation."""
    driver = in_mode("steps", opener, partial(of_game, "tictactoe", "b2a1"))
    driver.press("number")
    driver.type("143")
    driver.keys("Enter")
    phases = driver.placed("phase").rect
    driver.click((phases.left + 10, phases.centery))
    driver.settle()
    return driver


def analysed(analyst: str, opener: Opener, moves: str = "d3c5") -> WindowDriver:
    driver = opener.start(moves=moves, players=make_judge)
    driver.prefer(details=True, analyst=analyst, shows_losses=True)
    driver.switch("analyse")
    wait_for_tree(driver)
    return driver


def wait_for_tree(driver: WindowDriver) -> None:
    driver.until(lambda: driver.session.shown_analysis is not None)
    # Small windows have no tree.
    driver.until(lambda: not driver.has(TREE) or driver.widget(TREE, TreePanel).seen.moves)
    driver.settle()


def bounded(opener: Opener) -> WindowDriver:
    """Show a proven value, an upper bound, the terms of a search's choices, variations, and the cursor."""
    values: tuple[tuple[int, float | None, bool, bool], ...] = (
        *((900, 0.4, True, True), (470, 0.6, True, False), (30, 0.3, False, False), (8, 0.2, True, False)),
        (0, None, True, False),
    )
    first, terms = Judge.analyse, BoundTerms(0.1, 0.05)

    def analyse(judge: Judge, game: AnyGame, *more: Any) -> Iterator[SearchReport]:
        for report in first(judge, game, *more):
            stats = enumerate(each.move for each in report.moves)
            moves = tuple(MoveStats(move, *values[min(index, 4)], terms) for index, move in stats)
            replies = tuple(MoveStats(move, 1, 0.5) for move in game.play(moves[0].move).legal_moves())
            report = replace(report, moves=moves, below={(moves[0].move,): replies})
            yield replace(report, simulations=1408, nodes=999, seconds=2.0, is_full=True)

    opener.patch.setattr(Judge, "analyse", analyse)
    driver = analysed("mcts_uct", opener, "d3c3c4e3")
    view = driver.session.view
    for ply, moves in ((1, "d3c5b6"), (2, "d3c3b3"), (1, "d3e3")):
        view.visit(driver.session.game.at(ply))
        view.explore(parse_transcript(moves, RULES).moves[ply:])
    driver.session.do(cmd.Annotate("a note"), 0.0)
    driver.scene.view_state.cursor = driver.square("f4")
    driver.prefer(captures_of="both")
    driver.keys("End")
    wait_for_tree(driver)
    return driver


def with_mistakes(mode: str, opener: Opener) -> WindowDriver:
    driver = played_badly(opener.window)
    review(driver)
    driver.resize(opener.size)
    driver.switch(mode)
    driver.settle()
    return driver


def judged(opener: Opener) -> WindowDriver:
    """Analyse a game; the search at move 4 goes on."""
    first = Judge.analyse

    def analyse(judge: Judge, game: AnyGame, stop: StopFlag, *more: Any) -> Iterator[SearchReport]:
        while game.ply == 3 and not stop.is_set:
            sleep(0.001)
        yield from first(judge, game, stop, *more)

    opener.patch.setattr(Judge, "analyse", analyse)
    driver = opener.start(moves="d3c3b3b2b1a1c4c1c2d2e1e2f1f2e3a4", players=make_judge)
    driver.keys("Ctrl+2", "Ctrl+G")
    driver.until(lambda: driver.game_analysis.ply == 3)
    wait_for_tree(driver)
    return driver


def lost(opener: Opener) -> WindowDriver:
    """Review a game that the loser led for a while."""
    driver = opener.start(moves=format_transcript(random_game_of(RULES, 1)))
    driver.keys("Ctrl+3")
    driver.until(lambda: 0 < driver.game_analysis.total == driver.game_analysis.done)
    driver.settle()
    return driver


def with_values(opener: Opener) -> WindowDriver:
    """Show values and losses in the mode Play."""
    driver = with_mistakes("play", opener)
    driver.prefer(details=True, shows_values=True, shows_losses=True)
    return driver


def exercises(opener: Opener) -> WindowDriver:
    """Train with values in each unit, from a win to a loss; the mistake was the last move of the list."""
    driver = opener.start()
    for moves, unit, values in (
        ("f5", Unit.REWARD, (0.6, 0.42, 0.4)),
        ("f5d6", Unit.DISCS, (4.0, 2.0, 0.0, -2.0)),
        ("f5d6c5", Unit.EXPECTED, (1.0, -1.0, -2.0, -4.0)),
    ):
        game = parse_transcript(moves, RULES)
        legal = game.legal_moves()
        stats = tuple(MoveStats(move, 9, values[min(n, len(values) - 1)]) for n, move in enumerate(legal))
        pv = legal[0], *game.play(legal[0]).legal_moves()[:1]
        found = SearchReport("test", legal[0], values[0], stats, unit, depth=9, pv=pv, final=True)
        driver.scene.person.deck.add([Exercise(game, legal[-1], found, "Bo", "1999-01-01")])
    driver.switch("train")
    return driver


def openings(opener: Opener, seconds: float = 0.0) -> WindowDriver:
    """List two lines, with a time until replies."""
    opener.patch.setattr(openings_mode, "_REPLY_SECONDS", seconds)
    opener.patch.setattr(openings_mode, "random", SimpleNamespace(Random=partial(Random, 1)))
    driver = opener.start()
    for moves, color in (("f5d6c3d3c4", Color.BLACK), ("f5f6e6f4", Color.WHITE)):
        driver.do(gui.Learn(parse_transcript(moves, RULES), color))
    driver.switch("openings")
    return driver


def explored(opener: Opener, game: AnyGame | None = None, progress: ImportProgress | None = None) -> WindowDriver:
    """Explore the archive, or an own game against level 3 at its start. Values below five discs are upper bounds."""
    opener.patch.setattr("tests.play.fake_players.MoveStats", lambda move, n, v: MoveStats(move, n, v, v > 5.0))
    opened = partial(Store, opener.folder / "games.sqlite")
    with opened() as store:
        if game is None:
            store.add([write_archive(opener.folder)], "Cup")
        else:
            players = {"player_type": "user"}, {"player_type": "engine", "level": 3}
            file = GameFile(GameTree.of(game, PositionData()), players, "2026-01-31", result={"winner": "black"})
            store.own.write(file, None, 0, "", is_played=False)
    spec = SPEC if game is None else game.rules.spec
    driver = opener.start(players=make_judge, store=opened, moves="" if game else MOVES, spec=spec)
    driver.prefer(motion="none")
    driver.switch("explore")
    driver.until(lambda: [row for row in driver.panels(PlayedRow) if row.value])
    driver.scene.explorer.progress = progress
    driver.settle()
    return driver


def of_game(game: str, moves: str, opener: Opener) -> WindowDriver:
    return opener.start(spec=game_spec(game), moves=moves)


def open_dialog(driver: WindowDriver, dialog: str | Dialog, changes: Changes) -> None:
    """Open a dialog, the help by the name of its topic or a question, and change controls."""
    if isinstance(dialog, Dialog):
        driver.do(gui.PushDialog(dialog))
    elif dialog == "question":
        driver.press("resign")
    else:
        driver.open(dialog)
    driver.use(*changes)


def in_dialog(
    dialog: str | Callable[[Opener], Dialog], changes: Changes, opener: Opener, game: str = "othello"
) -> WindowDriver:
    opener.patch.setattr("os.sched_getaffinity", lambda _: (0, 1))
    opener.patch.setattr(MoveTimes, "next_trial", lambda *_: None)  # whose result depends on the machine
    opener.patch.setattr(MoveTimes, "seconds", lambda *_: 0.5)
    driver = opener.start(PERSON, computer("first"), players=make_judge, spec=game_spec(game))
    open_dialog(driver, dialog if isinstance(dialog, str) else dialog(opener), changes)
    driver.settle()
    return driver


def with_faulty_files(opener: Opener) -> WindowDriver:
    """Show the settings with long faults of a language and a theme."""
    driver = opener.start()
    faults = [Reason("colors_refused", {"names": ", ".join(f"colour{n}" for n in range(90))})]
    driver.screen.preferences.language_faults, driver.screen.preferences.theme_faults = faults, faults
    driver.open("settings")
    return driver


def with_file(opener: Opener) -> WindowDriver:
    """Show a file of a game, with its preview."""
    (opener.folder / "game.ggf").write_text("(;GM[Othello]PB[Ann]PW[Dan]DT[1999.01.02]RE[-12]B[f5]W[d6]B[c3];)")
    return in_dialog("open", (("tab", "files"), ("rows", ui.Selection(1))), opener)


def add_programs(opener: Opener) -> None:
    """Add a program that has passed its test; others have failed, do not answer, or were not tested."""
    names = "a", "b", "c", "d" * 40
    tested = [Program(name, (f"/bin/{name}", "-n"), protocol="nboard", memory_mb=1000) for name in names]
    results = (
        ProgramTest(tested[0], "A 1.0", 0.25, "d3", 0.5, 9, 10, 0.4),
        Reason("program_resigns"),
        Reason("program_missing", {"command": "c"}),
    )
    for program in tested:
        register(program)
    opener.patch.setattr(program_dialogs, "ProgramTestRun", lambda program, _: Mock(program=program, is_over=False))
    opener.patch.setattr(ProgramsDialog, "results", dict(zip(tested, results, strict=False)))


def with_programs(opener: Opener, changes: Changes = _OWN_LIMIT) -> WindowDriver:
    add_programs(opener)
    return in_dialog("programs", changes, opener)


def rated(*games: tuple[str, int, str]) -> Callable[[Opener], Dialog]:
    """List games by their dates, the levels of the opponents and the winners."""
    return lambda _: ResultsDialog([listed(*game) for game in games], has_details=True)


def own_games(opener: Opener) -> Dialog:
    """List games of all kinds of players, a long name, an accuracy, a winner and another kind of game."""
    user, computer, level = ({"player_type": kind} for kind in ("user", "mcts_uct", "engine"))
    levels = ({**level, "level": 3}, {**level, "level": 99}, level, {"player_type": "gone"}, computer, user)
    pairs = [(computer, user), (computer, level), *((user, player) for player in levels)]
    result = {"winner": "white", "black": 16, "white": 48, "black_accuracy": 0.95}
    games = [GameListEntry(GameHeaders(players=pair).headers_json) for pair in pairs]
    headers = GameHeaders("2026-01-02T18:30:00", "othello", pairs[2], result)
    games += [GameListEntry(headers.headers_json, 1, "Name " * 30), listed("", 2, "draw", game="connect_four")]
    file = GameFile(GameTree.of(Game.new(RULES), PositionData()), pairs[2], event="Cup")
    library = Mock(games=lambda: games, recent=lambda: [opener.folder], deleted=games, game=lambda _: (file, 0))
    library.delete.side_effect = OutputError("unwritable", path=Path("a"), reason="full")
    return OpenDialog(opener.folder, library, SPEC)


def parsed_games(opener: Opener) -> Dialog:
    """List the games of a file, one of which is faulty."""
    path = write_archive(opener.folder)
    path.write_text(path.read_text() * 9 + '[Result "12-52"]\n\nf5 d6 12-52\n\n[Black "Eve"]\n\na1\n')
    dialog = GamesDialog(chain(read_games(path), read_games(opener.folder)), path)  # the second reader fails
    dialog._reader.join()
    return dialog


def left_tournaments(opener: Opener) -> WindowDriver:
    left = ResumableTournament(opener.folder / "left.jsonl", "2026-01-01 10:00", "A – B", "Othello · 3 of 90")
    opener.patch.setattr(tournament_setup, "resumable_tournaments", lambda: [left, left._replace(players="Name " * 30)])
    return in_dialog("tournament", (("tab", "kept"),), opener)


def timed(opener: Opener) -> WindowDriver:
    """Show the clocks of two people: black is in the last tenth of its time, white is not."""
    driver = opener.start(replace(PERSON, clock_seconds=600.0), replace(PERSON, clock_seconds=300.0))
    driver.session.referee.clock = replace(driver.session.referee.clock, spent=(541.0, 269.0))
    driver.settle()
    return driver


def thinking(opener: Opener) -> WindowDriver:
    """Show the dots of a computer with a long name that has searched for 0.3 seconds."""
    players = replace(computer("Name " * 9), clock_seconds=600.0), computer("Wide " * 9)
    driver = opener.window(*players, opener.size, players=lambda config, spec: Hanging(config, rules_of(spec)))
    driver.until(lambda: driver.session.worker.is_running)
    driver.session.worker.started_at = -0.3  # pictures show the time 0
    return driver


def searched(opener: Opener) -> WindowDriver:
    """Show the search for a computer's move."""
    driver = opener.start(computer("first"), PERSON, players=make_judge)
    driver.until(lambda: driver.session.awaits_user)
    driver.prefer(details=True, shows_values=True)
    wait_for_tree(driver)
    return driver


def asked_at_start(opener: Opener) -> EventDriver:
    """Ask what to do with a results file that exists."""
    opener.start()
    opener.patch.chdir(opener.folder)
    driver, dialog = EventDriver(), ResultsFileExistsDialog(config_for(Path(), 1))
    driver.scene = StartupPromptScreen(dialog, game_spec(), PreferencesFile(), opener.size)
    driver.turn()
    return driver


def unplayed(opener: Opener, *players: PlayerConfig, game: GameSpec = SPEC, **terms: Any) -> TournamentDriver:
    """Open a tournament that does not start."""
    config = replace(config_for(opener.folder, 1), game=game)
    opener.patch.setattr(BackgroundTournament, "start", lambda _: None)
    opener.patch.setattr(Worker, "prepare", lambda *_: None)
    tournament = replace(config.tournament, **terms)
    return opener.tournament(replace(config, players=players or PLAYERS, tournament=tournament), opener.size)


def watched(opener: Opener, game: GameSpec = SPEC, moves: str = MOVES) -> TournamentDriver:
    driver = unplayed(opener, game=game)
    driver.scene.state.boards[0] = LiveGame(1, ("A", "B"), parse_transcript(moves, rules_of(game)), 0.0, 0.0)
    driver.do(gui.PlainCommand.REDRAW)
    return driver


def scored(names: str, ends: Sequence[Event], opener: Opener, **terms: Any) -> TournamentDriver:
    """Show the results of at most five games that Black won except for the last one, which was forfeited."""
    opener.patch.setattr(TournamentState, "games_per_second", 0.5)
    driver = unplayed(opener, *(replace(PLAYERS[0], name=name) for name in names), **terms)
    game = GameRecord(black="", white="", black_points=0, white_points=0, result="black", white_moves=30)
    records = [replace(game, black=black, white=white) for black, white in permutations(names, 2)][:5]
    records[-1] = replace(records[-1], result="white", reason="black failed: ValueError: no", fault="failed")
    for n, record in enumerate(records, 1):
        record = replace(record, game=n, series=(n + 1) // 2, black_points=40 - n, white_points=24 + n)
        found = replace(record, black_seconds=n / 99, white_seconds=1e5 * n)
        driver.scene.handle_events([GameFinished(found)], 0.0)
    driver.scene.handle_events([StandingsShown(analyse(driver.scene.state.standings)), *ends], 0.0)
    driver.turn()
    return driver


_A = Figures(points=1.5, discs_won=1062, discs_lost=856, balance=206, seconds=0.25)
_FIGURES = {"A": _A, "black": Figures(points=27.5)}
finished = partial(scored, "AB", [TournamentEnded()], compare=Comparison("the report", _FIGURES))


def many(opener: Opener) -> TournamentDriver:
    """Show more players than there is room for, with long names."""
    return unplayed(opener, *(replace(PLAYERS[0], name=f"{'Wm' * (n % 3 * 8) or 'random '}{n}") for n in range(25)))


def invited(opener: Opener, **terms: Any) -> TournamentDriver:
    """Invite the user to the second game; the user has won the first one."""
    players = (PERSON, PLAYERS[1])
    driver = unplayed(opener, *players, **terms)
    record = GameRecord(black="B", white=PERSON.name, black_points=24, white_points=40, result="white")
    driver.scene.handle_events([GameFinished(record)], 0.0)
    driver.scene.state.invitation = PersonInvited(GameJob(2, 1, players, game_spec(), 1), Game.new(RULES))
    driver.do(gui.PlainCommand.REDRAW)
    return driver


def take_step(driver: EventDriver, step: str) -> None:
    """Press a widget (`NAME` in its middle, `NAME@X` at a share of its width) or a key, or do what an equation says.

    `mouse=NAME` or `mouse=NAME,X,Y` points at a widget or square, at shares of its width and height; `click=BUTTON` and
    `wheel=ROWS` use the mouse there. `type=WORD` and `paste=WORD` write, `PAGE=NUMBER` scrolls, and `CONTROL=VALUE`
    changes a control.
    """
    name, _, value = step.partition("=")
    pressed, _, across = step.partition("@")
    inputs: dict[str, Callable[[str], None]] = {"type": driver.type, "paste": driver.paste}
    if name in inputs:
        inputs[name](value)
    elif name == "mouse":
        target, *shares = value.split(",")
        if isinstance(driver, WindowDriver) and not driver.has(target):
            rect = driver.board_place.square_rect(driver.square(target))
        else:
            rect = driver.placed(target).rect
        x, y = map(float, shares or (0.5, 0.5))
        driver.point_at((rect.left + round(x * rect.width), rect.top + round(y * rect.height)))
    elif name == "click":
        driver.click(driver.screen.widgets.mouse or (0, 0), int(value))
    elif name == "wheel":
        driver.scroll(int(value))
    elif value.isdigit():
        driver.screen.widgets.state[name] = float(value)  # pages scroll only in small windows
    elif value:
        driver.do(ui.ControlChanged(name, value))
    elif driver.has(pressed):
        driver.press(pressed, across=float(across or 0.5))
    else:
        driver.keys(step.replace("_", " "))


def after(steps: str, scene: Scene, opener: Opener) -> EventDriver:
    """Take steps in a scene: "d 6 column=240" presses two keys and scrolls a page."""
    driver = scene(opener)
    for step in steps.split():
        take_step(driver, step)
        driver.settle()
    return driver


_FORMS = (("who", "computers"), ("black.by_level", False), ("white.type", "mcts_grouping"), ("rules", True))
_ENGINE = ("opponent.by_level", False), ("opponent.type", "engine")
_NO_WINS = (("2026-01-02", 3, "draw"), ("2026-01-03", 5, "white"))
_ENTRANT = (("player0.player_type", "mcts_uct"), ("player0.more", True))
DIALOG_CHANGES: dict[str, tuple[str, Changes]] = {
    **{name: (name, ()) for name in (*DIALOGS, "open", "save", "archive", "results", "menu", "keys", "question")},
    "how_to_play": ("how_to_play", (("topic", "rules"),)),
    "keys": ("keys", (("topic", "keys"),)),
    "new_game_people": ("new_game", (("who", "people"), ("rules", True))),
    "new_game_computer": ("new_game", (("who", "computer"), *_ENGINE, ("clock", "other"))),
    "new_game_computers": ("new_game", _FORMS),
    "open_files": ("open", (("tab", "files"),)),
    "tournament_more": ("tournament", (*_ENTRANT, ("openings", "Tiger"))),
}
BOARDS: dict[str, Scene] = {
    "start": Opener.start,
    "past": past,
    "offered": offered,
    "passing": passing,
    "failed": failed,
    "over": over,
    "analyse_bounds": bounded,
    "analyse_discs": partial(analysed, "engine"),
    "review_lost": partial(after, "mouse=curve,0.95,0.5", lost),
    "review_running": partial(after, "Ctrl+3", judged),
    "mistakes_review": partial(after, "column=400", partial(with_mistakes, "review")),
    "mistakes_train": partial(with_mistakes, "train"),
    "mistakes_analyse": partial(with_mistakes, "analyse"),
    "mistakes_play": with_values,
    "train_hint": partial(after, "hint d 6 column=240", exercises),
    "train_values": partial(after, "d 6 f 4 exercise_next c 3 exercise_next show_answer v column=240", exercises),
    "train_draw": partial(after, "d 6 f 4 exercise_next c 5 column=240", exercises),
    "train_line": partial(after, "exercise_next c 7 c 3 column=240 mouse=line_2", exercises),
    "train_done": partial(after, "d 6 f 4 exercise_next c 3 exercise_next exercise_next", exercises),
    "openings_nothing": partial(after, "learn", partial(in_mode, "openings", state=Opener.start)),
    "openings_lines": openings,
    "openings_pointed": partial(after, "mouse=line_1", openings),
    "openings_instead": partial(after, "drill d 3", openings),
    "openings_wrong": partial(after, "drill f 5 c 4", openings),
    "openings_reply": partial(after, "drill f 5", partial(openings, seconds=600.0)),
    "openings_end": partial(after, "drill f 5 c 3 show_answer c 4", openings),
    "explore_archive": explored,
    "explore_import": partial(after, "mouse=played_0", partial(explored, progress=ImportProgress(3, 9, "games.pgn"))),
    "explore_own": partial(explored, game=parse_transcript("44", rules_of(game_spec("connect_four")))),
    "steps_choice": stepped,
    "steps_node": partial(after, "tab=tree Alt+Down column=240 mouse=tree", stepped),
    "steps_cut_off": partial(after, "search End Enter Down Up Down Down Down Up column=240 mouse=table,.3,.3", stepped),
    "analyse_pointed": partial(after, "column=240 Ctrl+U Shift+Right mouse=curve,0.3,0.5", judged),
    "tictactoe": partial(of_game, "tictactoe", "b2a1"),
    "ultimate_tictactoe": partial(of_game, "ultimate_tictactoe", ""),
    "connect_four": partial(of_game, "connect_four", "4455"),
    "edit": partial(after, "Alt+W Alt+M Alt+R Right 1 Enter Left 2 Enter Ctrl+Z Ctrl+Enter", partial(in_mode, "edit")),
    **{f"{mode}_start": partial(in_mode, mode, state=Opener.start) for mode in ("review", "train", "openings")},
    **{f"{mode}_past": partial(in_mode, mode) for mode in MODES if mode != "play"},
    **{f"{mode}_over": partial(in_mode, mode, state=over) for mode in MODES if mode != "play"},
}
SCENES: dict[str, Scene] = {
    **BOARDS,
    **{f"dialog_{name}": partial(in_dialog, *opened) for name, opened in sorted(DIALOG_CHANGES.items())},
    "dialog_new_game": partial(in_dialog, "new_game", (("opponent.by_level", True),)),
    "dialog_results_rated": partial(in_dialog, rated(("2026-01-01", 3, "black"), *_NO_WINS), ()),
    "dialog_results_one": partial(in_dialog, rated(("2026-01-01", 3, "black")), ()),
    "dialog_programs_tested": with_programs,
    "dialog_programs_wrong": partial(with_programs, changes=(("program", 1), *_OWN_LIMIT, ("start_seconds.own", "x"))),
    "dialog_programs_running": partial(after, "mouse=program,0.5,0.4", partial(with_programs, changes=_TEST)),
    "dialog_open_files": with_file,
    "dialog_settings_faults": with_faulty_files,
    "dialog_open_games": partial(in_dialog, own_games, (("rows", ui.Selection(3)),)),
    "dialog_games": partial(in_dialog, parsed_games, (("rows", ui.Selection(27, 9)),)),
    "dialog_rename": partial(in_dialog, lambda _: RenameDialog(Path("a.txt"), str), (("name", "a/b"),)),
    "dialog_tournament_left": left_tournaments,
    "dialog_learn_line": partial(after, "Ctrl+L", past),
    "help_connect_four": partial(in_dialog, *DIALOG_CHANGES["how_to_play"], game="connect_four"),
    "help_ultimate": partial(in_dialog, *DIALOG_CHANGES["how_to_play"], game="ultimate_tictactoe"),
    "list_formats": partial(after, "kind", partial(in_dialog, "save", ())),
    "pointed": partial(after, "captures mouse=c3", partial(of_game, "othello", "d3")),
    "pointed_clock": partial(after, "mouse=draw,0.7,0.5", timed),
    "pointed_connect_four": partial(after, "mouse=6", partial(of_game, "connect_four", "4455")),
    "pointed_tree": partial(after, "mouse=tree,0.2,0.3", bounded),
    "play_search": searched,
    "play_thinking": thinking,
    "tournament_started": unplayed,
    "tournament_watched": watched,
    "tournament_tictactoe": partial(watched, game=game_spec("tictactoe"), moves="b2a1"),
    "tournament_game": partial(after, "board0", watched),
    "tournament_scored": partial(after, "mouse=cross,0.3,0.5", partial(scored, "ABC", ())),
    "tournament_broken": partial(scored, "AB", [TournamentEnded(True)], sprt=SprtConfig(0, 50)),
    "tournament_many": partial(after, "hold Down tournament_page=9999", many),
    "tournament_invited": invited,
    "tournament_series": partial(invited, format="best_of_3", series_per_pair=3),
    "tournament_exists": asked_at_start,
    "tournament_asked": partial(after, "stop", unplayed),
    "tournament_finished": finished,
    "tournament_compared": partial(after, "compare", finished),
}
# Their texts are not translated again when the language changes.
SCENES_WITH_STORED_TEXTS = {"openings_lines", "openings_pointed", "openings_instead", "edit_over", "dialog_note"}
SCENES_WITH_STORED_TEXTS |= {f"dialog_programs{state}" for state in ("", "_tested", "_wrong", "_running")}
SCENES_WITH_STORED_TEXTS |= {"dialog_question", "tournament_asked", "tournament_compared", "tournament_exists"}
