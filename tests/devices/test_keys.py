"""Keys of keyboards, foot switches and presenters as buttons of the table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.buttons import Press
from controller.devices.keys.buttons import KeyButtons
from controller.devices.keys.learned import LearnedKey, LearnedKeyError
from controller.devices.keys.learning import KeyLearning
from controller.devices.keys.status import KeysCode, KeysStatus
from controller.devices.link.happenings import Button
from tests.devices.input_devices import Device, InputFolder
from tests.rows import each_row

FOOT = LearnedKey("KEY_B", "0c45:7403", name="Foot Switch")


@pytest.fixture
def plugs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InputFolder]:
    folder = InputFolder(tmp_path, monkeypatch)
    yield folder
    folder.close()


class Table:
    """Buttons that are asked 50 times a second, and what they told."""

    def __init__(self, plugs: InputFolder, grab: bool = False, **keys: LearnedKey) -> None:
        self.told: list[KeysStatus] = []
        by_button = {Button[name.upper()]: key for name, key in keys.items()} or {Button.DONE: FOOT}
        self.buttons = KeyButtons(by_button, self.told.append, grab=grab, folder=plugs.folder)
        self.now = 0.0

    def after(self, seconds: float = 0.02) -> list[Press]:
        presses: list[Press] = []
        ends = self.now + seconds
        while self.now < ends:
            self.now += 0.02
            presses += self.buttons.poll(self.now)
        return presses

    def pressed(self, seconds: float = 0.02) -> list[Button]:
        return [press.button for press in self.after(seconds) if press.down]

    @property
    def codes(self) -> list[KeysCode]:
        return [status.code for status in self.told]


def test_a_key_is_a_button_and_every_other_key_and_keyboard_is_none(plugs: InputFolder) -> None:
    foot, other = plugs.plug(), plugs.plug("Keyboard", (0x046D, 0xC31C), number=1)
    table = Table(plugs)
    table.after()
    for device, key in ((foot, "KEY_A"), (other, "KEY_B"), (foot, "KEY_LEFTCTRL")):
        device.press(key)
    assert table.pressed() == []
    foot.press("KEY_B")
    assert table.pressed() == [Button.DONE]


def test_a_key_that_is_held_is_pressed_once(plugs: InputFolder) -> None:
    foot = plugs.plug()
    table = Table(plugs)
    table.after()
    foot.down("KEY_B")
    foot.hold("KEY_B")
    assert table.pressed() == [Button.DONE]
    foot.hold("KEY_B")
    assert table.pressed() == []
    foot.up("KEY_B")
    assert [press.down for press in table.after()] == [False]


def test_a_device_that_was_away_is_used_again_without_a_press(plugs: InputFolder) -> None:
    foot = plugs.plug()
    table = Table(plugs)
    table.after()
    foot.down("KEY_B")
    assert table.pressed() == [Button.DONE]
    plugs.pull(foot)
    assert table.pressed(1.5) == []
    foot = plugs.plug(number=7, port="usb-2")
    foot.hold("KEY_B")
    assert table.pressed(1.5) == []
    foot.up("KEY_B")
    foot.press("KEY_B")
    assert table.pressed() == [Button.DONE]
    assert table.codes == [KeysCode.READY, KeysCode.AWAY, KeysCode.READY]


def test_a_device_that_gets_the_number_of_another_one_is_found_all_the_same(plugs: InputFolder) -> None:
    mouse = plugs.plug("Mouse", (0x046D, 0xC077))
    table = Table(plugs)
    table.after()
    plugs.pull(mouse)
    foot = plugs.plug()
    table.after(1.5)
    foot.press("KEY_B")
    assert table.pressed() == [Button.DONE]


def test_a_device_that_is_missing_from_the_beginning_is_told_once(plugs: InputFolder) -> None:
    table = Table(plugs)
    table.after(5.0)
    assert table.told == [KeysStatus(KeysCode.AWAY, "Foot Switch")]


def test_two_switches_of_one_make_are_told_apart_by_their_ports(plugs: InputFolder) -> None:
    left, right = plugs.plug(port="usb-1"), plugs.plug(number=1, port="usb-2")
    keys = {
        "clock_light": LearnedKey("KEY_B", "0c45:7403", "usb-1"),
        "clock_dark": LearnedKey("KEY_B", "0c45:7403", "usb-2"),
    }
    table = Table(plugs, **keys)
    table.after()
    right.press("KEY_B")
    assert table.pressed() == [Button.CLOCK_DARK]
    left.press("KEY_B")
    assert table.pressed() == [Button.CLOCK_LIGHT]


@pytest.mark.parametrize("grab", [False, True])
def test_a_device_is_taken_from_other_programs_only_if_that_is_asked_for(
    plugs: InputFolder, grab: bool
) -> None:
    foot, other = plugs.plug(), plugs.plug("Keyboard", (0x046D, 0xC31C), number=1)
    table = Table(plugs, grab)
    table.after()
    assert bool(foot.holders) is grab
    assert not other.holders


def test_a_device_that_another_program_has_for_itself_is_told_and_used_once_it_is_free(
    plugs: InputFolder,
) -> None:
    foot = plugs.plug()
    foot.holders.add(-1)
    table = Table(plugs, True)
    table.after()
    foot.holders.clear()
    table.after(1.5)
    foot.press("KEY_B")
    assert table.pressed() == [Button.DONE]
    assert table.codes == [KeysCode.TAKEN, KeysCode.READY]


def test_devices_that_may_not_be_read_are_told(plugs: InputFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    plugs.plug()

    def refuse(_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("evdev.InputDevice", refuse)
    table = Table(plugs)
    table.after()
    assert table.codes == [KeysCode.FORBIDDEN]
    assert not KeyLearning(plugs.folder).poll(0.0)


def learned(plugs: InputFolder, *presses: tuple[Device, str]) -> LearnedKey | None:
    learning = KeyLearning(plugs.folder)
    assert learning.poll(0.0) is None
    for device, key in presses:
        device.down(key)
    for device, key in presses:
        device.up(key)
    found = learning.poll(0.02)
    learning.close()
    return found


def test_the_key_that_is_pressed_is_learned_wherever_its_device_is_plugged_in(plugs: InputFolder) -> None:
    foot = plugs.plug()
    assert learned(plugs, (foot, "KEY_B")) == FOOT


def test_of_several_keys_that_a_switch_presses_at_once_the_last_one_is_learned(plugs: InputFolder) -> None:
    foot = plugs.plug()
    found = learned(plugs, (foot, "KEY_LEFTCTRL"), (foot, "KEY_B"))
    assert found is not None
    assert found.key == "KEY_B"


def test_with_two_of_a_make_the_port_is_learned_too(plugs: InputFolder) -> None:
    plugs.plug(port="usb-1")
    found = learned(plugs, (plugs.plug(number=1, port="usb-2"), "KEY_B"))
    assert found is not None
    assert found.text == "KEY_B 0c45:7403 [usb-2] Foot Switch"


def test_a_key_that_was_down_before_and_a_finger_on_a_touch_screen_are_not_learned(
    plugs: InputFolder,
) -> None:
    foot = plugs.plug()
    screen = plugs.plug("Screen", (0x222A, 1), number=1, keys=("BTN_TOUCH",))
    learning = KeyLearning(plugs.folder)
    learning.poll(0.0)
    foot.up("KEY_A")
    screen.press("BTN_TOUCH")
    assert learning.poll(0.02) is None
    learning.close()


@each_row(
    ("text", "key"),
    [
        ("KEY_B 0c45:7403 Foot Switch", FOOT),
        ("KEY_B 0c45:7403", LearnedKey("KEY_B", "0c45:7403")),
        ("418 0c45:7403 [usb-1]", LearnedKey("418", "0c45:7403", "usb-1")),
        ("KEY_B 0c45:7403 [usb-1] A [b]", LearnedKey("KEY_B", "0c45:7403", "usb-1", "A [b]")),
    ],
)
def test_a_key_comes_back_from_its_line(text: str, key: LearnedKey) -> None:
    assert LearnedKey.from_text(text) == key
    assert key.text == text


@each_row("text", ["KEY_B", "", "key_b 0c45:7403", "KEY_B 0C45:7403"])
def test_a_line_that_names_no_key_is_refused(text: str) -> None:
    with pytest.raises(LearnedKeyError, match="set-up page"):
        LearnedKey.from_text(text)


def test_a_key_that_no_keyboard_has_is_refused(plugs: InputFolder) -> None:
    with pytest.raises(LearnedKeyError, match="KEY_ELBOW"):
        Table(plugs, done=LearnedKey("KEY_ELBOW", "0c45:7403"))
