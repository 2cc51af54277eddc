"""A simulated table for a real room: its camera, its electronics and its players, in real time."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from typing import Final

import numpy as np

from controller.arrays import Picture
from controller.demo.cable import Cable
from controller.demo.faults import Mishap, Trouble
from controller.demo.floor import Floor, Manner
from controller.demo.ledger import Ledger
from controller.demo.painted_camera import PaintedCamera
from controller.demo.seat import Seat
from controller.demo.show import ENDING, PLIES_PER_GAME, draw_players, first_table
from controller.devices import Button, CameraStatus, LightFrame, StripOrder
from controller.devices.camera.camera import Camera, Wish
from controller.errors import UserError
from controller.record.journal.journal import Json
from controller.referee import Phase, Table
from controller.referee.actions import GameEnded, Lit
from controller.rules import Form, Position, Side, Terms
from controller.rules.game import events as ruled
from controller.rules.game.events import RulesEvent as Saying
from controller.simulation.boards.scene import Scene
from controller.simulation.boards.setting import Setting
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.probe import Probe
from controller.simulation.players.player import CLOCKS, Deed, Player, PressButton
from controller.simulation.players.temperament import TEMPERAMENTS, Temperament
from controller.simulation.tabletop.gestures import LayOut, MoveAway
from controller.web.table_service import News, RoomState, RoomView, TableService

FPS: Final = 6.0
"""Pictures a second: enough to see hands come and go, and few enough for a small machine to paint."""
STEP_S: Final = 0.02
"""How often people look up."""
GLANCE_S: Final = 0.1
"""How often they look at the lamps."""
NEXT_S: Final = 5.0
"""How long everybody sits back between two matches."""

Paint = Callable[[Scene, np.random.Generator], Picture]


class SimulatedTable:
    """A table with its people, in a thread of its own from `start` to `close`; all methods are for any thread.

    Attributes:
        table: what truly lies there.
        ledger: what truly happened, and what the referee said; read it when the table is closed.
        camera: looks at the table, once it was opened.
        cable: leads to the electronics.
        floor: the players.
        games: games that are over.
        attend: called with the room again and again, before people look what is asked of them.
    """

    def __init__(
        self,
        setting: Setting,
        paint: Paint,
        chip: Microcontroller,
        seed: int,
        *,
        terms: Terms,
        speed: float = 1.0,
        cheats: float = 0.0,
        settles: float = 1.0,
        manners: Mapping[Side, Manner] | None = None,
        temperaments: tuple[Temperament, ...] = TEMPERAMENTS,
        faults: Sequence[Mishap] = (),
        games: int | None = None,
        fps: float = FPS,
    ) -> None:
        """Nobody moves yet.

        Args:
            setting: board, table, light and camera.
            paint: makes a picture of what lies there.
            chip: the electronics; the table's from now on.
            seed: everything follows from it but what depends on how fast the machine is.
            terms: what is played for, and by which rules.
            speed: how many times as fast as people everybody moves; camera and electronics stay as they are.
            cheats: illegal plays in a game, on average.
            settles: see `Floor`.
            manners: what the hands of each side do; without them both sides play.
            temperaments: of the players; of more than two, two are drawn.
            faults: what goes wrong.
            games: how many games are begun, or more if a match is not over by then; None for no end.
            fps: pictures a second.
        """
        rngs = [np.random.default_rng(each) for each in np.random.SeedSequence(seed).spawn(8)]
        tempers, builds = draw_players(rngs[0], temperaments)
        self.table, self.ledger = first_table(setting, terms, rngs[1], builds), Ledger()
        rules = terms.profiles[0].movement
        self.cable = Cable(chip)
        self.camera: PaintedCamera | None = None
        self.games = 0
        self.attend: Callable[[RoomView], None] = lambda _: None
        self._paint, self._picture_rng, self._fps = paint, rngs[2], fps
        self._speed, self._most = speed, games
        seats = {
            side: Seat(
                Player(side, temper, rng, rules, done=CLOCKS[side]),
                self.table,
                self._press,
                self._say_as(side),
            )
            for side, temper, rng in zip(Side, tempers, rngs[3:5], strict=True)
        }
        self.floor = Floor(seats, self.table, self.ledger, rngs[5], cheats / PLIES_PER_GAME)
        self.floor.settles, self.floor.goes_on = settles, False
        self.floor.manners.update(manners or {})
        self.ledger.people.update(
            side for side, manner in self.floor.manners.items() if manner is Manner.FOLLOWS
        )
        self._trouble = Trouble(faults, rngs[6])
        self._probe, self._looked_s = Probe(StripOrder.as_delivered()), 0.0
        self._house: TableService | None = None
        self._view: RoomView | None = None
        self._news: SimpleQueue[News] = SimpleQueue()
        self._match: str | None = None
        self._over_s: float | None = None
        self._guard = threading.RLock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="pointsman-players", daemon=True)
        self._began_s = time.monotonic()

    def open_camera(self, _: Wish, tell: Callable[[CameraStatus], None]) -> Camera:
        """The camera over the table; a room opens it."""
        self.camera = PaintedCamera(
            self._scene, lambda scene: self._paint(scene, self._picture_rng), self._fps, tell
        )
        return self.camera

    def start(self, house: TableService) -> None:
        """Power on; people sit down and play whatever the house says."""
        self._house = house
        house.subscribe(self._news.put)
        self.cable.start()
        self._began_s = time.monotonic()
        self._thread.start()

    def close(self) -> None:
        """People leave, and the power is off; calling it again does nothing."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._update_ledger()
        self.cable.close()

    # --- what somebody has the hands do ---------------------------------------------------------------------

    def let(self, side: Side, manner: Manner) -> None:
        """The hands of a side do this from now on, once they have done what they are at."""
        with self._guard:
            self.floor.manners[side] = manner

    def do(self, side: Side, deeds: Sequence[Deed]) -> None:
        """Have the hands of a side do something, after what they are doing."""
        with self._guard:
            self.floor.seats[side].assign(deeds)

    def press(self, side: Side, button: Button) -> None:
        """Have a side press a button."""
        self.do(side, [PressButton(button)])

    def lay(self, position: Position) -> None:
        """Have Light lay the checkers out."""
        self.do(Side.LIGHT, [LayOut(position), MoveAway(0.3)])

    def move(self, side: Side, after: Position) -> None:
        """Have a side move checkers, of either side, until the board lies so."""
        with self._guard:
            seat = self.floor.seats[side]
            seat.assign(seat.player.put_right(self.table.checkers.position(), after, LightFrame()))

    @property
    def at_rest(self) -> bool:
        """Whether no hand has anything left to do."""
        with self._guard:
            return all(seat.idle for seat in self.floor.seats.values())

    # --- what goes wrong ------------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """Seconds since people sat down."""
        return time.monotonic() - self._began_s

    def blind(self, lost: bool) -> None:
        """The camera is pulled out, or put back."""
        if self.camera is not None:
            (self.camera.pull if lost else self.camera.plug)()

    def unplug(self, pulled: bool) -> None:
        """The cable of the electronics comes off, or is put back."""
        (self.cable.pull if pulled else self.cable.plug)()

    def cut_power(self) -> None:
        """No part of this table can do that: the program that watches it would have to die."""
        raise UserError("The computer of this table cannot lose its power; name other faults.")

    # --- the people's thread --------------------------------------------------------------------------------

    def _work(self) -> None:
        while not self._stop.wait(STEP_S):
            if self._house is not None:
                self._step(self._house)

    def _step(self, house: TableService) -> None:
        self._view = view = house.view()
        with self._guard:
            t = self.t * self._speed
            for seat in self.floor.seats.values():
                seat.go_on()
            self.table.run_until(t)
            self._update_ledger()
            self._read_picture()
            self.attend(view)
            if (
                view.referee is not None
                and view.state is RoomState.PLAYING
                and not self._is_last(view.referee)
            ):
                thrown = view.referee.thrown
                dice = None if thrown is None else thrown.dice or thrown.roll.dice
                self.floor.attend(view.referee, dice, self._probe.frame, t)
            if self.table.moving:
                self.ledger.moved_t = view.t_s
            self._trouble.attend(self)
        self._follow_matches(house, view)

    def _update_ledger(self) -> None:
        """What the referee made of it all goes into the ledger."""
        while not self._news.empty():
            news = self._news.get()
            if news.view.match is not None and news.view.match.id != self._match:
                self._match = news.view.match.id
                self.ledger.begin_match()
            for action in news.actions:
                self.ledger.on_action(action, self.table.checkers.position())
                if isinstance(action, GameEnded):
                    self.games += 1
                elif isinstance(action, Lit):
                    self._probe.forget()

    def _read_picture(self) -> None:
        now_s = self.t
        if now_s - self._looked_s >= GLANCE_S:
            self._looked_s = now_s
            self._probe.sample(self.cable.strip, now_s)

    def _follow_matches(self, house: TableService, view: RoomView) -> None:
        """When a match is over the next one is begun; a session for money ends when enough was played."""
        waits = view.state is RoomState.OVER and not self._enough and self._someone_plays
        ends = view.referee is not None and self._is_last(view.referee)
        if not (waits or ends):
            self._over_s = None
        elif self._over_s is None:
            self._over_s = self.t
        elif (self.t - self._over_s) * self._speed >= NEXT_S:
            self._over_s = None
            house.ask({"what": "stop" if ends else "start"}, "director")

    def _is_last(self, known: Table) -> bool:
        """Whether enough was played of a session for money, which nobody else ends."""
        money = known.match.terms.form is Form.MONEY
        return money and known.phase is Phase.GAME_OVER and self._enough and self._someone_plays

    @property
    def _enough(self) -> bool:
        return self._most is not None and self.games >= self._most

    @property
    def _someone_plays(self) -> bool:
        return Manner.PLAYS in self.floor.manners.values()

    def _scene(self) -> Scene:
        with self._guard:
            return self.table.scene()

    def _press(self, button: int, _: float) -> None:
        self.cable.press(button)
        view = self._view
        if button in ENDING and view is not None and view.referee is not None:
            self.floor.turn_ends(view.referee, view.t_s)

    def _say_as(self, side: Side) -> Callable[[Saying], None]:
        def say(event: Saying) -> None:
            if self._house is not None:
                self._house.ask(_words_of(event), str(side))

        return say


def _words_of(event: Saying) -> dict[str, Json]:
    """What a player says, as `TableService.ask` takes it."""
    match event:
        case ruled.Played(side=side, after=after):
            return {"what": "played", "side": str(side), "position": after.compact()}
        case ruled.Resigned(side=side, amount=amount):
            return {"what": "resign", "side": str(side), "amount": amount}
        case ruled.DoubleNamed(side=side, number=number):
            return {"what": "name_double", "side": str(side), "number": number}
    raise ValueError(f"no player says {event}")
