"""A table in each of its states, and one of every event, to walk through all there is."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from controller.devices.link.happenings import Button
from controller.referee.actions import Phase
from controller.referee.events import (
    BestPlayFound,
    BoardTroubled,
    CameTooLate,
    ConsentGiven,
    Correct,
    Corrected,
    DeviceChanged,
    Disputed,
    Event,
    FilmEnded,
    FlagFell,
    FrameLost,
    FrameMoving,
    FrameSame,
    FrameSeen,
    GoOn,
    HintAsked,
    IllegalElsewhere,
    LetStand,
    OpeningDie,
    Pause,
    PlayAnnounced,
    PositionRuled,
    Pressed,
    ProfileChosen,
    Rebuild,
    Resumed,
    RollReported,
    RollStands,
    Said,
    Stopped,
    Ticked,
    UndoneElsewhere,
)
from controller.referee.table.settings import Settings
from controller.rules.game import events as ruled
from controller.rules.position import START, Roll, Side
from controller.rules.profile.profile import STANDARD
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, WRONG, after

Make = Callable[[], Evening]


def played_once(make: Make) -> Make:
    """A scene takes up to 20 ms, and the walk begins each 66 times: all of them go on from one evening."""
    played = cache(make)
    return lambda: played().apart()


@played_once
def _new() -> Evening:
    return Evening(Settings(match_terms(STANDARD), clock=True))


@played_once
def _opening() -> Evening:
    evening = _new()
    evening.look(START)
    return evening


@played_once
def _moving() -> Evening:
    evening = _opening()
    evening.roll(3, 1)
    return evening


@played_once
def _to_roll() -> Evening:
    evening = _moving()
    evening.move(GOOD)
    evening.done()
    return evening


@played_once
def _turn_ended() -> Evening:
    evening = _moving()
    evening.move(GOOD, hidden=(4, 5, 6, 8))
    evening.done()
    return evening


@played_once
def _put_right() -> Evening:
    evening = _moving()
    evening.move(WRONG)
    evening.done()
    return evening


@played_once
def _cube_offered() -> Evening:
    evening = _to_roll()
    evening.press(Button.DOUBLE)
    return evening


@played_once
def _resignation_offered() -> Evening:
    evening = _to_roll()
    evening.say(ruled.Resigned(Side.DARK, 1))
    return evening


@played_once
def _disputed() -> Evening:
    evening = _moving()
    evening.tell(Disputed(evening.t))
    return evening


@played_once
def _paused() -> Evening:
    evening = _moving()
    evening.press(Button.PAUSE)
    return evening


@played_once
def _game_over() -> Evening:
    evening = _resignation_offered()
    evening.press(Button.TAKE)
    return evening


@played_once
def _match_over() -> Evening:
    evening = _to_roll()
    evening.say(ruled.MatchForfeited(Side.DARK))
    return evening


SCENES: Final[Mapping[Phase, Make]] = {
    Phase.SET_UP: _new,
    Phase.OPENING_ROLL: _opening,
    Phase.TO_ROLL: _to_roll,
    Phase.MOVING: _moving,
    Phase.TURN_ENDED: _turn_ended,
    Phase.PUT_RIGHT: _put_right,
    Phase.CUBE_OFFERED: _cube_offered,
    Phase.RESIGNATION_OFFERED: _resignation_offered,
    Phase.DISPUTE: _disputed,
    Phase.PAUSED: _paused,
    Phase.GAME_OVER: _game_over,
    Phase.MATCH_OVER: _match_over,
}
"""Dark is on turn, or to answer light, wherever light has opened with 3-1: 8/5 6/5."""


def happenings(evening: Evening) -> dict[str, Event]:
    """One of every event, as it may happen at this table, by what it is called in the page."""
    t = evening.t + 0.5
    read = evening.film.read
    dark, light = Side.DARK, Side.LIGHT
    said: dict[str, ruled.RulesEvent] = {
        "said: opening roll": ruled.OpeningRoll(5, 2),
        "said: roll": ruled.Rolled(dark, Roll.from_dice(5, 2)),
        "said: roll void": ruled.RollVoided(light),
        "said: played so": ruled.Played(light, GOOD, None),
        "said: taken back": ruled.TakenBack(light),
        "said: double": ruled.Doubled(dark),
        "said: take": ruled.Taken(light),
        "said: drop": ruled.Passed(light),
        "said: beaver": ruled.Beavered(light),
        "said: raccoon": ruled.Raccooned(dark),
        "said: resigns": ruled.Resigned(dark, 1),
        "said: resignation accepted": ruled.ResignationAccepted(light),
        "said: resignation refused": ruled.ResignationRefused(light),
        "said: game awarded": ruled.GameAwarded(light, 1),
        "said: match forfeited": ruled.MatchForfeited(dark),
    }
    return {
        "picture: start position": FrameSeen(t, 900, read(START)),
        "picture: legal play": FrameSeen(t, 900, read(GOOD)),
        "picture: illegal play": FrameSeen(t, 900, read(WRONG)),
        "picture: a hand": FrameSeen(t, 900, read(GOOD, hand=True)),
        "picture: no board": FrameSeen(t, 900, replace(read(GOOD), fault="no_board")),
        "picture: as it was read": FrameSame(t, 900),
        "picture: moving": FrameMoving(t, 900),
        "picture: lost": FrameLost(t, 900, "camera", "no picture"),
        "roll": RollReported(t, (5, 2)),
        "roll: equal dice": RollReported(t, (4, 4)),
        "roll: cocked": RollReported(t, (5, 2), cocked=True),
        **{f"button: {button.name.lower()}": Pressed(t, button) for button in Button},
        "light's button: take": Pressed(t, Button.TAKE, light),
        "dark's button: take": Pressed(t, Button.TAKE, dark),
        **{name: Said(t, event, "director") for name, event in said.items()},
        "let stand": LetStand(t),
        "let stand, said by light": LetStand(t, "light"),
        "correct": Correct(t),
        "premature roll stands": RollStands(t, True),
        "premature roll void": RollStands(t, False),
        "pause": Pause(t),
        "go on": GoOn(t),
        "dispute": Disputed(t),
        "position ruled": PositionRuled(t, after((13, 8)), dark),
        "rebuild": Rebuild(t),
        "rebuild: a position": Rebuild(t, after((13, 8))),
        "hint": HintAsked(t, 2),
        "best play": BestPlayFound(t, 0, GOOD),
        "play announced": PlayAnnounced(t, 0, Side.LIGHT, GOOD),
        "die of the other table": OpeningDie(t, Side.DARK, 4),
        "illegal play at the other table": IllegalElsewhere(t, 0, Side.DARK, after((13, 8))),
        "play taken back at the other table": UndoneElsewhere(t, 0, "players"),
        "too late for the other table": CameTooLate(t, here=False),
        "too late for this table": CameTooLate(t, here=True),
        "consent": ConsentGiven(t, True),
        "other rules": ProfileChosen(t, replace(STANDARD, cube=replace(STANDARD.cube, max=8))),
        "stop": Stopped(t),
        "flag": FlagFell(t, dark),
        "device gone": DeviceChanged(t, "camera", False, "unplugged"),
        "device back": DeviceChanged(t, "camera", True),
        "electronics without power": BoardTroubled(t, "power_cut"),
        "electronics restarted": BoardTroubled(t, "restart", 0, "brown_out"),
        "electronics restarted by the opening of their port": BoardTroubled(t, "restart", 0, "port_opened"),
        "time goes by": Ticked(t),
        "end of the film": FilmEnded(t),
        "program starts again": Resumed(t),
        "record put right": Corrected(t),
    }
