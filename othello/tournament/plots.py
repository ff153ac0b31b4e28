"""Plots of results. Needs the extra `report`."""

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, cycle
from pathlib import Path
from typing import Any, Final, TypeAlias

import matplotlib.style as mpl_style
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from othello.files import replacing
from othello.resources import asset
from othello.rules.protocol import Color
from othello.sweep import read_label
from othello.tournament.replay import MEANINGS, PlayingStyle
from othello.tournament.standings import ResultsSummary

Axes: TypeAlias = Any

_BAR: Final = "#2f8fc4"
_BLACK: Final = "#2b333c"
_WHITE: Final = "#c9c3b7"
_LINES: Final = ("#2f8fc4", "#e0795f", "#1f8a5b", "#b58900", "#7a5fb5", "#4c566a")
_STYLE: Final = asset("report/plots.mplstyle")
_ELO: Final = "Elo, 0 is the mean of all players"
_SECONDS: Final = "seconds that a player used in a game"
_MAX_NAME: Final = 40
_LOG_RATIO: Final = 20  # from this ratio of the values on, the scale is logarithmic
_LENGTHS: Final = (1, 1, 3, 5, 10, 1000)
_DIFFERENCES: Final = 8  # bins to either side of 0


def draw_all(summary: ResultsSummary, style: PlayingStyle, folder: Path) -> dict[str, str]:
    """Draw all plots into a folder, and return captions by file name in the order of the page."""
    counted, drawn = summary.standings.counted, dict[str, str]()
    pictures: list[tuple[str, str, Callable[[Axes, ResultsSummary], None]]] = [
        ("elo.svg", "Strength with 95 % intervals", _draw_elo),
        ("colours.svg", "Score with black and with white", _draw_colors),
        ("time.svg", "Thinking time", _draw_time),
        *([("differences.svg", f"Difference in {counted} at the end of a game", _draw_differences)] if counted else []),
        ("lengths.svg", "Score by the length of the game", _draw_lengths),
    ]
    with mpl_style.context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # viewers of the picture use their own fonts
        for name, caption, draw in pictures:
            drawn[name] = caption
            with _figure(folder / name, max(3.0, 1 + 0.5 * len(summary.standings.players))) as figure:
                draw(figure.subplots(), summary)
        for number, ((stem, key), names) in enumerate(_sweeps(summary).items(), 1):
            drawn[f"sweep-{number}.svg"] = f"{stem} by {key}: strength with 95 % intervals, and thinking time"
            with _figure(folder / f"sweep-{number}.svg", 6) as figure:
                _draw_sweep(figure, summary, names, key)
        if style.players:
            drawn["style.svg"] = "Style: averages at each ply"
            with _figure(folder / "style.svg", 7) as figure:
                _draw_style(figure, style, _names(summary))
    return drawn


def draw_path(games: Sequence[int], values: Mapping[str, tuple[Sequence[float], str]], file: Path) -> None:
    """Draw the path of tuned values. `values` has values and scale (linear or log) by option."""
    with mpl_style.context(_STYLE), _figure(file, 1 + 2.5 * len(values)) as figure:
        rows = figure.subplots(len(values), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (key, (course, scale)) in zip(rows, values.items(), strict=True):
            axes.plot(games, course, color=_BAR)
            axes.axhline(course[0], color="#8b98a8", linewidth=0.8, linestyle="--")
            axes.set(ylabel=key, yscale=scale)
            if scale == "log":
                axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                axes.yaxis.set_major_formatter("{x:g}")
                axes.minorticks_off()
        rows[-1].set_xlabel("games; the broken line is the start")


@contextmanager
def _figure(file: Path, height: float) -> Iterator[Figure]:
    """Yield a figure, which is written to a file at the end of the block."""
    figure = Figure(figsize=(8, height), layout="constrained")
    yield figure
    with replacing(file) as draft:
        figure.savefig(draft, format="svg", metadata={"Date": None})  # equal results give equal files


def _names(summary: ResultsSummary) -> list[str]:
    """Return the players, best first."""
    return [total.name for total in summary.standings.ranking()]


def _list_players(axes: Axes, summary: ResultsSummary) -> None:
    names = _names(summary)
    axes.set_yticks(range(len(names)), map(_shortened, names))
    axes.invert_yaxis()


def _shortened(name: str) -> str:
    return name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 1] + "…"


def _add_legend(place: Any, axes: Axes, names: Sequence[str], **options: Any) -> None:
    """Add a legend. Names are set afterwards, because matplotlib leaves out labels that begin with an underscore."""
    legend = place.legend(axes.lines, map(str, range(len(names))), **options)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(_shortened(name))


def _elo_of(summary: ResultsSummary, names: Sequence[str]) -> tuple[Any, Any, float]:
    """Return estimates, distances to the bounds, and the range of the axis. Infinite bounds lie outside the range."""
    intervals = [summary.standings.elo()[name] for name in names]
    ends = np.array([(interval.low, interval.estimate, interval.high) for interval in intervals]).T
    reach = 1.1 * max(10.0, *np.abs(ends[np.isfinite(ends)]))
    low, middle, high = np.clip(ends, -2 * reach, 2 * reach)
    return middle, [middle - low, high - middle], reach


def _draw_elo(axes: Axes, summary: ResultsSummary) -> None:
    names = _names(summary)
    estimates, errors, reach = _elo_of(summary, names)
    axes.errorbar(estimates, range(len(names)), xerr=errors, fmt="o", color=_BAR)
    axes.set(xlim=(-reach, reach), ylim=(-0.5, len(names) - 0.5), xlabel=_ELO)
    axes.axvline(0, color="#8b98a8", linewidth=0.8)
    _list_players(axes, summary)


def _draw_colors(axes: Axes, summary: ResultsSummary) -> None:
    names = _names(summary)
    for color, offset, fill in ((Color.BLACK, -0.2, _BLACK), (Color.WHITE, 0.2, _WHITE)):
        places = [place + offset for place in range(len(names))]
        scores = [100 * summary.by_color[name][color].score for name in names]
        axes.barh(places, scores, 0.36, label=color.label, color=fill)
    axes.axvline(50, color="#8b98a8", linewidth=0.8)
    _list_players(axes, summary)
    axes.set(xlim=(0, 100), xlabel="score in %")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _draw_time(axes: Axes, summary: ResultsSummary) -> None:
    totals = summary.standings.ranking()
    bars = axes.barh(range(len(totals)), [total.seconds_per_game for total in totals], 0.6, color=_BAR)
    axes.bar_label(bars, fmt="%.3g", padding=4)
    _list_players(axes, summary)
    axes.set_xlabel(_SECONDS)


def _draw_differences(axes: Axes, summary: ResultsSummary) -> None:
    farthest = max([_DIFFERENCES, *map(abs, chain.from_iterable(summary.differences.values()))])
    width = -(-farthest // _DIFFERENCES)
    edges = width * (np.arange(-_DIFFERENCES, _DIFFERENCES + 2) - 0.5)
    for name, line in zip(_names(summary), cycle(_LINES), strict=False):
        counts = summary.differences[name]
        shares, _ = np.histogram(list(counts), edges, weights=[100 * n / counts.total() for n in counts.values()])
        axes.step(edges[:-1] + width / 2, shares, where="mid", color=line)
    axes.set(xlabel=f"own {summary.standings.counted} minus the opponent's", ylabel="games in %")
    _add_legend(axes, axes, _names(summary), loc="upper left", bbox_to_anchor=(1, 1))


def _sweeps(summary: ResultsSummary) -> dict[tuple[str, str], dict[str, str]]:
    """Return the players that differ in one option: names by value, by (name without the option, option)."""
    sweeps: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for name in summary.standings.players:
        label = read_label(name)
        if label is not None:
            sweeps[label[0], label[1]][label[2]] = name
    return {option: names for option, names in sweeps.items() if len(names) > 1}


def _draw_sweep(figure: Figure, summary: ResultsSummary, names: Mapping[str, str], key: str) -> None:
    """Draw strength and time by an option's value: on a scale if all values are numbers, otherwise side by side."""
    above, below = figure.subplots(2, 1, sharex=True)
    try:
        points = sorted((float(value), value, name) for value, name in names.items())
    except ValueError:
        points = [(place, value, name) for place, (value, name) in enumerate(names.items())]
    places, values, players = zip(*points, strict=True)
    below.set_xticks(places, values)
    if min(places) > 0 and max(places) / min(places) > _LOG_RATIO:
        below.set_xscale("log")
        below.set_xticks(places, values)
        below.minorticks_off()
    estimates, errors, reach = _elo_of(summary, players)
    above.errorbar(places, estimates, yerr=errors, fmt="o-", color=_BAR)
    above.set(ylim=(-reach, reach), ylabel=_ELO)
    seconds = [summary.standings.players[name].seconds_per_game for name in players]
    below.plot(places, seconds, "o-", color=_BAR)
    below.set(ylim=(0, None), xlabel=key, ylabel=_SECONDS)


def _draw_style(figure: Figure, style: PlayingStyle, names: Sequence[str]) -> None:
    known = [name for name in names if name in style.players]
    for index, measure in enumerate(style.known, start=1):
        axes = figure.add_subplot(2, 2, index)
        axes.set(title=MEANINGS[measure], xlabel="ply")
        for name, line in zip(known, cycle(_LINES), strict=False):
            plies, averages = style.course(name, measure)
            axes.plot(plies, averages, color=line, linewidth=1.2)
    _add_legend(figure, axes, known, loc="outside lower center", ncols=3)


def _lengths(summary: ResultsSummary) -> list[tuple[int, int]]:
    """Return ranges of game lengths, narrower near the longest, at which most games end."""
    high = max((moves for lengths in summary.lengths.values() for moves, _ in lengths), default=0)
    ranges: list[tuple[int, int]] = []
    for width in _LENGTHS:
        ranges.append((max(1, high - width + 1), high))
        high -= width
    return [(low, high) for low, high in reversed(ranges) if high >= 1]


def _draw_lengths(axes: Axes, summary: ResultsSummary) -> None:
    lengths = _lengths(summary)
    for name, line in zip(_names(summary), cycle(_LINES), strict=False):
        places, scores = [], []
        for place, (low, high) in enumerate(lengths):
            counts = summary.lengths[name].items()
            chosen = [(points, number) for (moves, points), number in counts if low <= moves <= high]
            games = sum(number for _, number in chosen)
            if games:
                places.append(place)
                scores.append(100 * sum(points * number for points, number in chosen) / games)
        axes.plot(places, scores, "o-", color=line)
    labels = [f"{low}" if low == high else f"{low} to {high}" for low, high in lengths]
    axes.set_xticks(range(len(lengths)), labels)
    axes.set(ylim=(-3, 103), xlabel="moves in the game, passes left out", ylabel="score in %")
    _add_legend(axes, axes, _names(summary), loc="upper left", bbox_to_anchor=(1, 1))
