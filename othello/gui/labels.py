"""Numbers and names as the window writes them."""

import math
from collections.abc import Iterable, Iterator
from typing import Final

from othello import texts
from othello.config import PlayerConfig, TournamentConfig
from othello.game import AnyGame
from othello.gui.toolkit.style import RGB, Palette
from othello.play.players import Players
from othello.play.referee import Forfeit
from othello.players.levels import level_of
from othello.players.player_registry import counts_of, type_title
from othello.records.openings import Opening, leads_to, left_book_at, opening_name_of, opening_names_of
from othello.rules.protocol import Color, GameSpec, Move, Outcome, Position, Rules
from othello.rules.registry import unusual_options
from othello.search.report import SearchReport, Unit
from othello.texts import catalogue, languages, side_name, tr

TENTHS_LEFT: Final = 10  # with less on it, in seconds, a clock shows tenths
_NAMING_PLIES: Final = 4  # number of moves that stand for the name of an opening without one
FINISHED_SCORE: Final = 10_000  # see `Unit.SCORE`
SIGNS: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}  # signs of mistakes by their names


def mistake(sign: str) -> str:
    """Return the name of a mistake by its sign; empty without a sign."""
    return next((tr(f"review.mistakes.{name}", n=1) for name, candidate in SIGNS.items() if candidate == sign), "")


def sign_color(palette: Palette, sign: str) -> RGB:
    """Return the colour of the sign of a mistake."""
    return {"??": palette.warning, "?": palette.mistake}.get(sign, palette.last_text)


def title(rules: Rules[Position]) -> str:
    """Return the title of a game."""
    return tr(f"games.{rules.name}.title", rules.name)


def unusual_rules(rules: Rules[Position]) -> str:
    """Return the rules that differ from the default ones; empty if none do."""
    options = (option.split("=") for option in unusual_options(rules.spec).split())
    return " · ".join(_rule(rules, option, value) for option, value in options)


def full_title(rules: Rules[Position]) -> str:
    """Return the title of a game with the rules that differ from the default ones."""
    return " · ".join(filter(None, (title(rules), unusual_rules(rules))))


def _rule(rules: Rules[Position], option: str, value: str) -> str:
    """Return the text of a value of an option, or the text for any of its values."""
    anyhow = tr(f"games.{rules.name}.{option}.any", f"{option} {value}", value=value)
    return tr(f"games.{rules.name}.{option}.{value}", anyhow, value=value)


def rule_name(game: str, option: str) -> str:
    """Return the name of an option of a game in its dialog."""
    return tr(f"rule_names.{game}.{option}", option)


def rule_choice(game: str, option: str, value: object) -> str:
    """Return the name of a value of an option in its dialog."""
    anyhow = tr(f"rule_values.{option}", str(value), value=value)
    return tr(f"rule_choices.{game}.{option}.{value}", anyhow)


def opening(named: Opening) -> str:
    """Return the translated name of an opening."""
    return tr(f"openings.{named.name}", named.name)


def openings(game: AnyGame, pointed: Move | None) -> list[str]:
    """Return the opening of a game, and the next opening that the move `pointed` at leads to."""
    own = opening_name_of(game)
    texts = [] if own is None else [opening(own)]
    if pointed is not None and (ahead := leads(game, pointed)):
        texts.append(tr("opening.leads", move=move(game, pointed), name=ahead))
    return texts


def leads(game: AnyGame, pointed: Move) -> str:
    """Return the next opening that a move leads to; empty if there is none."""
    ahead = leads_to(game, pointed) if pointed in game.legal_moves() else None
    return "" if ahead is None else opening(ahead)


def opening_text(game: AnyGame) -> str:
    """Return the last two openings of a game, and the move that left them; empty if there are none."""
    names, left = [*dict.fromkeys(map(opening, opening_names_of(game)))][-2:], left_book_at(game)
    if not names:
        return ""
    listed = ", ".join(names)
    return tr("opening.announcement", names=listed) if left is None else tr("opening.left", names=listed, move=left)


_RULES: Final = 3  # number of rules that are never left out


def rules_summary(spec: GameSpec) -> list[str]:
    """Return the options of a game in one line, and then ever shorter lines without the last default ones.

    A game without options has one sentence.
    """
    if not spec.options:
        return [tr(f"games.{spec.game}.summary")]
    game = spec.game
    texts = [tr("named", name=rule_name(game, key), words=rule_choice(game, key, value)) for key, value in spec.options]
    unusual = [option.split("=")[0] for option in unusual_options(spec).split()]
    last = max(place for place, (option, _) in enumerate(spec.options, 1) if place <= _RULES or option in unusual)
    return ["  ·  ".join(texts[:count]) for count in range(len(texts), last - 1, -1)]


def side(rules: Rules[Position], color: Color) -> str:
    """Return the name of a side."""
    return side_name(rules.name, color.label)


def move(game: AnyGame, move: Move) -> str:
    """Return the text of a move in the position of a game."""
    return tr("moves.pass") if game.rules.is_pass(move) else game.text_of(move).replace(",", ", ")


def last_move(game: AnyGame) -> str:
    """Return the text of the last move of a game."""
    return move(game.at(game.ply - 1), game.moves[-1])


def moment(game: AnyGame) -> str:
    """Return the name of a position: the number and text of its last move."""
    if not game.ply:
        return tr("analysis.announcement.start")
    return tr("analysis.announcement.move", number=game.number, move=last_move(game))


def line(game: AnyGame, moves: Iterable[Move]) -> Iterator[tuple[Color, str]]:
    """Yield the side and text of moves that follow from a position."""
    for played in moves:
        yield game.to_move, move(game, played)
        game = game.play(played)


def moves(game: AnyGame) -> str:
    """Return the text of all moves of a game."""
    return " ".join(text for _, text in line(game.at(0), game.moves))


def line_name(game: AnyGame) -> str:
    """Return the name of the opening of a line, or its first moves."""
    opening_name = opening_name_of(game)
    return moves(game.at(min(game.ply, _NAMING_PLIES))) if opening_name is None else opening(opening_name)


def is_level_name(name: object, level: object) -> bool:
    """Return whether a name is the name of a level in any language."""
    return isinstance(name, str) and name in [catalogue(language).get(f"levels.{level}") for language in languages()]


def player_name(rules: Rules[Position], players: Players, color: Color) -> str:
    return players.title(color, rules.name)


def player_details(player: PlayerConfig, spec: GameSpec, *, has_details: bool) -> tuple[str, ...]:
    """Return type and strength of a player in ever fewer words."""
    is_program = player.kind != player.player_type  # an external one, whose strength is unknown
    if player.is_user or (is_program and not has_details):
        return (type_title(player.player_type),)
    strength = player.strength
    if "level" in strength and (player.is_named or not has_details):
        return (tr("players.level", level=strength["level"]),)
    numbers = [tr(f"player_options.{key}", n=value, count=count(value)) for key, value in strength.items()]
    if not has_details:
        known = [words for words in (measured_place(player, spec), *numbers) if words]
        return *known[:1], type_title(player.player_type)
    words = [player.player_type, *numbers]
    if player.time_limit_seconds is not None:
        words.append(tr("players.seconds", seconds=texts.number(player.time_limit_seconds)))
    return " · ".join(words), " · ".join(words[1:]) or words[0], words[-1]


def measured_place(player: PlayerConfig, spec: GameSpec) -> str:
    """Return the level of a search in words; empty if it was not measured."""
    level = level_of(player, spec)
    if level is None:
        return ""
    return tr("players.about_level", level=level) if level else tr("players.below_levels")


def time_used(seconds: float, tenths: bool) -> str:
    """Return minutes and seconds, in the first minute with tenths if these are wanted."""
    return _minutes(int(seconds * 10), tenths and seconds < 60)


def time_left(remaining: float) -> str:
    """Return minutes and seconds, with tenths below TENTHS_LEFT seconds; 0 if no time is left."""
    left = max(0.0, remaining)
    return _minutes(math.ceil(left * 10) if left < TENTHS_LEFT else int(left) * 10, left < TENTHS_LEFT)


def _minutes(in_tenths: int, tenths: bool) -> str:
    seconds, tenth = divmod(in_tenths, 10)
    return f"{seconds // 60}:{seconds % 60:02}" + (tr("numbers.point") + str(tenth) if tenths else "")


def rough_time(seconds: float) -> str:
    """Return a duration in the unit that fits."""
    if seconds < 100:
        return tr("times.seconds", seconds=texts.number(seconds, ".1f") if seconds < 10 else f"{seconds:.0f}")
    minutes = round(seconds / 60)
    return tr("times.minutes", minutes=minutes) if minutes < 100 else tr("times.hours", hours=round(minutes / 60))


def count(number: float) -> str:
    """Return a number in about four characters: 950, 7.4k, 48k, 1.4M."""
    for limit, divisor, suffix in ((1e3, 1, ""), (1e4, 1e3, "k"), (1e6, 1e3, "k"), (1e7, 1e6, "M"), (1e9, 1e6, "M")):
        if number < limit:
            return texts.number(number / divisor, f".{int(limit in (1e4, 1e7))}f") + suffix
    return texts.number(number / 1e9, ".1f") + "G"


def signed(number: float) -> str:
    """Return a whole number with its sign; an en dash is used because the font's minus is too short."""
    return f"{round(number):+}".replace("-", "–") if round(number) else "0"


def loss(amount: float, unit: Unit) -> str:
    """Return the loss of a move with its sign."""
    return texts.percent(signed(-100 * amount)) if unit is Unit.REWARD else signed(-amount)


def value(amount: float, unit: Unit) -> str:
    """Return the value of a search: a share of wins, points with their sign, or the margin of a decided game."""
    if unit is Unit.SCORE and abs(amount) >= FINISHED_SCORE:
        points = f"{abs(amount) - FINISHED_SCORE:.0f}"
        return tr("values.won", points=points) if amount > 0 else tr("values.lost", points=points)
    return texts.percent(texts.number(100 * amount, ".1f")) if unit is Unit.REWARD else signed(amount)


def on_board(text: str, end: Outcome | None) -> str:
    """Return a result as engines count it, with the score on the board if that differs."""
    if end is None or not end.engines_differ:
        return text
    return tr("values.on_board", told=text, black=end.black, white=end.white)


def certainty(report: SearchReport) -> str:
    """Return how reliable the values of a search are: exact, estimated, or from a book."""
    if report.unit is Unit.DISCS:
        return tr("review.exact")
    if report.unit is Unit.REWARD:
        return tr(f"review.estimate_{counts_of(report.player)}", count=count(report.simulations))
    return tr("review.book" if report.from_book else "review.estimate", depth=report.depth)


def worth(report: SearchReport) -> str:
    """Return the value of a search's position, with the chance of winning if the value is in discs."""
    if report.value is None:
        return "–"
    text = value(report.value, report.unit)
    return text if report.chance is None else f"{text} ({texts.percent(f'{100 * report.chance:.0f}')})"


def games_done(form: TournamentConfig, games: int, maximum: int) -> str:
    """Return the number of finished games of a tournament, and of all games that may be played."""
    return tr("tournament.done_of_at_most" if form.may_end_early else "tournament.done_of", n=maximum, games=games)


def outcome(rules: Rules[Position], winner: Color | None) -> str:
    """Return the result of a game."""
    return tr("results.draw") if winner is None else tr("results.wins", side=side(rules, winner))


def fault(rules: Rules[Position], forfeit: Forfeit, own: Color | None = None) -> str:
    """Return the fault by which a side has lost; `own`: the user's side, which is addressed as "you"."""
    return forfeit.sentence(side(rules, forfeit.color), is_own=forfeit.color is own)
