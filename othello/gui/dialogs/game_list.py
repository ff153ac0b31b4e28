"""Texts for a saved game in a list: date, players and result."""

from othello.errors import printable
from othello.gui import labels, ui
from othello.players.levels import COUNT
from othello.players.player_registry import PLAYERS
from othello.records.game_file import Entry, GameListEntry
from othello.rules.protocol import Color
from othello.texts import person, side_name, tr


def date_of(listed: GameListEntry) -> str:
    """Return the start of the game to the minute."""
    return listed.headers.date.replace("T", " ")[:16]


def item_of(listed: GameListEntry) -> ui.ListItem:
    """Return the row of a game: its name if it has one, date, players, kind of game and result."""
    title = tr(f"games.{listed.headers.game}.title", listed.headers.game)
    date, who = date_of(listed), names_of(listed)
    known, right = listed.persons_accuracy, result_of(listed)
    if known is not None:
        right = f"{right}  ·  {tr('files.accuracy', percent=f'{100 * known:.0f}')}"
    name = printable(listed.name)
    return ui.ListItem.of(((name, date, who, title), (name, date[:10], who), (name or who,)), right, listed)


def names_of(listed: GameListEntry) -> str:
    black, white = (name_of(listed, color) for color in Color)
    return tr("files.players", black=black, white=white)


def name_of(listed: GameListEntry, color: Color) -> str:
    """Return the name of a side. Names of levels are in the language in use, not in that of the file."""
    players = listed.headers.players
    entry, has_person = players[color], players[color.opponent].get("player_type") == "user"
    kind, level, name = str(entry.get("player_type", "")), entry.get("level"), entry.get("name")
    is_level = type(level) is int and 1 <= level <= COUNT
    if is_level and (not name or labels.is_level_name(name, level)):
        return tr(f"levels.{level}")
    if name:
        return str(name)
    if kind == "user":
        return side_name(listed.headers.game, color.label) if has_person else person()
    return str(entry.get("program") or tr(f"player_types.{kind}", PLAYERS[kind].title if kind in PLAYERS else kind))


def result_of(listed: GameListEntry) -> str:
    return ended(listed.headers.game, listed.headers.result, listed.person)


def ended(game: str, result: Entry, person: Color | None = None) -> str:
    """Return the result of a game in words, with Black's points first.

    Args:
        game: name of the kind of game.
        result: the result as its file has it.
        person: side of the user, who is told about winning and losing instead of colours.
    """
    winner = result.get("winner")
    if winner not in ("black", "white"):
        return tr("results.draw" if winner == "draw" else "files.unfinished")
    points = [str(result.get(color.label, "")) for color in Color]
    score = " : ".join(points) if all(points) else ""
    if person is not None:
        return tr("files.won", score=score) if winner == person.label else tr("files.lost", score=score)
    return tr("files.wins", side=side_name(game, winner), score=score).strip()
