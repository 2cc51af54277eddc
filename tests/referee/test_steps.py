from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.belief.branches import lawful
from controller.referee.belief.steps import begins, change_text, leads_to, steps
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import format_play, parse_play
from controller.rules.position import START, Position, Roll, Side
from tests.referee.staging import chosen, middle_of


def at(text: str) -> Position:
    return Position.from_compact(text)


def some_position(seed: int) -> tuple[Position, Side, Roll, Random]:
    rng = Random(seed)
    position, side = START, Side.LIGHT
    for _ in range(rng.randrange(60)):
        after = rng.choice(lawful(position, side, Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6))))
        if after.off(side) == 15:
            break
        position, side = after, side.opponent
    return position, side, Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6)), rng


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000))
def test_every_legal_play_of_two_dice_consists_of_single_steps(seed: int) -> None:
    position, side, roll, _ = some_position(seed)
    ends = {end for one in steps(position, side, roll.high) for end in (one, *steps(one, side, roll.low))}
    ends |= {end for one in steps(position, side, roll.low) for end in (one, *steps(one, side, roll.high))}
    if not roll.is_double:
        assert {play.after for play in legal_plays(position, side, roll)} <= ends | {position}


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000))
def test_a_play_begun_leads_to_its_end(seed: int) -> None:
    position, side, roll, rng = some_position(seed)
    after = chosen(position, side, roll, rng).after
    middle = middle_of(position, side, roll, after)
    if middle is not None:
        assert begins(position, side, roll, middle)
        assert leads_to(position, side, roll, middle, after)


def test_another_play_is_not_what_was_begun() -> None:
    begun = at("b....E.C...eE...c.eA...A..")
    assert not leads_to(START, Side.LIGHT, Roll.from_dice(6, 4), begun, at("b..A.E.B...eE...c.e....B.."))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000))
def test_a_legal_change_is_written_with_the_moves_of_some_legal_play(seed: int) -> None:
    position, side, roll, rng = some_position(seed)
    play = chosen(position, side, roll, rng)
    text = change_text(position, play.after, side, roll)
    if play.play:
        assert "opponent" not in text
        assert sum(m.source - m.target for m in parse_play(text)) == sum(
            m.source - m.target for m in parse_play(format_play(play.play))
        )


def test_an_illegal_change_is_written_from_the_movers_side() -> None:
    before, after = at("b....ECC...cB..bcBc...b..."), at("a.a..ECC...cB..bcBb...ba..")
    assert change_text(before, after, Side.DARK, Roll.from_dice(5, 3)) == "24/22 6/1"


def test_the_opponents_checkers_follow_a_plus_in_their_own_numbering() -> None:
    before, after = at("BA...........b..b.bba.cc.."), at("B............b..b.aca.cc..")
    assert change_text(before, after, Side.LIGHT, Roll.from_dice(4, 1)) == "2/off + opponent 6/5"


def test_a_checker_buried_on_a_held_point_is_written_there() -> None:
    before, after = at("Aaa..FBB....Bc.bcBb...ba.."), at("Aaa..FBB..A.Ac.bcAb...ba..")
    assert change_text(before, after, Side.LIGHT, Roll.from_dice(2, 2), buried=16) == "18/16 13/11"
