"""What set-up does for lamps and chip: finds where each pixel of a WLED lies, and writes firmware."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.app import set_up
from controller.app.fitting import keys
from controller.app.fitting.lamp_search import LampSearch, LampTable
from controller.app.room import Room
from controller.app.set_up import RoomSetUp
from controller.config import Config, load_config
from controller.config.sections import BoardSection, LightsAt
from controller.devices.firmware.image import released_image
from controller.devices.lights.backends import Lights
from controller.devices.lights.palette import Dimming
from controller.devices.lights.pixels import PixelMap
from controller.devices.lights.wled import WledLights
from controller.web.setup.set_up import DiceChoice, LightsChoice, TrialState
from controller.web.table_service import Glimpse, Reply
from tests.app.test_live import Running, Scene
from tests.app.test_room import Staying, lay_under_camera
from tests.calibration.test_lights import Table, board, shuffled
from tests.devices.boot_loader import BootLoader, hex_bytes
from tests.devices.input_devices import InputFolder
from tests.devices.radio_dice import Air, GoDiceLanguage, RadioDie
from tests.devices.simulated_wled import SimulatedWled
from tests.striped import BOARD

PATIENCE_S = 120.0


class Strip(Lights):
    """Lamps that nobody sees."""

    lamps = 29


def until(come: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not come():
        assert time.monotonic() < end
        time.sleep(0.01)


def words(reply: Reply) -> str:
    assert reply.words is not None
    return reply.words("en")


@pytest.fixture
def plugs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InputFolder]:
    """Where keyboards and switches are plugged in."""
    (tmp_path / "input").mkdir()
    folder = InputFolder(tmp_path / "input", monkeypatch)
    yield folder
    folder.close()


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Room]:
    """A room that is set up: no match is on."""
    file = tmp_path / "pointsman.toml"
    file.write_text("# mine\n")
    config = Config(folder=tmp_path, label=str(file), board=BoardSection(port="none"))
    scene, stop = Scene(), threading.Event()
    room = Room(config, BOARD, lambda _: None, open_camera=scene.open, read=scene.reading)
    thread = threading.Thread(target=lambda: room.run(stop, stays=True))
    thread.start()
    yield room
    stop.set()
    room.inbox.wake()
    thread.join()


def test_the_camera_finds_the_pixels_of_a_wled_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    # No camera exposes here, and each picture waits for the lamp.
    monkeypatch.setattr("controller.app.fitting.lamp_search.SETTLE_S", 0.0)
    order, wled = shuffled(8), SimulatedWled(29)
    table, ending, kept = Table(order), threading.Event(), list[LampTable]()
    numbers = iter(range(1_000_000))

    def glimpse() -> Glimpse:
        wanted = [] if lights._alone is None else [lights._alone]
        until(lambda: [pixel for pixel, colour in enumerate(wled.shown) if any(colour)] == wanted)
        table.shine(wanted[0] if wanted else None)
        return Glimpse(table.look(), next(numbers), 0.0, None, 0.0)

    lights = WledLights(wled.address, PixelMap.along(), Dimming(), lambda _: None)

    def tick() -> None:
        while not ending.wait(0.02):
            lights.tick(time.monotonic())

    ticking = threading.Thread(target=tick)
    ticking.start()
    search = LampSearch(glimpse, lambda: lights, lambda _, lamps: kept.append(lamps))
    try:
        until(lambda: lights.lamps == 29)
        assert search.view().state is TrialState.READY
        search.begin(board(), lambda: None, several=True)
        assert search.view().state is TrialState.RUNNING
        until(lambda: not search.running)
    finally:
        ending.set()
        ticking.join()
        lights.close()
        wled.power_off()
    said = search.view().words
    assert said is not None
    assert said("en") == "It is known where each lamp lies; the board file keeps it."
    assert PixelMap.of_table(kept[0], "board").pixels == {place: (at,) for place, at in order.lamps.items()}


def test_a_search_without_pictures_ends_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.app.fitting.lamp_search.PICTURE_S", 0.1)
    wled = SimulatedWled(29)
    lights = WledLights(wled.address, PixelMap.along(), Dimming(), lambda _: None)
    search = LampSearch(lambda: None, lambda: lights, lambda _, __: None)
    until(lambda: lights.lamps == 29)
    ended = threading.Event()
    search.begin(board(), ended.set, several=True)
    until(lambda: not search.running)
    said = search.view().words
    lights.close()
    wled.power_off()
    assert said is not None
    assert "The camera gives no pictures" in said("en")
    assert ended.is_set()


def test_a_search_for_lamps_that_is_ended_keeps_nothing() -> None:
    wled, kept, ended = SimulatedWled(29), list[LampTable](), threading.Event()
    lights = WledLights(wled.address, PixelMap.along(), Dimming(), lambda _: None)
    search = LampSearch(lambda: None, lambda: lights, lambda _, lamps: kept.append(lamps))
    until(lambda: lights.lamps == 29)
    search.begin(board(), ended.set, several=True)
    search.end()
    until(lambda: not search.running)
    lights.close()
    wled.power_off()
    assert ended.is_set()
    assert not kept
    assert search.view().words is None


def test_a_table_that_is_switched_off_ends_whatever_looks_at_pictures_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The end of the program waits for such a thread, since OpenCV aborts if it is torn out of it.
    monkeypatch.setattr("controller.app.fitting.lamp_search.PICTURE_S", PATIENCE_S)
    config = Config(folder=tmp_path, board=BoardSection(port="none"))
    beside = {"pointsman-calibration", "pointsman-faces", "pointsman-lamps"}
    with Staying(config, Scene(), known=True) as room:
        lay_under_camera(room, replace(BOARD, camera=BOARD.camera.resized(320, 256)))
        setup = RoomSetUp(room)
        room.electronics.lights = Strip()
        assert setup.lights.find().done
        room.hold = None
        assert setup.faces.begin(2, cube=False, more=False).done
        until(lambda: room.glimpse() is not None)
        assert setup.board.find(None, None).done
        threads = [each for each in threading.enumerate() if each.name in beside]
        assert {each.name for each in threads} == beside
        assert not any(each.daemon for each in threads)
    for each in threads:
        each.join(PATIENCE_S)
        assert not each.is_alive()


def test_a_wled_is_chosen_and_the_configuration_keeps_it(open_room: Room, tmp_path: Path) -> None:
    setup = RoomSetUp(open_room)
    reply = setup.lights.choose(LightsChoice("wled", "127.77.0.99"))
    file = tmp_path / "pointsman.toml"
    assert words(reply) == f"These lights are used from now on; {file} keeps it."
    kept = load_config(file).lights
    assert (kept.source, kept.address) == (LightsAt.WLED, "127.77.0.99")
    assert file.read_text().startswith("# mine\n")
    until(lambda: setup.view().lights_words is not None)
    assert setup.view().lights_choice == LightsChoice("wled", "127.77.0.99")
    assert setup.lights.choose(LightsChoice("none")).done
    assert words(setup.lights.find()) == "There are no lights here."


def test_what_was_found_is_in_the_board_file_and_the_board_in_use(open_room: Room) -> None:
    setup = RoomSetUp(open_room)
    setup.lights.keep_lamps(board(), {"point-1": [3, 4], "point-2": 5})
    assert open_room.board is not None
    assert open_room.board.lights == {"point-1": [3, 4], "point-2": 5}
    # These are lamps of a WLED: the electronics of a board cannot light them, and play goes on without.
    assert setup.lights.choose(LightsChoice("board")).done
    assert open_room.electronics.lights.lamps == 0
    assert setup.lights.choose(LightsChoice("wled", "127.77.0.99")).done
    assert "point-1 = [3, 4]" in open_room.config.board_file().read_text()


def test_the_firmware_is_written_while_the_table_leaves_the_board_alone(
    open_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = RoomSetUp(open_room)
    monkeypatch.setattr(set_up, "likely_ports", tuple)
    assert words(setup.write_firmware()).startswith("No board is found.")
    with BootLoader(115_200) as chip:
        monkeypatch.setattr(set_up, "likely_ports", lambda: (chip.port,))
        assert setup.write_firmware().done
        assert setup.view().firmware.state is TrialState.RUNNING
        assert words(setup.start()) == "The firmware is being written. Wait until that is done."
        assert not setup.choose_port("auto").done
        until(lambda: setup.view().firmware.state is TrialState.DONE)
    said = setup.view().firmware.words
    assert said is not None
    assert said("en") == "Firmware 1.2.0 is on the board."
    wanted = hex_bytes(released_image().path)
    assert bytes(chip.flash[: len(wanted)]) == wanted
    assert open_room.config.board.port == "none"


def test_in_a_match_nothing_of_it_is_done(tmp_path: Path) -> None:
    config = Config(folder=tmp_path, board=BoardSection(port="none"))
    with Running(config, Scene()) as table:
        setup = RoomSetUp(table.room)
        for reply in (setup.write_firmware(), setup.lights.find(), setup.lights.choose(LightsChoice("none"))):
            assert words(reply) == "A match is on. End it before another one begins."


def test_a_match_that_begins_elsewhere_has_its_keys_and_dice_back(
    plugs: InputFolder, open_room: Room
) -> None:
    foot = plugs.plug()
    setup = RoomSetUp(open_room)
    words_of = GoDiceLanguage(random.Random(1))
    air = Air({name: RadioDie(name, f"AA:{name}", words_of) for name in ("Red", "Blue")})
    with air.on():
        assert setup.keys.learn("done").done
        until(lambda: setup.view().keys.listening == "done")
        foot.press("KEY_B")
        until(lambda: setup.view().keys.buttons[0].device == "Foot Switch")
        assert setup.dice.choose(_shared(setup.view().dice_choice, "Red", "Blue")).done
        assert setup.keys.learn("roll").done
        assert setup.dice.find().done
        assert open_room.electronics.keys is None
        assert open_room.electronics.dice is None
        # The director begins it, from the hub.
        assert open_room.inbox.ask(open_room.begin_match).result(PATIENCE_S).done
        assert open_room.electronics.keys is not None
        assert open_room.electronics.dice is not None
        until(lambda: air.is_held("Red") and air.is_held("Blue"))
        assert (setup.view().keys.listening, setup.view().dice_found.running) == ("", False)
        for refused in (setup.keys.learn("done"), setup.dice.find(), setup.keys.forget("done")):
            assert words(refused) == "A match is on. End it before another one begins."
        open_room.electronics.dice.close()


def test_a_key_that_was_another_button_moves_and_one_that_nobody_presses_is_told(
    plugs: InputFolder, open_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    foot = plugs.plug()
    setup = RoomSetUp(open_room)
    for button in ("done", "roll"):
        assert setup.keys.learn(button).done
        until(lambda button=button: setup.view().keys.listening == button)
        foot.press("KEY_B")
        until(lambda: not setup.view().keys.listening)
    learned = {each.button: each.key for each in setup.view().keys.buttons if each.key}
    assert learned == {"roll": "KEY_B"}
    assert load_config(Path(open_room.config.label)).keys.done == ""
    monkeypatch.setattr(keys, "LISTEN_S", 0.1)
    assert setup.keys.learn("take").done
    until(lambda: not setup.view().keys.listening)
    (said,) = setup.view().keys.words
    assert said("en") == "No key was pressed. Try it again."
    assert open_room.electronics.keys is not None


def _shared(choice: DiceChoice, *names: str) -> DiceChoice:
    return replace(choice, source="bluetooth", shared=names)
