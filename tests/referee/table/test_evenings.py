"""Whole matches at a table, with cheats, and with readings that err."""

from random import Random

import pytest

from controller.devices.link.happenings import Button
from controller.referee.actions import Flagged, Phase, TurnJudged
from controller.referee.table.settings import Settings
from controller.rules.game import events as ruled
from controller.rules.position import Position
from controller.rules.profile.profile import STANDARD
from tests.referee.staging import CHEATS, cheated, clear_breach, thrown
from tests.referee.table.evening import Evening, match_terms

LONGEST = 150


def wrong_play(evening: Evening) -> tuple[str, Position] | None:
    """A result that breaks a rule plainly, and which."""
    table = evening.table
    assert table.thrown is not None
    assert table.thrown.side is not None
    kind = evening.rng.choice(sorted(CHEATS))
    bad = cheated(kind, table.position, table.thrown.side, table.thrown.roll, evening.rng)
    if bad is None or not clear_breach(table.position, table.thrown.side, table.thrown.roll, bad):
        return None
    return kind, bad


def finish(evening: Evening, good: Position) -> None:
    """Whoever is asked looks, and says what was played."""
    for _ in range(3):
        if evening.table.phase is Phase.TURN_ENDED:
            evening.look()
    table = evening.table
    if table.phase in (Phase.TURN_ENDED, Phase.PUT_RIGHT, Phase.MOVING) and table.thrown is not None:
        assert table.thrown.side is not None
        evening.say(ruled.Played(table.thrown.side, good, None))


def play_out(evening: Evening, cheats: float) -> tuple[int, int]:
    """Play a match of one point; how many illegal plays there were, and how many were told with the right reason."""
    tried = told = 0
    for _ in range(LONGEST):
        table = evening.table
        if table.phase is Phase.MATCH_OVER:
            break
        if table.phase is Phase.SET_UP:
            evening.look(table.position)
        elif table.phase in (Phase.OPENING_ROLL, Phase.TO_ROLL):
            evening.roll(*thrown(evening.rng))
        else:
            good = evening.legal(evening.rng.randrange(50))
            wrong = wrong_play(evening) if evening.rng.random() < cheats else None
            if wrong is not None:
                tried += 1
                before = len(evening.actions)
                assert table.thrown is not None
                assert table.thrown.side is not None
                evening.film.buried[table.thrown.side] = int(wrong[0] == "blocked_point")
                evening.move(wrong[1], 3)
                evening.done()
                evening.film.buried[table.thrown.side] = 0
                flags = [one for one in evening.actions[before:] if isinstance(one, Flagged)]
                told += any(
                    CHEATS[wrong[0]][1] & {reason.code for reason in flag.turn.reasons + flag.turn.also}
                    for flag in flags
                )
            evening.move(good, 3)
            if evening.table.phase is Phase.MOVING:
                evening.done()
            finish(evening, good)
    return tried, told


def test_plain_breaches_are_told_with_their_rule_and_the_rest_is_asked_about() -> None:
    tried = told = 0
    for seed in range(4):
        evening = Evening(Settings(match_terms(STANDARD, 1), clock=True), Random(seed))
        more = play_out(evening, cheats=0.4)
        tried, told = tried + more[0], told + more[1]
        played = [turn for turn in evening.actions if isinstance(turn, TurnJudged)]
        assert not [turn for turn in played if turn.legal is False and turn.stands]
    assert tried > 30
    assert told >= 0.95 * tried


@pytest.mark.parametrize("seed", range(4))
def test_readings_that_err_make_questions_and_no_accusations(seed: int) -> None:
    evening = Evening(Settings(match_terms(STANDARD, 1), clock=True), Random(seed), noise=0.01)
    play_out(evening, cheats=0.0)
    assert not evening.of(Flagged)
    assert all(turn.legal for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged))


def test_a_table_without_a_clock_is_led_by_the_button() -> None:
    evening = Evening(Settings(match_terms(STANDARD, 1)), Random(7))
    evening.start(3, 1)
    evening.move(evening.legal())
    evening.press(Button.DONE)
    assert evening.table.phase is Phase.TO_ROLL
