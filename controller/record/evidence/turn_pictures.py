"""The pictures of a turn: which show its beginning, course and end, and how they are kept with its verdict."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.arrays import Picture
from controller.devices.pictures import encode_jpeg
from controller.messages.device_words import LocalText, record_words
from controller.record.evidence.store import EvidenceError, EvidenceStore, Kept, Worth
from controller.record.journal.journal import JournalEvent, Json
from controller.record.match.match import Turn
from controller.record.match.match_log import MatchLog
from controller.vision import Reading

MOST: Final = 96
"""Pictures held at a time, however long a player thinks."""
FRESH: Final = 24
"""The newest of them, which are never thinned out."""
MOST_BETWEEN: Final = 16
"""Pictures of a turn's course that are kept as evidence."""
WIDEST, QUALITY = 1280, 80
"""Of the pictures kept as evidence: pixels across, and JPEG quality."""


MOVING: Final[Mapping[str, Json]] = {"moving": True}
"""What is recorded of a picture that was not read because something moved in it."""


@dataclass(frozen=True, slots=True)
class TurnPicture:
    """A picture and what was read from it.

    Attributes:
        frame: its number in the film.
        t: when it was taken, seconds.
        jpeg: the picture, cropped to the board.
        seen: what was read, as `seen_object` tells it; `MOVING` if something moved and nothing was read.
    """

    frame: int
    t: float
    jpeg: bytes
    seen: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class TurnPictures:
    """The pictures of one turn; `None` where there was none."""

    before: TurnPicture | None
    between: tuple[TurnPicture, ...]
    after: TurnPicture | None


class PictureBuffer:
    """Takes every picture and gives back those that belong to a turn; what it holds is bounded."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._before: TurnPicture | None = None
        self._shots: list[TurnPicture] = []

    def add(self, shot: TurnPicture) -> None:
        """The next picture. Of a long run in which nothing changes only the first and the last are held."""
        if len(self._shots) >= 2 and all(_same(shot, each) for each in self._shots[-2:]):
            self._shots[-1] = shot
        else:
            self._shots.append(shot)
        if len(self._shots) > MOST:
            self._shots = [*self._shots[:-FRESH:2], *self._shots[-FRESH:]]

    def turn(self, frame: int | None, *, over: bool) -> TurnPictures:
        """The pictures of the turn that was judged on picture `frame`.

        With `over` the game goes on from it, and its last picture is the first of the next turn; else it is
        tried again from the same beginning.
        """
        after = self._nearest(frame)
        before = self._before or next((shot for shot in self._shots if _still(shot)), None)
        first = before.frame if before else -1
        last = after.frame if after else first
        course = [shot for shot in self._shots if first < shot.frame < last]
        if over and after is not None:
            self._before = after
            self._shots = [shot for shot in self._shots if shot.frame > after.frame]
        return TurnPictures(before, _spread(course), after)

    def _nearest(self, frame: int | None) -> TurnPicture | None:
        """The picture of that number or the last one before it, if none is held the next one."""
        held = [*([self._before] if self._before else []), *filter(_still, self._shots)]
        if not held or frame is None:
            return held[-1] if held else None
        return max(
            (shot for shot in held if shot.frame <= frame), key=lambda shot: shot.frame, default=held[0]
        )


def shot_of(number: int, t: float, board_part: Picture, reading: Reading | None) -> TurnPicture:
    """A picture as evidence, cut to the board: with what was read in it, or that something moved."""
    seen = MOVING if reading is None else seen_object(reading)
    return TurnPicture(number, t, encode_jpeg(board_part, WIDEST, QUALITY), seen)


def seen_object(reading: Reading) -> dict[str, Json]:
    """What was read from a picture, as plain values.

    `points` (24 signed counts from light's 1-point), `bar` and `off` (light's, dark's; null if not seen),
    `confidence` of each point in hundredths, `unsure` and `covered` points, `hand` in the picture, `dice`.
    """
    return {
        "points": list(reading.points),
        "bar": [reading.bar.light, reading.bar.dark],
        "off": [reading.off.light, reading.off.dark],
        "confidence": [round(100 * each) for each in reading.point_confidence],
        "unsure": [*sorted(reading.unsure)],
        "covered": [*sorted(reading.covered)],
        "hand": reading.hand,
        "dice": [die.value for die in reading.dice],
    }


def _same(one: TurnPicture, other: TurnPicture) -> bool:
    """Whether nothing changed from one picture to the other, and no hand is over the board."""
    if not (_still(one) and _still(other)) or one.seen["hand"]:
        return False
    return all(one.seen[key] == other.seen[key] for key in ("points", "bar", "hand"))


def _still(shot: TurnPicture) -> bool:
    return not shot.seen.get("moving")


def _spread(course: list[TurnPicture]) -> tuple[TurnPicture, ...]:
    """A few pictures spread evenly over a turn's course."""
    if len(course) <= MOST_BETWEEN:
        return tuple(course)
    step = (len(course) - 1) / (MOST_BETWEEN - 1)
    return tuple(course[round(number * step)] for number in range(MOST_BETWEEN))


@dataclass(slots=True)
class PictureRecorder:
    """Is given every picture, and keeps those of a turn when it was judged.

    Attributes:
        log: the match in its journal.
        store: where pictures go; `None` if they are not kept.
        warn: called once, with a sentence, when the disk takes no pictures, and again when it does; play then goes
            on without them. If it is `None` the error is raised.
    """

    log: MatchLog
    store: EvidenceStore | None
    warn: Callable[[LocalText], None] | None = None
    buffer: PictureBuffer = field(default_factory=PictureBuffer)
    failing: bool = False

    def add(self, picture: TurnPicture) -> None:
        """The next picture of the film or the camera."""
        if self.store is not None:
            self.buffer.add(picture)

    def keep(
        self, event: JournalEvent, turn: Turn | None, frame: int | None, *, flagged: bool
    ) -> JournalEvent | None:
        """Keep the pictures of a turn that was just judged, or (without a turn) of a doubt.

        `event` is that of the turn or of the doubt in the journal, `frame` the picture it was judged on.
        A flagged turn keeps the pictures between as well. The pictures are stored before the journal vouches
        for them. `None` if there were no pictures.

        Raises:
            EvidenceError: if the pictures cannot be kept and there is nobody to warn.
            JournalError: if the journal cannot be written.
        """
        if self.store is None:
            return None
        shots = self.buffer.turn(frame, over=turn is not None and turn.counts)
        chosen = [
            *([("before", shots.before)] if shots.before else []),
            *(("between", shot) for shot in (shots.between if flagged else ())),
            *([("after", shots.after)] if shots.after else []),
        ]
        if not chosen:
            return None
        worth = Worth.FLAGGED if flagged else Worth.PLAIN
        kept = self._store(self.store, event, [shot for _, shot in chosen], worth)
        if not kept:
            return None
        pictures: list[Json] = [
            {
                "role": role,
                "frame": shot.frame,
                "t": shot.t,
                "sha256": each.sha256,
                "bytes": each.size,
                "seen": dict(shot.seen),
            }
            for (role, shot), each in zip(chosen, kept, strict=True)
        ]
        return self.log.add_pictures(event, pictures)

    def _store(
        self, store: EvidenceStore, event: JournalEvent, shots: list[TurnPicture], worth: Worth
    ) -> tuple[Kept, ...]:
        """The pictures as they were stored; none if the disk takes none and somebody was warned."""
        try:
            kept = store.keep(event.id, [shot.jpeg for shot in shots], worth)
        except EvidenceError as error:
            if self.warn is None:
                raise
            if not self.failing:
                self.warn(record_words("no_pictures", why=error))
            self.failing = True
            return ()
        if self.failing and self.warn is not None:
            self.warn(record_words("pictures_again", store=store.path))
        self.failing = False
        return kept
