"""OGXM files read through the reference codec; see `controller.record.files.ogxmfile`."""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from controller.errors import UserError
from controller.record.files.foreign import (
    MOST_POINTS,
    GameBuilder,
    check_length,
    common_profile,
    settle_results,
    terms_of,
)
from controller.record.files.jsonfile import read_json
from controller.record.files.match_text import LARGEST, MatchFileError, one_line
from controller.record.files.ogxmfile import (
    BEAVER,
    COLOR,
    CUBE_SET,
    DOUBLE,
    DROP,
    FORFEIT,
    RACCOON,
    RECORD,
    RESIGN,
    RULES,
    SERIES,
    SET,
    TAKE,
    WINNER,
    Document,
    codec,
    plain_document,
)
from controller.record.match.entries import Act
from controller.record.match.match import Facts, MatchRecord
from controller.rules.game.events import MatchForfeited
from controller.rules.game.match import Terms
from controller.rules.notation import BAR, OFF, Move
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.profile import Layout

MAGIC: Final = b"OGXM"
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
        document: Document = ogxm.binary_to_json(data)
    except (ogxm.OgxmError, ValueError) as error:
        raise MatchFileError(
            f"{name} is no OGXM file that can be read ({error}); give a whole one."
        ) from None
    try:
        return _riding_record(document, name) or _OgxmReader(document, name).match()
    except MatchFileError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, UserError) as error:
        raise MatchFileError(f"{name} tells a match that makes no sense ({error!r}); give another.") from None


def _riding_record(document: Document, name: str) -> MatchRecord | None:
    """The record that rides along, if it is whole and tells what the file tells."""
    notes = {note["key"]: note["value"] for note in document.get("annotations", ())}
    chunks: list[str] = []
    while (chunk := notes.get(f"{RECORD}{len(chunks) + 1}")) is not None:
        chunks.append(chunk)
    if not chunks:
        return None
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(base64.b64decode("".join(chunks), validate=True), LARGEST)
        record = read_json(text.decode("utf-8"), name)
        ogxm = codec()
        same = ogxm.binary_to_json(ogxm.json_to_binary(plain_document(record)))
    except (UserError, binascii.Error, zlib.error, ValueError, RuntimeError):
        return None
    return record if _comparable(same) == _comparable(document) else None


def _comparable(document: Document) -> str:
    content = {key: value for key, value in document.items() if key != "annotations"}
    content["annotations"] = [
        note for note in document.get("annotations", ()) if not note["key"].startswith(RECORD)
    ]
    return json.dumps(content, sort_keys=True)


class _OgxmReader:
    """A document read from its plies."""

    def __init__(self, document: Document, name: str) -> None:
        self.document, self.name = document, name
        self.notes = {note["key"]: note["value"] for note in document.get("annotations", ())}
        self.remarks: list[str] = []
        self.terms = self._terms(check_length(document["match_length"], name))

    def _terms(self, length: int) -> Terms:
        get = self.document.get
        limit = get("cube_limit") or 0
        common = common_profile(
            crawford=bool(get("crawford")),
            jacoby=bool(get("jacoby")),
            beaver=bool(get("beavers")),
            layout=Layout.NACKGAMMON if get("variant") == "nackgammon" else Layout.BACKGAMMON,
            cube_max=limit if limit > 1 else None,
        )
        series = bool(length) and SERIES in self.notes
        return terms_of(length, common, self.notes.get(RULES, ""), series=series)

    def match(self) -> MatchRecord:
        get = self.document.get
        scores = {
            Side.LIGHT: get("white_score_start", 0),
            Side.DARK: get("black_score_start", 0),
        }
        games = []
        for number, game in enumerate(self.document["games"]):
            builder = self._game(number, game, scores)
            games.append(builder.record())
            if builder.result is not None:
                scores[builder.result.winner] += builder.result.points
        facts = Facts(
            _day(get("started_at")),
            one_line(get("city") or get("site") or ""),
            one_line(get("event") or ""),
            one_line(get("stage") or str(get("round") or "")),
            one_line(get("table") or ""),
        )
        light, dark = one_line(get("player_white", "")), one_line(get("player_black", ""))
        return settle_results(MatchRecord(light, dark, self.terms, tuple(games), facts, tuple(self.remarks)))

    def _game(self, number: int, game: Mapping[str, Any], scores: Mapping[Side, int]) -> GameBuilder:
        builder = GameBuilder.begin(self.terms, number, scores[Side.LIGHT], scores[Side.DARK])
        if "initial_board" in game:
            builder.stand(_position(game["initial_board"]))
        if automatic := game.get("auto_doubles", 0):
            builder.double_automatically(min(automatic, 10))
        plies = _PlyReader(builder)
        for ply in game["plies"]:
            if not plies.add(ply):
                self.remarks.append(f"Not understood: action {ply['action_id']} in game {number + 1}")
        plies.take_raise()
        winner = WINNERS.get(game.get("winner", -1))
        points = game.get("points_won", 0)
        if winner is not None and 1 <= points <= MOST_POINTS:
            builder.wins(winner, points)
        return builder


class _PlyReader:
    """The plies of a game as they are read into its builder."""

    def __init__(self, builder: GameBuilder) -> None:
        self.builder = builder
        self.raised_by: Side | None = None

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
            self.builder.reach(side.opponent, Roll.of(ply["d1"], ply["d2"]), board, t=t)
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
        elif action in (FORFEIT, RESIGN_MATCH):
            self.builder.entries.append(Act(MatchForfeited(side), t))
        else:
            return bool(action == RESIGN)
        return True

    def _dice(self, ply: Mapping[str, Any], side: Side, t: float | None) -> None:
        roll = Roll.of(ply["d1"], ply["d2"])
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
    return Position.of(tuple(reversed(counts[1:25])), counts[0], -counts[25])


def _day(started_at: int | None) -> date | None:
    if not started_at:
        return None
    return datetime.fromtimestamp(started_at / 1000, UTC).date()
