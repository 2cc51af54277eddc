"""Follows a film of one board: looks at every picture, reads only those that show something new at rest."""

from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.vision.baseline import Baseline
from controller.vision.board.board import Board
from controller.vision.board.tones import Noise, noise_of, tones_of
from controller.vision.counting.appearance import strongest
from controller.vision.fitted.fitted import fitted
from controller.vision.geometry.glimpse import Window, glimpse, window_of
from controller.vision.geometry.seen import Hands, HandSeen
from controller.vision.hands.hands import Clear, clear_look, find_hands, merge_hands
from controller.vision.hands.obstacle import Obstacles, find_obstacles, judge_obstacles
from controller.vision.hands.occlusion import Occlusion
from controller.vision.looks import DiceTold, dice_told, join_looks, with_dice_told
from controller.vision.reader import SURE, check_picture
from controller.vision.reading import BAR_UNKNOWN, Count, Reading

# Pictures further apart than this (seconds) do not tell whether something moves between them.
QUICK_S = 0.3
# This many pictures of one scene are read, since each has its own noise, and more while they leave a doubt about a
# die, the cube or a point; for the others the last reading holds.
LOOKS, MOST_LOOKS = 3, 6

HANDS_S, UNSEEN_S = fitted("watch", "hands_s", "unseen_s")
LEAST_CHANGE, NOISE_FACTOR, EDGE_SHARE, LIGHT_FACTOR = fitted(
    "watch", "least_change", "noise_factor", "edge_share", "light_factor"
)


@dataclass(frozen=True, slots=True)
class SceneChange:
    """What differs between two glimpses: the number of cells, and the factor by which all light changed."""

    cells: int
    light: float

    @property
    def any(self) -> bool:
        """Whether anything worth another look is different."""
        return self.cells > 0 or not 1 / LIGHT_FACTOR < self.light < LIGHT_FACTOR


def change_between(before: Picture, now: Picture) -> SceneChange:
    """What is another in the second of two glimpses through the same window."""
    light = (float(now.mean()) + 1) / (float(before.mean()) + 1)
    gap = cv2.scaleAdd(before.astype(np.float32), -light, now.astype(np.float32))
    tones = tones_of(cv2.blur(gap, (2, 2)))
    changed = tones.beyond(Noise(LEAST_CHANGE, LEAST_CHANGE))
    if changed.any():
        noise = noise_of(tones, LEAST_CHANGE, NOISE_FACTOR)
        changed = tones.beyond(noise, EDGE_SHARE * np.minimum(_edges(before) * light, _edges(now)))
    return SceneChange(int(changed.sum()), light)


def _edges(seen: Picture) -> Float32Array:
    """(rows, columns) by how much each cell of a glimpse and those round it differ from each other."""
    around = np.ones((3, 3), np.uint8)
    return np.asarray(strongest(cv2.dilate(seen, around) - cv2.erode(seen, around)), np.float32)


class Read(Protocol):
    """Reads a picture of a board: on its own, or going on from the baseline of an earlier reading."""

    def __call__(
        self, image: Picture, board: Board, baseline: Baseline | None = None, still: Picture | None = None, /
    ) -> Reading:
        """Read the picture, its dice in the ``still`` if there is one. Raises ``UserError`` if it cannot be read."""


@dataclass(frozen=True, eq=False)
class Watch:
    """What was seen of a film so far: the last glimpse and its time, and the scene that was read last.

    ``read_glimpse`` is how that scene looked, ``reading`` what all looks at it tell together, the last from
    ``read_t``, and ``looks`` how many there were; ``None`` where there is none, or where something moved since.
    ``clear`` are the readings of it without a hand, one by one. ``earlier`` is the baseline of what was read before
    this scene: every look at the scene goes on from it, so that each finds by itself what is new. ``baseline`` is
    that of the last reading without a hand. ``closer`` is what closer looks told of its dice.
    ``hands`` are those that were over the board since the last reading, ``None`` where that is not known; they were
    looked for until ``hands_t`` (seconds), and told from ``without``, the board at rest without one. ``scene`` counts
    the scenes, and ``obstacles`` are what hid the board in them.
    """

    board: Board
    window: Window
    last: Picture | None = None
    last_t: float = 0.0
    read_glimpse: Picture | None = None
    reading: Reading | None = None
    looks: int = 0
    clear: tuple[Reading, ...] = ()
    read_t: float = 0.0
    earlier: Baseline | None = None
    baseline: Baseline | None = None
    closer: DiceTold | None = None
    hands: Hands | None = None
    hands_t: float = 0.0
    without: Clear | None = None
    scene: int = 0
    obstacles: Obstacles | None = None


def watch_of(board: Board) -> Watch:
    """The watch over a board before the first picture."""
    return Watch(board, window_of(board.camera, board.geometry))


def glance(watch: Watch, image: Picture, t: float) -> Watch:
    """The watch after a picture that is only there for the next one to be compared with. Raises ``UserError``."""
    check_picture(image, watch.board)
    return replace(watch, last=glimpse(image, watch.window), last_t=t)


def watch_picture(
    watch: Watch, image: Picture, t: float, read: Read, spacing_s: float = 0.0
) -> tuple[Watch, Reading | None]:
    """The watch after one more picture, taken at ``t`` (seconds), and its reading; ``None`` while something moves.

    A picture that needs not be read gives the last reading again, the same object: of a scene that was read often
    enough, or less than ``spacing_s`` ago. A reading tells the hands since the one before. Raises ``UserError`` when
    the picture cannot be read.
    """
    check_picture(image, watch.board)
    now = glimpse(image, watch.window)
    seen = replace(watch, last=now, last_t=t)
    if watch.last is not None and t - watch.last_t <= QUICK_S and change_between(watch.last, now).any:
        moved = replace(seen, read_glimpse=None, reading=None, looks=0, clear=(), closer=None)
        return _look_for_hands(moved, image, t), None
    same = watch.read_glimpse is not None and not change_between(watch.read_glimpse, now).any
    lately = t - watch.read_t < spacing_s
    if same and watch.reading is not None and (lately or not _is_due(watch.reading, watch.looks)):
        return replace(seen, hands_t=t), watch.reading
    earlier, closer = (watch.earlier, watch.closer) if same else (watch.baseline, None)
    found = read(image, watch.board) if earlier is None else read(image, watch.board, earlier)
    scene = watch.scene + (not same)
    found, obstacles = _look_past_obstacles(watch.obstacles, found, image, t, scene, watch.board)
    if closer is not None:
        found = with_dice_told(found, closer)
    # Hands that were over a scene that is the same as before have changed nothing.
    known = watch.hands if same or t - watch.hands_t <= UNSEEN_S else None
    hands = _hands_at_rest(watch, known, found, image)
    clear = watch.clear if same else ()
    if found.baseline is not None and not found.hand:
        clear = (*clear, found)
        found = join_looks(clear, watch.board) if len(clear) > 1 else found
    reading = replace(found, baseline=None, hands=hands)
    shown = watch.read_glimpse if same else now
    looks = watch.looks + 1 if same else 1
    after = replace(
        seen,
        read_glimpse=shown,
        reading=reading,
        looks=looks,
        clear=clear,
        read_t=t,
        closer=closer,
        scene=scene,
        obstacles=obstacles,
    )
    # What a hand hides is compared with how it was before the hand came.
    kept = watch.baseline if found.hand and found.baseline is not None else found.baseline
    without = _without_hand(found, image, watch.board) or watch.without
    return replace(after, earlier=earlier, baseline=kept, hands=(), hands_t=t, without=without), reading


def look_closer(
    watch: Watch, image: Picture, read: Read, still: Picture, *, beside: bool = False
) -> tuple[Watch, Reading | None]:
    """The watch after a look at the dice of the scene in a picture with more pixels, and what all looks tell then.

    ``still`` shows just what ``image`` shows, which was looked at last, in its light. What it tells of dice counts
    for all looks at the scene; with ``beside``, as of one in another exposure, it counts as much as they do. Where
    there is no scene at rest without a hand, nothing is looked at. Raises ``UserError`` if it cannot be read.
    """
    last = watch.reading
    if last is None or not watch.clear:
        return watch, last
    found = read(image, watch.board, watch.earlier, still)
    if found.baseline is None or found.hand:
        return watch, last
    told = dice_told(watch.clear, found, beside=beside)
    clear = tuple(with_dice_told(look, told) for look in watch.clear)
    reading = replace(join_looks(clear, watch.board), baseline=None, hands=last.hands)
    return replace(watch, reading=reading, clear=clear, baseline=clear[-1].baseline, closer=told), reading


def _look_for_hands(watch: Watch, image: Picture, t: float) -> Watch:
    """The watch after a picture in which something moves, where hands are due to be looked for."""
    since = t - watch.hands_t
    if since < HANDS_S:
        return watch
    if watch.hands is None or watch.without is None or since > UNSEEN_S:
        return replace(watch, hands=None, hands_t=t)
    seen = find_hands(image, watch.without, watch.board)
    return replace(watch, hands=merge_hands((*watch.hands, *seen)), hands_t=t)


def _hands_at_rest(watch: Watch, known: Hands | None, found: Reading, image: Picture) -> Hands | None:
    """The hands that are known, with those in a picture at rest that was read."""
    if not found.hand:
        return known if found.recognised else None
    if known is None or watch.without is None:
        return None
    # What hides the board, but is not found as a hand, may be one.
    seen = find_hands(image, watch.without, watch.board) or (HandSeen(None, found.covered),)
    return merge_hands((*known, *seen))


def _without_hand(found: Reading, image: Picture, board: Board) -> Clear | None:
    """What hands are told from after this reading; ``None`` where it shows one, or nothing is known of the board."""
    if found.baseline is None or found.hand:
        return None
    return _coarse_look(found.baseline, image, board)


def _coarse_look(baseline: Baseline, image: Picture, board: Board) -> Clear:
    camera = baseline.camera.resized(board.camera.width, board.camera.height)
    return clear_look(image, camera, baseline.gain, baseline.hidden)


def _look_past_obstacles(
    known: Obstacles | None, found: Reading, image: Picture, t: float, scene: int, board: Board
) -> tuple[Reading, Obstacles | None]:
    """The reading of a picture at rest, without a hand if there is only what lies on the board; and what is known."""
    if found.baseline is None:
        return found, known
    if not found.hand and (known is None or not known.lying.any()):
        return found, None
    look = _coarse_look(found.baseline, image, board)
    obstacles = find_obstacles(known, look, t, scene)
    lying = None if obstacles is None else judge_obstacles(obstacles, look, board.geometry)
    return (found if lying is None else _covered_by(lying, found, found.baseline)), obstacles


def _covered_by(lying: Occlusion, found: Reading, baseline: Baseline) -> Reading:
    """The reading of a picture in which things lie on the board: of what they cover nothing is known."""
    known = replace(
        found,
        hand=False,
        covered=lying.points,
        unsure=found.unsure | lying.points,
        baseline=replace(baseline, hidden=lying.cells),
    )
    if not lying.bar:
        return known
    return replace(known, bar=Count(None, None), bar_confidence=0.0, bar_likelihoods=BAR_UNKNOWN)


def _is_due(reading: Reading, looks: int) -> bool:
    """Whether a scene is to be looked at again after this many looks."""
    return looks < LOOKS or (looks < MOST_LOOKS and _is_doubtful(reading))


def _is_doubtful(reading: Reading) -> bool:
    """Whether another look may tell more: of what is hidden it does not."""
    sure = [die.confidence for die in reading.dice]
    if reading.cube is not None:
        sure.append(reading.cube.confidence)
    return bool(reading.unsure - reading.covered) or min(sure, default=1.0) < SURE
