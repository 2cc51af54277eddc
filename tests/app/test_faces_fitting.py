"""What stands around showing a table its dice: it needs a board, and ends with a match."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.faces import FaceFault
from controller.app.set_up import RoomSetUp
from controller.config import Config
from controller.config.sections import BoardSection
from controller.messages.catalogue import catalogue
from controller.vision.fitted.last_layer import LastLayer
from controller.web.setup.set_up import TrialState
from tests.app.test_fitting import until, words
from tests.app.test_live import Scene
from tests.app.test_room import Staying, ask, lay_under_camera
from tests.striped import BOARD


def test_dice_are_shown_until_a_match_begins(tmp_path: Path) -> None:
    config = Config(folder=tmp_path, board=BoardSection(port="none"))
    with Staying(config, Scene(), known=True) as room:
        lay_under_camera(room, replace(BOARD, camera=BOARD.camera.resized(320, 256)))
        setup = RoomSetUp(room)
        assert setup.faces.begin(2, cube=True, more=False).done
        view = setup.view().faces
        assert (view.state, view.number, view.face, view.done) == (TrialState.RUNNING, 1, 2, 0)
        assert not view.more
        assert "No die is in doubt" in words(setup.faces.confirm())
        assert "Stop that first" in words(setup.faces.forget())
        assert ask(room, "director", what="start").done
        until(lambda: not setup.faces.running)
        assert "A match is on" in words(setup.faces.begin(2, cube=False, more=False))
        assert "A match is on" in words(setup.faces.forget())
    assert not (tmp_path / "board.toml").exists()


def test_without_a_board_no_dice_can_be_shown(tmp_path: Path) -> None:
    config = Config(folder=tmp_path, board=BoardSection(port="none"))
    with Staying(config, Scene(), known=False) as room:
        setup = RoomSetUp(room)
        assert setup.view().faces.state is TrialState.ABSENT
        assert "The board is not known yet" in words(setup.faces.begin(2, cube=False, more=False))


def test_it_is_told_that_what_an_older_version_learned_is_not_used(tmp_path: Path) -> None:
    config = Config(folder=tmp_path, board=BoardSection(port="none"))
    loose = LastLayer.from_weights("0123", np.zeros((7, 3)), 0.01)
    with Staying(config, Scene(), known=True) as room:
        faces = RoomSetUp(room).faces
        assert not faces.view().words
        lay_under_camera(room, replace(BOARD, dice=loose))
        (said,) = faces.view().words
        assert said("en").startswith("What an older version learned of your dice is not used")
        assert not faces.view().known


def test_dice_too_small_to_learn_from_are_not_asked_for(tmp_path: Path) -> None:
    config = Config(folder=tmp_path, board=BoardSection(port="none"))
    with Staying(config, Scene(), known=True) as room:
        faces = RoomSetUp(room).faces
        assert "only 3 pixels wide" in words(faces.begin(2, cube=False, more=False))
        assert not faces.running


def test_whatever_stands_against_a_picture_has_a_sentence() -> None:
    assert set(FaceFault) <= catalogue("en").names("faces")
