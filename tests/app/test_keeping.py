"""What is chosen on the set-up page holds at once, and stands in the configuration afterwards."""

from pathlib import Path

import pytest

from controller.app.fitting.keeping import Keeping
from controller.app.room import Room
from controller.app.set_up import RoomSetUp
from controller.config import load_config
from controller.config.config import NAME, Config
from controller.config.sections import BoardSection, ClockKind
from controller.config.writing import Values
from controller.referee.caution import Strictness
from controller.referee.table.settings import End


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(Config(folder=tmp_path, board=BoardSection(port="none")), None, lambda _: None)


def chosen(room: Room, values: Values) -> str:
    """What the page reads after a choice, empty where it was refused."""
    keeping = Keeping(room, room.config.folder / NAME)
    used = keeping.use(values)
    return keeping.keep(values)("en") if used.done else ""


def test_a_folder_without_a_configuration_gets_one(room: Room, tmp_path: Path) -> None:
    assert NAME in chosen(room, {"match": {"table": "4"}, "web": {"open": True}})
    kept = load_config(tmp_path / NAME)
    assert (kept.match.table, kept.web.open) == ("4", True)


def test_a_choice_holds_for_the_next_match_without_a_restart(room: Room) -> None:
    chosen(
        room,
        {
            "table": {"ends": ["rest"], "rest_s": 6, "languages": ["hu", "et"]},
            "clock": {"kind": "bronstein"},
            "caution": {"strictness": "lenient"},
        },
    )
    settings = room.config.settings()
    assert End.REST in settings.ends
    assert (settings.rest_s, settings.caution.strictness) == (6.0, Strictness.LENIENT)
    assert (room.config.clock.kind, room.config.table.languages) == (ClockKind.BRONSTEIN, ("hu", "et"))


def test_buttons_at_pins_are_wired_anew(room: Room, tmp_path: Path) -> None:
    before = room.electronics
    assert chosen(room, {"buttons": {"roll": 5, "done": None}})
    assert room.electronics is not before
    assert load_config(tmp_path / NAME).buttons.roll == 5


def test_what_is_left_empty_is_left_out(room: Room, tmp_path: Path) -> None:
    chosen(room, {"lights": {"limit_ma": 900}})
    assert load_config(tmp_path / NAME).lights.limit_ma == 900
    chosen(room, {"lights": {"limit_ma": None}})
    assert (load_config(tmp_path / NAME).lights.limit_ma, room.config.lights.limit_ma) == (None, None)


@pytest.mark.parametrize(
    "values",
    [
        {"lights": {"limit_ma": 9000}},
        {"table": {"languages": ["xx"]}},
        {"buttons": {"roll": 5, "double": 5}},
    ],
)
def test_what_cannot_be_changes_nothing(room: Room, tmp_path: Path, values: Values) -> None:
    before = room.config
    assert chosen(room, values) == ""
    assert room.config == before
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize(
    "values", [{"speech": {"command": "rm"}}, {"log": {"level": "debug"}}, {"x": {"y": 1}}]
)
def test_no_page_names_a_program_or_another_key(room: Room, tmp_path: Path, values: Values) -> None:
    setup = RoomSetUp(room, Keeping(room, tmp_path / NAME))
    assert not setup.choose_settings(values).done
    assert not (tmp_path / NAME).exists()
