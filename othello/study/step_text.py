"""Sentences, tables and formulas for the steps of a search, in the language of the window."""

import math
import re
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.rules.protocol import Move, Square
from othello.search.report import Line
from othello.search.steps import Backup, Choice, Edge, Expansion, MoveSelection, NodeExit, Playout, Step, Update
from othello.texts import number, side_name, tr

_Table: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, ...], ...], int | None]
_DRAW: Final = 0.5
_LATEX: Final = {"–": "-", "∞": r"$\infty$", "·": r"\cdot", "ln": r"\ln", "min": r"\min"}


class StepText(NamedTuple):
    """A step in words. The table has a header and rows of cells; `chosen` is the index of a row or None."""

    title: str
    sentence: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    chosen: int | None = None
    formula: str = ""  # with the numbers of the chosen row

    def as_latex(self) -> str:
        """Return the table and the formula as LaTeX."""
        lines = [" & ".join(map(_latex, row)) + r" \\" for row in (self.header, *self.rows)]
        table = [rf"\begin{{tabular}}{{l{'r' * (len(self.header) - 1)}}}", lines[0], r"\hline", *lines[1:]]
        formula = [rf"\[ {_latex(self.formula)} \]"] if self.formula else []
        return "\n".join([*([*table, r"\end{tabular}"] if self.rows else []), *formula]) + "\n"


def text_of(step: Step, game: AnyGame, config: PlayerConfig) -> StepText:
    """Return the text of a step of a search by `config` that began at the end of `game`."""
    match step:
        case MoveSelection():
            return _select_text(step, game, config)
        case Expansion():
            at = game.after(step.path)
            sentence = tr("steps.expanded", move=at.text_of(step.move))
            return StepText(_title("expand", step), sentence, *_edge_table(step.children, at, step.move))
        case Playout():
            return StepText(_title("playout", step), _playout_sentence(step, game))
        case Backup():
            return _backup_text(step, game)
        case NodeExit():
            return _node_text(step, game)
        case Choice():
            return _choice_text(step, game, config)
        case Update():
            return _update_text(step, game)


def line_text(game: AnyGame, path: Line) -> str:
    """Return a line as text; the root has a name."""
    return " ".join(game.texts_of(path)) or tr("steps.root")


def as_dot(labels: Mapping[Line, str], path: Line) -> str:
    """Return positions of a tree with their labels as a graph for Graphviz; those on a path are blue."""
    lines = ["digraph search {", '  "" [label="" style=bold];']
    for line, label in labels.items():
        style = ", style=bold, color=blue" if path[: len(line)] == line else ""
        before, name = ("-".join(map(str, moves)) for moves in (line[:-1], line))
        lines += [f'  "{name}" [label="{label}"{style}];', f'  "{before}" -> "{name}";']
    return "\n".join([*lines, "}"]) + "\n"


def _title(phase: str, step: Step) -> str:
    return tr("steps.simulation", number=number(step[0], ",d"), phase=tr(f"steps.phases.{phase}"))


def _decimal(value: float, digits: int = 3) -> str:
    return "–" if value != value else number(value, f".{digits}f").replace("-", "–")


def _integer(value: int) -> str:
    return str(value).replace("-", "–")


def _edge_table(children: Mapping[Move, Edge], at: AnyGame, chosen: Move, *, in_turn: bool = False) -> _Table:
    """Return the header, the rows of the moves of a position and the index of the chosen one."""
    moves, is_tuned = by_bound(children), any(edge.variance == edge.variance for edge in children.values())
    rows = []
    for move, edge in moves.items():
        variance = (_decimal(edge.variance),) if is_tuned else ()
        bound = "–" if in_turn else _decimal(edge.bound)
        rows.append((at.text_of(move), str(edge.visits), _decimal(edge.mean), _decimal(edge.bonus), *variance, bound))
    header = _header("move", "visits", "mean", "bonus", *(("variance",) if is_tuned else ()), "bound")
    return header, tuple(rows), list(moves).index(chosen) if chosen in moves else None


def by_bound(children: Mapping[Move, Edge]) -> dict[Move, Edge]:
    """Return moves in the order of their bounds, untried ones last."""
    bounds = {move: edge.bound if edge.visits else -math.inf for move, edge in children.items()}
    return {move: children[move] for move in sorted(bounds, key=bounds.__getitem__, reverse=True)}


def children_table(children: Mapping[Move, Edge | NodeExit | Update], at: AnyGame) -> StepText:
    """Return the table of the moves of a position, with their statistics or values."""
    columns: tuple[str, ...] = ("move", "old", "target", "rate", "new")
    rows: list[tuple[str, ...]] = []
    for move, child in children.items():
        if isinstance(child, NodeExit):
            columns, reason = ("move", "value", "window", "left"), tr(f"steps.left.{child.reason.name.lower()}")
            rows.append((at.text_of(move), _integer(-child.value), window_text(child, is_turned=True), reason))
        elif isinstance(child, Update):
            numbers = (_decimal(value, 4) for value in (child.old, child.target, child.rate, child.new))
            rows.append((at.text_of(move), *numbers))
    return StepText("", "", _header(*columns), tuple(rows))


def _header(*columns: str) -> tuple[str, ...]:
    return tuple(tr(f"steps.columns.{column}") for column in columns)


def window_text(node: NodeExit, *, is_turned: bool = False) -> str:
    """Return the window of a node; `is_turned`: for the other side."""
    ends = (None if node.beta is None else -node.beta, None if node.alpha is None else -node.alpha)
    alpha, beta = ends if is_turned else (node.alpha, node.beta)
    return f"[{'–∞' if alpha is None else _integer(alpha)}, {'∞' if beta is None else _integer(beta)}]"


def _select_text(step: MoveSelection, game: AnyGame, config: PlayerConfig) -> StepText:
    at = game.after(step.path)
    table = _edge_table(step.children, at, step.chosen, in_turn=step.in_turn)
    title, name = _title("select", step), at.text_of(step.chosen)
    if step.in_turn:
        return StepText(title, tr("steps.in_turn", move=name), *table)
    edge = step.children[step.chosen]
    mean, bonus, bound = _decimal(edge.mean), _decimal(edge.bonus), _decimal(edge.bound)
    sentence = tr("steps.selected", move=name, mean=mean, bonus=bonus, bound=bound)
    is_tuned = edge.variance == edge.variance
    factor = "" if is_tuned else f"{_decimal(getattr(config, 'mcts_exploration', 0.0))} · "
    variance = f" · min(1/4, {_decimal(edge.variance)})" if is_tuned else ""
    formula = f"{mean} + {factor}√(ln {step.visits} / {edge.visits}{variance}) = {bound}"
    return StepText(title, sentence, *table, formula)


def _playout_sentence(step: Playout, game: AnyGame) -> str:
    end = game.after(step.path).after(step.moves)
    to_move = game.position.to_move
    winner = None if step.result == _DRAW else to_move if step.result > _DRAW else to_move.opponent
    result = tr("steps.draw") if winner is None else tr("steps.win", side=side_name(game.rules.name, winner.label))
    if not end.is_over:
        return tr("steps.judged", result=result)
    black, white = game.rules.score(end.position)
    score = f"{black} : {white}, " if game.rules.points else ""
    return tr("steps.played_out" if step.moves else "steps.ended", result=f"{score}{result}")


def _backup_text(step: Backup, game: AnyGame) -> StepText:
    header = _header("position", "visits", "before", "after")
    rows = tuple(
        (line_text(game, after.path), str(after.visits), _decimal(before.mean), _decimal(after.mean))
        for before, after in zip(step.before, step.nodes, strict=True)
    )
    return StepText(_title("backup", step), tr("steps.backed_up", n=len(rows), count=len(rows)), header, rows)


def _node_text(step: NodeExit, game: AnyGame) -> StepText:
    title = tr("steps.node", plies=step.iteration, line=line_text(game, step.path), window=window_text(step))
    reason = step.reason.name.lower()
    sentence = tr(f"steps.reasons.{reason}", value=_integer(step.value), beta=_integer(step.beta or 0))
    if not step.terms:
        return StepText(title, sentence)
    squares: dict[int, list[Square]] = {}
    for square, term in step.terms.items():
        squares.setdefault(term, []).append(square)
    names = [column + row for row in game.rules.row_names for column in game.rules.column_names]
    rows = tuple(
        (" ".join(names[square] for square in places), _integer(term), _integer(term * len(places)))
        for term, places in sorted(squares.items(), reverse=True)
    )
    formula = f"{' + '.join(total for _, _, total in rows)} = {_integer(step.value)}".replace("+ –", "– ")
    return StepText(title, sentence, _header("squares", "weight", "sum"), rows, None, formula)


def _choice_text(step: Choice, game: AnyGame, config: PlayerConfig) -> StepText:
    title = tr("steps.episode", number=number(step.episode, ",d"), line=line_text(game, step.path))
    move, epsilon = game.after(step.path).text_of(step.move), getattr(config, "learning_epsilon", 0.0)
    random, epsilon_text = _decimal(step.random), _decimal(epsilon)
    text = tr("steps.explores" if step.explores else "steps.exploits", move=move, random=random, epsilon=epsilon_text)
    return StepText(title, text)


def _update_text(step: Update, game: AnyGame) -> StepText:
    title = tr("steps.episode", number=number(step.episode, ",d"), line=line_text(game, step.path))
    move = game.after(step.path).text_of(step.move)
    old, target, rate, new = (_decimal(value, 4) for value in (step.old, step.target, step.rate, step.new))
    formula = f"Q({move}) = {old} + {rate} · ({target} – {old}) = {new}"
    return StepText(title, tr("steps.updated", move=move, old=old, new=new), (), (), None, formula)


def _latex(text: str) -> str:
    """Return a cell of a table or a formula as LaTeX."""
    if text == "–":
        return "--"
    text = re.sub(r"√\((.*)\)", r"\\sqrt{\1}", text)
    return re.sub(r"[–∞·]|\b(?:ln|min)\b", lambda found: _LATEX[found[0]], text)
