"""What players do beside their plays: each does what it says, when it says, and the evening goes on."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from controller.demo.seat import Seat
from controller.demo.show import Evening, Plan, Show
from controller.devices.link.happenings import Button
from controller.referee.actions import Phase
from controller.referee.table.state import Table, begin
from controller.rules.position import START, Position, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD
from controller.simulation.boards.chance import random_setting
from controller.simulation.players.player import CLOCKS, PressButton
from controller.simulation.players.temperament import FAST, Temperament
from controller.simulation.tabletop.tabletop import Tabletop
from tests.amounts import amount
from tests.demo.measured_floor import MeasuredFloor
from tests.demo.measured_plan import MeasuredPlan
from tests.demo.measured_player import MeasuredPlayer
from tests.demo.measuring import LoggedDeed, MeasuringLedger
from tests.demo.mischief import Mischief, closed_out
from tests.demo.rogues import GREEDY, IDLE, MEDDLING, RESTLESS, ROGUES, SLY, Misdeed, Rogue
from tests.demo.truthful import truthful


class EnoughError(Exception):
    """What was to be seen was seen."""


@dataclass(frozen=True)
class Moment:
    """The table after one picture."""

    t: float
    position: Position
    moving: bool
    phase: Phase
    on_turn: Side | None
    ply: int
    rolls: int
    cube: str
    open: LoggedDeed | None


def moment(show: Show) -> Moment:
    assert isinstance(show.floor, MeasuredFloor)
    assert show.floor.mischief is not None
    known, one = show.desk.table, show.floor.mischief.open
    cube = show.table.cube
    return Moment(
        show.t,
        show.table.checkers.position(),
        show.table.moving,
        known.phase,
        known.on_turn,
        known.ply,
        len(show.floor.ledger.rolls),
        "" if cube is None else cube.owner,
        one and one.done,
    )


def evening(
    folder: Path, plan: MeasuredPlan, until: Callable[[Show], bool] = lambda _: False
) -> tuple[MeasuringLedger, list[Moment]]:
    ledger, moments = MeasuringLedger(), list[Moment]()
    one = Evening(plan, truthful(plan), ledger)

    def attend(show: Show) -> None:
        moments.append(moment(show))
        if until(show):
            raise EnoughError

    with suppress(EnoughError), one.folder(folder) as match:
        one.match(0, match, lambda _: None, attend)
    return ledger, moments


def first(
    folder: Path, what: Misdeed, cheats: float = 0.0, seed: int = 1
) -> tuple[LoggedDeed, list[Moment], MeasuringLedger]:
    """An evening of players who do nothing else, until one of them did it and it is over."""
    who = replace(SLY, misdeeds=(what,), doubles=0.0, resigns=0.0)
    plan = MeasuredPlan(1, 25, STANDARD, seed, cheats, firmware=False, temperaments=(who, who), tempted=1.0)
    ledger, moments = evening(
        folder, plan, lambda show: any(one.until < show.t for one in show.floor.ledger.done)
    )
    return ledger.done[0], moments, ledger


def placed(done: LoggedDeed, moments: list[Moment]) -> list[Moment]:
    """The moments from when the checker lay where it does not belong."""
    before = next(one.position for one in reversed(moments) if one.t < done.t)
    there = [one for one in moments if one.t >= done.t and one.position != before]
    changed = next(
        one for one in there if one.position.pips(done.side) and not _in_hand(before, one.position)
    )
    apart = [
        point for point in range(1, 25) if before.points[point - 1] != changed.position.points[point - 1]
    ]
    assert tuple(apart) == done.points
    assert before.off(done.side) == changed.position.off(done.side)
    for point in range(1, 25):
        theirs = done.side.opponent
        assert before.checkers(theirs, point) == changed.position.checkers(theirs, point)
    return moments[moments.index(changed) :]


def _in_hand(before: Position, now: Position) -> bool:
    return any(now.off(side) != before.off(side) for side in Side)


def until_roll(moments: list[Moment]) -> list[Moment]:
    return [one for one in moments if one.rolls == moments[0].rolls]


def test_a_checker_moved_before_the_roll_is_never_at_rest_before_it(tmp_path: Path) -> None:
    done, moments, _ = first(tmp_path, Misdeed.MOVES_BEFORE_ROLL)
    there = placed(done, moments)
    assert there[0].phase is Phase.TO_ROLL
    assert there[0].on_turn is done.side.opponent
    before_roll = until_roll(there)
    assert len(before_roll) < len(there)
    assert all(one.moving for one in before_roll)


def test_a_pushed_checker_goes_to_the_point_beside_it_and_is_seen_in_one_picture(tmp_path: Path) -> None:
    done, moments, _ = first(tmp_path, Misdeed.PUSHES)
    there = placed(done, moments)
    assert there[0].phase is Phase.TO_ROLL
    assert there[0].on_turn is done.side.opponent
    assert done.points[1] - done.points[0] == 1
    before_roll = until_roll(there)
    assert len(before_roll) < len(there)
    assert sum(not one.moving for one in before_roll) == 1


def test_a_checker_is_moved_while_the_opponent_plays(tmp_path: Path) -> None:
    done, moments, _ = first(tmp_path, Misdeed.MOVES_IN_TURN)
    there = placed(done, moments)
    assert there[0].phase is Phase.MOVING
    assert there[0].on_turn is done.side.opponent


@pytest.mark.parametrize("seed", [1, 2])
def test_a_checker_is_moved_in_a_pause_and_the_match_goes_on(seed: int, tmp_path: Path) -> None:
    done, moments, _ = first(tmp_path, Misdeed.MOVES_IN_PAUSE, seed=seed)
    there = placed(done, moments)
    assert there[0].phase is Phase.PAUSED
    assert any(one.phase is not Phase.PAUSED for one in there)


def test_what_is_hidden_is_illegal_and_a_hand_is_there_when_the_turn_ends(tmp_path: Path) -> None:
    done, moments, ledger = first(tmp_path, Misdeed.HIDES, cheats=60.0)
    (truth,) = ledger.hidden[:1]
    assert truth.cheat is not None
    assert (truth.ply, truth.side, truth.cheat.points) == (done.ply, done.side, done.points)
    at_end = next(one for one in moments if one.t >= truth.ended_t)
    assert at_end.moving
    assert at_end.position == truth.cheat.after
    assert all(truth != other for other, _ in ledger.list_noticed())


def test_a_low_roll_is_thrown_again(tmp_path: Path) -> None:
    done, moments, ledger = first(tmp_path, Misdeed.ROLLS_AGAIN)
    before = next(one for one in moments if one.t >= done.t)
    after = next(one for one in moments if one.rolls > before.rolls)
    assert before.phase is Phase.MOVING
    assert before.on_turn is done.side
    assert after.ply == before.ply
    assert done.dice is not None
    assert len(ledger.rolls) >= 2


@pytest.mark.parametrize("seed", [1, 4])
def test_the_cube_is_laid_on_the_own_side_and_put_back_by_the_opponent(seed: int, tmp_path: Path) -> None:
    done, moments, _ = first(tmp_path, Misdeed.TURNS_CUBE, seed=seed)
    assert {one.cube for one in moments if one.t < done.t} == {"center"}
    assert str(done.side) in {one.cube for one in moments if one.t >= done.t}


def test_the_opponents_clock_is_pressed_before_he_moved_anything(tmp_path: Path) -> None:
    done, moments, ledger = first(tmp_path, Misdeed.PRESSES_CLOCK)
    at = next(one for one in moments if one.t >= done.t)
    assert at.phase is Phase.MOVING
    assert at.on_turn is done.side.opponent
    assert all(truth.ended_t < done.t for truth in ledger.truths)


def table(phase: Phase, position: Position, turn: Side) -> Table:
    """What the device knows in the middle of a game."""
    known = begin(Plan(1, 5, STANDARD, 1).settings())
    game = replace(known.match.game, position=position, turn=turn, plays=20)
    return replace(known, phase=phase, match=replace(known.match, game=game))


def mischief(position: Position, what: Misdeed) -> Mischief:
    setting = random_setting(np.random.default_rng(4), (640, 480))
    board = Tabletop(setting, position, np.random.default_rng(1))
    who = Rogue("rogue", misdeeds=(what,))
    seats = {
        side: Seat(
            MeasuredPlayer(side, who, np.random.default_rng(2), done=CLOCKS[side]),
            board,
            lambda *_: None,
            lambda _: None,
        )
        for side in Side
    }
    return Mischief(seats, board, MeasuringLedger(), np.random.default_rng(3), 1.0)


def test_who_is_closed_out_has_the_opponent_roll() -> None:
    position = Position.from_compact("....AAABBCBB......bbbbbbA.")
    assert closed_out(position, Side.LIGHT)
    acts = mischief(position, Misdeed.DOES_NOT_ROLL).tempt(table(Phase.TO_ROLL, position, Side.LIGHT), 9.0)
    assert acts is not None
    assert PressButton(Button.ROLL) not in acts[Side.LIGHT]
    assert PressButton(Button.ROLL) in acts[Side.DARK]


def test_who_is_not_closed_out_rolls() -> None:
    open_ = Position.from_compact("....AAABBCBB......bbbbbaA.")
    assert not closed_out(open_, Side.LIGHT)
    assert not closed_out(Position.from_compact("....AAABBCBBA.....bbbbbb.."), Side.LIGHT)
    known = table(Phase.TO_ROLL, open_, Side.LIGHT)
    assert mischief(open_, Misdeed.DOES_NOT_ROLL).tempt(known, 9.0) is None


def test_nobody_is_tempted_where_nothing_was_agreed() -> None:
    one = mischief(START, Misdeed.PUSHES)
    one.share = 0.0
    assert one.tempt(table(Phase.TO_ROLL, START, Side.LIGHT), 9.0) is None
    one.share = 1.0
    assert one.tempt(table(Phase.TO_ROLL, START, Side.LIGHT), 9.0) is not None


@pytest.mark.parametrize(
    "rogues", [(RESTLESS, SLY), (GREEDY, MEDDLING), (IDLE, FAST)], ids=lambda pair: pair[0].name
)
def test_a_game_ends_with_every_rogue(rogues: tuple[Temperament, Temperament], tmp_path: Path) -> None:
    profile, seed = amount((load_profile("hypergammon"), 9), (STANDARD, 6))
    plan = MeasuredPlan(1, 1, profile, seed, 6.0, firmware=False, temperaments=rogues, tempted=0.3)
    _, moments = evening(tmp_path, plan)
    assert moments[-1].phase is Phase.MATCH_OVER


def test_the_same_seed_does_the_same_again(tmp_path: Path) -> None:
    plan = MeasuredPlan(1, 1, STANDARD, 7, 12.0, firmware=False, temperaments=ROGUES, tempted=0.6)
    found, turns = [], amount(7, 12)
    for number in range(2):
        ledger, _ = evening(tmp_path / str(number), plan, lambda show: len(show.floor.ledger.truths) >= turns)
        lines = (tmp_path / str(number) / "events.jsonl").read_text().splitlines()
        found.append((ledger.done, ledger.truths, [json.loads(line) for line in lines]))
    assert found[0] == found[1]
    assert found[0][0]
