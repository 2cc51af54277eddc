"""The catalogues of all languages hold the same entries, and every code has its text."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from importlib.resources import files
from string import Formatter
from typing import Any

import pytest

from controller.devices.camera.status import CameraCode
from controller.devices.dice.status import DiceCode
from controller.devices.firmware.flashing import FlashFault, FlashStep
from controller.devices.keys.status import KeysCode
from controller.devices.lights.wled_status import WledCode
from controller.devices.link.status import LinkCode
from controller.messages.catalogue import (
    COUNT,
    LANGUAGES,
    OTHER,
    PLURALS,
    Catalogue,
    LanguageError,
    catalogue,
)
from controller.referee.actions import Cause, Message, Phase
from controller.referee.events import BoardTrouble
from controller.rules.game.events import Refusal
from controller.rules.game.scoring import Ending, Level
from controller.rules.position import Side
from controller.rules.profile.catalogue import NOTICES
from controller.rules.profile.keys import KEYS
from controller.tomlfile.checks import NONE, OneOf

Forms = Mapping[str, str]
"""The texts of an entry by plural form; a plain text under `OTHER` alone."""


def blanks(forms: Forms) -> set[str]:
    return {name for text in forms.values() for _, name, _, _ in Formatter().parse(text) if name is not None}


def entries(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Forms]]:
    for name, entry in table.items():
        if isinstance(entry, str):
            yield (*path, name), {OTHER: entry}
        elif COUNT in entry:
            yield (*path, name), entry
        else:
            yield from entries(entry, (*path, name))


def texts(language: str) -> dict[tuple[str, ...], Forms]:
    file = files("controller.messages").joinpath(f"{language}.toml")
    return dict(entries(tomllib.loads(file.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_entries_with_the_same_blanks(language: str) -> None:
    english = {path: blanks(forms) for path, forms in texts("en").items()}
    assert {path: blanks(forms) for path, forms in texts(language).items()} == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_with_plural_forms_has_exactly_those_of_its_language(language: str) -> None:
    counted = {path: forms for path, forms in texts(language).items() if COUNT in forms}
    for path, forms in counted.items():
        assert set(forms) == {COUNT, OTHER, *PLURALS[language]}, path
        assert {forms[COUNT]} <= blanks(forms), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_leave_out_no_blank_but_the_count(language: str) -> None:
    for path, forms in texts(language).items():
        for form, text in forms.items():
            if form != COUNT:
                assert blanks(forms) - blanks({form: text}) <= {forms.get(COUNT)}, path


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {"one": [1], "other": [0, 2, 5, 21]}),
        ("hu", {"one": [1], "other": [0, 2, 5, 21]}),
        ("et", {"one": [1], "other": [0, 2, 5, 21]}),
        ("sk", {"one": [1], "few": [2, 3, 4], "other": [0, 5, 14, 21, 22]}),
    ],
)
def test_the_plural_form_of_a_number_is_that_of_the_language(
    language: str, forms: dict[str, list[int]]
) -> None:
    entry = {"count": "n", "one": "one", "few": "few", "other": "other"}
    counting = Catalogue({"entry": entry}, PLURALS[language])
    for form, numbers in forms.items():
        assert {counting.text("entry", n=number) for number in numbers} == {form}


def test_only_the_language_asked_for_is_read_and_not_before() -> None:
    program = (
        "import controller.cli.rules\n"
        "from controller.messages.catalogue import catalogue\n"
        "assert catalogue.cache_info().currsize == 0\n"
        "catalogue('sk').text('term', 'light')\n"
        "assert catalogue.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_is_left_in_english(language: str) -> None:
    english = texts("en")
    terms_of_the_field = {("term", "gammon"), ("term", "backgammon"), ("heading", "profile")}
    terms_of_the_field |= {
        ("live", "choice", "of_side"),
        ("live", "choice", "share"),
        ("verdict", "plain"),
        ("typed", "beaver"),
        ("typed", "raccoon"),
    }
    terms_of_the_field |= {("page", "setup", "family", "backgammon"), ("page", "tournament", "pin")}
    # What the maker of Pixels calls their looks.
    looks = ("onyx_black", "hematite_grey", "midnight_galaxy", "aurora_sky", "clear", "white_aurora")
    terms_of_the_field |= {("page", "setup", "colour", look) for look in looks}
    same = {path for path, forms in texts(language).items() if forms == english[path]}
    assert same == terms_of_the_field


def test_every_fault_and_step_of_flashing_has_its_words() -> None:
    assert set(catalogue("en").names("flash", "fault")) == set(FlashFault)
    assert set(catalogue("en").names("flash", "step")) == set(FlashStep)


def test_every_value_of_every_key_has_a_sentence() -> None:
    for name, key in KEYS.items():
        members = list(key.check.members) if isinstance(key.check, OneOf) else ["true", "false"]
        needed = {NONE if member is None else str(member) for member in members}
        if "number" in catalogue("en").names("rule", name):
            needed = {"number"} | (needed & {NONE})
        assert catalogue("en").names("rule", name) == needed, name


def test_no_sentence_is_for_a_key_that_does_not_exist() -> None:
    assert catalogue("en").names("rule") == set(KEYS)


def test_every_code_has_a_text() -> None:
    english = catalogue("en")
    assert english.names("notice") == set(NOTICES)
    assert english.names("refusal") == {refusal.value for refusal in Refusal}
    assert {*(side.value for side in Side), *(level.term for level in Level)} <= english.names("term")
    assert {Ending.RESIGNED.value, Ending.AWARDED.value, Ending.DROPPED.value} <= english.names("result")


def test_every_message_and_phase_of_a_table_has_a_text_and_no_other_has() -> None:
    english = catalogue("en")
    seconds = {
        "tie_doubled",
        "roll_too_early_ask",
        "moved_out_of_turn_by",
        "cube_moved_center",
        "cube_due_center",
        "cube_due_center_turned",
    }
    seconds |= {"device_gone_why", "device_gone_journal", "device_back_journal"}
    seconds |= {f"board_{trouble}" for trouble in BoardTrouble}
    seconds |= {"board_restart_brown_out", "board_restart_watchdog"}
    assert english.names("table") == {*Message, *seconds} - {Message.REFUSED, Message.NOT_NOW}
    assert english.names("not_now") == {*Phase, *Cause}
    assert english.names("phase") == set(Phase)


@pytest.mark.parametrize(
    ("device", "codes"),
    [
        ("camera", CameraCode),
        ("board", LinkCode),
        ("dice", DiceCode),
        ("lights", WledCode),
        ("keys", KeysCode),
    ],
)
def test_every_state_of_a_device_has_its_reason_and_no_other_has(device: str, codes: type[StrEnum]) -> None:
    assert catalogue("en").names(device, "reason") == set(codes)
    assert catalogue("en").names(device, "remedy") < set(codes)


def test_a_language_without_texts_is_told_with_those_that_have() -> None:
    with pytest.raises(LanguageError, match='no texts in "de"; the languages are en, hu, et, sk'):
        catalogue("de")
