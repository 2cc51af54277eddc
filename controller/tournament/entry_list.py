"""A list of players as people keep it: a table with a heading, or names alone, one a line."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from controller.tomlfile.document import cut
from controller.tournament.changes import EntryWish
from controller.tournament.fault import RefusalError, RefusedThing

COLUMNS: Final = ("name", "rating", "experience", "club", "country", "family", "head_start")
"""What a list of players may have for columns."""
MOST_DIGITS: Final = 4
MARKS: Final = ",;\t"
"""What may stand between two columns."""


def listed_players(text: str, label: str | RefusedThing) -> list[EntryWish]:
    """The players of a table by comma, semicolon or tab; refusals call it `label`.

    Raises RefusalError with line and remedy for a column or a cell that cannot be.
    """
    head = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text), delimiter=max(MARKS, key=head.count))
    try:
        columns = [each.strip().casefold() for each in next(rows, [])]
    except csv.Error as error:
        raise RefusalError("bad_row", label=label, line=rows.line_num, why=error) from None
    unknown = [each for each in columns if each not in COLUMNS]
    if "name" not in columns or unknown:
        known = ", ".join(COLUMNS)
        if not unknown:
            raise RefusalError("no_name_column", label=label, known=known)
        raise RefusalError("no_column", label=label, columns=cut(", ".join(unknown)), known=known)
    try:
        numbered = ((rows.line_num, row) for row in rows)
        return [*_wishes(numbered, columns, label)]
    except csv.Error as error:
        raise RefusalError("bad_row", label=label, line=rows.line_num, why=error) from None


def pasted_players(text: str, label: str | RefusedThing) -> list[EntryWish]:
    """The players of a text that somebody pasted: a table if its first line names the columns, else names.

    Raises RefusalError as `listed_players`.
    """
    head = text.strip().partition("\n")[0]
    mark = max(MARKS, key=head.count)
    if "name" in (each.strip().casefold() for each in head.split(mark)):
        return listed_players(text.strip(), label)
    return [EntryWish(line.strip()) for line in text.splitlines() if line.strip()]


def _wishes(
    rows: Iterable[tuple[int, list[str]]], columns: list[str], label: str | RefusedThing
) -> Iterator[EntryWish]:
    for number, row in rows:
        cells = dict(zip(columns, (each.strip() for each in row), strict=False))
        if any(cells.values()):
            yield _wish(cells, label, number)


def _wish(cells: dict[str, str], label: str | RefusedThing, line: int) -> EntryWish:
    numbers = {}
    for each in ("rating", "experience"):
        text = cells.pop(each, "").replace(",", ".")
        try:
            numbers[each] = float(text) if text else None
        except ValueError:
            raise RefusalError(
                "no_number", label=label, line=line, text=cut(repr(text)), column=each
            ) from None
    start = cells.pop("head_start", "")
    if start and not (start.isascii() and start.isdecimal() and len(start) <= MOST_DIGITS):
        raise RefusalError("no_whole_points", label=label, line=line, text=cut(repr(start)))
    name = cells.pop("name", "")
    if not name:
        raise RefusalError("name_missing", label=label, line=line)
    return EntryWish(name, numbers["rating"], numbers["experience"] or 0, head_start=int(start or 0), **cells)
