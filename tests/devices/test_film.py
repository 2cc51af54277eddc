import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.devices.film import FilmError, open_film


def picture(path: Path, shade: int = 90) -> None:
    assert cv2.imwrite(str(path), np.full((128, 160, 3), shade, np.uint8))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in (0, 1, 2, 10):
        picture(tmp_path / f"{number}.png")
    return tmp_path


def write_times(folder: Path, *lines: object) -> None:
    (folder / "times.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_pictures_come_by_number_two_a_second(folder: Path) -> None:
    frames = list(open_film(folder))
    assert [frame.number for frame in frames] == [0, 1, 2, 10]
    assert [frame.t for frame in frames] == [0.0, 0.5, 1.0, 1.5]


def test_times_are_taken_from_the_file_whatever_the_order_of_its_lines(folder: Path) -> None:
    times = {"10.png": 9.5, "0.png": 1.0, "2.png": 4.25, "1.png": 2.0}
    write_times(folder, *({"file": name, "t": t} for name, t in times.items()))
    assert [frame.t for frame in open_film(folder)] == [1.0, 2.0, 4.25, 9.5]


def test_pictures_without_numbers_come_by_name(tmp_path: Path) -> None:
    for name in ("b.png", "a.png"):
        picture(tmp_path / name)
    assert [frame.name for frame in open_film(tmp_path)] == ["a.png", "b.png"]


def test_a_picture_that_cannot_be_decoded_comes_without_one_and_says_why(folder: Path) -> None:
    (folder / "1.png").write_bytes(b"\x89PNG half a picture")
    frames = list(open_film(folder))
    assert [frame.picture is None for frame in frames] == [False, True, False, False]
    assert "1.png" in frames[1].fault


def test_a_video_comes_picture_by_picture_with_rising_times(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 4.0, (160, 128))
    for shade in (20, 90, 200):
        writer.write(np.full((128, 160, 3), shade, np.uint8))
    writer.release()
    frames = list(open_film(path))
    assert len(frames) == 3
    assert frames[0].t < frames[1].t < frames[2].t
    assert frames[2].picture is not None
    assert abs(float(frames[2].picture.mean()) - 200) < 10


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ([{"file": "0.png", "t": 5}, {"file": "1.png", "t": 4}], "1.png"),
        ([{"file": "0.png", "t": 1}, {"file": "99.png", "t": 2}], "99.png"),
        ([{"file": "0.png", "t": 1}, {"file": "0.png", "t": 2}], "0.png"),
        ([{"file": "0.png", "t": 1}], "1.png"),
        ([{"file": "0.png", "t": "soon"}], "line 1"),
        ([{"file": "0.png", "t": float("nan")}], "line 1"),
        ([["0.png", 1]], "line 1"),
    ],
    ids=["backwards", "missing picture", "twice", "no time", "word", "not a number", "no object"],
)
def test_times_that_cannot_be_used_are_refused_by_name(
    tmp_path: Path, lines: list[object], named: str
) -> None:
    picture(tmp_path / "0.png")
    picture(tmp_path / "1.png")
    write_times(tmp_path, *lines)
    with pytest.raises(FilmError, match=named):
        open_film(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match="holds no pictures"):
        open_film(tmp_path)


def test_a_missing_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match="no such folder or video"):
        open_film(tmp_path / "film")


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_text("no video")
    with pytest.raises(FilmError, match=r"film\.mp4 is not a video"):
        open_film(path)
