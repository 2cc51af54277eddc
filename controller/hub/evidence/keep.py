"""The hub's folder of evidence: a JPEG by its digest, and beside them a note of each disputed turn.

It is for its owner alone and bounded: when it is full, the table that has most gives up its oldest, so that no table
drives out another one's. What is older says a running number: a hub's clock may be wrong. The tables keep their own.
"""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Self
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from controller.hub.folder import HubFolderError
from controller.web.evidence import PictureOfTurn
from controller.web.wire.private_file import write_private

FOLDER: Final = "evidence"
MOST_BYTES: Final = 500_000_000
"""Of all pictures together: several thousand disputes."""
MOST_TURNS: Final = 5_000
FIRST: Final = (1980, 1, 1, 0, 0, 0)
"""The first time that a file in a ZIP can have."""
LIST: Final = "disputes.json"
"""In a ZIP: which picture belongs to which turn."""


@dataclass(frozen=True, slots=True)
class DisputedTurn:
    """A turn that was disputed or flagged, and its pictures.

    Attributes:
        table: the table's name, ``title`` what people call it.
        journal: the match.
        players: both names, light's first.
        event: the tournament that was named to the table.
        game: the number of the game, from 1; ``ply`` that of the turn in it, from 0.
        what: why it was looked at, as the table says it.
        utc: when the hub heard of it.
        pictures: all of it, in their order.
        number: counts what was noted, from 1; 0 for what an older version has noted.
    """

    table: str
    title: str
    journal: str
    players: tuple[str, str]
    event: str
    game: int
    ply: int
    what: str
    utc: str
    pictures: tuple[PictureOfTurn, ...]
    number: int = 0

    @property
    def name(self) -> str:
        """What its note is called."""
        return f"{self.table}-{self.journal}-{self.game}-{self.ply}"

    @classmethod
    def read(cls, text: str) -> Self:
        """What was noted. Raises ValueError, KeyError or TypeError for anything else."""
        told = json.loads(text)
        pictures = tuple(PictureOfTurn(**each) for each in told["pictures"])
        number = int(told.get("number", 0))
        return cls(**{**told, "players": tuple(told["players"]), "pictures": pictures, "number": number})


class EvidenceFolder:
    """What the hub keeps of disputes. For one thread that writes; any may read."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """Open it, or make it.

        Raises:
            HubFolderError: if it cannot be made.
        """
        self._folder, self._most_bytes = folder, most_bytes
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise HubFolderError(
                f"The folder {folder} cannot be made ({error.strerror}); name another with --folder."
            ) from None
        self._turns: dict[str, DisputedTurn] = {}
        here = sorted(
            (path.stat().st_mtime_ns, path.stem, path.stat().st_size) for path in folder.glob("*.jpg")
        )
        self._here = {sha256: size for _, sha256, size in here}
        for path in sorted(folder.glob("*.json")):
            with suppress(OSError, ValueError, KeyError, TypeError):
                turn = DisputedTurn.read(path.read_text(encoding="utf-8"))
                self._turns[turn.name] = turn

    def turns(self) -> Sequence[DisputedTurn]:
        """Everything that was noted, the oldest first."""
        return sorted([*self._turns.values()], key=lambda each: (each.number, each.utc, each.name))

    def note(self, turn: DisputedTurn) -> None:
        """Remember a turn; it takes the place of what was noted of it. Raises PrivateFileError."""
        before = self._turns.get(turn.name)
        newest = max((each.number for each in self._turns.values()), default=0)
        turn = replace(turn, number=newest + 1 if before is None else before.number)
        write_private(self._path(f"{turn.name}.json"), json.dumps(asdict(turn), ensure_ascii=False).encode())
        self._turns[turn.name] = turn
        while len(self._turns) > MOST_TURNS:
            counts = Counter(each.table for each in self._turns.values())
            most = max(counts, key=lambda table: counts[table])
            old = next(each for each in self.turns() if each.table == most)
            del self._turns[old.name]
            self._path(f"{old.name}.json").unlink(missing_ok=True)

    def has(self, sha256: str) -> bool:
        """Whether a picture is here."""
        return sha256 in self._here

    def picture(self, sha256: str) -> bytes | None:
        """The JPEG of a digest; None if it is not here, or was changed."""
        try:
            found = self._path(f"{sha256}.jpg").read_bytes()
        except OSError:
            return None
        return found if hashlib.sha256(found).hexdigest() == sha256 else None

    def keep(self, sha256: str, jpeg: bytes) -> None:
        """Keep a picture; where there is no more room, others go. Raises PrivateFileError."""
        write_private(self._path(f"{sha256}.jpg"), jpeg)
        self._here.pop(sha256, None)
        self._here[sha256] = len(jpeg)
        over = sum(self._here.values()) - self._most_bytes
        if over > 0:
            self._make_room(over, sha256)

    def _make_room(self, over: int, new: str) -> None:
        """Throw pictures away, but not the new one: of no turn first, then the oldest of whoever has most."""
        of_tables: dict[str, list[str]] = {}
        of_turns: set[str] = set()
        for turn in self.turns():
            found = [each.sha256 for each in turn.pictures if each.sha256 in self._here]
            free = (each for each in found if each not in of_turns and each != new)
            of_tables.setdefault(turn.table, []).extend(free)
            of_turns.update(found)
        of_none = [each for each in self._here if each not in of_turns and each != new]
        sizes = {table: sum(self._here[each] for each in several) for table, several in of_tables.items()}
        while over > 0:
            if of_none:
                old = of_none.pop(0)
            else:
                table = max(sizes, key=lambda each: sizes[each], default="")
                if not of_tables.get(table):
                    return
                old = of_tables[table].pop(0)
                sizes[table] -= self._here[old]
            self._path(f"{old}.jpg").unlink(missing_ok=True)
            over -= self._here.pop(old)

    def write_zip(self, path: Path, since: str = "") -> int:
        """Write the turns noted since a time of day (ISO 8601, UTC) with their pictures; how many turns they are."""
        turns = [each for each in self.turns() if each.utc >= since]
        told = []
        with ZipFile(path, "w", ZIP_STORED) as packed:
            for number, turn in enumerate(turns, start=1):
                files: dict[str, str] = {}
                for each in turn.pictures:
                    jpeg = self.picture(each.sha256)
                    if jpeg is not None:
                        place = f"{number:03d}-{turn.table}-game-{turn.game}-play-{turn.ply + 1}"
                        files[each.sha256] = f"{place}-{each.role}-{each.number}.jpg"
                        packed.writestr(_member(files[each.sha256]), jpeg)
                pictures = [{**asdict(each), "file": files.get(each.sha256)} for each in turn.pictures]
                told.append({**asdict(turn), "pictures": pictures})
            packed.writestr(_member(LIST), json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        return len(turns)

    def _path(self, name: str) -> Path:
        return self._folder / name


def _member(name: str) -> ZipInfo:
    """A file of a ZIP, as of now; no ZIP can tell what the clock of a hub says that does not know the day yet."""
    found = ZipInfo(name, max(time.localtime()[:6], FIRST))
    found.external_attr = 0o644 << 16
    return found
