"""The report on results files: tables, plots, conclusions, and a board that replays the games."""

import math
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from othello.config import Comparison
from othello.files import refuse_existing, replacing
from othello.records.record import GameRecord
from othello.tournament.html_page import Block, as_html, heading, link, picture, replay, statements, table
from othello.tournament.replay import MEANINGS, MEASURES, PlayingStyle, Replays
from othello.tournament.report_text import TextTable, conclusions, labelled, tables
from othello.tournament.standings import PlayerTotal, ResultsSummary, Standings, summarise
from othello.tournament.statistics import Interval

_TITLE: Final = "Which player is stronger?"
_PAGE: Final = "report.html"
_TEXT: Final = "report.md"
_GAMES: Final = "games.txt"
_MAX_FORFEITS: Final = 50


def write_report(
    paths: Sequence[Path], folder: Path, compare: Comparison | None = None, *, overwrite: bool = False
) -> ResultsSummary:
    """Write `report.md`, `report.html`, plots and all games to a folder, which is created if needed.

    Args:
        paths: the results files.
        folder: the folder to write to.
        compare: figures of another experiment to show.
        overwrite: True to replace the files of an earlier report.

    Raises:
        ResultsError: a results file cannot be read.
        OutputError: the folder cannot be written, or has such files and `overwrite` is false.
    """
    if not overwrite:
        refuse_existing(*(folder / name for name in (_PAGE, _TEXT, _GAMES)))  # before the results are read
    replays = Replays()
    with tempfile.TemporaryDirectory() as draft:
        with Path(draft, _GAMES).open("w", encoding="utf-8", newline="\n") as games:
            games.write("game\tblack\twhite\tscore\tresult\tmoves\n")

            def keep(record: GameRecord) -> None:
                score = f"{record.black_points}-{record.white_points}"
                line = record.game, record.black, record.white, score, record.result, record.transcript
                print(*line, sep="\t", file=games)
                replays.add(record)

            summary = summarise(paths, keep)
        blocks = [
            *_findings(summary, replays.style, compare, max(path.stat().st_mtime for path in paths)),
            *_pictures(summary, replays.style, Path(draft)),
            *_games(replays),
            statements(f"From {', '.join(path.name for path in paths)}.", *notes(summary)),
        ]
        Path(draft, _TEXT).write_text("\n\n".join(block.markdown for block in blocks) + "\n", encoding="utf-8")
        Path(draft, _PAGE).write_text(as_html(blocks, _TITLE), encoding="utf-8")
        _publish(Path(draft), folder, overwrite=overwrite)
    return summary


def _pictures(summary: ResultsSummary, style: PlayingStyle, folder: Path) -> list[Block]:
    """Draw all plots, or return a hint if matplotlib is missing."""
    try:
        from othello.tournament.plots import draw_all  # needs matplotlib
    except ModuleNotFoundError:
        return [statements("There are no plots: they need Python with matplotlib (python -m pip install matplotlib).")]
    return [heading("Pictures"), *(picture(file, title) for file, title in draw_all(summary, style, folder).items())]


def _publish(made: Path, folder: Path, *, overwrite: bool) -> None:
    """Move the files to the folder, all or none of them."""
    if not overwrite:
        refuse_existing(*(folder / file.name for file in made.iterdir()))
    with ExitStack() as drafts:  # all become files at the end of the block
        for file in made.iterdir():
            draft = drafts.enter_context(replacing(folder / file.name))
            draft.write(file.read_bytes())
            draft.flush()


def notes(summary: ResultsSummary) -> list[str]:
    """Return notes about problems of the results files."""
    texts = [f"The last line of {path} is incomplete and was skipped." for path in summary.cut_off_files]
    if len(summary.experiments) > 1:
        number = len(summary.experiments)
        texts.append(f"The games are from {number} experiments; players with the same name count as one.")
    if len(summary.played) > 1:
        texts.append(f"Different games are counted together: {', '.join(sorted(summary.played))}.")
    if len(summary.versions) > 1:
        versions = ", ".join(sorted(summary.versions))
        texts.append(f"The games were played by several versions of the program: {versions}.")
    if summary.doubles:
        texts.append(f"{summary.doubles} duplicate games were skipped.")
    if summary.adjudicated:
        texts.append(f"{summary.adjudicated} games were adjudicated: the engine proved the result of best play.")
    texts += [f"Ended early: {text}." for text in summary.forfeits[:_MAX_FORFEITS]]
    if len(summary.forfeits) > _MAX_FORFEITS:
        texts.append(f"Ended early: {len(summary.forfeits) - _MAX_FORFEITS} games more.")
    return texts


def as_json(summary: ResultsSummary) -> dict[str, Any]:
    """Return the results as a JSON document. null: an unknown or infinite number."""
    standings, elo, stronger = summary.standings, summary.standings.elo(), summary.standings.stronger()
    test = standings.test
    return {
        "games": standings.games,
        "played": sorted(summary.played),
        "versions": sorted(summary.versions),
        "players": [
            {"name": total.name, "options": standings.options.get(total.name), **_total(total)}
            | {"elo": _interval(elo[total.name])}
            for total in standings.ranking()
        ],
        "pairs": [
            {"players": pair, "games": scores.games, "points": scores.points, "pentanomial": scores.pentanomial}
            | {"score": _interval(scores.interval), "elo": _interval(scores.elo)}
            | {"is_corrected": bool(scores.corrected), "superiority": scores.likelihood_of_superiority}
            | {"stronger": stronger.get(pair)}
            for pair, scores in standings.results().pairs.items()
        ],
        "black": {**_total(standings.colors[0]), "score": _interval(standings.results().black.interval)},
        "sequential_test": test and {**asdict(test.test), "ratio": test.ratio, "accepted": test.accepted},
    }


def _total(total: PlayerTotal) -> dict[str, Any]:
    counts = {"games": total.games, "points": total.points, "won": total.wins, "drawn": total.draws}
    counts |= {"lost": total.losses, "points_won": total.own, "points_lost": total.others}
    return {**counts, "seconds_per_game": total.seconds_per_game, "seconds_per_move": total.seconds_per_move}


def _interval(interval: Interval) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in asdict(interval).items()}


def cross_table(standings: Standings) -> TextTable:
    names = [total.name for total in standings.ranking()]
    cells: dict[tuple[str, str], str] = {}
    for (first, second), scores in standings.results().pairs.items():
        cells[first, second] = f"{scores.points:g} / {scores.games}"
        cells[second, first] = f"{scores.games - scores.points:g} / {scores.games}"
    rows = tuple((name, *(cells.get((name, other), "") for other in names)) for name in names)
    return TextTable("Cross table: points of the row against the column", ("player", *names), rows)


def style_table(standings: Standings, style: PlayingStyle) -> TextTable:
    """Return the averages of every player's moves."""
    names = [total.name for total in standings.ranking() if total.name in style.players]
    known, means = style.known, {name: style.mean(name) for name in names}
    rows = tuple((name, *(f"{means[name][measure]:.2f}" for measure in known)) for name in names)
    measures = (MEASURES[measure] for measure in known)
    return TextTable("Style: averages of a player's own moves", ("player", *measures), rows)


def _findings(summary: ResultsSummary, style: PlayingStyle, compare: Comparison | None, written: float) -> list[Block]:
    """Return sentences and tables. `written` is the time of the last game in seconds since the epoch."""
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(written))
    counted = summary.standings.counted
    known = "; ".join(MEANINGS[measure] for measure in style.known)
    balance = f" Balance: {counted} won minus {counted} lost." if counted else ""
    return [
        heading(_TITLE, 1),
        statements(f"Played: {', '.join(sorted(summary.played))}. Last game: {date}.", *conclusions(summary.standings)),
        heading("Tables"),
        *map(table, tables(summary.standings, compare)),
        table(labelled(cross_table(summary.standings), summary.standings)),
        *([table(labelled(style_table(summary.standings, style), summary.standings))] if style.players else []),
        statements(
            f"Points: 1 for a win, 0.5 for a draw.{balance}",
            "Elo: 0 is the mean of all players; 100 more scores 64 %. 19 of 20 intervals contain the true value.",
            "LOS: likelihood of superiority, the chance that the first of two players is the stronger one.",
            *([f"Style, at a player's own moves: {known}."] if known else []),
            "Verdict: the player shown to be stronger, corrected for the number of pairs. Intervals are not corrected.",
        ),
    ]


def _games(replays: Replays) -> list[Block]:
    texts = []
    if replays.left_out:
        texts.append(f"The first {len(replays.games)} games are here; the file below has {replays.left_out} more.")
    if replays.illegal:
        texts.append(f"{replays.illegal} games cannot be replayed: their moves break the rules.")
    return [
        heading("Games"),
        *([replay(replays.boards, replays.grouped())] if replays.games else []),
        *([statements(*texts)] if texts else []),
        link(_GAMES, "All games, one per line, as moves"),
    ]
