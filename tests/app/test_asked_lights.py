"""Lights that a page asks for while no match is on: they come on, and go out when nobody asks any more."""

from pathlib import Path

import pytest

from controller.app.around.asked_lights import LIT_S
from controller.app.around.match import CurrentMatch
from controller.app.room import Room
from controller.devices import LightFrame, Signal
from controller.devices.lights.backends import Lights
from tests.app.test_live import Scene
from tests.app.test_room import config_in
from tests.striped import BOARD

FRAME = LightFrame().lit(Signal.TAKE, [8])


class KeptLights(Lights):
    """Lights that keep what they were to show."""

    def __init__(self) -> None:
        self.shown: list[LightFrame] = []

    def show(self, frame: LightFrame) -> None:
        self.shown.append(frame)


def test_they_go_out_after_a_while_and_a_match_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, now, lights = Scene(), [100.0], KeptLights()
    room = Room(
        config_in(tmp_path),
        BOARD,
        lambda _: None,
        clock=lambda: now[0],
        open_camera=scene.open,
        read=scene.reading,
    )
    room.electronics.lights = lights
    room.light(FRAME)
    room.turn(room.inbox.get(1.0))
    room.turn(None)
    assert lights.shown == [FRAME]
    now[0] += LIT_S
    room.turn(None)
    room.turn(None)
    assert lights.shown == [FRAME, LightFrame()]
    monkeypatch.setattr(CurrentMatch, "playing", property(lambda _: True))
    room.light(FRAME)
    room.turn(room.inbox.get(1.0))
    assert lights.shown == [FRAME, LightFrame()]
    room.close()
