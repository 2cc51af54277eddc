"""A match as `.mat` text, written and read: the form that gnubg, XG, GammonView and OpenGammon read.

The dialect is the part of the Jellyfish format that gnubg 1.07.001 imports without a word (tried with the
binary): the player in the left column is light. A result that no legal play of the roll reaches by the
standard rules, be it an illegal play that was left standing, a film that begins in the middle of a game or
turns that were not seen, is written as Snowie's `Illegal play (...)` with the position that was on the board,
which gnubg takes over. What the columns cannot say stands in notes at the top, because among turns gnubg takes
no comment: see `controller.record.files.limits`.

What is read beside that, of the dialects of Jellyfish, gnubg and XG: headers after `;` or `#` or none, tabs,
dice in any order and without a colon, `bar` and `25`, `off` and `0`, moves written out or run together, `Cannot
Move`, `????`, an empty cell, `Wins 1 point and the match` with or without a row number, a result at the end of
a row, columns exchanged between games, `Illegal play (...)` with a position of Snowie's. What cannot be
understood between the rows is kept as a remark; in a row it is an error.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from controller.record.files.foreign import (
    MOST_POINTS,
    GameBuilder,
    check_length,
    common_profile,
    cube_limit,
    odd_results,
    settle_results,
    terms_of,
)
from controller.record.files.limits import notes, rule_names
from controller.record.files.match_text import MatchFileError, header_text, mat_names, one_line
from controller.record.files.snowie import snowie_line
from controller.record.match.match import Act, Facts, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import Moment, by_game, is_left, moments
from controller.rules import (
    Form,
    Play,
    Position,
    Roll,
    Side,
    Terms,
    format_play,
    is_result,
    parse_play,
    results,
    start_position,
)
from controller.rules.game.events import Beavered, Doubled, Passed, Raccooned, Rolled, Taken
from controller.rules.notation import NotationError
from controller.rules.position import PositionError
from controller.rules.profile.profile import Layout

LEFT_WIDTH: Final = 34
GAP: Final = "   "
UNPLAYED: Final = "????"
"""After the dice: the player rolled and did not play, as XG writes it when he resigned."""
LONGEST_ANSWER: Final = 2
"""Acts that can follow a beaver: a raccoon and a take."""

Cell = tuple[Side, str]


def mat_text(match: MatchRecord) -> str:
    """The whole file as text, ASCII but for the comments at its top; write it as UTF-8."""
    played = list(moments(match))
    names = dict(zip(Side, mat_names(match.light, match.dark), strict=True))
    lines = [*_header(match), *(f'; [Note "{header_text(note)}"]' for note in notes(match, played)), ""]
    lines.append(f" {match.length} point match")
    initial = start_position(_layout(match))
    for number, (game, of_game) in enumerate(zip(match.games, by_game(played), strict=True), start=1):
        cells = _cells(of_game, initial, names)
        lines += ["", f" Game {number}", _row(" ", *_scores(game, names)), *_rows(cells, game)]
    return "\n".join(lines) + "\n"


def _header(match: MatchRecord) -> Iterator[str]:
    facts, rules = match.facts, match.profile(0)
    known = {
        "Site": facts.place,
        "Event": facts.event,
        "Round": facts.round,
        "Table": facts.table,
        "Transcriber": facts.transcriber,
    }
    for name, value in known.items():
        if header_text(value):
            yield f'; [{name} "{header_text(value)}"]'
    for number, name in enumerate((match.light, match.dark), start=1):
        yield f'; [Player {number} "{header_text(name)}"]'
    if facts.played_on is not None:
        yield f'; [EventDate "{facts.played_on:%Y.%m.%d}"]'
    variation = "NackGammon" if _layout(match) is Layout.NACKGAMMON else "Backgammon"
    yield f'; [Variation "{variation}"]'
    if match.terms.form is Form.SERIES:
        yield '; [Form "series"]'
    elif match.length:
        yield f'; [Crawford "{_on(rules.match.crawford)}"]'
    else:
        yield f'; [Jacoby "{_on(rules.cube.jacoby)}"]'
        yield f'; [Beaver "{_on(rules.cube.beaver)}"]'
    if rules.cube.max is not None:
        yield f'; [CubeLimit "{rules.cube.max}"]'
    if names := rule_names(match):
        yield f'; [Rules "{header_text(names)}"]'


def _on(rule: bool) -> str:
    return "On" if rule else "Off"


def _layout(match: MatchRecord) -> Layout:
    """The start position that the file names; gnubg knows nackgammon beside the common one."""
    return match.profile(0).opening.layout


def _scores(game: GameRecord, names: dict[Side, str]) -> tuple[str, str]:
    return f"{names[Side.LIGHT]} : {game.light_score}", f"{names[Side.DARK]} : {game.dark_score}"


def _cells(played: list[Moment], initial: Position, names: dict[Side, str]) -> Iterator[Cell]:
    """What each side did, in order, with the board as gnubg has it."""
    board = initial
    for number, moment in enumerate(played):
        entry = moment.entry
        if isinstance(entry, Turn) and all(entry.after.off(side) >= 0 for side in Side):
            yield entry.player, _turn_cell(moment, entry, board, names)
            board = entry.after
        elif isinstance(entry, Act):
            yield from _act_cells(played, number, entry, board)


def _turn_cell(moment: Moment, turn: Turn, board: Position, names: dict[Side, str]) -> str:
    dice = f"{turn.roll.high}{turn.roll.low}: "
    plain = turn.play is not None and turn.before == board
    if plain and turn.play is not None and is_result(board, turn.player, turn.roll, turn.after):
        return dice + format_play(turn.play)
    line = snowie_line(moment.match, turn.after, turn.player.opponent, names)
    return f"{dice}Illegal play ({line})"


def _act_cells(played: list[Moment], number: int, act: Act, board: Position) -> Iterator[Cell]:
    game = played[number].match.game
    following = [later.entry for later in played[number + 1 : number + 1 + LONGEST_ANSWER]]
    offered = game.cube.value if game.offer is None else game.offer.value
    match act.event:
        case Doubled(side):
            yield side, f" Doubles => {2 * game.cube.value}"
        case Beavered(side):
            yield side, f" {'Beavers' if _ends_with_take(following) else 'Doubles'} => {2 * offered}"
        case Raccooned(side):
            yield side, f" {'Raccoons' if _ends_with_take(following) else 'Doubles'} => {2 * offered}"
        case Taken(side):
            yield side, " Takes"
        case Passed(side):
            yield side, " Drops"
        case Rolled(side, roll) if is_left(played, number):
            if len(results(board, side, roll)[0]) > 1:
                yield side, f"{roll.high}{roll.low}: {UNPLAYED}"


def _ends_with_take(following: list[Turn | Act | None]) -> bool:
    """Whether the offers end with a take.

    A beaver that is not taken is called a double, because gnubg waits for the take beyond the game's end and
    passes over the plays that come before it.
    """
    answers = [entry.event for entry in following if isinstance(entry, Act)]
    last = next((event for event in answers if not isinstance(event, Raccooned)), None)
    return isinstance(last, Taken)


def _rows(cells: Iterator[Cell], game: GameRecord) -> Iterator[str]:
    """The numbered rows and the result; a side that acts again leaves the other column empty."""
    row: dict[Side, str] = {}
    number = 1
    for side, text in cells:
        if side in row or Side.DARK in row:
            yield _number_row(number, row)
            number, row = number + 1, {}
        row[side] = text
    wins = "" if game.result is None else _wins(game.result.points)
    dark_won = game.result is not None and game.result.winner is Side.DARK
    if dark_won and _lone_word(row):
        row[Side.DARK], wins = wins, ""
    if row:
        yield _number_row(number, row)
    if wins:
        yield _row(" " * 5, *(("", wins) if dark_won else (wins, "")))


def _wins(points: int) -> str:
    return f"Wins {points} point{'s' if points > 1 else ''}"


def _number_row(number: int, row: dict[Side, str]) -> str:
    """A row; after a lone word in the left column blanks must follow, or gnubg reads the last right one again."""
    text = _row(f"{number:3d}) ", row.get(Side.LIGHT, ""), row.get(Side.DARK, ""))
    return text.ljust(LEFT_WIDTH + len(GAP) + 5) if _lone_word(row) else text


def _lone_word(row: dict[Side, str]) -> bool:
    """Whether a row holds an act of light and nothing else."""
    return Side.DARK not in row and row.get(Side.LIGHT, "").startswith(" ")


def _row(head: str, left: str, right: str) -> str:
    return f"{head}{left:<{LEFT_WIDTH}}{GAP}{right}".rstrip()


_HEADER: Final = re.compile(r'\s*[;#]\s*\[\s*(?P<key>[A-Za-z0-9 ]+?)\s*"(?P<value>.*)"\s*\]\s*$')
_LENGTH: Final = re.compile(
    r"\s*(?:(\d{1,9}) +points? +match|match +of +(\d{1,9}) +points?)\b", re.IGNORECASE
)
_GAME: Final = re.compile(r"\s*game +(\d{1,9})\.?\s*$", re.IGNORECASE)
_SCORES: Final = re.compile(
    r"\s*(?P<left>.*?)\s*:\s*(?P<a>\d{1,9})\s+(?P<right>.*?)\s*:\s*(?P<b>\d{1,9})\s*$"
)
_ROW: Final = re.compile(r"\s{0,6}(\d{1,6})\)(?P<rest>.*)$")
_DICE: Final = re.compile(r"(?P<dice>[1-6][1-6])(?P<colon>:?)(?:\s+|$)(?P<play>.*)$")
_NEXT_DICE: Final = re.compile(r"(?<=\s)[1-6][1-6]:")
_ILLEGAL: Final = re.compile(r"illegal play\s*\((?P<fields>[^)]*(?:\)[^;()]*;[^)]*)*)\)?", re.IGNORECASE)
_WINS: Final = re.compile(r"wins +(?P<points>\d{1,9}) +points?\b.*$", re.IGNORECASE)
_WORDS: Final = {
    **dict.fromkeys(("redoubles", "doubles", "beavers", "raccoons"), GameBuilder.double),
    **dict.fromkeys(("takes", "accepts"), GameBuilder.take),
    **dict.fromkeys(("drops", "passes", "rejects"), GameBuilder.drop),
}
_WORD: Final = re.compile(rf"(?P<word>{'|'.join(_WORDS)})\b[ =>\d]*$", re.IGNORECASE)
_NEXT_WORD: Final = re.compile(rf"(?<=\s)(?:{'|'.join(_WORDS)}|wins)\b", re.IGNORECASE)
RIGHT_FROM: Final = 7
"""Blanks after a row's number from which on its only cell is the right one."""
WINS_RIGHT_FROM: Final = 18
"""The column from which on a result without a row number is the right player's."""
Line = tuple[int, str]


def read_mat(text: str, name: str) -> MatchRecord:
    """The match of a `.mat` file; ``name`` is the file's, for messages.

    Raises:
        MatchFileError: naming the line.
    """
    lines = list(enumerate(text.split("\n"), start=1))
    header, remarks = _headers(lines)
    length = _length(lines, name)
    asked = header.get("jacoby", "").casefold()
    if length or asked:
        return _MatReader(
            lines, name, header, remarks, _terms(header, length, jacoby=asked in ("on", "true"))
        ).match()
    candidates = [
        _MatReader(lines, name, header, remarks, _terms(header, 0, jacoby=jacoby)).match()
        for jacoby in (False, True)
    ]
    return min(candidates, key=odd_results)


def _headers(lines: Sequence[Line]) -> tuple[dict[str, str], list[str]]:
    header: dict[str, str] = {}
    remarks: list[str] = []
    for _, line in lines:
        found = _HEADER.match(line)
        if found and found["key"].casefold() == "note":
            remarks.append(one_line(found["value"]))
        elif found:
            header.setdefault(found["key"].casefold(), one_line(found["value"]))
    return header, remarks


def _length(lines: Sequence[Line], name: str) -> int:
    for number, line in lines:
        if found := _LENGTH.match(line):
            return check_length(int(found[1] or found[2]), f"{name}, line {number}")
    raise MatchFileError(
        f"{name} has no line such as ' 5 point match'; give a .mat file, or put in the length (0 for money)."
    )


def _terms(header: dict[str, str], length: int, *, jacoby: bool) -> Terms:
    layout = (
        Layout.NACKGAMMON if header.get("variation", "").casefold() == "nackgammon" else Layout.BACKGAMMON
    )
    common = common_profile(
        crawford=header.get("crawford", "on").casefold() in ("on", "true"),
        jacoby=jacoby,
        beaver=not length and header.get("beaver", "on").casefold() in ("on", "true"),
        layout=layout,
        cube_max=cube_limit(header.get("cubelimit", "")),
    )
    return terms_of(length, common, header.get("rules", ""), series=header.get("form") == "series")


def _day(text: str) -> date | None:
    found = re.fullmatch(r"(\d{4})[.-](\d{1,2})[.-](\d{1,2})", text)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


class _MatReader:
    """One file being read with given terms."""

    def __init__(
        self, lines: Sequence[Line], name: str, header: dict[str, str], remarks: Sequence[str], terms: Terms
    ) -> None:
        self.lines, self.name, self.header, self.terms = lines, name, header, terms
        self.remarks = list(remarks)
        self.games: list[GameBuilder] = []
        self.columns: tuple[str, str] | None = None
        self.sides = (Side.LIGHT, Side.DARK)
        self.number = 0

    def match(self) -> MatchRecord:
        head = False
        for number, line in self.lines:
            self.number = number
            text = line.expandtabs().rstrip()
            if not text or text.lstrip().startswith((";", "#")):
                continue
            if _GAME.match(text):
                head = True
            elif head:
                self._begin(text)
                head = False
            elif self.games and (row := _ROW.match(text)):
                self._row(row["rest"])
            elif self.games and (wins := _WINS.match(text.lstrip())):
                right = len(text) - len(text.lstrip()) >= WINS_RIGHT_FROM
                self._wins(self.sides[right], wins)
            elif not _LENGTH.match(text) and text.strip().casefold() != "and the match":
                self.remarks.append(f"Not understood: {one_line(text)[:200]}")
        return self._record()

    def _record(self) -> MatchRecord:
        get = self.header.get
        left, right = self.columns or ("", "")
        facts = Facts(
            _day(get("eventdate", get("date", ""))),
            get("site", ""),
            get("event", ""),
            get("round", ""),
            get("table", ""),
            get("transcriber", ""),
        )
        games = tuple(game.record() for game in self.games)
        light, dark = get("player 1", left), get("player 2", right)
        return settle_results(MatchRecord(light, dark, self.terms, games, facts, tuple(self.remarks)))

    def _error(self, what: str) -> MatchFileError:
        return MatchFileError(f"{self.name}, line {self.number}: {what}")

    def _begin(self, text: str) -> None:
        scores = _SCORES.match(text)
        if scores is None:
            raise self._error(
                f"after the head of a game the names and the score must follow, not {one_line(text)[:60]!r}."
            )
        left, right = one_line(scores["left"]), one_line(scores["right"])
        if self.columns is None:
            self.columns = (left, right)
        exchanged = (right, left) == self.columns and left != right
        self.sides = (Side.DARK, Side.LIGHT) if exchanged else (Side.LIGHT, Side.DARK)
        points = [int(scores["a"]), int(scores["b"])]
        if max(points) > MOST_POINTS:
            raise self._error(f"nobody has {max(points)} points; put the score right.")
        light, dark = reversed(points) if exchanged else points
        game = GameBuilder.begin(self.terms, len(self.games), light, dark)
        self.games.append(game)
        try:
            game.take_remarks(self.remarks, len(self.games) - 1)
        except PositionError as error:
            raise self._error(f"the note about the start of the game is wrong: {error}") from None

    def _row(self, rest: str) -> None:
        for column, cell in _row_cells(rest):
            self._cell(self.sides[column], cell)

    def _cell(self, side: Side, cell: str) -> None:
        game = self.games[-1]
        if wins := _WINS.match(cell):
            self._wins(side, wins)
        elif word := _WORD.match(cell):
            _WORDS[word["word"].casefold()](game, side)
        elif dice := _DICE.match(cell):
            roll = Roll.of(int(dice["dice"][0]), int(dice["dice"][1]))
            moves = dice["play"].strip()
            if illegal := _ILLEGAL.match(moves):
                game.reach(side, roll, self._snowie(illegal["fields"]))
            elif not moves.strip("? "):
                game.add_roll_or_dance(side, roll)
            else:
                game.play(side, roll, () if moves.casefold() == "cannot move" else self._play(moves))
        else:
            raise self._error(f"{one_line(cell)[:60]!r} is no roll, no play and no word of a .mat file.")

    def _play(self, moves: str) -> Play:
        try:
            return parse_play(moves)
        except NotationError as error:
            raise self._error(str(error)) from None

    def _wins(self, winner: Side, wins: re.Match[str]) -> None:
        points = int(wins["points"])
        if not 1 <= points <= MOST_POINTS:
            raise self._error(f"nobody wins {points} points; put the result right.")
        self.games[-1].wins(winner, points)

    def _snowie(self, fields: str) -> Position:
        """The position of a line of Snowie's; only the board of it is taken, see `controller.record.files.snowie`."""
        try:
            counts = [int(value) for value in fields.strip().rstrip(";").split(";")[-28:-2]]
            on_roll = Side.LIGHT if fields.split(";")[4].strip() == "1" else Side.DARK
            opponent, own, bar = -counts[0], counts[1:25], counts[25]
            seen = Position.of(own, bar, opponent)
        except (ValueError, IndexError, PositionError):
            raise self._error(
                "the position of the illegal play cannot be read; it needs 40 fields."
            ) from None
        left, right = self.sides
        roller = left if on_roll is Side.LIGHT else right
        return seen if roller is Side.LIGHT else seen.mirrored()


def _row_cells(rest: str) -> Iterator[tuple[int, str]]:
    """The cells of a row with their columns, 0 or 1."""
    indent = len(rest) - len(rest.lstrip())
    text = rest.strip()
    if not text:
        return
    if indent >= RIGHT_FROM:
        yield 1, text
        return
    at = _split(text)
    yield 0, text[:at].rstrip()
    if text[at:].strip():
        yield 1, text[at:].strip()


def _split(text: str) -> int:
    """Where the right cell begins: at a run of blanks outside brackets, else at the next dice or word."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth <= 0 and text.startswith("  ", at) and text[:at].strip() not in ("",):
            return at
    outside = _ILLEGAL.sub(lambda found: "x" * len(found[0]), text)
    found = _NEXT_DICE.search(outside, 3) or _NEXT_WORD.search(outside, 1)
    return found.start() if found else len(text)
