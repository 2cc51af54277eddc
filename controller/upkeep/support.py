"""What somebody needs who is to help from afar: versions, self-test, configuration, log, and the newest match."""

import dataclasses
import json
import platform
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from controller import __version__
from controller.config import Config
from controller.config.sections import MatchSection
from controller.devices.pins import board_model
from controller.doctor.finding import Finding
from controller.logs.log import DEFECT_FILE, FILES, LOG_FILE
from controller.record.journal.journal import Journal, JournalError
from controller.record.match.history import COMMAND, DEFECT, INPUT, MATCH
from controller.record.table.destination import refuse_loss
from controller.record.table.sequence import match_journals
from controller.upkeep.archive import archive_at
from controller.upkeep.names import stand_ins, without_names

UNITS: Final = ("pointsman", "pointsman-hub")
"""The services of a table and of a hub; one that there is not says nothing."""
LOG: Final = (
    "journalctl",
    *(word for unit in UNITS for word in ("--unit", unit)),
    "--lines",
    "5000",
    "--output",
    "short-iso",
    "--no-pager",
    "--quiet",
)
RELEASE_FILE: Final = Path("/etc/os-release")
PASSWORD: Final = re.compile(r"(?<=://)[^/\s\"'\\]+(?=@)")
"""User and password in an address such as that of a camera."""
QUERY: Final = re.compile(r"(://[^\s\"'\\?#]+[?#])[^\s\"'\\]+")
"""An address as far as it tells the place; many cameras take their password behind that, and phones get codes so."""
TABLE_CODE: Final = re.compile(r"(?<=/)[A-Z2-9]{10}(?:-[A-Z2-7]{26})?(?![A-Z2-9])")
"""The secret in the code by which another table comes in."""
COMMAND_KEY: Final = re.compile(
    r"""(\bcommand["']?\s*=\s*)("{3}.*?"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')""", re.DOTALL
)
"""A program of the user's own in the configuration: among its arguments may be the key of a service."""
SECRET_LETTERS: Final = 6
"""An argument of such a program that is this long is left out of all texts; a shorter one is hardly a key."""
PIN: Final = re.compile(r"\d{4,}")
"""In a line that speaks of PINs; those of the players stand in the log."""
MOST_MATCHES: Final = 3
"""This many earlier matches are packed in which a defect came."""
CONFIG: Final = "pointsman.toml"
"""The configuration, in the archive."""
ENTRIES: Final = "entries.jsonl"
"""What a hub stored, in the archive of a hub."""
FACTS: Final = ("light", "dark")
"""What the configuration and a match tell of people."""


def write_support(
    config: Config,
    out: Path,
    findings: Iterable[Finding],
    *,
    now_s: float,
    made: str,
    ask: Callable[[Sequence[str]], str | None],
    names: bool = False,
) -> list[str]:
    """Pack what helps to find a fault; which files are in it.

    Passwords in addresses, arguments of the user's own program, the keys and the pictures are never packed.

    Args:
        config: the table's.
        out: the archive to write.
        findings: what the self-test tells.
        now_s: now, in seconds since 1970.
        made: the time of day for people, ISO 8601 in UTC.
        ask: runs a program that tells the log; None if there is none.
        names: leave the names of people in; otherwise something stands for each.

    Raises:
        ArchiveError: if it cannot be written.
        UserError: if something would be lost with what is there.
    """
    refuse_loss(out)
    told = {} if names else stand_ins(_people(config), dataclasses.astuple(MatchSection())[:2])
    arguments = _arguments(config.speech.command)
    with archive_at(out, now_s) as archive:
        for name, text in _texts(config, findings, ask):
            for each in arguments:
                text = text.replace(each, "...")
            archive.add(name, without_secrets(without_names(text, told)).encode())
        inside = [each.name for each in archive.packed]
        archive.close({"made": made, "names": names, "version": __version__})
    return inside


def _texts(
    config: Config, findings: Iterable[Finding], ask: Callable[[Sequence[str]], str | None]
) -> Iterator[tuple[str, str]]:
    yield "versions.json", versions_text()
    yield "doctor.jsonl", "".join(f"{_json(dataclasses.asdict(finding))}\n" for finding in findings)
    if config.label:
        text = Path(config.label).read_text(encoding="utf-8", errors="replace")
        yield CONFIG, COMMAND_KEY.sub(r'\1"..."', text)
    yield from log_texts(config.record_folder(), ask)
    journals = match_journals(config.record_folder())
    failed = [journal for journal in journals[:-1] if _has_defect(journal)][-MOST_MATCHES:]
    for number, journal in enumerate(failed, start=1):
        yield f"match-{number}.jsonl", "".join(_lines(journal))
    if journals:
        yield "match.jsonl", "".join(_lines(journals[-1]))


def log_texts(folder: Path, ask: Callable[[Sequence[str]], str | None]) -> Iterator[tuple[str, str]]:
    """Names and texts of the log: of systemd's journal, of the ring of files in a folder, and of the defects."""
    log = ask(LOG)
    if log:
        yield "log.txt", f"{log}\n"
    yield from _ring(folder)


def _ring(folder: Path) -> Iterator[tuple[str, str]]:
    """The log's ring of files as one text, the oldest first, and the defects likewise."""
    for name in (LOG_FILE, DEFECT_FILE):
        files = [folder / f"{name}.{number}" for number in range(FILES, 0, -1)] + [folder / name]
        text = "".join(file.read_text("utf-8", "replace") for file in files if file.is_file())
        if text:
            yield name, text


def _arguments(command: str) -> list[str]:
    """What the log may say of a program that was run, beside its name; the longest first."""
    words = list[str]()
    with suppress(ValueError):
        words = [part for word in shlex.split(command)[1:] for part in (word, word.partition("=")[2])]
    return sorted((each for each in words if len(each) >= SECRET_LETTERS), key=len, reverse=True)


def _has_defect(journal: Path) -> bool:
    try:
        with Journal(journal, read_only=True) as opened:
            return any(event.kind == DEFECT for event in opened.events(without=INPUT))
    except JournalError:
        return False


def without_secrets(text: str) -> str:
    """The text without passwords in addresses, and without PINs and codes."""
    text = TABLE_CODE.sub("...", QUERY.sub(r"\1...", PASSWORD.sub("...", text)))
    lines = text.splitlines(keepends=True)
    return "".join(PIN.sub("...", line) if "PIN" in line else line for line in lines)


def versions_text() -> str:
    """Which versions of what run on which machine, as JSON."""
    # What a package tells of itself is read again each time that it is asked for.
    packages = {told["Name"]: told["Version"] for told in (each.metadata for each in distributions())}
    told = {
        "pointsman": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {platform.release()}",
        "model": board_model() or "",
        "system": _system(),
        "packages": dict(sorted(packages.items(), key=lambda each: each[0].lower())),
    }
    return f"{json.dumps(told, indent=1)}\n"


def _system(release: Path = RELEASE_FILE) -> str:
    """What the system calls itself."""
    try:
        found = re.search(r'^PRETTY_NAME="?([^"\n]*)', release.read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return ""
    return found[1] if found else ""


def _lines(journal: Path) -> Iterator[str]:
    """The events of a journal, one a line, as far as it can be read."""
    try:
        with Journal(journal, read_only=True) as opened:
            for event in opened.events():
                yield f"{_json(dataclasses.asdict(event))}\n"
    except JournalError as error:
        yield f"{_json({'fault': str(error)})}\n"


def _people(config: Config) -> Iterator[str]:
    """The names in the configuration and in every match that can be read."""
    yield from (getattr(config.match, fact) for fact in FACTS)
    for journal in match_journals(config.record_folder()):
        try:
            with Journal(journal, read_only=True) as opened:
                heading = next((event.payload for event in opened.events() if event.kind == MATCH), {})
                yield from (str(heading[fact]) for fact in FACTS if heading.get(fact))
        except JournalError:
            continue
    yield from _directors(config)


def _directors(config: Config) -> Iterator[str]:
    """Who gave commands at the hub in the match that is packed, and whom they named."""
    try:
        for journal in match_journals(config.record_folder())[-1:]:
            with Journal(journal, read_only=True) as opened:
                for event in opened.events(without=INPUT):
                    if event.kind == COMMAND:
                        yield str(event.payload.get("name", ""))
    except JournalError:
        return


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
