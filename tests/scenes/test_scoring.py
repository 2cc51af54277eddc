"""What became of a scene follows from what was told and what was done, and from nothing else."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from controller.rules.position import Position, Side
from tests.scenes.catalogue import KINDS
from tests.scenes.scoring import Outcome, Verdict, score
from tests.scenes.stage import Ply, Scene


@cache
def honest() -> Scene:
    return KINDS["plays on, done pressed"].scene(1)


@cache
def cheating() -> Scene:
    return KINDS["illegal play left standing, play goes on"].scene(1)


@cache
def pushing() -> Scene:
    return KINDS["pushes his checker out of turn, seen before the roll"].scene(1)


ASKED = {"t": 1e6, "kind": "told", "message": "look", "arguments": {}, "points": [7]}


def line(number: int, ply: Ply, **changed: Any) -> dict[str, Any]:
    told = {"t": 1e6, "ply": number, "player": str(ply.side), "dice": list(ply.dice or ()), "move": "a play"}
    return told | {"legal": ply.legal, "reasons": [], "position": ply.after.compact()} | changed


def record(scene: Scene, changed: Mapping[int, Mapping[str, Any]] | None = None) -> list[dict[str, Any]]:
    """The true record, but for what is changed in some turns."""
    return [line(number, ply, **(changed or {}).get(number, {})) for number, ply in enumerate(scene.plies)]


def verdict(scene: Scene, answers: Sequence[Mapping[str, Any]]) -> Verdict:
    return score(scene, answers).verdict


def shifted(board: Position, before: Position, after: Position) -> str:
    """The board with the checkers moved that lie otherwise before and after."""
    columns = zip(board.points, before.points, after.points, strict=True)
    points = [count + new - old for count, old, new in columns]
    return Position.seen(points, board.bar(Side.LIGHT), board.bar(Side.DARK)).compact()


def of_deed(**changed: Any) -> Outcome:
    assert cheating().deed is not None
    return score(cheating(), record(cheating(), {cheating().deed.ply: changed}))


def test_a_true_record_without_a_question_is_right() -> None:
    assert verdict(honest(), record(honest())) is Verdict.RIGHT
    assert verdict(honest(), [*record(honest()), ASKED]) is Verdict.ASKED


def test_another_record_is_lost_with_a_question_and_wrong_without() -> None:
    other = record(honest(), {1: {"dice": [9, 9]}})
    assert verdict(honest(), other) is Verdict.WRONG
    assert verdict(honest(), [*other, ASKED]) is Verdict.LOST


def test_a_turn_that_is_missing_or_made_up_makes_another_record() -> None:
    true = record(honest())
    assert verdict(honest(), true[:-1]) is Verdict.WRONG
    assert verdict(honest(), [*true, line(len(true), honest().plies[-2])]) is Verdict.WRONG


def test_the_last_word_counts() -> None:
    first = line(1, honest().plies[1], position=honest().position.compact())
    assert verdict(honest(), [first, *record(honest())]) is Verdict.RIGHT


@pytest.mark.parametrize("kind", ["flagged", None])
def test_whoever_is_called_illegal_in_an_honest_scene_is_accused(kind: str | None) -> None:
    accusing = line(1, honest().plies[1], legal=False, reasons=[{"code": "backwards"}])
    accusing |= {} if kind is None else {"kind": kind}
    assert verdict(honest(), [accusing, *record(honest())]) is Verdict.ACCUSED


def test_a_turn_that_is_not_confirmed_is_a_question_and_never_a_legal_play() -> None:
    outcome = score(honest(), record(honest(), {1: {"legal": None}}))
    assert (outcome.verdict, outcome.invented) == (Verdict.ASKED, 0)
    elsewhere = of_deed(legal=None, position=honest().position.compact(), move=None)
    assert (elsewhere.verdict, elsewhere.invented, elsewhere.invented_unsure) == (Verdict.ASKED, 0, 0)


def test_a_legal_play_that_nobody_made_is_counted_apart_where_a_doubt_stands_beside_it() -> None:
    assert cheating().deed is not None
    other = {cheating().deed.ply: {"legal": True, "position": honest().position.compact()}}
    sure = score(cheating(), record(cheating(), other))
    assert (sure.verdict, sure.invented, sure.invented_unsure) == (Verdict.SILENT, 1, 0)
    doubt = {"t": 1e6, "kind": "unsure", "ply": cheating().deed.ply, "points": []}
    asked = score(cheating(), [doubt, *record(cheating(), other)])
    assert (asked.verdict, asked.invented, asked.invented_unsure) == (Verdict.ASKED, 0, 1)


def test_a_true_play_on_a_board_that_did_not_lie_there_is_misplaced_and_not_invented() -> None:
    assert pushing().deed is not None
    number = pushing().deed.ply
    stood, pushed = pushing().plies[number - 1].also
    without = line(
        number, pushing().plies[number], position=shifted(pushing().plies[number].after, pushed, stood)
    )
    told = [
        *record(pushing())[: number - 1],
        line(number - 1, pushing().plies[number - 1], position=stood.compact()),
    ]
    outcome = score(pushing(), [*told, without])
    assert (outcome.invented, outcome.misplaced) == (0, 1)


def test_an_illegal_play_is_named_by_a_right_reason_only() -> None:
    assert cheating().deed is not None
    right = of_deed(reasons=[{"code": code} for code in cheating().deed.codes])
    assert (right.verdict, right.honest_accused) == (Verdict.NAMED, False)
    assert of_deed(reasons=[{"code": "stack_limit"}]).verdict is Verdict.OTHER_NAME


def test_who_is_accused_for_the_deed_of_somebody_else_is_counted() -> None:
    assert cheating().deed is not None
    number = cheating().deed.ply + 1
    accused = record(cheating(), {number: {"legal": False, "reasons": [{"code": "backwards"}]}})
    assert score(cheating(), accused).honest_accused


def test_a_question_names_a_deed_once_it_tells_whose_it_was() -> None:
    assert pushing().deed is not None
    question = {"t": 1e6, "kind": "told", "message": "moved_out_of_turn", "points": [3]}
    asked = [*record(pushing()), question | {"arguments": {"points": [3]}}]
    assert verdict(pushing(), asked) is Verdict.ASKED
    named = [*record(pushing()), question | {"arguments": {"points": [3], "side": str(pushing().deed.side)}}]
    assert verdict(pushing(), named) is Verdict.NAMED
    other = [*record(pushing()), question | {"arguments": {"side": str(pushing().deed.side.opponent)}}]
    assert verdict(pushing(), other) is Verdict.ASKED
    assert score(pushing(), other).honest_accused


def test_how_sure_a_turn_was_told_is_kept_with_whether_it_was_so() -> None:
    stated = score(
        honest(), record(honest(), {0: {"probability": 0.98}, 1: {"probability": 0.6, "legal": False}})
    ).stated
    assert [(one.confidence, one.right) for one in stated] == [(0.98, True), (0.6, False)]
