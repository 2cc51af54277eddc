"""Has the defects in a bundle of `pointsman support` happen again, from the bundle alone."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.config.config import parse_config
from controller.errors import UserError
from controller.hub.folder import TOURNAMENT
from controller.logs.defect import Defect
from controller.logs.handlers import DefectHandler
from controller.logs.log import DEFECT_FILE, threads_logged
from controller.record.journal.journal import JournalEvent
from controller.record.match.history import DEFECT
from controller.upkeep.archive import unpack
from controller.upkeep.repeated_table import BundleError, RepeatedTable, read_defects, read_events
from controller.upkeep.support import CONFIG, ENTRIES

_LOGGER: Final = logging.getLogger(__name__)

MATCHES: Final = "match*.jsonl"
MOST_BYTES: Final = 256 << 20
"""Bytes to which a bundle may unpack. One with four long matches has some 20 million."""

Signature = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Reproduced:
    """What became of one defect.

    Attributes:
        wanted: as the bundle tells of it.
        found: as it happened again; None if it did not.
        why: why it cannot be tried at all; empty where it was tried.
    """

    wanted: Defect
    found: Defect | None = None
    why: str = ""


def reproduce(bundle: Path, place: Path) -> list[Reproduced]:
    """What becomes of each defect in a bundle when all that was recorded is replayed by this program.

    Args:
        bundle: the archive.
        place: an empty folder to work in.

    Raises:
        UserError: for a bundle that cannot be read, or that holds no defect.
    """
    packed = place / "bundle"
    packed.mkdir()
    unpack(bundle, packed, MOST_BYTES)
    config = _config(packed)
    matches = [read_events(file.read_text("utf-8")) for file in sorted(packed.glob(MATCHES))]
    noted = [_defects_of(events) for events in matches]
    told = _text(packed / DEFECT_FILE)
    aside = [each for each in read_defects(told) if not _is_among(each, [d for of in noted for d in of])]
    wanted = [*(each for of in noted for each in of), *aside]
    if not wanted:
        raise BundleError(f"{bundle} tells of no defect.")
    found: list[Defect] = []
    tried: set[Signature] = set()
    with DefectHandler(found.append, every=True), threads_logged():
        for number, (events, own) in enumerate(zip(matches, noted, strict=True)):
            if own or (aside and number == len(matches) - 1):
                more = aside if number == len(matches) - 1 else []
                tried |= _replay(config, events, place / f"match-{number}", more)
        if not matches:
            tried |= _replay_hub(packed, place / "hub", aside)
    return [_outcome(each, found, tried) for each in _once(wanted)]


def _replay_hub(packed: Path, place: Path, defects: Sequence[Defect]) -> set[Signature]:
    from controller.upkeep.repeated_hub import RepeatedHub  # a table has no SQLAlchemy

    place.mkdir()
    return RepeatedHub(_text(packed / ENTRIES), _text(packed / TOURNAMENT), place).do_all(defects)


def _replay(
    config: Config, events: Sequence[JournalEvent], place: Path, more: Sequence[Defect]
) -> set[Signature]:
    """Put a match through a table, and do again what was being done when defects came; which were tried."""
    place.mkdir()
    tried = set[Signature]()
    try:
        table = RepeatedTable(config, events, place)
    except BundleError:
        return tried
    except Exception:
        _LOGGER.exception("The match cannot be begun again.")
        return {each.signature for each in _defects_of(events)}
    try:
        for event in table.play():
            if event.kind == DEFECT:
                defect = _defect(event)
                if defect is not None and (not defect.task or table.do(defect.task)):
                    tried.add(defect.signature)
        tried |= {each.signature for each in more if each.task and table.do(each.task)}
    finally:
        table.close()
    return tried


def _outcome(wanted: Defect, found: Sequence[Defect], tried: set[Signature]) -> Reproduced:
    again = next((each for each in found if each.signature == wanted.signature), None)
    if again is not None:
        return Reproduced(wanted, again)
    if wanted.signature in tried:
        return Reproduced(wanted)
    return Reproduced(wanted, why=_why(wanted))


def _why(defect: Defect) -> str:
    if defect.during == "camera":
        return "it came while a picture was read, and pictures are never packed"
    if "path" in defect.task:
        return "the request needs what no bundle holds"
    return f"it came in the part '{defect.during}', whose work the bundle does not tell of"


def _once(defects: Sequence[Defect]) -> list[Defect]:
    """Each defect once, the first time that it came."""
    return list({each.signature: each for each in reversed(defects)}.values())[::-1]


def _is_among(defect: Defect, others: Sequence[Defect]) -> bool:
    return any(each.signature == defect.signature for each in others)


def _defects_of(events: Sequence[JournalEvent]) -> list[Defect]:
    return [defect for event in events if event.kind == DEFECT and (defect := _defect(event)) is not None]


def _defect(event: JournalEvent) -> Defect | None:
    try:
        return Defect.from_record(event.payload)
    except TypeError:
        return None


def _config(packed: Path) -> Config:
    """The table's configuration as it was packed; as delivered where it cannot be used."""
    text = _text(packed / CONFIG)
    try:
        return parse_config(text, CONFIG, packed) if text else Config()
    except UserError:
        return Config()


def _text(file: Path) -> str:
    return file.read_text("utf-8") if file.is_file() else ""
