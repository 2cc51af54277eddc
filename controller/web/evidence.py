"""The evidence for one turn of the match that is on: its tellings, its pictures, and the page for a dispute."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.errors import UserError
from controller.record import Journal
from controller.record.evidence.dispute import dispute_html, gather_dispute, segments_from
from controller.record.evidence.named import named_pictures
from controller.record.evidence.packet import pack, packing_key
from controller.record.evidence.store import hold_pictures, pictures_beside
from controller.record.journal.journal import EventLog
from controller.record.match.history import INPUT, RecordedEntry, read_history
from controller.record.match.match import Turn
from controller.record.table.match_folder import JOURNAL, NAME, keys_of
from controller.vision.board.straight import SIZE, straighten
from controller.web.jpeg import jpeg_of

LATEST: Final = 20
"""This many matches before the one that is on are looked through for a picture."""


class EvidenceNotFoundError(UserError):
    """A turn, or a picture of it, that is not there."""


@dataclass(frozen=True, slots=True)
class PictureOfTurn:
    """A picture that the journal vouches for.

    Attributes:
        role: ``before``, ``between`` or ``after``.
        number: of the picture; ``t_s`` when it was taken, seconds of the match.
        sha256: its digest.
    """

    role: str
    number: int
    t_s: float
    sha256: str


def pictures_of(folder: Path, game: int, ply: int) -> tuple[PictureOfTurn, ...]:
    """The pictures of the last telling of a turn that has some; games from 1, plies from 0.

    Raises:
        EvidenceNotFoundError: if there is no such turn.
        JournalError: if the match cannot be read.
    """
    with Journal(folder / JOURNAL, read_only=True) as journal:
        return pictures_in(journal, NAME, game, ply)


def pictures_in(journal: EventLog, match: str, game: int, ply: int) -> tuple[PictureOfTurn, ...]:
    """The pictures of a turn in any journal that holds the match; see `pictures_of`."""
    history = read_history(journal, match)
    if not 1 <= game <= len(history.games):
        raise EvidenceNotFoundError(f"There is no game {game}; the match has {len(history.games)}.")
    tellings = {each.event for each in _tellings(history.games[game - 1].entries, ply)}
    if not tellings:
        raise EvidenceNotFoundError(f"There is no ply {ply} in game {game}.")
    named = named_pictures(journal.events(match, without=INPUT)).of
    found = tellings.intersection(named)
    if not found:
        return ()
    return tuple(PictureOfTurn(each.role, each.frame, each.t, each.sha256) for each in named[max(found)])


def turn_picture(folder: Path, game: int, ply: int, role: str) -> bytes:
    """The JPEG of a turn: ``before`` it or ``after`` it.

    Raises:
        EvidenceNotFoundError: if there is no such turn, or no such picture of it is kept.
        EvidenceError, JournalError: if it cannot be read.
    """
    wanted = next((each for each in pictures_of(folder, game, ply) if each.role == role), None)
    with pictures_beside(folder / JOURNAL) as store:
        if wanted is None or store is None:
            raise EvidenceNotFoundError("No such picture of this turn is kept.")
        jpeg = store.picture(wanted.sha256)
    if jpeg is None:
        raise EvidenceNotFoundError("The picture of this turn is not kept any more, or was changed.")
    return jpeg


def straight_turn_picture(folder: Path, game: int, ply: int, role: str, light_home: str) -> bytes:
    """The JPEG of a turn drawn straight, with light's home where the pages draw it.

    As it was kept, if its journal does not say how the board lay. Raises as `turn_picture` does.
    """
    jpeg = turn_picture(folder, game, ply, role)
    with Journal(folder / JOURNAL, read_only=True) as journal:
        segments = segments_from(journal.events(NAME, without=INPUT))
    if segments is None:
        return jpeg
    picture: Picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)  # type: ignore[assignment]
    return jpeg_of(straighten(picture, segments, light_home), SIZE[0])


def kept_picture(folder: Path, sha256: str) -> bytes:
    """The JPEG of a digest: of the match in a folder, or of one of the latest matches beside it.

    Raises:
        EvidenceNotFoundError: if none of them keeps it.
    """
    for each in (folder, *_latest_beside(folder)):
        with suppress(UserError), pictures_beside(each / JOURNAL) as store:
            jpeg = store.picture(sha256) if store is not None else None
            if jpeg is not None:
                return jpeg
    raise EvidenceNotFoundError("No such picture is kept.")


def _latest_beside(folder: Path) -> list[Path]:
    """The folders of other matches, the newest first."""
    try:
        beside = [each for each in folder.parent.iterdir() if each != folder and (each / JOURNAL).is_file()]
        return sorted(beside, key=lambda each: (each / JOURNAL).stat().st_mtime, reverse=True)[:LATEST]
    except OSError:
        return []


def dispute_page(folder: Path, game: int, ply: int, language: str) -> str:
    """The page that `pointsman dispute` writes; the pictures of the turn are kept longest from then on.

    Raises:
        CorrectionError, EvidenceError, JournalError: see `gather_dispute`.
    """
    path = folder / JOURNAL
    with Journal(path, read_only=True) as journal, pictures_beside(path) as store:
        found = gather_dispute(journal, store, NAME, game, ply)
        page = dispute_html(found, language)
    hold_pictures(path, found.pictured)
    return page


def packet_of(folder: Path, language: str) -> bytes:
    """The packet that `pointsman packet` writes; signed with the key that sealed the match, if it is there.

    Raises:
        EvidenceError, JournalError, SealError: if the match, its pictures or the key cannot be read.
    """
    path = folder / JOURNAL
    with Journal(path, read_only=True) as journal, pictures_beside(path) as store:
        return pack(journal, store, NAME, packing_key(journal, keys_of(folder)), language)


def _tellings(entries: tuple[RecordedEntry, ...], ply: int) -> Iterator[RecordedEntry]:
    return (each for each in entries if isinstance(each.entry, Turn) and each.entry.ply == ply)
