"""A match as `.mat` text, written and read: the form that gnubg, XG, GammonView and OpenGammon read.

The dialect is the part of the Jellyfish format that gnubg 1.07.001 imports without a word (tried with the
binary): the player in the left column is light. A result that no legal play of the roll reaches by the
standard rules, be it an illegal play that was left standing, a film that begins in the middle of a game or
turns that were not seen or not confirmed, is written as Snowie's `Illegal play (...)` with the position that
was on the board, which gnubg takes over. What the columns cannot say stands in notes at the top, because among
turns gnubg takes no comment: see `controller.record.files.limits`.

gnubg counts each game by itself: by the last board, the cube and a result that is taken for a single game, a gammon
or a backgammon. Where that would end the match before it is over (an added cube, a resignation for any number of
points), it would drop the games that follow without a word. Such a match is written as single games with its
length in the header, and remarks say what each game counts by its own rules.

What is read beside that, of the dialects of Jellyfish, gnubg, XG, FIBS's clients and the servers of today: headers
after `;` or `#` or none, tabs, dice in any order and without a colon, plays in every spelling of `parse_play`,
`Cannot Move`, an empty cell or `????` (a play that is forced where exactly one is legal), results in rows, below
them or only by the loser's word, also after the dice, rows without a number, columns exchanged between games,
`Illegal play (...)` with a position of Snowie's, the board that a game begins with after `Set Pos=`.
`controller.record.files.mat_lines` takes the lines apart. What cannot be understood between the rows is kept as a
remark; in a row it is an error.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Self

from controller.record.files.builder import GameBuilder, all_remarks
from controller.record.files.foreign import (
    MOST_POINTS,
    check_length,
    common_profile,
    cube_limit,
    odd_results,
    patience_for,
    settle_results,
    terms_of,
)
from controller.record.files.games import gnubg_start, is_foreign, layout_of, reading_rules, variation
from controller.record.files.limits import AUTOMATIC, mark_unconfirmed, notes, remarks_by_game, rule_names
from controller.record.files.mat_lines import (
    DIGITS,
    EmptyCell,
    MatRow,
    RolledCell,
    SaidCell,
    Word,
    is_end_of_match,
    is_game_head,
    read_cell,
    read_header,
    read_length,
    read_row,
    read_scores,
    read_set_position,
    split_row,
)
from controller.record.files.match_text import MatchFileError, header_text, mat_names, one_line
from controller.record.files.snowie import snowie_line
from controller.record.match.match import Act, Facts, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import Moment, by_game, left_rolls, moments
from controller.rules import (
    Form,
    Play,
    Position,
    Profile,
    Roll,
    Side,
    Terms,
    format_play,
    is_result,
    parse_play,
    play_between,
    results,
)
from controller.rules.forms.xgid import IdError, from_xgid
from controller.rules.game.events import Beavered, Doubled, Passed, Raccooned, Rolled, Taken
from controller.rules.game.match import Crawford
from controller.rules.game.scoring import Level, loss
from controller.rules.notation import NotationError
from controller.rules.position import CHECKERS, PositionError
from controller.rules.profile.profile import Layout

LEFT_WIDTH: Final = 34
GAP: Final = "   "
UNPLAYED: Final = "????"
"""After the dice: the player rolled and did not play, as XG writes it when they resigned."""
NO_MOVE: Final = "0/0"
"""How some programs write a die that nothing was moved with."""
LONGEST_ANSWER: Final = 2
"""Acts that can follow a beaver: a raccoon and a take."""

Cell = tuple[Side, str]


def mat_text(match: MatchRecord) -> str:
    """The whole file as text, ASCII but for the comments at its top; write it as UTF-8."""
    played = list(moments(match))
    names = dict(zip(Side, mat_names(match.light, match.dark), strict=True))
    counts = [
        _gnubg_points(game, of_game) for game, of_game in zip(match.games, by_game(played), strict=True)
    ]
    single = _ends_early(match, counts)
    lines = [*_header(match), *(_single_games(match, counts) if single else ())]
    lines += [*(f'; [Note "{header_text(note)}"]' for note in notes(match, played)), ""]
    lines.append(f" {0 if single else match.length} point match")
    for number, (game, of_game) in enumerate(zip(match.games, by_game(played), strict=True), start=1):
        cells = _cells(of_game, gnubg_start(match.profile(number - 1)), names)
        lines += ["", f" Game {number}", _row(" ", *_scores(game, names)), *_rows(cells, game)]
    return "\n".join(lines) + "\n"


def _gnubg_points(game: GameRecord, played: Sequence[Moment]) -> int:
    """What gnubg counts for a game, given its moments; 0 if it was broken off."""
    if game.result is None:
        return 0
    profile = played[0].match.game.profile
    if is_foreign(profile):
        return game.result.points
    last = played[-2] if len(played) > 1 else played[0]
    state, entry = last.match.game, last.entry
    cube = state.cube.value
    if isinstance(entry, Act) and isinstance(entry.event, Taken) and state.offer is not None:
        cube = state.offer.value
    if isinstance(entry, Act) and isinstance(entry.event, Passed):
        return cube
    for winner in Side:
        if game.end.off(winner) == CHECKERS:
            return cube * loss(game.end, winner.opponent, checkers=profile.movement.checkers).level
    return cube * next((level for level in Level if game.result.points <= cube * level), Level.BACKGAMMON)


def _ends_early(match: MatchRecord, counts: Sequence[int]) -> bool:
    """Whether gnubg would end the match with a game that others follow."""
    return bool(match.length) and any(
        game.result is not None and game.score(game.result.winner) + points >= match.length
        for game, points in zip(match.games[:-1], counts[:-1], strict=True)
    )


def _single_games(match: MatchRecord, counts: Sequence[int]) -> Iterator[str]:
    """The length of a match that is written as single games, and remarks for those who open it elsewhere."""
    yield f'; [Length "{match.length}"]'
    yield f"; A match to {match.length} points, written as single games:"
    yield "; GNU Backgammon counts games otherwise and would leave out those after the end that it sees."
    for number, (game, points) in enumerate(zip(match.games, counts, strict=True), start=1):
        result = game.result
        if result is not None and result.points != points:
            working = f" ({one_line(result.working)})" if result.working else ""
            won = f"{header_text(match.name(result.winner)) or result.winner} wins {result.points}{working}"
            yield f"; Game {number}: {won}; GNU Backgammon counts {points}."


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
    games = ", ".join(dict.fromkeys(map(variation, match.terms.profiles)))
    yield f'; [Variation "{games}"]'
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


def _scores(game: GameRecord, names: dict[Side, str]) -> tuple[str, str]:
    return f"{names[Side.LIGHT]} : {game.light_score}", f"{names[Side.DARK]} : {game.dark_score}"


def _cells(played: list[Moment], initial: Position, names: dict[Side, str]) -> Iterator[Cell]:
    """What each side did, in order, with the board as gnubg has it."""
    board, left = initial, left_rolls(played)
    for number, moment in enumerate(played):
        entry = moment.entry
        if isinstance(entry, Turn) and all(entry.after.off(side) >= 0 for side in Side):
            yield entry.player, _turn_cell(moment, entry, board, names)
            board = entry.after
        elif isinstance(entry, Act):
            yield from _act_cells(played, number, entry, board, left=number in left)


def plies_as_plays(played: Sequence[Moment]) -> frozenset[int]:
    """The plies of a game, given its moments, whose turns stand in the file as plays; the others are positions."""
    profile = played[0].match.game.profile
    board, plies = gnubg_start(profile), list[int]()
    for moment in played:
        turn = moment.entry
        if isinstance(turn, Turn) and all(turn.after.off(side) >= 0 for side in Side):
            if _play_from(board, turn, profile) is not None:
                plies.append(turn.ply)
            board = turn.after
    return frozenset(plies)


def _play_from(board: Position, turn: Turn, profile: Profile) -> Play | None:
    """A turn as the play that a program makes of it on its own board; None if it can only be told as a position."""
    rules = reading_rules(profile)
    if turn.before != board or not is_result(board, turn.player, turn.roll, turn.after, rules):
        return None
    if turn.legal is None:
        # What is likeliest need not lead to the board as it was seen.
        return play_between(board, turn.player, turn.roll, turn.after, rules)
    return turn.play


def _turn_cell(moment: Moment, turn: Turn, board: Position, names: dict[Side, str]) -> str:
    dice = f"{turn.roll.high}{turn.roll.low}: "
    profile = moment.match.game.profile
    play = _play_from(board, turn, profile)
    if play is not None:
        return dice + format_play(play)
    if is_foreign(profile):
        return f"{dice}Illegal play ({turn.after.compact()})"
    line = snowie_line(moment.match, turn.after, turn.player.opponent, names)
    return f"{dice}Illegal play ({line})"


def _act_cells(played: list[Moment], number: int, act: Act, board: Position, *, left: bool) -> Iterator[Cell]:
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
        case Rolled(side, roll) if left:
            if len(results(board, side, roll, reading_rules(game.profile))[0]) > 1:
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
    wins = "" if game.result is None or game.result.is_drawn else _wins(game.result.points)
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


POSITION_ID: Final = re.compile(r"\bXGID=|\bPosition[- ]ID\b", re.IGNORECASE)
"""What a position that a program wrote as text has, and a match has not."""
LONGEST_LINE: Final = 10_000
"""Characters of a row that are read; the longest of any program has some 300."""
FIRST_ROWS: Final = 20
"""Lines of a game that are tried to find its start position."""
CLEARLY_FEWER: Final = 4
"""Another start position is taken if it makes the illegal plays fewer by this factor."""
Line = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _MatRules:
    """What a header tells of the rules, and what was made of the rest."""

    length: int
    crawford: bool
    jacoby: bool
    automatic: bool
    layout: Layout

    @classmethod
    def from_header(cls, header: Mapping[str, str], remarks: Sequence[str], length: int) -> Self:
        return cls(
            length,
            _is_on(header.get("crawford", "on")),
            _is_on(header.get("jacoby", "off")),
            any(AUTOMATIC in remark for remark in remarks),
            layout_of(header.get("variation", "")),
        )

    def terms(self, header: Mapping[str, str]) -> Terms:
        common = common_profile(
            crawford=self.crawford,
            jacoby=self.jacoby and not self.length,
            beaver=not self.length and _is_on(header.get("beaver", "on")),
            automatic=self.automatic,
            layout=self.layout,
            cube_max=cube_limit(header.get("cubelimit", "")),
        )
        games = header.get("variation", "").split(", ")
        series = header.get("form") == "series"
        return terms_of(self.length, common, header.get("rules", ""), series=series, games=games)


def _is_on(value: str) -> bool:
    return value.casefold() in ("on", "true", "yes")


def read_mat(text: str, name: str) -> MatchRecord:
    """The match of a `.mat` file; ``name`` is the file's, for messages.

    Where the header does not tell the start position, the Jacoby rule or the Crawford rule, the file is read by
    those that it fits.

    Raises:
        MatchFileError: naming the line.
    """
    numbered = enumerate(text.split("\n"), start=1)
    lines = [(number, part) for number, line in numbered for part in split_row(line)]
    header, remarks = _headers(lines)
    length = _length(lines, name)
    told = header.get("length", "")
    if not length and told.isdecimal():
        length = check_length(int(told[:DIGITS]), f"{name}, the header Length")
    rules = _MatRules.from_header(header, remarks, length)

    def read(rules: _MatRules) -> MatchRecord:
        return _MatReader(lines, name, header, remarks, rules.terms(header)).match()

    record = read(rules)
    odd = next((number for number, game in enumerate(record.games) if _illegal_plays(game)), None)
    if odd is not None and _fits_better(_game_lines(lines, odd), name, header, rules):
        rules = replace(rules, layout=_other_layout(rules.layout))
        record = read(rules)
    if not length and "jacoby" not in header and (faults := odd_results(record)):
        other = read(replace(rules, jacoby=True))
        record = other if odd_results(other) < faults else record
    if length and "crawford" not in header and _doubles_in_crawford_game(record):
        record = read(replace(rules, crawford=False))
    return record


def _game_lines(lines: Sequence[Line], number: int) -> Sequence[Line]:
    """The first lines of a game, which is counted from 0."""
    heads = [at for at, (_, line) in enumerate(lines) if is_game_head(line)]
    ends = [*heads[number + 1 :], len(lines)]
    return lines[heads[number] : min(ends[0], heads[number] + FIRST_ROWS)]


def _fits_better(lines: Sequence[Line], name: str, header: dict[str, str], rules: _MatRules) -> bool:
    """Whether the plays of a game are those of the other start position."""
    illegal = [
        sum(map(_illegal_plays, _MatReader(lines, name, header, (), each.terms(header)).match().games))
        for each in (rules, replace(rules, layout=_other_layout(rules.layout)))
    ]
    return illegal[1] * CLEARLY_FEWER < illegal[0]


def _illegal_plays(game: GameRecord) -> int:
    return sum(turn.legal is False for turn in game.turns)


def _other_layout(layout: Layout) -> Layout:
    return Layout.BACKGAMMON if layout is Layout.NACKGAMMON else Layout.NACKGAMMON


def _doubles_in_crawford_game(record: MatchRecord) -> bool:
    return any(
        isinstance(moment.entry, Act)
        and isinstance(moment.entry.event, Doubled)
        and moment.match.crawford is Crawford.NOW
        for moment in moments(record)
    )


def _headers(lines: Sequence[Line]) -> tuple[dict[str, str], list[str]]:
    header: dict[str, str] = {}
    remarks: list[str] = []
    for _, line in lines:
        found = read_header(line)
        if found and found[0] == "note":
            remarks.append(found[1])
        elif found:
            header.setdefault(*found)
    return header, remarks


def _length(lines: Sequence[Line], name: str) -> int:
    for number, line in lines:
        if (length := read_length(line)) is not None:
            return check_length(length, f"{name}, line {number}")
    if any(POSITION_ID.search(line) for _, line in lines):
        raise MatchFileError(f"{name} holds a position and no match; give a file of a match or a game.")
    raise MatchFileError(
        f"{name} has no line such as ' 5 point match'; give a .mat file, or put in the length (0 for money)."
    )


def _day(text: str) -> date | None:
    found = re.fullmatch(r"(\d{4})[.-](\d{1,2})[.-](\d{1,2})", text, re.ASCII)
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
        self.about = remarks_by_game(remarks)
        self.patience = patience_for(sum(len(line) for _, line in lines))
        self.games: list[GameBuilder] = []
        self.columns: tuple[str, str] | None = None
        self.sides = (Side.LIGHT, Side.DARK)
        self.number = 0
        self.lost: tuple[Side, SaidCell] | None = None
        """The loser's own word, which counts where the winner's does not follow."""

    def match(self) -> MatchRecord:
        head = False
        for number, line in self.lines:
            self.number = number
            text = line.expandtabs().rstrip()
            if not text or text.lstrip().startswith((";", "#")):
                self._comment(text)
                continue
            if len(text) > LONGEST_LINE:
                raise self._error(f"it has {len(text)} characters, which no row of a match has; cut it.")
            if is_game_head(text):
                head = True
            elif head:
                self._begin(text)
                head = False
            elif read_length(text) is not None:
                if self.games:
                    self._remark("Another match begins in the file; it is not read")
                    break
            elif self.games and (row := read_row(text)) is not None:
                self._row(row)
            elif not is_end_of_match(text):
                self._remark(f"Not understood: {one_line(text[:200])}")
        self._end_game()
        return self._record()

    def _comment(self, text: str) -> None:
        """A line that programs pass over, but for the board that is set for what follows."""
        told = read_set_position(text) if self.games else None
        if told is None:
            return
        try:
            seen, _ = from_xgid(f"{told}:0:0:1:00:0:0:0:0:10")
        except IdError:
            self._remark(f"Not understood: {one_line(text[:200])}")
            return
        game = self.games[-1]
        board = seen if self.sides[0] is Side.LIGHT else seen.mirrored()
        if board != game.reached.board:
            game.stand(board)

    def _remark(self, sentence: str) -> None:
        self.remarks.append(sentence)

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
        remarks = all_remarks(self.remarks, self.games)
        read = settle_results(MatchRecord(light, dark, self.terms, games, facts, remarks))
        return mark_unconfirmed(read)

    def _error(self, what: str) -> MatchFileError:
        return MatchFileError(f"{self.name}, line {self.number}: {what}")

    def _begin(self, text: str) -> None:
        scores = read_scores(text)
        if scores is None:
            raise self._error(
                f"after the head of a game the names and the score must follow, not {one_line(text[:60])!r}."
            )
        self._end_game()
        left, right = scores.left, scores.right
        if self.columns is None:
            self.columns = (left, right)
        exchanged = (right, left) == self.columns and left != right
        self.sides = (Side.DARK, Side.LIGHT) if exchanged else (Side.LIGHT, Side.DARK)
        points = [scores.left_points, scores.right_points]
        if max(points) > MOST_POINTS:
            raise self._error(f"nobody has {max(points)} points; put the score right.")
        light, dark = reversed(points) if exchanged else points
        number = len(self.games)
        patience = self.games[-1].patience if self.games else self.patience
        game = GameBuilder.begin(self.terms, number, light, dark, patience)
        self.games.append(game)
        try:
            game.take_remarks(self.about.get(number, ()), number)
        except PositionError as error:
            raise self._error(f"the note about the start of the game is wrong: {error}") from None

    def _end_game(self) -> None:
        if self.lost is not None:
            side, word = self.lost
            self.games[-1].concede(side, word.points, word.level)
            self.lost = None

    def _row(self, row: MatRow) -> None:
        column = self._turn_column() if row.left is None else int(not row.left)
        for number, cell in enumerate(row.cells):
            self._cell(self.sides[column], cell, row, number)
            column = 1

    def _turn_column(self) -> int:
        """The column of the player whose turn it is, where a lone cell lies between both."""
        turns = [entry for entry in self.games[-1].entries[-1:] if isinstance(entry, Turn)]
        return self.sides.index(turns[0].player.opponent) if turns else 1

    def _cell(self, side: Side, text: str, row: MatRow, number: int) -> None:
        game = self.games[-1]
        match read_cell(text):
            case SaidCell(Word.DOUBLE):
                game.double(side)
            case SaidCell(Word.TAKE):
                game.take(side)
            case SaidCell(Word.PASS):
                game.drop(side)
            case SaidCell() as said:
                joined = row.is_joined(number)
                self._ends(self.sides[0] if joined else side, said, alone=len(row.cells) == 1 or joined)
            case RolledCell() as rolled:
                self._rolled(side, rolled)
            case EmptyCell():
                pass
            case _ if not row.numbered:
                self._remark(f"Not understood: {one_line(text[:200])}")
            case _:
                raise self._error(f"{one_line(text[:60])!r} is no roll, no play and no word of a .mat file.")

    def _rolled(self, side: Side, rolled: RolledCell) -> None:
        game, roll = self.games[-1], Roll.from_dice(*rolled.dice)
        if rolled.illegal:
            game.reach(side, roll, self._snowie(rolled.illegal))
        elif rolled.illegal is not None:
            self._remark(f"Line {self.number}: an illegal play of {roll} is not told")
            game.add_untold(side, roll)
        elif rolled.said is not None:
            game.add_roll(side, roll)
            self._ends(side, rolled.said, alone=False)
        elif not rolled.play:
            game.add_roll_or_forced(side, roll)
        else:
            game.play(side, roll, self._play(rolled.play))

    def _play(self, moves: str) -> Play:
        told = " ".join(part for part in moves.split() if part != NO_MOVE)
        try:
            return parse_play(told, backwards=True)
        except NotationError as error:
            raise self._error(one_line(str(error)[:300])) from None

    def _winner(self, side: Side, *, alone: bool) -> Side:
        """Whose a result is that stands in a row with a last play or pass: some programs write it beside that."""
        game = self.games[-1]
        over = [winner for winner in Side if game.reached.board.off(winner) == CHECKERS]
        last = game.entries[-1] if game.entries else None
        if alone or side in over:
            return side
        if isinstance(last, Act) and isinstance(last.event, Passed):
            return last.event.side.opponent
        return over[0] if over else side

    def _ends(self, side: Side, said: SaidCell, *, alone: bool) -> None:
        """A word that ends the game: the winner's, or the loser's, which waits for the winner's."""
        if said.word is Word.WIN:
            self._wins(self._winner(side, alone=alone), said)
        else:
            self.lost = side, said

    def _wins(self, winner: Side, said: SaidCell) -> None:
        game = self.games[-1]
        points = (said.level or 1) * game.cube.value if said.points is None else said.points
        if not 1 <= points <= MOST_POINTS:
            raise self._error(f"nobody wins {points} points; put the result right.")
        game.wins(winner, points)
        self.lost = None
        if game.result is not None and game.result.points != points:
            self._remark(f"Game {len(self.games)}: the file says that {winner} won {points} points")

    def _compact(self, text: str) -> Position:
        """The position after an illegal play of a game that only we know."""
        try:
            return Position.from_compact(text.strip())
        except PositionError as error:
            raise self._error(str(error)) from None

    def _snowie(self, fields: str) -> Position:
        """The position of a line of Snowie's; only the board of it is taken, see `controller.record.files.snowie`."""
        if ";" not in fields:
            return self._compact(fields)
        values = fields.strip().rstrip(";").split(";")
        try:
            counts = [int(value) for value in values[-28:-2]]
            on_roll = Side.LIGHT if values[4].strip() == "1" else Side.DARK
            opponent, own, bar = -counts[0], counts[1:25], counts[25]
            seen = Position.from_counts(own, bar, opponent)
        except (ValueError, IndexError, PositionError):
            raise self._error(
                "the position of the illegal play cannot be read; it needs 40 fields."
            ) from None
        left, right = self.sides
        roller = left if on_roll is Side.LIGHT else right
        return seen if roller is Side.LIGHT else seen.mirrored()
