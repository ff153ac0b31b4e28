"""Help dialogs: the rules of a game on small boards, and the keys."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final

from othello.game import Game
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import Context, key_list
from othello.gui.boards.board_layout import BoardState
from othello.gui.boards.renderer import RuleExample, renderer_for, renderer_type
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.file_dialogs import Picture
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.texts import tr

_NARROW: Final = 560
_LESSON: Final = 220  # minimum width of a board with its sentence
_BOARD: Final = 192  # maximum width of the board
_GAP: Final = 20
ANY: Final = "any"
"""Key of the sentence about all values of an option, if not each value has its own."""


class HowToPlayDialog(Dialog):
    """Explains the rules of a game."""

    buttons = ("close_keys",)

    def __init__(self, spec: GameSpec) -> None:
        self.title = tr("named", name=labels.title(rules_of(spec)), words=tr("help.rules"))
        self._spec = spec

    def content(self) -> ui.Widget:
        return how_to_play(self._spec, self.style, self.content_width)


class HelpDialog(Dialog):
    """Lists the keys and explains the rules. A click outside the dialog closes it.

    Args:
        context: the context whose keys are listed.
        spec: the game.
        knows_game: begin with the keys, not with the rules.
    """

    buttons = ("close_keys",)

    def __init__(self, context: Context, spec: GameSpec, *, knows_game: bool) -> None:
        self.title = tr("help.title")
        self.focus = "topic" if renderer_type(spec.game).lessons else ""
        self._where, self._spec, self._topic = context, spec, "keys" if knows_game or not self.focus else "rules"

    def content(self) -> ui.Widget:
        if not self.focus:
            return self._keys()
        topics = tuple((topic, tr(f"help.{topic}")) for topic in ("keys", "rules"))
        shown = self._keys() if self._topic == "keys" else how_to_play(self._spec, self.style, self.content_width)
        choice = ui.SegmentedControl(topics, self._topic, name="topic", accessible_name=self.title)
        return ui.Column((choice, shown), 16)

    def _keys(self) -> ui.Widget:
        """Return the keys with their meanings, which are below the keys if there is little room."""
        keys = key_list(self._where, self._spec.game)
        width = max(self.style.length(key, 13, bold=True) for key, _ in keys)
        label = partial(ui.Label, color=self.style.palette.accent, bold=True)
        if self.content_width < _NARROW:
            return ui.Column([ui.Column((label(key), ui.Paragraph(meaning)), 1) for key, meaning in keys], 6.5)
        lines = ((label(key, width=width), ui.Paragraph(meaning)) for key, meaning in keys)
        return ui.Column([ui.Row(line, 24, "top") for line in lines], 6.5)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        self._topic = value
        self.widgets.state.pop("page", None)  # the scroll position of the other topic
        return None

    @gui.handles(ui.MousePressed)
    def _press(self, command: ui.MousePressed, now: float) -> gui.Answer:
        return gui.NOT_HANDLED if self.rect.collidepoint(command.at) else gui.PlainCommand.CLOSE_DIALOG


def how_to_play(spec: GameSpec, style: ui.Style, room: float) -> ui.Widget:
    """Return the diagrams of a game with a sentence each, and a sentence for each variant."""
    renderer, lessons = renderer_for(game_spec(spec.game), style.palette), renderer_type(spec.game).lessons
    most = max(1, int((room + _GAP) / (_LESSON + _GAP)))
    columns = -(-len(lessons) // -(-len(lessons) // most)) if lessons else 1
    side = min(_BOARD, (room - _GAP * (columns - 1)) / columns)
    boards = []
    for lesson in lessons:
        state = _state(spec.game, lesson)
        black, white = renderer.rules.score(state.position)
        words = tr(f"how_to_play.{spec.game}.{lesson.name}", black=black, white=white)
        board = ui.Align(Picture(renderer, state, width=side, height=side))
        boards.append(ui.Column((board, ui.Paragraph(words, align="center")), 10))
    parts: list[ui.Widget] = [ui.Grid(boards, columns, _GAP)]
    texts = ((ui.Label(name, bold=True, sizes=(12, 11)), ui.Paragraph(words)) for name, words in _variants(spec))
    variants = [ui.Column(pair, 1) for pair in texts]
    if variants:
        parts += [ui.Label(tr("help.variants"), 14, bold=True), ui.Grid(variants, 1 if room < _NARROW else 2, _GAP)]
    return ui.Column(parts, _GAP)


@lru_cache(maxsize=64)
def _state(game: str, lesson: RuleExample) -> BoardState:
    """Return the board of a diagram."""
    rules = rules_of(game_spec(game))
    line = Game.new(rules, rules.parse_position(lesson.board) if lesson.board else None)
    for move in lesson.moves.split():
        line = line.play(rules.parse_move(line.position, move))
    pointed = rules.parse_move(line.position, lesson.pointed) if lesson.pointed else None
    shown = line.legal_moves() if lesson.shows_legal else () if pointed is None else (pointed,)
    counts = {move: len(rules.captured(line.position, move)) for move in shown}
    *picked, hover = (None,) if pointed is None else rules.squares_of(pointed)
    state = BoardState(line.position, counts, picked=tuple(picked), hover=hover, shows_coordinates=False)
    return replace(state, shows_counts=renderer_type(game).has_captures)


def _variants(spec: GameSpec) -> Iterator[tuple[str, str]]:
    """Yield names and descriptions of the variants of a game. The name says if `spec` uses the variant."""
    game, usual = spec.game, game_spec(spec.game)
    for name, chosen in spec.options:
        option = next(candidate for candidate in GAMES[game].options if candidate.name == name)
        for value in (*option.choices, ANY):
            words = tr(f"variants.{game}.{name}.{value}", "")
            choice = "" if value == ANY else labels.rule_choice(game, name, value)
            rule = labels.rule_name(game, name)
            title = tr("named", name=rule, words=choice) if choice else rule
            is_used = chosen != usual[name] if value == ANY else chosen == value
            if words:
                yield tr("variants.here", name=title) if is_used else title, words
