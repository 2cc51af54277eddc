"""A tournament as lines for a terminal; each text ends without a line break."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from controller.tournament.draw import is_over
from controller.tournament.events import TournamentEvent
from controller.tournament.prizes import pool_prizes, prizes
from controller.tournament.rating import player_ratings
from controller.tournament.sheets.wording import (
    TournamentWords,
    amount_text,
    group_letter,
    is_played,
    text_width,
)
from controller.tournament.standings import StandingTable, standing_tables
from controller.tournament.tournament import DrawnMatch, Progress, Tournament, undone_numbers


def overview(tournament: Tournament, language: str = "en", *, everything: bool = False) -> str:
    """What is played now; with `everything` all matches. Raises LanguageError."""
    words = TournamentWords(tournament, language)
    lines = [words.title(), ". ".join(words.facts()) + "."]
    states = [each for each in words.states.values() if is_played(each)] if everything else [*words.current()]
    if not tournament.matches:
        lines += ["", words.text("nothing_drawn")]
    for name, group in groupby(states, key=lambda each: words.round_name(each.match)):
        lines += ["", *_round(name, list(group), words)]
    waiting = sum(each.progress is Progress.WAITING for each in words.states.values())
    if is_over(tournament):
        lines += ["", f"{words.text('over')} {words.champion()}".rstrip()]
    elif tournament.matches and not any(
        each.progress in (Progress.OPEN, Progress.WAITING) for each in words.states.values()
    ):
        lines += ["", words.text("draw_next")]
    elif waiting and not everything:
        lines += ["", words.text("waiting", count=waiting)]
    return "\n".join(lines)


def drawn_lines(tournament: Tournament, language: str = "en") -> str:
    """The last draw: what it kept small, and its first round."""
    words, drawn = TournamentWords(tournament, language), tournament.draws[-1]
    here = [words.states[match.number] for match in drawn.matches]
    first = [
        state
        for state in here
        if state.match.round == 1 or len({match.round for match in drawn.matches}) == 1
        if state.progress is not Progress.WAITING and is_played(state)
    ]
    lines = [words.text("seed", seed=drawn.seed), *filter(None, [words.totals(drawn)])]
    for name, group in groupby(first, key=lambda each: words.round_name(each.match)):
        lines += ["", *_round(name, list(group), words)]
    return "\n".join(lines)


def _round(name: str, states: Sequence[DrawnMatch], words: TournamentWords) -> Iterator[str]:
    lengths = {each.match.length for each in states}
    yield f"{name}, {words.length(states[0].match)}" if len(lengths) == 1 else name
    rows = [
        (
            str(each.match.number),
            group_letter(each.match.group) if each.match.group else "",
            words.seat(each, 0),
            words.seat(each, 1),
            words.score(each.result) or words.start(each),
        )
        for each in states
    ]
    yield from table_lines(rows, (True, False, False, False, False), between={2: " - "})


def standings_lines(tournament: Tournament, language: str = "en") -> str:
    """All tables, with the tie-breaks that were needed and their working. Raises LanguageError."""
    words = TournamentWords(tournament, language)
    blocks = ["\n".join(_table(table, words)) for table in standing_tables(tournament)]
    return "\n\n".join([words.title(), *blocks])


def _table(table: StandingTable, words: TournamentWords) -> Iterator[str]:
    yield words.table_name(table)
    with_records = any(row.record is not None for row in table.rows)
    heading = [words.text("place"), words.text("player")]
    if with_records:
        heading += [words.text(each) for each in ("points", "wins", "losses", "byes")]
    heading += [words.text("prize")] if words.prizes else []
    rows = [(*heading, "")]
    for row in table.rows:
        cells = [words.place(row, table), words.name(row.player)]
        if row.record is not None:
            record = row.record
            cells += [f"{record.points:g}", str(record.wins), str(record.losses), str(record.byes)]
        cells += [words.prize(row.player, table)] if words.prizes else []
        notes = [*words.remarks(row.player), *map(words.working, row.tie_breaks)]
        rows.append((*cells, "; ".join(notes)))
    yield from table_lines(rows, (True, False, *[True] * (len(heading) - 2), False))


def prizes_lines(
    tournament: Tournament, pot_cents: int, language: str = "en", *, pool: Collection[int] = ()
) -> str:
    """What everybody gets of a pot, or of a side pool of these players by number.

    Raises LanguageError, and TournamentError while the event is on.
    """
    words = TournamentWords(tournament, language)
    blocks = []
    for table, given in pool_prizes(tournament, pot_cents, pool) if pool else prizes(tournament, pot_cents):
        rows = [(words.text("place"), words.text("player"), words.text("prize"))]
        for each in given:
            place = f"{each.place}-{each.last}" if each.last > each.place else f"{each.place}"
            rows.append((place, words.name(each.player), amount_text(each.cents)))
        blocks.append("\n".join([words.table_name(table), *table_lines(rows, (True, False, True))]))
    return "\n\n".join([words.title(), *blocks])


def ratings_lines(tournament: Tournament, language: str = "en") -> str:
    """Everybody's rating before and after. Raises LanguageError."""
    words = TournamentWords(tournament, language)
    rows = [
        tuple(words.text(each) for each in ("player", "before", "after", "change", "played", "experience"))
    ]
    for each in player_ratings(tournament):
        change = f"{each.after - each.before:+.2f}"
        cells = (words.name(each.player), f"{each.before:.2f}", f"{each.after:.2f}", change)
        rows.append((*cells, str(each.matches), f"{each.experience:g}"))
    return "\n".join([words.title(), *table_lines(rows, (False, *[True] * 5)), words.text("ratings_note")])


def entries_lines(tournament: Tournament, language: str = "en") -> str:
    """Everybody who entered. Raises LanguageError."""
    words = TournamentWords(tournament, language)
    columns = ("player", "rating", "club", "country", "family")
    rows = [("#", *map(words.text, columns), "")]
    for entry in tournament.entries.values():
        rating = "" if entry.rating is None else f"{entry.rating:g}"
        remarks = ", ".join(words.remarks(entry.number))
        cells = (str(entry.number), entry.name, rating, entry.club, entry.country, entry.family)
        rows.append((*cells, remarks))
    facts = words.text("players", count=len(tournament.entries))
    return "\n".join([words.title(), facts, *table_lines(rows, (True, False, True, *[False] * 4))])


def log_lines(
    tournament: Tournament, events: Sequence[TournamentEvent], times: Iterable[str], language: str = "en"
) -> str:
    """Every event with its number and time, and whether it counts. Raises LanguageError."""
    words = TournamentWords(tournament, language)
    undone = undone_numbers(events)
    mark = f"({words.text('event', 'counts_not')})"
    rows = [
        (str(number), time, words.event(event), mark if number in undone else "")
        for number, (event, time) in enumerate(zip(events, times, strict=True), start=1)
    ]
    return "\n".join(table_lines(rows, (True, False, False, False)))


def table_lines(
    rows: Sequence[Sequence[str]], right: Sequence[bool], between: dict[int, str] | None = None
) -> Iterator[str]:
    """Rows in columns as wide as their widest cell, such a column at the right edge; two blanks between them.

    `between` gives what else stands behind a column. Columns that are empty are left out.
    """
    widths = [max(map(text_width, column), default=0) for column in zip(*rows, strict=True)]
    for row in rows:
        line = " "
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            if width:
                blank = " " * (width - text_width(cell))
                gap = "" if between and place - 1 in between else " "
                line += gap + (blank + cell if right[place] else cell + blank)
                line += (between or {}).get(place, " ")
        yield line.rstrip()
