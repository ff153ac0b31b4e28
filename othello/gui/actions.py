"""The actions of keys and buttons: one table, from which key bindings, buttons and the lists of keys are derived.

Their texts are in the catalogue: `actions.NAME.button` and `.tip` of a button, `.else` for its second label, and
`lines.LINE` for the list of keys.
"""

import re
import sys
from collections.abc import Sequence
from enum import Flag, auto
from functools import cache
from typing import Final

from othello.frozen_dataclass import FrozenDataclass
from othello.gui import commands as gui, ui
from othello.gui.commands import Command
from othello.gui.mode_registry import MODES, ModeDeclaration, Place
from othello.play import session_commands as cmd
from othello.rules.protocol import Color
from othello.texts import tr


class Context(Flag):
    """A context in which an action is available."""

    GAME = auto()
    TOURNAMENT_GAME = auto()  # the user's game of a tournament
    STANDINGS = auto()  # the standings of a tournament
    STANDINGS_WITH_PERSON = auto()  # the standings of a tournament in which the user plays
    DIALOG = auto()  # an open dialog
    BOARD = GAME | TOURNAMENT_GAME
    ANY_STANDINGS = STANDINGS | STANDINGS_WITH_PERSON
    NO_TOURNAMENT_GAME = GAME | ANY_STANDINGS  # without a tournament game
    SCREENS = BOARD | ANY_STANDINGS  # everything without a dialog
    ANY = SCREENS | DIALOG


_OWN: Final = ""  # stands for a button with the action's name


class Action(FrozenDataclass):
    """An action of the window: its command, keys, buttons and texts."""

    name: str  # key of the action's texts
    command: Command
    context: Context  # the contexts in which it is available
    keys: tuple[str, ...] = ()  # such as `Ctrl+Z`, `Space`, `N`
    also: tuple[str, ...] = ()  # more keys, which are not listed
    buttons: tuple[str, ...] = (_OWN,)  # names of its buttons
    line: str = ""  # the line of the list of keys that it shares with others; empty: a line of its own
    label: str = ""  # label of its buttons, if no catalogue has one
    tip: str = ""  # tooltip of its buttons, if no catalogue has one

    def __post_init__(self) -> None:
        object.__setattr__(self, "buttons", tuple(button or self.name for button in self.buttons))


_PAGE: Final = 5
_SPEAKS_FOR_ITSELF: Final = re.compile(r"F\d+|.")


def mode_action(mode: ModeDeclaration) -> Action:
    """Return the action that opens a mode."""
    is_in_switch = mode.place is Place.SWITCH
    return Action(
        mode.name,
        gui.SwitchMode(mode.name),
        Context.NO_TOURNAMENT_GAME if is_in_switch else Context.GAME,
        (mode.key,),
        buttons=(mode.name, *mode.more_buttons),
        line="modes" if is_in_switch else "",
        label=mode.label,
        tip=mode.tip,
    )


ACTIONS: Final = (
    Action("left", gui.MoveCursor(-1, 0), Context.BOARD, ("Left",), line="cursor", buttons=()),
    Action("right", gui.MoveCursor(1, 0), Context.BOARD, ("Right",), line="cursor", buttons=()),
    Action("up", gui.MoveCursor(0, -1), Context.BOARD, ("Up",), line="cursor", buttons=()),
    Action("down", gui.MoveCursor(0, 1), Context.BOARD, ("Down",), line="cursor", buttons=()),
    Action("confirm", gui.PlainCommand.CONFIRM, Context.BOARD, ("Enter",), buttons=()),
    Action("next_legal", gui.NextLegal(1), Context.BOARD, ("Tab",), line="legal", buttons=()),
    Action("legal_before", gui.NextLegal(-1), Context.BOARD, ("Shift+Tab",), line="legal", buttons=()),
    Action("next_group", gui.MoveFocus(1, by_group=True), Context.SCREENS, ("F6",), line="groups", buttons=()),
    Action("group_before", gui.MoveFocus(-1, by_group=True), Context.SCREENS, ("Shift+F6",), line="groups", buttons=()),
    Action("next_button", gui.MoveFocus(1), Context.ANY_STANDINGS, ("Tab",), line="buttons", buttons=()),
    Action("button_before", gui.MoveFocus(-1), Context.ANY_STANDINGS, ("Shift+Tab",), line="buttons", buttons=()),
    Action("button_left", gui.MoveCursor(-1, 0), Context.ANY_STANDINGS, also=("Left",), buttons=()),
    Action("button_right", gui.MoveCursor(1, 0), Context.ANY_STANDINGS, also=("Right",), buttons=()),
    Action("press", gui.PlainCommand.CONFIRM, Context.STANDINGS, also=("Enter",), buttons=()),
    Action("new", gui.Open("new_game"), Context.NO_TOURNAMENT_GAME, ("Ctrl+N",), (), (_OWN, "train_new", "another")),
    Action("settings", gui.Open("settings"), Context.SCREENS, ("Ctrl+,",)),
    Action("programs", gui.Open("programs"), Context.NO_TOURNAMENT_GAME, ("Ctrl+P",)),
    Action("tournament", gui.Open("tournament"), Context.NO_TOURNAMENT_GAME, ("Ctrl+Shift+T",)),
    Action("standings", gui.PlainCommand.SHOW_STANDINGS, Context.TOURNAMENT_GAME, ("Ctrl+Shift+T",)),
    Action("again", cmd.NewGame(), Context.GAME, ("Ctrl+R",), buttons=("again", "play_again")),
    Action("open", gui.Open("open"), Context.NO_TOURNAMENT_GAME, ("Ctrl+O",)),
    Action("results", gui.Open("results"), Context.NO_TOURNAMENT_GAME, ("F12",)),
    Action("save", gui.Open("save"), Context.GAME, ("Ctrl+S",)),
    Action("copy", gui.Copy(), Context.GAME, ("Ctrl+C",)),
    Action("copy_board", gui.Copy(is_board=True), Context.GAME, ("Ctrl+Shift+C",)),
    Action("paste", gui.Paste(), Context.GAME, ("Ctrl+V",)),
    Action("edit_start", gui.EditBoard("start"), Context.GAME, also=("Alt+S",)),
    Action("edit_clear", gui.EditBoard("clear"), Context.GAME, also=("Alt+C",)),
    Action("edit_fill", gui.EditBoard("fill"), Context.GAME, also=("Alt+L",)),
    Action("edit_swap", gui.EditBoard("swap"), Context.GAME, also=("Alt+W",)),
    Action("edit_mirror", gui.EditBoard("mirror"), Context.GAME, also=("Alt+M",)),
    Action("edit_rotate", gui.EditBoard("rotate"), Context.GAME, also=("Alt+R",)),
    Action("edit_side", gui.EditBoard("side"), Context.GAME, ("Alt+T",), buttons=()),
    Action("edit_cancel", gui.SwitchMode("play"), Context.GAME, also=("Alt+Q",)),
    Action("edit_analyse", gui.TakePosition("analyse"), Context.GAME, also=("Alt+A",)),
    Action("edit_play", gui.TakePosition("play"), Context.GAME, ("Ctrl+Enter",)),
    Action("leave", cmd.NewGame(), Context.TOURNAMENT_GAME, ("Ctrl+N",), buttons=("new", "again")),
    Action("undo", cmd.Undo(), Context.GAME, ("Ctrl+Z", "Backspace")),
    Action("redo", cmd.Redo(), Context.GAME, ("Ctrl+Y",), also=("Ctrl+Shift+Z",)),
    Action("hint", gui.PlainCommand.HINT, Context.GAME, ("Ctrl+H",)),
    Action("move_now", cmd.MoveNow(), Context.GAME, ("Ctrl+M",)),
    Action("pause", cmd.TogglePause(), Context.BOARD, ("Space",)),
    Action("ask_again", cmd.StepMoves(), Context.BOARD),
    Action("step", cmd.StepMoves(), Context.BOARD, ("Full stop",)),
    Action("faster", cmd.ChangePace(-1), Context.BOARD, ("+",), also=("=",), line="pace", buttons=()),
    Action("slower", cmd.ChangePace(1), Context.BOARD, ("-",), line="pace", buttons=()),
    Action("captures", gui.Toggle("shows_captures"), Context.BOARD, ("N",)),
    Action("values", gui.Toggle("shows_values"), Context.BOARD, ("V",)),
    Action("motion", gui.Toggle("motion"), Context.BOARD, ("M",), buttons=()),
    Action("hand_black", cmd.HandOver(Color.BLACK), Context.GAME, ("F2",), line="hand"),
    Action("hand_white", cmd.HandOver(Color.WHITE), Context.GAME, ("F3",), line="hand"),
    Action("hand_to", gui.Open("hand_over"), Context.GAME, ("Shift+F2",)),
    Action("swap", cmd.SwapSides(), Context.GAME, ("F4",)),
    Action("resign", gui.PlainCommand.ASK_TO_RESIGN, Context.BOARD, ("Ctrl+Shift+R",)),
    Action("draw", gui.PlainCommand.OFFER_DRAW, Context.BOARD, ("Ctrl+D",)),
    Action("here", cmd.PlayFromHere(), Context.GAME, ("F5",)),
    *map(mode_action, MODES.values()),
    Action("step_move", gui.SwitchMode("steps"), Context.GAME),
    Action("mistakes", gui.SwitchMode("train"), Context.NO_TOURNAMENT_GAME),
    Action("learn", gui.Open("learn"), Context.GAME, ("Ctrl+L",)),
    Action("drill", gui.StartTrainingRun(), Context.GAME),
    Action("drill_all", gui.StartTrainingRun(is_free=True), Context.GAME),
    Action("end_drill", gui.PlainCommand.END_TRAINING_RUN, Context.GAME),
    Action("archive", gui.Open("archive"), Context.NO_TOURNAMENT_GAME, ("Ctrl+Shift+O",)),
    Action("own_games", gui.PlainCommand.FILTER_OWN_GAMES, Context.GAME, also=("Alt+G",)),
    Action("all_games", gui.PlainCommand.CLEAR_FILTERS, Context.GAME),
    Action("stop_reading", gui.PlainCommand.STOP_READING, Context.GAME),
    Action("explore_analyse", gui.SwitchMode("analyse"), Context.GAME),
    Action("explore_play", cmd.PlayFromHere(), Context.GAME),
    Action("worst_own", gui.ShowWorst(of_both=False), Context.GAME, also=("Alt+Y",)),
    Action("worst_both", gui.ShowWorst(of_both=True), Context.GAME, also=("Alt+B",)),
    Action("try_again", gui.PlainCommand.TRY_AGAIN, Context.GAME),
    Action("exercise_before", cmd.Browse(-1), Context.GAME),
    Action("exercise_next", cmd.Browse(1), Context.GAME),
    Action("show_answer", gui.PlainCommand.SHOW_ANSWER, Context.GAME, ("Ctrl+K",)),
    Action("retry", gui.PlainCommand.RETRY, Context.GAME),
    Action("practise_missed", gui.Practise(is_missed=True), Context.GAME),
    Action("practise_more", gui.Practise(is_missed=False), Context.GAME),
    Action("all_values", gui.Toggle("shows_values"), Context.GAME),
    Action("play_on", gui.TakePosition("play"), Context.GAME),
    Action("analyse_exercise", gui.TakePosition("analyse"), Context.GAME),
    Action("engine", gui.NextEngine(), Context.GAME, ("F8",), line="analysis"),
    Action("next_seconds", gui.NextSeconds(), Context.GAME, ("Shift+F8",), line="analysis_time", buttons=()),
    Action("analyse_game", cmd.AnalyseGame(), Context.GAME, ("Ctrl+G",)),
    Action("stop_analysis", cmd.StopAnalysing(), Context.GAME),
    Action("switch_scale", gui.PlainCommand.SWITCH_SCALE, Context.GAME, ("Ctrl+U",), buttons=()),
    Action("line_back", gui.StepLine(-1), Context.GAME, ("Shift+Left",), line="best_line", buttons=()),
    Action("line_on", gui.StepLine(1), Context.GAME, ("Shift+Right",), line="best_line", buttons=()),
    Action("tree_left", gui.StepTree(-1, 0), Context.GAME, ("Alt+Left",), line="tree", buttons=()),
    Action("tree_right", gui.StepTree(1, 0), Context.GAME, ("Alt+Right",), line="tree", buttons=()),
    Action("tree_up", gui.StepTree(0, -1), Context.GAME, ("Alt+Up",), line="tree", buttons=()),
    Action("tree_down", gui.StepTree(0, 1), Context.GAME, ("Alt+Down",), line="tree", buttons=()),
    Action("tree_visit", gui.PlainCommand.VISIT_NODE, Context.GAME, ("Shift+Enter",), buttons=()),
    Action("hold_analysis", gui.PlainCommand.HOLD_ANALYSIS, Context.GAME, ("F9",), line="analysis"),
    Action("first", cmd.GoTo(0), Context.BOARD, ("Home",), line="ends"),
    Action("last", cmd.GoTo(sys.maxsize), Context.BOARD, ("End",), line="ends"),
    Action("back", cmd.Browse(-1), Context.BOARD, ("Page Up",), ("Ctrl+Left",), line="browse"),
    Action("forward", cmd.Browse(1), Context.BOARD, ("Page Down",), ("Ctrl+Right",), line="browse"),
    Action("branch_up", cmd.SwitchBranch(-1), Context.GAME, ("Ctrl+Up",), line="branches", buttons=()),
    Action("branch_down", cmd.SwitchBranch(1), Context.GAME, ("Ctrl+Down",), line="branches", buttons=()),
    Action("note", gui.Open("note"), Context.GAME, ("F7",), buttons=()),
    Action("delete_line", cmd.DeleteLine(), Context.GAME, ("Delete",)),
    Action("play_offered", gui.PlainCommand.CONFIRM, Context.GAME),
    Action("drop_offer", gui.PlainCommand.DISMISS, Context.GAME),
    Action("dismiss", gui.PlainCommand.DISMISS, Context.BOARD, ("Esc",), buttons=("board",)),
    Action("begin", gui.PlainCommand.BEGIN_GAME, Context.STANDINGS_WITH_PERSON, ("Enter",)),
    Action("hold", cmd.TogglePause(), Context.ANY_STANDINGS, ("Space",)),
    Action("stop", gui.Stop(), Context.ANY_STANDINGS, ("S",)),
    Action("report", gui.PlainCommand.OPEN_REPORT, Context.ANY_STANDINGS, ("R",)),
    Action("games", gui.ListGames(), Context.ANY_STANDINGS, ("L",)),
    Action("compare", gui.PlainCommand.SHOW_COMPARISON, Context.ANY_STANDINGS, ("V",)),
    Action("row_up", gui.MoveCursor(0, -1), Context.ANY_STANDINGS, ("Up",), line="scroll", buttons=()),
    Action("row_down", gui.MoveCursor(0, 1), Context.ANY_STANDINGS, ("Down",), line="scroll", buttons=()),
    Action("page_up", ui.Scroll(-_PAGE), Context.ANY_STANDINGS, ("Page Up",), line="scroll_page", buttons=()),
    Action("page_down", ui.Scroll(_PAGE), Context.ANY_STANDINGS, ("Page Down",), line="scroll_page", buttons=()),
    Action("top", ui.Scroll(-sys.maxsize), Context.ANY_STANDINGS, ("Home",), line="scroll_end", buttons=()),
    Action("bottom", ui.Scroll(sys.maxsize), Context.ANY_STANDINGS, ("End",), line="scroll_end", buttons=()),
    Action("close", gui.PlainCommand.DISMISS, Context.ANY_STANDINGS, ("Esc",), buttons=()),
    Action("menu", gui.Open("menu"), Context.SCREENS, ("F10",)),
    Action("help", gui.PlainCommand.TOGGLE_HELP, Context.ANY, ("F1", "?")),
    Action("about", gui.Open("about"), Context.SCREENS, ("Ctrl+F1",)),
    Action("full_screen", gui.PlainCommand.TOGGLE_FULL_SCREEN, Context.ANY, ("F11", "Alt+Enter")),
    Action("quit", gui.Quit(), Context.ANY, ("Ctrl+Q",), buttons=()),
)

BROWSE: Final = ("first", "back", "forward", "last")  # buttons through a game, with pictures instead of texts


@cache
def _by_key(context: Context) -> dict[str, Command]:
    return {key: action.command for action in ACTIONS if context in action.context for key in action.keys + action.also}


def meaning(key: ui.Key, context: Context, letters: str = "") -> Command | None:
    """Return the command of a key press in a context, or None.

    Args:
        key: the key press.
        context: the context.
        letters: the keys that type moves; they take precedence over other bindings.
    """
    if key.text and key.text.lower() in letters and key.name == key.text.upper():
        return gui.Type(key.text.lower())
    known = _by_key(context)
    return known.get(key.name) or known.get(key.name.replace("Shift+", ""))


@cache
def buttons(context: Context) -> dict[str, Action]:
    """Return the action of each button. If several actions share a button, those available in the context win."""
    elsewhere = {button: action for action in ACTIONS for button in action.buttons}
    here = {button: action for action in ACTIONS if context in action.context for button in action.buttons}
    return elsewhere | here


def offered(context: Context) -> frozenset[str]:
    """Return the buttons whose action is available in a context."""
    return frozenset(button for button, action in buttons(context).items() if context in action.context)


def words(button: str, context: Context) -> tuple[str, ...]:
    """Return the labels of a button; empty if it shows a picture."""
    if button in BROWSE:
        return ()
    action = buttons(context)[button]
    return label(action), tr(f"actions.{action.name}.else", label(action))


def label(action: Action) -> str:
    """Return the label of the buttons of an action."""
    return tr(f"actions.{action.name}.button", action.label or None)


def key_text(key: str) -> str:
    """Return the name of a key in the user's language."""
    modifiers, _, last = key.rpartition("+") if len(key) > 1 else ("", "", key)
    name = last.replace("-", "–") if _SPEAKS_FOR_ITSELF.fullmatch(last) else tr(f"keys.{last}")
    return "".join(tr(f"keys.{modifier}") + "+" for modifier in modifiers.split("+") if modifier) + name


def key_of(command: Command) -> str:
    """Return the name of the key of a command."""
    return next(key_text(action.keys[0]) for action in ACTIONS if action.command == command)


def tooltip(action: Action) -> str:
    """Return the tooltip of an action with its key."""
    tip = tr(f"actions.{action.name}.tip", action.tip or None)
    return f"{tip} ({key_text(action.keys[0])})" if action.keys else tip


def key_list(context: Context, game: str = "") -> list[tuple[str, str]]:
    """Return the lines of the list of keys of a context: keys and description."""
    lines: dict[str, list[Action]] = {}
    for action in ACTIONS:
        if context in action.context and action.keys:
            lines.setdefault(action.line or action.name, []).append(action)
    keys, does = tr(f"games.{game}.keys", tr("keys.move")), tr(f"games.{game}.typing", tr("lines.move"))
    typed = [(keys, does)] if context in Context.BOARD else []
    return typed + [_line(line, actions) for line, actions in lines.items()]


def _line(name: str, actions: Sequence[Action]) -> tuple[str, str]:
    """Return a line of the list of keys: its text, or else the labels of its actions."""
    keys = (tr("keys.or").join(map(key_text, action.keys)) for action in actions)
    labels = (tr(f"actions.{action.name}.button", action.label) for action in actions)
    return "  ".join(keys), tr(f"lines.{name}", ", ".join(labels))
