"""Files as eXtreme Gammon writes them: the records of a match, packed with the files beside them, and their index.

The layout is the one that the author of the program has published; `tests/data/record/gammonview` holds files that
the program wrote itself.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.record.match.match import Act, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import single_moves
from controller.rules.game.events import (
    Beavered,
    Doubled,
    Passed,
    Raccooned,
    ResignationAccepted,
    Resigned,
    Rolled,
    Taken,
)
from controller.rules.position import Position, Roll, Side

RECORD_SIZE = 2560
HEADER_SIZE = 8232
MATCH, GAME, CUBE, MOVE, GAME_END, MATCH_END = range(6)
NO_DECISION, RESIGNED, NOT_OFFERED = -2, -1, 0
VERSION = 30
MAGIC = 0x494C4D44
RESIGNATION = 100
"""What is added to how a game ended."""


def seen(board: Position, side: Side) -> list[int]:
    """The 26 counts of a board as a side sees it."""
    own = board if side is Side.LIGHT else board.mirrored()
    return [-own.bar(Side.DARK), *own.points, own.bar(Side.LIGHT)]


def packed(kind: int, *fields: tuple[int, str, object]) -> bytes:
    data = bytearray(RECORD_SIZE)
    data[8] = kind
    for offset, form, value in fields:
        values = value if isinstance(value, list) else [value]
        struct.pack_into(form, data, offset, *values)
    return bytes(data)


def wide(text: str) -> list[int]:
    return [*text.encode("utf-16-le"), 0, 0]


def sign(side: Side) -> int:
    return 1 if side is Side.LIGHT else -1


def move_record(turn: Turn) -> bytes:
    """A roll that was played."""
    return packed(
        MOVE,
        (9, "<26b", seen(turn.before, Side.LIGHT)),
        (35, "<26b", seen(turn.after, turn.player)),
        (64, "<i", sign(turn.player)),
        (68, "<8i", steps(turn)),
        (100, "<2i", list(turn.roll.dice)),
        (2308, "<B", 1),
        (2480, "<i", 0 if turn.legal else 2),
    )


def steps(turn: Turn) -> list[int]:
    told = [place - 1 for move in single_moves(turn) for place in (move.source, move.target)]
    return (told + [-1] * 8)[:8]


def unplayed_record(side: Side, roll: Roll, board: Position) -> bytes:
    """A roll that was not played: no steps, and no board after it."""
    return packed(
        MOVE,
        (9, "<26b", seen(board, Side.LIGHT)),
        (64, "<i", sign(side)),
        (100, "<2i", list(roll.dice)),
    )


def cube_record(side: Side, board: Position, doubled: int, *answers: int) -> bytes:
    told = [*answers, -1, -1, -1][:3]
    return packed(
        CUBE,
        (12, "<5i", [sign(side), doubled, *told]),
        (36, "<26b", seen(board, Side.LIGHT)),
    )


def records(match: MatchRecord, variation: int = 0) -> Iterator[bytes]:
    light, dark = wide(match.light), wide(match.dark)
    rules = match.profile(0)
    flags = [rules.match.crawford, rules.cube.jacoby, rules.cube.beaver, False]
    yield packed(
        MATCH,
        (880, f"<{len(light)}B", light),
        (1138, f"<{len(dark)}B", dark),
        (92, "<2i", [match.length or 99_999, variation]),
        (100, "<4B", list(map(int, flags))),
        (128, "<d", 46_026.5),
        (552, "<2i", [VERSION, MAGIC]),
        (612, "<2i", [10, 0]),
    )
    for number, game in enumerate(match.games, start=1):
        yield packed(
            GAME,
            (12, "<2i", [game.light_score, game.dark_score]),
            (21, "<26b", seen(game.start, Side.LIGHT)),
            (48, "<i", number),
        )
        yield from game_records(game)
        if game.result is not None:
            winner, points = sign(game.result.winner), game.result.points
            resigned = any(isinstance(event, ResignationAccepted) for event in _events(game))
            ended = RESIGNATION + 1 if resigned else 1
            yield packed(GAME_END, (24, "<3i", [winner, points, ended]))
    yield packed(MATCH_END)


def _events(game: GameRecord) -> list[object]:
    return [entry.event if isinstance(entry, Act) else None for entry in game.course]


def game_records(game: GameRecord) -> Iterator[bytes]:
    events, board = _events(game), game.start
    for number, entry in enumerate(game.course):
        following = events[number + 1 :]
        if isinstance(entry, Turn):
            decision = NOT_OFFERED if number else NO_DECISION
            yield cube_record(entry.player, entry.before, decision)
            yield move_record(entry)
            board = entry.after
        elif isinstance(entry.event, Doubled):
            yield cube_record(entry.event.side, board, 1, *answers_to_double(following))
        elif isinstance(entry.event, Rolled):
            yield unplayed_record(entry.event.side, entry.event.roll, board)
        elif isinstance(entry.event, Resigned) and not isinstance(events[number - 1], Rolled):
            yield cube_record(entry.event.side, board, RESIGNED)


def answers_to_double(following: Sequence[object]) -> list[int]:
    """What the opponent, the doubler and the opponent again answered."""
    answers: list[int] = []
    for event in following:
        if isinstance(event, Beavered | Raccooned):
            answers.append(2)
            continue
        if isinstance(event, Taken | Passed):
            answers.append(int(isinstance(event, Taken)))
        break
    return answers


@dataclass(frozen=True)
class PackedFile:
    name: str
    data: bytes


def archive(*files: PackedFile, picture: bytes = b"\xff\xd8picture\xff\xd9") -> bytes:
    """The whole file: header, picture, packed files, their index, the end."""
    head = bytearray(HEADER_SIZE)
    struct.pack_into("<4sIIQI", head, 0, b"RGMH", 1, HEADER_SIZE, 0, len(picture))
    blobs, index = b"", b""
    for file in files:
        blob, entry = zlib.compress(file.data), bytearray(532)
        entry[0] = len(file.name)
        entry[1 : 1 + len(file.name)] = file.name.encode()
        check = zlib.crc32(file.data)
        struct.pack_into("<iiiIBB", entry, 512, len(file.data), len(blob), len(blobs), check, 0, 2)
        blobs, index = blobs + blob, index + bytes(entry)
    packed_index = zlib.compress(index)
    body = blobs + packed_index
    end = bytearray(36)
    struct.pack_into("<IiiiiB", end, 0, zlib.crc32(body), len(files), 1, len(packed_index), len(blobs), 1)
    return bytes(head) + picture + body + bytes(end)


def archive_of(all_records: Sequence[bytes], *, summary_first: bool = False) -> bytes:
    """A file with the records and the copy of the first and last ones that eXtreme Gammon keeps beside them."""
    whole = PackedFile("temp.xg", b"".join(all_records))
    summary = PackedFile("temp.xgi", all_records[0] + all_records[-1])
    return archive(*((summary, whole) if summary_first else (whole, summary)))


def xg_bytes(match: MatchRecord, variation: int = 0, *, summary_first: bool = False) -> bytes:
    return archive_of(list(records(match, variation)), summary_first=summary_first)


def unpacked(data: bytes) -> list[bytes]:
    """The records of a file that the program wrote."""
    (picture,) = struct.unpack_from("<I", data, 20)
    whole = zlib.decompressobj().decompress(data[HEADER_SIZE + picture :])
    return [whole[at : at + RECORD_SIZE] for at in range(0, len(whole), RECORD_SIZE)]
