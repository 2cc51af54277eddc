"""What needs the director at a table: each matter in words, with the rulings that settle it and where they lead."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from controller.record.journal.journal import Json
from controller.record.match.corrections import CorrectionError, after_moves
from controller.referee import Message, Phase, TurnJudged
from controller.referee.actions import Candidate
from controller.referee.events import DIRECTOR
from controller.referee.table.choices import choices_of
from controller.referee.table.state import PLAYERS, Table
from controller.rules import Position, Side, format_play
from controller.telling.table import fault_words
from controller.web.course import RecentCourse, RecentTurn
from controller.web.question import question_of
from controller.web.table_service import RoomView
from controller.web.wire.attention_kind import AttentionKind
from controller.web.wording import Wording, percent

URGENCY: Final = {kind: number for number, kind in enumerate(AttentionKind)}
DOUBTS: Final = frozenset({"unsure", "put_back", "board_other", "second_roll", "early_roll", "cube"})
"""Questions to the players that the director may answer as well."""
SETTLE: Final = "settle"
"""What a ruling says that changes nothing: the matter is closed as it stands."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A way to settle a matter.

    Attributes:
        name: its entry under ``live.ruling`` in the catalogues.
        what: the command that it is, or `SETTLE`.
        keys: of the command.
        position: how the checkers lie after it; None where that does not matter.
        play: the play that it names.
    """

    name: str
    what: str
    keys: Mapping[str, Json] = field(default_factory=dict)
    position: Position | None = None
    play: str = ""

    def content(self, wording: Wording) -> dict[str, Json]:
        """The ruling as plain values."""
        return {
            "what": self.what,
            "keys": dict(self.keys),
            "text": wording.live("ruling", self.name, play=self.play),
            "sure": wording.live("ruling_sure", self.name, play=self.play),
            "position": None if self.position is None else self.position.compact(),
        }


@dataclass(frozen=True, slots=True)
class AttentionItem:
    """Something that needs the director.

    Attributes:
        id: its name, the same for as long as it is open.
        heading, text: what, and why, in words.
        turn: the turn that it is about.
        rulings: what they may say.
        likely: what the turn may have been, in words and with how probable it is, the likeliest first.
        waits: the players see to it themselves unless the director does.
    """

    kind: AttentionKind
    id: str
    heading: str
    text: str = ""
    turn: RecentTurn | None = None
    rulings: tuple[Ruling, ...] = ()
    waits: bool = False
    likely: tuple[tuple[str, float], ...] = ()

    @property
    def urgency(self) -> int:
        """The order in which matters are listed, 0 first."""
        return len(URGENCY) if self.waits else URGENCY[self.kind]

    @property
    def can_settle(self) -> bool:
        """Whether it may be closed as it stands."""
        return any(ruling.what == SETTLE for ruling in self.rulings)


class AttentionList:
    """Since when matters are open, and which of them were closed as they stood. For the thread of the web server."""

    def __init__(self) -> None:
        """Nothing has come up yet."""
        self._since: dict[str, int] = {}
        self._closable: set[str] = set()
        self._settled: set[str] = set()

    def open(self, matters: tuple[AttentionItem, ...], now_ms: int) -> tuple[tuple[AttentionItem, int], ...]:
        """Those that are open with the time at which they came up, the most urgent first, then the oldest."""
        self._since = {each.id: self._since.get(each.id, now_ms) for each in matters}
        self._closable = {each.id for each in matters if each.can_settle}
        self._settled &= self._since.keys()
        left = ((each, self._since[each.id]) for each in matters if each.id not in self._settled)
        return tuple(sorted(left, key=lambda each: (each[0].urgency, each[1])))

    def move_times(self, by_ms: int) -> None:
        """The clock was set by so much: what is open came up as long ago as before."""
        self._since = {matter: since + by_ms for matter, since in self._since.items()}

    def settle(self, matter: str) -> bool:
        """Close a matter as it stands; false if there is none such that may be."""
        if matter not in self._closable:
            return False
        self._settled.add(matter)
        return True


def attention_items(
    view: RoomView, course: RecentCourse, wording: Wording, lies: Position | None = None
) -> tuple[AttentionItem, ...]:
    """Everything at a table that needs the director; ``lies`` is how the checkers are seen to lie."""
    return tuple(_items(view, course, wording, lies))


def matter_content(matter: AttentionItem, since_ms: int, turn: Json, wording: Wording) -> dict[str, Json]:
    """A matter as plain values, ``turn`` being the turn that it is about."""
    return {
        "id": matter.id,
        "kind": str(matter.kind),
        "heading": matter.heading,
        "text": matter.text,
        "since_ms": since_ms,
        "turn": turn,
        "recorded": matter.turn is not None and not matter.turn.open,
        "before": None if matter.turn is None else matter.turn.turn.before.compact(),
        "after": None if matter.turn is None else matter.turn.turn.after.compact(),
        "rulings": [ruling.content(wording) for ruling in matter.rulings],
        "likely": [{"text": text, "percent": percent(share)} for text, share in matter.likely],
    }


def _items(
    view: RoomView, course: RecentCourse, wording: Wording, lies: Position | None
) -> Iterator[AttentionItem]:
    table = view.referee
    if table is not None:
        yield from _of_play(table, course, wording, lies)
        yield from _of_time(view, wording)
    for device in view.devices:
        if not device.ready:
            settled = (Ruling("known", SETTLE),)
            told = device.words(wording.language)
            heading = wording.live(
                "matter", "device", device=wording.texts.text("live", "device", device.name)
            )
            yield AttentionItem(AttentionKind.DEVICE, f"device-{device.name}", heading, told, rulings=settled)
    for notice in view.notices:
        heading = wording.live("matter", "notice")
        settled = (Ruling("known", SETTLE),)
        yield AttentionItem(
            AttentionKind.DEVICE, notice.id, heading, notice.words(wording.language), rulings=settled
        )
    if table is not None and table.phase is Phase.MATCH_OVER:
        yield _result(table, wording)


def _of_play(
    table: Table, course: RecentCourse, wording: Wording, lies: Position | None
) -> Iterator[AttentionItem]:
    game = table.match.number
    place = f"{game}-{table.ply}"
    last = next((each for each in course.turns if each.game == game), None)
    if table.phase is Phase.DISPUTE:
        text = "" if last is None else wording.verdict(last.turn)
        rulings = tuple(_rulings_of_dispute(table, last, lies))
        heading = wording.live("matter", "dispute")
        yield AttentionItem(AttentionKind.DISPUTE, f"dispute-{place}", heading, text, last, rulings)
    elif table.phase is Phase.PUT_RIGHT and table.flagged is not None:
        flagged = RecentTurn(game, replace(table.flagged, stands=False), PLAYERS, open=True)
        why = " ".join(fault_words(table.flagged, wording.language))
        heading = wording.live("matter", "illegal", side=table.flagged.side)
        rulings = tuple(_rulings_of_flagged(table, table.flagged))
        yield AttentionItem(
            AttentionKind.ILLEGAL,
            f"illegal-{game}-{table.flagged.ply}",
            heading,
            why,
            flagged,
            rulings,
            waits=True,
        )
    else:
        question = question_of(table, wording)
        if question is not None and question.kind in DOUBTS:
            answers = course.answers(table)
            likely = (_likely(answers, table.position, wording),) if answers else ()
            text = " ".join((wording.live("matter", "unanswered"), *likely))
            likely_plays = _explanations(answers, table.position, wording)
            yield AttentionItem(
                AttentionKind.UNSURE,
                f"{question.kind}-{place}",
                question.heading,
                text,
                last,
                likely=likely_plays,
            )
    yield from _untold(table, course, wording)
    yield from _unconfirmed(table, course, wording)


def _untold(table: Table, course: RecentCourse, wording: Wording) -> Iterator[AttentionItem]:
    """Illegal plays of this game of which only the director may know."""
    seen: set[tuple[int, int]] = set()
    for number, each in enumerate(course.turns):
        told = each.turn.legal is not False or each.to >= PLAYERS or not (each.open or each.turn.stands)
        if not told and each.place not in seen and each.game == table.match.number:
            heading = wording.live("matter", "untold", side=each.turn.side)
            why = " ".join(fault_words(each.turn, wording.language))
            rulings = tuple(_rulings_of_untold(table, each, newest=number == 0))
            yield AttentionItem(
                AttentionKind.ILLEGAL, f"illegal-{each.game}-{each.turn.ply}", heading, why, each, rulings
            )
        seen.add(each.place)


def _unconfirmed(table: Table, course: RecentCourse, wording: Wording) -> Iterator[AttentionItem]:
    """Turns of this game that nobody confirmed, with what they may have been; later pictures may still tell."""
    seen: set[tuple[int, int]] = set()
    for number, each in enumerate(course.turns):
        turn = each.turn
        if turn.legal is None and each.place not in seen and each.game == table.match.number:
            candidates = each.candidates or (
                Candidate(turn.text, None if turn.play is None else True, turn.after, turn.probability),
            )
            yield AttentionItem(
                AttentionKind.UNSURE,
                f"unconfirmed-{each.game}-{turn.ply}",
                wording.live("matter", "unconfirmed", side=turn.side),
                _likely(candidates, turn.before, wording),
                each,
                (*_rulings_of_unconfirmed(each, candidates, newest=number == 0), Ruling("known", SETTLE)),
                waits=True,
                likely=_explanations(candidates, turn.before, wording),
            )
        seen.add(each.place)


def _explanations(
    candidates: Sequence[Candidate], before: Position, wording: Wording
) -> tuple[tuple[str, float], ...]:
    return tuple((wording.candidate(each, before, share=False), each.probability) for each in candidates)


def _likely(candidates: Sequence[Candidate], before: Position, wording: Wording) -> str:
    """What a turn may have been, each with how probable it is."""
    plays = ", ".join(wording.candidate(each, before, share=True) for each in candidates)
    return wording.live("matter", "likely", plays=plays)


def _rulings_of_unconfirmed(
    each: RecentTurn, candidates: Sequence[Candidate], *, newest: bool
) -> Iterator[Ruling]:
    """That it was one of the plays; of an earlier turn only those that leave the board that play went on from."""
    place: dict[str, Json] = {"game": each.game, "ply": each.turn.ply}
    for candidate in candidates:
        if candidate.legal and candidate.text and (newest or candidate.after == each.turn.after):
            keys = {**place, "play": candidate.text}
            yield Ruling("play_was", "change_play", keys, candidate.after, candidate.text)
    yield Ruling("taken_back", "undo_ply", place, each.turn.before)


def _of_time(view: RoomView, wording: Wording) -> Iterator[AttentionItem]:
    clock, table = view.clock, view.referee
    if clock is None or table is None or table.phase is Phase.MATCH_OVER:
        return
    for side in Side:
        if clock.reserve_s[side] <= 0:
            rulings = (Ruling("forfeit", "forfeit", {"loser": str(side)}), Ruling("plays_on", SETTLE))
            heading = wording.message(Message.TIME_OVER, side=side)
            score = table.match.score
            text = wording.live("matter", "score", light=score.light, dark=score.dark)
            yield AttentionItem(AttentionKind.TIME, f"time-{side}", heading, text, rulings=rulings)


def _result(table: Table, wording: Wording) -> AttentionItem:
    winner, score = table.match.winner, table.match.score
    heading = wording.live("headline", "match_over" if winner is None else "won_match", side=winner or "")
    text = wording.live("matter", "score", light=score.light, dark=score.dark)
    return AttentionItem(AttentionKind.RESULT, "result", heading, text, rulings=(Ruling("result", SETTLE),))


def _rulings_of_dispute(table: Table, last: RecentTurn | None, lies: Position | None) -> Iterator[Ruling]:
    yield Ruling("goes_on", "go_on", position=table.position)
    if not _may_rule(table):
        return
    if lies is not None and lies != table.position and table.on_turn is not None:
        yield _ruled("as_it_lies", lies, table.on_turn)
    if last is not None:
        yield from _named(last.turn, table)
        yield _ruled("before_play", last.turn.before, last.turn.side)


def _rulings_of_flagged(table: Table, turn: TurnJudged) -> Iterator[Ruling]:
    yield Ruling("stands", "let_stand", position=turn.after)
    yield from _named(turn, table)
    if _may_rule(table):
        yield _ruled("before_play", turn.before, turn.side)


def _rulings_of_untold(table: Table, each: RecentTurn, *, newest: bool) -> Iterator[Ruling]:
    turn, place = each.turn, {"game": each.game, "ply": each.turn.ply}
    yield Ruling("stays", SETTLE, position=turn.after)
    ended = table.ended
    if ended is not None and ended.turn is not None and ended.turn.ply == turn.ply:
        if any(choice.what == "correct" for choice in choices_of(table, DIRECTOR)):
            yield Ruling("corrected", "correct", position=turn.before)
    elif newest and turn.instead is not None:
        after = _after(turn, table)
        if after is not None:
            play = format_play(turn.instead)
            yield Ruling("play_was", "change_play", {**place, "play": play}, after, play)
    yield Ruling("taken_back", "undo_ply", place, turn.before)


def _named(turn: TurnJudged, table: Table) -> Iterator[Ruling]:
    """The legal play that an illegal one is nearest to; the other side is then on roll."""
    after = _after(turn, table)
    if turn.legal is False and after is not None and turn.instead is not None:
        play = format_play(turn.instead)
        yield Ruling("play_is", "ruling", _keys(after, turn.side.opponent), after, play)


def _after(turn: TurnJudged, table: Table) -> Position | None:
    if turn.instead is None:
        return None
    try:
        return after_moves(turn.before, turn.side, turn.instead, table.match.game.profile.movement)
    except CorrectionError:
        return None


def _ruled(name: str, position: Position, on_roll: Side) -> Ruling:
    return Ruling(name, "ruling", _keys(position, on_roll), position)


def _keys(position: Position, on_roll: Side) -> dict[str, Json]:
    return {"position": position.compact(), "on_roll": str(on_roll)}


def _may_rule(table: Table) -> bool:
    return any(choice.what == "ruling" for choice in choices_of(table, DIRECTOR))
