"""The page asks the system for updates by a word in a file, and tells how far they are."""

import json
from pathlib import Path

import pytest

from controller.app.around.match import CurrentMatch
from controller.app.fitting.updating import HEARD_S, REQUEST, UpdateErrand
from controller.app.room import Room
from controller.app.set_up import RoomSetUp
from controller.config.config import Config
from controller.config.sections import BoardSection
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.web.setup.set_up import TrialState
from tests.test_imports import ROOT

PROGRAM = (ROOT / "hardware_docs" / "system" / "pointsman-update").read_text()


@pytest.fixture
def errand(tmp_path: Path) -> UpdateErrand:
    return UpdateErrand(tmp_path, tmp_path / "update.json")


def told(errand: UpdateErrand, **values: str) -> str:
    errand.state.write_text(json.dumps({"version": "1.0.0", "step": "", **values}))
    words = errand.view().words
    assert words is not None
    for language in LANGUAGES:
        assert words(language)
    return words("en")


def test_a_table_that_was_not_installed_offers_no_updates(errand: UpdateErrand) -> None:
    assert errand.view().state is TrialState.ABSENT


def test_what_is_new_is_shown_and_can_be_taken(errand: UpdateErrand) -> None:
    text = told(errand, outcome="checked", new="1.1.0", news="A table is set up by phone.")
    assert text.endswith("There is version 1.1.0: A table is set up by phone.")
    assert errand.view().new == "1.1.0"
    assert told(errand, outcome="checked", new="").endswith("There is no newer one.")


def test_an_update_runs_from_the_request_to_its_end(errand: UpdateErrand) -> None:
    told(errand)
    errand.ask("update")
    assert (errand.folder / REQUEST).read_text() == "update"
    assert errand.running
    assert errand.view().state is TrialState.RUNNING
    (errand.folder / REQUEST).unlink()
    assert told(errand, step="backup") == "A backup is being made."
    assert errand.running
    assert "brought up to date" in told(errand, outcome="updated", before="1.0.0")
    assert (errand.running, errand.view().before) == (False, "1.0.0")


def test_a_request_that_nobody_takes_is_told(tmp_path: Path) -> None:
    now = [0.0]
    errand = UpdateErrand(tmp_path, tmp_path / "update.json", lambda: now[0])
    told(errand)
    errand.ask("check")
    now[0] = (tmp_path / REQUEST).stat().st_mtime + HEARD_S + 1
    assert not errand.running
    assert "Switch the machine off and on" in told(errand)


def test_every_step_and_outcome_of_the_program_has_its_words() -> None:
    for entry in catalogue("en").names("update", "outcome"):
        assert entry == "not_heard" or f'"{entry}"' in PROGRAM, entry
    for entry in catalogue("en").names("update", "step"):
        assert entry == "asked" or f'"{entry}"' in PROGRAM, entry


def test_nothing_is_updated_while_a_match_is_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(Config(folder=tmp_path, board=BoardSection(port="none")), None, lambda _: None)
    setup = RoomSetUp(room)
    monkeypatch.setattr(CurrentMatch, "playing", property(lambda _: True))
    refused = setup.ask_update("update")
    assert not refused.done
    assert refused.words is not None
    assert not (tmp_path / REQUEST).exists()
