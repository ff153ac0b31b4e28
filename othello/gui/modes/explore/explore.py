"""The mode Explore: the moves played in the shown position in all stored games, their results, and those games."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from heapq import nlargest
from operator import attrgetter
from typing import Any, Final

from othello.errors import OthelloError
from othello.files import is_file, is_folder
from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import BROWSE, Context
from othello.gui.boards.board_layout import BoardState, value_text
from othello.gui.mode_registry import PLAY
from othello.gui.modes.explore import explore_widgets
from othello.gui.modes.mode import VariationMode
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import BoardMark, Footer
from othello.gui.widgets.figures import is_forced
from othello.gui.widgets.hints import unbounded
from othello.play import assessment, session_commands as cmd
from othello.records.game_file import GameFile
from othello.records.openings import opening_name_of
from othello.records.readers import count_games
from othello.rules.protocol import Color, Move
from othello.search.report import SearchReport
from othello.store.database import ALL, SHIPPED, GameLine, PlayedMove, Source
from othello.study.explorer import PAGE, ExplorerQuery, ExplorerResult, continued
from othello.study.game_file_conversion import open_command
from othello.texts import joined, number, percent, person, tr

_FOOT: Final = (*BROWSE, "explore_analyse", "learn", "explore_play")
_ROWS: Final = 2, 5  # minimum and maximum of visible move rows
_NO_ROWS: Final = 528  # window height in design pixels without any move row
_ANNOUNCED: Final = 3  # engine moves named if no stored game reached the position
_POLL_SECONDS: Final = 0.03
_READING_SECONDS: Final = 0.25  # interval for updates of the import's progress


class ExploreMode(VariationMode):
    """Shows the moves that stored games made in the position on the board."""

    name = "explore"
    holds_game = True

    def enter(self, now: float) -> None:
        self.explorer = self.host.explorer
        self.explorer.refresh()
        self._spec = self.session.game.rules.spec
        self._shown: AnyGame | None = None
        self._latest_answer: ExplorerResult | None = None  # the answer found by the latest update
        # the finished game, until the position where other games left it is known
        self._finished_game = self._game if self._game.is_over else None
        self._game_rows: tuple[ExplorerResult | None, Sequence[ui.ListItem]] = None, ()
        # Mouse and focus when the position was first shown; None: they have moved since.
        self._initial_input: object | None = None
        kind, wanted = assessment.default_analyst(self._spec).kind, self.person.preferences.value
        judge = unbounded(kind, wanted.analyst_seconds, wanted.analysis_megabytes)
        self.session.do(cmd.Analyse(judge), now)

    def leave(self, now: float) -> None:
        self.session.do(cmd.Analyse(None), now)
        super().leave(now)

    # Data.

    @property
    def _game(self) -> AnyGame:
        return self.session.view.shown

    @property
    def _result(self) -> ExplorerResult | None:
        """The answer for the shown position; None: not known yet."""
        result = self.explorer.answer
        if result is None or result.question.is_of_people or result.question.spec != self._spec:
            return None
        return result if result.question.position == self._game.position else None

    @property
    def _has_discs(self) -> bool:
        """True if games end with a number of discs for each side."""
        return self._game.rules.points == "discs"

    @property
    def _report(self) -> SearchReport | None:
        """The engine's report on the shown position."""
        report = self.session.shown_analysis
        return None if report is None or is_forced(report) or report.value is None else report

    @property
    def _previewed(self) -> Move | None:
        """The move of the row under the mouse or with the focus, which is played out on the board.

        None until the mouse or the focus has moved, to show the position itself first.
        """
        widgets, result = self.widgets, self._result
        if result is None or self._initial_input is not None or self.host.dialog is not None:
            return None
        names = widgets.pointed, widgets.focus if widgets.shows_focus else ""
        moves = {f"{explore_widgets.PLAYED}{row}": played.move for row, played in enumerate(result.moves)}
        return next((moves[name] for name in names if name in moves), None)

    @property
    def _preview(self) -> AnyGame | None:
        move = self._previewed
        return self._game.play(move) if move is not None and move in self._game.legal_moves() else None

    @property
    def named_game(self) -> AnyGame:
        return self._preview or self._game

    def caption(self, pointed: Move | None) -> Sequence[str]:
        return [words for words in super().caption(pointed) if words != self._title]  # the column shows it

    # Commands.

    @gui.handles(cmd.Undo)
    def _back(self, command: cmd.Undo, now: float) -> object:
        return cmd.Browse(-1)

    @gui.handles(cmd.PlayFromHere)
    def _play_from_here(self, command: cmd.PlayFromHere, now: float) -> object:
        self.session.do(command, now)
        return gui.SwitchMode(PLAY)

    @gui.handles(gui.PlainCommand.STOP_READING)
    def _stop(self, command: gui.PlainCommand, now: float) -> None:
        self.explorer.stop()

    @gui.handles(gui.PlainCommand.FILTER_OWN_GAMES)
    def _show_own(self, command: gui.PlainCommand, now: float) -> None:
        self._change_filter(sources=None if self._shows_own else self._own)

    @gui.handles(gui.OpenFile)
    def _open_file(self, command: gui.OpenFile, now: float) -> gui.Answer:
        """Import a dropped folder or WTHOR file; open any other file."""
        path = command.path
        is_archive = is_folder(path) or (is_file(path) and bool(count_games(path)))
        return gui.AddArchive((path,)) if is_archive and self.host.dialog is None else gui.NOT_HANDLED

    @gui.handles(gui.PlainCommand.CLEAR_FILTERS)
    def _show_all(self, command: gui.PlainCommand, now: float) -> None:
        self.explorer.wanted, self._shown = ALL, None

    @gui.handles(explore_widgets.CompareGame)
    def _compare(self, command: explore_widgets.CompareGame, now: float) -> None:
        self.explorer.fetch(command.number, as_variation=True)

    @gui.handles(ui.ControlChanged)
    def _use(self, command: ui.ControlChanged, now: float) -> gui.Answer:
        match command.name:
            case "games":
                self._pick = command.value
                result = self._result
                if self._pick.opens and result is not None and self._pick.row in result.games:
                    self.explorer.fetch(result.games[self._pick.row].number, as_variation=False)
            case "sources":
                everything = {source.number for source in self._sources}
                self._change_filter(sources=None if not command.value or command.value == everything else command.value)
            case _:
                self._change_filter(**{command.name: command.value})
        return None

    def _change_filter(self, **wanted: Any) -> None:
        """Change the filter of games."""
        self.explorer.wanted = replace(self.explorer.wanted, **wanted)
        self._shown = None

    def _show_game(self, file: GameFile, *, as_variation: bool, now: float) -> None:
        """Open a stored game at the shown position, or show its continuation as a variation."""
        game, session = self._game, self.session
        there = continued(file.tree.game, game.position)
        names = [str(entry.get("name", "")) for entry in file.players or ()]
        game_name = tr("files.players", black=names[0], white=names[1]) if all(names) and names else file.date
        if not as_variation:
            session.do(open_command(file), now)
            self._hold(now)
            session.do(cmd.HoldAnalyses(False), now)  # only the game pauses
            if self.host.files.library is not None:  # the store has the game already
                self.host.files.library.adopt(session.history)
            if there is not None:
                session.do(cmd.Visit(session.history.tree.line.moves[: there[0]]), now)
            self.host.view_state.show_message(tr("explore.opened", game=game_name), now, is_success=True)
        elif there is not None and there[1]:
            session.do(cmd.PlayVariation(there[1]), now)
            session.do(cmd.Visit(session.view.shown.moves[: game.ply + 1]), now)
            self.host.view_state.show_message(tr("explore.compared", game=game_name), now, is_success=True)

    # Updates.

    def _leave_game_end(self, now: float) -> None:
        """Go from the end of a finished game back to the last position that other games reached, when it is found."""
        result, ended = self._result, self._finished_game
        if ended != self._game:
            self._finished_game = None
        elif result is not None and result.question.ended == ended:
            self._finished_game = None
            if result.left_at is not None:
                self.session.do(cmd.Visit(ended.moves[: result.left_at]), now)

    def update(self, now: float) -> None:
        self._latest_answer = self.explorer.answer
        if self._finished_game is not None:
            self._leave_game_end(now)
        while self.explorer.fetched:
            file, as_variation = self.explorer.fetched.pop()
            try:
                self._show_game(file, as_variation=as_variation, now=now)
            except OthelloError as error:
                self.explorer.failure = error.reason
        game, explorer = self._game, self.explorer
        if game.rules.spec != self._spec:
            self.enter(now)
        widgets = self.widgets
        if self._shown is None or game.position != self._shown.position:
            if widgets.focus.startswith(explore_widgets.PLAYED):
                widgets.focus = f"{explore_widgets.PLAYED}0"
            self._shown, self._pick, self._initial_input = game, ui.Selection(-1), (widgets.mouse, widgets.focus)
        elif self._initial_input != (widgets.mouse, widgets.focus):
            self._initial_input = None
        page = self._pick.first // PAGE
        explorer.ask(ExplorerQuery(self._spec, game.position, explorer.wanted, page, self._finished_game))
        if explorer.failure is not None:
            self.host.view_state.show_message(explorer.failure.sentence(), now, is_success=False)
            explorer.failure = None

    def state_key(self) -> object:
        return self._previewed, self.explorer.answer, self.explorer.progress, self._pick

    def next_wake(self, now: float) -> float | None:
        if self.explorer.is_busy or self.explorer.answer is not self._latest_answer:
            return now + _POLL_SECONDS
        return None if self.explorer.progress is None else now + _READING_SECONDS

    # View.

    def board(self, state: BoardState) -> BoardState:
        """Allow every move, and show the position after the previewed move."""
        bare = replace(state, report=None, others=None, shows_counts=False, hint=None)
        preview = self._preview
        if preview is None:
            return replace(bare, is_choice=True, shows_legal=False)
        last = preview.last_move if self.session.view.shown.last_move == state.last_move else None
        return replace(bare, position=preview.position, last_move=last, captures={}, hover=None, cursor=None, flip=None)

    def marks(self) -> tuple[BoardMark, ...]:
        result = self._result
        if result is None or self._preview is not None or self.host.view_state.flip is not None:
            return ()
        renderer, picked, known = self.host.renderer, self.picked, {played.move: played for played in result.moves}
        marks = []
        for square, (move, *_) in renderer.by_square(known, picked).items():  # the most frequent move of each square
            score, games = self._score(known[move]), labels.count(known[move].games)
            is_most, is_origin = known[move] == result.moves[0], not renderer.is_last(move, picked)
            marks.append(explore_widgets.PlayedMark(square, score, games, is_most, is_origin))
        return tuple(marks)

    def _score(self, played: PlayedMove) -> str:
        """Return the score of the side to move, in per cent of the points."""
        won, ended = played.white if self._game.to_move else played.black, played.black + played.draws + played.white
        return percent(f"{100 * (won + played.draws / 2) / ended:.0f}") if ended else "–"

    def history_label(self) -> str:
        return ""

    def status(self) -> str:
        game = self._game
        if game.is_over:
            return tr("analysis.over")
        return joined(tr("status.to_move", side=labels.side(game.rules, game.to_move)), tr("explore.marks"))

    def announcement(self) -> str:
        result = self._result
        return "" if result is None else f"{self._title}. {self._count(result)}."

    def status_buttons(self) -> tuple[ui.Widget, ...]:
        own_games = button("own_games", Context.GAME, enabled=bool(self._own), chosen=self._shows_own)
        return button("archive", Context.GAME), own_games

    def footer(self) -> Footer:
        enabled = self.enabled()
        return [
            button(name, Context.GAME, enabled=enabled.get(name, True), **({"width": 36} if name in enabled else {}))
            for name in _FOOT
        ], _FOOT[-1:]

    def side_panel(self, now: float) -> ui.Widget:
        return ui.Column((self._head_card(), self._moves_card(), self._games_card()), 8)

    # The head.

    @property
    def _title(self) -> str:
        opening = opening_name_of(self._game)
        return labels.moment(self._game) if opening is None else labels.opening(opening)

    def _count(self, result: ExplorerResult) -> str:
        return tr("explore.count", n=result.total, games=number(result.total, ",d"))

    def _head_card(self) -> ui.Widget:
        """Return the head: the opening, its moves, and the number of games."""
        palette, game, result = self.style.palette, self._game, self._result
        opening, texts = opening_name_of(game), game.at(0).texts_of(game.moves)
        ply = 0 if opening is None else opening.ply
        line, then = " ".join(texts[:ply]), " ".join(texts[ply:])
        then = tr("explore.then", moves=then) if line and then else then
        left = (
            ui.Label(self._title, 18, bold=True, sizes=(16, 14, 12), grow=True),
            ui.Row([ui.Label(text, 12, palette.muted) for text in (line, then) if text], 12, grow=True),
        )
        count, years = self._counts(result) if result is not None and result.sources else ("", "")
        counts = ui.Label(count, 15, bold=True), ui.Label(years, 12, palette.muted)
        rows = [ui.Row(pair, 12) for pair in zip(left, counts, strict=True)]
        return ui.Card(ui.Column(rows, 4), (16, 8 if self.is_low else 12), palette.panel, palette.edge)

    def _counts(self, result: ExplorerResult) -> tuple[str, str]:
        """Return the number of games in the position, and the number and years of all games."""
        ends = [year for source in self._chosen for year in (source.first_year, source.last_year)]
        of = tr("explore.of", games=number(sum(source.games for source in self._chosen), ",d"))
        known = [year for year in ends if year is not None]
        span = result.question.wanted.years or ((min(known), max(known)) if known and known == ends else None)
        years = of if span is None else tr("explore.years", years=_span(*span), of=of)
        return self._count(result), years if self._has_discs else ""  # archives of other games are small

    # The moves.

    def _moves_card(self) -> ui.Widget:
        """Return the card with the moves that were played."""
        palette, result, rules = self.style.palette, self._result, self._game.rules
        room = (self.host.window.height / self.style.scale - _NO_ROWS) // explore_widgets.ROW
        high = 40.0 + explore_widgets.ROW * max(_ROWS[0], min(room, _ROWS[1]))
        title = ui.Label(tr("explore.played"), 12, palette.muted, bold=True, must_fit=True)
        hint = ui.Label((tr("explore.click"), ""), 11, palette.muted, align="right", grow=True)
        rows = [] if result is None else [self._row(row, played) for row, played in enumerate(result.moves)]
        parts: list[ui.Widget] = [ui.Card(ui.Row((title, hint)), (8, 0))]
        if rows:
            sides = labels.side(rules, Color.BLACK), labels.side(rules, Color.WHITE)
            mean = tr("explore.mean", side=labels.side(rules, self._game.to_move)) if self._has_discs else ""
            judged = "" if self._report is None else tr("explore.judged", how=labels.certainty(self._report))
            note = explore_widgets.Note(mean, judged, height=17)
            page = ui.ScrollView(ui.Column(rows, 0), name="played", height=high - 40)
            parts += [explore_widgets.ColumnHeaders(self._has_discs, sides, height=20), page, note]
        else:
            content: ui.Widget = ui.Paragraph(self._empty_text, 13, palette.muted, max_lines=4, grow=float(self.is_low))
            if result is not None and result.hidden:
                content = ui.Column((content, ui.Row((button("all_games", Context.GAME),))))
            parts.append(ui.Card(content, (8, 4), height=high))
        return ui.Card(ui.Column(parts, 2), (8, 8), palette.panel, palette.edge)

    def _row(self, row: int, played: PlayedMove) -> explore_widgets.PlayedRow:
        game, report, has_discs = self._game, self._report, self._has_discs
        value, is_bound, color = "", False, self.style.palette.text
        stats = None if report is None else next((move for move in report.moves if move.move == played.move), None)
        if report is not None and stats is not None and stats.value is not None:
            value, is_bound = value_text(report, stats), not stats.exact
            best = max(assessment.values_of(report).values(), default=stats.value)
            mistake = self.person.limits.of(assessment.in_discs(best - stats.value, report.unit))
            colors = {None: self.style.palette.right, assessment.Mistake.INACCURACY: self.style.palette.last_text}
            color = colors.get(mistake, self.style.palette.warning)
        discs = played.discs if has_discs else None
        if discs is not None:
            discs = -discs if game.to_move else discs
        return explore_widgets.PlayedRow(
            labels.move(game, played.move),
            cmd.PlayVariation((played.move,)),
            renderer=self.host.renderer,
            mover=game.to_move,
            played=played,
            discs="" if discs is None else number(discs, "+z.1f").replace("-", "–"),
            has_discs=has_discs,
            value=value,
            is_bound=is_bound,
            color=color,
            leads=labels.leads(game, played.move),
            name=f"{explore_widgets.PLAYED}{row}",
            height=explore_widgets.ROW,
        )

    @property
    def _empty_text(self) -> str:
        """Why no move is listed, and the engine's best moves."""
        game, report, result = self._game, self._report, self._result
        if result is None and self.explorer.is_busy:
            return ""
        text = tr("explore.none")
        if result is not None and result.hidden:
            text = tr("explore.filtered", n=result.hidden, games=number(result.hidden, ",d"))
        elif result is not None and result.games:
            text = tr("explore.ended")
        if game.is_over or report is None:
            return text
        best = nlargest(_ANNOUNCED, (move for move in report.moves if move.value is not None), attrgetter("value"))
        moves = (f"{labels.move(game, stats.move)} ({value_text(report, stats)})" for stats in best)
        return joined(text, tr("explore.engine_moves", moves=", ".join(moves)))

    # The games.

    @property
    def _sources(self) -> Sequence[Source]:
        return () if self.explorer.answer is None else self.explorer.answer.sources

    @property
    def _chosen(self) -> Sequence[Source]:
        """The sources that the filter selects."""
        wanted = self.explorer.wanted.sources
        return [source for source in self._sources if wanted is None or source.number in wanted]

    @property
    def _own(self) -> frozenset[int]:
        return frozenset(source.number for source in self._sources if source.kind == "own")

    @property
    def _shows_own(self) -> bool:
        return bool(self._own) and self.explorer.wanted.sources == self._own

    def _games_card(self) -> ui.Widget:
        palette, result, progress = self.style.palette, self._result, self.explorer.progress
        title = ui.Label(tr("explore.title"), 12, palette.muted, bold=True, must_fit=True)
        hint = ui.Label((tr("explore.open"), ""), 11, palette.muted, align="right", grow=True)
        parts: list[ui.Widget] = [ui.Card(ui.Row((title, hint)), (8, 0))]
        if progress is not None:
            words = tr("explore.reading", file=progress.file, n=progress.games, games=number(progress.games, ",d"))
            bar = (ui.ProgressBar(progress.games / progress.of, width=80),) if progress.of else ()
            row = ui.Row((ui.Label(words, 12, grow=True, min_content=80), *bar, button("stop_reading", Context.GAME)))
            parts.append(ui.Card(row, (8, 0)))
        if self._sources:
            parts.append(self._filters())
            known, label = self._rows_of(result), tr("explore.games")
            rows = explore_widgets.GameRows(known, self._pick, self.host.renderer, accessible_name=label, name="games")
            parts.append(replace(rows, grow=True, height=3 * explore_widgets.ROW))
        elif progress is None and not self.explorer.is_busy:
            nothing = ui.Paragraph(tr("explore.no_archive"), 13, palette.muted)
            parts.append(ui.Card(nothing, (8, 4), grow=True))
        return ui.Card(ui.Column(parts, 6), (8, 8), palette.panel, palette.edge, grow=True)

    def _filters(self) -> ui.Widget:
        wanted, chosen = self.explorer.wanted, self._chosen
        options = tuple((source.number, self._source_name(source)) for source in self._sources)
        shown = tr("explore.all") if wanted.sources is None else ", ".join(map(self._source_name, chosen))
        picked = frozenset(source.number for source in chosen)
        origin = tr("explore.from")
        sources = ui.MultiSelect(options, picked, origin, shown=shown, name="sources", grow=5, min_content=120)
        who, where = tr("explore.player"), tr("explore.event")
        player = ui.TextField(wanted.player, who, accessible_name=who, name="player", width=120)
        event = ui.TextField(wanted.event, where, accessible_name=where, name="event", width=120)
        choice = partial(ui.Select, grow=4, min_content=80)
        years = choice(self._years(), wanted.years, accessible_name=tr("spoken.years"), name="years")
        ends = (("black", Color.BLACK), ("draw", None), ("white", Color.WHITE))
        outcomes = ((name, labels.outcome(self._game.rules, winner)) for name, winner in ends)
        results = ((None, tr("explore.any_result")), *outcomes)
        result = choice(results, wanted.result, accessible_name=tr("spoken.result"), name="result")
        groups = (sources, years, result), (player, event)
        rows = [ui.FirstThatFits((ui.Row(group), ui.Column(group))) for group in groups]
        return ui.FirstThatFits((ui.Row((sources, player, event, years, result)), ui.Column(rows, 6)))

    def _source_name(self, source: Source) -> str:
        if source.kind == "own":
            return tr("explore.own")
        return tr("explore.shipped") if source.name == SHIPPED else source.name

    def _years(self) -> tuple[tuple[tuple[int, int] | None, str], ...]:
        """Return the choices of the filter: all years, and each decade."""
        ends = [year for source in self._sources for year in (source.first_year, source.last_year) if year is not None]
        tens = range(max(ends) // 10, min(ends) // 10 - 1, -1) if ends else ()
        spans = [(max(min(ends), 10 * ten), min(max(ends), 10 * ten + 9)) for ten in tens]
        return (None, tr("explore.any_year")), *((span, _span(*span)) for span in spans if len(spans) > 1)

    def _rows_of(self, result: ExplorerResult | None) -> Sequence[ui.ListItem]:
        """Return the rows of the games, with placeholders for those not loaded yet."""
        if self._game_rows[0] is not result:
            count, known = (0, {}) if result is None else (result.total, result.games)
            rows = range(count), lambda row: self._item(known[row]) if row in known else ui.ListItem("…")
            self._game_rows = result, ui.LazySequence(*rows)
        return self._game_rows[1]

    def _item(self, line: GameLine) -> ui.ListItem:
        rules = self._game.rules
        score = result = "" if line.discs is None else f"{line.discs[0]} : {line.discs[1]}"
        winner = {"black": Color.BLACK, "white": Color.WHITE}.get(line.winner)
        if not result and line.winner:
            result = labels.outcome(rules, winner)
            score = result if winner is None else labels.side(rules, winner)  # the cell is narrow
        year = "" if line.year is None else str(line.year)
        move = "" if line.move is None else labels.move(self._game, line.move)
        nameless = person() if line.source in self._own else "?"
        black, white = (name or nameless for name in (line.black, line.white))
        text = " ".join(filter(None, (year, f"{black} – {white}", result, move, line.event)))
        cells = explore_widgets.GameCells(line.number, year, black, white, winner, score, move, line.event)
        return ui.ListItem(text, data=cells)


def _span(first: int, last: int) -> str:
    """Return a range of years as a text."""
    return str(first) if first == last else tr("explore.span", first=first, last=last)
