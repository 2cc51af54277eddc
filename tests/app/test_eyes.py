"""What is told of the pictures of a camera."""

from itertools import pairwise
from random import Random

import numpy as np

from controller.app.eyes import SPACING_S, Eyes, News, board_of
from controller.arrays import Picture
from controller.devices.film import FilmFrame
from controller.referee.events import FrameLost, FrameMoving, FrameSame, FrameSeen
from controller.rules.position import START
from controller.rules.profile.catalogue import load_profile
from controller.vision.board.board import Board
from controller.vision.counting.counts import CheckerSet
from controller.vision.reading import Reading
from controller.vision.watch import LOOKS
from tests.referee.staging import Film
from tests.striped import BOARD, picture_of

FPS = 15.0


class Reader:
    """Reads whatever it is shown as the start position, and counts."""

    def __init__(self, *, hand: bool = False) -> None:
        self.times = 0
        self._film, self._hand = Film(Random(1)), hand

    def __call__(self, _: Picture, __: Board) -> Reading:
        self.times += 1
        return self._film.read(START, hand=self._hand)


class Camera:
    """Noisy pictures of numbered scenes."""

    def __init__(self) -> None:
        self.number = 0
        self._rng = np.random.default_rng(3)

    def frame(self, scene: int | None) -> FilmFrame:
        """The next picture, of a scene; without one it was lost."""
        self.number += 1
        if scene is None:
            return FilmFrame(self.number, str(self.number), self.number / FPS, None, "unplugged")
        noise = self._rng.normal(0, 1.0, (128, 160, 3))
        picture = np.clip(picture_of(scene) + noise, 0, 255).astype(np.uint8)
        return FilmFrame(self.number, str(self.number), self.number / FPS, picture)


def watched(scenes: list[int | None], reader: Reader | None = None) -> list[News]:
    eyes, camera = Eyes(BOARD, reader or Reader()), Camera()
    return [news for scene in scenes for news, _ in eyes.read_frame(camera.frame(scene))]


def kinds_of(news: list[News]) -> list[type[News]]:
    """What is told of some pictures, without those that show the same scene as before."""
    return [type(each) for each in news if not isinstance(each, FrameSame)]


def test_a_scene_at_rest_is_read_a_few_times_and_then_only_told_to_be_the_same() -> None:
    reader = Reader()
    news = watched([5] * 100, reader)
    assert reader.times == LOOKS
    assert {type(each) for each in news[:LOOKS]} == {FrameSeen}
    assert {type(each) for each in news[LOOKS:]} == {FrameSame}
    times = [each.t for each in news]
    assert all(SPACING_S <= later - earlier < 2 * SPACING_S for earlier, later in pairwise(times))
    assert times[-1] > 98 / FPS


def test_a_hand_that_lies_still_is_not_told_to_be_a_board_that_is_the_same() -> None:
    assert FrameSame not in map(type, watched([5] * 30, Reader(hand=True)))


def test_a_scene_is_told_to_be_the_same_when_pictures_come_again() -> None:
    news = watched([*[5] * 10, *[None] * 20, *[5] * 3])
    back = news[[type(each) for each in news].index(FrameLost) + 1]
    assert isinstance(back, FrameSame)
    assert back.frame == 31


def test_that_something_moves_is_told_once_and_the_rest_after_it_is_read_at_once() -> None:
    news = watched([*[5] * 10, 6, 7, 8, 9, 10, *[5] * 10])
    assert kinds_of(news) == [FrameSeen] * LOOKS + [FrameMoving] + [FrameSeen] * LOOKS
    moved = next(number for number, each in enumerate(news) if isinstance(each, FrameMoving))
    assert (news[moved].frame, news[moved + 1].frame) == (11, 17)


def test_a_slow_reader_does_not_take_a_hand_on_its_way_for_a_scene_at_rest() -> None:
    now = 0.0

    def slowly(picture: Picture, board: Board) -> Reading:
        nonlocal now
        now += 0.6
        return Reader()(picture, board)

    eyes, kinds = Eyes(BOARD, slowly, lambda: now), []
    for number, scene in enumerate([5, *range(6, 16), *[5] * 20]):
        now += 1 / FPS
        noise = np.random.default_rng(number).normal(0, 1.0, (128, 160, 3))
        picture = np.clip(picture_of(scene) + noise, 0, 255).astype(np.uint8)
        kinds += kinds_of([each for each, _ in eyes.read_frame(FilmFrame(number, str(number), now, picture))])
    assert kinds == [FrameSeen, FrameMoving] + [FrameSeen] * LOOKS


def test_lost_pictures_are_told_once() -> None:
    news = watched([*[5] * 10, *[None] * 20, 9, *[5] * 10])
    kinds = kinds_of(news)
    assert kinds[LOOKS] is FrameLost
    assert kinds.count(FrameLost) == 1


def test_a_picture_of_another_size_is_a_lost_one() -> None:
    eyes = Eyes(BOARD, Reader())
    ((news, _),) = eyes.read_frame(FilmFrame(1, "1.jpg", 0.0, np.zeros((10, 10, 3), np.uint8)))
    assert isinstance(news, FrameLost)
    assert "10x10" in news.why


def test_the_picture_of_what_was_told_is_kept_as_evidence() -> None:
    eyes, camera = Eyes(BOARD, Reader()), Camera()
    frame = camera.frame(5)
    ((_, shot),) = eyes.read_frame(frame)
    assert shot is not None
    assert (shot.frame, shot.t) == (frame.number, frame.t)
    assert shot.jpeg.startswith(b"\xff\xd8")
    lost = camera.frame(None)
    assert eyes.read_frame(lost) == [(FrameLost(lost.t, lost.number, lost.name, lost.fault), None)]


def dark_home(*names: str) -> set[int]:
    return set(checkers_of(*names).dark_home)


def checkers_of(*names: str) -> CheckerSet:
    """The checkers of a board on which these games are played."""
    return board_of(BOARD, [load_profile(name) for name in names]).checkers


def test_a_board_has_the_checkers_of_the_game_that_is_played_on_it() -> None:
    assert checkers_of("standard-match") == CheckerSet()
    assert checkers_of("hypergammon") == CheckerSet(3)
    assert dark_home("fevga") == set(range(13, 19))
    assert not checkers_of("fevga").concealed
    assert checkers_of("plakoto") == CheckerSet(concealed=True)
    assert checkers_of("acey-deucey").concealed


def test_of_a_series_the_eyes_allow_whatever_one_of_its_games_allows() -> None:
    assert checkers_of("portes", "plakoto", "fevga") == CheckerSet(15, frozenset(range(13, 25)), True)
    assert checkers_of("hypergammon", "portes").each == 15
