"""The room around a match: it owns camera, electronics and pages, and lends them to one match after the other."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from calibration.dice_size import dice_size
from controller.app.closer.closer import Closer
from controller.app.electronics import Electronics
from controller.app.eyes import Eyes, board_of
from controller.app.inbox import Errand, Inbox, Item
from controller.app.live import CameraNews, LiveTable, Saying, Stopwatch
from controller.app.opening import Lent, config_to_resume, names_of, open_match
from controller.app.screen import LineScreen
from controller.app.watcher import Watcher
from controller.app.wiring import give_dice, give_keys, give_lights, wire
from controller.arrays import Picture
from controller.club.status import ClubStatus
from controller.config import Config
from controller.config.sections import DiceSection, KeysSection, LightsSection, MatchSection, SpeechSection
from controller.devices import CameraStatus, EventMark, LightFrame
from controller.devices.camera.camera import Camera, Wish
from controller.devices.camera.choice import PHONE, gives_its_own_size, is_film
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.phone import PhoneLine
from controller.devices.camera.status import CameraState
from controller.devices.camera.whole import WholeCamera
from controller.devices.dice.status import DiceCode
from controller.devices.link.status import LinkState, LinkStatus
from controller.errors import UserError
from controller.logs.defect import Defect, DefectScene, Recent, doing
from controller.logs.handlers import DefectHandler
from controller.logs.privacy import hide
from controller.messages.device_words import LocalText, program_words, status_words
from controller.messages.sight_words import lost_words
from controller.messages.table_words import trouble_words
from controller.partner.remote.door import Door
from controller.record.journal.journal import Journal, JournalError
from controller.record.table.match_folder import last_mark
from controller.record.table.sequence import discard_if_blank, match_journals
from controller.referee import Action, Event, Flagged, Message, Told, TurnJudged
from controller.referee.actions import BoardLost
from controller.referee.digest import state_digest
from controller.referee.events import PORT_OPENED, BoardTroubled
from controller.referee.table.games import start_of
from controller.rules import Side
from controller.speech.announcement import TimeLeft
from controller.telling.table import told_text
from controller.vision import Board, Reading, read_board
from controller.vision.baseline import Baseline
from controller.vision.board import point_segments
from controller.vision.straight import clockwise
from controller.vision.watch import Read
from controller.web.health import Health, TableFigures
from controller.web.table_service import (
    ClockShown,
    Demo,
    DeviceShown,
    Glimpse,
    MatchShown,
    News,
    NewsListener,
    Notice,
    Reply,
    RoomState,
    RoomView,
)


class Waiting(Protocol):
    """What goes on at a table while no match does; for the thread that steps."""

    def happened(self, event: Event) -> None:
        """Dice were rolled, a button was pressed."""

    def tick(self) -> None:
        """Time goes by."""

    def match_begins(self) -> None:
        """Whoever wants it: what is tried just now comes to an end, and the table has all its devices again."""


POLL_S: Final = 0.02
"""How often dice, buttons and lights at the pins are looked after."""
NOTICES: Final = 20
"""This many notices of a match are kept for the director."""
SHORTEST_PART: Final = 3
"""Parts of a name that are shorter stand in too many other words."""
LIT_S: Final = 10.0
"""How long lights stay on that a page asks for while no match is on; it asks again and again."""
FAREWELL_S: Final = 2.0
"""How long a finished match is still listened to where nobody can begin another one."""

_LOGGER: Final = logging.getLogger(__name__)

OpenCamera = Callable[[Wish, Callable[[CameraStatus], None]], Camera]


def live_camera(wish: Wish, tell: Callable[[CameraStatus], None]) -> Camera:
    """The camera that a wish names, looked for from now on."""
    camera = LiveCamera(wish, tell=tell)
    camera.start()
    return camera


def phone_camera(line: PhoneLine, wish: Wish, tell: Callable[[CameraStatus], None]) -> Camera:
    """The camera of the phone whose pictures come by this line."""
    camera = LiveCamera(wish, tell=tell, open_it=line.open)
    camera.start()
    return camera


def one_at_a_time(read: Read) -> Read:
    """The same reading for several threads: OpenCV's networks serve one at a time."""
    busy = threading.Lock()

    def read_alone(
        picture: Picture, board: Board, baseline: Baseline | None = None, whole: Picture | None = None
    ) -> Reading:
        with busy:
            if whole is not None:
                return read(picture, board, baseline, whole)
            return read(picture, board) if baseline is None else read(picture, board, baseline)

    return read_alone


def home_in_picture(board: Board | None) -> str:
    """Where light's home lies in the camera's pictures, ``bottom-right`` and the like; so too where nobody knows."""
    segments = None if board is None else point_segments(board)
    if segments is None:
        return "bottom-right"
    home = [(place[0] + place[2], place[1] + place[3]) for place in segments[:6]]
    whole = [(place[0] + place[2], place[1] + place[3]) for place in segments]
    across, down = (
        sum(place[axis] for place in home) / len(home) - sum(place[axis] for place in whole) / len(whole)
        for axis in range(2)
    )
    # Of the four places two would mirror the board, as seen under a camera that is turned by a quarter.
    if clockwise(segments):
        return "bottom-right" if down + across >= 0 else "top-left"
    return "bottom-left" if down - across >= 0 else "top-right"


class Room:
    """A table with everything around it. One thread steps it by `run`; `TableService` is for any thread.

    Attributes:
        config: how the table is to be; another match may change it.
        board: the board under the camera; None until it is known.
        table: the match that is on, or was last; None before the first one.
        inbox: what happens waits here.
        electronics: dice, buttons and lights.
        screen: what both players may read.
        waiting: called with what happens while no match is on.
        speak_as: called when the table is to speak otherwise, with the configuration that says how.
        clock: monotonic seconds.
        notices: what the director is to know of the match that is on, the oldest first.
        read: reads a picture, for one thread after the other.
        calibrating: whether the board is being looked for.
        hold: why no match may begin now, whoever wants one; None if nothing stands against it.
        camera_status, link_status: how camera and electronics stand; None before they have said anything.
        club_status: how it stands with the club's hub; None where the table belongs to no club.
        figures: what is counted of the program itself.
        phone: where a phone puts its pictures, for whoever has it as the camera.
        door: where another table comes in that plays against this one; None where there are no pages.
        demo: shows people round where the table is simulated; None at a real one.
    """

    def __init__(
        self,
        config: Config,
        board: Board | None,
        write: Callable[[str], object],
        *,
        clock: Callable[[], float] = time.monotonic,
        open_camera: OpenCamera = live_camera,
        read: Read = read_board,
    ) -> None:
        """Nothing is started yet.

        Args:
            config: how the table is to be.
            board: the board under the camera, None if it is to be found first.
            write: takes what people are to read, with line ends.
            clock: monotonic seconds.
            open_camera: opens the camera.
            read: reads a picture.
        """
        self.config, self.board = config, board
        self.table: LiveTable | None = None
        self.inbox = Inbox()
        self.screen = LineScreen(write, config.table.languages, names_of(config))
        self.calibrating = False
        self.hold: LocalText | None = None
        self.notices: tuple[Notice, ...] = ()
        self._noticed = 0
        self.waiting: Waiting | None = None
        self.demo: Demo | None = None
        self.speak_as: Callable[[Config], None] = lambda _: None
        self.clock, self._open_camera, self.read = clock, open_camera, one_at_a_time(read)
        self._watch, self._recent, self.figures = Stopwatch(clock), Recent(), TableFigures(clock)
        self._hearers: tuple[NewsListener, ...] = ()
        self.camera_status: CameraStatus | None = None
        self.link_status: LinkStatus | None = None
        self.club_status: ClubStatus | None = None
        self._over_at: float | None = None
        self._lit_until: float | None = None
        self._ended = False
        self._running, self._turn_began = False, 0.0
        self.electronics = Electronics(self.inbox, self._t, self.tell, clock, self._link_changed)
        self._camera: Camera | None = None
        self._wished = Wish()
        self.phone = PhoneLine()
        self.door: Door | None = None
        self._watcher: Watcher | None = None
        self._opened = False

    def open(self) -> None:
        """Look for camera and electronics from now on; calling it again does nothing."""
        if self._opened:
            return
        self._opened = True
        self._wire()
        self._open_camera_wished()

    def run(
        self, stop: threading.Event, *, stays: bool = False, turned: Callable[[], None] = lambda: None
    ) -> None:
        """Step the table until ``stop`` is set, or a film has ended; devices are let go of, files are written.

        Args:
            stop: ends it; whoever sets it calls `Inbox.wake` too.
            stays: wait for another match when one is over, as where somebody can begin it.
            turned: is called after each round.
        """
        self.open()
        self._read_anew()
        self.electronics.start()
        if self._watcher is not None:
            self._watcher.start()
        self._running = True
        with DefectHandler(self._hear_defect), DefectHandler(self.figures.defect, every=True):
            try:
                if self.table is not None:
                    self.table.begin()
                while not stop.is_set() and not self._is_done(stays):
                    self.turn(self.inbox.get(POLL_S))
                    self.figures.turned()
                    turned()
            finally:
                self.close()

    def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        self.inbox.close()
        self._close_camera()
        self.electronics.close()
        self._end_match()

    def open_match(self, *, new: bool = False) -> LiveTable:
        """Have a match ready for `run`: the one that was interrupted, or a new one.

        Raises:
            UserError: for a configuration that cannot be played, or a folder that cannot be made.
        """
        self.open()
        segments = None if self.board is None else point_segments(self.board)
        lent = Lent(
            self.inbox,
            self.electronics,
            self.screen,
            tell=self.tell,
            hear=self.hear_actions,
            hear_left=self.hear_left,
            clock=self.clock,
            segments=segments,
            door=self.door,
        )
        self._end_match()
        self.table, self._over_at, self._ended = open_match(self.config, lent, new=new), None, False
        hide(_private(self.table))
        self._watch = self.table.parts.watch
        self.notices, self.electronics.goes_on = (), self.table.goes_on
        return self.table

    def resume_match(self) -> bool:
        """Have the match that was interrupted ready for `run`, whoever was named for it; whether there is one.

        Raises:
            UserError: if its folder cannot be opened.
        """
        config = config_to_resume(self.config)
        if config is None:
            return False
        self.config = config
        self.open_match()
        return True

    def begin_match(self, config: Config | None = None, *, new: bool = True) -> Reply:
        """Begin a match now; for the thread that steps.

        Args:
            config: how the table is to be, and who plays what; None for as it is.
            new: begin a new one even if one was interrupted.
        """
        if self.board is None:
            return Reply(False, program_words("no_board"))
        if self.playing:
            return Reply(False, program_words("match_on"))
        if self.hold is not None:
            return Reply(False, self.hold)
        if self.waiting is not None:
            self.waiting.match_begins()
        before = self.config
        try:
            self.config = config or before
            table = self.open_match(new=new)
        except UserError as error:
            self.config = before
            return Reply.refusing(error)
        self._read_anew()
        table.begin()
        self.hear_actions(())
        return Reply(True, event=table.parts.folder.last_event)

    def calibrate(self, going: bool) -> None:
        """The board is being looked for, or no longer: meanwhile pictures are not read; from any thread."""
        self.calibrating = going
        self._read_anew()

    def know_board(self, board: Board) -> Reply:
        """The board under the camera is this one from now on; for the thread that steps."""
        self.board = board
        give_lights(self.electronics, self.config, board, self.tell)
        self._run_camera_as_wished()
        self.hear_actions(())
        return Reply(True)

    def use_camera(self, source: str) -> Reply:
        """Look through this camera from now on; for the thread that steps."""
        if self.playing:
            return Reply(False, program_words("match_on"))
        self.config = replace(self.config, camera=replace(self.config.camera, source=source))
        self._open_camera_anew()
        self._read_anew()
        self.hear_actions(())
        return Reply(True)

    def use_port(self, port: str) -> Reply:
        """Use the electronics at this port from now on; for the thread that steps."""
        if self.playing:
            return Reply(False, program_words("match_on"))
        self.electronics.close()
        self.config = replace(self.config, board=replace(self.config.board, port=port))
        self.link_status = None
        self.electronics = Electronics(self.inbox, self._t, self.tell, self.clock, self._link_changed)
        self._wire()
        if self._running:
            self.electronics.start()
        self.hear_actions(())
        return Reply(True)

    def use_dice(self, dice: DiceSection) -> Reply:
        """Take the rolls of these dice from now on; for the thread that steps."""
        if self.playing:
            return Reply(False, program_words("match_on"))
        self.config = replace(self.config, dice=dice)
        give_dice(self.electronics, self.config, self.tell)
        self._run_camera_as_wished()
        self.hear_actions(())
        return Reply(True)

    def use_keys(self, keys: KeysSection) -> Reply:
        """Take these keys for buttons from now on; for the thread that steps."""
        if self.playing:
            return Reply(False, program_words("match_on"))
        self.config = replace(self.config, keys=keys)
        give_keys(self.electronics, self.config, self.tell)
        self.hear_actions(())
        return Reply(True)

    def use_lights(self, lights: LightsSection) -> Reply:
        """Light these from now on; for the thread that steps."""
        if self.playing:
            return Reply(False, program_words("match_on"))
        self.config = replace(self.config, lights=lights)
        give_lights(self.electronics, self.config, self.board, self.tell)
        self.hear_actions(())
        return Reply(True)

    def use_speech(self, speech: SpeechSection) -> Reply:
        """Speak so from now on; for the thread that steps."""
        self.config = replace(self.config, speech=speech)
        self.speak_as(self.config)
        return Reply(True)

    def tell(self, words: LocalText) -> None:
        """A sentence for everybody at the table; from any thread."""
        self.screen.print_words(words)
        self._on_news(News(self.view(), words=(words,)))

    def notify(self, words: LocalText) -> None:
        """Something that the director is to know of; for the thread that steps."""
        self._notice(words)
        self._on_news(News(self.view()))

    def show_club(self, status: ClubStatus) -> None:
        """It stands like this with the club's hub now; from any thread."""
        self.club_status = status
        self._on_news(News(self.view()))

    def show_anew(self) -> None:
        """What is shown beside the table has changed; from any thread."""
        self._on_news(News(self.view()))

    def subscribe(self, hear: NewsListener) -> None:
        """See `TableService`."""
        self._hearers = (*self._hearers, hear)

    def ask(self, saying: Saying, by: str, command: str = "") -> "Future[Reply]":
        """See `TableService`."""
        with doing("said", {"saying": dict(saying), "by": by}):
            return self.inbox.ask(lambda: self._say(saying, by, command))

    def glimpse(self) -> Glimpse | None:
        """See `TableService`."""
        last = None if self._watcher is None else self._watcher.last
        if last is None:
            return None
        frame = last.frame
        age = max(0.0, self.clock() - frame.t_s)
        behind = max(0.0, frame.t_s - last.read_t_s)
        t = self._t(frame.t_s)
        return Glimpse(
            frame.picture,
            frame.number,
            t,
            reading=last.reading,
            age_s=age,
            behind_s=behind,
            moving=last.moving,
            board=self.board,
        )

    def light(self, frame: LightFrame) -> None:
        """See `TableService`."""
        self.inbox.ask(lambda: self._light(frame))

    def _light(self, frame: LightFrame) -> None:
        """Light up while no match is on; for the thread that steps."""
        if not self.playing:
            self.electronics.lights.show(frame)
            self._lit_until = self.clock() + LIT_S

    def _light_out(self) -> None:
        """Whoever asked for the lights asks no more."""
        if self._lit_until is not None and self.clock() >= self._lit_until:
            self._lit_until = None
            if not self.playing:
                self.electronics.lights.show(LightFrame())

    def health(self) -> Health:
        """See `TableService`."""
        table = self.live_table
        unwritten = 0 if table is None else table.parts.folder.journal.waiting
        return self.figures.health(self.inbox.waiting, unwritten, self.config.record_folder())

    @property
    def lens_position(self) -> float | None:
        """Where the camera holds its lens, in dioptres; None where that is not known."""
        last = None if self._watcher is None else self._watcher.last
        return None if last is None else last.frame.lens_position

    def view(self) -> RoomView:
        """See `TableService`."""
        table, demo = self.table, None if self.demo is None else self.demo.shown()
        if table is None:
            return RoomView(self.state, devices=self._devices(), notices=self.notices, demo=demo)
        parts = table.parts
        told = self.config.match
        match = MatchShown(
            table.path.name,
            table.path,
            parts.names,
            event=told.event,
            round=told.round,
            place=told.place,
            table=told.table,
        )
        clock = None
        if parts.timekeeper is not None:
            t = parts.watch.now()
            shown = parts.timekeeper.reading(t)
            clock = ClockShown(
                {Side.LIGHT: shown.light_s, Side.DARK: shown.dark_s}, shown.delay_s, table.state.clock, t
            )
        return RoomView(
            self.state,
            parts.folder.last_event,
            table.state,
            match=match,
            clock=clock,
            devices=self._devices(),
            light_home=home_in_picture(self.board),
            t_s=parts.watch.now(),
            notices=self.notices,
            demo=demo,
        )

    @property
    def state(self) -> RoomState:
        """How far the table has come."""
        if self.table is not None and not self._ended:
            return RoomState.OVER if self.table.over else RoomState.PLAYING
        if self.board is not None:
            return RoomState.READY
        if self.calibrating:
            return RoomState.CALIBRATING
        seen = self.camera_status is not None and self.camera_status.state is CameraState.OK
        return RoomState.NO_BOARD if seen else RoomState.NO_CAMERA

    def _say(self, saying: Saying, by: str, command: str) -> Reply:
        if saying.get("what") == "start":
            return self.begin_match()
        if saying.get("what") == "hands":
            return (
                Reply(False, program_words("no_hands")) if self.demo is None else self.demo.move_hands(saying)
            )
        table = self.live_table
        return Reply(False, program_words("no_match")) if table is None else table.say(saying, by, command)

    def turn(self, item: Item | Errand[object] | None) -> None:
        """One round that nothing can end: whatever goes wrong in it is reported, and play goes on."""
        try:
            if isinstance(item, Errand):
                item.run()
                item = None
            self._light_out()
            if self.table is not None and not self._ended:
                self._turn_began = self.clock()
                self.table.turn(item)
            else:
                self._wait(item)
        except UserError as error:
            why = str(error)
            if self._recent.passed_over(error, self.clock()) is not None:
                self.tell(lambda _: why)
        except Exception as error:
            _LOGGER.exception("A defect in one round of the table.", extra=self._scene().extra)
            if self._recent.passed_over(error, self.clock()) is not None:
                self.tell(program_words("failed"))

    def _scene(self) -> DefectScene:
        """Where the table stands, for the log."""
        table = self.live_table
        if table is None:
            return DefectScene("room")
        return DefectScene("table", table.parts.folder.last_event, state_digest(table.state))

    def _hear_defect(self, defect: Defect) -> None:
        """Have a defect written into the journal, from whatever thread it came in."""
        self.inbox.ask(lambda: self._write_defect(defect))

    def _write_defect(self, defect: Defect) -> None:
        table = self.live_table
        if table is not None:
            table.note_defect(defect)

    def _wait(self, item: Item | None) -> None:
        """One round without a match."""
        happened = list(self.electronics.poll(self.clock()))
        if item is not None:
            happened.append(item.event)
            item.taken.set()
            if isinstance(item.event, BoardTroubled) and item.event.why != PORT_OPENED:
                self.tell(trouble_words(item.event.trouble, item.event.count, item.event.why))
        if self.waiting is not None:
            for event in happened:
                self.waiting.happened(event)
            self.waiting.tick()

    def _is_done(self, stays: bool) -> bool:
        """Whether there is nothing to wait for any more."""
        if self._watcher is not None and self._watcher.finished and self.inbox.empty:
            return True
        if stays or self.table is None or not self.table.over:
            self._over_at = None
            return False
        self._over_at = self._over_at or self.clock()
        return self.clock() - self._over_at >= FAREWELL_S

    def _end_match(self) -> None:
        """Write the files of the match and say where they are; a match in which nothing happened leaves none."""
        if self.table is None or self._ended:
            return
        self._ended = True
        self.table.end()
        blank = discard_if_blank(self.table.path)
        self.tell(program_words("not_kept") if blank else program_words("kept", folder=self.table.path))

    @property
    def live_table(self) -> LiveTable | None:
        """The match whose files are open: it is on, or was last; None without one."""
        return None if self._ended else self.table

    @property
    def playing(self) -> bool:
        """Whether a match is on."""
        return self.table is not None and not self._ended and not self.table.over

    def _wire(self) -> None:
        """Give the electronics what the configuration names; they are not started."""
        config, last = self.config, _newest_mark(self.config)
        wire(
            self.electronics,
            config,
            self.board,
            last=last,
            host_session=_host_session(),
            tell=self.tell,
            clock=self.clock,
        )

    def _close_camera(self) -> None:
        if self._watcher is not None:
            self._watcher.stop()
        if self._camera is not None:
            self._camera.close()

    def _open_camera_anew(self) -> None:
        """Open the camera as it is wished for now, and look through it."""
        self._close_camera()
        self.camera_status = None
        watcher = self._open_camera_wished()
        if self._running:
            watcher.start()

    def _run_camera_as_wished(self) -> None:
        """Open the camera anew if it is wished for otherwise by now; what lies on the board is news."""
        if self._camera is not None and self._wish() != self._wished and not is_film(self._wished.source):
            self._open_camera_anew()
        self._read_anew()

    def _wish(self) -> Wish:
        """How the camera is to be run: while nobody knows the board, exposure and focus follow what comes."""
        board = self.board
        if board is None:
            wish = replace(self.config.wish(None), lock=False)
            any_size = gives_its_own_size(wish.source) and self.config.camera.width is None
            return replace(wish, size=None) if any_size else wish
        return self.config.wish((board.camera.width, board.camera.height), board.lens_position)

    def _open_camera_wished(self) -> Watcher:
        """Open the camera that the configuration names; who looks through it does not begin yet."""
        news = CameraNews(self.inbox, self._now, self.tell)

        def changed(status: CameraStatus) -> None:
            self.camera_status = status
            news.changed(status)

        self._wished = self._wish()
        if self._wished.source == PHONE:
            self._camera = phone_camera(self.phone, self._wished, changed)
        else:
            self._camera = self._open_camera(self._wished, changed)
        self._watcher = Watcher(self._camera, self.inbox, self._t, self.tell, self.figures.picture)
        return self._watcher

    def _read_anew(self) -> None:
        """Look at the pictures with fresh eyes: what lies on the board is news."""
        blind = self.board is None or self.calibrating
        if self._watcher is not None:
            self._watcher.look_with(
                None
                if blind or self.board is None
                else Eyes(
                    self._board_played_on(self.board),
                    self.read,
                    self.clock,
                    known=self._expected(),
                    closer=self._closer_at(self.board),
                )
            )

    def _closer_at(self, board: Board) -> Closer | None:
        """What has whole pictures taken of the dice; None where the camera does not read them."""
        camera = self._camera
        if not self._wished.whole or not isinstance(camera, WholeCamera):
            return None
        return Closer(camera, dice_size(board).pixels, self.clock)

    def _expected(self) -> Sequence[Sequence[int]]:
        """What may lie on the board of the match that is on: the position confirmed last, or that of a new game."""
        if self.table is None:
            return ()
        table = self.table.desk.table
        return table.position.points, start_of(table).points

    def _board_played_on(self, board: Board) -> Board:
        """The board with the checkers of the match, if one is on or was last."""
        return board if self.table is None else board_of(board, self.table.desk.table.settings.terms.profiles)

    def hear_actions(self, actions: tuple[Action, ...]) -> None:
        """Tell everybody of all that came of one event; for the thread that steps."""
        if any(isinstance(action, TurnJudged | Flagged) for action in actions):
            self.figures.verdict(self.clock() - self._turn_began)
        for action in actions:
            if isinstance(action, Told) and action.message is Message.BOARD_TROUBLE:
                self._notice(partial(told_text, action))
            elif isinstance(action, BoardLost):
                self._notice(partial(lost_words, action.fault, action.shift_mm))
        if self._hearers:
            self._on_news(News(self.view(), actions))

    def hear_left(self, left: TimeLeft) -> None:
        """Tell everybody that a reserve of the clock has come down so far; for the thread that steps."""
        if self._hearers:
            self._on_news(News(self.view(), left=left))

    def _notice(self, words: LocalText) -> None:
        self._noticed += 1
        self.notices = (*self.notices, Notice(f"notice-{self._noticed}", words))[-NOTICES:]

    def _on_news(self, news: News) -> None:
        for hear in self._hearers:
            hear(news)

    def _devices(self) -> tuple[DeviceShown, ...]:
        shown: list[DeviceShown] = []
        camera, link = self.camera_status, self.link_status
        if camera is not None:
            shown.append(DeviceShown("camera", camera.state is CameraState.OK, status_words(camera)))
        if link is not None:
            shown.append(DeviceShown("board", link.state is LinkState.READY, status_words(link)))
        dice, trouble = self.electronics.dice_status, self.electronics.trouble
        if dice is not None:
            shown.append(DeviceShown("dice", dice.code is DiceCode.READY, status_words(dice)))
        lights = self.electronics.lights_status
        if lights is not None:
            shown.append(DeviceShown("lights", lights.ready, status_words(lights)))
        shown += [
            DeviceShown("keys", each.ready, status_words(each))
            for each in self.electronics.keys_status.values()
        ]
        if trouble is not None:
            shown.append(
                DeviceShown("lights", False, trouble_words(trouble.trouble, trouble.count, trouble.why))
            )
        if self.table is not None and not self.table.parts.folder.complete:
            shown.append(DeviceShown("journal", False, program_words("journal_waits")))
        remote = None if self.table is None or self._ended else self.table.parts.remote
        if remote is not None:
            shown.append(DeviceShown("other_table", remote.up, remote.words()))
        if self.club_status is not None:
            shown.append(DeviceShown("club", self.club_status.ready, self.club_status.words()))
        return tuple(shown)

    def _link_changed(self, status: LinkStatus) -> None:
        self.link_status = status

    def _t(self, at_s: float) -> float:
        return self._watch.t(at_s)

    def _now(self) -> float:
        return self._watch.now()


def _private(table: LiveTable) -> set[str]:
    """What may not stand in the log of a match: the names of its players, their parts, and its folder's name."""
    usual = MatchSection()
    names = set(table.parts.names.values()) - {usual.light, usual.dark}
    parts = {part for name in names for part in name.split() if len(part) >= SHORTEST_PART}
    return {*names, *parts, table.path.name}


def _newest_mark(config: Config) -> EventMark | None:
    """The last event of the board's electronics in the newest journal: what came before it does not count again."""
    found = match_journals(config.record_folder())
    if not found:
        return None
    try:
        with Journal(found[-1], read_only=True) as journal:
            return last_mark(journal)
    except JournalError:
        return None


def _host_session() -> int:
    return secrets.randbelow(2**32 - 1) + 1
