"""Keeps the pictures behind each verdict: the right ones into the store, their digests into the journal."""

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.record.evidence.store import EvidenceError, EvidenceStore, Kept, Worth
from controller.record.evidence.turn_pictures import PictureBuffer, TurnPicture
from controller.record.journal.journal import JournalEvent, Json
from controller.record.match.match import Turn
from controller.record.match.match_log import MatchLog


@dataclass(slots=True)
class PictureRecorder:
    """Is given every picture, and keeps those of a turn when it was judged.

    Attributes:
        log: the match in its journal.
        store: where pictures go; `None` if they are not kept.
        warn: told once, in a sentence, when the disk takes no pictures, and again when it does; play then goes
            on without them. If it is `None` the error is raised.
    """

    log: MatchLog
    store: EvidenceStore | None
    warn: Callable[[str], None] | None = None
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
                self.warn(f"{error} Play goes on, but its pictures are not kept.")
            self.failing = True
            return ()
        if self.failing and self.warn is not None:
            self.warn(f"Pictures are kept again in {store.path}.")
        self.failing = False
        return kept
