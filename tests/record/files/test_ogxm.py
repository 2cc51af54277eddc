"""OGXM through the reference codec: nothing it objects to, and the same match back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import ogxm
import pytest

from controller.record.files.foreign import common_profile
from controller.record.files.formats import read_match_file
from controller.record.files.mat import read_mat
from controller.record.files.match_text import MatchFileError
from controller.record.files.ogxmfile import ogxm_bytes, ogxm_document, plain_document, read_ogxm
from controller.record.match.match import Act, Facts, GameRecord, MatchRecord, RecordedResult, Turn
from controller.record.match.playthrough import RecordFault, objections
from controller.rules.game.events import (
    Beavered,
    Doubled,
    MatchForfeited,
    Passed,
    Raccooned,
    ResignationAccepted,
    Resigned,
    RulesEvent,
    Taken,
)
from controller.rules.game.match import Terms
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Roll, Side
from tests.amounts import amount
from tests.record.files.test_gnubg_reads import KINDS, WILD, course, matches
from tests.record.files.test_matread import OTHER_RULES, records_of, told
from tests.record.matches import misplayed, random_match
from tests.record.simulated import simulated
from tests.rows import each_row


@each_row("kind", [*KINDS, *OTHER_RULES])
def test_the_codec_objects_to_nothing_and_the_match_comes_back_equal(kind: str) -> None:
    for record in records_of(kind):
        data = ogxm_bytes(record)
        document = ogxm.binary_to_json(data)
        assert ogxm.v2_problem(document) is None
        assert document["replay_complete"]
        again = read_ogxm(data, "x.ogxm")
        assert again == record
        assert ogxm_bytes(again) == data


def doubled_before_any_turn(game: GameRecord) -> bool:
    """OGXM has no such thing; only a game that begins from another position can have it."""
    first = next(iter(game.course), None)
    return isinstance(first, Act) and isinstance(first.event, Doubled)


def times(game: GameRecord) -> Iterator[float | None]:
    return (turn.t for turn in game.played)


@each_row("kind", [*KINDS, *OTHER_RULES])
def test_the_plies_by_themselves_tell_the_same_match(kind: str) -> None:
    """As a reader of another program sees it, without the record that rides along."""
    for record in records_of(kind)[:20]:
        if doubled_before_any_turn(record.games[0]):
            continue
        again = read_ogxm(ogxm.json_to_binary(plain_document(record)), "x.ogxm")
        assert told(again) == told(record)
        assert again.terms == record.terms
        assert [game.start for game in again.games] == [game.start for game in record.games]
        for game, other in zip(record.games, again.games, strict=True):
            assert [turn.legal for turn in game.played] == [turn.legal for turn in other.played]
            assert list(times(other)) == list(times(game))
            mine, theirs = game.result, other.result
            assert (mine and (mine.winner, mine.points)) == (theirs and (theirs.winner, theirs.points))
        assert {objection.fault for objection in objections(again)} <= {RecordFault.ILLEGAL_PLAY}


@pytest.mark.parametrize("letter", ["z", "é", "中", "😀"])
def test_facts_of_any_length_in_any_script_fit_into_their_fields_and_come_back_whole(letter: str) -> None:
    long = f"{letter * 300} end"
    facts = Facts(None, long, long, long, long, long)
    match = replace(random_match(1, games=1), light=long, dark=f"{long} too", facts=facts)
    assert read_ogxm(ogxm_bytes(match), "x.ogxm") == match
    document = plain_document(match)
    assert all(set(document[name]) == {letter} for name in ("event", "stage", "table", "city"))


def test_a_file_that_was_changed_elsewhere_is_read_from_its_plies() -> None:
    record = next(record for record in matches("tidy match") if len(record.games[0].turns) > 5)
    document = ogxm_document(record)
    document["player_white"] = "Somebody else"
    again = read_ogxm(ogxm.json_to_binary(document), "x.ogxm")
    assert again.light == "Somebody else"
    assert told(again) == told(record)


def test_illegal_plays_carry_their_flag_and_times_are_clock_and_film_mark() -> None:
    record = next(
        record
        for record in matches("wild match")
        if any(not turn.legal for game in record.games for turn in game.played)
    )
    record = replace(record, games=tuple(replace(g, entries=tuple(g.played)) for g in record.games))
    document = ogxm.binary_to_json(ogxm_bytes(record))
    plies = [ply for game in document["games"] for ply in game["plies"]]
    turns = [turn for game in record.games for turn in game.turns]
    marks = {round(1000 * turn.t) for turn in turns if turn.t is not None}
    assert sum(ply.get("illegal", False) for ply in plies) == sum(not turn.legal for turn in turns)
    assert {ply["video_ms"] for ply in plies if "video_ms" in ply} == marks


def test_a_turn_of_a_side_that_was_not_on_roll_sets_the_board_first() -> None:
    record = next(record for record in matches("tidy match") if len(record.games[0].turns) > 8)
    game = record.games[0]
    turns = [entry for entry in game.entries if isinstance(entry, Turn | Act)]
    last = game.turns[6]
    fewer = tuple(entry for entry in turns if not isinstance(entry, Turn) or entry.ply not in (4, 5))
    gap = replace(record, games=(replace(game, entries=fewer, result=None),))
    again = read_ogxm(ogxm.json_to_binary(plain_document(gap)), "x.ogxm")
    assert list(course(again.games[0])) == list(course(gap.games[0]))
    assert last.after in [turn.after for turn in again.games[0].turns]


def test_a_side_that_plays_twice_running_is_put_on_roll_though_the_board_is_as_it_was() -> None:
    """The turn between moved nothing, and is not in the record."""
    record, between = next(
        (record, turn)
        for record in matches("tidy match")
        for turn in record.games[0].turns[1:-1]
        if turn.before == turn.after
    )
    game = record.games[0]
    fewer = tuple(entry for entry in game.course if entry is not between)
    gap = replace(record, games=(replace(game, entries=fewer, result=None),))
    assert set_positions(gap) == set_positions(record) + 1


@each_row(
    "answers, cube",
    [
        ((Taken(Side.DARK),), (2, "black")),
        ((Beavered(Side.DARK), Taken(Side.LIGHT)), (4, "black")),
        ((Beavered(Side.DARK), Raccooned(Side.LIGHT), Taken(Side.DARK)), (8, "black")),
        ((Passed(Side.DARK),), None),
    ],
)
def test_a_double_that_answers_an_opening_play_against_the_rules_is_in_the_file(
    answers: tuple[RulesEvent, ...], cube: tuple[int, str] | None
) -> None:
    """The format knows a play that broke the rules only as a position, and no double before a first play."""
    after = legal_plays(START, Side.DARK, Roll(6, 5))[0].after
    first = misplayed(0, Side.DARK, Roll(4, 2), START, after, stands=True)
    acts = (Act(Doubled(Side.LIGHT)), *map(Act, answers))
    result = None if cube else RecordedResult(Side.LIGHT, 1)
    match = MatchRecord("Anna", "Béla", Terms.money(common_profile()), ())
    record = replace(match, games=(GameRecord((first, *acts), result=result),))
    data = ogxm_bytes(record)
    assert read_ogxm(data, "x.ogxm") == record
    plies = ogxm.binary_to_json(data)["games"][0]["plies"]
    assert [(ply["cube_value"], ply["cube_owner"]) for ply in plies if "cube_value" in ply] == (
        [cube] if cube else []
    )


def set_positions(record: MatchRecord) -> int:
    """How many plies of the first game set a position."""
    return sum("set_position" in ply for ply in plain_document(record)["games"][0]["plies"])


@pytest.mark.parametrize("data", [b"", b"OGXM", b"OGXM" + bytes(60), b"x" * 100])
def test_what_is_no_ogxm_is_told_in_a_sentence(data: bytes) -> None:
    with pytest.raises(MatchFileError, match=r"x\.ogxm is no OGXM"):
        read_ogxm(data, "x.ogxm")


def test_every_truncated_file_is_refused_and_every_changed_one_refused_or_read() -> None:
    data = ogxm_bytes(matches("wild match")[3])
    read = 0
    for at in range(0, len(data), amount(31, 7)):
        with pytest.raises(MatchFileError):
            read_ogxm(data[:at], "x.ogxm")
        try:
            changed = read_ogxm(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :], "x.ogxm")
        except MatchFileError:
            continue
        read += 1
        assert isinstance(changed, MatchRecord)
    assert read > 0


def ended(action: int, *, color: int, winner: int, points: int) -> MatchRecord:
    """A match to 5 whose only game ends with an action of the format."""
    head = " 5 point match\n\n Game 1\n Anna : 0                   Bela : 0\n"
    record = read_mat(head + "  1) 31: 8/5 6/5\n      Wins 1 point\n", "x")
    document = plain_document(record)
    [game] = document["games"]
    game |= {"winner": winner, "points_won": points}
    game.pop("termination")
    game["plies"][-1] = {"color": color, "action_id": action, "resign_value": "single"}
    return read_ogxm(ogxm.json_to_binary(document), "x.ogxm")


def test_who_resigns_the_match_ends_it_once() -> None:
    record = ended(28, color=0, winner=0, points=5)
    events = [entry.event for entry in record.games[0].entries if isinstance(entry, Act)]
    assert events == [MatchForfeited(Side.DARK)]
    assert list(objections(record)) == []
    assert record.games[0].result is not None
    assert record.games[0].result.winner is Side.LIGHT


def test_who_resigns_a_game_ends_it_once() -> None:
    record = ended(27, color=0, winner=0, points=2)
    events = [entry.event for entry in record.games[0].entries if isinstance(entry, Act)]
    assert events == [Resigned(Side.DARK, 2), ResignationAccepted(Side.LIGHT)]
    assert list(objections(record)) == []


def test_annotations_of_people_are_passed_over() -> None:
    record = records_of("tidy match")[0]
    document = plain_document(record)
    document["annotations"].append({"ref": 0, "scope": "match", "value": "Well played"})
    assert told(read_ogxm(ogxm.json_to_binary(document), "x.ogxm")) == told(record)


def test_a_document_written_out_as_json_is_read_as_its_file_is() -> None:
    """GammonView's `.gva` files are such documents."""
    record = simulated(3, "hubgf-match", 3, WILD)
    document = plain_document(record)
    told = read_match_file(json.dumps(document).encode(), "m.gva")
    assert told == read_match_file(ogxm.json_to_binary(document), "m.ogxm")


def test_a_match_that_gammonview_converted_is_read() -> None:
    text = (Path(__file__).parents[2] / "data/record/gammonview/B4_SrGcsKAQmoTyHlgJCbM.mat").read_text()
    document = pytest.importorskip("gvformat.mat").mat_to_ogxm(text)
    told, meant = (
        read_match_file(json.dumps(document).encode(), "m.gva"),
        read_match_file(text.encode(), "m.mat"),
    )
    assert list(objections(told)) == []
    assert [len(game.turns) for game in told.games] == [len(game.turns) for game in meant.games]
    assert [game.result and game.result.points for game in told.games] == [
        game.result and game.result.points for game in meant.games
    ]


@pytest.mark.parametrize(
    "text", ['{"match_length": 5, "plies": 3', '{"match_length": 5, "games": [{"plies": 3}]}']
)
def test_a_damaged_document_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(MatchFileError, match=r"^m\.gva ") as caught:
        read_match_file(text.encode(), "m.gva")
    assert "\n" not in str(caught.value)
