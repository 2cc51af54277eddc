"""The catalogues of all languages hold the same entries, and every code has its text."""

from enum import StrEnum
from string import Formatter

import pytest

from controller.devices.camera.status import CameraCode
from controller.devices.link.status import LinkCode
from controller.messages.catalogue import LANGUAGES, LanguageError, catalogue
from controller.referee.actions import Message
from controller.referee.phase import Phase
from controller.rules.game.refusal import SENTENCES, Refusal
from controller.rules.game.scoring import Ending, Level
from controller.rules.position import Side
from controller.rules.profile.keys import KEYS, NUMBERS
from controller.rules.profile.text import NOTICES


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_entries_with_the_same_blanks(language: str) -> None:
    english = {path: blanks(text) for path, text in catalogue("en").paths().items()}
    assert {path: blanks(text) for path, text in catalogue(language).paths().items()} == english


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_is_left_in_english(language: str) -> None:
    english = catalogue("en").paths()
    terms_of_the_field = {("term", "gammon"), ("term", "backgammon"), ("heading", "profile")}
    same = {path for path, text in catalogue(language).paths().items() if text == english[path]}
    assert same == terms_of_the_field


def test_every_value_of_every_key_has_a_sentence() -> None:
    for name, key in KEYS.items():
        if issubclass(key.type, StrEnum):
            needed = {member.value for member in key.type}
        elif key.type is bool:
            needed = {"true", "false"}
        else:
            entries = catalogue("en").names("rule", name)
            needed = {"number"} if "number" in entries else {str(number) for number in NUMBERS[name]}
        if key.optional:
            needed |= {"none"}
        assert catalogue("en").names("rule", name) == needed, name


def test_no_sentence_is_for_a_key_that_does_not_exist() -> None:
    assert catalogue("en").names("rule") == set(KEYS)


def test_every_code_has_a_text() -> None:
    texts = catalogue("en")
    assert texts.names("notice") == set(NOTICES)
    assert texts.names("refusal") == {refusal.value for refusal in Refusal}
    assert {*(side.value for side in Side), *(level.term for level in Level)} <= texts.names("term")
    assert {Ending.RESIGNED.value, Ending.AWARDED.value, Ending.DROPPED.value} <= texts.names("result")


def test_every_message_and_phase_of_a_table_has_a_text_and_no_other_has() -> None:
    texts = catalogue("en")
    seconds = {"tie_doubled", "roll_too_early_ask", "cube_moved_center"}
    seconds |= {"device_gone_why", "device_gone_journal", "device_back_journal"}
    assert texts.names("table") == {*Message, *seconds} - {Message.REFUSED}
    assert texts.names("phase") == set(Phase)


@pytest.mark.parametrize(("device", "codes"), [("camera", CameraCode), ("board", LinkCode)])
def test_every_state_of_a_device_has_its_reason_and_no_other_has(device: str, codes: type[StrEnum]) -> None:
    assert catalogue("en").names(device, "reason") == set(codes)
    assert catalogue("en").names(device, "remedy") < set(codes)


def test_the_english_refusals_are_those_of_the_rules() -> None:
    texts = catalogue("en").paths()
    assert {code: texts["refusal", code.value] for code in Refusal} == SENTENCES


def test_a_language_without_texts_is_told_with_those_that_have() -> None:
    with pytest.raises(LanguageError, match='no texts in "de"; the languages are en, hu, et, sk'):
        catalogue("de")
