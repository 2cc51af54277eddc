"""The room around a match: it owns camera, electronics and pages, and lends them to one match after the other."""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final, Protocol

from controller.app.around.asked_lights import AskedLights
from controller.app.around.camera_in_use import CameraInUse, OpenCamera, live_camera
from controller.app.around.match import CurrentMatch, shown_clock, shown_match
from controller.app.around.news import TableNews
from controller.app.around.reflections import Reflections
from controller.app.electronics import Electronics
from controller.app.eyes import Eyes
from controller.app.inbox import Errand, Inbox, Item
from controller.app.live import LiveTable, Saying
from controller.app.opening import Lent, config_to_resume, names_of
from controller.app.screen import LineScreen
from controller.app.wiring import give_dice, give_keys, give_lights, wire
from controller.arrays import Picture
from controller.club.status import ClubStatus
from controller.config import Config
from controller.config.sections import (
    BoardSection,
    CameraSection,
    DiceSection,
    KeysSection,
    LightsSection,
    SpeechSection,
)
from controller.devices import EventMark, LightFrame
from controller.devices.camera.camera import Wish
from controller.devices.camera.choice import gives_its_own_size
from controller.errors import UserError
from controller.logs.defect import Defect, Recent, doing
from controller.logs.handlers import DefectHandler
from controller.messages.device_words import LocalText, program_words
from controller.messages.table_words import trouble_words
from controller.partner.remote.admission import PartnerAdmission
from controller.record.journal.journal import Journal, JournalError
from controller.record.table.match_folder import last_mark
from controller.record.table.sequence import match_journals
from controller.referee import Event
from controller.referee.events import PORT_OPENED, BoardTroubled, FrameLost, FrameMoving, FrameSame, FrameSeen
from controller.vision import Board, Reading, read_board
from controller.vision.baseline import Baseline
from controller.vision.board.board import point_segments
from controller.vision.board.straight import clockwise
from controller.vision.watch import Read
from controller.web.health import Health, TableFigures
from controller.web.table_service import (
    Demo,
    DeviceShown,
    Glimpse,
    NewsListener,
    Reply,
    RoomState,
    RoomView,
    StillHolds,
)


class Waiting(Protocol):
    """What goes on at a table while no match does; for the thread that steps."""

    def happened(self, event: Event) -> None:
        """Dice were rolled, a button was pressed."""

    def tick(self) -> None:
        """Time goes by."""

    def match_begins(self) -> None:
        """Whoever wants it: what is tried just now comes to an end, and the table has all its devices again."""

    def close(self) -> None:
        """The table is switched off: whatever looks at pictures beside it comes to an end."""


Section = CameraSection | BoardSection | DiceSection | KeysSection | LightsSection | SpeechSection
"""A section of the configuration that can take effect while the table is on."""
POLL_S: Final = 0.02
"""How often dice, buttons and lights at the pins are looked after."""
_LOGGER: Final = logging.getLogger(__name__)


def one_at_a_time(read: Read, busy: AbstractContextManager[object]) -> Read:
    """The same reading for several threads, each ``busy`` for itself: OpenCV's networks serve one at a time."""

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


def wish_of(config: Config, board: Board | None) -> Wish:
    """How the camera is to be run: while nobody knows the board, exposure and focus follow what comes."""
    if board is None:
        wish = replace(config.wish(None), lock=False)
        any_size = gives_its_own_size(wish.source) and config.camera.width is None
        return replace(wish, size=None) if any_size else wish
    return config.wish((board.camera.width, board.camera.height), board.lens_position)


def _shown_club(status: ClubStatus) -> DeviceShown:
    return DeviceShown("club", status.ready, status.words())


class Room:
    """A table with everything around it. One thread steps it by `run`; `TableService` is for any thread.

    Attributes:
        config: how the table is to be; another match may change it.
        board: the board under the camera; None until it is known.
        match: the match that is on, or was last.
        camera: the camera in use, and what is seen by it.
        electronics: dice, buttons and lights.
        news: what everybody is told.
        inbox: what happens waits here.
        screen: what both players may read.
        waiting: called with what happens while no match is on.
        speak_as: called when the table is to speak otherwise, with the configuration that says how.
        clock: monotonic seconds.
        networks: is held by the thread that asks networks; `read` holds it.
        read: reads a picture, for one thread after the other.
        calibrating: whether the board is being looked for.
        hold: why no match may begin now, whoever wants one; None if nothing stands against it.
        club_status: how it stands with the club's hub; None where the table belongs to no club.
        figures: what is counted of the program itself.
        admission: lets another table in that plays against this one; None where there are no pages.
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
        self.inbox = Inbox()
        self.screen = LineScreen(write, config.table.languages, names_of(config))
        self.calibrating = False
        self.hold: LocalText | None = None
        self.waiting: Waiting | None = None
        self.demo: Demo | None = None
        self.admission: PartnerAdmission | None = None
        self.club_status: ClubStatus | None = None
        self.speak_as: Callable[[Config], None] = lambda _: None
        self.networks = threading.RLock()
        self.clock, self.read = clock, one_at_a_time(read, self.networks)
        self.figures, self._recent = TableFigures(clock), Recent()
        self.news = TableNews(self.view, self.figures)
        self.match = CurrentMatch(clock, self.tell)
        self.electronics = Electronics(self.inbox, self.match.t, self.tell, self.clock)
        self.camera = CameraInUse(
            self.inbox, lambda: self.match.watch, self.tell, self.figures.picture, open_camera=open_camera
        )
        self._asked_lights, self._reflections = AskedLights(clock), Reflections(self.tell, clock)
        self._opened = self._running = False

    def open(self) -> None:
        """Look for camera and electronics from now on; calling it again does nothing."""
        if self._opened:
            return
        self._opened = True
        self._wire()
        self.camera.open(wish_of(self.config, self.board))

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
        self.camera.look()
        self._running = True

        def hear_defect(defect: Defect) -> None:
            """Have it written into the journal, from whatever thread it came in."""
            self.inbox.ask(lambda: self.match.note_defect(defect))

        with DefectHandler(hear_defect), DefectHandler(self.figures.defect, every=True):
            try:
                if self.match.table is not None:
                    self.match.table.begin()
                while not stop.is_set() and not self._is_done(stays):
                    self.turn(self.inbox.get(POLL_S))
                    self.figures.turned()
                    turned()
            finally:
                self.close()

    def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        if self.waiting is not None:
            self.waiting.close()
        self.inbox.close()
        self.camera.close()
        self.electronics.close()
        self.match.end()

    def open_match(self, *, new: bool = False) -> LiveTable:
        """Have a match ready for `run`: the one that was interrupted, or a new one.

        Raises:
            UserError: for a configuration that cannot be played, or a folder that cannot be made.
        """
        self.open()
        lent = Lent(
            self.inbox,
            self.electronics,
            self.screen,
            tell=self.tell,
            hear=self.news.hear_actions,
            hear_left=self.news.hear_left,
            clock=self.clock,
            segments=None if self.board is None else point_segments(self.board),
            admission=self.admission,
        )
        table = self.match.open(self.config, lent, new=new)
        self.news.notices, self.electronics.goes_on = (), table.goes_on
        return table

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
        if self.match.playing:
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
        now = self.match.watch.now()
        self.inbox.revise(lambda item: _at_beginning(item, now))
        table.begin()
        self.news.hear_actions(())
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
        self.news.hear_actions(())
        return Reply(True)

    def use(self, section: Section) -> Reply:
        """Use from now on what a section of the configuration names; for the thread that steps.

        Only how the table speaks may change while a match is on.
        """
        if self.match.playing and not isinstance(section, SpeechSection):
            return Reply(False, program_words("match_on"))
        match section:
            case CameraSection():
                self.config = replace(self.config, camera=section)
                self.camera.open(wish_of(self.config, self.board))
                self._read_anew()
            case BoardSection():
                self.electronics.close()
                self.config = replace(self.config, board=section)
                self.electronics = Electronics(self.inbox, self.match.t, self.tell, self.clock)
                self._wire()
                if self._running:
                    self.electronics.start()
            case DiceSection():
                self.config = replace(self.config, dice=section)
                give_dice(self.electronics, self.config, self.tell)
                self._run_camera_as_wished()
            case KeysSection():
                self.config = replace(self.config, keys=section)
                give_keys(self.electronics, self.config, self.tell)
            case LightsSection():
                self.config = replace(self.config, lights=section)
                give_lights(self.electronics, self.config, self.board, self.tell)
            case SpeechSection():
                self.config = replace(self.config, speech=section)
                self.speak_as(self.config)
        self.news.hear_actions(())
        return Reply(True)

    def tell(self, words: LocalText) -> None:
        """A sentence for everybody at the table; from any thread."""
        self.screen.print_words(words)
        self.news.tell(words)

    def subscribe(self, hear: NewsListener) -> None:
        """See `TableService`."""
        self.news.subscribe(hear)

    def ask(
        self, saying: Saying, by: str, command: str = "", holds: StillHolds | None = None
    ) -> "Future[Reply]":
        """See `TableService`."""

        def say() -> Reply:
            # Two people may press in one moment: for the later one the table has moved on only here.
            if holds is not None and not holds(now := self.view()):
                return Reply(False, event=now.event, stale=True)
            return self._say(saying, by, command)

        with doing("said", {"saying": dict(saying), "by": by}):
            return self.inbox.ask(say)

    def glimpse(self) -> Glimpse | None:
        """See `TableService`."""
        last = self.camera.last
        if last is None:
            return None
        frame = last.frame
        return Glimpse(
            frame.picture,
            frame.number,
            self.match.t(frame.t_s),
            reading=last.reading,
            age_s=max(0.0, self.clock() - frame.t_s),
            behind_s=max(0.0, frame.t_s - last.read_t_s),
            moving=last.moving,
            board=self.board,
        )

    def light(self, frame: LightFrame) -> None:
        """See `TableService`."""

        def light_up() -> None:
            if not self.match.playing:
                self._asked_lights.show(self.electronics.lights, frame)

        self.inbox.ask(light_up)

    def health(self) -> Health:
        """See `TableService`."""
        table = self.match.live
        unwritten = 0 if table is None else table.parts.folder.journal.waiting
        return self.figures.health(self.inbox.waiting, unwritten, self.config.record_folder())

    def view(self) -> RoomView:
        """See `TableService`."""
        table, club = self.match.table, self.club_status
        shown = [*self.camera.shown(), *self.electronics.shown(), *self.match.shown()]
        around = RoomView(
            self.state,
            devices=(*shown, *([] if club is None else [_shown_club(club)])),
            notices=self.news.notices,
            light_home=home_in_picture(self.board),
            demo=None if self.demo is None else self.demo.shown(),
        )
        if table is None:
            return around
        return replace(
            around,
            event=table.parts.folder.last_event,
            referee=table.state,
            match=shown_match(table, self.config.match),
            clock=shown_clock(table),
            t_s=table.parts.watch.now(),
        )

    @property
    def state(self) -> RoomState:
        """How far the table has come."""
        live = self.match.live
        if live is not None:
            return RoomState.OVER if live.over else RoomState.PLAYING
        if self.board is not None:
            return RoomState.READY
        if self.calibrating:
            return RoomState.CALIBRATING
        return RoomState.NO_BOARD if self.camera.ready else RoomState.NO_CAMERA

    def turn(self, item: Item | Errand[object] | None) -> None:
        """One round that nothing can end: whatever goes wrong in it is reported, and play goes on."""
        try:
            if isinstance(item, Errand):
                item.run()
                item = None
            self._asked_lights.tick(self.electronics.lights, playing=self.match.playing)
            if self.match.live is not None:
                self.figures.taken()
                self.match.live.turn(item)
                self._reflections.happened(self.match.live.state, None if item is None else item.event)
            else:
                self._wait(item)
        except UserError as error:
            why = str(error)
            if self._recent.passed_over(error, self.clock()) is not None:
                self.tell(lambda _: why)
        except Exception as error:
            _LOGGER.exception("A defect in one round of the table.", extra=self.match.scene().extra)
            if self._recent.passed_over(error, self.clock()) is not None:
                self.tell(program_words("failed"))

    def _say(self, saying: Saying, by: str, command: str) -> Reply:
        if saying.get("what") == "start":
            return self.begin_match()
        if saying.get("what") == "hands":
            return (
                Reply(False, program_words("no_hands")) if self.demo is None else self.demo.move_hands(saying)
            )
        table = self.match.live
        return Reply(False, program_words("no_match")) if table is None else table.say(saying, by, command)

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
        if self.camera.finished and self.inbox.empty:
            return True
        return self.match.is_past() and not stays

    def _wire(self) -> None:
        """Give the electronics what the configuration names; they are not started."""
        wire(
            self.electronics,
            self.config,
            self.board,
            last=_newest_mark(self.config),
            host_session=secrets.randbelow(2**32 - 1) + 1,
            tell=self.tell,
            clock=self.clock,
        )

    def _run_camera_as_wished(self) -> None:
        """Open the camera anew if it is wished for otherwise by now; what lies on the board is news."""
        self.camera.open_if_other(wish_of(self.config, self.board))
        self._read_anew()

    def _read_anew(self) -> None:
        """Look at the pictures with fresh eyes: what lies on the board is news."""
        if self.board is None or self.calibrating:
            self.camera.look_with(None)
        else:
            board = self.match.played_on(self.board)
            closer = self.camera.closer_at(self.board, self.clock)
            self.camera.look_with(
                Eyes(board, self.read, self.clock, known=self.match.expected(), closer=closer)
            )


def _at_beginning(item: Item, now: float) -> Item | None:
    """What waits when a match begins has the seconds of what was before it, after which the match would run.

    The pictures come anew, and all else happens now.
    """
    if isinstance(item.event, FrameSeen | FrameSame | FrameMoving | FrameLost):
        return None
    return replace(item, event=replace(item.event, t=now))


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
