"""The examples that pages and server share, and the page that describes them, agree with what the server answers."""

import json
import re
from pathlib import Path

from controller.record.filter.corrections import CORRECTIONS
from controller.referee import Phase
from controller.web.audience import Audience
from controller.web.course import RecentCourse
from controller.web.server.rights import COMMANDS, DIRECTOR_ONLY, ROUTES
from controller.web.snapshot import State, state_of
from controller.web.table_service import Role
from tests.referee.table.scenes import SCENES
from tests.rows import each_row
from tests.web.served_table import TableHouse

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("state_*.json"))
PAGE = (Path(__file__).parents[2] / "hardware_docs" / "live.md").read_text()


def state() -> State:
    view = TableHouse(SCENES[Phase.MOVING]()).view()
    return state_of(view, RecentCourse.from_view(view), Audience(Role.DIRECTOR), 0)


@each_row("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_has_no_key_that_the_server_does_not_send(path: Path) -> None:
    shown = json.loads(path.read_text())
    shown = shown.get("state", shown)
    assert set(shown) <= set(state()), path.name


def test_the_page_names_every_key_of_the_state() -> None:
    named = {name for row in re.findall(r"^\| (`.*?) \|", PAGE, re.M) for name in re.findall(r"`(\w+)`", row)}
    assert set(state()) <= named


def test_the_page_names_every_command_and_every_address() -> None:
    told = set(re.findall(r"[\w/{}.]+", PAGE))
    assert {what for what, right in COMMANDS.items() if right != DIRECTOR_ONLY} <= told
    assert {*CORRECTIONS, "set_clock", "ruling", "award", "forfeit"} <= told
    for _, path in ROUTES:
        if not path.startswith("/api/v1/matches") and path not in ("/logout", "/pins/{side}.svg"):
            assert path in told, path
