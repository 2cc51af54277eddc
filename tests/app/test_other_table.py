"""Two tables play one match against each other: real boards' events, real sockets, a network that is cut."""

import time
from dataclasses import replace
from pathlib import Path

import httpx

from controller.config.sections import ClockKind, ClockSection, WebSection
from controller.record.match.corrections import after_play
from controller.referee import Phase
from controller.rules import Side
from controller.rules.position import START
from tests.app.two_tables import OneTable, first, open_match, two_tables


def test_a_play_at_one_table_is_announced_carried_out_and_recorded_at_the_other(tmp_path: Path) -> None:
    with two_tables(tmp_path) as (light, dark, network):
        open_match(light, dark)
        after = light.move(first)
        dark.carry()
        dark.until_phase(Phase.TO_ROLL, Side.DARK)
        assert dark.table.state.position == after
        dark.play((6, 4), first)
        light.carry()
        light.until_phase(Phase.TO_ROLL, Side.LIGHT)
        network.cut()
        light.until(lambda: "cannot be reached" in light.said)
        light.play((5, 2), first)
        network.mend()
        dark.carry()
        dark.until_phase(Phase.TO_ROLL, Side.DARK)
        dark.say("double", side="dark")
        light.until_phase(Phase.CUBE_OFFERED)
        light.say("take", side="light")
        dark.until_phase(Phase.TO_ROLL, Side.DARK)
        assert [each.table.state.match.game.cube for each in (light, dark)] == [
            light.table.state.match.game.cube
        ] * 2
        dark.say("resign", side="dark", amount=1)
        light.until_phase(Phase.RESIGNATION_OFFERED)
        light.say("accept", side="light")
        for each in (light, dark):
            each.until_phase(Phase.GAME_OVER)
            assert each.table.state.match.score.light == 2
    assert len(light.turns()) == 3
    assert light.turns() == dark.turns()


def test_an_illegal_play_at_one_table_is_named_at_both_and_put_right_before_it_crosses(
    tmp_path: Path,
) -> None:
    with two_tables(tmp_path) as (light, dark, _):
        open_match(light, dark)
        light.lay(after_play(START, Side.LIGHT, "13/8"))
        light.until_phase(Phase.PUT_RIGHT)
        for each in (light, dark):
            each.until(lambda each=each: "Anna, 3-1: 13/8 is not legal." in each.said)
        assert dark.table.state.announced is None
        light.lay(after_play(START, Side.LIGHT, "8/5 6/5"))
        dark.carry()
        dark.until_phase(Phase.TO_ROLL, Side.DARK)
    assert [each[-2:] for each in light.turns()] == [(False, False), (True, False)]
    assert light.turns() == dark.turns()


def test_a_table_that_was_restarted_goes_on_where_it_was_and_hears_what_it_missed(tmp_path: Path) -> None:
    with two_tables(tmp_path) as (light, dark, _):
        open_match(light, dark)
        after = light.move(first)
        dark.carry()
        dark.until_phase(Phase.TO_ROLL, Side.DARK)
        dark.stop()
        light.until(lambda: "cannot be reached" in light.said)
        with dark.again() as resumed:
            resumed.lay(after)
            resumed.until(lambda: "Play goes on." in resumed.said and resumed.up)
            after = resumed.play((6, 4), first)
            light.carry()
            light.until_phase(Phase.TO_ROLL, Side.LIGHT)
            assert light.table.state.position == after
            light.say("resign", side="light", amount=1)
            resumed.until_phase(Phase.RESIGNATION_OFFERED)
            resumed.say("accept", side="dark")
            light.until_phase(Phase.GAME_OVER)
            assert len(light.turns()) == 2
            assert light.turns() == resumed.turns()


def test_the_line_is_encrypted_and_the_code_tells_who_answers(tmp_path: Path) -> None:
    with two_tables(tmp_path, web=WebSection(use=True, open=True, port=0)) as (light, dark, _):
        assert dark.code_used.authority
        light.until(lambda: "The other table is there." in light.said)
        assert light.room.admission is not None
        shown = httpx.post(f"http://127.0.0.1:{light.port}/api/v1/setup/partner", timeout=60)
        assert shown.status_code == 403  # while a match is on it is for the director
        state = httpx.get(f"http://127.0.0.1:{light.port}/api/v1/state", timeout=60).text
        assert dark.code_used.secret in light.said
        assert dark.code_used.secret not in state
        stranger = replace(dark.code_used, authority="A" * 26, secret="ABCDEFGHJK")
        (tmp_path / "third").mkdir()
        with OneTable(tmp_path / "third", Side.DARK, str(stranger)) as third:
            third.until(lambda: "does not know this code" in third.said)


def test_somebody_who_answers_in_the_place_of_the_other_table_keeps_it_away_no_longer_than_they_are_there(
    tmp_path: Path,
) -> None:
    web = WebSection(use=True, open=True, port=0)
    (tmp_path / "stranger").mkdir()
    with (
        two_tables(tmp_path, web=web) as (light, dark, network),
        OneTable(tmp_path / "stranger", Side.LIGHT, web=web) as stranger,
    ):
        dark.until(lambda: dark.said.count("The other table is there.") == 1)
        network.lead_to(stranger.port)
        dark.until(lambda: "does not know this code" in dark.said)
        network.lead_to(light.port)
        dark.until(lambda: dark.said.count("The other table is there.") == 2)
        assert dark.said.count("does not know this code") == 1


def test_each_clock_runs_at_its_own_table_and_stands_while_the_line_is_cut(tmp_path: Path) -> None:
    clock = ClockSection(kind=ClockKind.SIMPLE, reserve_s=180, delay_s=0)
    with two_tables(tmp_path, clock=clock) as (light, dark, network):
        used = dict.fromkeys(Side, 0.0)
        open_match(light, dark)
        began = time.monotonic()
        light.move(first)
        used[Side.LIGHT] = time.monotonic() - began
        dark.until(lambda: dark.table.state.announced is not None)
        time.sleep(1.2)  # nobody's time: its checkers are yet to be moved here
        dark.carry()
        dark.until_phase(Phase.TO_ROLL, Side.DARK)
        began = time.monotonic()
        network.cut()
        dark.until(lambda: not dark.up)
        cut = time.monotonic()
        time.sleep(1.2)
        network.mend()
        dark.until(lambda: dark.up)
        stood = time.monotonic() - cut
        dark.play((6, 4), first)
        used[Side.DARK] = time.monotonic() - began - stood
        light.carry()
        light.until_phase(Phase.TO_ROLL, Side.LIGHT)
        for side, own in ((Side.LIGHT, light), (Side.DARK, dark)):
            assert abs(180 - own.left(side) - used[side]) < 1
        assert abs(light.left(Side.DARK) - dark.left(Side.DARK)) < 1


def test_a_score_that_is_put_right_at_one_table_is_that_of_both(tmp_path: Path) -> None:
    with two_tables(tmp_path) as (light, dark, _):
        open_match(light, dark)
        light.ask_director("change_score", light=2, dark=1)
        for each in (light, dark):
            each.until(lambda each=each: each.score() == (2, 1))  # type: ignore[misc]
            assert each.table.state.phase is Phase.MOVING
        dark.ask_director("change_score", light=0, dark=1)
        for each in (light, dark):
            each.until(lambda each=each: each.score() == (0, 1))  # type: ignore[misc]


def open_until_dark_rolls(light: OneTable, dark: OneTable) -> None:
    """Light has opened, and its play lies on both boards."""
    open_match(light, dark)
    light.move(first)
    dark.carry()
    for each in (light, dark):
        each.until_phase(Phase.TO_ROLL, Side.DARK)


def test_of_two_scores_that_cross_one_holds_at_both_tables(tmp_path: Path) -> None:
    with two_tables(tmp_path) as (light, dark, network):
        open_match(light, dark)
        network.cut()
        for each in (light, dark):
            each.until(lambda each=each: not each.up)  # type: ignore[misc]
        light.ask_director("change_score", light=2, dark=1)
        dark.ask_director("change_score", light=0, dark=2)
        network.mend()
        light.until(lambda: all(each.up and each.knows_all() for each in (light, dark)))
        light.until(lambda: [each.score() for each in (light, dark)] == [(2, 1)] * 2)
        dark.ask_director("change_score", light=1, dark=1)
        for each in (light, dark):
            each.until(lambda each=each: each.score() == (1, 1))  # type: ignore[misc]


def test_a_score_crosses_what_leaves_the_score_as_it_was_and_holds(tmp_path: Path) -> None:
    with two_tables(tmp_path) as (light, dark, network):
        open_match(light, dark)
        light.move(first)
        dark.carry()
        for each in (light, dark):
            each.until_phase(Phase.TO_ROLL, Side.DARK)
        network.cut()
        for each in (light, dark):
            each.until(lambda each=each: not each.up)  # type: ignore[misc]
        light.ask_director("change_cube", words="double take", ply=0)
        dark.ask_director("change_score", light=0, dark=2)
        network.mend()
        light.until(lambda: all(each.up and each.knows_all() for each in (light, dark)))
        light.until(lambda: [each.score() for each in (light, dark)] == [(0, 2)] * 2)


def test_a_game_that_a_correction_ends_at_one_table_is_over_at_both(tmp_path: Path) -> None:
    with two_tables(tmp_path) as (light, dark, _):
        open_until_dark_rolls(light, dark)
        light.ask_director("change_cube", words="double drop")
        for each in (light, dark):
            each.until(lambda each=each: each.score() == (0, 1))  # type: ignore[misc]
            assert each.table.state.phase is Phase.GAME_OVER


def test_a_match_that_a_correction_ends_at_one_table_is_over_at_both(tmp_path: Path) -> None:
    with two_tables(tmp_path) as (light, dark, _):
        open_until_dark_rolls(light, dark)
        light.ask_director("change_score", light=0, dark=2)
        light.ask_director("change_cube", words="double drop")
        for each in (light, dark):
            each.until_phase(Phase.MATCH_OVER)
            assert each.score() == (0, 3)
