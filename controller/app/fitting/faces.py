"""Has a room's table shown its own dice: pictures are taken whenever the board is at rest, and learned from."""

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from calibration.face_lesson import FaceLesson, show_faces
from calibration.faces import FaceError, FaceFault, FacesLearned, check_size, learn_faces
from controller.app.fitting.board_file import keep_board
from controller.app.room import Room
from controller.aside import thread_aside
from controller.errors import UserError
from controller.messages.device_words import LocalText, face_words, program_words
from controller.vision import Board, CameraModel
from controller.vision.dice.dice_size import known_dice, passes_over_dice
from controller.web.setup.set_up import FacesView, TrialState
from controller.web.table_service import Glimpse, Reply

_LOGGER: Final = logging.getLogger(__name__)
REST_S: Final = 0.8
"""So long nothing must have moved before a picture is taken: dice that were let go have come to rest."""
POLL_S: Final = 0.2
"""So often it is looked whether the board is at rest."""
GIVEN_UP_S: Final = 300.0
"""So long nobody has shown a die that could be used: the dice were put away."""


class FacesFitting:
    """Shows one table its dice; see `FacesSetUp`. Its methods may be called from any thread."""

    def __init__(self, room: Room) -> None:
        """Nothing is shown yet."""
        self._room = room
        self._lesson = FaceLesson()
        self._state = TrialState.READY
        self._said: tuple[LocalText, ...] = ()
        self._board: Board | None = None
        self._busy = threading.Lock()
        self._ending, self._sure = threading.Event(), threading.Event()

    @property
    def running(self) -> bool:
        """Whether dice are being shown."""
        return self._state is TrialState.RUNNING

    @property
    def _doubted(self) -> bool:
        """Whether somebody may say that what was shown last is right."""
        return self.running and self._lesson.doubted

    def view(self) -> FacesView:
        """How far it is."""
        board, lesson = self._room.board, self._lesson
        return FacesView(
            TrialState.ABSENT if board is None else self._state,
            number=lesson.number,
            face=lesson.face,
            done=lesson.done,
            known=board is not None and (known_dice(board) or board.cube) is not None,
            more=lesson.whole and board is not None and board.camera == self._camera_then(),
            doubted=self._doubted,
            words=self._words(),
        )

    def begin(self, dice: int, *, cube: bool, more: bool) -> Reply:
        """See `FacesSetUp`."""
        room = self._room
        if room.match.playing:
            return Reply(False, program_words("match_on"))
        if room.board is None:
            return Reply(False, program_words("no_board"))
        if room.hold is not None:
            return Reply(False, room.hold)
        try:
            check_size(room.board)
        except FaceError as error:
            return Reply(False, face_words(error.fault, **error.arguments))
        with self._busy:
            if not self.running:
                self._begin(room.board, FaceLesson(dice, cube), more=more)
        return Reply(True)

    def confirm(self) -> Reply:
        """See `FacesSetUp`."""
        if not self._doubted:
            return Reply(False, face_words("nothing_doubted"))
        self._sure.set()
        return Reply(True)

    def end(self) -> Reply:
        """See `FacesSetUp`."""
        self._ending.set()
        return Reply(True)

    def forget(self) -> Reply:
        """See `FacesSetUp`."""
        room = self._room
        if room.match.playing:
            return Reply(False, program_words("match_on"))
        if self.running or room.board is None:
            return Reply(False, face_words("running") if self.running else program_words("no_board"))
        try:
            keep_board(room, replace(room.board, dice=None, cube=None))
        except UserError as error:
            return Reply.refusing(error)
        self._lesson, self._state, self._said = FaceLesson(), TrialState.READY, ()
        return Reply(True, face_words("forgotten"))

    def _begin(self, board: Board, lesson: FaceLesson, *, more: bool) -> None:
        """Begin a lesson, or go on with the one that was whole, if the board is where it was."""
        if not (more and self._lesson.whole and board.camera == self._camera_then()):
            self._lesson = lesson
        self._lesson = replace(self._lesson, trouble=None)
        self._state, self._said, self._board = TrialState.RUNNING, (), board
        self._sure, self._ending = threading.Event(), threading.Event()
        thread_aside(partial(self._work, board), "pointsman-faces").start()

    def _camera_then(self) -> CameraModel | None:
        """Where the camera stood to the board that the lesson was for."""
        return None if self._board is None else self._board.camera

    def _words(self) -> tuple[LocalText, ...]:
        """What stood against the last picture, and what is asked for; or what came of it all."""
        lesson = self._lesson
        if not self.running:
            older = self._room.board is not None and passes_over_dice(self._room.board)
            return (face_words("passed_over"),) if older and not self._said else self._said
        asked = face_words("ask", number=lesson.number)
        if lesson.face is not None:
            asked = face_words("ask_cube", number=lesson.number, face=lesson.face)
        return *_trouble_words(lesson.trouble), asked

    def _work(self, board: Board) -> None:
        """Take pictures until every number was shown; learn from them, and keep what was learned."""
        try:
            while self._watch(board) and not self._learn(board):
                pass
        except UserError as error:
            why = str(error)
            self._said = (lambda _: why,)
        except Exception:  # a fault of ours must neither look like success nor keep the table from playing
            _LOGGER.exception("The dice could not be learned.")
            self._said = (program_words("failed"),)
        finally:
            self._state = TrialState.DONE

    def _watch(self, board: Board) -> bool:
        """Take pictures until the round is whole; whether it is. False where it was ended."""
        begun, looked, still_s = len(self._lesson.seen), None, None
        last_s = self._room.clock()
        while not self._ending.wait(POLL_S):
            now_s = self._room.clock()
            if self._room.board is not board or now_s - last_s > GIVEN_UP_S:
                self._said = (face_words("ended"),)
                return False
            glimpse = self._room.glimpse()
            if glimpse is None or not _is_at_rest(glimpse):
                still_s = None
                continue
            still_s = now_s if still_s is None else still_s
            if now_s - still_s < REST_S or (glimpse.reading is looked and not self._sure.is_set()):
                continue
            looked = glimpse.reading
            if self._look(glimpse, board):
                last_s = now_s
                if self._lesson.whole and len(self._lesson.seen) > begun:
                    return True
        return False

    def _look(self, glimpse: Glimpse, board: Board) -> bool:
        """Look at a picture; whether it was taken."""
        before, sure = self._lesson, self._sure.is_set()
        self._sure.clear()
        with self._room.networks:
            self._lesson = show_faces(before, glimpse.picture, board, self._room.read, sure=sure)
        return len(self._lesson.seen) > len(before.seen)

    def _learn(self, board: Board) -> bool:
        """Learn, and keep it; whether that is the end. False where a number is to be shown again."""
        try:
            learned = learn_faces(self._lesson.seen, board)
        except FaceError as error:
            if error.fault is FaceFault.OTHER_NUMBER:
                number = error.arguments["number"]
                self._lesson = replace(self._lesson.without(number), trouble=error)
                return False
            self._said = _trouble_words(error)
            return True
        if not self._room.match.playing:
            self._board = learned.board
            keep_board(self._room, learned.board)
            self._said = tuple(_learned_words(learned))
        return True


def _is_at_rest(glimpse: Glimpse) -> bool:
    """Whether the newest picture shows a board over which nothing moves, and no hand is."""
    reading = glimpse.reading
    return reading is not None and not glimpse.moving and not (reading.recognised and reading.hand)


def _trouble_words(trouble: FaceError | None) -> tuple[LocalText, ...]:
    return () if trouble is None else (face_words(trouble.fault, **trouble.arguments),)


def _learned_words(learned: FacesLearned) -> Iterator[LocalText]:
    read, cube = learned.read, learned.cube
    yield face_words("kept", shown=read.shown, before=read.before, after=read.after)
    if cube is not None:
        code = "cube_worse" if cube.worse else "cube_kept"
        yield face_words(code, shown=cube.shown, before=cube.before, after=cube.after)
    for _, number, told in learned.left_out:
        yield face_words("left_out", number=number, told=told)
