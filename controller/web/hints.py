"""What a learner is shown on the page of the table: what may move and where to, and what an engine would play."""

from collections.abc import Iterator
from typing import Final

from controller.analysis.why.explaining import reason_words, risk_words
from controller.analysis.why.facts import facts_of
from controller.devices.lights.frame import Place
from controller.record.journal.journal import Json
from controller.referee import Phase, TurnJudged
from controller.referee.table.coach import Seen, Ways
from controller.referee.table.lamps import BEST, LANDINGS, MOVABLE
from controller.referee.table.lesson import course_of, teaches
from controller.referee.table.settings import MOST_HINT
from controller.referee.table.state import Table, conduct_of
from controller.rules import Play, Position, Side, format_play, play_between
from controller.web.audience import Audience
from controller.web.table_service import Role
from controller.web.wording import Wording

SHOWN: Final = 3
"""As many plays are shown at the highest level."""


def hints_content(table: Table, audience: Audience, wording: Wording) -> Json:
    """The hints as plain values; null where the rules allow none, and for those who only look on."""
    allowed = conduct_of(table).shows_landing_points() and table.phase is not Phase.MATCH_OVER
    if not allowed or audience.role is Role.VIEWER:
        return None
    course = course_of(table) if teaches(table) and table.early is None else None
    seen = table.lesson
    movable, landings = ([], {}) if course is None or seen is None else _moves(course, seen, table.hint)
    can_move = course is not None and len(course.stages) > 1
    plays = [] if course is None else [*_plays(table, wording)]
    return {
        "level": table.hint,
        "most": MOST_HINT,
        "movable": movable,
        "landings": landings,
        "asked": can_move and table.hint >= BEST and not table.advised,
        "plays": plays,
    }


def announced_content(table: Table) -> Json:
    """The play of an engine that a person is to carry out: text and steps; null where there is none."""
    thrown = table.thrown
    if table.announced is None or table.phase is not Phase.MOVING or thrown is None or thrown.side is None:
        return None
    play = play_between(
        table.position, thrown.side, thrown.roll, table.announced, table.match.game.profile.movement
    )
    return {
        "side": str(thrown.side),
        "text": format_play(play or ()),
        "steps": _steps(play or (), thrown.side),
    }


def why_content(table: Table, turn: TurnJudged, wording: Wording) -> Json:
    """One sentence about a play that was made, beside what an engine would have played; null where none is known."""
    rated = table.rated
    if rated is None or rated.ply != turn.ply or rated.before != turn.before or not teaches(table):
        return None
    return reason_words(turn, rated.plays, wording.language)


def _moves(course: Ways, seen: Seen, level: int) -> tuple[list[Json], dict[str, Json]]:
    """Where a checker may be lifted, and where each of them may land."""
    movable = sorted(course.movable(seen.stage), key=str) if level >= MOVABLE else []
    lifted = [] if seen.lifted is None else [seen.lifted]
    landings: dict[str, Json] = {
        str(place): _places(course.landings(seen.stage, place))
        for place in [*movable, *lifted]
        if level >= LANDINGS
    }
    return [*movable], landings


def _places(places: frozenset[Place]) -> list[Json]:
    return [*sorted(places, key=str)]


def _plays(table: Table, wording: Wording) -> Iterator[Json]:
    """The best plays, at the lower level the best one alone; with what each of them risks."""
    thrown = table.thrown
    if table.hint < BEST or thrown is None or thrown.side is None:
        return
    for after, loss in table.advised[: SHOWN if table.hint >= MOST_HINT else 1]:
        yield _play(table, after, loss, wording)


def _play(table: Table, after: Position, loss: float, wording: Wording) -> Json:
    thrown, rules = table.thrown, table.match.game.profile.movement
    assert thrown is not None
    assert thrown.side is not None
    side = thrown.side
    play = play_between(table.position, side, thrown.roll, after, rules) or ()
    return {
        "text": format_play(play),
        "steps": _steps(play, side),
        "loss": round(loss, 3),
        "risk": risk_words(facts_of(after, side), wording.language),
    }


def _steps(play: Play, side: Side) -> list[Json]:
    """The single moves in the numbering of the side that makes them."""
    return [{"side": str(side), "from": move.source, "to": move.target, "hit": move.hit} for move in play]
