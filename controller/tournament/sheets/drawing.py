"""A bracket as an SVG drawing for a sheet of A3 across."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from controller.tournament.fault import TournamentError
from controller.tournament.match import Bracket, SourceKind
from controller.tournament.sheets.wording import TournamentWords, is_played, text_width
from controller.tournament.tournament import DrawnMatch, Tournament

WIDTH, HEIGHT = 420.0, 297.0
"""Of the sheet, in mm."""
MARGIN: Final = 10.0
TOP: Final = 24.0
GAP: Final = 4.0
"""Between two columns, in mm."""
TALLEST: Final = 6.0
"""A line with a name is at most so high, in mm."""
SMALLEST: Final = 2.0
"""A name that does not fit is set smaller, down to this size in mm, and only then cut: under six points."""
LETTER: Final = 0.56
"""A figure or a small letter is so wide, as a part of the size of its type."""
NAME_LETTER: Final = 0.57
"""A letter of a name is so wide, with the capitals among them."""
BOLD_LETTER: Final = 0.65
"""A letter of a winner's name is so wide."""
BOTH_SIDES: Final = 16
"""From this many first matches on, half of them are drawn from the left and half from the right."""
CHARTS: Final = (Bracket.MAIN, Bracket.KNOCKOUT, Bracket.CONSOLATION, Bracket.LAST_CHANCE)


@dataclass(frozen=True, slots=True)
class _Box:
    """Where a match is drawn: its left edge and its middle, in mm; whether its players come from the right."""

    left: float
    middle: float
    mirrored: bool


@dataclass(frozen=True, slots=True)
class _Chart:
    """A bracket round by round, and the size of a box."""

    rounds: Sequence[Sequence[DrawnMatch]]
    both_sides: bool

    @property
    def columns(self) -> int:
        return 2 * len(self.rounds) - 1 if self.both_sides else len(self.rounds)

    @property
    def rows(self) -> int:
        most = max(map(len, self.rounds))
        return most // 2 if self.both_sides else most

    @property
    def width(self) -> float:
        return min((WIDTH - 2 * MARGIN) / self.columns - GAP, 80.0)

    @property
    def pitch(self) -> float:
        return (HEIGHT - TOP - MARGIN) / self.rows

    @property
    def line(self) -> float:
        return min(TALLEST, self.pitch * 0.44)


def chart_names(tournament: Tournament) -> list[Bracket]:
    """The brackets that can be drawn, in their order."""
    there = {each.bracket for each in tournament.matches.values()}
    return [each for each in CHARTS if each in there]


def bracket_svg(tournament: Tournament, language: str = "en", bracket: Bracket | None = None) -> str:
    """One bracket, the first one without a name, with what is known so far. Raises LanguageError.

    Raises TournamentError if there is no such bracket.
    """
    names = chart_names(tournament)
    if not names or (bracket is not None and bracket not in names):
        known = ", ".join(names) or "none"
        raise TournamentError(
            f"{tournament.name} has no such bracket to draw (there are: {known}); export the page instead."
        )
    chosen = bracket or names[0]
    words = TournamentWords(tournament, language)
    chart = _chart(words.states, chosen)
    boxes = _boxes(chart)
    label = f"{tournament.name}: {words.text('bracket', chosen)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}mm" height="{HEIGHT:g}mm" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label={quoteattr(label)} '
        'font-family="system-ui, Segoe UI, Noto Sans, DejaVu Sans, sans-serif" fill="#111">',
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="#fff"/>',
        f'<text x="{MARGIN:g}" y="17" font-size="8" font-weight="600">{escape(label)}</text>',
    ]
    for states in chart.rounds:
        for state in states:
            parts += _lines_to(state, boxes, chart)
            parts += _match(state, boxes[state.match.number], chart, words)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _chart(states: Mapping[int, DrawnMatch], bracket: Bracket) -> _Chart:
    rounds: dict[tuple[bool, int], list[DrawnMatch]] = {}
    for state in states.values():
        title = bracket is Bracket.CONSOLATION and state.match.bracket is Bracket.TITLE
        if state.match.bracket is bracket or title:
            rounds.setdefault((title, state.match.round), []).append(state)
    ordered = [rounds[each] for each in sorted(rounds)]
    halves = bracket in (Bracket.MAIN, Bracket.KNOCKOUT) and len(ordered[0]) >= BOTH_SIDES
    return _Chart(ordered, halves)


def _boxes(chart: _Chart) -> dict[int, _Box]:
    """Where each match is drawn: between those that lead to it, or evenly where none do."""
    found: dict[int, _Box] = {}
    for column, states in enumerate(chart.rounds):
        for place, state in enumerate(states):
            right = chart.both_sides and place >= len(states) / 2
            here = chart.columns - 1 - column if right else column
            before = [
                found[each.number].middle
                for each in state.match.sources
                if each.kind is SourceKind.WINNER and each.number in found
            ]
            rows = max(1, len(states) // 2) if chart.both_sides else len(states)
            evenly = TOP + (place % rows + 0.5) * chart.pitch * chart.rows / rows
            middle = sum(before) / len(before) if before else evenly
            found[state.match.number] = _Box(MARGIN + here * (chart.width + GAP), middle, right)
    return found


def _lines_to(state: DrawnMatch, boxes: Mapping[int, _Box], chart: _Chart) -> Iterator[str]:
    """The lines from the matches that lead here."""
    to = boxes[state.match.number]
    for place, source in enumerate(state.match.sources if is_played(state) else ()):
        box = boxes.get(source.number)
        if box is None or source.kind is not SourceKind.WINNER:
            continue
        seat = to.middle + (place - 0.5) * chart.line
        start = box.left if box.mirrored else box.left + chart.width
        end = to.left + chart.width if box.mirrored else to.left
        bend = (start + end) / 2
        yield (
            f'<path d="M{start:.2f} {box.middle:.2f}H{bend:.2f}V{seat:.2f}H{end:.2f}" '
            'fill="none" stroke="#888" stroke-width=".25"/>'
        )


def _match(state: DrawnMatch, box: _Box, chart: _Chart, words: TournamentWords) -> Iterator[str]:
    if not is_played(state):
        return
    line, size = chart.line, chart.line * 0.68
    yield (
        f'<rect x="{box.left:.2f}" y="{box.middle - line:.2f}" width="{chart.width:.2f}" height="{2 * line:.2f}" '
        'fill="#fff" stroke="#444" stroke-width=".3"/>'
        f'<path d="M{box.left + chart.width * 0.2:.2f} {box.middle:.2f}h{chart.width * 0.8:.2f}" '
        'stroke="#bbb" stroke-width=".2"/>'
    )
    number, small = str(state.match.number), size * 0.75
    indent = 1.6 + len(number) * small * LETTER
    yield (
        f'<text x="{box.left + 0.8:.2f}" y="{box.middle + small * 0.36:.2f}" font-size="{small:.2f}" fill="#777">'
        f"{number}</text>"
    )
    for place in (0, 1):
        baseline = box.middle + (place - 0.5) * line + size * 0.36
        score = "" if state.result is None else str(state.result.score[place])
        known = bool(state.seats[place])
        won = known and state.winner == state.seats[place]
        room = chart.width - indent - 1 - (len(score) + 1) * size * LETTER
        text, fitted = _fit(words.seat(state, place), room / (BOLD_LETTER if won else NAME_LETTER), size)
        style = ' font-weight="700"' if won else "" if known else ' fill="#777"'
        yield (
            f'<text x="{box.left + indent:.2f}" y="{baseline:.2f}" font-size="{fitted:.2f}"{style}>'
            f"{escape(text)}</text>"
        )
        if score:
            end = box.left + chart.width - 1
            yield (
                f'<text x="{end:.2f}" y="{baseline:.2f}" font-size="{size:.2f}" text-anchor="end"{style}>'
                f"{score}</text>"
            )


def _fit(text: str, room: float, size: float) -> tuple[str, float]:
    """A text and the size of its type: smaller where it needs to be, and cut where that is not enough.

    ``room`` is how wide it may be where a letter is as wide as its type is high.
    """
    fitted = min(size, max(room / max(1, text_width(text)), SMALLEST))
    # A hair more than it needs, or a text that just fits would be cut by a rounding.
    return _cut(text, room / fitted + 1e-6), fitted


def _cut(text: str, most: float) -> str:
    """A text cut to a number of letters."""
    if text_width(text) <= most:
        return text
    while text and text_width(text) + 1 > most:
        text = text[:-1]
    return f"{text.rstrip()}…"
