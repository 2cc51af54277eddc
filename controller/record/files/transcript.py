"""A match as a transcript that people read: every turn with its board, what was wrong, and how games ended."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from controller.messages.game_words import play_words
from controller.record.files.limits import notes
from controller.record.files.match_text import one_line
from controller.record.match.json_values import reasons_text
from controller.record.match.match import Act, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import Moment, by_game, moments
from controller.rules import Form, Position, Side
from controller.rules.game.events import (
    Beavered,
    Doubled,
    DoubleNamed,
    GameAwarded,
    MatchForfeited,
    OpeningRoll,
    Passed,
    Raccooned,
    ResignationAccepted,
    ResignationRefused,
    Resigned,
    Rolled,
    RollVoided,
    RulesEvent,
    Taken,
)


def transcript_text(match: MatchRecord) -> str:
    """The whole match in English, in plain lines."""
    played = list(moments(match))
    lines = [title_line(match), *facts_lines(match), ""]
    lines += [one_line(note) for note in notes(match, played) if not note.startswith("Game ")]
    for number, of_game in enumerate(by_game(played)):
        lines += ["", *_game(match, number, of_game)]
    return "\n".join(lines).rstrip() + "\n"


def title_line(match: MatchRecord) -> str:
    """Who played for what."""
    return f"{player_name(match, Side.LIGHT)} (light) - {player_name(match, Side.DARK)} (dark), {form_text(match)}"


def player_name(match: MatchRecord, side: Side) -> str:
    """A player's name on one line, the side where there is none."""
    return one_line(match.name(side)) or side.capitalize()


def form_text(match: MatchRecord) -> str:
    """What is played for."""
    rules = ", ".join(dict.fromkeys(profile.title for profile in match.terms.profiles))
    match match.terms.form:
        case Form.MONEY:
            return f"single games ({one_line(rules)})"
        case Form.SERIES:
            return f"series to {match.length} ({one_line(rules)})"
        case Form.MATCH:
            return f"match to {match.length} ({one_line(rules)})"


def facts_lines(match: MatchRecord) -> Iterator[str]:
    """What is known beside the games, a line each."""
    facts = match.facts
    known = {
        "Event": facts.event,
        "Round": facts.round,
        "Place": facts.place,
        "Table": facts.table,
        "Date": facts.played_on.isoformat() if facts.played_on else "",
        "Recorded by": facts.transcriber,
    }
    for name, value in known.items():
        if one_line(value):
            yield f"{name}: {one_line(value)}"


def _game(match: MatchRecord, number: int, played: list[Moment]) -> Iterator[str]:
    game = match.games[number]
    light, dark = (player_name(match, side) for side in Side)
    yield f"Game {number + 1}: {light} {game.light_score}, {dark} {game.dark_score}"
    tries = [turn for turn in game.turns if not turn.counts]
    for moment in played:
        entry = moment.entry
        if isinstance(entry, Turn):
            for tried in tries:
                if tried.ply == entry.ply:
                    yield turn_line(tried)
            yield turn_line(entry)
        elif isinstance(entry, Act):
            yield f"      {act_line(entry.event, moment)}"
    yield f"      {result_line(match, game)}"


def turn_line(turn: Turn) -> str:
    """Ply, player, dice and play; for an illegal one the rules that were broken; whether nobody confirmed it."""
    played = one_line(turn_words(turn))
    line = f"{turn.ply:4d}  {turn.player:<5}  {turn.roll}  {played}"
    if turn.legal is not False:
        return line
    fate = "left standing" if turn.stands else "put right"
    return f"{line}  ILLEGAL, {fate}: {reasons_text(turn.reasons)}".rstrip(": ")


def turn_words(turn: Turn) -> str:
    """What was played, as it is written; in words where there is no notation; marked where nobody confirmed it."""
    if turn.text and turn.legal is not None:
        return turn.text
    return play_words(turn.text, legal=turn.legal, moved=turn.after != turn.before)


def result_line(match: MatchRecord, game: GameRecord) -> str:
    """How a game ended, with the working."""
    result = game.result
    if result is None:
        return "not finished" if game is match.games[-1] else "broken off"
    if result.is_drawn:
        return "drawn, no points"
    points = f"{result.points} point{'s' if result.points > 1 else ''}"
    working = f" ({one_line(result.working)})" if result.working else ""
    return f"{player_name(match, result.winner)} ({result.winner}) wins {points}{working}"


def act_line(event: RulesEvent, moment: Moment) -> str:
    """An act in words; ``moment`` is the one before it."""
    game = moment.match.game
    offered = game.cube.value if game.offer is None else game.offer.value
    return _ACTS[type(event)].format(event=event, double=2 * game.cube.value, more=2 * offered)


_ACTS: Final[Mapping[type[RulesEvent], str]] = {
    OpeningRoll: "opening roll: light {event.light}, dark {event.dark}",
    Rolled: "{event.side} rolls {event.roll}",
    DoubleNamed: "{event.side} names {event.number}-{event.number}",
    RollVoided: "the roll of {event.side} is void",
    Doubled: "{event.side} doubles to {double}",
    Beavered: "{event.side} beavers to {more}",
    Raccooned: "{event.side} raccoons to {more}",
    Taken: "{event.side} takes",
    Passed: "{event.side} drops",
    Resigned: "{event.side} offers to resign {event.amount}",
    ResignationAccepted: "{event.side} accepts",
    ResignationRefused: "{event.side} refuses",
    GameAwarded: "the game is awarded to {event.winner} for {event.points}",
    MatchForfeited: "{event.loser} forfeits the match",
}


TOP = tuple(range(13, 25))
BOTTOM = tuple(range(12, 0, -1))


def diagram(
    position: Position, unsure: Collection[int] = (), off: tuple[int | None, int | None] | None = None
) -> str:
    """The points with their checkers, the bars in the middle, the trays in the last line; `?` marks unsure points.

    ``off`` is how many of light and dark are borne off, None where that is not known; else it is what is missing.
    """

    def row(points: tuple[int, ...], bar: str, cell: str) -> str:
        cells = [f"{cell_of(point) if cell == 'count' else point:>4}" for point in points]
        return f"{''.join(cells[:6])} |{bar:^5}|{''.join(cells[6:])}".rstrip()

    def cell_of(point: int) -> str:
        light, dark = (position.checkers(side, point) for side in Side)
        return (f"{light}O" if light else f"{dark}X" if dark else ".") + ("?" if point in unsure else "")

    light, dark = position.bar(Side.LIGHT), position.bar(Side.DARK)
    lines = [
        row(TOP, "bar", "number"),
        row(TOP, f"{dark}X" if dark else "", "count"),
        row(BOTTOM, f"{light}O" if light else "", "count"),
        row(BOTTOM, "bar", "number"),
    ]
    away = (position.off(Side.LIGHT), position.off(Side.DARK)) if off is None else off
    light_off, dark_off = ("?" if count is None else str(count) for count in away)
    return "\n".join([*lines, f" off {light_off}O {dark_off}X"])
