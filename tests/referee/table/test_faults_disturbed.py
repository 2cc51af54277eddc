"""A board that somebody changed out of turn: it is told, nobody else is accused, and the record has the doubt."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.link.happenings import Button
from controller.referee.actions import Flagged, Message, TurnJudged, Unsure
from controller.referee.belief.steps import count
from controller.referee.events import FrameMoving, FrameSeen, RollReported
from controller.referee.table.settings import Settings
from controller.rules.game import events as ruled
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.profile import STANDARD
from controller.vision.geometry.seen import HandSeen
from controller.vision.reading import Reading
from tests.amounts import amount
from tests.referee.staging import chosen, thrown
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, WRONG, after, opened, turns
from tests.rows import each_row

SIX_FOUR = Roll.from_dice(6, 4)
PUSHES = [(8, 7), (24, 23), (6, 3)]
"""Of one of light's checkers, after its opening play."""


def dark_to_roll() -> Evening:
    """Light has opened with 3-1, 8/5 6/5, which was judged."""
    evening = opened()
    evening.move(GOOD)
    evening.done()
    return evening


def play_on(evening: Evening, side: Side, roll: Roll, number: int = 0) -> Position:
    """A side plays its roll legally from how the board truly lies, and ends its turn; returns where that leads."""
    result = legal_plays(evening.shown, side, roll)[number].after
    evening.move(result, 3)
    evening.done()
    return result


def unseen_before_the_roll(evening: Evening, push: tuple[int, int]) -> None:
    evening.shown = after(push, of=GOOD)
    evening.roll(6, 4)
    evening.look()
    play_on(evening, Side.DARK, SIX_FOUR)


def seen_once_before_the_roll(evening: Evening, push: tuple[int, int]) -> None:
    evening.move(after(push, of=GOOD), pictures=1)
    evening.roll(6, 4)
    evening.look()
    play_on(evening, Side.DARK, SIX_FOUR)


def in_the_turn(evening: Evening, push: tuple[int, int]) -> None:
    evening.roll(6, 4)
    evening.look()
    evening.move(after(push, of=GOOD))
    play_on(evening, Side.DARK, SIX_FOUR)


def with_the_play(evening: Evening, push: tuple[int, int]) -> None:
    evening.roll(6, 4)
    evening.look()
    evening.shown = after(push, of=GOOD)
    play_on(evening, Side.DARK, SIX_FOUR)


def in_a_pause(evening: Evening, push: tuple[int, int]) -> None:
    evening.roll(6, 4)
    evening.look()
    evening.press(Button.PAUSE)
    evening.move(after(push, of=GOOD))
    evening.press(Button.PAUSE)
    play_on(evening, Side.DARK, SIX_FOUR)


Ways = Callable[[Evening, tuple[int, int]], None]
WAYS: list[Ways] = [unseen_before_the_roll, seen_once_before_the_roll, in_the_turn, with_the_play, in_a_pause]


def codes(evening: Evening) -> set[str]:
    return {str(message) for message in evening.messages()}


@each_row("push", PUSHES, ids=str)
@each_row("way", WAYS)
def test_who_plays_legally_is_not_accused_of_what_the_other_side_pushed_and_it_is_told(
    way: Ways, push: tuple[int, int]
) -> None:
    evening = dark_to_roll()
    way(evening, push)
    assert not [
        flag for flag in evening.of(Flagged) if isinstance(flag, Flagged) and flag.turn.side is Side.DARK
    ]
    assert codes(evening) & {Message.MOVED_OUT_OF_TURN, Message.LOOK}


@each_row("push", PUSHES, ids=str)
@each_row("way", WAYS)
def test_after_a_push_play_goes_on_from_the_board_as_it_lies_and_the_record_says_that_it_was_in_doubt(
    way: Ways, push: tuple[int, int]
) -> None:
    evening = dark_to_roll()
    way(evening, push)
    evening.roll(5, 2)
    evening.look()
    result = play_on(evening, Side.LIGHT, Roll.from_dice(5, 2), 3)
    evening.look()
    evening.roll(6, 1)
    evening.look()
    assert evening.of(Unsure)
    assert not [turn for turn in turns(evening) if turn.legal is False and turn.ply > 0]
    assert evening.table.position == result


@pytest.mark.parametrize("push", PUSHES, ids=str)
def test_a_push_after_the_turn_was_judged_seen_in_one_picture_is_told_and_the_record_keeps_to_the_board(
    push: tuple[int, int],
) -> None:
    evening = dark_to_roll()
    evening.move(after(push, of=GOOD), pictures=1)
    evening.roll(6, 4)
    evening.look()
    assert Message.MOVED_OUT_OF_TURN in evening.messages() or turns(evening)[-1].revises
    result = play_on(evening, Side.DARK, SIX_FOUR)
    evening.look()
    evening.roll(5, 2)
    evening.look()
    assert evening.table.position == result


def test_whoever_rolls_again_since_the_opponent_played_their_roll_is_not_told_so() -> None:
    evening = dark_to_roll()
    evening.roll(6, 4)
    evening.look()
    evening.move(legal_plays(GOOD, Side.LIGHT, SIX_FOUR)[0].after, 3)
    evening.press(Button.CLOCK_LIGHT, Side.LIGHT)
    evening.roll(5, 2)
    evening.look()
    result = play_on(evening, Side.DARK, Roll.from_dice(5, 2))
    assert Message.MOVED_OUT_OF_TURN in evening.messages()
    assert Message.ROLLED_AGAIN not in evening.messages()
    assert evening.table.position == result


def hidden_until_the_roll() -> Evening:
    """Light has played 8/5 6/4 with a 3-1; a hand lay over its 4- and 5-point until dark had rolled."""
    evening = opened()
    evening.move(WRONG, pictures=3, hidden=(4, 5))
    evening.done()
    evening.shown = WRONG
    evening.roll(6, 4)
    evening.look(pictures=3)
    return evening


def test_what_was_not_seen_is_not_confirmed() -> None:
    evening = hidden_until_the_roll()
    assert evening.of(Unsure)


def test_who_changed_a_hidden_point_is_named_when_it_comes_to_light_and_the_next_player_is_not_accused() -> (
    None
):
    evening = hidden_until_the_roll()
    result = play_on(evening, Side.DARK, SIX_FOUR)
    evening.look()
    evening.roll(5, 2)
    evening.look()
    told = {turn.ply: turn for turn in turns(evening)}
    assert (told[0].side, told[0].legal, told[0].after) == (Side.LIGHT, False, WRONG)
    assert (told[1].side, told[1].legal) == (Side.DARK, True)
    assert evening.table.position == result


@pytest.mark.parametrize("push", PUSHES, ids=str)
def test_a_push_under_a_hand_after_a_legal_play_is_judged_when_the_hand_is_gone_before_the_next_play(
    push: tuple[int, int],
) -> None:
    hidden = {3, 7, 23, 24}
    pushed = after(push, of=GOOD)
    evening = opened()
    evening.move(pushed, pictures=3, hidden=hidden | {*push})
    evening.done()
    evening.look(hidden=hidden | {*push})
    evening.tell(RollReported(evening.t + 0.5, (6, 4)))
    evening.look(hidden=hidden | {*push})
    evening.move(pushed, pictures=3)
    result = play_on(evening, Side.DARK, SIX_FOUR)
    evening.roll(5, 2)
    told = {turn.ply: turn for turn in turns(evening)}
    assert (told[0].side, told[0].legal, told[0].after) == (Side.LIGHT, False, pushed)
    assert (told[1].side, told[1].legal, told[1].after) == (Side.DARK, True, result)


def disturbed(evening: Evening, when: str, board: Position, roll: Roll, end: Position) -> list[TurnJudged]:
    """Dark rolls and plays legally from ``board``, as light's push has left it, to ``end``; how dark was accused."""
    if when == "before":
        evening.shown = board
    elif when == "once":
        evening.move(board, pictures=1)
    evening.roll(*roll.dice)
    evening.look()
    if when == "in":
        evening.move(board)
    elif when == "with":
        evening.shown = board
    evening.move(end, 3)
    evening.done()
    evening.look()
    evening.roll(5, 2)
    evening.look()
    flags = [flag.turn for flag in evening.of(Flagged) if isinstance(flag, Flagged)]
    assert turns(evening) + flags
    return [turn for turn in flags + turns(evening) if turn.side is Side.DARK and turn.legal is False]


WHEN = ["before", "once", "in", "with"]


def accused(when: str, before: Position, pushed: Position, roll: Roll, end: Position) -> list[TurnJudged]:
    """How dark is accused, who plays legally from the board that light's push has made of the one before."""
    evening = opened()
    evening.stand(before, Side.DARK)
    return disturbed(evening, when, pushed, roll, end)


@pytest.mark.parametrize("when", WHEN)
def test_who_lands_where_a_blot_was_pushed_away_is_not_accused_of_having_moved_it(when: str) -> None:
    board = Position.from_compact("BaCAA..b.a.bC....bcDaA.b.a")
    pushed = after((4, 5), of=board)
    end = after((25, 21), (17, 16), of=pushed, side=Side.DARK)
    assert not accused(when, board, pushed, Roll.from_dice(4, 1), end)


@pytest.mark.parametrize("when", WHEN)
def test_who_hits_the_checker_that_a_push_left_alone_is_not_accused_of_landing_on_a_held_point(
    when: str,
) -> None:
    board = Position.from_compact("a...BGB...A.A.bbaadAaaA..b")
    pushed = after((5, 6), of=board)
    end = after((25, 24), (25, 20), of=pushed, side=Side.DARK)
    assert not accused(when, board, pushed, Roll.from_dice(5, 1), end)


@pytest.mark.parametrize("when", WHEN)
def test_who_cannot_play_since_the_other_side_pushed_a_checker_is_not_accused_of_not_having_played(
    when: str,
) -> None:
    board = Position.from_compact("caAaBCAA...bD.A.b.ca.AAa.a")
    pushed = after((5, 3), of=board)
    assert legal_plays(pushed, Side.DARK, Roll.from_dice(6, 3))[0].after == pushed
    assert not accused(when, board, pushed, Roll.from_dice(6, 3), pushed)


def pushes(position: Position, side: Side) -> list[tuple[int, int]]:
    """Every push of one checker of a side to a point where none of the other side's lies, forwards or backwards."""
    return [
        (source, target)
        for source in range(1, 25)
        for target in range(max(source - 6, 1), min(source + 6, 24) + 1)
        if source != target and count(position, side, source) > 0 and count(position, side, target) >= 0
    ]


def some_position(rng: Random, plies: int) -> tuple[Position, Roll, Position]:
    """Where so many random plays of each side lead; light's roll there, and how the board lies when it is played."""
    position = START
    for number in range(2 * plies):
        position = chosen(position, list(Side)[number % 2], Roll.from_dice(*thrown(rng)), rng).after
    roll = Roll.from_dice(*thrown(rng))
    return position, roll, chosen(position, Side.LIGHT, roll, rng).after


@settings(max_examples=amount(30, 300), deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 1 << 32),
    plies=st.integers(0, 14),
    when=st.sampled_from(WHEN),
)
def test_no_push_of_a_checker_that_is_not_the_movers_accuses_the_mover(
    seed: int, plies: int, when: str
) -> None:
    rng = Random(seed)
    position, first, lies = some_position(rng, plies)
    board = after(rng.choice(pushes(lies, Side.LIGHT)), of=lies)
    roll = Roll.from_dice(*thrown(rng))
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    evening.start(3, 1)
    evening.stand(position, Side.LIGHT)
    evening.roll(*first.dice)
    evening.move(lies)
    evening.done()
    end = chosen(board, Side.DARK, roll, rng).after
    assert not disturbed(evening, when, board, roll, end)


PILE = Position.from_counts([-7, 0, 0, 0, 0, 5, 0, 5, *[0] * 9, -4, 0, 5, *[0] * 4])
"""Seven checkers of dark's lie on one point, and dark has borne some off."""


def with_pile(tray: int, pile: int = 7) -> Evening:
    """Light plays legally; dark's pile, of which nobody can say how high it is, looks rather like so many then.

    Dark's tray holds so many.
    """
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    evening.start()
    evening.stand(PILE, Side.LIGHT)
    evening.look(PILE, 3)
    evening.roll(2, 1)
    evening.shown = evening.legal()
    reading = evening.film.read(evening.shown)
    looks = {-6: -0.1, -7: 0.0, -8: -0.1} if pile == 7 else {-pile: 0.0, -7: -3.0}
    opinions = (looks, *reading.likelihoods[1:])
    seen = replace(reading, likelihoods=opinions, off_likelihoods=({0: 0.0}, {tray: 0.0}))
    evening.tell(FrameMoving(evening.t + 0.3, 1))
    for number in range(2, 6):
        evening.t += 0.4
        evening.tell(FrameSeen(evening.t, number, seen))
    evening.done()
    return evening


@pytest.mark.parametrize(("more", "told"), [(1, Message.CHECKER_MISSING), (-1, Message.LOOK)])
def test_a_checker_that_a_tray_shows_and_a_pile_perhaps_is_asked_about_and_nobody_accused(
    more: int, told: Message
) -> None:
    evening = with_pile(PILE.off(Side.DARK) + more, 7 - more)
    assert told in evening.messages()
    assert not evening.of(Flagged)
    assert not turns(evening)


def test_a_pile_that_nobody_can_count_is_no_question_where_the_trays_are_as_they_were() -> None:
    evening = with_pile(PILE.off(Side.DARK))
    assert [turn.legal for turn in turns(evening)] == [True]
    assert not {Message.CHECKER_MISSING, Message.LOOK} & {*evening.messages()}


def test_who_played_is_not_accused_of_what_a_knock_undid_while_nobodys_hand_was_there() -> None:
    """The number that is left after the knock could be played: with a hand in the pictures it would be unused."""
    hand = HandSeen("light", frozenset({5, 6}))

    def judged(hands: tuple[HandSeen, ...]) -> Evening:
        evening = opened()
        played = HandSeen("light", frozenset({5, 6, 8}))
        for board, over in ((START, ()), (GOOD, (played,)), (after((5, 6), of=GOOD), hands)):
            for told in (over, *[()] * 9):
                evening.t += 0.3
                reading = replace(evening.film.read(board), hands=told)
                evening.tell(FrameSeen(evening.t, round(evening.t * 15), reading))
        evening.shown = after((5, 6), of=GOOD)
        evening.done()
        return evening

    assert [action for action in judged((hand,)).actions if isinstance(action, Flagged)]
    evening = judged(())
    assert not [action for action in evening.actions if isinstance(action, Flagged)]


def test_after_a_picture_that_could_not_be_read_nobody_knows_whose_hands_were_there() -> None:
    evening = opened()

    def see(reading: Reading) -> None:
        evening.t += 0.3
        evening.tell(FrameSeen(evening.t, round(evening.t * 15), reading))

    clear = replace(evening.film.read(START), hands=())
    see(clear)
    assert evening.table.hands == ()
    see(replace(clear, fault="blurred", hands=None))
    assert evening.table.hands is None
    see(clear)
    assert evening.table.views[-1].hands is None
    assert evening.table.hands == ()


def test_who_says_how_the_board_stands_is_not_accused_of_what_a_bump_had_displaced_before() -> None:
    evening = dark_to_roll()
    bumped = after((8, 7), of=after((24, 23), of=GOOD), side=Side.DARK)
    evening.move(bumped)
    evening.roll(6, 4)
    result = legal_plays(bumped, Side.DARK, SIX_FOUR)[0].after
    evening.move(result)
    evening.say(ruled.Played(Side.DARK, result, None))
    assert not [action for action in evening.actions if isinstance(action, Flagged)]
    assert (turns(evening)[-1].side, turns(evening)[-1].after) == (Side.DARK, result)


@each_row("hidden", [(4,), (10,), (5, 6)], ids=str)
def test_a_knock_that_the_first_picture_after_a_hand_shows_is_no_glitch_once_the_next_ones_show_it_too(
    hidden: tuple[int, ...],
) -> None:
    evening = opened()
    evening.move(GOOD, hidden=hidden)
    evening.done()
    bumped = after((8, 7), of=after((24, 23), of=GOOD), side=Side.DARK)
    evening.look(bumped, pictures=3)
    assert [(turn.after, turn.legal) for turn in turns(evening)][-1] == (bumped, True)
    evening.roll(6, 4)
    result = play_on(evening, Side.DARK, SIX_FOUR)
    assert evening.table.position == result
    assert not evening.of(Flagged)


def test_who_had_played_by_the_rules_is_not_accused_where_a_knock_undid_half_of_it_over_the_bar() -> None:
    """Dark's 8/7 slips back over the bar, and so does a checker of light's."""
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    evening.stand(Position.from_compact("BDC...A.........bdbdC.cB.."), Side.DARK)
    evening.roll(4, 1)
    evening.move(Position.from_compact("BDC...A.........bcbdC.dB.."))
    evening.press(Button.CLOCK_DARK)
    evening.look(pictures=2)
    evening.look(Position.from_compact("BDC..A..........bdadC.dB.."), pictures=3)
    evening.roll(3, 1)
    evening.move(Position.from_compact("CCC..A..........bdadD.dA.."))
    evening.press(Button.CLOCK_LIGHT)
    assert Side.DARK in [turn.side for turn in turns(evening)]
    assert False not in [turn.legal for turn in turns(evening)]
    assert not [action for action in evening.actions if isinstance(action, Flagged)]


def test_who_had_played_by_the_rules_is_not_accused_of_what_a_knock_undid_and_displaced() -> None:
    """Light's 7/6 slips back over the bar, and one of dark's two checkers on its 4-point to the next point."""
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    evening.stand(Position.from_compact(".BDb.CAB...d......dcb..BA."), Side.LIGHT)
    evening.roll(1, 2)
    evening.move(Position.from_compact(".BDb.D.B...d......dcb.AB.."))
    evening.press(Button.CLOCK_LIGHT)
    evening.look(pictures=3)
    evening.look(Position.from_compact(".BDb.CAB...d......dcaaAB.."), pictures=3)
    evening.roll(5, 2)
    evening.move(Position.from_compact(".BDb.CAB...c....a.dc.aaBA."))
    evening.press(Button.CLOCK_DARK)
    assert Side.LIGHT in [turn.side for turn in turns(evening)]
    assert False not in [turn.legal for turn in turns(evening)]
    assert not [action for action in evening.actions if isinstance(action, Flagged)]
