"""A match as OGXM v2, the form of OpenGammon and GammonView, through the reference codec (PyPI `ogxm`).

OGXM has illegal plays that stand, set positions, rolls that were not played, resignations, the time of every
turn (its clock, and the same as a mark in the film) and settings of the match. Light is white. What it has no
place for (tries that were put right, reasons, refused resignations, the rules in full, remarks) rides along:
the record as in `controller.record.files.jsonfile`, compressed, in annotations `x-pointsman-record-1` and so on. A
reader of ours takes it from there as long as the file still tells the same match; others pass over it.
"""

import base64
import binascii
import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from types import ModuleType
from typing import Any, Final

from controller.errors import UserError
from controller.record.files.builder import GameBuilder, all_remarks
from controller.record.files.foreign import (
    MOST_POINTS,
    check_length,
    common_profile,
    patience_for,
    settle_results,
    terms_of,
)
from controller.record.files.games import layout_of
from controller.record.files.jsonfile import match_object, read_json
from controller.record.files.limits import rule_names
from controller.record.files.match_text import LARGEST, MatchFileError, one_line
from controller.record.match.match import Act, Facts, GameRecord, MatchRecord, RecordedResult, Turn
from controller.record.match.playthrough import (
    Moment,
    automatic_doubles,
    by_game,
    moments,
    single_moves,
)
from controller.rules import (
    Ending,
    Form,
    Move,
    Position,
    Roll,
    Side,
    Terms,
    first_position,
    is_result,
    results,
)
from controller.rules.game.events import (
    Beavered,
    Doubled,
    MatchForfeited,
    Passed,
    Raccooned,
    ResignationAccepted,
    Resigned,
    Rolled,
    Taken,
)
from controller.rules.notation import BAR, OFF
from controller.rules.profile.profile import Tie

OgxmDocument = dict[str, Any]
"""The codec's JSON projection of a file."""
COLOR: Final = {Side.LIGHT: 1, Side.DARK: 0}
COLOR_NAME: Final = {Side.LIGHT: "white", Side.DARK: "black"}
WINNER: Final = {Side.LIGHT: 0, Side.DARK: 1}
DOUBLE, TAKE, DROP, RESIGN, FORFEIT, SET, BEAVER, RACCOON, CUBE_SET = 21, 22, 23, 27, 29, 31, 32, 33, 36
DICE: Final = [(low, high) for low in range(1, 7) for high in range(low, 7)]
"""The actions 0 to 20."""
TRANSCRIBED: Final = 3
CHUNK: Final = 4000
LONGEST_NAME: Final = 60
"""Characters of a player's name that are written."""
LONGEST_FACTS: Final[Mapping[str, int]] = {"event": 120, "stage": 60, "table": 24, "city": 80}
"""Bytes of UTF-8 that each field has room for; the codec refuses the whole match if one is longer."""
MOST_PACKED: Final = 100
"""How many times larger than its packed form the record that rides along may be; real ones are some 6 times."""
RECORD: Final = "x-pointsman-record-"
RULES: Final = "x-pointsman-rules"
SERIES: Final = "x-pointsman-series"
TERMINATION: Final = {Ending.PLAYED: "played_out", Ending.DROPPED: "dropped", Ending.RESIGNED: "resigned"}
LEVELS: Final = ("single", "gammon", "backgammon")


class OgxmMissingError(UserError):
    """The codec is not installed."""


def codec() -> ModuleType:
    """The package `ogxm`. Raises OgxmMissingError if there is none for this machine."""
    try:
        import ogxm
    except (ImportError, OSError) as error:
        raise OgxmMissingError(
            f"OGXM needs the package ogxm, which cannot be loaded here ({error}); install it with pip, or "
            "choose another format."
        ) from None
    module: ModuleType = ogxm
    return module


def ogxm_bytes(match: MatchRecord) -> bytes:
    """The whole file.

    Raises:
        OgxmMissingError: the codec is not installed.
        MatchFileError: the match is larger than the format allows.
    """
    ogxm = codec()
    document = ogxm_document(match)
    try:
        data: bytes = ogxm.json_to_binary(document)
    except ogxm.OgxmError as error:
        why = ogxm.v2_problem(document) or error
        raise MatchFileError(
            f"The match does not fit into OGXM ({why}); choose the format json, which holds everything."
        ) from None
    return data


def ogxm_document(match: MatchRecord) -> OgxmDocument:
    """The codec's JSON for a match, the record riding along."""
    document = plain_document(match)
    packed = base64.b64encode(zlib.compress(_compact(match), 9)).decode("ascii")
    chunks = [packed[at : at + CHUNK] for at in range(0, len(packed), CHUNK)]
    riding = {f"{RECORD}{number}": chunk for number, chunk in enumerate(chunks, start=1)}
    annotations = [*document["annotations"], *map(_annotation, riding, riding.values())]
    document["annotations"] = sorted(annotations, key=lambda note: note["key"])
    return document


def _compact(match: MatchRecord) -> bytes:
    text = json.dumps(match_object(match), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode("utf-8", "replace")


def _annotation(key: str, value: str) -> OgxmDocument:
    return {"key": key, "ref": 0, "scope": "match", "value": value}


def plain_document(match: MatchRecord) -> OgxmDocument:
    """The codec's JSON for a match, with nothing but what the format has a place for."""
    rules, facts, money = match.profile(0), match.facts, not match.length
    document: OgxmDocument = {
        "ogxm": {"major": 2, "minor": 1},
        "match_length": match.length,
        "player_white": one_line(match.light)[:LONGEST_NAME],
        "player_black": one_line(match.dark)[:LONGEST_NAME],
        "source": TRANSCRIBED,
        "variant": str(rules.opening.layout),
        "crawford": match.terms.form is Form.MATCH and rules.match.crawford,
        "jacoby": money and rules.cube.jacoby,
        "beavers": rules.cube.beaver,
        "raccoons": rules.cube.raccoon,
        "auto_doubles": rules.opening.tie is Tie.AUTO_DOUBLE,
    }
    if rules.cube.max is not None:
        document["cube_limit"] = rules.cube.max
    if facts.played_on is not None:
        noon = datetime.combine(facts.played_on, time(12), UTC)
        document["started_at"] = int(noon.timestamp()) * 1000
    known = {"event": facts.event, "stage": facts.round, "table": facts.table, "city": facts.place}
    told = {name: _fitting(value, LONGEST_FACTS[name]) for name, value in known.items()}
    document |= {name: value for name, value in told.items() if value}
    if match.games and (match.games[0].light_score or match.games[0].dark_score):
        document["white_score_start"] = match.games[0].light_score
        document["black_score_start"] = match.games[0].dark_score
    names = rule_names(match)
    annotations = {RULES: one_line(names)[:CHUNK]} if names else {}
    if match.terms.form is Form.SERIES:
        annotations[SERIES] = str(match.length)
    document["annotations"] = [_annotation(key, value) for key, value in annotations.items()]
    document["games"] = [
        _game(game, number, of_game)
        for number, (game, of_game) in enumerate(zip(match.games, by_game(moments(match)), strict=True))
    ]
    _clock(document)
    return document


def _fitting(text: str, most: int) -> str:
    """As much of a text, on one line, as fits into so many bytes of UTF-8."""
    return one_line(text).encode("utf-8", "replace")[:most].decode("utf-8", "ignore").rstrip()


def _clock(document: OgxmDocument) -> None:
    """Marks in the film for every time that is known, and the clock if it runs through to the last turn."""
    plies = [ply for game in document["games"] for ply in game["plies"]]
    marks = [ply["video_ms"] for ply in plies if "video_ms" in ply]
    if not marks:
        return
    document["video_info"] = {"kind": "unknown", "url": ""}
    if len(marks) == len(plies) and marks == sorted(marks):
        document["clock_info"] = {}
        for ply in plies:
            ply["timestamp_ms"] = ply["video_ms"] - marks[0]


def _game(game: GameRecord, number: int, played: list[Moment]) -> OgxmDocument:
    before = played[0].match.game
    document: OgxmDocument = {"game_index": number, "plies": _PlyWriter(game, played).all()}
    if game.start != first_position(before.profile):
        document["initial_board"] = board_of(game.start)
    if automatic := automatic_doubles(played):
        document["auto_doubles"] = automatic
    if game.result is not None:
        document |= {"winner": WINNER[game.result.winner], "points_won": game.result.points}
        if game.result.ending in TERMINATION:
            document["termination"] = TERMINATION[game.result.ending]
    return document


def board_of(position: Position) -> list[int]:
    """26 counts, white's bar first and black's last, from white's 24-point to its 1-point; black negative."""
    return [position.bar(Side.LIGHT), *reversed(position.points), -position.bar(Side.DARK)]


def is_told_as_play(turn: Turn) -> bool:
    """Whether a turn stands in the file as a play; others are positions, or left out."""
    fits = all(board.off(side) >= 0 for board in (turn.before, turn.after) for side in Side)
    return fits and is_result(turn.before, turn.player, turn.roll, turn.after)


class _PlyWriter:
    """The plies of one game."""

    def __init__(self, game: GameRecord, played: list[Moment]) -> None:
        self.result: RecordedResult | None = game.result
        self.played = played
        self.board = game.start
        self.on_roll: Side | None = None
        self.raised = False
        self.raccooned = False
        self.dice_played = False
        """A play that was set as a position, because it broke the rules, is none to the format."""
        self.opening_double = False
        """A double before any play of dice: the format has none, so the cube is set as it lies after the take."""
        self.plies: list[OgxmDocument] = []

    def all(self) -> list[OgxmDocument]:
        for number, moment in enumerate(self.played):
            entry = moment.entry
            before = len(self.plies)
            if isinstance(entry, Turn):
                self._turn(entry)
            elif entry is not None:
                self._act(number, entry)
            t = entry.t if entry else None
            if t is not None and math.isfinite(t) and 0 <= t < 4_000_000:
                for ply in self.plies[before:]:
                    ply["video_ms"] = round(1000 * t)
        return self.plies

    def _add(self, side: Side, action: int, **more: object) -> None:
        self.plies.append({"color": COLOR[side], "action_id": action, **more})

    def _turn(self, turn: Turn) -> None:
        side = turn.player
        if any(board.off(each) < 0 for board in (turn.before, turn.after) for each in Side):
            return
        if turn.before != self.board or self.on_roll is side.opponent:
            self._add(side, SET, set_position=board_of(turn.before))
        dice = {"d1": turn.roll.high, "d2": turn.roll.low}
        if is_told_as_play(turn):
            action = DICE.index((turn.roll.low, turn.roll.high))
            self._add(side, action, **dice, moves=list(_steps(turn)))
            self.dice_played = True
        else:
            flag = {"illegal": True} if turn.legal is False else {}
            self._add(side.opponent, SET, **dice, **flag, set_position=board_of(turn.after))
        self.board, self.on_roll, self.raised = turn.after, side.opponent, False
        self.raccooned = False

    def _act(self, number: int, act: Act) -> None:
        match act.event:
            case Doubled() if not self.dice_played:
                self.opening_double = True
            case Beavered() | Raccooned() if self.opening_double:
                pass
            case Taken(side) if self.opening_double:
                self._set_cube(number, side.opponent)
                self.opening_double = False
            case Passed() if self.opening_double:
                self.opening_double = False
            case Doubled(side):
                if self.on_roll is side.opponent:
                    self._add(side, SET, set_position=board_of(self.board))
                self._add(side, DOUBLE)
                self.on_roll, self.raised = side, False
            case Beavered(side):
                self._add(side, BEAVER)
                self.raised = True
            case Raccooned(side):
                self._add(side, RACCOON)
                self.raccooned = True
            case Taken(side) if self.raccooned:
                # OGXM gives the cube to the player who raccooned; by the rules it stays with the other.
                self._set_cube(number, side.opponent)
                self.raccooned = False
            case Taken(side) if not self.raised:
                self._add(side, TAKE)
            case Passed(side) if not self.raised:
                self._add(side, DROP)
            case Passed(side):
                self._add(side, RESIGN, resign_value=LEVELS[0])
            case Rolled(side, roll) if self._resigns(number, side) and self._can_move(side, roll):
                action = DICE.index((roll.low, roll.high))
                self._add(side, action, d1=roll.high, d2=roll.low, moves=[])
                self.dice_played = True
            case ResignationAccepted(winner):
                self._add(winner.opponent, RESIGN, resign_value=self._level(number))
            case MatchForfeited(loser):
                self._add(loser, FORFEIT)

    def _set_cube(self, number: int, by: Side) -> None:
        """The cube as it lies after the offer that is taken."""
        offer = self.played[number].match.game.offer
        if offer is not None:
            self._add(by, CUBE_SET, cube_value=offer.value, cube_owner=COLOR_NAME[offer.owner])

    def _can_move(self, side: Side, roll: Roll) -> bool:
        """Whether the file tells a roll that is not played from a dance."""
        return results(self.board, side, roll)[0] != {self.board.code}

    def _resigns(self, number: int, side: Side) -> bool:
        """Whether the player who rolled resigned at once and the other accepted."""
        following = [moment.entry for moment in self.played[number + 1 : number + 3]]
        events = [entry.event if isinstance(entry, Act) else None for entry in following]
        return (
            len(events) > 1 and isinstance(events[0], Resigned) and events[0].side is side
        ) and isinstance(events[1], ResignationAccepted)

    def _level(self, number: int) -> str:
        cube = self.played[number].match.game.cube.value
        points = self.result.points if self.result else cube
        level, rest = divmod(points, cube)
        return LEVELS[level - 1] if not rest and 1 <= level <= 3 else LEVELS[0]


def _steps(turn: Turn) -> Iterator[OgxmDocument]:
    for move in single_moves(turn):
        yield {"from": _place(move, turn.player), "pips": move.source - max(move.target, OFF)}


def _place(move: Move, side: Side) -> int:
    """The point that a move begins on: white's bar is 0, black's 25."""
    return BAR - move.source if side is Side.LIGHT else move.source


MAGIC: Final = b"OGXM"
FIRST_VERSION: Final = 1
"""The version of older files of GammonView, in which the codec takes the largest cube for a score at the start."""
RESIGN_MATCH: Final = 28
MARKERS: Final = (24, 25, 26, 30)
"""The end of a game, a match or a file."""
SIDES: Final = {color: side for side, color in COLOR.items()}
WINNERS: Final = {winner: side for side, winner in WINNER.items()}


def read_ogxm(data: bytes, name: str) -> MatchRecord:
    """The match of an OGXM file; ``name`` is the file's, for messages.

    Raises:
        OgxmMissingError: the codec is not installed.
        MatchFileError: damaged, too large, or something that makes no sense.
    """
    ogxm = codec()
    if len(data) > LARGEST:
        raise MatchFileError(f"{name} has {len(data)} bytes, which no match has; give a match file.")
    try:
        document: OgxmDocument = ogxm.binary_to_json(data)
    except (ogxm.OgxmError, ValueError) as error:
        raise MatchFileError(
            f"{name} is no OGXM file that can be read ({error}); give a whole one."
        ) from None
    if data[len(MAGIC)] == FIRST_VERSION:
        document = {name: value for name, value in document.items() if not name.endswith("_score_start")}
    return _record_of(document, name, len(data))


def is_ogxm_json(text: str) -> bool:
    """Whether a JSON text is OGXM written out, as the `.gva` files of GammonView are."""
    return '"match_length"' in text and '"plies"' in text


def read_ogxm_json(text: str, name: str) -> MatchRecord:
    """The match of an OGXM document that is written out as JSON.

    Raises:
        MatchFileError: no JSON, or something that makes no sense.
    """
    try:
        document: OgxmDocument = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MatchFileError(f"{name} is no JSON ({error}); give a match file.") from None
    return _record_of(document, name, len(text))


def _record_of(document: OgxmDocument, name: str, size: int) -> MatchRecord:
    try:
        return _riding_record(document, name) or _OgxmReader(document, name, size).match()
    except MatchFileError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, UserError) as error:
        raise MatchFileError(f"{name} tells a match that makes no sense ({error!r}); give another.") from None


def _riding_record(document: OgxmDocument, name: str) -> MatchRecord | None:
    """The record that rides along, if it is whole and tells what the file tells."""
    notes = _keyed_notes(document)
    chunks: list[str] = []
    while (chunk := notes.get(f"{RECORD}{len(chunks) + 1}")) is not None:
        chunks.append(chunk)
    if not chunks:
        return None
    try:
        unpacker = zlib.decompressobj()
        packed = base64.b64decode("".join(chunks), validate=True)
        text = unpacker.decompress(packed, min(LARGEST, MOST_PACKED * len(packed)))
        record = read_json(text.decode("utf-8"), name)
        ogxm = codec()
        same = ogxm.binary_to_json(ogxm.json_to_binary(plain_document(record)))
    except (UserError, binascii.Error, zlib.error, ValueError, RuntimeError):
        return None
    return record if _comparable(same) == _comparable(document) else None


def _keyed_notes(document: OgxmDocument) -> dict[str, str]:
    """The annotations that have a key; those that people write have none."""
    return {note["key"]: note["value"] for note in document.get("annotations", ()) if "key" in note}


def _comparable(document: OgxmDocument) -> str:
    content = {key: value for key, value in document.items() if key != "annotations"}
    content["annotations"] = [
        note for note in document.get("annotations", ()) if not note.get("key", "").startswith(RECORD)
    ]
    return json.dumps(content, sort_keys=True)


class _OgxmReader:
    """A document read from its plies."""

    def __init__(self, document: OgxmDocument, name: str, size: int) -> None:
        self.document = document
        self.patience = patience_for(size)
        self.notes = _keyed_notes(document)
        self.remarks: list[str] = []
        self.terms = self._terms(check_length(document["match_length"], name))

    def _terms(self, length: int) -> Terms:
        get = self.document.get
        limit = get("cube_limit") or 0
        common = common_profile(
            crawford=bool(get("crawford")),
            jacoby=bool(get("jacoby")),
            beaver=bool(get("beavers", get("beaver"))),
            automatic=any(game.get("auto_doubles") for game in self.document["games"]),
            layout=layout_of(get("variant", "")),
            cube_max=limit if limit > 1 else None,
        )
        return terms_of(length, common, self.notes.get(RULES, ""), series=SERIES in self.notes)

    def match(self) -> MatchRecord:
        get = self.document.get
        scores = {
            Side.LIGHT: get("white_score_start", 0),
            Side.DARK: get("black_score_start", 0),
        }
        builders = []
        for number, game in enumerate(self.document["games"]):
            builder = self._game(number, game, scores)
            builders.append(builder)
            if builder.result is not None:
                scores[builder.result.winner] += builder.result.points
        facts = Facts(
            _day(get("started_at") or 1000 * get("timestamp", 0)),
            one_line(get("city") or get("site") or ""),
            one_line(get("event") or ""),
            one_line(get("stage") or str(get("round") or "")),
            one_line(get("table") or ""),
        )
        light, dark = one_line(get("player_white", "")), one_line(get("player_black", ""))
        games = tuple(builder.record() for builder in builders)
        remarks = all_remarks(self.remarks, builders)
        return settle_results(MatchRecord(light, dark, self.terms, games, facts, remarks))

    def _game(self, number: int, game: Mapping[str, Any], scores: Mapping[Side, int]) -> GameBuilder:
        builder = GameBuilder.begin(self.terms, number, scores[Side.LIGHT], scores[Side.DARK], self.patience)
        if "initial_board" in game:
            builder.stand(_position(game["initial_board"]))
        if automatic := game.get("auto_doubles", 0):
            builder.double_automatically(min(automatic, 10))
        plies = _PlyReader(builder)
        for ply in game["plies"]:
            if not plies.add(ply):
                self.remarks.append(f"Not understood: action {ply['action_id']} in game {number + 1}")
        plies.take_raise()
        self.patience = builder.patience
        winner = WINNERS.get(game.get("winner", -1))
        points = game.get("points_won", 0)
        if winner is not None and 1 <= points <= MOST_POINTS:
            builder.wins(winner, points)
        elif plies.match_resigned_by is not None:
            builder.entries.append(Act(MatchForfeited(plies.match_resigned_by)))
        return builder


class _PlyReader:
    """The plies of a game as they are read into its builder."""

    def __init__(self, builder: GameBuilder) -> None:
        self.builder = builder
        self.raised_by: Side | None = None
        self.match_resigned_by: Side | None = None
        """Whose resignation ended the match; the result tells what was resigned."""

    def take_raise(self) -> None:
        """A beaver or raccoon that is followed by anything but another raise was taken."""
        if self.raised_by is not None:
            self.builder.take(self.raised_by.opponent)
            self.raised_by = None

    def add(self, ply: Mapping[str, Any]) -> bool:
        """Read one ply; whether it could be understood."""
        action, side = ply["action_id"], SIDES.get(ply.get("color", 0), Side.DARK)
        stamp = ply.get("video_ms", ply.get("timestamp_ms"))
        t = None if stamp is None else stamp / 1000
        if action in MARKERS:
            return True
        if action in (RESIGN, RESIGN_MATCH) and self.raised_by is side.opponent:
            self.raised_by = None
            self.builder.drop(side, t=t)
            return True
        if action != RACCOON:
            self.take_raise()
        if action <= 20:
            self._dice(ply, side, t)
        elif action == SET and "d1" in ply:
            board = _position(ply["set_position"])
            self.builder.reach(side.opponent, Roll.from_dice(ply["d1"], ply["d2"]), board, t=t)
        elif action == SET:
            self.builder.stand(_position(ply["set_position"]))
        elif action in (DOUBLE, BEAVER, RACCOON):
            self.builder.double(side, t=t)
            self.raised_by = None if action == DOUBLE else side
        elif action == TAKE:
            self.builder.take(side, t=t)
        elif action == DROP:
            self.builder.drop(side, t=t)
        elif action == CUBE_SET:
            return bool(ply.get("cube_value") == self.builder.cube.value)
        elif action == FORFEIT:
            self.builder.entries.append(Act(MatchForfeited(side), t))
        elif action == RESIGN_MATCH:
            self.match_resigned_by = side
        else:
            return bool(action == RESIGN)
        return True

    def _dice(self, ply: Mapping[str, Any], side: Side, t: float | None) -> None:
        roll = Roll.from_dice(ply["d1"], ply["d2"])
        if ply.get("unplayed_roll"):
            self.builder.add_roll_or_dance(side, roll, t=t)
            return
        moves = []
        for step in ply["moves"]:
            source = BAR - step["from"] if side is Side.LIGHT else step["from"]
            if not OFF < source <= BAR or step["pips"] < 1:
                raise ValueError(f"no checker stands on {step['from']}")
            moves.append(Move(source, max(source - step["pips"], OFF)))
        self.builder.play(side, roll, tuple(moves), t=t)


def _position(counts: Sequence[int]) -> Position:
    if len(counts) != 26:
        raise ValueError("a board has 26 places")
    return Position.from_counts(tuple(reversed(counts[1:25])), counts[0], -counts[25])


def _day(started_at: int | None) -> date | None:
    if not started_at:
        return None
    return datetime.fromtimestamp(started_at / 1000, UTC).date()
