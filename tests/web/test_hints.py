"""What learners are shown on the page of the table."""

from typing import Any

import pytest

from controller.referee import Settings
from controller.referee.events import BestPlayFound
from controller.rules import Position, Side, load_profile
from controller.web.audience import Audience
from controller.web.table_service import Role
from tests.referee.table.evening import Evening, match_terms
from tests.web.served_table import TableHouse
from tests.web.shown_states import staged

POINT = Position.from_compact("b...BD.B...eE...c.e....B..")
PLAYERS = Audience(Role.PLAYER, None, "en")


def lesson(hint: int, profile: str = "teaching") -> Evening:
    evening = Evening(Settings(match_terms(load_profile(profile)), hint=hint))
    evening.start()
    evening.look()
    return evening


def state(evening: Evening, audience: Audience = PLAYERS) -> dict[str, Any]:
    shown: dict[str, Any] = staged(TableHouse(evening)).outlet._state(audience)
    return shown


def played(evening: Evening, after: Position) -> Evening:
    """The play was made, and judged."""
    evening.move(after)
    evening.done()
    return evening


def test_the_page_shows_what_may_move_and_where_each_checker_may_land() -> None:
    hints = state(lesson(2))["hints"]
    assert {*hints["movable"]} == {6, 8, 13, 24}
    assert hints["landings"]["8"] == [4, 5, 7]
    assert state(lesson(1))["hints"]["landings"] == {}


def test_nothing_is_shown_where_the_rules_forbid_it_or_to_spectators() -> None:
    assert state(lesson(0, "standard-match"))["hints"] is None
    assert state(lesson(2), Audience(Role.VIEWER, None, "en"))["hints"] is None


def test_the_best_play_is_shown_as_soon_as_it_is_known() -> None:
    evening = lesson(3)
    assert (state(evening)["hints"]["asked"], state(evening)["hints"]["plays"]) == (True, [])
    evening.tell(BestPlayFound(evening.t, 0, POINT, (evening.legal(3),), (0.15,)))
    (best,) = state(evening)["hints"]["plays"]
    assert (best["text"], best["loss"], best["risk"]) == ("8/5 6/5", 0.0, "no roll hits it")
    assert [(step["from"], step["to"]) for step in best["steps"]] == [(8, 5), (6, 5)]


def test_at_the_highest_level_three_plays_are_shown_with_what_each_risks() -> None:
    evening = lesson(4)
    others = tuple(evening.legal(number) for number in (3, 7, 9))
    evening.tell(BestPlayFound(evening.t, 0, POINT, others, (0.1, 0.2, 0.3)))
    plays = state(evening)["hints"]["plays"]
    assert [play["loss"] for play in plays] == [0.0, 0.1, 0.2]
    assert any("of 36" in play["risk"] for play in plays)


@pytest.mark.parametrize("late", [False, True])
def test_after_the_play_one_sentence_says_why(late: bool) -> None:
    evening = lesson(1)
    blot = evening.legal(3)
    told = BestPlayFound(evening.t, 0, POINT, (blot,), (0.15,))
    if late:
        played(evening, blot).tell(told)
    else:
        evening.tell(told)
        played(evening, blot)
    assert str(state(evening)["why"]).startswith("Better was 8/5 6/5: ")


def test_learners_take_a_play_back_by_a_button_of_its_mover() -> None:
    evening = played(lesson(2), POINT)
    allowed = [each for each in state(evening)["allowed"] if each["what"] == "undo"]
    assert [(each["side"], each["sure"]) for each in allowed] == [(str(Side.LIGHT), None)]
    own = state(evening, Audience(Role.PLAYER, Side.DARK, "en"))["allowed"]
    assert [each["text"] for each in own if each["what"] == "undo"] == ["Take the play back"]
