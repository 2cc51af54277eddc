"""What became of a scene follows from what was told and what was done, and from nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from controller.rules.position import Position, Side
from tests.scenes.catalogue import KINDS
from tests.scenes.scoring import Outcome, Verdict, score
from tests.scenes.stage import Ply, Scene

HONEST = KINDS["plays on, done pressed"].scene(1)
CHEATING = KINDS["illegal play left standing, play goes on"].scene(1)
PUSHING = KINDS["pushes his checker out of turn, seen before the roll"].scene(1)
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
    assert CHEATING.deed is not None
    return score(CHEATING, record(CHEATING, {CHEATING.deed.ply: changed}))


def test_a_true_record_without_a_question_is_right() -> None:
    assert verdict(HONEST, record(HONEST)) is Verdict.RIGHT
    assert verdict(HONEST, [*record(HONEST), ASKED]) is Verdict.ASKED


def test_another_record_is_lost_with_a_question_and_wrong_without() -> None:
    other = record(HONEST, {1: {"dice": [9, 9]}})
    assert verdict(HONEST, other) is Verdict.WRONG
    assert verdict(HONEST, [*other, ASKED]) is Verdict.LOST


def test_a_turn_that_is_missing_or_made_up_makes_another_record() -> None:
    true = record(HONEST)
    assert verdict(HONEST, true[:-1]) is Verdict.WRONG
    assert verdict(HONEST, [*true, line(len(true), HONEST.plies[-2])]) is Verdict.WRONG


def test_the_last_word_counts() -> None:
    first = line(1, HONEST.plies[1], position=HONEST.position.compact())
    assert verdict(HONEST, [first, *record(HONEST)]) is Verdict.RIGHT


@pytest.mark.parametrize("kind", ["flagged", None])
def test_whoever_is_called_illegal_in_an_honest_scene_is_accused(kind: str | None) -> None:
    accusing = line(1, HONEST.plies[1], legal=False, reasons=[{"code": "backwards"}])
    accusing |= {} if kind is None else {"kind": kind}
    assert verdict(HONEST, [accusing, *record(HONEST)]) is Verdict.ACCUSED


def test_a_turn_that_is_not_confirmed_is_a_question_and_never_a_legal_play() -> None:
    outcome = score(HONEST, record(HONEST, {1: {"legal": None}}))
    assert (outcome.verdict, outcome.invented) == (Verdict.ASKED, 0)
    elsewhere = of_deed(legal=None, position=HONEST.position.compact(), move=None)
    assert (elsewhere.verdict, elsewhere.invented, elsewhere.invented_unsure) == (Verdict.ASKED, 0, 0)


def test_a_legal_play_that_nobody_made_is_counted_apart_where_a_doubt_stands_beside_it() -> None:
    assert CHEATING.deed is not None
    other = {CHEATING.deed.ply: {"legal": True, "position": HONEST.position.compact()}}
    sure = score(CHEATING, record(CHEATING, other))
    assert (sure.verdict, sure.invented, sure.invented_unsure) == (Verdict.SILENT, 1, 0)
    doubt = {"t": 1e6, "kind": "unsure", "ply": CHEATING.deed.ply, "points": []}
    asked = score(CHEATING, [doubt, *record(CHEATING, other)])
    assert (asked.verdict, asked.invented, asked.invented_unsure) == (Verdict.ASKED, 0, 1)


def test_a_true_play_on_a_board_that_did_not_lie_there_is_misplaced_and_not_invented() -> None:
    assert PUSHING.deed is not None
    number = PUSHING.deed.ply
    stood, pushed = PUSHING.plies[number - 1].also
    without = line(
        number, PUSHING.plies[number], position=shifted(PUSHING.plies[number].after, pushed, stood)
    )
    told = [
        *record(PUSHING)[: number - 1],
        line(number - 1, PUSHING.plies[number - 1], position=stood.compact()),
    ]
    outcome = score(PUSHING, [*told, without])
    assert (outcome.invented, outcome.misplaced) == (0, 1)


def test_an_illegal_play_is_named_by_a_right_reason_only() -> None:
    assert CHEATING.deed is not None
    right = of_deed(reasons=[{"code": code} for code in CHEATING.deed.codes])
    assert (right.verdict, right.honest_accused) == (Verdict.NAMED, False)
    assert of_deed(reasons=[{"code": "stack_limit"}]).verdict is Verdict.OTHER_NAME


def test_who_is_accused_for_the_deed_of_somebody_else_is_counted() -> None:
    assert CHEATING.deed is not None
    number = CHEATING.deed.ply + 1
    accused = record(CHEATING, {number: {"legal": False, "reasons": [{"code": "backwards"}]}})
    assert score(CHEATING, accused).honest_accused


def test_a_question_names_a_deed_once_it_tells_whose_it_was() -> None:
    assert PUSHING.deed is not None
    question = {"t": 1e6, "kind": "told", "message": "moved_out_of_turn", "points": [3]}
    asked = [*record(PUSHING), question | {"arguments": {"points": [3]}}]
    assert verdict(PUSHING, asked) is Verdict.ASKED
    named = [*record(PUSHING), question | {"arguments": {"points": [3], "side": str(PUSHING.deed.side)}}]
    assert verdict(PUSHING, named) is Verdict.NAMED
    other = [*record(PUSHING), question | {"arguments": {"side": str(PUSHING.deed.side.opponent)}}]
    assert verdict(PUSHING, other) is Verdict.ASKED
    assert score(PUSHING, other).honest_accused


def test_how_sure_a_turn_was_told_is_kept_with_whether_it_was_so() -> None:
    stated = score(
        HONEST, record(HONEST, {0: {"probability": 0.98}, 1: {"probability": 0.6, "legal": False}})
    ).stated
    assert [(one.confidence, one.right) for one in stated] == [(0.98, True), (0.6, False)]
