"""The first minute of a demo: somebody at the page puts a play right, answers a double, cheats, and is caught."""

import time
from pathlib import Path
from typing import Final

from controller.demo.preparing import Prepared
from controller.demo.tour import TourScene, may_double, next_scene
from controller.messages.catalogue import LANGUAGES
from controller.referee import Phase
from controller.rules import Position, Roll, Side
from controller.simulation.players.carrying import carries_between
from controller.web.table_service import DemoShown
from tests.demo.seated import SETTLED_S, Seated, sitting_in
from tests.referee.table.scenes import SCENES
from tests.rows import each_row

ASKED_S: Final = 3.0
"""A question that stands so long is answered."""


@each_row(
    ("scene", "phase", "following"),
    [
        (TourScene.WATCH, Phase.MOVING, TourScene.WATCH),
        (TourScene.WATCH, Phase.PUT_RIGHT, TourScene.PUT_RIGHT),
        (TourScene.PUT_RIGHT, Phase.MOVING, TourScene.GO_ON),
        (TourScene.GO_ON, Phase.TO_ROLL, TourScene.GO_ON),
        (TourScene.GO_ON, Phase.CUBE_OFFERED, TourScene.ANSWER),
        (TourScene.ANSWER, Phase.TO_ROLL, TourScene.CHEAT),
        (TourScene.ANSWER, Phase.GAME_OVER, TourScene.CHEAT),
        (TourScene.CHEAT, Phase.TURN_ENDED, TourScene.CHEAT),
        (TourScene.CAUGHT, Phase.MOVING, TourScene.FREE),
        (TourScene.FREE, Phase.PUT_RIGHT, TourScene.FREE),
    ],
)
def test_a_scene_follows_from_what_the_referee_knows(
    scene: TourScene, phase: Phase, following: TourScene
) -> None:
    assert next_scene(scene, SCENES[phase]().table, Side.DARK) is following


def test_only_who_plays_at_the_page_is_caught() -> None:
    known = SCENES[Phase.PUT_RIGHT]().table
    assert known.flagged is not None
    visitor = known.flagged.side
    assert next_scene(TourScene.CHEAT, known, visitor) is TourScene.CAUGHT
    assert next_scene(TourScene.CHEAT, known, visitor.opponent) is TourScene.CHEAT


def test_nobody_doubles_while_a_roll_is_played() -> None:
    assert may_double(SCENES[Phase.TO_ROLL]().table)
    assert not may_double(SCENES[Phase.MOVING]().table)


def _shown(seated: Seated) -> DemoShown:
    demo = seated.room.view().demo
    assert demo is not None
    return demo


def _text(seated: Seated) -> str:
    words = _shown(seated).words
    assert words is not None
    assert all(words(language) for language in LANGUAGES)
    return words("en")


def _until_hands(seated: Seated, phase: Phase) -> Side:
    """Wait until hands follow the page in a phase; whose they are."""
    seated.until(lambda: seated.known.phase is phase and _shown(seated).hands is not None)
    hands = _shown(seated).hands
    assert hands is not None
    return hands.side


def _put_back(seated: Seated) -> None:
    """Carry the checkers back, as the page says."""
    flagged = seated.known.flagged
    assert flagged is not None
    for carry in carries_between(flagged.after, flagged.before):
        side = Side(carry.colour)
        start, end = (_number(place, side) for place in (carry.start, carry.end))
        seated.ask("hands", side=str(side), **{"from": start, "to": end})


def _press(seated: Seated, button: str) -> None:
    """Press a button once more; where the press before has done its work by now, this one is refused."""
    seated.room.ask({"what": "hands", "button": button}, "director").result(SETTLED_S)


def _cheat(seated: Seated, side: Side) -> None:
    """On their turn somebody moves a checker too far; who is doubted plays on to the next turn."""
    assert _until_hands(seated, Phase.TO_ROLL) is side
    assert "press Roll" in _text(seated)
    while seated.known.phase is Phase.TO_ROLL:
        # Pressed before the dice were ready it does nothing, and people press again.
        _press(seated, "roll")
        _wait_for(seated, Phase.MOVING)
    seated.until(lambda: "Now cheat" in _text(seated))
    thrown, position, ply = seated.known.thrown, seated.known.position, seated.known.ply
    assert thrown is not None
    source, target = _too_far(position, side, thrown.roll)
    seated.ask("hands", side=str(side), **{"from": source, "to": target})
    while seated.known.phase is Phase.MOVING:
        # Pressed before the table has seen the move it ends nothing, and people press again.
        _press(seated, "done")
        _wait_for(seated, Phase.PUT_RIGHT)
    seated.until_phase(Phase.TURN_ENDED, Phase.PUT_RIGHT, Phase.TO_ROLL)
    _wait_for(seated, Phase.PUT_RIGHT)
    if seated.known.phase is Phase.TURN_ENDED and seated.known.ply == ply:
        seated.room.ask(
            {"what": "played", "side": str(side), "position": position.compact()}, str(side)
        ).result()
        seated.until(lambda: seated.known.ply != ply)


def _wait_for(seated: Seated, phase: Phase) -> None:
    """Wait a little for a phase, which may not come."""
    end = time.monotonic() + ASKED_S
    seated.until(lambda: seated.known.phase is phase or time.monotonic() > end)


def _number(place: int | str, side: Side) -> int:
    if isinstance(place, str):
        return 25 if place == "bar" else 0
    return place if side is Side.LIGHT else 25 - place


def _too_far(position: Position, side: Side, roll: Roll) -> tuple[int, int]:
    """A single move that leads to no position that the roll leads to, nor to any on the way."""
    own = position if side is Side.LIGHT else position.mirrored()
    numbers = roll.numbers
    ways = {*numbers, *(sum(numbers[:count]) for count in range(2, len(numbers) + 1))}
    there = [0, *own.points, own.bar(Side.LIGHT)]
    return next(
        (source, source - far)
        for source in ((25,) if there[25] else (24, 13, 8, 6))
        for far in (*range(5, 12), *range(1, 5))
        if source > far and far not in ways and there[source] > 0 and there[source - far] >= 0
    )


def test_the_first_minute_leads_from_an_illegal_play_to_being_caught(
    prepared: Prepared, tmp_path: Path
) -> None:
    with Seated(prepared, sitting_in(tmp_path, length=5, speed=4.0, tour=True)) as seated:
        seated.until_phase(Phase.MOVING)
        assert "about to cheat" in _text(seated)
        cheater = _until_hands(seated, Phase.PUT_RIGHT)
        assert "Put it right" in _text(seated)
        _put_back(seated)
        seated.until_phase(Phase.CUBE_OFFERED)
        visitor = cheater.opponent
        assert seated.known.on_turn is visitor
        seated.until(lambda: "take or pass" in _text(seated))
        assert _shown(seated).hands is None
        seated.ask("take", str(visitor))
        while seated.known.phase is not Phase.PUT_RIGHT:
            _cheat(seated, visitor)
        seated.until(lambda: "Caught" in _text(seated))
        _put_back(seated)
        seated.until(lambda: "Play on" in _text(seated))
    ledger = seated.table.ledger
    assert [right for _, right in ledger.list_noticed()] == [True]
    assert not ledger.list_accused()
