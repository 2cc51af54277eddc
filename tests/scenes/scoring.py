"""What a referee made of a scene, compared with what was done in it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Any, Final

from controller.rules.position import Position, Side
from tests.bench.reliability import Stated
from tests.scenes.stage import Deed, Ply, Scene

Line = Mapping[str, Any]

STATEMENTS: Final = frozenset(
    {
        *(
            "set_up_right",
            "roll_to_start",
            "tie",
            "tie_doubled",
            "starts",
            "to_roll",
            "name_double",
            "plays_double",
        ),
        *(
            "rolls_again",
            "no_play",
            "put_back",
            "choose",
            "stands",
            "play_again",
            "roll_not_due",
            "roll_before_answer",
        ),
        *(
            "cocked",
            "passes",
            "not_your_clock",
            "answer_is_others",
            "consent_asked",
            "doubles",
            "beavers",
            "takes",
        ),
        *(
            "drops",
            "resigns",
            "resignation_refused",
            "refused",
            "not_now",
            "no_aids",
            "profile_fixed",
            "ruled",
        ),
        *(
            "paused",
            "goes_on",
            "time_over",
            "device_gone",
            "device_back",
            "board_trouble",
            "roll_again",
            "game_won",
        ),
        *("game_drawn", "match_won", "resumed", "corrected"),
    }
)
"""What the device says without asking. Whatever else it says is a question, also what it may learn to say."""
NAMES_SIDE: Final = frozenset({"side", "by", "player"})
"""Arguments of a message that tell who did something."""


class Verdict(StrEnum):
    """What became of a scene, in a word."""

    RIGHT = "right"
    ASKED = "asked"
    LOST = "lost"
    WRONG = "wrong"
    ACCUSED = "accused"
    NAMED = "named"
    OTHER_NAME = "other name"
    SILENT = "silent"


class Fit(StrEnum):
    """How a line that tells of a legal play fits what was done."""

    TRUE = "true"
    MISPLACED = "misplaced"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one scene.

    Attributes:
        verdict: in a word: for an honest scene right, asked, lost, wrong or accused; else named, other name, asked or
            silent.
        honest_accused: somebody was accused who did nothing wrong.
        invented: legal plays that stand in the record as certain, and that nobody made.
        invented_unsure: the same with a doubt beside them.
        misplaced: legal plays that were made so, and stand in the record with a board that did not lie there.
        why: what speaks for the verdict, for people.
        stated: the turns whose probability the referee told.
    """

    verdict: Verdict
    honest_accused: bool
    invented: int
    invented_unsure: int
    misplaced: int
    why: tuple[str, ...]
    stated: tuple[Stated, ...] = ()


@dataclass(frozen=True)
class Told:
    """What the referee told in a scene, sorted."""

    answers: Sequence[Line]

    def turns(self) -> list[Line]:
        """All lines of turns, in their order."""
        return [line for line in self.answers if is_turn(line)]

    def record(self) -> list[Line]:
        """The last word on each ply of the game."""
        last: dict[int, Line] = {}
        for line in self.turns():
            last[line["ply"]] = line
        return [last[ply] for ply in sorted(last)]

    def acts(self) -> list[tuple[str, str]]:
        """What stands in the record about the cube."""
        kinds = ("doubled", "taken", "passed", "beavered")
        return [(line["kind"], line["side"]) for line in self.answers if line.get("kind") in kinds]

    def questions(self, since: float = 0.0) -> list[str]:
        """What people were asked, or was told as a doubt, from a moment on until the game is over."""
        game = takewhile(lambda line: line.get("kind") != "game_over", self.answers)
        return [text for line in game if line["t"] >= since and (text := _question(line)) is not None]

    def accusations(self) -> Iterator[tuple[str, int, frozenset[str]]]:
        """Who was called illegal, in which ply, and why."""
        for line in self.answers:
            if line.get("kind") == "flagged" or (is_turn(line) and line["legal"] is False):
                yield line["player"], line["ply"], _codes(line)

    def doubtful(self) -> set[int]:
        """The plies with a doubt beside them."""
        return {line["ply"] for line in self.answers if line.get("kind") == "unsure"}


def is_turn(line: Line) -> bool:
    """Whether a line tells of a turn."""
    return "player" in line and "legal" in line and line.get("kind") in (None, "passes")


def score(scene: Scene, answers: Sequence[Line]) -> Outcome:
    """What became of a scene."""
    told = Told(answers)
    record = told.record()
    written = [
        (line, _fits(scene, record, number)) for number, line in enumerate(record) if line["legal"] is True
    ]
    invented = [line for line, fits in written if fits is Fit.INVENTED]
    misplaced = [line for line, fits in written if fits is Fit.MISPLACED]
    doubtful = told.doubtful()
    sure = [line for line in invented if line["ply"] not in doubtful]
    if scene.deed is None:
        verdict, why = _honest(scene, told)
        accused = [*why] if verdict is Verdict.ACCUSED else []
    else:
        verdict, why = _guilty(scene, scene.deed, told)
        deeds = [scene.deed, scene.deed.before]
        accused = [
            _accusation(one)
            for one in told.accusations()
            if not any(each and _is_for_deed(each, one) for each in deeds)
        ]
        accused += [_said(line) for line in answers if _blames(scene.deed, line, scene.deed.side.opponent)]
        why = (*why, *(f"accused: {one}" for one in accused))
    return Outcome(
        verdict,
        honest_accused=bool(accused),
        invented=len(sure),
        invented_unsure=len(invented) - len(sure),
        misplaced=len(misplaced),
        why=(
            *why,
            *(f"invented: {_brief(line)}" for line in invented),
            *(f"misplaced: {_brief(line)}" for line in misplaced),
        ),
        stated=tuple(_stated(scene.plies, told.record())),
    )


def _honest(scene: Scene, told: Told) -> tuple[Verdict, tuple[str, ...]]:
    accused = [one for one in told.accusations() if not one[2] or not one[2] <= scene.excused]
    if accused:
        return Verdict.ACCUSED, tuple(map(_accusation, accused))
    differences = tuple(_differences(scene, told))
    questions = tuple(f"asked: {text}" for text in told.questions())
    if differences:
        return Verdict.LOST if questions else Verdict.WRONG, (*differences, *questions)
    return Verdict.ASKED if questions else Verdict.RIGHT, questions


def _guilty(scene: Scene, deed: Deed, told: Told) -> tuple[Verdict, tuple[str, ...]]:
    against = [one for one in told.accusations() if _is_for_deed(deed, one)]
    said = [text for line in told.answers if (text := _naming(deed, line)) is not None]
    named = [one for one in against if one[2] & deed.codes]
    missing = deed.corrected and not _is_put_right(scene, deed, told)
    if (named or said) and not missing:
        return Verdict.NAMED, (*map(_accusation, named), *said)
    if against:
        return Verdict.OTHER_NAME, tuple(map(_accusation, against))
    questions = told.questions(deed.t)
    if questions:
        return Verdict.ASKED, tuple(f"asked: {text}" for text in questions)
    return Verdict.SILENT, tuple(_brief(line) for line in told.record() if line["ply"] == deed.ply)


def _is_for_deed(deed: Deed, accusation: tuple[str, int, frozenset[str]]) -> bool:
    """Whether an accusation can be meant for the deed: it is against who did it, and not about an earlier turn.

    Who was not on turn can be accused in the turn before or in the one after.
    """
    player, ply, _ = accusation
    return player == deed.side and ply >= deed.ply - 1


def _naming(deed: Deed, line: Line) -> str | None:
    """Something said that names the deed: a message of its own, or one that tells whose deed it was."""
    if line.get("kind") != "told" or line["t"] < deed.t:
        return None
    if line["message"] in deed.messages or _blames(deed, line, deed.side):
        return _said(line)
    return None


def _blames(deed: Deed, line: Line, side: Side) -> bool:
    """Whether a message tells that the deed was that of ``side``."""
    if line.get("kind") != "told" or line["message"] not in deed.whose:
        return False
    arguments = line.get("arguments") or {}
    return {str(arguments[key]) for key in NAMES_SIDE if key in arguments} == {str(side)}


def _said(line: Line) -> str:
    return f"said: {line['message']} {line.get('arguments') or ''}".strip()


def _is_put_right(scene: Scene, deed: Deed, told: Told) -> bool:
    """Whether the record has the illegal play, and after it the one that took its place."""
    lines = [line for line in told.turns() if line["ply"] == deed.ply]
    illegal = [
        line["legal"] is False and line["position"] in _compacts(scene.plies[deed.ply].tried)
        for line in lines
    ]
    last = bool(lines) and lines[-1]["legal"] is True and _happened(scene.plies, lines[-1])
    return any(illegal) and last


def _differences(scene: Scene, told: Told) -> Iterator[str]:
    """Where the record is not what was done."""
    record = told.record()
    for number, ply in enumerate(scene.plies):
        if number >= len(record):
            if ply.open:
                continue
            yield f"ply {number} is not in the record"
        elif not _is_told(ply, record[number]):
            yield f"ply {number}: {ply.side} {ply.dice} {ply.after.compact()} is told as {_brief(record[number])}"
    for line in record[len(scene.plies) :]:
        yield f"nobody made {_brief(line)}"
    if told.acts() != list(scene.acts):
        yield f"the cube: {list(scene.acts)} is told as {told.acts()}"


def _is_told(ply: Ply, line: Line) -> bool:
    """Whether a line tells exactly what was done; of a turn not confirmed, as far as it says anything."""
    dice = sorted(ply.dice or ())
    same = line["player"] == ply.side and line["position"] in _compacts((ply.after, *ply.also))
    return same and sorted(line["dice"] or ()) == dice and line["legal"] in (ply.legal, None)


def _fits(scene: Scene, record: Sequence[Line], number: int) -> Fit:
    """How a line of the record fits: was the play made, and did the board lie so?"""
    line = record[number]
    if _happened(scene.plies, line):
        return Fit.TRUE
    before = Position.seen_compact(record[number - 1]["position"]) if number else scene.position
    moved = _changes(before, Position.seen_compact(line["position"]))
    stood = [scene.position]
    for at, ply in enumerate(scene.plies):
        ends = (ply.after, *ply.also)
        near = abs(at - line["ply"]) < NEAR and line["player"] == ply.side and ply.legal
        if near and any(moved == _changes(one, end) for one in stood for end in ends):
            return Fit.MISPLACED
        stood = [ply.after, *ply.also]
    return Fit.INVENTED


NEAR: Final = 3
"""A play is looked for in so few turns around the one of which a line tells."""


def _changes(before: Position, after: Position) -> tuple[int, ...]:
    """By how many checkers each point and both bars changed."""
    pairs = zip(before.points, after.points, strict=True)
    bars = (after.bar(side) - before.bar(side) for side in Side)
    return (*(new - old for old, new in pairs), *bars)


def _happened(plies: Sequence[Ply], line: Line) -> bool:
    """Whether the board lay so after some turn of that player."""
    return any(
        line["player"] == ply.side and line["position"] in _compacts((ply.after, *ply.tried, *ply.also))
        for ply in plies
    )


def _stated(plies: Sequence[Ply], record: Sequence[Line]) -> Iterator[Stated]:
    for line in record:
        probability = line.get("probability")
        if isinstance(probability, int | float) and line["legal"] is not None and line["ply"] < len(plies):
            ply = plies[line["ply"]]
            told = line["player"] == ply.side and line["position"] in _compacts((ply.after, *ply.also))
            yield Stated(float(probability), told and line["legal"] is ply.legal)


def _question(line: Line) -> str | None:
    """What a line asks, None if it asks nothing."""
    if line.get("kind") == "told" and line["message"] not in STATEMENTS:
        return f"{line['message']} {line.get('points') or ''}".strip()
    if line.get("kind") == "unsure":
        return f"unsure about ply {line['ply']} {line.get('points') or ''}".strip()
    if is_turn(line) and line["legal"] is None:
        return f"ply {line['ply']} is not confirmed"
    return None


def _codes(line: Line) -> frozenset[str]:
    reasons = line.get("reasons") or ()
    return frozenset({str(reason["code"]) for reason in reasons} | set(line.get("codes") or ()))


def _compacts(positions: Iterable[Any]) -> set[str]:
    return {position.compact() for position in positions}


def _accusation(one: tuple[str, int, frozenset[str]]) -> str:
    player, ply, codes = one
    return f"{player} in ply {ply}: {', '.join(sorted(codes))}"


def _brief(line: Line) -> str:
    legal = {True: "legal", False: "illegal", None: "not confirmed"}[line["legal"]]
    dice = "-".join(map(str, line["dice"] or ()))
    return f"ply {line['ply']} {line['player']} {dice} {line['move']} {legal} {line['position']}"


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of several scenes of a kind."""

    outcomes: tuple[Outcome, ...]

    @property
    def verdicts(self) -> Counter[Verdict]:
        """How many of each."""
        return Counter(one.verdict for one in self.outcomes)

    @property
    def honest_accused(self) -> int:
        """Scenes in which somebody honest was accused."""
        return sum(one.honest_accused for one in self.outcomes)

    @property
    def invented(self) -> int:
        """Scenes in whose record legal plays stand as certain that nobody made."""
        return sum(one.invented > 0 for one in self.outcomes)

    @property
    def invented_unsure(self) -> int:
        """Scenes in whose record legal plays stand with a doubt beside them that nobody made."""
        return sum(one.invented_unsure > 0 for one in self.outcomes)

    @property
    def misplaced(self) -> int:
        """Scenes in whose record legal plays stand with a board that did not lie there."""
        return sum(one.misplaced > 0 for one in self.outcomes)
