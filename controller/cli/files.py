"""``pointsman export``, ``pointsman import`` and ``pointsman check``: match files out, in and judged."""

import datetime
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from controller.errors import UserError
from controller.record.files.foreign import rejudge
from controller.record.files.formats import SQLITE, Format, format_match, read_match_file
from controller.record.files.match_text import header_text, one_line
from controller.record.files.transcript import facts_lines, player_name, result_line, title_line
from controller.record.journal.journal import Journal
from controller.record.match.match import MatchRecord
from controller.record.match.match_log import MatchLog, read_match
from controller.record.match.playthrough import Objection, objections
from controller.rules.position import Side
from controller.rules.profile.catalogue import load_profile

ILLEGAL, UNREADABLE = 1, 2
"""How `check` ends if it found something."""

MatchOption = Annotated[
    str | None, typer.Option("--match", help="The match; needed where a journal holds several.")
]
RulesOption = Annotated[
    str | None, typer.Option("--profile", help="Judge by this rule profile instead of what the file says.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands for match files."""
    app.command("export")(export_match)
    app.command("import")(import_match)
    app.command("check")(check_files)


def export_match(
    source: Annotated[
        Path, typer.Argument(metavar="JOURNAL", help="A journal, or a match file of any form.")
    ],
    form: Annotated[Format, typer.Option("--format", help="The form to write.")],
    out: Annotated[Path, typer.Option(help="File to write, - for standard output.")],
    match: MatchOption = None,
) -> None:
    """Write a recorded match as a file for other programs, or turn one match file into another."""
    _write(out, format_match(_record(source, match), form))


def import_match(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .mat, SGF, OGXM or JSON match file.")],
    journal: Annotated[Path | None, typer.Option(help="Journal to put the match into.")] = None,
    match: Annotated[
        str | None, typer.Option("--match", help="Its name in the journal; else that of the file.")
    ] = None,
    profile: RulesOption = None,
) -> None:
    """Read a match file, check every play and say what is in it; with --journal keep it."""
    record = _judged(read_match_file(_bytes(file), str(file)), profile)
    for line in _summary(record):
        sys.stdout.write(line + "\n")
    if journal is None:
        return
    name = match if match is not None else file.stem
    with Journal(journal) as opened:
        if name in opened.matches():
            raise UserError(
                f"There is a match {name!r} in {journal} already; give another name with --match."
            )
        MatchLog(opened, name, _now).write(record)
    sys.stdout.write(f"Written to {journal} as {header_text(name)!r}.\n")


def check_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Match files of any form.")],
    profile: RulesOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Tell everything, not only the first of each.")
    ] = False,
) -> None:
    """Find the first illegal play of each match file: its game, ply and reason.

    Ends with 1 if something is illegal, with 2 if a file cannot be read.
    """
    status = 0
    for file in files:
        try:
            record = _judged(read_match_file(_bytes(file), str(file)), profile)
        except UserError as error:
            sys.stdout.flush()
            sys.stderr.write(f"pointsman: {error}\n")
            status = UNREADABLE
            continue
        found = list(objections(record))
        plays = sum(len(list(game.played)) for game in record.games)
        counted = f"{_counted(len(record.games), 'game')}, {_counted(plays, 'play')}"
        if not found:
            sys.stdout.write(f"{file}: {counted}, all legal.\n")
            continue
        status = max(status, ILLEGAL)
        shown = found if every else found[:1]
        for objection in shown:
            sys.stdout.write(f"{file}: {_objection(objection)}\n")
        if len(found) > len(shown):
            more = len(found) - len(shown)
            sys.stdout.write(f"{file}: {more} more, among {counted}; --all tells them.\n")
    if status:
        raise typer.Exit(status)


def _record(source: Path, match: str | None) -> MatchRecord:
    """The match of a journal or of a match file."""
    if not _is_journal(source):
        if match is not None:
            raise UserError(f"{source} is a match file and holds one match; leave --match away.")
        return read_match_file(_bytes(source), str(source))
    with Journal(source, read_only=True) as journal:
        names = journal.matches()
        if match is None and len(names) != 1:
            known = ", ".join(map(header_text, names)) or "none"
            raise UserError(f"{source} holds {len(names)} matches ({known}); name one with --match.")
        return read_match(journal, names[0] if match is None else match)


def _is_journal(source: Path) -> bool:
    try:
        with source.open("rb") as opened:
            return opened.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def _judged(record: MatchRecord, profile: str | None) -> MatchRecord:
    return record if profile is None else rejudge(record, load_profile(profile))


def _summary(record: MatchRecord) -> Iterator[str]:
    yield title_line(record)
    yield from facts_lines(record)
    for number, game in enumerate(record.games, start=1):
        turns = _counted(len(list(game.played)), "play")
        score = f"{game.light_score}-{game.dark_score}"
        yield f"Game {number} at {score}: {turns}, {result_line(record, game)}"
    for remark in record.remarks:
        yield f"Note: {one_line(remark)}"
    found = list(objections(record))
    for objection in found:
        yield f"Not in order: {_objection(objection)}"
    if not found:
        light, dark = (player_name(record, side) for side in Side)
        yield f"Every play of {light} and {dark} is legal, and the scores follow."


def _objection(objection: Objection) -> str:
    where = f"game {objection.game}"
    if objection.ply is not None:
        where += f", ply {objection.ply}"
    if objection.player is not None:
        where += f" ({objection.player})"
    return f"{where}: {objection.text}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _bytes(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file; check the path.") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}); give a match file.") from None


def _write(out: Path, data: bytes) -> None:
    if str(out) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    try:
        out.write_bytes(data)
    except OSError as error:
        raise UserError(
            f"{out} cannot be written ({error.strerror}); name another file with --out."
        ) from None


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
