"""What the pages are asked to ask: the words beside the heading, what is open about a pile, a cube that was moved."""

from dataclasses import replace

from controller.messages.catalogue import LANGUAGES
from controller.referee import Message, Phase
from controller.referee.events import FrameMoving, Said
from controller.referee.seeing.cube_watch import CubeWatch, Shown
from controller.referee.table.machine import step
from controller.referee.table.state import Table
from controller.rules import Side
from controller.rules.game import events as ruled
from controller.web.audience import Audience
from controller.web.buttons import buttons_of
from controller.web.question import Question, question_of
from controller.web.table_service import Role
from controller.web.wording import Wording
from tests.demo.seated import moved as with_moves
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_camera_dice import started
from tests.referee.table.test_faults_bearing_off import TAKEN, bear_off
from tests.referee.table.test_turns import GOOD, opened
from tests.web.served_table import TableHouse


def asked(table: Table, language: str = "en") -> Question | None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    return question_of(table, Wording.for_audience(house.view(), Audience(language=language)))


def table_in(phase: Phase) -> Table:
    return SCENES[phase]().table


def moved(table: Table, shown: Shown | None) -> Table:
    """Somebody has moved the cube, and nothing was agreed."""
    return replace(table, cube=CubeWatch(shown, turned_t=table.t))


def test_a_cube_that_nobody_turned_is_asked_about_until_it_lies_right_again() -> None:
    table = table_in(Phase.TO_ROLL)
    told = asked(moved(table, Shown("light", 4)))
    assert told is not None
    assert (told.kind, told.heading) == (
        "cube",
        "Anna has the cube at 4, but nobody doubled. What was agreed?",
    )
    assert told.text == ("Please lay the cube in the middle again.",)
    assert asked(moved(table, Shown.due_for(table.match.game.cube))) is None
    assert asked(moved(table, None)) is None


def test_players_have_a_moment_to_turn_the_cube_as_agreed_and_are_then_told_where_it_belongs() -> None:
    evening = SCENES[Phase.CUBE_OFFERED]()
    table = step(evening.table, Said(evening.t + 1, ruled.Taken(Side.LIGHT)))[0]
    wait = table.caution.cube_turn_s
    for seen_after, heading in (
        (0.1, None),
        (wait - 0.1, None),
        (wait, "Please turn the cube to 2 and lay it with Anna."),
    ):
        seen = replace(table.cube, seen_t=table.t + seen_after)
        told = asked(replace(table, cube=seen))
        assert (told and told.heading) == heading
    turned = replace(table.cube, shown=Shown("light", 2), seen_t=table.t + 60)
    assert asked(replace(table, cube=turned)) is None


def test_a_cube_is_not_asked_about_in_a_game_without_one() -> None:
    table = moved(table_in(Phase.MOVING), Shown("dark", 2))
    assert asked(table) is not None
    game = table.match.game
    rules = replace(game.profile, cube=replace(game.profile.cube, enabled=False))
    without = replace(table, match=replace(table.match, game=replace(game, profile=rules)))
    assert asked(without) is None


def test_a_play_that_must_be_put_right_says_what_is_rolled_anew_and_that_no_button_is_needed() -> None:
    notes = []
    for language in LANGUAGES:
        question = asked(table_in(Phase.PUT_RIGHT), language)
        assert question is not None
        notes.append(question.content()["note"])
    assert notes[0] == "Then play 3-1 anew. No button is needed."
    assert len(set(notes)) == len(LANGUAGES)


def test_of_a_pile_that_is_seen_the_counts_that_are_likely_are_told_and_of_a_hidden_one_none() -> None:
    evening = SCENES[Phase.TURN_ENDED]()
    hidden = asked(evening.table)
    assert hidden is not None
    assert hidden.points
    assert hidden.content()["counts"] == {}
    view = evening.table.views[-1]
    points = view.evidence.points.copy()
    points[4] = -50.0
    points[4, 15 + 1] = 0.0
    points[4, 15 + 2] = -0.5
    seen = replace(view, evidence=replace(view.evidence, points=points), covered=view.covered - {5})
    table = replace(evening.table, views=(*evening.table.views[:-1], seen))
    question = asked(table)
    assert question is not None
    assert question.content()["counts"] == {"5": [1, 2]}


def test_the_side_that_is_asked_is_named() -> None:
    question = asked(table_in(Phase.CUBE_OFFERED))
    assert question is not None
    assert question.asks is Side.LIGHT


def taken_back(*speakers: str) -> Table:
    """Light has played 3-1, and these have said that they want it taken back."""
    evening = SCENES[Phase.TO_ROLL]()
    for by in speakers:
        evening.tell(Said(evening.t, ruled.TakenBack(Side.DARK), by))
    return evening.table


def offered(table: Table, audience: Audience) -> list[tuple[str, Side | None]]:
    return [
        (button.name, button.side) for button in buttons_of(table, audience) if button.choice.what == "undo"
    ]


def test_the_other_player_is_asked_whether_a_play_may_be_taken_back() -> None:
    table = taken_back("dark")
    question = asked(table)
    assert question is not None
    assert (question.kind, question.asks) == ("undo", Side.LIGHT)
    assert (
        question.heading == "Béla asks to take back the last play (Anna, 3-1). Anna: agree, or just play on."
    )
    assert asked(taken_back()) is None


def test_a_play_can_be_taken_back_by_both_players_together_and_by_the_director_alone() -> None:
    shared, anna, bela = (Audience(Role.PLAYER, side) for side in (None, Side.LIGHT, Side.DARK))
    director = Audience(Role.DIRECTOR)
    before = taken_back()
    assert offered(before, shared) == [("undo", Side.LIGHT), ("undo", Side.DARK)]
    assert offered(before, director) == [("undo_now", Side.LIGHT)]
    assert offered(before, Audience()) == []
    wanted = taken_back("dark")
    assert offered(wanted, shared) == offered(wanted, anna) == [("undo_agree", Side.LIGHT)]
    assert offered(wanted, bela) == []


def test_the_roll_that_is_played_again_stands_beside_how_to_lay_out_the_board() -> None:
    question = asked(taken_back("dark", "light"))
    assert question is not None
    assert (question.kind, question.note) == ("set_up", "Anna plays the same roll again.")


def test_dice_of_which_a_four_may_be_a_six_are_asked_about_by_their_numbers() -> None:
    evening = started()
    evening.show_dice(5, 4)
    evening.move(with_moves(GOOD, Side.DARK, (24, 18), (13, 8)), pictures=4)
    evening.lift_dice()
    question = asked(evening.table)
    assert question is not None
    assert question.kind == "unsure"
    assert question.heading.startswith("It is not clear whether 5-4 or 6-5 was rolled.")


def test_a_missing_checker_is_told_with_the_name_of_whose_it_is() -> None:
    """Whoever is on turn took one of the opponent's."""
    table = bear_off((5, 3), TAKEN, trays=False).table
    assert table.on_turn is Side.LIGHT
    question = asked(table)
    assert question is not None
    assert question.heading == "Béla: a checker seems to be missing. Please look at the board."
    assert question.points == (20,)


def test_who_ends_a_turn_once_more_without_a_move_is_asked_nothing_while_a_hand_is_over_the_board() -> None:
    evening = opened()
    evening.done()
    assert evening.messages()[-1] is Message.NOTHING_MOVED
    evening.tell(FrameMoving(evening.t + 0.5, 9))
    evening.done()
    assert evening.table.phase is Phase.TURN_ENDED
    assert asked(evening.table) is None
