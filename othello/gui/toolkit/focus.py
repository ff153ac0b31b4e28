"""Keyboard focus: the order of Tab, the groups of F6, and the arrow keys within a group."""

from operator import itemgetter
from typing import TypeAlias

from othello.gui.toolkit.widget import LaidOutWidget

_Group: TypeAlias = list[tuple[tuple[int, ...], LaidOutWidget]]  # widgets, each with its place in reading order


def focusable_widgets(top: LaidOutWidget) -> list[LaidOutWidget]:
    """Return all widgets that can have the focus, in the order of Tab."""
    return [placed for placed in top.walk() if is_focusable(placed)]


def is_focusable(placed: LaidOutWidget) -> bool:
    return placed.widget.takes_focus and placed.widget.is_enabled


def groups(top: LaidOutWidget) -> list[list[LaidOutWidget]]:
    """Return the groups between which F6 moves, each with its focusable widgets in reading order.

    A focusable widget is a group of its own if it lies outside all groups or takes arrow keys itself. The content of a
    scrolled page is sorted as one block, so scrolling does not change the order.
    """
    result: list[_Group] = []
    _collect(top, result, None, ())
    return [[placed for _, placed in sorted(group, key=itemgetter(0))] for group in result if group]


def _collect(placed: LaidOutWidget, groups: list[_Group], group: _Group | None, page: tuple[int, ...]) -> None:
    """Add the focusable widgets in `placed` to `group`, or as groups of their own.

    Args:
        placed: the widget to search.
        groups: all groups so far.
        group: the group around the widget; None: there is none.
        page: the position of the scrolled page around the widget, which comes first in the reading order.
    """
    if placed.widget.scrolls and any(part.rect.height > placed.rect.height for part in placed.parts):
        page = placed.rect.top, placed.rect.left
    if placed.widget.is_group and group is None:
        group = []
        groups.append(group)
    if is_focusable(placed):
        stop = (*page, placed.rect.top, placed.rect.left), placed
        if group is None or placed.widget.takes_arrows or placed.widget.writes:
            groups.append([stop])
        else:
            group.append(stop)
    for part in placed.parts:
        _collect(part, groups, group, page)


def next_focusable(top: LaidOutWidget, focus: str, steps: int) -> str:
    """Return the name of the widget to which Tab moves the focus, or an empty string."""
    names = [placed.widget.name for placed in focusable_widgets(top)]
    if focus not in names:
        return names[0 if steps > 0 else -1] if names else ""
    return names[(names.index(focus) + steps) % len(names)]


def next_group(top: LaidOutWidget, focus: str, steps: int) -> str:
    """Return the name of the widget to which F6 moves the focus: the selected one of the group, else its first.

    Returns:
        An empty string before the first group and after the last one.
    """
    all_groups = groups(top)
    outside = -1 if steps > 0 else len(all_groups)
    current = next((index for index, group in enumerate(all_groups) if _has(group, focus)), outside)
    if not 0 <= current + steps < len(all_groups):
        return ""
    group = all_groups[current + steps]
    return next((placed for placed in group if placed.widget.is_chosen), group[0]).widget.name


def neighbour(top: LaidOutWidget, focus: str, columns: int, rows: int) -> str:
    """Return the name of the widget to which an arrow key moves the focus within its group.

    Left and right follow the reading order, up and down lead to the nearest widget in that direction.

    Args:
        top: the widget tree.
        focus: the name of the focused widget.
        columns: 1 for right, -1 for left, else 0.
        rows: 1 for down, -1 for up, else 0.

    Returns:
        `focus` if there is no widget in that direction; empty if the focus is not in a group of several widgets.
    """
    group = next((group for group in groups(top) if _has(group, focus) and len(group) > 1), None)
    if group is None:
        return ""
    names = [placed.widget.name for placed in group]
    if columns:
        return names[min(max(0, names.index(focus) + columns), len(names) - 1)]
    start = group[names.index(focus)].rect
    best = (float("inf"), focus)
    for name, other in zip(names, group, strict=True):
        ahead, sideways = (other.rect.centery - start.centery) * rows, abs(other.rect.centerx - start.centerx)
        if ahead > 0 and sideways <= 2 * ahead + start.height:
            best = min(best, (ahead + 3 * sideways, name))
    return best[1]


def _has(group: list[LaidOutWidget], name: str) -> bool:
    return any(placed.widget.name == name for placed in group)
