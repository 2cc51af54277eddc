"""A real table that speaks through a real program: what its room tells is what that program is given."""

import stat
import time
from dataclasses import replace
from pathlib import Path

from controller.app.aloud.announcer import open_announcer
from controller.app.set_up import RoomSetUp
from controller.config import Config, load_config
from controller.config.sections import ClockKind, ClockSection, SpeechSection
from controller.referee import Phase
from controller.rules import Side
from controller.speech.phrase import SpokenTopic
from controller.web.setup.set_up import VoiceChoice
from tests.app.test_live import Running, Scene
from tests.app.test_room import ask, config_in, words

PATIENCE_S = 120.0


def speaking(folder: Path, **speech: object) -> Config:
    """A table whose voice writes down what it says, a line each."""
    program = folder / "speak"
    program.write_text(f'#!/bin/sh\necho "$1 $(cat)" >> {folder}/said\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    section = SpeechSection(use=True, sounds=False, command=f"{program} {{language}}")
    clock = ClockSection(kind=ClockKind.SIMPLE, delay_s=1.0)
    return replace(config_in(folder), clock=clock, speech=replace(section, **speech))  # type: ignore[arg-type]


def until_said(folder: Path, words: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while words not in (text := (folder / "said").read_text() if (folder / "said").exists() else ""):
        assert time.monotonic() < end, text
        time.sleep(0.01)


def test_a_turn_at_a_real_table_is_said_by_the_program_that_the_configuration_names(tmp_path: Path) -> None:
    with Running(speaking(tmp_path), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        announcer = open_announcer(table.room)
        assert ask(table.room, "light", what="opening_roll", light=3, dark=1).done
        until_said(tmp_path, "en Anna starts with three-one.")
        table.until_phase(Phase.MOVING)
        assert ask(table.room, "light", what="played", side="light", play="8/5 6/5").done
        until_said(tmp_path, "en Anna: eight to five; six to five. Béla to roll.")
        announcer.close()


def test_language_and_topics_are_those_of_the_configuration(tmp_path: Path) -> None:
    config = speaking(tmp_path, language="hu", topics=(SpokenTopic.PLAY,))
    with Running(config, Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        announcer = open_announcer(table.room)
        assert ask(table.room, "light", what="opening_roll", light=3, dark=1).done
        table.until_phase(Phase.MOVING)
        assert ask(table.room, "light", what="played", side="light", play="8/5 6/5").done
        until_said(tmp_path, "hu Anna: nyolcról ötre; hatról ötre.")
        announcer.close()
    assert (tmp_path / "said").read_text() == "hu Anna: nyolcról ötre; hatról ötre.\n"


def test_a_voice_that_is_not_installed_is_reported_and_play_goes_on(tmp_path: Path) -> None:
    config = speaking(tmp_path, command="no-such-voice")
    with Running(config, Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        announcer = open_announcer(table.room)
        assert ask(table.room, "light", what="opening_roll", light=3, dark=1).done
        table.until_told("Nothing can be said aloud: the program no-such-voice is not installed.")
        assert ask(table.room, "light", what="played", side="light", play="8/5 6/5").done
        table.until_phase(Phase.TO_ROLL)
        announcer.close()


def test_a_reserve_that_comes_down_to_a_minute_is_called_while_the_match_goes_on(tmp_path: Path) -> None:
    with Running(speaking(tmp_path), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        announcer = open_announcer(table.room)
        assert ask(table.room, "light", what="opening_roll", light=3, dark=1).done
        table.until(lambda: table.table.state.clock is Side.LIGHT)
        # Half a second before a minute; the delay for the move comes first.
        assert ask(table.room, "director", what="set_clock", light_s=60.5, dark_s=300.0).done
        until_said(tmp_path, "en Anna: one minute left.")
        announcer.close()


def test_the_set_up_page_switches_the_voice_on_lets_people_hear_it_and_keeps_it(tmp_path: Path) -> None:
    config = speaking(tmp_path, use=False)
    file = tmp_path / "pointsman.toml"
    file.write_text(f"# mine\n[speech]\ncommand = '{config.speech.command}'\n")
    with Running(replace(config, label=str(file)), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        announcer = open_announcer(table.room)
        setup = RoomSetUp(table.room)
        assert ask(table.room, "light", what="opening_roll", light=3, dark=1).done
        table.until_phase(Phase.MOVING)
        reply = setup.choose_voice(VoiceChoice(use=True, sounds=False, volume=0.5, language="et"))
        assert words(reply) == f"The table speaks like this from now on; {file} keeps it."
        until_said(tmp_path, "et Nii räägib laud.")
        assert setup.view().voice == VoiceChoice(use=True, sounds=False, volume=0.5, language="et")
        assert ask(table.room, "light", what="played", side="light", play="8/5 6/5").done
        until_said(tmp_path, "et Anna: kaheksalt viiele; kuuelt viiele.")
        assert setup.choose_voice(VoiceChoice(use=False)).done
        announcer.close()
    assert "Anna alustab" not in (tmp_path / "said").read_text()
    kept = load_config(file).speech
    assert file.read_text().startswith("# mine\n")
    assert (kept.use, kept.sounds, kept.volume, kept.language) == (False, True, 0.8, "en")
    assert kept.command == config.speech.command
