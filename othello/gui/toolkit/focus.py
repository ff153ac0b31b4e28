"""Where the keyboard can go: from panel to panel, from group to group, and by arrows within a group."""

from __future__ import annotations

from othello.gui.toolkit.panel import Placed


def stops(top: Placed) -> list[Placed]:
    """Every panel that the keyboard can go to, in order."""
    return [each for each in top.walk() if _is_stop(each)]


def _is_stop(placed: Placed) -> bool:
    return placed.panel.takes_focus and placed.panel.is_enabled


def groups(top: Placed) -> list[list[Placed]]:
    """What F6 stops at, in order: the stops of each group, in the order in which one reads.

    A stop outside all groups is a group of its own, and so is a stop that takes arrows itself.
    """
    found: list[list[Placed]] = []
    _gather(top, found, None)
    return [sorted(group, key=lambda each: (each.rect.top, each.rect.left)) for group in found if group]


def _gather(placed: Placed, found: list[list[Placed]], group: list[Placed] | None) -> None:
    if placed.panel.is_group and group is None:
        group = []
        found.append(group)
    if _is_stop(placed):
        if group is None or placed.panel.takes_arrows:
            found.append([placed])
        else:
            group.append(placed)
    for part in placed.parts:
        _gather(part, found, group)


def next_stop(top: Placed, focus: str, steps: int) -> str:
    """The name of the stop that Tab leads to; empty where there is none."""
    names = [each.panel.name for each in stops(top)]
    if focus not in names:
        return names[0 if steps > 0 else -1] if names else ""
    return names[(names.index(focus) + steps) % len(names)]


def next_group(top: Placed, focus: str, steps: int) -> str:
    """The name of the stop that F6 leads to: what is chosen in a group, else its first; empty: out of all groups."""
    found = groups(top)
    outside = -1 if steps > 0 else len(found)
    now = next((index for index, group in enumerate(found) if _has(group, focus)), outside)
    if not 0 <= now + steps < len(found):
        return ""
    group = found[now + steps]
    return next((each for each in group if each.panel.is_chosen), group[0]).panel.name


def beside(top: Placed, focus: str, columns: int, rows: int) -> str:
    """The name of the stop on one side in the group of the focus: the next as one reads, or the nearest in a column.

    Args:
        top: the tree.
        focus: the name of the panel that has the focus.
        columns: 1 for the right side, -1 for the left one, else 0.
        rows: 1 for below, -1 for above, else 0.

    Returns:
        The focus itself where nothing lies on that side; empty where the focus is in no group of several.
    """
    group = next((group for group in groups(top) if _has(group, focus) and len(group) > 1), None)
    if group is None:
        return ""
    names = [each.panel.name for each in group]
    if columns:
        return names[min(max(0, names.index(focus) + columns), len(names) - 1)]
    start = group[names.index(focus)].rect
    best = (float("inf"), focus)
    for name, other in zip(names, group, strict=True):
        ahead, aside = (other.rect.centery - start.centery) * rows, abs(other.rect.centerx - start.centerx)
        if ahead > 0 and aside <= 2 * ahead + start.height:
            best = min(best, (ahead + 3 * aside, name))
    return best[1]


def _has(group: list[Placed], name: str) -> bool:
    return any(each.panel.name == name for each in group)
