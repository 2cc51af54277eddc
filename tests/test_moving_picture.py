"""The moving picture of the README shows what the product does, and is small enough for a page."""

import tempfile
from contextlib import suppress
from pathlib import Path

import cv2

from controller.demo.screen import Transcript
from controller.demo.show import NAMES, Evening, Show
from controller.referee import Action, Flagged
from hardware_docs.moving_picture.scene import FROM_S, LANGUAGE, PLAN, UNTIL_S, WIDTH
from tests.demo.truthful import truthful

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "hardware_docs" / "pictures" / "illegal_play.webp"


class OverError(Exception):
    """The time of the picture is over."""


def words_said() -> list[str]:
    """What is said of illegal plays while the picture lasts, in the same evening with eyes that see the truth."""
    transcript, said, now = Transcript(LANGUAGE, NAMES, at_once=True), list[str](), [0.0]

    def tell(action: Action) -> None:
        words = " ".join(line.strip() for line in transcript.lines(action))
        if isinstance(action, Flagged) and now[0] >= FROM_S:
            said.append(words)

    def attend(show: Show) -> None:
        now[0] = show.t
        if show.t >= UNTIL_S:
            raise OverError

    evening = Evening(PLAN, truthful(PLAN))
    with (
        tempfile.TemporaryDirectory() as scratch,
        evening.folder(Path(scratch) / "match") as folder,
        suppress(OverError),
    ):
        evening.match(0, folder, tell, attend)
    return said


def test_the_readme_quotes_what_is_said_in_the_picture() -> None:
    (said,) = words_said()
    quoted = " ".join((ROOT / "README.md").read_text(encoding="utf-8").replace("\n> ", " ").split())
    assert said in quoted


def test_the_picture_is_short_and_small() -> None:
    assert PICTURE.stat().st_size < 1.5e6
    read, moving = cv2.imreadanimation(str(PICTURE))
    assert read
    assert moving.frames[0].shape[1] == WIDTH
    assert 12_000 <= sum(moving.durations) <= 14_000
