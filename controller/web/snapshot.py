"""The whole state of a table, as one audience may see it: what a page draws and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from controller.messages.catalogue import LANGUAGES
from controller.messages.profile_words import title
from controller.messages.table_words import capital
from controller.record.journal.journal import Json
from controller.referee import Message, Phase, Told, TurnJudged
from controller.referee.belief.steps import moves_between
from controller.referee.table.state import Table
from controller.rules import Position, Profile, Side
from controller.rules.game.cube import shown_face
from controller.rules.game.match import Crawford
from controller.rules.moves.movement import MovementRules
from controller.rules.position import PositionError
from controller.rules.profile.profile import Layout
from controller.telling.table import fault_words, played_words
from controller.vision import Reading
from controller.web.attention import AttentionList, attention_items, matter_content
from controller.web.audience import Audience
from controller.web.buttons import buttons_of, by_hand
from controller.web.course import CourseLine, RecentCourse, RecentTurn
from controller.web.hints import announced_content, hints_content, why_content
from controller.web.question import question_of, resignation_words
from controller.web.table_service import ClockShown, Role, RoomView
from controller.web.wording import Wording

State = dict[str, Json]
VERSION: Final = 1


def state_of(
    view: RoomView,
    course: RecentCourse,
    audience: Audience,
    now_ms: int,
    reading: Reading | None = None,
    docket: AttentionList | None = None,
    late_s: float = 0.0,
) -> State:
    """What `hardware_docs/live.md` describes as the state; keys that do not apply are null.

    Args:
        view: the table.
        course: what was told lately.
        audience: who looks.
        now_ms: the time of day at which the clock of ``view`` is right, milliseconds since 1970.
        reading: what the camera sees, if anything.
        docket: since when matters are open that need the director.
        late_s: by how much this audience sees everything later.
    """
    wording = Wording.for_audience(view, audience)
    state: State = {
        "room": str(view.state),
        "language": audience.language,
        "languages": [*LANGUAGES],
        "viewer": {"role": str(audience.role), "side": audience.side and str(audience.side)},
        "late_s": late_s,
        "light_home": view.light_home,
        "devices": [
            {"name": device.name, "ready": device.ready, "text": device.words(audience.language)}
            for device in view.devices
        ],
        "clock": clock_content(view.clock, now_ms),
        "talk": _talk(course, audience, wording),
        "needs": _needs(
            view,
            course,
            audience,
            wording=wording,
            reading=reading,
            now_ms=now_ms,
            docket=docket or AttentionList(),
        ),
        "course": _course(course, audience, wording),
        "demo": _demo(view, audience),
    }
    table = view.referee
    if table is None:
        empty = dict.fromkeys(OF_MATCH)
        headline = wording.live("room", "later" if late_s else str(view.state))
        return state | empty | {"headline": headline, "plays": [], "allowed": []}
    answers = course.answers(table)
    question = question_of(table, wording, answers)
    shared = audience.side is None
    matters = matters_of(view, audience) | {"question": None if question is None else question.content()}
    return state | {
        **matters,
        "dice": _dice(table, course, audience),
        "plays": [_play(each, wording) for each in course.plays(audience)],
        "hints": hints_content(table, audience, wording),
        "announced": announced_content(table),
        "why": _why(table, course, audience, wording),
        "headline": _headline(table, wording),
        "seen": _seen(table, audience, reading, view.t_s),
        "allowed": [
            shown
            for each in buttons_of(table, audience, answers)
            for shown in by_hand(each.content(table, wording, shared=shared), view.demo, wording)
        ],
    }


def matters_of(view: RoomView, audience: Audience) -> State:
    """Those keys of the state that `MATTERS` names."""
    wording, table = Wording.for_audience(view, audience), view.referee
    if table is None:
        return {"room": str(view.state)}
    question = question_of(table, wording)
    return {
        "room": str(view.state),
        "phase": str(table.phase),
        "on_turn": table.on_turn and str(table.on_turn),
        "match": _match(view, table, wording),
        "position": table.position.compact(),
        "cube": _cube(table),
        "resignation": _resignation(table, wording),
        "question": None if question is None else question.content(),
    }


def _demo(view: RoomView, audience: Audience) -> Json:
    """What a simulated table tells beside itself; for those who may say something there."""
    demo = view.demo
    if demo is None or audience.role is Role.VIEWER:
        return None
    hands = demo.hands
    return {
        "text": demo.words and demo.words(audience.language),
        "hands": None if hands is None else {"position": hands.position.compact(), "side": str(hands.side)},
    }


MATTERS: Final = frozenset(
    {"phase", "on_turn", "position", "match", "cube", "resignation", "question", "room"}
)
"""What must not have changed since a page was told of it, for what its people press to be done."""
OF_MATCH: Final = (
    "phase",
    "on_turn",
    "match",
    "position",
    "cube",
    "resignation",
    "dice",
    "question",
    "seen",
    "hints",
    "announced",
    "why",
)
"""The keys that are null without a match."""


def clock_content(clock: ClockShown | None, now_ms: int) -> Json:
    """The clock as plain values, right at ``now_ms``."""
    if clock is None:
        return None
    return {
        "light_s": round(clock.reserve_s[Side.LIGHT], 1),
        "dark_s": round(clock.reserve_s[Side.DARK], 1),
        "runs": clock.runs and str(clock.runs),
        "delay_s": round(clock.delay_s, 1),
        "at_ms": now_ms,
    }


def play_content(turn: TurnJudged, game: int, wording: Wording, *, sure: bool = True) -> State:
    """A play as plain values, its steps in the numbering of whoever makes them."""
    return {
        "game": game,
        "ply": turn.ply,
        "player": str(turn.side),
        "dice": [*turn.roll.dice],
        "move": turn.text,
        "words": played_words(turn, wording.language),
        "steps": [*_steps(turn, wording.rules)],
        "legal": turn.legal,
        "stands": turn.stands,
        "unsure": not sure or turn.legal is None,
        "text": wording.verdict(turn),
        "reasons": [*fault_words(turn, wording.language)] if turn.legal is False else [],
    }


def _play(each: RecentTurn, wording: Wording) -> State:
    # Whether a play that can still be put right will stand is not known yet.
    turn = replace(each.turn, stands=False) if each.open else each.turn
    return play_content(turn, each.game, wording, sure=each.sure)


def _why(table: Table, course: RecentCourse, audience: Audience, wording: Wording) -> Json:
    """One sentence about the last play, for learners; null where there is nothing to say."""
    last = next(iter(course.plays(audience)), None)
    if last is None or last.open or table.phase is Phase.MOVING or audience.role is Role.VIEWER:
        return None
    return why_content(table, last.turn, wording)


def _steps(turn: TurnJudged, rules: MovementRules) -> Iterator[Json]:
    """The single moves in their order; of an illegal play, or one that nobody may know to be illegal, as it looks."""
    moves: Any = turn.play
    if moves is None:
        moves = moves_between(turn.before, turn.after, turn.side, turn.roll, rules)
    for move in moves:
        yield {"side": str(turn.side), "from": move.source, "to": move.target, "hit": move.hit}


def _match(view: RoomView, table: Table, wording: Wording) -> State:
    shown, match = view.match, table.match
    names = {side: (shown.names.get(side) if shown else "") or wording.side(side) for side in Side}
    over = table.phase is Phase.GAME_OVER
    return {
        "id": "" if shown is None else shown.id,
        "light": capital(names[Side.LIGHT]),
        "dark": capital(names[Side.DARK]),
        "short": {str(side): capital(wording.side(side)) for side in Side},
        "length": match.terms.length,
        "score": {"light": match.score.light, "dark": match.score.dark},
        "game": max(1, match.number - over),
        "crawford": match.crawford is Crawford.NOW,
        "profile": title(match.game.profile, wording.language),
        **game_content(match.game.profile),
        "event": shown.event if shown else "",
        "round": shown.round if shown else "",
        "place": shown.place if shown else "",
        "table": shown.table if shown else "",
        "winner": match.winner and str(match.winner),
    }


def game_content(profile: Profile) -> State:
    """What a page has to know of the game to draw it."""
    rules = profile.movement
    return {
        "variant": str(rules.variant),
        "direction": str(rules.direction),
        "contact": str(rules.contact),
        "checkers": rules.checkers,
        "in_hand": profile.opening.layout is Layout.IN_HAND,
    }


def _cube(table: Table) -> State:
    game = table.match.game
    offer = game.offer
    offered: Json = None
    if offer is not None:
        offered = {"kind": str(offer.kind), "by": str(offer.by), "to": str(offer.to), "value": offer.value}
    return {
        "value": game.cube.value,
        "face": shown_face(game.cube, game.profile.cube),
        "owner": game.cube.owner and str(game.cube.owner),
        "in_play": game.has_cube,
        "offer": offered,
    }


def _resignation(table: Table, wording: Wording) -> Json:
    offered = table.match.game.resignation
    if offered is None:
        return None
    return {
        "by": str(offered.by),
        "to": str(offered.by.opponent),
        "amount": offered.amount,
        "text": resignation_words(table, wording),
    }


def _dice(table: Table, course: RecentCourse, audience: Audience) -> Json:
    """The dice that lie there; after the play those that were played, until the next roll."""
    thrown = table.thrown
    if thrown is not None:
        values = thrown.dice or thrown.roll.dice
        sure = thrown.dice is not None or table.sightings.sure
        return {"side": thrown.side and str(thrown.side), "values": [*values], "played": False, "sure": sure}
    last = next(iter(course.plays(audience)), None)
    if last is None or table.phase not in (Phase.TO_ROLL, Phase.CUBE_OFFERED, Phase.RESIGNATION_OFFERED):
        return None
    return {
        "side": str(last.turn.side),
        "values": [*last.turn.roll.dice],
        "played": True,
        "sure": True,
    }


def _headline(table: Table, wording: Wording) -> str:
    """Who acts, in one short sentence."""
    side, winner = table.on_turn, table.match.winner
    if table.phase is Phase.MATCH_OVER and winner is not None:
        return wording.live("headline", "won_match", side=winner)
    if table.phase is Phase.GAME_OVER and table.match.results:
        result = table.match.results[-1]
        if result.is_drawn:
            return wording.message(Message.GAME_DRAWN)
        return wording.live("headline", "won_game", side=result.winner)
    if table.phase is Phase.PUT_RIGHT and table.flagged is not None:
        return wording.live("headline", "put_right", side=table.flagged.side)
    if table.phase is Phase.RESIGNATION_OFFERED and table.match.game.resignation is not None:
        side = table.match.game.resignation.by.opponent
    name = str(table.phase) if side is not None else f"{table.phase}_nobody"
    entries = wording.texts.names("live", "headline")
    if name not in entries:
        name = str(table.phase)
    return wording.live("headline", name, side="" if side is None else side)


def _talk(course: RecentCourse, audience: Audience, wording: Wording) -> str | None:
    for each in reversed(course.said):
        if audience.hears(each.to, each.mover):
            return wording.told(each.words) if isinstance(each.words, Told) else each.words(wording.language)
    return None


def _needs(
    view: RoomView,
    course: RecentCourse,
    audience: Audience,
    wording: Wording,
    reading: Reading | None,
    now_ms: int,
    docket: AttentionList,
) -> Json:
    """What needs the director; for the director alone."""
    if audience.role is not Role.DIRECTOR:
        return None
    open_matters = docket.open(attention_items(view, course, wording, _lies(reading)), now_ms)
    return [
        matter_content(matter, since, None if matter.turn is None else _play(matter.turn, wording), wording)
        for matter, since in open_matters
    ]


def _course(course: RecentCourse, audience: Audience, wording: Wording) -> Json:
    """What was told lately and when; for the director alone."""
    if audience.role is not Role.DIRECTOR:
        return None
    return [{"t_s": round(line.t_s, 1), "text": _line_text(line, wording)} for line in course.lines]


def _line_text(line: CourseLine, wording: Wording) -> str:
    told = line.told
    if isinstance(told, RecentTurn):
        return wording.verdict(replace(told.turn, stands=False) if told.open else told.turn)
    return wording.told(told.words) if isinstance(told.words, Told) else told.words(wording.language)


def _lies(reading: Reading | None) -> Position | None:
    """How the checkers are seen to lie, if every pile is seen and sure."""
    if reading is None or reading.hand or reading.unsure or reading.covered:
        return None
    try:
        return Position.seen(reading.points, reading.bar.light or 0, reading.bar.dark or 0)
    except PositionError:
        return None


def _seen(table: Table, audience: Audience, reading: Reading | None, t: float) -> Json:
    """What the camera shows, for the director, and for players while checkers are laid out."""
    setting_up = table.phase in (Phase.SET_UP, Phase.GAME_OVER)
    if reading is None or audience.role is Role.VIEWER or (audience.role is Role.PLAYER and not setting_up):
        return None
    try:
        position = Position.seen(reading.points, reading.bar.light or 0, reading.bar.dark or 0)
    except PositionError:
        return None
    return {
        "position": position.compact(),
        "unsure": [*sorted(reading.unsure)],
        "covered": [*sorted(reading.covered)],
        "hand": reading.hand,
        "dice": [die.value for die in reading.dice],
        "t": round(t, 1),
    }
