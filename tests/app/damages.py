"""Damages to the files of a match, and what a table that is started afterwards makes of them."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from controller.app.desk import Desk
from controller.app.room import Room
from controller.config import Config
from controller.config.sections import BoardSection, DiceAt, DiceSection, Engine, EngineSection, MatchSection
from controller.messages.device_words import LocalText
from controller.record.journal.copies import copy_journal
from controller.record.journal.journal import Journal, JournalError, JournalEvent
from controller.record.match.history import INPUT, RESULT, TURN
from controller.record.table.doubts import list_doubts
from controller.record.table.match_folder import EVENTS, JOURNAL, NAME, MatchFolder
from controller.record.table.sequence import begin_next, match_journals
from controller.referee.events import Resumed
from tests.app.opened import UTC, play
from tests.app.playing import Players
from tests.app.test_live import Scene
from tests.striped import BOARD

FILES = ("journal.db", "journal.db-wal", "journal.head", "events.jsonl", "counter")
LIVE, CLOSED = "live", "closed"


@dataclass(frozen=True)
class Evening:
    """Two matches in one folder of matches; the second was begun last.

    Attributes:
        folder: the folder that holds both `live` and `closed`: the same matches as a killed program and as one that
            ended in order left them.
        confirmed: the turns and results of the second.
        older: the journal of the second as it was half way.
    """

    folder: Path
    confirmed: Counter[tuple[str, str]]
    older: Path


def config_in(folder: Path) -> Config:
    return Config(
        folder=folder,
        match=MatchSection(light="Anna", dark="Béla", length=5),
        board=BoardSection(port="none"),
        dice=DiceSection(source=DiceAt.CAMERA),
        engine=EngineSection(use=Engine.NONE),
    )


def confirmed_in(events: Iterable[JournalEvent]) -> Counter[tuple[str, str]]:
    return Counter((event.kind, repr(event.payload)) for event in events if event.kind in (TURN, RESULT))


def evening(folder: Path, inputs: int = 400) -> Evening:
    """Two interrupted matches, as a program leaves them that is killed, and one that ends in order."""
    matches, older = folder / "work" / "matches", folder / "older.db"
    settings = config_in(folder).settings()
    for number, name in enumerate(("first", "second")):
        path = matches / name
        begun = begin_next(matches, path)
        kept = MatchFolder(path, lambda: UTC, _unheard, begun=begun)
        desk = Desk.open(settings, kept.book, kept.follow, names=("Anna", "Béla"))
        players = Players(Random(7 + number), doubles=0.05)
        play(desk, players, most=inputs // 2)
        if name == "second":
            copy_journal(path / JOURNAL, older)
        play(desk, players, most=inputs - inputs // 2)
        if name == "second":
            shutil.copytree(folder / "work", folder / LIVE)
            confirmed = confirmed_in(kept.journal.events(NAME))
        kept.write_match()
        kept.close()
    (folder / "work").rename(folder / CLOSED)
    return Evening(folder, confirmed, older)


def _unheard(words: LocalText) -> None:
    raise AssertionError(words("en"))


def damage(matches: Path, rng: Random) -> str:
    """Do something bad to the second match; what it was, in words."""
    folder, other = matches / "second", matches / "first"
    name = rng.choice([*FILES[:1] * 5, *FILES[1:2] * 3, *FILES])
    path = matches / name if name == "counter" else folder / name
    content = bytearray(path.read_bytes()) if path.exists() else bytearray()
    kind = rng.choice(["bits", "bits", "page", "cut", "cut", "swap", "delete", "delete all", "rubbish"])
    if kind == "delete all":
        for each in folder.glob("journal.db*"):
            each.unlink()
    elif kind == "swap" and (other / name).exists():
        path.write_bytes((other / name).read_bytes())
        if name == "journal.db" and rng.random() < 0.5:
            (folder / "journal.db-wal").unlink(missing_ok=True)
    elif kind == "delete" or not content:
        path.unlink(missing_ok=True)
    elif kind == "bits":
        for _ in range(rng.choice([1, 1, 2, 20])):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
    elif kind == "cut":
        path.write_bytes(content[: rng.randrange(len(content))])
    else:
        start = rng.randrange(len(content)) // 4096 * 4096
        end = min(start + 4096, len(content))
        content[start:end] = bytes(end - start) if kind == "page" else rng.randbytes(end - start)
        path.write_bytes(content)
    return f"{kind} {name}"


@dataclass
class Outcome:
    """What came of one damage.

    Attributes:
        done: what was done.
        said: all that a started table told people.
        missing: how many confirmed turns and results the table goes on without.
        other: whether it began another match.
        unsaid: what a command that reads would not have said, empty if it would.
        shortened: how many turns were in the lines before and are in none of them afterwards.
    """

    done: str
    said: str
    missing: int
    other: bool
    unsaid: str
    shortened: int

    @property
    def silent(self) -> bool:
        """Whether something was lost, or a new match begun, without a word."""
        told = self.said.replace("continues", "")
        lost = (self.missing and "journal" not in told) or (self.other and "new match begins" not in told)
        return bool(lost or self.unsaid or self.shortened)


def outcome(kept: Evening, state: str, harm: Callable[[Path], str], place: Path) -> Outcome:
    """Do ``harm`` to a copy of the matches, start a table on it, stop it, and see what is still there."""
    shutil.copytree(kept.folder / state, place)
    matches = place / "matches"
    done = harm(matches)
    lines = _lines(matches / "second")
    unsaid = _unsaid(matches, kept.confirmed)
    said: list[str] = []
    scene = Scene()
    room = Room(config_in(place), BOARD, said.append, open_camera=scene.open, read=scene.reading)
    table = room.open_match()
    folder = table.parts.folder
    if folder.path.name == "second":
        table.put(Resumed(table.state.t))
    have = confirmed_in(folder.journal.events(NAME, without=INPUT))
    room.close()
    after: Counter[str] = Counter()
    for path in (matches / "second").glob("events*.jsonl"):
        after |= _lines(matches / "second", path.name)
    return Outcome(
        f"{state}: {done}",
        "".join(said),
        (kept.confirmed - have).total(),
        folder.path.name != "second",
        unsaid,
        (lines - after).total(),
    )


def _lines(folder: Path, name: str = EVENTS) -> Counter[str]:
    """The finished turns in a file of lines: who played what with which roll, and to what position."""
    path = folder / name
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    turns = Counter[str]()
    for line in text.split("\n"):
        with suppress(ValueError, KeyError):
            values = json.loads(line)
            if "kind" not in values:
                turns[repr([values[key] for key in ("player", "dice", "move", "position")])] += 1
    return turns


def _unsaid(matches: Path, confirmed: Counter[tuple[str, str]]) -> str:
    """What reading commands would not say although the newest journal lacks something; empty if they would."""
    journals = match_journals(matches)
    if not journals or journals[-1].parent.name != "second":
        return ""
    try:
        doubts = list_doubts(journals[-1])
        with Journal(journals[-1], read_only=True) as journal:
            missing = (confirmed - confirmed_in(journal.events(NAME, without=INPUT))).total()
    except JournalError:
        return ""
    return f"{missing} missing" if missing and not doubts else ""
