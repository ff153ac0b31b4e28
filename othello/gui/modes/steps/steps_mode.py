"""The mode Step through: watch a search think, one step at a time."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import Context
from othello.gui.boards.board_layout import BoardState
from othello.gui.modes.mode import BackgroundGameMode
from othello.gui.modes.steps.step_widgets import StepMark, StepTable, StepTreePanel
from othello.gui.platform.window import copy
from othello.gui.toolbar import button
from othello.gui.widgets.board_widget import BoardMark, Footer
from othello.gui.widgets.search_tree import TREE, PressNode, TreeColumns, TreeNode
from othello.play import session_commands as cmd
from othello.play.seeding import player_seed
from othello.players.player_registry import configure_for, title_of
from othello.players.step_recorder import stepped_kinds
from othello.rules.protocol import Move, Square
from othello.rules.symmetry import symmetries_between
from othello.search.report import Line
from othello.search.steps import Backup, Choice, Edge, ExitReason, Expansion, MoveSelection, NodeExit, Playout, Update
from othello.study.step_text import as_dot, children_table, line_text, text_of, window_text
from othello.study.step_through import SearchToStep, StepThrough
from othello.texts import joined, number, tr

_SPEEDS: Final = (1, 4, 20, 100, None)  # steps a second; None: as fast as possible
_FASTEST: Final = 25  # steps between two pictures at the highest speed
_POLL_SECONDS: Final = 0.03
_GROUPS: Final[dict[object, str]] = {NodeExit: "iteration", Choice: "episode", Update: "episode"}
_PHASES: Final = {"select": MoveSelection, "expand": Expansion, "playout": Playout, "backup": Backup}
_BOTH: Final = 1100  # width of windows from which on the table and the tree are shown together


class StepsMode(BackgroundGameMode):
    """The mode Step through."""

    name = "steps"
    holds_game = True
    ends_with_game = True
    takes_moves = False
    is_over = True  # no move can be chosen

    def enter(self, now: float) -> None:
        self._history, self._shown = self.session.history, self.session.view.shown
        self.searches = tuple(self._find_searches())
        # Values of the controls by name. `played`: how many moves of the playout are shown.
        self._controls: dict[str, Any] = {"speed": 4, "tab": "table", "number": "", "played": sys.maxsize}
        self._begin(self.searches[0])

    def leave(self, now: float) -> None:
        super().leave(now)
        self.steps.close()

    def _begin(self, search: SearchToStep) -> None:
        """Start to record a search."""
        self._search, self.steps = search, StepThrough(search)
        self._chosen: Line | None = None  # the node whose position and table are shown; None: those of the step
        self._next_step: float | None = None  # when the next step follows; None: the steps do not run
        self._seen: object = None  # the step at the last update

    def _find_searches(self) -> Iterator[SearchToStep]:
        """Yield the searches to choose from: that of the shown move, then those of other players in its position."""
        session, game, job = self.session, self._shown, self.session.referee.job
        has_move = self.host.left_mode != "analyse" and game.ply > job.opening_plies
        game = game.at(game.ply - 1) if has_move else game
        known, seed = session.history.tree.known(game), player_seed(job.seed, game.to_move)
        player = (known.players or session.players)[game.to_move]
        if has_move and not player.is_user:
            simulations = known.report.simulations if known.report else 0
            yield SearchToStep(player, game, seed, as_played=True, simulations=simulations or None)
        own = {config.kind: config for config in session.players.computers}
        for kind in sorted(stepped_kinds(game.rules.spec), key=lambda kind: kind != "mcts_uct"):
            yield SearchToStep(own.get(kind) or configure_for(kind, game.rules.spec), game, seed)

    # Commands.

    @gui.handles(cmd.Browse)
    def _browse(self, command: cmd.Browse, now: float) -> None:
        self._next_step = None
        self.steps.move(command.steps)

    @gui.handles(cmd.StepMoves, gui.PlainCommand.CONFIRM)
    def _step(self, command: object, now: float) -> object:
        return cmd.GoTo(int(typed)) if (typed := self._controls["number"]).isdigit() else cmd.Browse(1)

    @gui.handles(cmd.GoTo)
    def _go_to(self, command: cmd.GoTo, now: float) -> None:
        """Go to the end of a simulation, or to the first step."""
        self._controls["number"], self._next_step = "", None
        self.steps.go_to(command.ply, is_start=not command.ply)

    @gui.handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> object | None:
        """Go some steps with Left and Right, or to the end of a simulation with Up and Down."""
        if command.rows > 0:
            self.steps.finish()
        elif command.rows:
            self.steps.go_to(self.steps.group, is_start=True)
            self.steps.move(-1)
        return cmd.Browse(command.columns) if command.columns else None

    @gui.handles(cmd.TogglePause)
    def _toggle(self, command: cmd.TogglePause, now: float) -> None:
        """Run the steps, or stop them or the recording."""
        is_idle = self._next_step is None and not self.steps.is_busy
        if self.steps.step is not None:
            self.steps.cancel()
            self._next_step = now if is_idle else None

    @gui.handles(PressNode)
    def _choose(self, command: PressNode, now: float) -> None:
        """Show the position and the table of a node, or again those of the step."""
        self._chosen = None if command.line == self._chosen else command.line

    @gui.handles(gui.StepTree)
    def _step_tree(self, command: gui.StepTree, now: float) -> object:
        line = self.steps.line if self._chosen is None else self._chosen
        if command.columns:
            wanted = self._line[: max(0, len(line) + command.columns)]
        else:
            beside = [node.line for node in self._nodes(line[:-1])]
            at = beside.index(line) + command.rows if line in beside else 0
            wanted = beside[max(0, min(at, len(beside) - 1))] if beside else line
        return None if wanted == self._chosen else PressNode(wanted)

    @gui.handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        if self.widgets.focus:
            return gui.NOT_HANDLED
        return gui.SwitchMode("analyse") if self._chosen is None else PressNode(self._chosen)

    @gui.handles(gui.NextLegal)
    def _next_control(self, command: gui.NextLegal, now: float) -> gui.Answer:
        return gui.NOT_HANDLED

    @gui.handles(ui.ControlChanged)
    def _use(self, command: ui.ControlChanged, now: float) -> object | None:
        value = command.value
        match command.name:
            case "search":
                self.steps.close()
                self._begin(value)
            case "phase":
                self.steps.go_to_kind(_PHASES[value])
            case name:
                self._controls[name] = value
        return None

    def _copy(self, text: str) -> object:
        copy(text)
        return gui.ShowMessage(tr("steps.copied"))

    # State.

    def update(self, now: float) -> None:
        if self.session.history is not self._history:
            self.steps.close()
            self.enter(now)
        self.steps.update()
        if self._next_step is not None and not self.steps.is_busy and now >= self._next_step:
            speed = self._controls["speed"]
            self._next_step = None if self.steps.is_last else now + (1 / speed if speed else 0.0)
            self.steps.move(1 if speed else _FASTEST)
        if self._seen != (seen := (self.steps.part, self.steps.at)):
            self._seen, self._controls["played"] = seen, sys.maxsize

    def next_wake(self, now: float) -> float | None:
        return now + _POLL_SECONDS if self.steps.is_busy else self._next_step

    def state_key(self) -> object:
        running = self._next_step is None, self.steps.is_busy, self.steps.failure
        return self._search, self._seen, running, self._chosen, tuple(self._controls.values())

    @property
    def _line(self) -> Line:
        """The line whose moves the tree shows: the one to the chosen node, if the step's line does not contain it."""
        line, chosen = self.steps.line, self._chosen or ()
        return line if line[: len(chosen)] == chosen else chosen

    # The side panel.

    def side_panel(self, now: float) -> ui.Widget:
        has_steps = self.steps.step is not None
        cards = {"table": self._table_card(), "tree": self._tree_card()} if has_steps else {}
        shown: Sequence[ui.Widget] = [*cards.values()]
        if has_steps and self.host.window.width < _BOTH * self.style.scale:
            options = tuple((name, tr(f"steps.views.{name}")) for name in cards)
            tabs = ui.SegmentedControl(options, self._controls["tab"], accessible_name=tr("steps.show"), name="tab")
            shown = tabs, cards[self._controls["tab"]]
        return ui.Column((self._head_card(), *shown))

    def _card(self, *parts: ui.Widget, grow: float = 1) -> ui.Widget:
        palette = self.style.palette
        return ui.Card(ui.Column(parts, 6), (14, 8), palette.panel, palette.edge, grow=grow)

    def _head_card(self) -> ui.Widget:
        """Return the card with the number of the simulation, its phase, and the description of the step."""
        step, (title, sentence) = self.steps.step, self._texts()
        names = [title_of(search.config) for search in self.searches]
        if self.searches[0].as_played:
            names[0] = tr("steps.played", move=labels.last_move(self._shown), player=names[0])
        options = tuple(zip(self.searches, names, strict=True))
        search = ui.Select(options, self._search, tr("steps.search"), name="search", min_content=120)
        heading = ui.Label(title, 14, bold=True, sizes=(13, 12, 11, 10), grow=True, min_content=170)
        parts: list[ui.Widget] = [ui.FirstThatFits((ui.Row((heading, search)), ui.Column((heading, search))))]
        for phase in (name for name, kind in _PHASES.items() if isinstance(step, kind)):
            phases = tuple((name, f"{at}  {tr(f'steps.tabs.{name}')}") for at, name in enumerate(_PHASES, 1))
            parts.append(ui.SegmentedControl(phases, phase, rows=0, accessible_name=tr("steps.phase"), name="phase"))
        parts.append(ui.Paragraph(sentence, 12, max_lines=4))
        if isinstance(step, Playout) and step.moves:
            shown, count = min(self._controls["played"], len(step.moves)), len(step.moves)
            words = tr("steps.playout", shown=shown, count=count)
            slider = ui.Slider(range(count + 1), shown, accessible_name=words, name="played", grow=True)
            parts.append(ui.Row((ui.Label(words, 11, self.style.palette.muted, width=130), slider)))
        return self._card(*parts, grow=0)

    def _texts(self) -> tuple[str, str]:
        """Return the title and the description of the step."""
        steps, step, game = self.steps, self.steps.step, self._search.game
        if steps.failure is not None:
            return tr("steps.failed"), steps.failure.sentence()
        if step is None:
            return tr("steps.recording"), tr("status.preparing")
        kind, total = _GROUPS.get(type(step), "simulation"), number(steps.part.total, ",d")
        title = tr(f"steps.groups.{kind}", number=number(step[0], ",d"), total=total)
        sentences = [text_of(step, game, self._search.config).sentence]
        if isinstance(step, NodeExit):
            title = f"{title} · {line_text(game, step.path)} {window_text(step)}"
            best, report = steps.principal_variation(), steps.part.report
            is_tied = steps.is_last and report is not None and best[:1] != (report.move,)  # with the move that is made
            sentences.append(tr("steps.best_line", line=line_text(game, best)) if best and not is_tied else "")
        if steps.is_last and steps.part.report is not None:
            sentences.append(tr("steps.result", move=game.text_of(steps.part.report.move)))
        return title, joined(*sentences)

    def _table_card(self) -> ui.Widget:
        """Return the card with the table of the chosen node, or that of the step."""
        steps, step, game, config = self.steps, self.steps.step, self._search.game, self._search.config
        assert step is not None
        path = () if isinstance(step, Playout | Backup) else step.path
        path, opening = path if self._chosen is None else self._chosen, None
        text, title = text_of(step, game, config), tr("steps.moves", node=line_text(game, path))
        at = game.after(path)
        nodes = {at.text_of(move): (*path, move) for move in steps.children(path)}
        if self._chosen is None and text.rows and isinstance(step, Backup | NodeExit):
            title = tr("steps.backup" if isinstance(step, Backup) else "steps.node_terms")
            nodes = {}
        elif (opening := steps.opening_step(path)) is not None:
            text = text_of(opening, game, config)
        else:
            known = children_table(steps.children(path), at)
            text = known if self._chosen is not None else text._replace(header=known.header, rows=known.rows)
        parts: list[ui.Widget] = [self._card_head(title, "latex", text.as_latex())]
        if text.formula:
            parts.append(ui.Label(text.formula, 13, self.style.palette.accent, bold=True, sizes=(12, 11, 10)))
        if not text.rows:
            words = tr("steps.no_numbers", number=number(steps.part.groups[0], ",d"))
            return self._card(*parts, ui.Paragraph(words, 12, max_lines=4, grow=True))
        table = StepTable(text, title, nodes, opening is not None)
        return self._card(*parts, ui.ScrollView(table, name="table", grow=True, height=88))

    def _card_head(self, title: str, name: str, copied: str) -> ui.Widget:
        label, tip = ui.Label(title, 12, self.style.palette.muted, bold=True, grow=True), tr(f"steps.tips.{name}")
        command = gui.Call(self._copy, (copied,))
        return ui.Row((label, ui.Button(tr(f"steps.do.{name}"), command, "small", name=name, tip=tip)))

    def _tree_card(self) -> ui.Widget:
        columns = tuple(column for count in range(len(self._line) + 1) if (column := self._nodes(self._line[:count])))
        texts = {node.line: f"{node.text} {node.visits} {node.value}" for column in columns for node in column}
        seen = TreeColumns(columns[0] if columns else (), columns[1:], self._line)
        line, step, opening = self.steps.line, self.steps.step, self.steps.opening_step(())
        visits = opening.visits if isinstance(opening, MoveSelection) else self.steps.group
        root = number(step.nodes[0].visits if isinstance(step, Backup) else visits)
        tree = StepTreePanel(self.host.renderer, seen, True, root, line, self._chosen, name=TREE, grow=True, height=84)
        return self._card(self._card_head(tr("steps.views.tree"), "dot", as_dot(texts, line)), tree)

    def _nodes(self, path: Line) -> tuple[TreeNode, ...]:
        """Return the nodes of the moves after a path, the most visited one first."""
        game, children = self._search.game.after(path), self.steps.children(path)
        moves = [move for move, child in children.items() if not isinstance(child, Edge) or child.visits]
        moves += self._line[len(path) : len(path) + 1]
        found = [self._node(game, (*path, move), children.get(move)) for move in dict.fromkeys(moves)]
        return tuple(sorted(found, key=lambda node: -int(node.visits) if node.visits.isdigit() else 0))

    def _node(self, game: AnyGame, line: Line, known: Edge | NodeExit | Update | None) -> TreeNode:
        """Return the node of the last move of a line, which is made at the end of `game`."""
        steps, step, visits, value, note = self.steps, self.steps.step, "", "", tuple[str, ...]()
        is_open = line == steps.line[: len(line)] != steps.line
        after = {node.path: node for node in step.nodes} if isinstance(step, Backup) else {}
        child = after.get(line) or (steps.open_node(line) if is_open else None) or known
        if isinstance(child, NodeExit):
            value = f"{'…' if is_open else child.value}  {window_text(child)}"
            note = (tr("steps.left.cut_off"),) if child.reason is ExitReason.CUT_OFF and not is_open else ()
        elif isinstance(child, Update):
            value = number(child.new, ".3f")
        elif child is not None and child.visits:
            visits, value = str(child.visits), number(child.mean, ".2f")
        elif not isinstance(step, Choice | Update):
            visits, value = "+", tr("steps.new")
        text, is_twin = game.text_of(line[-1]), self._is_twin(game, self._line[len(line) - 1 : len(line)], line[-1])
        return TreeNode(line, game.to_move, text, visits, 0.0, value.replace("-", "–"), note=note, is_twin=is_twin)

    def _is_twin(self, game: AnyGame, shown: Line, move: Move) -> bool:
        """Return whether the search keeps one node for the positions after a move and after the shown one."""
        is_graph = self._search.config.kind == "mcts_grouping" and shown not in ((), (move,))
        return is_graph and any(symmetries_between(game.rules, game.after(shown).position, game.play(move).position))

    def footer(self) -> Footer:
        steps, is_idle = self.steps, self._next_step is None and not self.steps.is_busy
        walks = (button(name, Context.GAME, enabled=not steps.is_first) for name in ("first", "back"))
        first, back = (replace(walk, tip=tr(f"steps.tips.{walk.name}")) for walk in walks)
        kind, node = _GROUPS.get(type(steps.step), "simulation"), steps.line if self._chosen is None else self._chosen
        commands = {
            "step": (tr("actions.step.button"), cmd.Browse(1), "primary"),
            "whole": (tr(f"steps.whole.{kind}"), gui.MoveCursor(0, 1), "plain"),
            "through": (tr("steps.do.through"), gui.Call(steps.next_through, (node,)), "small"),
            "best": (tr("steps.do.best"), gui.Call(steps.until_best_changes), "small"),
        }
        step, whole, *further = (
            ui.Button(words, command, kind, not steps.is_last, tip=tr(f"steps.tips.{name}"), name=name)
            for name, (words, command, kind) in commands.items()
        )
        words = tr("steps.run" if is_idle else "steps.stop")
        run = ui.Button(words, cmd.TogglePause(), enabled=not steps.is_last, name="run")
        speeds = {speed: tr("steps.speeds.each", n=speed) for speed in _SPEEDS} | {None: tr("steps.speeds.most")}
        speed = ui.Select(tuple(speeds.items()), self._controls["speed"], tr("steps.speed"), name="speed")
        words, typed = tr("steps.number"), self._controls["number"]
        field = ui.TextField(typed, words, True, max_length=9, accessible_name=words, name="number", width=110)
        field = replace(field, tip=tr("steps.tips.number"))
        return (first, back, step, whole, run, speed, *further, field), ("step", "run")

    # The board.

    @property
    def _board_game(self) -> AnyGame:
        step, game = self.steps.step, self._search.game
        if self._chosen is not None:
            return game.after(self._chosen)
        if isinstance(step, Playout):
            return game.after(step.path).after(step.moves[: self._controls["played"]])
        return game.after(step.path) if isinstance(step, NodeExit | Choice | Update) else game

    def board(self, state: BoardState) -> BoardState:
        game = self._board_game
        state = replace(state, position=game.position, last_move=game.last_move, flip=None, report=None, hint=None)
        return replace(state, captures={}, others=None, losses={}, cursor=None, hover=None, is_over=False)

    def marks(self) -> tuple[BoardMark, ...]:
        """Return the numbered moves of the path, and the values of the other moves or the terms of squares."""
        step, game, squares_of = self.steps.step, self._board_game, self._search.game.rules.squares_of
        if self._chosen is not None or step is None or isinstance(step, Playout):
            return ()
        mark, found = partial(StepMark, self.host.renderer), dict[Square, BoardMark]()
        if isinstance(step, NodeExit):
            owners = game.rules.owners(game.position)
            terms = {square: f"{term:+d}".replace("-", "–") for square, term in step.terms.items()}
            return tuple(mark(square, (term,), owners[square]) for square, term in terms.items())
        start = step.path if isinstance(step, Choice | Update) else ()
        for node in self._nodes(start):
            found |= {place: mark(place, (node.value, node.visits)) for place in squares_of(node.line[-1])[-1:]}
        for ply, move in enumerate(self.steps.line[len(start) :], 1):
            found |= {place: mark(place, (str(ply),), game.to_move, True) for place in squares_of(move)[-1:]}
            game = game.play(move)
        return tuple(found.values())

    def history_label(self) -> str:
        return "" if self._chosen is None else line_text(self._search.game, self._chosen)

    def status(self) -> str:
        has_path = isinstance(self.steps.step, MoveSelection | Expansion | Backup) and self._chosen is None
        return tr("steps.recording" if self.steps.is_busy else "steps.board" if has_path else "steps.tips.step")

    def announcement(self) -> str:
        return "" if self._next_step is not None else joined(*self._texts())
