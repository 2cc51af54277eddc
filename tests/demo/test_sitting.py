"""A simulated table under the real room: players, hands for people at the pages, and what goes wrong."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.calibrate import CalibrationPicture, calibrate
from controller.demo.faults import FaultError, Mishap
from controller.demo.floor import Manner
from controller.demo.preparing import Prepared
from controller.demo.sitting import faults_at_pages
from controller.record.journal.journal import Journal
from controller.record.match.match import Turn
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import JOURNAL, NAME
from controller.referee.actions import Phase
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Side
from controller.web.table_service import RoomState
from tests.demo.seated import STILL, Seated, moved, sitting_in

RACE = Position.from_counts([2, 2, 2, *[0] * 18, -2, -2, -2])
"""Both sides bear off their last six checkers."""


def _open_handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_match_that_simulated_players_finish_is_recorded_as_they_played_it_and_another_begins(
    prepared: Prepared, tmp_path: Path
) -> None:
    threads, handles = threading.active_count(), _open_handles()
    with Seated(prepared, sitting_in(tmp_path)) as seated:
        seated.until_phase(Phase.TO_ROLL, Phase.MOVING)
        seated.ask("ruling", position=RACE.compact(), on_roll="light")
        seated.until(lambda: seated.room.view().state is RoomState.OVER)
        folder = seated.room.view().match
        assert folder is not None
        seated.until(lambda: (view := seated.room.view()).match is not None and view.match.id != folder.id)
        # The simulated players may have rolled before anybody looks.
        seated.until_phase(Phase.OPENING_ROLL, Phase.TO_ROLL, Phase.MOVING)
    whole = seated.table.ledger
    ledger = replace(whole, truths=[one for one in whole.truths if one.game == whole.truths[0].game])
    right, turns = ledger.count_concluded()
    assert right == turns > 1
    with Journal(folder.folder / JOURNAL, read_only=True) as journal:
        record = read_match(journal, NAME)
    assert record.games[0].result is not None
    recorded = [each.after for each in record.games[0].entries if isinstance(each, Turn)]
    truths = [truth.after for truth in ledger.truths]
    assert recorded[-len(truths) :] == truths
    assert threading.active_count() == threads
    assert _open_handles() == handles


def test_people_at_the_pages_settle_doubles_illegal_plays_and_resignations_while_hands_only_move_checkers(
    prepared: Prepared, tmp_path: Path
) -> None:
    with Seated(prepared, sitting_in(tmp_path, length=3, manners=STILL)) as seated:
        seated.roll_opening()
        seated.until_phase(Phase.MOVING)
        seated.lay(moved(START, Side.LIGHT, (8, 5), (6, 5)))
        seated.until_told("Anna, 3-1: 8/5 6/5 is legal.")

        seated.ask("double", "dark")
        seated.ask("take", "light")
        seated.ask("roll", "dark", dice=[6, 1])
        position = seated.known.position
        seated.lay(moved(position, Side.DARK, (13, 7), (13, 9)))
        seated.until_phase(Phase.PUT_RIGHT)
        seated.table.move(Side.DARK, position)
        seated.until_told("Bruno plays the same roll again.")
        seated.lay(moved(position, Side.DARK, (13, 7), (8, 7)))
        seated.until_told("Bruno, 6-1: 13/7 8/7 is legal.")

        seated.ask("roll", "light", dice=[2, 1])
        seated.lay(moved(seated.known.position, Side.LIGHT, (13, 9)))
        seated.until_phase(Phase.PUT_RIGHT)
        seated.ask("let_stand", "dark")
        seated.until_phase(Phase.TO_ROLL)

        seated.ask("resign", "dark", side="dark", amount=2)
        seated.ask("accept", "light")
        seated.until(lambda: seated.room.view().state is RoomState.OVER)
        assert seated.known.match.score.points(Side.LIGHT) >= 3
        assert seated.table.at_rest


def test_the_hands_of_a_side_that_is_played_by_words_make_its_plays(
    prepared: Prepared, tmp_path: Path
) -> None:
    with Seated(prepared, sitting_in(tmp_path, manners={Side.LIGHT: Manner.FOLLOWS})) as seated:
        for _ in range(2):
            seated.until_turn(Side.LIGHT)
            if seated.known.phase is Phase.TO_ROLL:
                seated.ask("roll", "light", dice=[6, 5])
            thrown = seated.known.thrown
            assert thrown is not None
            after = legal_plays(seated.known.position, Side.LIGHT, thrown.roll)[0].after
            seated.ask("played", "light", position=after.compact())
            seated.until_lies(after)
            seated.until_turn(Side.DARK)


def test_play_goes_on_when_camera_and_cable_were_away(prepared: Prepared, tmp_path: Path) -> None:
    with Seated(prepared, sitting_in(tmp_path)) as seated:
        seated.until_phase(Phase.MOVING)
        seated.table.blind(True)
        seated.table.unplug(True)
        seated.until(lambda: {each.ready for each in seated.room.view().devices} == {False})
        seated.table.blind(False)
        seated.table.unplug(False)
        seated.until(lambda: {each.ready for each in seated.room.view().devices} == {True})
        before = seated.known.ply
        seated.until(lambda: seated.known.ply > before + 1)
    assert seated.table.ledger.list_accused() == []


def test_who_plays_before_the_camera_is_missed_and_says_twice_that_they_are_done_is_not_accused(
    prepared: Prepared, tmp_path: Path
) -> None:
    with Seated(prepared, sitting_in(tmp_path, manners=STILL)) as seated:
        seated.roll_opening()
        seated.until(lambda: seated.known.phase is Phase.MOVING and seated.known.same_t is not None)
        seated.table.blind(True)
        seated.table.move(Side.LIGHT, moved(START, Side.LIGHT, (8, 5), (6, 5)))
        seated.until(lambda: seated.table.at_rest)
        for _ in range(2):
            seated.ask("pressed", "light", button="clock_light")
        assert seated.known.phase is Phase.TURN_ENDED
        seated.table.blind(False)
        seated.until_told("Anna, 3-1: 8/5 6/5 is legal.")
        assert "has not moved yet" not in "".join(seated.text)
    assert seated.table.ledger.list_accused() == []


def test_who_moves_nothing_and_says_twice_that_they_are_done_is_accused_in_sight_of_the_camera(
    prepared: Prepared, tmp_path: Path
) -> None:
    with Seated(prepared, sitting_in(tmp_path, manners=STILL)) as seated:
        seated.roll_opening()
        seated.until_phase(Phase.MOVING)
        seated.ask("pressed", "light", button="clock_light")
        seated.until(lambda: seated.known.phase is Phase.MOVING and bool(seated.known.warned))
        seated.ask("pressed", "light", button="clock_light")
        seated.until_phase(Phase.PUT_RIGHT)


def test_a_board_that_is_not_known_is_found_in_the_camera_s_pictures_and_a_match_can_begin(
    prepared: Prepared, tmp_path: Path
) -> None:
    with Seated(prepared, sitting_in(tmp_path, knows_board=False, manners=STILL)) as seated:
        room = seated.room
        seated.until(lambda: room.view().state is RoomState.NO_BOARD and room.glimpse() is not None)
        pictures = [seated.next_picture(), seated.next_picture()]
        glimpses = [CalibrationPicture("picture", each, START.points) for each in pictures]
        board = calibrate(glimpses).board
        assert room.inbox.ask(lambda: room.know_board(board)).result().done
        seated.ask("start")
        seated.until_phase(Phase.OPENING_ROLL)


def test_a_table_that_was_never_started_lets_go_of_everything(prepared: Prepared, tmp_path: Path) -> None:
    handles = _open_handles()
    Seated(prepared, sitting_in(tmp_path)).simulated.close()
    assert _open_handles() == handles


def test_the_pages_outlive_every_fault_so_the_power_is_none_of_them() -> None:
    assert Mishap.POWER not in faults_at_pages("all")
    assert faults_at_pages("camera,bump") == (Mishap.CAMERA, Mishap.BUMP)
    with pytest.raises(FaultError, match="power"):
        faults_at_pages("cable,power")
