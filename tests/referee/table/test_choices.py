"""What people may say now: nothing that is offered is refused, and what is not offered is."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices import Button
from controller.record.filter.keys import Keys
from controller.record.filter.line_reader import said_event
from controller.referee import Event, Phase, Pressed, step
from controller.referee.events import DIRECTOR
from controller.referee.table.choices import Choice, Need, choices_of, told_refusal
from controller.referee.table.state import Table
from controller.rules import Side, legal_plays
from controller.rules.game import events as ruled
from tests.referee.table.scenes import SCENES, happenings
from tests.rows import each_row

SPEAKERS: Final = ("light", "dark", DIRECTOR)


def arguments_of(choice: Choice, table: Table) -> Mapping[str, Any]:
    """The choice with all that it needs told rightly."""
    match choice.needs:
        case Need.OPENING_DICE:
            return {"light": 5, "dark": 2}
        case Need.DICE:
            return {"dice": [5, 2]}
        case Need.PLAY:
            thrown = table.thrown
            assert thrown is not None
            assert thrown.side is not None
            after = next(iter(legal_plays(table.position, thrown.side, thrown.roll))).after
            return {"position": after.compact()}
        case Need.AMOUNT:
            return {"amount": 3}
        case Need.POSITION:
            return {"position": table.position.compact(), "on_roll": "light"}
        case Need.POINTS:
            return {"winner": "light", "points": 3}
        case None:
            return {}


def event_of(choice: Choice, table: Table, by: str) -> Event:
    told = {**choice.arguments, **arguments_of(choice, table)}
    if choice.what == "pressed":
        return Pressed(table.t, Button[str(told["button"]).upper()], choice.side)
    if choice.side is not None and choice.what not in ("let_stand", "roll_stands"):
        told["side"] = str(choice.side)
    return said_event(table.t, Keys({"by": by, "what": choice.what, **told}))


def see_that_none_is_refused(table: Table) -> None:
    for by in SPEAKERS:
        for choice in choices_of(table, by):
            speaker = str(choice.side) if by == DIRECTOR and choice.side is not None else by
            _, actions = step(table, event_of(choice, table, speaker))
            refused = told_refusal(actions)
            assert refused is None, f"{table.phase}: {by} was offered {choice}, and told {refused}"


@each_row("phase", Phase)
def test_nothing_that_is_offered_is_refused(phase: Phase) -> None:
    see_that_none_is_refused(SCENES[phase]().table)


@pytest.mark.parametrize("phase", Phase)
@given(names=st.lists(st.integers(0, 10_000), min_size=1, max_size=12))
@settings(max_examples=12, deadline=None)
def test_nothing_that_is_offered_is_refused_whatever_has_happened(phase: Phase, names: list[int]) -> None:
    evening = SCENES[phase]()
    for number in names:
        events = list(happenings(evening).values())
        evening.t += 0.5
        evening.tell(events[number % len(events)])
    see_that_none_is_refused(evening.table)


def test_before_a_picture_shows_how_a_turn_ended_nobody_is_offered_to_have_it_counted() -> None:
    evening = SCENES[Phase.TURN_ENDED]()
    for name in (
        "said: game awarded",
        "picture: as it was read",
        "said: opening roll",
        "button: clock_light",
    ):
        event = happenings(evening)[name]
        evening.t += 0.5
        evening.tell(event)
    assert evening.table.phase is Phase.TURN_ENDED
    see_that_none_is_refused(evening.table)


@each_row("phase", Phase)
def test_every_saying_of_the_rules_that_is_allowed_is_offered(phase: Phase) -> None:
    evening = SCENES[phase]()
    table = evening.table
    offered = {choice.what for choice in choices_of(table, DIRECTOR)}
    sayings: dict[str, ruled.RulesEvent] = {
        "double": ruled.Doubled(Side.DARK),
        "take": ruled.Taken(Side.LIGHT),
        "pass": ruled.Passed(Side.LIGHT),
        "accept": ruled.ResignationAccepted(Side.LIGHT),
        "refuse": ruled.ResignationRefused(Side.LIGHT),
    }
    if phase is not Phase.TO_ROLL:
        del sayings[
            "double"
        ]  # before the opponent's turn is judged it ends that turn, which nobody is asked to do
    for what, saying in sayings.items():
        line = {"by": "director", "what": what, "side": str(saying.side)}  # type: ignore[union-attr]
        _, actions = step(table, said_event(table.t, Keys(line)))
        if told_refusal(actions) is None:
            assert what in offered


def test_a_player_is_offered_nothing_that_is_the_opponents() -> None:
    table = SCENES[Phase.CUBE_OFFERED]().table
    offer = table.match.game.offer
    assert offer is not None
    assert "take" in {choice.what for choice in choices_of(table, str(offer.to))}
    assert "take" not in {choice.what for choice in choices_of(table, str(offer.by))}


def test_what_is_not_offered_is_refused() -> None:
    table = SCENES[Phase.TO_ROLL]().table
    assert "take" not in {choice.what for choice in choices_of(table, DIRECTOR)}
    _, actions = step(table, said_event(table.t, Keys({"by": "light", "what": "take"})))
    assert told_refusal(actions) is not None
