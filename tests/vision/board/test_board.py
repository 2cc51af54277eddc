import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import UserError
from controller.vision.board.board import Board, dump_board, load_board
from controller.vision.counting.counts import CheckerSet
from controller.vision.fitted.last_layer import LOOSELY, LastLayer
from controller.vision.reader import read_board
from controller.vision.watch import watch_of
from tests.amounts import amount
from tests.rows import each_row
from tests.vision.boards import learned, picture


def lengths(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False)


@settings(max_examples=amount(25, 100))
@given(
    focal=lengths(100, 5000),
    k1=lengths(-0.5, 0.5),
    tray=lengths(10, 100),
    trays=st.sampled_from([(), ("left",), ("right",), ("left", "right")]),
    each=st.integers(1, 15),
)
def test_a_board_survives_its_file(
    focal: float, k1: float, tray: float, trays: tuple[str, ...], each: int
) -> None:
    known = learned("board6")
    board = Board(
        dataclasses.replace(known.camera, focal=focal, k1=k1),
        dataclasses.replace(known.geometry, tray_width_mm=tray, trays=trays),
        known.appearance,
        checkers=CheckerSet(each),
    )
    assert load_board(dump_board(board), "board.toml") == board


@settings(max_examples=amount(25, 100))
@given(weights=st.lists(lengths(-8, 8), min_size=24, max_size=24))
def test_what_was_learned_of_dice_and_cube_survives_the_file(weights: list[float]) -> None:
    known = learned("board6")
    dice = LastLayer.from_weights("0123", np.resize(np.array(weights), (7, 3)), 0.04)
    cube = LastLayer.from_weights("4567", np.resize(np.array(weights), (8, 3)))
    board = dataclasses.replace(known, dice=dice, cube=cube)
    again = load_board(dump_board(board), "board.toml")
    assert again == board
    assert again.dice is not None
    assert again.dice.weights.shape == (7, 3)


def test_layers_of_files_that_do_not_say_how_weights_were_held_were_held_loosely() -> None:
    firm = LastLayer.from_weights("0123", np.zeros((7, 3)), 0.04)
    text = dump_board(dataclasses.replace(learned("board6"), dice=firm))
    assert "held = 0.04" in text
    assert load_board(text.replace("held = 0.04\n", ""), "board.toml").dice == dataclasses.replace(
        firm, held=LOOSELY
    )
    with pytest.raises(UserError, match=r"my\.toml: dice\.held cannot be .firmly"):
        load_board(text.replace("held = 0.04", 'held = "firmly"'), "my.toml")


@each_row("weights", ["AAA", "not base64", "AAAA", "/38AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
def test_what_nobody_learned_is_refused(weights: str) -> None:
    text = dump_board(learned("board6")) + f'[dice]\nnetwork = "0"\nweights = "{weights}"\n'
    with pytest.raises(UserError, match=r"my\.toml: dice\.weights .*calibrate"):
        load_board(text, "my.toml")


def test_a_board_file_is_small() -> None:
    assert len(dump_board(learned("board1"))) < 500_000


def test_a_file_of_another_format_asks_for_calibration() -> None:
    text = dump_board(learned("board6")).replace("format = 1", "format = 99")
    with pytest.raises(UserError, match=r"my\.toml has format 99.*calibrate"):
        load_board(text, "my.toml")


@pytest.mark.parametrize("text", ["", "x = 1", "format = true"])
def test_a_file_without_a_format_asks_for_calibration(text: str) -> None:
    with pytest.raises(UserError, match=r"my\.toml .*calibrate"):
        load_board(text, "my.toml")


def test_what_is_no_toml_is_named_so() -> None:
    with pytest.raises(UserError, match=r"my\.toml is not a board file"):
        load_board("\x00 JFIF", "my.toml")


def test_every_missing_key_is_named() -> None:
    text = dump_board(learned("board6"))
    keys = [line for line in text.splitlines() if " = " in line and not line.startswith(("#", "format"))]
    for line in keys:
        name = line.split(" = ")[0]
        with pytest.raises(UserError, match=rf"my\.toml: [a-z.]*{name} is missing; calibrate"):
            load_board(text.replace(line + "\n", "", 1), "my.toml")


@each_row(
    ("key", "value"),
    [
        ("focal", "nan"),
        ("focal", "-5.0"),
        ("focal", '"long"'),
        ("width", "1280.5"),
        ("pitch_mm", "true"),
        ("rotation", "[0.0, 1.0]"),
        ("translation", "[0.0, 0.0, 0.0]"),
        ("home", '"up"'),
        ("trays", '["middle"]'),
        ("bare_jpeg", '"AAAA"'),
        ("bare_jpeg", '"?"'),
        ("bare_jpeg", "7"),
        ("weights", "[]"),
        ("weights", "[3.0]"),
        ("means", "[[1, 2]]"),
        ("checker_diameter_mm", "15.0"),
        ("row_pitch_mm", "150.0"),
        ("checker_thickness_mm", "55.0"),
    ],
)
def test_impossible_values_are_named_with_their_key(key: str, value: str) -> None:
    lines = dump_board(learned("board6")).splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith(f"{key} = "))
    lines[at] = f"{key} = {value}"
    with pytest.raises(UserError, match=rf"^my\.toml: [a-z.]*{key} .*calibrate"):
        load_board("\n".join(lines), "my.toml")


@given(st.text(max_size=60), st.integers(0, 3000))
def test_damage_never_ends_in_anything_but_a_clear_error(garbage: str, where: int) -> None:
    text = dump_board(learned("board6"))
    head = text.index("bare_jpeg")
    place = where % head
    damaged = text[:place] + garbage + text[place + len(garbage) :]
    assert outcome(damaged).startswith(("a board", "my.toml"))


def outcome(text: str) -> str:
    try:
        board = load_board(text, "my.toml")
    except UserError as error:
        return str(error)
    return f"a board under a camera at {board.camera.centre_mm}"


NUMBERS = ("focal", "k1", "k2", "pitch_mm", "bar_mm", "surface_height_mm", "row_pitch_mm", "tray_width_mm")


@settings(max_examples=amount(12, 25), deadline=None)
@given(
    key=st.sampled_from(NUMBERS),
    value=st.one_of(st.sampled_from([0.0, 0.5, -0.5, 2.0, 60.0, 300.0, 3000.0]), lengths(-1e4, 1e4)),
)
def test_with_any_value_a_picture_is_read_or_refused(key: str, value: float) -> None:
    lines = dump_board(learned("board6")).splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith(f"{key} = "))
    lines[at] = f"{key} = {value!r}"
    try:
        board = load_board("\n".join(lines), "my.toml")
    except UserError:
        return
    watch_of(board)
    reading = read_board(picture("board6_000"), board)
    assert len(reading.points) == 24


def test_a_board_beside_the_picture_is_refused() -> None:
    lines = dump_board(learned("board6")).splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("translation = "))
    lines[at] = "translation = [5000.0, 0.0, 700.0]"
    with pytest.raises(UserError, match=r"my\.toml: camera does not see the board"):
        load_board("\n".join(lines), "my.toml")


def test_the_order_of_the_lights_is_kept_and_files_without_it_still_load() -> None:
    known = dataclasses.replace(learned("board6"), lights={"point-1": 28, "status": 0})
    assert load_board(dump_board(known), "board.toml") == known
    assert load_board(dump_board(learned("board6")), "board.toml").lights is None


def test_where_the_lens_was_is_kept_and_files_without_it_still_load() -> None:
    known = dataclasses.replace(learned("board6"), lens_position=1.25)
    assert load_board(dump_board(known), "board.toml") == known
    assert load_board(dump_board(learned("board6")), "board.toml").lens_position is None


@pytest.mark.parametrize(
    "table", ["lens = 3", "[lens]\nposition = -1", "[lens]\nposition = true", "[lens]\n"]
)
def test_a_lens_position_that_is_none_is_told(table: str) -> None:
    text = dump_board(learned("board6"))
    text = f"{table}\n{text}" if table.startswith("lens") else f"{text}\n{table}\n"
    with pytest.raises(UserError, match=r"my\.toml: lens\.position .*calibrate"):
        load_board(text, "my.toml")


@pytest.mark.parametrize(
    "table", ["lights = 3", "[lights]\npoint-1 = 2.5", "[lights]\npoint-1 = true", '[lights]\n"a b" = 1']
)
def test_an_order_of_the_lights_that_is_none_is_told_with_the_remedy(table: str) -> None:
    text = dump_board(learned("board6"))
    text = f"{table}\n{text}" if table.startswith("lights") else f"{text}\n{table}\n"
    with pytest.raises(UserError, match=r"my\.toml: lights should hold .*calibrate lights"):
        load_board(text, "my.toml")


def test_a_file_that_does_not_tell_how_many_checkers_there_are_is_for_fifteen() -> None:
    text = dump_board(learned("board6")).replace("[checkers]\neach = 15\n", "")
    assert "checkers" not in text
    assert load_board(text, "board.toml").checkers.each == 15


@pytest.mark.parametrize("number", ["0", "16", "2.5", '"many"'])
def test_an_impossible_number_of_checkers_is_named(number: str) -> None:
    text = dump_board(learned("board6")).replace("each = 15", f"each = {number}")
    with pytest.raises(UserError, match=r"my\.toml: checkers\.each cannot be .*; it is .*15; calibrate"):
        load_board(text, "my.toml")
