"""``pointsman export``, ``pointsman import`` and ``pointsman check``: match files out, in and judged."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.matches import ChosenMatch, find_journal, is_journal, read_all, read_chosen, read_file
from controller.cli.options import Encoding, MatchId
from controller.cli.output import complain, counted, note, put, write_out
from controller.errors import UserError
from controller.record import Journal, MatchRecord
from controller.record.files.foreign import rejudge
from controller.record.files.formats import Format, format_match
from controller.record.files.games import foreign_words
from controller.record.files.match_text import one_line
from controller.record.files.transcript import facts_lines, player_name, result_line, title_line
from controller.record.journal.journal import utc_now
from controller.record.journal.seal import Seal, table_seals
from controller.record.match.match_log import MatchLog
from controller.record.match.playthrough import Objection, objections
from controller.rules import Side, load_profile

ILLEGAL, UNREADABLE = 1, 2
"""How `check` ends if it found something."""

RulesOption = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="Judge by this rule profile instead of what the file says."
    ),
]


def export_match(
    form: Annotated[Format, typer.Option("--format", help="The form to write.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write, - for standard output.")],
    source: Annotated[
        Path | None,
        typer.Argument(
            metavar="[JOURNAL]",
            help="A match folder, its journal.db, or a match file of any form.",
            show_default="the newest match",
        ),
    ] = None,
    match: MatchId = None,
    encoding: Encoding = None,
) -> None:
    """Write a recorded match as a file for other programs, or turn one match file into another."""
    path = find_journal(source)
    record = read_chosen(ChosenMatch(path, match), encoding)
    if form is Format.MAT and (sentence := foreign_words(record)):
        note(sentence)
    seals = _seals(path, match) if form is Format.HTML else ()
    _write(out, format_match(record, form, seals), path)


def import_match(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A .mat, SGF, OGXM, XG, BGBlitz or JSON match file.")
    ],
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Journal to put the match into.")
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(
            "--match", metavar="ID", help="Its name in the journal.", show_default="that of the file"
        ),
    ] = None,
    profile: RulesOption = None,
    encoding: Encoding = None,
) -> None:
    """Read a match file, check every play and say what is in it; with --journal keep it."""
    record = _judged(read_file(file, encoding), profile)
    for line in _summary(record):
        put(line)
    if journal is None:
        return
    name = match if match is not None else file.stem
    with Journal(journal) as opened:
        if name in opened.matches():
            raise UserError(
                f"There is a match {name!r} in {journal} already; give another name with --match."
            )
        MatchLog(opened, name, utc_now).write(record)
    put(f"Written to {journal} as {one_line(name)!r}.")


def check_files(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Match files of any form, match folders or journals.",
            show_default="the newest match",
        ),
    ] = None,
    profile: RulesOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Tell everything, not only the first of each.")
    ] = False,
    encoding: Encoding = None,
) -> None:
    """Find the first illegal play of each match: its game, ply and reason.

    Ends with 1 if something is illegal, with 2 if a file cannot be read.
    """
    status = 0
    for file in files or [find_journal(None)]:
        try:
            records = [_judged(record, profile) for record in read_all(find_journal(file), encoding)]
        except UserError as error:
            complain(str(error))
            status = UNREADABLE
            continue
        for record in records:
            if _tell(file, record, every=every):
                status = max(status, ILLEGAL)
    if status:
        raise typer.Exit(status)


def _tell(file: Path, record: MatchRecord, *, every: bool) -> bool:
    """Tell of one match; whether something in it is not in order."""
    found = list(objections(record))
    plays = sum(len(list(game.played)) for game in record.games)
    size = f"{counted(len(record.games), 'game')}, {counted(plays, 'play')}"
    if not found:
        put(f"{file}: {size}, all legal{_unconfirmed(record)}.")
        return False
    shown = found if every else found[:1]
    for objection in shown:
        put(f"{file}: {_objection(objection)}")
    if len(found) > len(shown):
        put(f"{file}: {len(found) - len(shown)} more, among {size}; --all tells them.")
    return True


def _seals(source: Path | None, match: str | None) -> list[Seal]:
    """The table's good seals of a match; none of a match file."""
    path = find_journal(source)
    if not is_journal(path):
        return []
    with Journal(path, read_only=True) as journal:
        return table_seals(journal.events(), ChosenMatch(path, match).name_in(journal))


def _judged(record: MatchRecord, profile: str | None) -> MatchRecord:
    return record if profile is None else rejudge(record, load_profile(profile))


def _summary(record: MatchRecord) -> Iterator[str]:
    yield title_line(record)
    yield from facts_lines(record)
    for number, game in enumerate(record.games, start=1):
        turns = counted(len(list(game.played)), "play")
        score = f"{game.light_score}-{game.dark_score}"
        yield f"Game {number} at {score}: {turns}, {result_line(record, game)}"
    for remark in record.remarks:
        yield f"Note: {one_line(remark)}"
    found = list(objections(record))
    for objection in found:
        yield f"Not in order: {_objection(objection)}"
    if not found:
        light, dark = (player_name(record, side) for side in Side)
        yield f"Every play of {light} and {dark} is legal{_unconfirmed(record)}, and the scores follow."


def _unconfirmed(record: MatchRecord) -> str:
    """How many plays nobody confirmed, as the end of a sentence; empty if there is none."""
    count = sum(turn.legal is None for game in record.games for turn in game.played)
    return f" ({count} not confirmed)" if count else ""


def _objection(objection: Objection) -> str:
    where = f"game {objection.game}"
    if objection.ply is not None:
        where += f", ply {objection.ply}"
    if objection.player is not None:
        where += f" ({objection.player})"
    return f"{where}: {objection.text}"


def _write(out: Path, data: bytes, source: Path) -> None:
    if str(out) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    write_out(out, data, (source,))
