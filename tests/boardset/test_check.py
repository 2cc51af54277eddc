"""A contribution is taken where nothing private is in it and its board is found; doubts are told, not decided."""

import json
import re
import shutil
from pathlib import Path

import cv2
import pytest

from controller.boardset.check import check
from controller.boardset.folder import ContributionError, read_contribution
from controller.boardset.truth import truths
from controller.devices.pictures import load_picture
from controller.errors import UserError
from tests.boardset.folders import SAMPLE, changed, copied
from tests.rows import each_row


def test_position_and_cube_of_each_moment_come_from_the_match() -> None:
    shown = truths(read_contribution(SAMPLE))
    assert shown[0].position.compact() == shown[1].position.compact() == "b....E.C...eE...c.e....B.."
    assert shown[2].position.compact() == "b....EAC...eD...c.e....B.."
    assert shown[4].position.points == (
        -2,
        0,
        0,
        0,
        0,
        5,
        1,
        3,
        0,
        0,
        0,
        -3,
        4,
        0,
        0,
        -2,
        -3,
        0,
        -3,
        0,
        0,
        0,
        -2,
        2,
    )
    assert {one.cube.value for one in shown} == {1}


def test_the_sample_is_read_as_its_match_says() -> None:
    assert list(check(read_contribution(SAMPLE))) == []


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is told of a contribution that is wrong in a play and in a roll."""
    folder = changed(
        tmp_path_factory.mktemp("wrong"), "match.mat", "44: 13/9(2) 6/2(2)", "44: 13/9(2) 13/9(2)"
    )
    moments = folder / "moments.jsonl"
    said = moments.read_text(encoding="utf-8")
    assert "[5, 1]" in said
    moments.write_text(said.replace("[5, 1]", "[5, 2]", 1), encoding="utf-8")
    return list(check(read_contribution(folder)))


def test_where_match_and_program_differ_is_told_with_the_points(notes: list[str]) -> None:
    told = "At 16.41 s, after 2 turns: the program sees something else on 12, 16, 19, 23;"
    assert [note for note in notes if note.startswith(told)]


def test_other_dice_than_the_line_says_are_told(notes: list[str]) -> None:
    assert [note for note in notes if re.search("other dice, (5-1|1-5)", note)]


@each_row(
    ("file", "old", "new", "sentence"),
    [
        (
            "moments.jsonl",
            '"turns": 3',
            '"turns": 9',
            r"moments\.jsonl, line 7: the match file has no 9 turns in game 1",
        ),
        ("moments.jsonl", "25.36", "99.5", r"line 7: frames has no picture at 99\.5 s"),
    ],
)
def test_moments_that_do_not_fit_match_or_film_are_told(
    file: str, old: str, new: str, sentence: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    given = read_contribution(changed(tmp_path_factory.mktemp("given"), file, old, new))
    with pytest.raises(ContributionError, match=sentence):
        list(check(given))


@each_row(
    ("data", "sentence"),
    [
        (b"....com.apple.quicktime.location.ISO6709", r"film\.mp4 says where it was taken; take that out"),
        (b"....\xa9xyz\0\x12\x15\xc7+47.4979+019.0402/", r"film\.mp4 says where it was taken"),
        (b"....hdlr\0\0\0\0\0\0\0\0soun....", r"film\.mp4 has sound; take it out"),
        (b"no film", r"film\.mp4 is not a video"),
    ],
)
def test_a_film_with_a_place_or_sound_or_no_film_at_all_is_refused(
    data: bytes, sentence: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = copied(tmp_path_factory.mktemp("given"))
    shutil.rmtree(folder / "frames")
    (folder / "film.mp4").write_bytes(data)
    with pytest.raises(UserError, match=sentence):
        list(check(read_contribution(folder)))


def test_a_picture_that_says_where_it_was_taken_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    file = folder / "frames" / "00003.jpg"
    data = file.read_bytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x88\x25\0\x04\0\0\0\x01\0\0\0\x1a\0\0\0\0"
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    file.write_bytes(data[:2] + segment + data[2:])
    with pytest.raises(ContributionError, match=r"00003\.jpg says where it was taken"):
        list(check(read_contribution(folder)))


def test_small_pictures_are_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    for file in (folder / "frames").glob("*.jpg"):
        cv2.imwrite(str(file), cv2.resize(load_picture(file), (320, 180)))
    with pytest.raises(ContributionError, match=r"320x180 pixels; at least 640x360"):
        list(check(read_contribution(folder)))


def test_a_board_that_is_not_found_is_refused_with_the_reason(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    times = [json.loads(line) for line in (folder / "frames" / "times.jsonl").read_text().splitlines()]
    first = folder / "frames" / times[0]["file"]
    cv2.imwrite(str(first), 0 * load_picture(first) + 90)
    with pytest.raises(ContributionError, match="board"):
        list(check(read_contribution(folder)))


def test_a_film_in_one_file_does_as_well(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    frames = [load_picture(file) for file in sorted((folder / "frames").glob("*.jpg"))]
    video = cv2.VideoWriter(str(folder / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 2.0, (960, 540))
    for frame in frames:
        video.write(frame)
    video.release()
    shutil.rmtree(folder / "frames")
    lines = [{"t": number / 2, "turns": turns} for number, turns in enumerate((0, 0, 1, 1, 2, 2, 3))]
    (folder / "moments.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    shown = truths(read_contribution(folder))
    assert len(shown) == len(frames)
    assert all(
        abs(one.picture.astype(int) - frame).mean() < 4 for one, frame in zip(shown, frames, strict=True)
    )
