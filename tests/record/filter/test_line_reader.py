"""Lines become what the referee is told."""

import json
from typing import get_args

import pytest
from hypothesis import given

from controller.errors import UserError
from controller.record.filter.board import APART, DiceOnBoard, sharp_reading
from controller.record.filter.line_reader import SAYINGS, LineReader, TableInput
from controller.record.table.inputs import input_from, input_record
from controller.referee import events as table
from controller.referee.events import Event, FrameSeen, RollReported
from controller.referee.seeing.evidence import evidence_of
from controller.rules.game import events as ruled
from controller.rules.position import START, Position, Side
from controller.vision.reading import HandSeen, Reading
from tests.record.inputs import events
from tests.rows import each_row
from tests.rules.strategies import positions

COMPACT = START.compact()
KEYS = {
    "side": "dark",
    "winner": "light",
    "loser": "dark",
    "on_roll": "light",
    "position": COMPACT,
    "dice": [6, 1],
    "light": 3,
    "dark": 1,
    "amount": 2,
    "points": 4,
    "level": 2,
    "ply": 7,
    "stands": False,
    "given": False,
    "ready": False,
    "profile": "standard-money",
    "device": "camera",
    "why": "unplugged",
    "trouble": "queue_full",
    "count": 3,
    "number": 5,
    "others": [COMPACT],
    "losses": [0.25],
}


def told(**keys: object) -> TableInput:
    return LineReader().read(json.dumps({"t": 1.5, **keys}), 1)[1]


def saying(what: str) -> Event:
    keys = {key: KEYS[key] for key in SAYINGS[what].keys}
    event = told(kind="said", by="light", what=what, **keys)
    assert isinstance(event, get_args(Event))
    return event


def reading_of(**keys: object) -> Reading:
    event = told(kind="seen", position=COMPACT, **keys)
    assert isinstance(event, FrameSeen)
    return event.reading


def test_everything_the_rules_know_can_be_said() -> None:
    events = [event.event for what in SAYINGS if isinstance(event := saying(what), table.Said)]
    assert {type(event) for event in events} == set(get_args(ruled.RulesEvent))


def test_everything_the_table_is_asked_can_be_said() -> None:
    kinds = {type(saying(what)) for what in SAYINGS}
    others = {table.BestPlayFound, table.ProfileChosen, table.Stopped, table.FlagFell, table.DeviceChanged}
    others |= {table.BoardTroubled}
    assert set(get_args(table.Instruction)) | others | {table.Resumed} <= kinds


@each_row("what", SAYINGS)
def test_each_saying_carries_what_its_keys_say(what: str) -> None:
    event = saying(what)
    assert event.t == 1.5
    inner = event.event if isinstance(event, table.Said) else event
    for key in SAYINGS[what].keys:
        held = {"position": "after", "dice": "roll"}.get(key, key)
        value = getattr(inner, held if hasattr(inner, held) else key)
        lists = {"others": (START,), "losses": (0.25,)}
        plain = ({"position": START, "dice": ruled.Roll.from_dice(6, 1)} | lists).get(key, KEYS[key])
        assert value == plain or value.name == plain


def test_a_player_speaks_for_himself_and_the_director_names_the_side() -> None:
    own = told(kind="said", by="dark", what="double")
    assert own == table.Said(1.5, ruled.Doubled(Side.DARK), "dark")
    named = told(kind="said", by="director", what="double", side="light")
    assert named == table.Said(1.5, ruled.Doubled(Side.LIGHT), "director")


@given(events)
def test_every_input_of_a_journal_can_be_told_in_a_line(event: Event) -> None:
    record = input_record(event)
    line = json.dumps({"t": 9.0, "kind": "input", "input": record})
    assert LineReader().read(line, 1)[1] == input_from(record)


def test_inputs_of_a_journal_from_before_buttons_had_sides_and_rolls_were_cocked_are_read() -> None:
    assert input_from({"input": "pressed", "t": 1.0, "button": "take"}) == table.Pressed(
        1.0, table.Button.TAKE
    )
    assert input_from({"input": "rolled", "t": 1.0, "dice": [3, 1]}) == RollReported(1.0, (3, 1))


def test_a_cocked_roll_says_so() -> None:
    assert told(kind="rolled", dice=[3, 1], cocked=True) == RollReported(1.5, (3, 1), cocked=True)
    assert told(kind="rolled", dice=[3, 1]) == RollReported(1.5, (3, 1))


@given(positions())
def test_a_described_board_is_read_as_it_is(position: Position) -> None:
    reading = sharp_reading(position, frozenset(), (None, None), (), None)
    scores = evidence_of(reading).by_place(position)
    assert scores.tolist() == pytest.approx([0.0] * 27)
    assert reading.points == position.points


def test_a_count_beside_the_right_one_is_doubted_far_below_one_percent_and_not_excluded() -> None:
    row = reading_of().likelihoods[5]
    assert row[5] == 0.0
    assert all(-20 < value < -5 for count, value in row.items() if count != 5)


def test_hidden_points_are_covered_and_say_nothing() -> None:
    reading = reading_of(hidden=[6, 8])
    assert reading.covered == reading.unsure == {6, 8}
    assert (reading.points[5], reading.points[7], reading.points[12]) == (0, 0, 5)
    evidence = evidence_of(reading)
    assert not evidence.points[[5, 7]].any()
    assert evidence.points[[4, 6]].any(axis=1).all()


def test_trays_that_are_not_told_of_are_not_seen() -> None:
    assert reading_of().off_likelihoods == (None, None)
    light, dark = reading_of(off={"light": 2, "dark": None}).off_likelihoods
    assert light is not None
    assert max(light, key=light.__getitem__) == 2
    assert dark is None


def test_a_centred_cube_counts_one_and_shows_its_highest_number() -> None:
    cube = reading_of(cube={"value": 1, "owner": "center"}).cube
    assert cube is not None
    assert (cube.value, cube.face) == (1, 64)
    assert reading_of().cube is None


def test_hands_are_told_of_with_their_side_and_what_they_covered() -> None:
    hands = reading_of(hands=[{"side": "light", "points": [6, 5]}, {"side": None, "points": []}]).hands
    assert hands == (HandSeen("light", frozenset({5, 6})), HandSeen(None, frozenset()))


def test_hands_that_are_not_told_of_are_not_known_and_an_empty_list_says_there_was_none() -> None:
    assert reading_of().hands is None
    assert reading_of(hands=None).hands is None
    assert reading_of(hands=[]).hands == ()


@each_row(
    ("hands", "named"),
    [
        ("light", '"hands"'),
        (["light"], '"hands"'),
        ([{"side": "green", "points": [6]}], '"side"'),
        ([{"side": "light", "points": [25]}], '"points"'),
        ([{"side": "light"}], '"points"'),
        ([{"side": "light", "points": [6], "finger": 1}], '"finger"'),
    ],
)
def test_hands_that_cannot_be_are_refused_by_the_key_that_is_wrong(hands: object, named: str) -> None:
    with pytest.raises(UserError, match=named):
        reading_of(hands=hands)


def test_a_pair_that_stays_is_the_same_dice_whatever_its_order() -> None:
    once = DiceOnBoard().see([(3, 1)])
    assert once.see([(1, 3)]).readings() == once.readings()


def test_a_pair_overlooked_once_lies_where_it_lay() -> None:
    once = DiceOnBoard().see([(3, 1)])
    away = once.see([])
    assert away.readings() == ()
    assert away.see([(3, 1)]).readings() == once.readings()


def test_a_pair_that_was_taken_up_lies_elsewhere_when_it_comes_again() -> None:
    once = DiceOnBoard().see([(3, 1)])
    again = once.see([]).see([]).see([(3, 1)])
    assert [die.value for die in again.readings()] == [die.value for die in once.readings()]
    assert {(die.x, die.y) for die in again.readings()}.isdisjoint((die.x, die.y) for die in once.readings())


def test_another_pair_lies_further_off_than_dice_are_pushed() -> None:
    first = DiceOnBoard().see([(3, 1)])
    second = first.see([(3, 2)])
    assert all(
        abs(one.x - other.x) + abs(one.y - other.y) >= APART - 40
        for one in first.readings()
        for other in second.readings()
    )


def test_two_equal_pairs_are_four_dice() -> None:
    both = DiceOnBoard().see([(3, 1), (3, 1)])
    assert len({(die.x, die.y) for die in both.readings()}) == 4
