"""The spoken forms: each language has all of them, and says every message and every broken rule."""

from itertools import product
from string import Formatter

import pytest

from controller.referee.actions import Message, Told
from controller.rules import Roll, Side
from controller.rules.notation import BAR, OFF, parse_play
from controller.rules.reasons import ReasonCode
from controller.speech.announcement import Heard, phrases
from controller.speech.faults import reasons_spoken
from controller.speech.spoken import SPOKEN, Spoken, spoken_forms, spoken_language
from tests.messages.test_table_words import EXAMPLES
from tests.rows import each_row
from tests.rules.test_reasons_page import EXAMPLES as BROKEN
from tests.rules.test_reasons_page import judged
from tests.speech.listening import NAMES, table_in

LENGTHS = {"numbers": 26, "from": 24, "to": 24, "points": 24, "doubles": 6}
OTHERS = [language for language in SPOKEN if language != "en"]


def entries(language: str) -> dict[str, set[str]]:
    """Each sentence with what it fills in."""
    forms = spoken_forms(language)
    return {
        f"{group}.{name}": {field for _, field, _, _ in Formatter().parse(text) if field}
        for group in forms.names()
        if group not in LENGTHS
        for name, text in forms.entries(group).items()
    }


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_sentences_that_fill_in_the_same(language: str) -> None:
    assert entries(language) == entries("en")


@each_row(("language", "name"), [*product(SPOKEN, LENGTHS)])
def test_every_number_and_every_point_has_a_word_of_its_own(language: str, name: str) -> None:
    words = list(spoken_forms(language).entries(name))
    assert len(set(words)) == LENGTHS[name] == len(words)
    assert not any(letter.isdigit() for word in words for letter in word)


@pytest.mark.parametrize(
    ("language", "play", "said"),
    [
        ("en", "13/8 6/5", "thirteen to eight; six to five"),
        ("en", "bar/20* 8/4(2)", "bar to twenty, hitting; eight to four, two checkers"),
        ("en", "6/off(3) 1/off", "six off, three checkers; ace off"),
        ("hu", "13/8 6/5", "tizenháromról nyolcra; hatról ötre"),
        ("hu", "bar/20* 1/off", "sorompóról húszra, ütéssel; egyről ki"),
        ("et", "24/23 13/8", "kahekümne neljalt kahekümne kolmele; kolmeteistkümnelt kaheksale"),
        ("et", "bar/20 1/off", "vanglast kahekümnele; ühelt välja"),
        ("sk", "13/8 6/5(2)", "z trinástky na osmičku; zo šestky na päťku, dva kamene"),
        ("sk", "bar/24* 4/off", "z prepážky na dvadsaťštvorku, s vyhodením; zo štvorky von"),
    ],
)
def test_plays_are_said_as_players_say_them(language: str, play: str, said: str) -> None:
    assert Spoken(language).play(parse_play(play)) == said


@pytest.mark.parametrize(
    ("language", "six_one", "sixes"),
    [
        ("en", "six-one", "double sixes"),
        ("hu", "hat-egy", "dupla hatos"),
        ("et", "kuus-üks", "duubel kuus"),
        ("sk", "šesť, jedna", "dve šestky"),
    ],
)
def test_rolls_are_said_as_players_say_them(language: str, six_one: str, sixes: str) -> None:
    spoken = Spoken(language)
    assert (spoken.roll(6, 1), spoken.dice([1, 6]), spoken.dice([6, 6])) == (six_one, six_one, sixes)
    assert spoken.dice([6]) == spoken.number(6)


@each_row("language", SPOKEN)
def test_every_broken_rule_is_said_in_every_language(language: str) -> None:
    told = set()
    for example in BROKEN:
        for reason in judged(example).reasons:
            (said,) = reasons_spoken([reason], Spoken(language, NAMES))
            assert said.endswith(".")
            assert "{" not in said
            told.add(reason.code)
    assert told == set(ReasonCode)


@each_row(("language", "message"), [*product(SPOKEN, Message)])
def test_every_message_is_said_or_left_to_a_verdict_in_every_language(
    language: str, message: Message
) -> None:
    table = table_in(language).table
    heard = Heard(table, table, (Told(0.0, message, EXAMPLES[message]),))
    said = " ".join(each.text for each in phrases(heard, Spoken(language, NAMES)))
    assert "{" not in said
    assert bool(said) == (message not in (Message.TO_ROLL, Message.PUT_BACK, Message.STANDS))


def test_points_that_are_asked_about_are_named_as_one_of_the_players_counts_them() -> None:
    table = table_in().table
    heard = Heard(table, table, (Told(0.0, Message.LOOK, {"points": [8, 13]}),))
    (phrase,) = phrases(heard, Spoken("en", NAMES))
    assert phrase.text.endswith("Please look at the eight point, the midpoint, as Anna counts.")


def test_who_reads_in_a_language_without_spoken_forms_hears_english() -> None:
    assert [spoken_language(each) for each in ("sk", "tlh")] == ["sk", "en"]


def test_the_way_back_from_the_tray_and_to_the_bar_has_words_too() -> None:
    spoken = Spoken("en")
    assert spoken.step(OFF, 6) == "the tray to six"
    assert spoken.step(4, BAR) == "four to the bar"
    assert spoken.side(Side.DARK) == "Dark"
    assert spoken.say("roll_call", "rolled", side=Side.DARK, roll=Roll(6, 5)) == "Dark: six-five."
