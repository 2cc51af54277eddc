"""Standard notation, both ways."""

import pytest
from hypothesis import given

from controller.rules.moves.plays import legal_plays, resolve
from controller.rules.notation import Move, NotationError, Play, format_play, parse_play
from controller.rules.position import Position, Roll, Side
from tests.rows import each_row
from tests.rules.strategies import positions, rolls, sides


@each_row(
    ("play", "text"),
    [
        ((Move(8, 5), Move(6, 5)), "8/5 6/5"),
        ((Move(6, 5), Move(8, 5)), "8/5 6/5"),
        ((Move(13, 7), Move(7, 3)), "13/3"),
        ((Move(24, 23, True), Move(23, 18)), "24/23* 23/18"),
        ((Move(8, 7, True), Move(7, 1)), "8/7* 7/1"),
        ((Move(24, 18), Move(24, 18), Move(18, 12), Move(18, 12)), "24/12(2)"),
        ((Move(6, 0), Move(6, 0)), "6/off(2)"),
        ((Move(25, 22), Move(13, 11)), "bar/22 13/11"),
        ((Move(25, 20, True), Move(20, 18)), "bar/20* 20/18"),
        ((Move(13, 7), Move(7, 3, True)), "13/3*"),
        ((Move(8, 4, True), Move(8, 4)), "8/4*(2)"),
        ((Move(24, 23), Move(24, 21)), "24/23 24/21"),
        ((), "Cannot Move"),
    ],
)
def test_plays_are_written_the_standard_way(play: Play, text: str) -> None:
    assert format_play(play) == text


@each_row(
    ("text", "play"),
    [
        ("8/5 6/5", (Move(8, 5), Move(6, 5))),
        ("25/22* 6/0", (Move(25, 22, True), Move(6, 0))),
        ("bar/20*/18", (Move(25, 20, True), Move(20, 18))),
        ("Bar/22 6/OFF", (Move(25, 22), Move(6, 0))),
        ("13/7(2)", (Move(13, 7), Move(13, 7))),
        ("8/4*(2)", (Move(8, 4, True), Move(8, 4))),
        ("  cannot move ", ()),
        ("", ()),
        ("8/5, 6/5", (Move(8, 5), Move(6, 5))),
        ("8/5,6/5", (Move(8, 5), Move(6, 5))),
        ("8-5 6-5", (Move(8, 5), Move(6, 5))),
        ("6-5 8-5", (Move(6, 5), Move(8, 5))),
        ("24\u201318*", (Move(24, 18, True),)),
        ("b/22 6/o", (Move(25, 22), Move(6, 0))),
        ("bar-22", (Move(25, 22),)),
        ("13/7 (2)", (Move(13, 7), Move(13, 7))),
        ("13/7x2 8/4* x2", (Move(13, 7), Move(13, 7), Move(8, 4, True), Move(8, 4))),
        ("13/7 2x", (Move(13, 7), Move(13, 7))),
        ("31: 8/5 6/5", (Move(8, 5), Move(6, 5))),
        ("31:8/5 6/5.", (Move(8, 5), Move(6, 5))),
        ("3-1 8/5 6/5", (Move(8, 5), Move(6, 5))),
        ("31 8/5 6/5", (Move(8, 5), Move(6, 5))),
        ("66: dance", ()),
        ("6-6:", ()),
        ("Dance", ()),
        ("no move", ()),
        ("Pass", ()),
        ("can't move", ()),
    ],
)
def test_plays_are_read_in_all_usual_spellings(text: str, play: Play) -> None:
    assert parse_play(text) == play


@each_row(
    ("text", "reason"),
    [
        ("8 5", "cannot be read at '8'"),
        ("(2) 8/5", "cannot be read at '\\(2\\)'"),
        ("8/5 (2) (2)", "cannot be read at '\\(2\\)'"),
        ("31", "cannot be read at '31'"),
        ("8/1234567890123456789", "names '12345"),
        ("8/5(5)", "cannot be read"),
        ("26/20", "names '26'"),
        ("8/x", "names 'x'"),
        ("5/8", "higher point to a lower"),
        ("8/8", "higher point to a lower"),
        ("8*/5", "higher point to a lower"),
        ("8/5 6", "cannot be read at '6'"),
    ],
)
def test_what_is_no_play_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_play(text)


@given(positions(), sides, rolls)
def test_every_written_play_is_read_back_to_its_result(position: Position, side: Side, roll: Roll) -> None:
    for play in legal_plays(position, side, roll)[:12]:
        again = resolve(position, side, roll, parse_play(format_play(play.play)))
        assert again.after == play.after
