"""A list of players as people keep it: a table with a heading, or names alone, one a line."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from controller.tournament.changes import EntryWish
from controller.tournament.fault import TournamentError

COLUMNS: Final = ("name", "rating", "experience", "club", "country", "family", "head_start")
"""What a list of players may have for columns."""
MOST_DIGITS: Final = 4
MARKS: Final = ",;\t"
"""What may stand between two columns."""


def listed_players(text: str, label: str) -> list[EntryWish]:
    """The players of a table by comma, semicolon or tab; messages call it `label`.

    Raises TournamentError with line and remedy for a column or a cell that cannot be.
    """
    head = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text), delimiter=max(MARKS, key=head.count))
    columns = [each.strip().casefold() for each in next(rows, [])]
    unknown = [each for each in columns if each not in COLUMNS]
    if "name" not in columns or unknown:
        raise TournamentError(
            f"{label}, line 1: {', '.join(unknown) or 'no name'} cannot be a column; "
            f"the columns are {', '.join(COLUMNS)}."
        )
    try:
        numbered = ((rows.line_num, row) for row in rows)
        return [*_wishes(numbered, columns, label)]
    except csv.Error as error:
        raise TournamentError(
            f"{label}, line {rows.line_num}: {error}; save the list as CSV again."
        ) from None


def pasted_players(text: str, label: str) -> list[EntryWish]:
    """The players of a text that somebody pasted: a table if its first line names the columns, else names.

    Raises TournamentError as `listed_players`.
    """
    head = text.strip().partition("\n")[0]
    mark = max(MARKS, key=head.count)
    if "name" in (each.strip().casefold() for each in head.split(mark)):
        return listed_players(text.strip(), label)
    return [EntryWish(line.strip()) for line in text.splitlines() if line.strip()]


def _wishes(rows: Iterable[tuple[int, list[str]]], columns: list[str], label: str) -> Iterator[EntryWish]:
    for number, row in rows:
        cells = dict(zip(columns, (each.strip() for each in row), strict=False))
        if any(cells.values()):
            yield _wish(cells, f"{label}, line {number}")


def _wish(cells: dict[str, str], label: str) -> EntryWish:
    numbers = {}
    for each in ("rating", "experience"):
        text = cells.pop(each, "").replace(",", ".")
        try:
            numbers[each] = float(text) if text else None
        except ValueError:
            raise TournamentError(
                f"{label}: {text!r} is no {each}; give a number, or leave the cell empty."
            ) from None
    start = cells.pop("head_start", "")
    if start and not (start.isascii() and start.isdecimal() and len(start) <= MOST_DIGITS):
        raise TournamentError(
            f"{label}: {start!r} is no head start; give whole points, or leave the cell empty."
        )
    name = cells.pop("name", "")
    if not name:
        raise TournamentError(f"{label}: the name is missing; write it, or take the line out.")
    return EntryWish(name, numbers["rating"], numbers["experience"] or 0, head_start=int(start or 0), **cells)
