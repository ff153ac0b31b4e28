"""Sentences, tables and formulas for the steps of a search, in the language of the window."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.rules.protocol import Square
from othello.search.report import Line
from othello.search.steps import Backup, Choice, Expand, Node, Playout, Select, Step, Update
from othello.texts import number, side_name, tr

_DRAW: Final = 0.5


class StepText(NamedTuple):
    """A step in words. The table has a header and rows of cells; `chosen` is the index of a row or None."""

    title: str
    sentence: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    chosen: int | None = None
    formula: str = ""  # with the numbers of the chosen row
    latex: str = ""  # the same formula

    def as_latex(self) -> str:
        """Return the table and the formula as LaTeX."""
        lines = [" & ".join(map(_latex, row)) + r" \\" for row in (self.header, *self.rows)]
        table = [rf"\begin{{tabular}}{{l{'r' * (len(self.header) - 1)}}}", lines[0], r"\hline", *lines[1:]]
        formula = [rf"\[ {self.latex} \]"] if self.latex else []
        return "\n".join([*([*table, r"\end{tabular}"] if self.rows else []), *formula]) + "\n"


def text_of(step: Step, game: AnyGame, config: PlayerConfig) -> StepText:
    """Return the text of a step of a search by `config` that began at the end of `game`."""
    match step:
        case Select():
            return _select_text(step, game, config)
        case Expand():
            move = game.after(step.path).text_of(step.move)
            return StepText(_title("expand", step), tr("steps.expanded", move=move))
        case Playout():
            return StepText(_title("playout", step), _playout_sentence(step, game))
        case Backup():
            return _backup_text(step, game)
        case Node():
            return _node_text(step, game)
        case Choice():
            return _choice_text(step, game, config)
        case Update():
            return _update_text(step, game)


def line_text(game: AnyGame, path: Line) -> str:
    """Return a line as text; the root has a name."""
    return " ".join(game.texts_of(path)) or tr("steps.root")


def as_dot(steps: Sequence[Step], game: AnyGame) -> str:
    """Return the positions that a simulation saw on its way, with their children, as a graph for Graphviz."""
    edges: dict[Line, str] = {}
    taken: set[Line] = {()}
    for step in steps:
        if isinstance(step, Select):
            at = game.after(step.path)
            for move, edge in step.children.items():
                edges[(*step.path, move)] = f"{at.text_of(move)}\\n{edge.visits}: {_decimal(edge.mean)}"
            taken.add((*step.path, step.chosen))
        elif isinstance(step, Expand):
            edges[(*step.path, step.move)] = f"{game.after(step.path).text_of(step.move)}\\n+"
            taken.add((*step.path, step.move))
    lines = [f'  "{_dot_name(path)}" [label="{label}"{_dot_style(path, taken)}];' for path, label in edges.items()]
    links = [f'  "{_dot_name(path[:-1])}" -> "{_dot_name(path)}";' for path in edges]
    return "\n".join(["digraph search {", '  "root" [style=bold];', *lines, *links, "}"]) + "\n"


def _dot_name(path: Line) -> str:
    return "-".join(map(str, path)) or "root"


def _dot_style(path: Line, taken: set[Line]) -> str:
    return ", style=bold, color=blue" if path in taken else ""


def _title(phase: str, step: Step) -> str:
    return tr("steps.simulation", number=number(step[0], ",d"), phase=tr(f"steps.phases.{phase}"))


def _decimal(value: float, digits: int = 3) -> str:
    return "–" if value != value else number(value, f".{digits}f")


def _select_text(step: Select, game: AnyGame, config: PlayerConfig) -> StepText:
    at = game.after(step.path)
    is_tuned = any(edge.variance == edge.variance for edge in step.children.values())
    rows = []
    for move, edge in step.children.items():
        variance = (_decimal(edge.variance),) if is_tuned else ()
        bound = "–" if step.in_turn else _decimal(edge.bound)
        rows.append((at.text_of(move), str(edge.visits), _decimal(edge.mean), _decimal(edge.bonus), *variance, bound))
    columns = ("move", "visits", "mean", "bonus", *(("variance",) if is_tuned else ()), "bound")
    header = tuple(tr(f"steps.columns.{column}") for column in columns)
    chosen, name = list(step.children).index(step.chosen), at.text_of(step.chosen)
    if step.in_turn:
        sentence = tr("steps.in_turn", move=name)
        return StepText(_title("select", step), sentence, header, tuple(rows), chosen)
    edge = step.children[step.chosen]
    mean, bonus, bound = _decimal(edge.mean), _decimal(edge.bonus), _decimal(edge.bound)
    sentence = tr("steps.selected", move=name, mean=mean, bonus=bonus, bound=bound)
    visits, count = step.visits, edge.visits
    if is_tuned:
        variance_term = _decimal(edge.variance)
        formula = f"{mean} + √(ln {visits} / {count} · min(1/4, {variance_term})) = {bound}"
        latex = rf"{mean} + \sqrt{{\frac{{\ln {visits}}}{{{count}}} \min(1/4, {variance_term})}} = {bound}"
    else:
        constant = _decimal(getattr(config, "mcts_exploration", 0.0))
        formula = f"{mean} + {constant} · √(ln {visits} / {count}) = {bound}"
        latex = rf"{mean} + {constant} \sqrt{{\frac{{\ln {visits}}}{{{count}}}}} = {bound}"
    return StepText(_title("select", step), sentence, header, tuple(rows), chosen, formula, latex)


def _playout_sentence(step: Playout, game: AnyGame) -> str:
    leaf = game.after(step.path)
    end = leaf.after(step.moves)
    to_move = game.position.to_move
    winner = None if step.result == _DRAW else to_move if step.result > _DRAW else to_move.opponent
    result = tr("steps.draw") if winner is None else tr("steps.win", side=side_name(game.rules.name, winner.label))
    if not end.is_over:
        return tr("steps.judged", result=result)
    black, white = game.rules.score(end.position)
    score = f"{black} : {white}, " if game.rules.points else ""
    return tr("steps.played_out" if step.moves else "steps.ended", result=f"{score}{result}")


def _backup_text(step: Backup, game: AnyGame) -> StepText:
    header = tuple(tr(f"steps.columns.{column}") for column in ("position", "visits", "before", "after"))
    rows = tuple(
        (line_text(game, after.path), str(after.visits), _decimal(before.mean), _decimal(after.mean))
        for before, after in zip(step.before, step.nodes, strict=True)
    )
    return StepText(_title("backup", step), tr("steps.backed_up", n=len(rows), count=len(rows)), header, rows)


def _node_text(step: Node, game: AnyGame) -> StepText:
    ends = ("−∞" if step.alpha is None else step.alpha), ("∞" if step.beta is None else step.beta)
    window = f"[{ends[0]}, {ends[1]}]"
    title = tr("steps.node", plies=step.iteration, line=line_text(game, step.path), window=window)
    sentence = tr(f"steps.reasons.{step.reason.name.lower()}", value=step.value, beta=ends[1])
    if not step.terms:
        return StepText(title, sentence)
    squares: dict[int, list[Square]] = {}
    for square, term in step.terms.items():
        squares.setdefault(term, []).append(square)
    names = [column + row for row in game.rules.row_names for column in game.rules.column_names]
    rows = tuple(
        (" ".join(names[square] for square in places), str(term), str(term * len(places)))
        for term, places in sorted(squares.items(), reverse=True)
    )
    header = tuple(tr(f"steps.columns.{column}") for column in ("squares", "weight", "sum"))
    formula = f"{' + '.join(total for _, _, total in rows)} = {step.value}".replace("+ -", "− ")
    return StepText(title, sentence, header, rows, None, formula, formula.replace("−", "-"))


def _choice_text(step: Choice, game: AnyGame, config: PlayerConfig) -> StepText:
    title = tr("steps.episode", number=number(step.episode, ",d"), line=line_text(game, step.path))
    move, epsilon = game.after(step.path).text_of(step.move), getattr(config, "learning_epsilon", 0.0)
    random, epsilon_text = _decimal(step.random), _decimal(epsilon)
    if step.explores:
        return StepText(title, tr("steps.explores", move=move, random=random, epsilon=epsilon_text))
    return StepText(title, tr("steps.exploits", move=move, random=random, epsilon=epsilon_text))


def _update_text(step: Update, game: AnyGame) -> StepText:
    title = tr("steps.episode", number=number(step.episode, ",d"), line=line_text(game, step.path))
    move = game.after(step.path).text_of(step.move)
    old, target, rate, new = (_decimal(value, 4) for value in (step.old, step.target, step.rate, step.new))
    formula = f"Q({move}) = {old} + {rate} · ({target} − {old}) = {new}"
    latex = rf"Q({move}) = {old} + {rate} \cdot ({target} - {old}) = {new}"
    return StepText(title, tr("steps.updated", move=move, old=old, new=new), (), (), None, formula, latex)


def _latex(cell: str) -> str:
    return "--" if cell == "–" else cell.replace("_", r"\_").replace("%", r"\%").replace("#", r"\#")
