"""A table with everything that must not be lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.app.desk import Desk
from controller.app.pages import KEYS, TLS
from controller.config import Config, load_config
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.journal.seal import KEY_FILE, SigningKey
from controller.record.table.match_folder import JOURNAL, MatchFolder
from controller.record.table.sequence import begin_next
from controller.web.keys import PageKeys
from controller.web.wire.authority import OwnAuthority
from controller.web.wire.certificates import utc_now
from tests.app.opened import FIVE

UTC = "2026-11-22T20:00:00+00:00"
PICTURE = b"not really a picture, but bytes"
CONFIG = """
[match]
light = "Anna Kovács"
dark = "Béla"
profile = ["rules/ours.toml"]
[camera]
source = "rtsp://admin:topsecret@192.0.2.7/live"
"""
RULES = """
title = "Ours"
inherits = "club"
"""
CLUB = """
title = "Club"
inherits = "standard-match"
"""


def begin(matches: Path, name: str, light: str = "Anna Kovács", dark: str = "Béla") -> Path:
    """A match that is not over, with a picture."""
    with playing(matches, name, light, dark):
        pass
    with EvidenceStore(evidence_name(matches / name / JOURNAL)) as store:
        store.keep(1, [PICTURE])
    return matches / name


@contextmanager
def playing(matches: Path, name: str, light: str, dark: str) -> Iterator[Desk]:
    """A match that is being played."""
    path = matches / name
    with MatchFolder(path, lambda: UTC, lambda _: None, begun=begin_next(matches, path)) as folder:
        yield Desk.open(FIVE, folder.book, folder.follow, names=(light, dark))


def make_table(folder: Path) -> Config:
    """A table with two matches, a board file, rules of its own, and its keys."""
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "ours.toml").write_text(RULES)
    (folder / "pointsman.toml").write_text(CONFIG)
    (folder / "rules" / "club.toml").write_text(CLUB)
    (folder / "board.toml").write_text("# a board\n")
    begin(folder / "matches", "2026-11-21-200000-anna-kovacs-bela")
    begin(folder / "matches", "1970-01-01-000010-anna-kovacs-cili", dark="Cili")
    SigningKey.make(folder / "matches" / KEY_FILE)
    PageKeys.load(folder / KEYS)
    (folder / TLS).mkdir()
    OwnAuthority.make(folder / TLS, "Pointsman table test", utc_now())
    return load_config(folder / "pointsman.toml")


def kept(folder: Path) -> dict[str, bytes]:
    """Every file below a folder that is no database and none of its helpers, with its content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".db" not in path.name
    }
