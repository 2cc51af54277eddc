"""Files of eXtreme Gammon: some that it wrote itself, the shapes that its files take, and damaged ones."""

import random
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import UserError
from controller.record.files.foreign import common_profile
from controller.record.files.formats import Format, format_match, read_match_file
from controller.record.files.match_text import one_line
from controller.record.match.match import Act, GameRecord, MatchRecord, RecordedResult, Turn
from controller.record.match.playthrough import RecordFault, objections
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
from controller.rules.moves.plays import LegalPlay
from controller.rules.notation import Move
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.profile import Layout
from tests.record.files.test_dialects import SERVER
from tests.record.files.test_gnubg_reads import course
from tests.record.files.xg_file import (
    CUBE,
    GAME,
    GAME_END,
    MOVE,
    PackedFile,
    archive,
    archive_of,
    cube_record,
    move_record,
    packed,
    records,
    seen,
    unpacked,
    unplayed_record,
    xg_bytes,
)
from tests.record.matches import misplayed, played, terms_of
from tests.record.simulated import simulated
from tests.rows import each_row

REAL = Path(__file__).parents[2] / "data" / "record" / "gammonview"
FILES = ("B4_SrGcsKAQmoTyHlgJCbM", "hQ8sVn2LbTdF4wRm")
VARIATIONS = (Layout.BACKGAMMON, Layout.NACKGAMMON, Layout.HYPERGAMMON, Layout.LONGGAMMON)


def real(name: str, ending: str = "xg") -> MatchRecord:
    return read_match_file((REAL / f"{name}.{ending}").read_bytes(), name)


def events(game: GameRecord) -> list[object]:
    return [entry.event for entry in game.entries if isinstance(entry, Act)]


def shifted(board: Position, side: Side = Side.LIGHT) -> Position:
    """The board after 8/5 6/5."""
    own = board if side is Side.LIGHT else board.mirrored()
    points = list(own.points)
    for source in (8, 6):
        points[source - 1] -= 1
        points[4] += 1
    after = Position.from_counts(points, own.bar(Side.LIGHT), own.bar(Side.DARK))
    return after if side is Side.LIGHT else after.mirrored()


def pointed(ply: int, side: Side, before: Position = START) -> Turn:
    """A roll of 3-1 played 8/5 6/5."""
    made = LegalPlay.known((Move(8, 5), Move(6, 5)), shifted(before, side))
    return played(ply, side, Roll.from_dice(3, 1), before, made)


def one_game(*entries: Turn | Act, result: RecordedResult | None = None, length: int = 5) -> MatchRecord:
    return MatchRecord("A", "B", terms_of(length), (GameRecord(tuple(entries), result=result),))


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_the_program_wrote_is_the_match_that_its_text_tells(name: str) -> None:
    binary, text = real(name), real(name, "mat")
    for game, other in zip(binary.games, text.games, strict=True):
        assert [(turn.player, turn.roll, turn.after) for turn in game.turns] == [
            (turn.player, turn.roll, turn.after) for turn in other.turns
        ]
        assert (game.light_score, game.dark_score) == (other.light_score, other.dark_score)
        assert game.result == other.result
    assert {binary.light, binary.dark} == {text.light, text.dark}
    assert [objection.fault for objection in objections(binary)] == [
        objection.fault for objection in objections(text)
    ]


def test_only_the_plays_that_the_program_marks_are_illegal() -> None:
    told = [(objection.game, objection.ply, objection.player) for objection in objections(real(FILES[1]))]
    assert told == [(2, 35, Side.LIGHT), (3, 17, Side.DARK), (3, 26, Side.LIGHT)]


@pytest.mark.parametrize("name", FILES)
def test_who_resigns_after_the_roll_is_not_accused_and_loses_the_game(name: str) -> None:
    all_records = unpacked((REAL / f"{name}.xg").read_bytes())
    before = real(name)
    resigned = [number for number, record in enumerate(all_records) if is_resignation(record)]
    assert resigned
    for number in resigned:
        loser = Side.LIGHT if struct.unpack_from("<i", all_records[number], 12) == (1,) else Side.DARK
        board = board_after(all_records[:number])
        all_records[number] = unplayed_record(loser, Roll.from_dice(6, 3), board)
    again = read_match_file(archive_of(all_records), "m.xg")
    assert [objection.text for objection in objections(again)] == [
        objection.text for objection in objections(before)
    ]
    assert [game.result for game in again.games] == [game.result for game in before.games]
    unplayed = [event for game in again.games for event in events(game) if isinstance(event, Rolled)]
    assert len(unplayed) == len(resigned)
    assert all(event.roll == Roll.from_dice(6, 3) for event in unplayed)


def is_resignation(record: bytes) -> bool:
    return record[8] == CUBE and struct.unpack_from("<i", record, 16) == (-1,)


def board_after(all_records: list[bytes]) -> Position:
    turn = [record for record in all_records if record[8] == MOVE][-1]
    counts, side = struct.unpack_from("<26b", turn, 35), struct.unpack_from("<i", turn, 64)[0]
    board = Position.from_counts(
        list(counts[1:25]), max(counts[25], counts[0], 0), -min(counts[25], counts[0], 0)
    )
    return board if side > 0 else board.mirrored()


def test_a_resignation_after_the_roll_is_that_of_the_match_that_was_played() -> None:
    resigned = 0
    for seed in range(12):
        record = simulated(seed, common_profile(beaver=False), 5, replace(SERVER, resign=0.2))
        again = read_match_file(xg_bytes(record), "m.xg")
        assert list(objections(again)) == []
        assert results_of(again) == results_of(record)
        resigned += sum(isinstance(event, Rolled) for game in again.games for event in events(game))
    assert resigned


def results_of(record: MatchRecord) -> list[tuple[Side, int] | None]:
    return [game.result and (game.result.winner, game.result.points) for game in record.games]


def test_a_file_that_was_saved_in_the_middle_of_a_game_is_read_as_far_as_it_goes() -> None:
    record = one_game(pointed(0, Side.LIGHT), Act(Rolled(Side.DARK, Roll.from_dice(6, 4))))
    again = read_match_file(xg_bytes(record), "m.xg")
    assert list(objections(again)) == []
    assert [turn.text for turn in again.games[0].turns] == ["8/5 6/5"]
    assert events(again.games[0]) == [Rolled(Side.DARK, Roll.from_dice(6, 4))]
    assert again.games[0].result is None


def test_a_roll_of_which_the_program_keeps_the_board_before_it_was_not_played() -> None:
    """A roll whose board is not empty, but which the program says was not played, is no play that nobody made."""
    first = pointed(0, Side.LIGHT)
    waiting = bytearray(unplayed_record(Side.DARK, Roll.from_dice(6, 4), first.after))
    struct.pack_into("<26b", waiting, 35, *seen(first.after, Side.DARK))
    all_records = list(records(one_game(first)))
    again = read_match_file(archive_of([*all_records[:-1], bytes(waiting)]), "m.xg")
    assert list(objections(again)) == []
    assert events(again.games[0]) == [Rolled(Side.DARK, Roll.from_dice(6, 4))]


@pytest.mark.parametrize("number", range(4))
def test_a_match_is_read_with_its_cube_and_results_in_every_variation(number: int) -> None:
    layout = VARIATIONS[number]
    for seed in range(6):
        record = simulated(seed, common_profile(beaver=False, layout=layout), 5 if seed % 2 else 0, SERVER)
        again = read_match_file(xg_bytes(record, number), "m.xg")
        assert list(objections(again)) == []
        assert [list(course(game)) for game in again.games] == [list(course(game)) for game in record.games]
        assert (again.light, again.dark) == (one_line(record.light), one_line(record.dark))
        assert again.length == record.length
        assert again.profile(0).opening.layout is layout
        assert results_of(again) == results_of(record)
        assert str(again.facts.played_on) == "2026-01-04"


def test_nackgammon_is_told_by_the_first_board_where_an_old_file_does_not_name_it() -> None:
    record = simulated(3, common_profile(beaver=False, layout=Layout.NACKGAMMON), 5, SERVER)
    again = read_match_file(xg_bytes(record), "m.xg")
    assert again.profile(0).opening.layout is Layout.NACKGAMMON
    assert list(objections(again)) == []


def test_the_match_is_found_wherever_its_file_lies_in_the_archive() -> None:
    record = simulated(2, common_profile(beaver=False), 5, SERVER)
    first, second = (
        read_match_file(xg_bytes(record, summary_first=first), "m.xg") for first in (False, True)
    )
    assert first == second
    assert len(first.games) == len(record.games)


@each_row(
    ("answers", "told"),
    [
        ((1,), [Taken(Side.DARK)]),
        ((0,), [Passed(Side.DARK)]),
        ((-1,), []),
        ((2, 1), [Beavered(Side.DARK), Taken(Side.LIGHT)]),
        ((2, 0), [Beavered(Side.DARK), Passed(Side.LIGHT)]),
        ((2, 2, 1), [Beavered(Side.DARK), Raccooned(Side.LIGHT), Taken(Side.DARK)]),
        ((2, 2, 0), [Beavered(Side.DARK), Raccooned(Side.LIGHT), Passed(Side.DARK)]),
    ],
)
def test_a_double_is_read_with_every_answer(answers: tuple[int, ...], told: list[object]) -> None:
    money = MatchRecord("A", "B", games=(GameRecord(()),))
    head = next(iter(records(money)))
    game = packed(GAME, (21, "<26b", seen(START, Side.LIGHT)))
    first = pointed(0, Side.DARK)
    double = cube_record(Side.LIGHT, first.after, 1, *answers)
    [again] = read_match_file(archive_of([head, game, move_record(first), double]), "m.xg").games
    assert events(again) == [Doubled(Side.LIGHT), *told]


def test_automatic_doubles_of_a_money_game_count() -> None:
    head = bytearray(next(records(MatchRecord("A", "B", games=(GameRecord(()),)))))
    head[103] = 1
    game = packed(GAME, (21, "<26b", seen(START, Side.LIGHT)), (64, "<i", 1))
    first = pointed(0, Side.DARK)
    double = cube_record(Side.LIGHT, first.after, 1, 0)
    end = packed(GAME_END, (24, "<3i", [1, 2, 0]))
    record = read_match_file(archive_of([bytes(head), game, move_record(first), double, end]), "m.xg")
    assert list(objections(record)) == []
    assert record.games[0].result is not None
    assert record.games[0].result.points == 2


def test_a_position_begins_where_it_was_set() -> None:
    board = Position.from_compact("b..A.DAAC...cC...cae.A....")
    turn = Turn(
        0, Side.LIGHT, Roll.from_dice(3, 1), None, "", True, (), False, board, shifted(board), None, None
    )
    match = MatchRecord("", "", games=(GameRecord((turn,), board),))
    [game] = read_match_file(xg_bytes(match), "p.xgp").games
    assert game.start == board
    assert [(turn.text, turn.legal) for turn in game.turns] == [("8/5 6/5", True)]


def test_a_position_with_a_decision_of_the_cube_alone_is_kept() -> None:
    board = Position.from_compact("b..A.DAAC...cC...cae.A....")
    head, *_ = records(MatchRecord("A", "B", games=(GameRecord(()),)))
    [game] = read_match_file(archive_of([head, packed(GAME), cube_record(Side.LIGHT, board, 0)]), "p").games
    assert game.start == board


def test_an_illegal_play_that_the_program_marks_is_found() -> None:
    turn = replace(
        misplayed(0, Side.LIGHT, Roll.from_dice(6, 1), START, START, stands=True), after=shifted(START)
    )
    [objection] = objections(read_match_file(xg_bytes(one_game(turn)), "m.xg"))
    assert (objection.fault, objection.ply, objection.player) == (RecordFault.ILLEGAL_PLAY, 0, Side.LIGHT)


def test_a_board_that_jumps_without_an_illegal_play_accuses_nobody() -> None:
    first = pointed(0, Side.LIGHT)
    elsewhere = Position.from_compact("b....E.C...eC...cBe....B..")
    later = pointed(1, Side.DARK, elsewhere)
    told = list(objections(read_match_file(xg_bytes(one_game(first, later)), "m.xg")))
    assert [objection.fault for objection in told] == [RecordFault.GAP]


def test_a_file_that_unpacks_to_more_than_any_match_has_is_refused() -> None:
    packed = zlib.compress(bytes(65_000_000))
    with pytest.raises(UserError, match="unpacks to more than any match has") as caught:
        read_match_file(b"RGMH" + bytes(8228) + packed, "f")
    assert "\n" not in str(caught.value)


@each_row(
    ("data", "message"),
    [
        (b"RGMH" + bytes(100), "f is cut short"),
        (b"RGMH" + bytes(9000), "f holds no match"),
        (archive(), "f holds no match"),
        (archive(PackedFile("temp.xg", b"\0" * 100)), "f holds no match"),
        (archive(PackedFile("temp.xg", bytes(range(250)) * 100))[:-300], "f is cut short|f holds no match"),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        read_match_file(data, "f")
    assert "\n" not in str(caught.value)


def test_a_file_cut_anywhere_is_refused_in_a_sentence() -> None:
    whole = (REAL / f"{FILES[0]}.xg").read_bytes()
    for size in (3, 4000, 9000, 20_000, 40_000):
        with pytest.raises(UserError, match=r"^f ") as caught:
            read_match_file(whole[:size], "f")
        assert "\n" not in str(caught.value)


def test_a_result_after_a_resignation_in_the_rest_of_the_match_is_whose_it_is() -> None:
    """What a wrongly read game began went on through the whole match: the scores turned round with it."""
    turn = pointed(0, Side.LIGHT)
    lost = GameRecord(
        (
            turn,
            Act(Rolled(Side.DARK, Roll.from_dice(6, 2))),
            Act(Resigned(Side.DARK, 2)),
            Act(ResignationAccepted(Side.LIGHT)),
        ),
        result=RecordedResult(Side.LIGHT, 2),
    )
    match = MatchRecord("A", "B", terms_of(5), (lost, replace(lost, light_score=2)))
    again = read_match_file(xg_bytes(match), "m.xg")
    assert list(objections(again)) == []
    assert results_of(again) == [(Side.LIGHT, 2), (Side.LIGHT, 2)]


def test_a_changed_file_is_refused_in_a_sentence_or_read() -> None:
    """Fields of the records hold anything: dice, players, boards, steps, scores, lengths."""
    whole, chance = unpacked((REAL / f"{FILES[0]}.xg").read_bytes()), random.Random(1)
    for _ in range(30):
        changed = [bytearray(record) for record in whole]
        for _ in range(chance.randint(1, 30)):
            record, at = (
                chance.choice(changed),
                chance.choice((8, 9, 12, 16, 20, 35, 64, 68, 92, 96, 100, 612)),
            )
            record[at + chance.randrange(4)] = chance.randrange(256)
        said = ""
        try:
            match = read_match_file(archive_of([bytes(record) for record in changed]), "f")
            list(objections(match))
            format_match(match, Format.MAT)
        except UserError as error:
            said = str(error)
        assert "\n" not in said
