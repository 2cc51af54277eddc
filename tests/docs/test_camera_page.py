"""What hardware_docs/camera.md reckons is right, its numbers are the program's, its quotes what the program says."""

import ast
import re
import signal
from dataclasses import replace
from math import atan, degrees, radians, tan
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.app.closer import closer
from controller.devices.camera import condition, feed_holder, live, phone, ribbon, sources
from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.ribbon import SensorMode, choose_mode, still_mode, still_size
from controller.messages.catalogue import catalogue
from controller.record.table.inputs import reading_record
from controller.vision import baseline, looks, reader, reduction, watch
from controller.vision.board import displacement, drift
from controller.vision.dice import cube, places
from controller.vision.dice.dice_size import ASKED
from controller.vision.hands import hands, occlusion, overview
from controller.vision.reader import read_board
from controller.web.phone import desk
from controller.web.wire import one_time_code
from tests.cli.test_run import begun, ended
from tests.devices.camera.pi.picamera2 import MODES, WHOLE
from tests.docs.set_up_page import CAMERA, section, sentence
from tests.rows import each_row
from tests.test_imports import ROOT
from tests.vision.boards import learned, picture

NUMBERS = {"two": 2, "three": 3, "four": 4, "six": 6, "ten": 10, "twelve": 12, "twice": 2, "tenth": 10}
CHECKER_MM, DIE_MM, SHORT_MM = 42, 15, 600


def rows(heading: str, header: str) -> list[list[str]]:
    """The cells of the table below a heading whose first row begins like this."""
    words = section(CAMERA, heading)
    start = next(place for place, each in enumerate(words) if each.startswith(header))
    width = words[start].count(" | ")
    table = []
    for row in words[start + 1 :]:
        if row.count(" | ") != width:
            break
        table.append(row.split(" | "))
    return table


def figure(text: str) -> float:
    """A number in figures or in letters."""
    return float(NUMBERS[text]) if text in NUMBERS else float(text.replace(",", ""))


def upright(across: float) -> float:
    """The angle across the short side of a picture of 16:9."""
    return 2 * degrees(atan(tan(radians(across) / 2) * 9 / 16))


# --- what is reckoned -----------------------------------------------------------------------------------------


def test_each_distance_follows_from_its_angle_of_view() -> None:
    table = rows("Where to put it", "horizontal angle of view")
    assert len(table) >= 7
    for angle, distance in table:
        half = radians(upright(figure(angle.split()[0]))) / 2
        assert abs(SHORT_MM / 20 / tan(half) - figure(distance.split()[0])) <= 1, angle
    lens = degrees(2 * atan(4056 * 1.55e-3 / 2 / 6))
    assert round(lens) == figure(table[0][0].split()[0])


def test_each_sensor_is_read_out_and_seen_as_the_page_says() -> None:
    table = rows("Where to put it", "sensor")
    assert {name.lower() for name, *_ in table} == set(MODES)
    for name, _, small, large, seen in table:
        modes = [
            SensorMode(each["size"], each["bit_depth"], each["fps"], each["crop_limits"])
            for each in MODES[name.lower()]
        ]
        for wished, cell in (((1280, 720), small), ((1920, 1080), large)):
            mode = choose_mode(modes, wished, 15.0)
            assert mode is not None
            assert f"{mode.size[0]} x {mode.size[1]}" == cell
        width, height = WHOLE[name.lower()]
        assert f"{width} x {min(height, width * 9 // 16)}" in seen


def test_the_sizes_and_rates_of_stills_are_those_of_the_page() -> None:
    kinds = {name: (still, cost) for name, still, cost in rows("Stills for the dice", "camera")}
    still, cost = kinds["ribbon"]
    for name, words in (("imx708", "Module 3"), ("imx219", "Module 2"), ("imx477", "HQ")):
        modes = [
            SensorMode(each["size"], each["bit_depth"], each["fps"], each["crop_limits"])
            for each in MODES[name]
        ]
        mode = still_mode(modes, Wish(size=(1280, 720), still=True))
        assert mode is not None
        width, height = still_size(mode, (1280, 720))
        assert f"{width} x {height} ({words})" in still
        if name != "imx219":
            assert re.search(rf"\b{mode.fps:.0f}\b", cost)
    still, _ = kinds["USB"]
    (full, older) = sources.STILL_SIZES
    assert still == f"{full[0]} x {full[1]}, or {older[0]} x {older[1]} for pictures of 4:3"
    for words in ("the one with the most pixels that gives", "is run at its larger size only if it gives"):
        assert f"gives {ribbon.LEAST_FPS:.0f} pictures a second" in sentence(CAMERA, words)
    assert f"less than {closer.CLEAR_PX:.0f} pixels wide" in sentence(CAMERA, "If a roll lies at rest")
    assert sentence(CAMERA, f"Of dice below {closer.SMALL_PX:.0f} pixels the still tells the numbers alone")
    assert NUMBERS[sentence(CAMERA, "another one is taken").partition("taken ")[2].split()[0]] == closer.STOPS
    told = catalogue("en").text("camera", "reason", "ok_stills", name="", size="1280x720", stills="4608x2592")
    quoted = sentence(CAMERA, "Set-up says what a camera gives").partition(": ")[2].rstrip(".")
    assert quoted in told


def test_checkers_and_dice_are_as_wide_as_the_page_reckons() -> None:
    angles = {
        name.partition(" (")[2].partition(",")[0].partition(" with")[0].partition(")")[0]: figure(
            name.split()[0]
        )
        for name, _ in rows("Where to put it", "horizontal angle of view")
        if "(" in name
    }
    table = rows("How many pixels a checker and a pip need", "camera")
    assert len(table) >= 9
    for camera, height, seen, *cells in table:
        half = tan(radians(upright(angles[camera.partition(",")[0]])) / 2)
        across = 2 * half * figure(height.split()[0])
        assert abs(across - figure(seen.split()[0])) <= 1, (camera, height)
        for pixels, cell in zip((720, 1080), cells, strict=True):
            checker, die = (figure(each) for each in re.findall(r"\d+", cell))
            assert abs(checker - CHECKER_MM / 10 / across * pixels) <= 1
            assert abs(die - DIE_MM / 10 / across * pixels) <= 1
    words = sentence(CAMERA, "a checker of 42 mm is about")
    assert abs(figure(words.split()[-3]) - CHECKER_MM / SHORT_MM * 720) <= 1
    for pixels, said in (
        (720, "is 18 pixels wide at 1280 x 720, and a pip 3"),
        (1080, "they are 27 and 4 to 5"),
    ):
        assert sentence(CAMERA, said)
        die, pip = (figure(each) for each in re.findall(r"(?:is|are|pip|and) (\d+)", said))
        assert die == DIE_MM / SHORT_MM * pixels
        assert pip == die / 6 // 1


def test_what_a_checker_and_a_pip_need_is_what_the_measurement_shows() -> None:
    needed = figure(re.findall(r"needs (\d+) pixels", sentence(CAMERA, "A checker needs"))[0])
    pip = figure(re.findall(r"needs (\d+) pixels", sentence(CAMERA, "A pip needs"))[0])
    for checker, points, _, pips, rolls in rows(
        "How many pixels a checker and a pip need", "width of a checker"
    ):
        right, of = (figure(each) for each in points.split(" of "))
        assert right == of or figure(checker.split()[0]) < needed
        read, thrown = (figure(each) for each in rolls.split(" of "))
        assert thrown - read <= 1 or figure(pips.split()[0]) < pip


# --- numbers of the program -----------------------------------------------------------------------------------


@each_row(
    ("words", "pattern", "value"),
    [
        ("battery the table asks", r"At (\d+) and", 100 * desk.LOW[0]),
        ("battery the table asks", r"and (\d+) %", 100 * desk.LOW[1]),
        ("A code holds once", r"for (\w+) minutes", one_time_code.LASTS_S / 60),
        ("has the camera focus once", r"within (\w+) seconds", ribbon.FOCUS_S),
        ("fixes exposure and white balance", r"balance (\w+) seconds", ribbon.SETTLE_S),
        ("reads a board at rest", r"at rest (\w+) times", watch.LOOKS),
        ("reads a board at rest", r"up to (\w+) times", watch.MOST_LOOKS),
        ("From four a second on", r"From (\w+) a second", 1 // watch.QUICK_S + 1),
        ("Each scene is read", r"read (\w+) times", watch.LOOKS),
        ("Each scene is read", r"up to (\w+) times", watch.MOST_LOOKS),
        ("Two that agree count", r"count ([\d.]+) times", looks.WEIGHTS[1] / looks.WEIGHTS[0]),
        ("Two that agree count", r"more ([\d.]+) times", looks.WEIGHTS[2] / looks.WEIGHTS[0]),
        ("is read again when at least", r"least (\w+) of its cells", baseline.LEAST_CELLS),
        ("is read again when at least", r"noise: (\d+) grey", baseline.LEAST_CHANGE),
        ("is read again when at least", r"or ([\d.]+) times", baseline.NOISE_FACTOR),
        ("Everything is read when", r"than (\w+) of the points", baseline.MOST_CHANGED),
        ("Everything is read when", r"is (\d+) % brighter", 100 * (baseline.LIGHT_FACTOR - 1)),
        ("Everything is read when", r"after (\d+) readings", baseline.MOST_READINGS),
        ("about ten times a second", r"about (\w+) times", round(1 / watch.HANDS_S, -1)),
        ("were more than 0.4 s apart", r"than ([\d.]+) s", watch.UNSEEN_S),
        ("A point is covered if", r"if (\d+) %", 100 * hands.COVERED_SHARE),
        ("a picture of more than 3.2", r"than ([\d.]+) megapixels", reduction.NEEDED_PIXELS / 1e6),
        ("It looks for the cube on", r"up to (\d+) cm", places.BESIDE_MM // 10),
        ("let the camera take", r"take (\d+) pictures", round(1 / watch.HANDS_S, -1)),
        ("the board is searched for", r"to (\d+) cm away", displacement.REACH_MM // 10 + 1),
        ("the board is searched for", r"and (\d+) % nearer", 100 * (displacement.SCALES[2] - 1)),
        ("or pushed by less than", r"than (\d+) mm", drift.FURTHEST_MM),
        ("unless this has 90 %", r"has (\d+) %", 100 * displacement.SURELY_IN_PLACE),
        ("three pictures have to be missing", r", (\w+) pictures", live.STALL_PICTURES),
        ("If three do not end", r"If (\w+) do not", feed_holder.MOST_HUNG),
    ],
)
def test_a_number_of_the_page_is_that_of_the_program(words: str, pattern: str, value: float) -> None:
    text = sentence(CAMERA, words)
    found = re.search(pattern, text)
    assert found is not None, text
    assert figure(found[1]) == pytest.approx(value, rel=0.02), text


def test_the_cube_is_centred_up_to_about_a_third_of_the_way() -> None:
    assert sentence(CAMERA, "Within about a third of the way from the middle")
    assert 1 / 3 < cube.CENTRED_SHARE < 0.4


def test_a_set_up_page_warns_of_small_dice_by_the_figures_of_the_page() -> None:
    told = re.findall(r"(\d+) of (\d+) below (\d+)", sentence(CAMERA, "these were not read right"))
    assert [(int(below), round(int(of) / int(wrong) + 0.5)) for wrong, of, below in told] == [
        (below, pytest.approx(rolls, abs=1)) for below, rolls in ASKED
    ]


def test_faults_are_noticed_after_the_times_of_the_page() -> None:
    table = {what: noticed for what, noticed, _ in rows("When something happens to it", "what happens")}
    seconds: dict[str, list[float]] = {
        what: [figure(each) for each in re.findall(r"([\d.]+) s\b", noticed)]
        for what, noticed in table.items()
    }
    frozen = condition.FROZEN_S
    assert seconds["the cable is pulled"] == [live.STALL_S]
    assert table["the cable is pulled"].startswith("a tenth of a second")
    assert 1 / figure("tenth") == live.LOOK_S
    (silent,) = (each for each in seconds if each.startswith("no pictures come"))
    assert seconds[silent] == [live.STALL_S, live.STREAM_STALL_S]
    assert phone.QUIET_S == live.STALL_S
    (same,) = (each for each in seconds if each.startswith("the same picture"))
    assert seconds[same] == [
        frozen[origin] for origin in (PictureOrigin.DEVICE, PictureOrigin.STILLS, PictureOrigin.STREAM)
    ]
    assert frozen[PictureOrigin.PHONE] == frozen[PictureOrigin.STILLS]
    (cut,) = (each for each in seconds if each.startswith("the pictures come incomplete"))
    assert seconds[cut] == [condition.INCOMPLETE_S]
    assert seconds["the pictures are black"] == [condition.DARK_S]
    assert figure("twice") == 1 / live.WAIT_S


def test_hands_are_told_apart_where_forty_millimetres_are_seen_beyond_the_edges() -> None:
    said, least = re.findall(r"than (\d+) mm", sentence(CAMERA, "beyond both of the long edges"))
    assert figure(said) == hands.BEYOND_MM + occlusion.CELL * overview.STEP_MM
    assert figure(least) == occlusion.CELL * overview.STEP_MM


def test_a_cell_is_as_wide_as_the_page_says() -> None:
    assert f"about {places.CELL_MM} mm" in sentence(CAMERA, "A cell is about")


def test_a_board_is_searched_for_turned_by_up_to_the_degrees_of_the_page() -> None:
    (said,) = re.findall(r"turned by up to (\d+) degrees", sentence(CAMERA, "the board is searched for"))
    assert round(degrees(max(displacement.TURNS))) == figure(said)


def test_a_slow_camera_is_given_as_many_pictures_as_the_page_says() -> None:
    rate = live.STALL_PICTURES / live.STALL_S
    assert rate == figure(re.findall(r"fewer than (\w+) pictures", sentence(CAMERA, "At fewer than"))[0])


# --- what pictures show -----------------------------------------------------------------------------------------


def test_that_a_tray_is_not_seen_is_kept_with_the_reading() -> None:
    board, image = learned("board1"), picture("board1_010")
    without = replace(board, geometry=replace(board.geometry, trays=()))
    for known, assumed in ((board, False), (without, True)):
        reading = read_board(image, known)
        assert reading_record(reading)["assumed_off"] is assumed
        beside = (reading.bar.light, reading.bar.dark, reading.off.light, reading.off.dark)
        assert sum(abs(count or 0) for count in (*reading.points, *beside)) == 30


def test_a_picture_that_is_too_blurred_is_refused_and_nothing_is_guessed() -> None:
    blurred = np.asarray(cv2.GaussianBlur(picture("board1_010"), (0, 0), 6), np.uint8)
    reading = read_board(blurred, learned("board1"))
    assert reading.fault == "blurred"
    assert reading.unsure == frozenset(range(1, 25))
    assert reading.dice == ()


def test_a_picture_is_too_bright_from_the_figures_of_the_page_on_and_told_in_its_words() -> None:
    words = sentence(CAMERA, "is refused: the picture is too bright")
    assert figure(re.findall(r"(\d+) % brighter", words)[0]) == pytest.approx(100 * (reader.TOO_BRIGHT - 1))
    assert "more than a quarter of the board burnt out and three doubtful points" in words
    assert (reader.BURNT, reader.DOUBTS) == (1 / 4, 3 - 1)
    said = words.rpartition(": ")[2].rstrip(".")
    assert any(text.startswith(said) for text in said_in(ROOT / "controller" / "cli" / "boards.py"))


# --- what the program says ------------------------------------------------------------------------------------


def said_in(file: Path) -> set[str]:
    """Every text in a module, with three dots for what is filled in."""
    return {
        "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        if isinstance(node, ast.JoinedStr)
        else str(node.value)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr | ast.Constant)
    }


def test_a_refused_calibration_says_what_the_page_quotes() -> None:
    files = [*(ROOT / "calibration").glob("*.py"), ROOT / "controller" / "devices" / "pictures.py"]
    texts = set[str]().union(*map(said_in, files))
    quoted = [quote for quote, _ in rows("Is it good enough?", "it says")]
    assert len(quoted) >= 9
    missing = [
        quote
        for quote in quoted
        if not any(all(part.strip() in text for part in quote.split("…")) for text in texts)
    ]
    assert missing == []


def test_a_configuration_that_names_a_phone_has_its_code_shown_in_the_terminal(tmp_path: Path) -> None:
    assert 'camera.source = "phone"' in sentence(CAMERA, "does the same")
    assert "web.open = true" in sentence(CAMERA, "shows the code in the terminal")
    config = tmp_path / "pointsman.toml"
    config.write_text('camera.source = "phone"\nweb.open = true\nweb.port = 0\nboard.port = "none"\n')
    running = begun(config, "/camera#")
    said = ended(running, signal.SIGTERM)
    assert "Error" not in said
    assert running.returncode == 0, said
