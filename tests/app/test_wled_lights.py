"""A table whose lights are a WLED: a match in front of a simulated one, which is unplugged in the middle."""

import random
from collections.abc import Callable
from pathlib import Path

from controller.config.config import parse_config
from controller.devices import Button
from controller.devices.lights.frame import PLACES, Place
from controller.devices.lights.palette import PALETTE
from controller.devices.lights.pixels import PixelMap
from controller.referee import Phase, Pressed, RollReported
from controller.referee.events import Event
from controller.rules.moves.plays import legal_plays
from tests.amounts import amount
from tests.app.test_live import Running, Scene
from tests.devices.simulated_wled import SimulatedWled

CONFIG = """
[board]
port = "none"
[match]
length = 1
profile = "standard-match"
[lights]
source = "wled"
address = "{address}"
"""
TURNS = amount(5, 400)
"""Of the match; by default its first, in the long tests until somebody has won."""


class Play:
    """Two honest players at a table."""

    def __init__(self, running: Running, scene: Scene) -> None:
        self.running, self._scene = running, scene
        self._rng = random.Random(5)

    @property
    def phase(self) -> Phase:
        return self.running.table.state.phase

    def put(self, happen: Callable[[float], Event]) -> None:
        """Something happens now."""
        room = self.running.room
        room.inbox.put(happen(self.running.table.parts.watch.t(room.clock())))

    def turn(self) -> None:
        """Roll and play; whoever has won needs no more."""
        dice = (self._rng.randint(1, 6), self._rng.randint(1, 6))
        self.put(lambda t: RollReported(t, dice))
        self.running.until(lambda: self.phase not in (Phase.TO_ROLL, Phase.OPENING_ROLL))
        table = self.running.table.state
        if table.thrown is None or self.phase is not Phase.MOVING:
            return
        plays = legal_plays(table.position, table.thrown.side, table.thrown.roll)
        after = self._rng.choice(plays).after if plays else table.position
        if after != table.position:
            before = self._scene.lay(after)
            self.running.until(lambda: self._is_seen_since(before) or self.phase is not Phase.MOVING)
        self.put(lambda t: Pressed(t, Button.DONE))
        self.running.until(lambda: self.phase not in (Phase.MOVING, Phase.TURN_ENDED))

    def _is_seen_since(self, frame: int) -> bool:
        """Whether the board was read since a picture; two more checkers on a high pile show nothing new."""
        views = self.running.table.state.views
        return bool(views) and views[-1].until is None and views[-1].last_frame > frame


def lit(wled: SimulatedWled) -> set[Place]:
    """Which places are lit at this moment."""
    pixels, shown = PixelMap.along().pixels, wled.shown
    return {place for place in pixels if any(shown[pixels[place][0]])}


def wanted(running: Running) -> set[Place]:
    """Which places the referee wants lit."""
    frame = running.room.electronics.lights.frame
    return {place for place in PLACES if frame[place] in PALETTE}


def test_a_match_is_played_with_a_wled_in_place_of_the_lights_also_while_it_is_away(tmp_path: Path) -> None:
    wled, scene = SimulatedWled(29), Scene()
    config = parse_config(CONFIG.format(address=wled.address), "", tmp_path)
    accused = 0
    try:
        with Running(config, scene) as running:
            running.until_told("The lights are there: WLED, WLED 0.15.0, 29 pixels.")
            play = Play(running, scene)
            running.until_phase(Phase.OPENING_ROLL)
            for turn in range(TURNS):
                if turn == 1:
                    wled.power_off()
                    running.until_told("Play goes on. See to the power of the WLED")
                    running.until_told("Lights lost")
                elif turn == 3:
                    wled.power_on()
                    running.until_told("Lights back")
                if play.phase is Phase.MATCH_OVER:
                    break
                play.turn()
                accused += running.table.state.flagged is not None
            running.until(lambda: lit(wled) == wanted(running))
            assert [each.ready for each in running.room.view().devices if each.name == "lights"] == [True]
    finally:
        wled.power_off()
    assert accused == 0
    assert wled.pictures > 0
