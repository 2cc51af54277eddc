"""Altered films show the same boards, and what was told of them is held against what was played."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.devices.film import open_film
from controller.rules.position import START
from tests.bench.alterations import ALTERATIONS, Alteration
from tests.bench.bench_altered import Tally, altered_film, tally
from tests.rows import each_row

ELSEWHERE = "b...BD.B...eE...c.e....B.."
RIGHT = Tally((1, 1), plies=(1, 1), noticed=(0, 0), accused=(0, 1), invented=(0, 1), score=(0, 0))
WRONG = [{"code": "wrong_distance"}]
END = {"winner": "light", "points": 4}
THINNED = [name for name, alteration in ALTERATIONS.items() if alteration.keeps is not None]


def truth(**more: Any) -> dict[str, Any]:
    after = {"points": list(START.points), "bar": {"light": 0, "dark": 0}}
    return {"ply": 0, "player": "light", "dice": [3, 1], "legal": True, "after": after, **more}


def line(**more: Any) -> dict[str, Any]:
    usual = {"ply": 0, "player": "light", "dice": [1, 3], "move": "8/5 6/5", "legal": True, "reasons": []}
    return {**usual, "position": START.compact(), **more}


@each_row(
    ("told", "found"),
    [
        ([line()], RIGHT),
        ([], replace(RIGHT, positions=(0, 1), plies=(0, 1))),
        ([line(dice=[3, 2])], replace(RIGHT, plies=(0, 1))),
        ([line(player="dark")], replace(RIGHT, plies=(0, 1))),
        ([line(legal=False, reasons=WRONG), line()], replace(RIGHT, accused=(1, 1))),
        ([line(position=ELSEWHERE)], replace(RIGHT, positions=(0, 1), plies=(0, 1), invented=(1, 1))),
        ([line(position=ELSEWHERE, legal=None)], replace(RIGHT, positions=(0, 1), plies=(0, 1))),
        (
            [line(position=ELSEWHERE), {"kind": "unsure", "ply": 0}],
            replace(RIGHT, positions=(0, 1), plies=(0, 1)),
        ),
        ([line(), line(ply=1)], replace(RIGHT, invented=(1, 1))),
    ],
)
def test_a_play_is_told_right_falsely_called_illegal_or_invented(
    told: list[dict[str, Any]], found: Tally
) -> None:
    assert tally([truth()], told) == found


@each_row(("code", "noticed"), [("wrong_distance", 1), ("bar_first", 0)])
def test_an_illegal_play_is_noticed_by_a_rule_of_its_kind(code: str, noticed: int) -> None:
    played = truth(legal=False, illegal_kind="wrong_pip_count")
    told = line(legal=False, reasons=[{"code": code}])
    assert tally([played], [told, line()]).noticed == (noticed, 1)
    assert tally([played], [told, line()]).accused == (0, 0)


@each_row(("said", "right"), [([END], 1), ([END, {**END, "points": 2}], 0), ([], 0)])
def test_the_score_is_that_of_the_last_line_about_the_end(said: list[dict[str, Any]], right: int) -> None:
    told = [line(), *({"kind": "game_over", **end} for end in said)]
    assert tally([truth(game_over=END)], told).score == (right, 1)


@each_row(
    ("mirrors", "home"),
    [("", "bottom-right"), ("x", "bottom-left"), ("y", "top-right"), ("xy", "top-left")],
)
def test_a_film_that_is_mirrored_has_lights_home_on_the_other_side(mirrors: str, home: str) -> None:
    assert Alteration(lambda picture, _: picture, mirrors).home("bottom-right") == home


@pytest.mark.parametrize("kind", ["video", "folder"])
def test_every_alteration_leaves_as_many_pictures_at_the_same_times_of_another_look(
    tmp_path: Path, kind: str
) -> None:
    film = _filmed(tmp_path, kind)
    times, usual = _shown(film, "as it is", tmp_path)
    for name in [name for name in ALTERATIONS if name not in ("as it is", *THINNED)]:
        altered_times, altered = _shown(film, name, tmp_path)
        assert altered_times == times, name
        # A glass hides less than a hundredth of the picture; where nothing is altered they differ in nothing.
        assert altered.shape != usual.shape or float(np.abs(altered - usual).mean()) > 0.5, name


@pytest.mark.parametrize("kind", ["video", "folder"])
def test_a_film_at_two_pictures_a_second_shows_them_at_their_times(tmp_path: Path, kind: str) -> None:
    film = _filmed(tmp_path, kind)
    usual = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5] if kind == "video" else [number / 2 for number in range(30)]
    assert _shown(film, "two a second", tmp_path)[0] == pytest.approx(usual)
    assert _shown(film, "one a second", tmp_path)[0] == pytest.approx(usual[::2])


@each_row(("name", "share", "long"), [("gaps", 3 / 13, 3), ("long gaps", 15 / 75, 15)])
def test_gaps_come_as_often_and_last_as_long_as_they_are_said_to(
    name: str, share: float, long: float
) -> None:
    keeps = ALTERATIONS[name].keeps
    assert keeps is not None
    lost = [not keeps(tenth / 10, 0.0) for tenth in range(30000)]
    begun = sum(now and not before for before, now in pairwise(lost))
    assert sum(lost) / len(lost) == pytest.approx(share, rel=0.25)
    assert sum(lost) / 10 / begun == pytest.approx(long, rel=0.25)


def _filmed(folder: Path, kind: str) -> Path:
    """Thirty pictures of tiles, as a video at ten pictures a second or one by one."""
    tiles = np.random.default_rng(1).integers(30, 220, (9, 16, 3)).astype(np.uint8)
    picture = cv2.resize(tiles, (320, 180), interpolation=cv2.INTER_NEAREST)
    film = folder / ("film.mp4" if kind == "video" else "frames")
    if kind == "video":
        writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (320, 180))
        for _ in range(30):
            writer.write(picture)
        writer.release()
    else:
        film.mkdir()
        for number in range(30):
            cv2.imwrite(str(film / f"{number:05d}.png"), picture)
    return film


def _shown(film: Path, name: str, folder: Path) -> tuple[list[float], Any]:
    """The times of an altered film, and its last picture."""
    place = folder / name
    place.mkdir()
    frames = list(open_film(altered_film(film, ALTERATIONS[name], place)))
    return [frame.t for frame in frames], np.asarray(frames[-1].picture, np.float64)
