"""Whoever follows a recipe of CONTRIBUTING gets what it promises, and its tests pass."""

from pathlib import Path

import pytest

from tests.recipes.copied import ROOT, Project, named_tests, recipe

PROFILE, MESSAGE, DEVICE = "Add a rule profile", "Add a message in four languages", "Add a device"
SENTENCES = {
    "en": "{side} has put everything back.",
    "hu": "{side} mindent visszarakott.",
    "et": "{side} pani kõik tagasi.",
    "sk": "{side} má všetko vrátené na miesto.",
}
LIGHTS = '''"""Lights that are letters in a file."""

from pathlib import Path

from controller.devices.lights.backends import Lights
from controller.devices.lights.frame import LightFrame
from controller.devices.lights.palette import LETTERS


class LetterLights(Lights):
    """A letter for each place, in a file."""

    def __init__(self, path: Path) -> None:
        """``path``: the file."""
        self._path = path

    def show(self, frame: LightFrame) -> None:
        """See `Lights`."""
        super().show(frame)
        self._path.write_text("".join(LETTERS[signal] for signal in frame.signals()))
'''
LIGHTS_TEST = '''"""Letters in a file, as a table opens them."""

from pathlib import Path

from controller.app.electronics import Electronics
from controller.app.inbox import Inbox
from controller.app.wiring import give_lights
from controller.config.config import parse_config
from controller.devices import LightFrame, Signal


def test_a_table_shows_its_lights_in_the_file(tmp_path: Path) -> None:
    config = parse_config('[board]\\nport = "none"\\n[lights]\\nsource = "letters"\\n', "letters", tmp_path)
    electronics = Electronics(Inbox(), lambda at: at, print, lambda: 0.0)
    give_lights(electronics, config, None, print)
    electronics.lights.show(LightFrame().lit(Signal.WRONG, [1]))
    assert Path("letters.txt").read_text().startswith("X")
    Path("letters.txt").unlink()
'''


@pytest.mark.parametrize("title", [PROFILE, MESSAGE, DEVICE])
def test_the_tests_that_a_recipe_names_exist(title: str) -> None:
    assert [name for name in named_tests(title) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("language", SENTENCES)
def test_the_recipe_for_a_message_names_every_catalogue(language: str) -> None:
    assert f"`controller/messages/{language}.toml`" in recipe(MESSAGE)


def test_add_a_rule_profile(tmp_path: Path) -> None:
    project = Project.copied(tmp_path, PROFILE)
    project.write(
        "controller/rules/profiles/wednesday.toml",
        '# The rules of Wednesday evenings.\n\ntitle = "Wednesdays"\ninherits = "hubgf-match"\n\n'
        "[stated]\ncube.max = 8\n",
    )
    project.put_before("hardware_docs/profiles.md", "\n## The family", "| `wednesday` | Wednesdays |\n")
    project.put_before("tests/rules/test_profile_files.py", '    "standard-money"', '    "wednesday",\n')
    project.test()


def test_add_a_message_in_four_languages(tmp_path: Path) -> None:
    project = Project.copied(tmp_path, MESSAGE)
    project.put_before(
        "controller/referee/actions.py",
        "    PLAY_AGAIN =",
        '    ALL_BACK = "all_back"\n    """``side`` has put its checkers back."""\n',
    )
    for language, sentence in SENTENCES.items():
        project.put_before(
            f"controller/messages/{language}.toml", "play_again =", f'all_back = "{sentence}"\n'
        )
    project.put_before(
        "controller/referee/table/turns.py",
        "    on.tell(Message.PLAY_AGAIN",
        "    on.tell(Message.ALL_BACK, side=str(wrong.side))\n",
    )
    project.put_before(
        "tests/messages/test_table_words.py",
        "    Message.PLAY_AGAIN:",
        '    Message.ALL_BACK: {"side": "light"},\n',
    )
    project.make_pages()
    project.test("tests/referee/table/test_walk.py::test_the_page_tells_what_every_event_does_in_every_state")
    assert "*all_back*" in (tmp_path / "hardware_docs" / "referee.md").read_text(encoding="utf-8")


def test_add_a_device(tmp_path: Path) -> None:
    project = Project.copied(tmp_path, DEVICE)
    project.write("controller/devices/lights/letters.py", LIGHTS)
    project.write("tests/devices/test_letters.py", LIGHTS_TEST)
    project.put_before("controller/config/sections.py", '    LEDS = "leds"', '    LETTERS = "letters"\n')
    project.put_before(
        "controller/app/wiring.py",
        "        case LightsAt.LEDS:",
        '        case LightsAt.LETTERS:\n            return LetterLights(Path("letters.txt"))\n',
    )
    project.put_before(
        "controller/app/wiring.py",
        "from controller.devices.link.link import",
        "from pathlib import Path\nfrom controller.devices.lights.letters import LetterLights\n",
    )
    project.make_pages()
    project.test("tests/devices/test_letters.py")
    assert '"letters"' in (tmp_path / "hardware_docs" / "configuration.md").read_text(encoding="utf-8")
