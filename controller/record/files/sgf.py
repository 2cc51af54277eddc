"""A match in gnubg's own form, SGF with one game tree per game; light is white, gnubg's player 0.

The properties are those that gnubg 1.07.001 writes and reads (tried with the binary). Points are the letters
a..x for 1..24 from light's side, y is the bar and z the tray. What is no legal play of the standard rules is
the roll followed by the position that was set. What has no property of its own stands in the general comment
of the first game, one line each: `Rules: hunbg-club` and the like, then the notes of
`controller.record.files.limits`. Of variations the first is read; analysis is passed over.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Final

from controller.record.files.builder import GameBuilder, all_remarks
from controller.record.files.foreign import (
    MOST_POINTS,
    check_length,
    common_profile,
    cube_limit,
    patience_for,
    settle_results,
    terms_of,
)
from controller.record.files.games import gnubg_start
from controller.record.files.limits import COMMON, mark_unconfirmed, notes, remarks_by_game, rule_names
from controller.record.files.match_text import MatchFileError, one_line
from controller.record.match.match import Act, Facts, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import (
    Moment,
    automatic_doubles,
    by_game,
    left_rolls,
    moments,
    single_moves,
)
from controller.rules import Ending, Form, Move, Position, Roll, Side, Terms, is_result
from controller.rules.game.events import Beavered, Doubled, Passed, Raccooned, Rolled, Taken
from controller.rules.game.match import Crawford
from controller.rules.notation import BAR, OFF
from controller.rules.position import CHECKERS, PositionError
from controller.rules.profile.profile import Layout

LETTER: Final = {Side.LIGHT: "W", Side.DARK: "B"}
BAR_LETTER, OFF_LETTER = "y", "z"
STARTS: Final = {Layout.NACKGAMMON: "Nackgammon", Layout.HYPERGAMMON: "Hypergammon3"}
"""What the rules of a game call starts other than the common one."""
TABLE, RULES, SERIES, NO_CRAWFORD, BEAVERS, CUBE_LIMIT = (
    "Table",
    "Rules",
    "Series",
    "No Crawford",
    "Beavers",
    "Cube limit",
)
"""First words of lines in the general comment."""


def sgf_text(match: MatchRecord) -> str:
    """The whole file as text; write it as UTF-8."""
    played = list(moments(match))
    comment = [*_extra(match), *map(one_line, notes(match, played))]
    trees = [_tree(match, number, of_game, comment) for number, of_game in enumerate(by_game(played))]
    return "\n".join(trees) + "\n"


def _extra(match: MatchRecord) -> Iterator[str]:
    rules = match.profile(0)
    if one_line(match.facts.table):
        yield f"{TABLE}: {one_line(match.facts.table)}"
    if names := rule_names(match):
        yield f"{RULES}: {one_line(names)}"
    if match.terms.form is Form.SERIES:
        yield f"{SERIES}: {match.length}"
    elif match.length and not rules.match.crawford:
        yield f"{NO_CRAWFORD}: {match.length}"
    elif not match.length:
        yield f"{BEAVERS}: {'on' if rules.cube.beaver else 'off'}"
    if rules.cube.max is not None:
        yield f"{CUBE_LIMIT}: {rules.cube.max}"


def _tree(match: MatchRecord, number: int, played: list[Moment], comment: list[str]) -> str:
    root = "".join(_root(match, number, played, comment))
    return "(;" + "\n;".join([root, *_nodes(played)]) + ")"


def _root(match: MatchRecord, number: int, played: list[Moment], comment: list[str]) -> Iterator[str]:
    game, facts = match.games[number], match.facts
    yield "FF[4]GM[6]CA[UTF-8]AP[Pointsman]"
    yield f"MI[length:{match.length}][game:{number}][ws:{game.light_score}][bs:{game.dark_score}]"
    yield f"PW[{_text(match.light)}]PB[{_text(match.dark)}]"
    if facts.played_on is not None:
        yield f"DT[{facts.played_on.isoformat()}]"
    known = {"EV": facts.event, "RO": facts.round, "PC": facts.place, "AN": facts.transcriber}
    for name, value in known.items():
        if one_line(value):
            yield f"{name}[{_text(value)}]"
    if number == 0 and comment:
        yield f"GC[{chr(10).join(map(_escape, comment))}]"
    if rules := ":".join(_rules(match, number, played)):
        yield f"RU[{rules}]"
    if automatic := automatic_doubles(played):
        yield f"CV[{2**automatic}]"
    if game.result is not None:
        over = game.result.ending in (Ending.PLAYED, Ending.DROPPED) or _over(game)
        yield f"RE[{LETTER[game.result.winner]}+{game.result.points}{'' if over else 'R'}]"


def _rules(match: MatchRecord, number: int, played: list[Moment]) -> Iterator[str]:
    rules = match.profile(number)
    if not rules.cube.enabled:
        yield "NoCube"
    if rules.opening.layout in STARTS:
        yield STARTS[rules.opening.layout]
    if match.length and rules.match.crawford and match.terms.form is Form.MATCH:
        yield "Crawford"
        if played[0].match.crawford is Crawford.NOW:
            yield "CrawfordGame"
    if not match.length and rules.cube.jacoby:
        yield "Jacoby"


def _over(game: GameRecord) -> bool:
    """Whether the game ended on the board or by a drop, where the result itself does not say."""
    course = game.course
    dropped = bool(course) and isinstance(course[-1], Act) and isinstance(course[-1].event, Passed)
    return dropped or any(game.end.off(side) == CHECKERS for side in Side)


def _nodes(played: list[Moment]) -> Iterator[str]:
    before = played[0].match.game
    board = gnubg_start(before.profile)
    if before.position != board:
        board = before.position
        yield _set(_first_player(played), board)
    left = left_rolls(played)
    for number, moment in enumerate(played):
        entry = moment.entry
        if isinstance(entry, Turn) and _fits(entry):
            if entry.before != board:
                yield _set(entry.player, entry.before)
            yield from _turn_nodes(entry)
            board = entry.after
        elif isinstance(entry, Act):
            yield from _act_nodes(
                entry, left=number in left and not _is_set_after(played[number + 1 :], board)
            )


def _is_set_after(following: list[Moment], board: Position) -> bool:
    """Whether a position must be set before the next turn: after a roll it would be what was played."""
    turns = (moment.entry for moment in following if isinstance(moment.entry, Turn) and _fits(moment.entry))
    return any(turn.before != board for turn in islice(turns, 1))


def _first_player(played: list[Moment]) -> Side:
    sides = [_side(moment.entry) for moment in played]
    return next((side for side in sides if side is not None), Side.LIGHT)


def _side(entry: Turn | Act | None) -> Side | None:
    return entry.player if isinstance(entry, Turn) else getattr(entry and entry.event, "side", None)


def _fits(turn: Turn) -> bool:
    return all(board.off(side) >= 0 for board in (turn.before, turn.after) for side in Side)


def _turn_nodes(turn: Turn) -> Iterator[str]:
    letter, dice = LETTER[turn.player], f"{turn.roll.high}{turn.roll.low}"
    if turn.play is not None and is_result(turn.before, turn.player, turn.roll, turn.after):
        places = [place for move in single_moves(turn) for place in (move.source, move.target)]
        yield f"{letter}[{dice}{''.join(_place(place, turn.player) for place in places)}]"
    else:
        yield f"PL[{letter}]DI[{dice}]"
        yield _set(turn.player, turn.after)


def _place(place: int, side: Side) -> str:
    if place in (BAR, OFF):
        return BAR_LETTER if place == BAR else OFF_LETTER
    return _letter(place if side is Side.LIGHT else BAR - place)


def _letter(point: int) -> str:
    return chr(ord("a") + point - 1)


def _set(player: Side, board: Position) -> str:
    """A node that sets a position, every checker of it; ``player`` is the one who did it."""
    parts = [f"PL[{LETTER[player]}]AE[a:y]"]
    for side in Side:
        places = [_letter(point) for point in range(1, 25) for _ in range(board.checkers(side, point))]
        places += [BAR_LETTER] * board.bar(side)
        if places:
            parts.append(f"A{LETTER[side]}" + "".join(f"[{place}]" for place in places))
    return "".join(parts)


def _act_nodes(act: Act, *, left: bool) -> Iterator[str]:
    match act.event:
        case Doubled(side) | Beavered(side) | Raccooned(side):
            yield f"{LETTER[side]}[double]"
        case Taken(side):
            yield f"{LETTER[side]}[take]"
        case Passed(side):
            yield f"{LETTER[side]}[drop]"
        case Rolled(side, roll) if left:
            yield f"PL[{LETTER[side]}]DI[{roll.high}{roll.low}]"


def _text(text: str) -> str:
    return _escape(one_line(text))


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


SIDES: Final = {"W": Side.LIGHT, "B": Side.DARK}
_TOKEN: Final = re.compile(r"\s*(?:([();])|([A-Z]{1,8})|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_PLAY: Final = re.compile(r"([1-6])([1-6])((?:[a-z]{2}){0,4})")
_INFO: Final = re.compile(r"(length|game|ws|bs):(\d{1,9})")
_RESULT: Final = re.compile(r"([WB])\+(\d{1,9})")
_EXTRA: Final = re.compile(rf"({TABLE}|{RULES}|{SERIES}|{NO_CRAWFORD}|{BEAVERS}|{CUBE_LIMIT}): (.*)")
Node = Mapping[str, Sequence[str]]


def read_sgf(text: str, name: str) -> MatchRecord:
    """The match of an SGF file; ``name`` is the file's, for messages.

    Raises:
        MatchFileError: naming the game.
    """
    trees = [tree for tree in _trees(text, name) if tree]
    if not trees or "6" not in trees[0][0].get("GM", ["6"]):
        raise MatchFileError(f"{name} holds no backgammon game (GM[6]); give a file that gnubg saved.")
    extra, remarks = _comment(trees[0][0])
    automatic = any(_automatic_doubles(tree[0]) for tree in trees)
    terms = _terms(trees[0][0], extra, name, automatic=automatic)
    about = remarks_by_game(remarks)
    games: list[GameBuilder] = []
    for number, tree in enumerate(trees):
        patience = games[-1].patience if games else patience_for(len(text))
        games.append(_Game(tree, number, terms, about.get(number, ()), name, patience).build())
    root = trees[0][0]
    facts = Facts(
        _day(_first(root, "DT")),
        one_line(_first(root, "PC")),
        one_line(_first(root, "EV")),
        one_line(_first(root, "RO")),
        one_line(extra.get(TABLE, "")),
        one_line(_first(root, "AN")),
    )
    light, dark = one_line(_first(root, "PW")), one_line(_first(root, "PB"))
    read = MatchRecord(
        light, dark, terms, tuple(game.record() for game in games), facts, all_remarks(remarks, games)
    )
    return mark_unconfirmed(settle_results(read))


def looks_like_sgf(text: str) -> bool:
    """Whether a text begins as SGF does."""
    return re.match(r"\s*\(\s*;", text) is not None


def _trees(text: str, name: str) -> Iterator[list[dict[str, list[str]]]]:
    """The nodes of the first variation of each game tree."""
    at, depth, passed = 0, 0, 0
    nodes: list[dict[str, list[str]]] = []
    closed = False
    values: list[str] = []
    end = len(text.rstrip())
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None:
            line = text.count("\n", 0, at) + 1
            raise MatchFileError(f"{name}, line {line}: {one_line(text[at : at + 20])!r} is no SGF.")
        at = token.end()
        mark, key, value = token.groups()
        if mark == "(":
            depth += 1
            passed += closed
            continue
        if mark == ")":
            depth -= 1
            closed = True
            if depth == 0:
                yield nodes
                nodes, closed, passed = [], False, 0
            if depth < 0:
                raise MatchFileError(f"{name} closes a game that it did not begin; give a whole file.")
            continue
        if passed:
            continue
        if mark == ";":
            nodes.append({})
        elif key and nodes:
            values = nodes[-1].setdefault(key, [])
        elif value is not None and nodes:
            values.append(_unescape(value))
    if depth:
        raise MatchFileError(f"{name} ends in the middle of a game; give a whole file.")


def _unescape(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: found[1].strip("\n"), value, flags=re.DOTALL)


def _first(node: Node, key: str) -> str:
    return next(iter(node.get(key, ())), "")


def _comment(root: Node) -> tuple[dict[str, str], list[str]]:
    """What the general comment says: the lines with a key of ours, and the others."""
    extra: dict[str, str] = {}
    remarks: list[str] = []
    for line in filter(None, map(one_line, _first(root, "GC").split("\n"))):
        found = _EXTRA.fullmatch(line)
        if found:
            extra[found[1]] = found[2]
        else:
            remarks.append(line)
    return extra, remarks


def _automatic_doubles(root: Node) -> int:
    """How often a cube was turned before the first roll."""
    cube = _first(root, "CV")
    turned = re.fullmatch(r"\d{1,5}", cube) and int(cube) > 1 and not int(cube) & (int(cube) - 1)
    return int(cube).bit_length() - 1 if turned else 0


def _terms(root: Node, extra: Mapping[str, str], name: str, *, automatic: bool) -> Terms:
    length = check_length(_info(root).get("length", 0), name)
    rules = {part.casefold() for part in _first(root, "RU").split(":")}
    common = common_profile(
        crawford="crawford" in rules,
        jacoby="jacoby" in rules,
        beaver=not length and extra.get(BEAVERS, "on") == "on",
        automatic=automatic,
        layout=next(
            (layout for layout, name in STARTS.items() if name.casefold() in rules), Layout.BACKGAMMON
        ),
        cube_max=cube_limit(extra.get(CUBE_LIMIT, "")),
    )
    names = extra.get(RULES, "")
    series = SERIES in extra or ("nocube" in rules and names in ("", COMMON))
    return terms_of(length, common, names, series=series)


def _info(root: Node) -> dict[str, int]:
    found = [_INFO.fullmatch(value.strip()) for value in root.get("MI", ())]
    return {match[1]: int(match[2]) for match in found if match}


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


class _Game:
    """One game tree being read."""

    def __init__(
        self,
        nodes: Sequence[Node],
        number: int,
        terms: Terms,
        remarks: Sequence[str],
        name: str,
        patience: int,
    ) -> None:
        self.nodes, self.number, self.remarks = nodes, number, remarks
        self.where = f"{name}, game {number + 1}"
        info = _info(nodes[0])
        if max(info.get("ws", 0), info.get("bs", 0)) > MOST_POINTS:
            raise self._error("no player can have that many points")
        self.game = GameBuilder.begin(terms, number, info.get("ws", 0), info.get("bs", 0), patience)
        self.rolled: tuple[Side, Roll] | None = None

    def _error(self, what: str) -> MatchFileError:
        return MatchFileError(f"{self.where}: {what}; give the file as gnubg saved it.")

    def build(self) -> GameBuilder:
        try:
            self.game.take_remarks(self.remarks, self.number)
        except PositionError as error:
            raise self._error(f"the note about its start is wrong ({error})") from None
        if not self.game.entries:  # the file has no ties, only what they made of the cube
            self.game.double_automatically(_automatic_doubles(self.nodes[0]))
        for node in self.nodes:
            self._node(node)
        self._end_roll()
        if result := _RESULT.match(_first(self.nodes[0], "RE")):
            points = int(result[2])
            if not 1 <= points <= MOST_POINTS:
                raise self._error(f"nobody wins {points} points")
            self.game.wins(SIDES[result[1]], points)
        return self.game

    def _node(self, node: Node) -> None:
        if "AE" in node or "AW" in node or "AB" in node:
            self._set(node)
        elif "DI" in node:
            self._end_roll()
            side = SIDES.get(_first(node, "PL"))
            dice = _first(node, "DI")
            if side is not None and re.fullmatch(r"[1-6]{2}", dice):
                self.rolled = side, Roll.from_dice(int(dice[0]), int(dice[1]))
        for key, side in SIDES.items():
            for value in node.get(key, ()):
                self._read_act(side, value)

    def _set(self, node: Node) -> None:
        """The board as it was set: after a roll what was played, else where the play goes on."""
        points = [0] * 24
        bars = {Side.LIGHT: 0, Side.DARK: 0}
        for key, side in (("AW", Side.LIGHT), ("AB", Side.DARK)):
            for place in node.get(key, ())[: CHECKERS + 1]:
                if place == BAR_LETTER:
                    bars[side] += 1
                elif len(place) == 1 and "a" <= place <= "x":
                    points[ord(place) - ord("a")] += 1 if side is Side.LIGHT else -1
                else:
                    raise self._error(f"{one_line(place)[:20]!r} is no point")
        try:
            board = Position.from_counts(points, bars[Side.LIGHT], bars[Side.DARK])
        except PositionError as error:
            raise self._error(f"a position is impossible ({error})") from None
        if self.rolled is not None:
            self.game.reach(*self.rolled, board)
            self.rolled = None
        elif board != self.game.reached.board:
            self.game.stand(board)

    def _end_roll(self) -> None:
        """A roll after which no position was set and no play was act was not played."""
        if self.rolled is not None:
            self.game.add_roll(*self.rolled)
            self.rolled = None

    def _read_act(self, side: Side, value: str) -> None:
        act = value.strip().casefold()
        if self.rolled is not None and self.rolled[0] is side and _PLAY.fullmatch(act):
            self.rolled = None
        self._end_roll()
        if act == "double":
            self.game.double(side)
        elif act == "take":
            self.game.take(side)
        elif act == "drop":
            self.game.drop(side)
        elif play := _PLAY.fullmatch(act):
            letters = play[3]
            moves = tuple(
                self._move(side, source, target)
                for source, target in zip(letters[::2], letters[1::2], strict=True)
            )
            self.game.play(side, Roll.from_dice(int(play[1]), int(play[2])), moves)
        else:
            raise self._error(f"{one_line(value)[:30]!r} is no play")

    def _move(self, side: Side, source: str, target: str) -> Move:
        if source == OFF_LETTER or target == BAR_LETTER:
            raise self._error(f"no checker goes from {source!r} to {target!r}")
        places = [self._place(side, letter) for letter in (source, target)]
        return Move(places[0], places[1])

    def _place(self, side: Side, letter: str) -> int:
        if letter in (BAR_LETTER, OFF_LETTER):
            return BAR if letter == BAR_LETTER else OFF
        point = ord(letter) - ord("a") + 1
        return point if side is Side.LIGHT else BAR - point
