"""Files of eXtreme Gammon and BGBlitz: read as the match that they tell, or refused in a sentence."""

import struct
import sys
import zlib
from collections.abc import Iterator

import pytest

from controller.errors import UserError
from controller.record.files.foreign import common_profile
from controller.record.files.formats import read_match_file
from controller.record.files.match_text import one_line
from controller.record.files.programs import GvformatMissingError, is_bgf, is_xg
from controller.record.match.match import Act, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import objections
from controller.rules.game.events import Doubled, Passed, Taken
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.profile import Layout
from tests.record.files.test_dialects import SERVER
from tests.record.files.test_gnubg_reads import course
from tests.record.simulated import simulated

RECORD_SIZE = 2560
MATCH, GAME, CUBE, MOVE, END = 0, 1, 2, 3, 4


def seen(board: Position, side: Side) -> list[int]:
    """XG's 26 counts of a board as a side sees it."""
    own = board if side is Side.LIGHT else board.mirrored()
    return [-own.bar(Side.DARK), *own.points, own.bar(Side.LIGHT)]


def packed(kind: int, *fields: tuple[int, str, object]) -> bytes:
    data = bytearray(RECORD_SIZE)
    data[8] = kind
    for offset, form, value in fields:
        values = value if isinstance(value, list) else [value]
        struct.pack_into(form, data, offset, *values)
    return bytes(data)


def name(text: str) -> list[int]:
    return [*text.encode("utf-16-le"), 0, 0]


def sign(side: Side) -> int:
    return 1 if side is Side.LIGHT else -1


def move(turn: Turn) -> bytes:
    return packed(
        MOVE,
        (9, "<26b", seen(turn.before, Side.LIGHT)),
        (35, "<26b", seen(turn.after, turn.player)),
        (64, "<i", sign(turn.player)),
        (100, "<2i", list(turn.roll.dice)),
        (2480, "<i", 0 if turn.legal else 2),
    )


def records(match: MatchRecord) -> Iterator[bytes]:
    light, dark = name(match.light), name(match.dark)
    yield packed(
        MATCH,
        (880, f"<{len(light)}B", light),
        (1138, f"<{len(dark)}B", dark),
        (92, "<i", match.length or 99_999),
        (100, "<3B", [1, 0, 0]),
        (128, "<d", 46_026.5),
        (612, "<i", 10),
    )
    for game in match.games:
        yield packed(GAME, (12, "<2i", [game.light_score, game.dark_score]))
        yield from game_records(game)
        if game.result is not None:
            yield packed(END, (24, "<2i", [sign(game.result.winner), game.result.points]))


def game_records(game: GameRecord) -> Iterator[bytes]:
    events = [entry.event if isinstance(entry, Act) else None for entry in game.course]
    for number, entry in enumerate(game.course):
        if isinstance(entry, Turn):
            yield move(entry)
        elif isinstance(entry.event, Doubled):
            answer = {Taken: 1, Passed: 0}.get(type(events[number + 1]), -1)
            yield packed(CUBE, (12, "<3i", [sign(entry.event.side), 1, answer]))


def xg_bytes(match: MatchRecord) -> bytes:
    head = bytearray(8232)
    head[:4] = b"RGMH"
    return bytes(head) + zlib.compress(b"".join(records(match)))


@pytest.mark.parametrize("layout", [Layout.BACKGAMMON, Layout.NACKGAMMON])
def test_a_match_of_xg_is_read_with_its_cube_and_results(layout: Layout) -> None:
    for seed in range(8):
        record = simulated(seed, common_profile(beaver=False, layout=layout), 5 if seed % 2 else 0, SERVER)
        again = read_match_file(xg_bytes(record), "m.xg")
        assert list(objections(again)) == []
        assert [list(course(game)) for game in again.games] == [list(course(game)) for game in record.games]
        assert (again.light, again.dark) == (one_line(record.light), one_line(record.dark))
        assert again.length == record.length
        assert again.profile(0).opening.layout is layout
        assert [game.result and game.result.points for game in again.games] == [
            game.result and game.result.points for game in record.games
        ]
        assert str(again.facts.played_on) == "2026-01-04"


def test_a_position_of_xg_begins_where_it_was_set() -> None:
    board = Position.from_compact("b..A.DAAC...cC...cae.A....")
    turn = Turn(0, Side.LIGHT, Roll.of(3, 1), None, "", True, (), False, board, shifted(board), None, None)
    match = MatchRecord("", "", games=(GameRecord((turn,), board),))
    [game] = read_match_file(xg_bytes(match), "p.xgp").games
    assert game.start == board
    assert [(turn.text, turn.legal) for turn in game.turns] == [("8/5 6/5", True)]


def shifted(board: Position) -> Position:
    points = list(board.points)
    for source in (8, 6):
        points[source - 1] -= 1
        points[4] += 1
    return Position.of(points, board.bar(Side.LIGHT), board.bar(Side.DARK))


def test_an_illegal_play_of_xg_is_found() -> None:
    turn = Turn(0, Side.LIGHT, Roll.of(6, 1), None, "", False, (), True, START, shifted(START), None, None)
    record = read_match_file(xg_bytes(MatchRecord("a", "b", games=(GameRecord((turn,)),))), "m.xg")
    [objection] = objections(record)
    assert (objection.game, objection.ply, objection.player) == (1, 0, Side.LIGHT)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"RGMH" + bytes(100), "f is cut short"),
        (b"RGMH" + bytes(9000), "f holds no match"),
        (b"RGMH" + bytes(8228) + zlib.compress(bytes(65_000_000)), "unpacks to more than any match has"),
        (b'{"format": "BGF", "version": "1.0"}\nnothing', "no whole file of BGBlitz"),
        (b'{"format": "BGF"}', "no whole file of BGBlitz"),
        (b'{"format": "BGF"}\n' + zlib.compress(b":)\n\x03\xfa" * 9), "no whole file of BGBlitz"),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        read_match_file(data, "f")
    assert "\n" not in str(caught.value)


def test_without_the_package_people_hear_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    data = xg_bytes(MatchRecord("a", "b", games=(GameRecord(()),)))
    with pytest.raises(GvformatMissingError, match=r"pip install gammonview PyYAML"):
        read_match_file(data, "m.xg")


def test_other_files_are_not_taken_for_those_of_these_programs() -> None:
    assert not is_xg(b"OGXM")
    assert not is_bgf(b'{"format": "pointsman match"}')
    assert is_bgf(b'{"format":"BGF","version":"1.0","compress":true}\n')
