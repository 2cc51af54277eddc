"""A dispute as one HTML page that a director can look at or print; everything is in it, nothing is loaded."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.messages.catalogue import catalogue
from controller.messages.game_words import offence_words
from controller.record.evidence.diagram import diagram_svg
from controller.record.evidence.dispute import Dispute, Try
from controller.record.files.html_page import html_page
from controller.record.match.entries import Turn
from controller.record.match.history import Action, Correction
from controller.rules.position import Position, Side


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """One end of a turn: `before` or `after`, the position that was recorded there, and what a picture showed."""

    role: str
    position: Position
    seen: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReadingsTable:
    """The points, 1..24 from light's side, that are shown for each end of a turn of which there is a picture.

    They stand in the order in which the player counts them.
    """

    ends: tuple[TurnEnd, ...]
    points: tuple[int, ...]


def dispute_html(dispute: Dispute, language: str = "en") -> str:
    """The page as text, to be written as UTF-8.

    Nothing in it that came from outside can act as markup, and the page allows itself nothing but its own
    pictures and style.

    Raises:
        LanguageError: if there are no texts in that language.
    """
    from markupsafe import Markup

    texts = catalogue(language)
    game, heading = dispute.game_history, dispute.history.heading
    facts = heading.facts
    day = facts.played_on.isoformat() if facts.played_on else ""
    length = f" / {heading.length}" if heading.length else ""

    def say(name: str, **arguments: object) -> str:
        return texts.text("dispute", name, **arguments)

    def word(side: Side) -> str:
        return texts.text("term", str(side))

    return html_page(
        __package__,
        "dispute.html",
        language=language,
        title=say("title", match=dispute.history.name, game=dispute.game, ply=dispute.ply),
        dispute=dispute,
        heading=heading,
        where=" · ".join(filter(None, (facts.event, facts.round, facts.table, facts.place, day))),
        turn=dispute.tries[-1].turn,
        sides=tuple(Side),
        score=lambda side: f"{game.light_score if side is Side.LIGHT else game.dark_score}{length}",
        say=say,
        word=word,
        count=lambda n: f"{word(Side.LIGHT if n > 0 else Side.DARK)}: {abs(n)}" if n else "-",
        reasons=lambda turn: offence_words(turn.reasons, language),
        diagram=lambda *what: Markup(diagram_svg(*what)),
        base64=lambda jpeg: base64.b64encode(jpeg).decode(),
        changed=_changed_points,
        readings_of=_readings,
        correction_text=_correction_text,
    )


def _readings(telling: Try) -> ReadingsTable | None:
    """What was seen of the points that changed, and of those that were not read as they were recorded."""
    positions = {"before": telling.turn.before, "after": telling.turn.after}
    ends = tuple(
        TurnEnd(role, position, picture.seen)
        for role, position in positions.items()
        for picture in telling.pictures
        if picture.role == role
    )
    points = _changed_points(telling.turn).union(
        *(_differing(each.position.points, each.seen["points"]) for each in ends)
    )
    return (
        ReadingsTable(ends, tuple(sorted(points, reverse=telling.turn.player is Side.DARK)))
        if ends and points
        else None
    )


def _correction_text(correction: Correction) -> str:
    payload = correction.payload
    parts = [str(correction.action)]
    if correction.action is Action.TURN:
        turn = payload["turn"]
        parts.append(f"{turn['ply']}: {turn['dice'][0]}-{turn['dice'][1]} {turn['move']}")
    parts += [str(payload[name]) for name in ("text", "light", "dark", "result") if name in payload]
    parts += [f"({part})" for part in (correction.by, correction.why) if part]
    return " ".join(parts)


def _changed_points(turn: Turn) -> set[int]:
    """The points, from light's side, that hold something else after the turn."""
    return _differing(turn.before.points, turn.after.points)


def _differing(some: Iterable[int], others: Iterable[int]) -> set[int]:
    pairs = zip(some, others, strict=True)
    return {point for point, (one, other) in enumerate(pairs, start=1) if one != other}
