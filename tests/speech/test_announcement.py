"""What is said aloud of what happens at a table."""

from dataclasses import replace

import pytest

from controller.devices.link.happenings import Button
from controller.referee.actions import Phase
from controller.rules import Position, Side
from controller.rules.game import events as ruled
from controller.rules.profile.conduct import Aloud, DeviceRole, IllegalPolicy
from controller.rules.profile.profile import STANDARD
from controller.speech.announcement import Heard, TimeLeft, phrases
from controller.speech.phrase import Phrase, Sound, SpokenTopic, utterance
from controller.speech.spoken import SPOKEN, Spoken
from tests.amounts import amount
from tests.speech.listening import NAMES, table_in


def moved(position: Position, *moves: tuple[int, int]) -> Position:
    """Light's checkers were moved so."""
    counts = list(position.points)
    for source, target in moves:
        counts[source - 1] -= 1
        counts[target - 1] += 1
    return Position.from_counts(counts)


def test_a_turn_is_heard_as_players_say_it() -> None:
    table = table_in()
    table.start(3, 1)
    table.move(moved(table.table.position, (13, 10), (6, 5)))
    table.done()
    assert "Anna starts with three-one." in table.heard()
    assert table.now[-1].text == "Anna: thirteen to ten; six to five. Béla to roll."
    assert table.now[-1].sound is Sound.LEGAL


def test_an_illegal_play_is_heard_with_its_rule_and_the_way_back() -> None:
    table = table_in()
    table.start(3, 1)
    table.move(moved(table.table.position, (13, 9), (13, 11)))
    table.done()
    (said,) = table.now
    assert said.sound is Sound.ILLEGAL
    assert said.text.startswith("Anna: not legal.")
    assert "Put back: eleven to thirteen, nine to thirteen." in said.text


def test_what_only_the_director_may_know_is_not_said_aloud() -> None:
    conduct = replace(STANDARD.conduct, illegal_policy=IllegalPolicy.RESPONSIBLE)
    table = table_in(profile=replace(STANDARD, conduct=conduct))
    table.start(3, 1)
    table.move(moved(table.table.position, (13, 9), (13, 11)))
    table.done()
    table.roll(6, 5)
    table.move(table.legal())
    table.done()
    assert "legal" not in table.heard()
    assert table.heard().count("Anna: thirteen") == 1
    assert all(each.sound is not Sound.ILLEGAL for each in table.said)
    assert "Anna: thirteen to eleven; thirteen to nine." in table.heard()


def test_rules_that_allow_calls_alone_leave_rolls_and_plays_unsaid() -> None:
    table = table_in(profile=replace(STANDARD, conduct=replace(STANDARD.conduct, aloud=Aloud.CALLS)))
    table.start(3, 1)
    table.move(moved(table.table.position, (13, 9), (13, 11)))
    table.done()
    assert "not legal" in table.now[-1].text
    table.move(Position.from_compact("b....E.C...eE...c.e....B.."))
    table.move(table.legal())
    table.done()
    topics = frozenset().union(*(each.topics for each in table.said))
    assert topics == {SpokenTopic.SCORE, SpokenTopic.REQUEST, SpokenTopic.ILLEGAL}


def test_rules_that_allow_no_voice_are_obeyed() -> None:
    table = table_in(profile=replace(STANDARD, conduct=replace(STANDARD.conduct, aloud=Aloud.OFF)))
    table.start(3, 1)
    table.turn(6, 5)
    assert not table.said


def test_a_device_that_only_records_is_silent() -> None:
    conduct = replace(STANDARD.conduct, device_role=DeviceRole.SILENT_RECORDER)
    table = table_in(profile=replace(STANDARD, conduct=conduct))
    table.start(3, 1)
    table.turn(6, 5)
    assert not table.said


def test_cube_answer_and_score_are_heard() -> None:
    table = table_in()
    table.start(3, 1)
    table.move(table.legal())
    table.done()
    table.press(Button.DOUBLE)
    assert table.now[-1].text == "Béla doubles to two. Anna: take or pass?"
    table.press(Button.TAKE)
    assert table.now[-1].text == "Anna takes. The cube is at two. Béla to roll."
    table.turn(6, 5)
    table.press(Button.DOUBLE)
    assert table.now[-1].text.startswith("Anna doubles to four.")
    table.press(Button.DROP)
    assert "Béla passes." in table.now[-1].text
    assert "The score: Anna two, Béla zero." in table.now[-1].text


def test_the_crawford_game_is_called() -> None:
    table = table_in(length=3)
    table.start(3, 1)
    table.say(ruled.GameAwarded(Side.LIGHT, 2))
    assert "The score: Anna two, Béla zero." in table.heard()
    assert table.table.phase is Phase.SET_UP or table.table.phase is Phase.GAME_OVER
    table.look(table.table.position)
    assert "Game two." in table.heard()
    assert "Crawford" in table.heard()


@pytest.mark.parametrize(
    ("language", "minute", "seconds"),
    [
        ("en", "Béla: one minute left.", "Béla: ten seconds left."),
        ("hu", "Béla: még egy perc.", "Béla: még tíz másodperc."),
        ("et", "Béla: jäänud on üks minut.", "Béla: jäänud on kümme sekundit."),
        ("sk", "Béla: zostáva minúta.", "Béla: zostáva desať sekúnd."),
    ],
)
def test_a_minute_and_ten_seconds_are_called_with_a_sound(language: str, minute: str, seconds: str) -> None:
    table = table_in(language).table
    for left, text in ((60, minute), (10, seconds)):
        heard = Heard(table, table, (), TimeLeft(Side.DARK, left))
        assert phrases(heard, Spoken(language, NAMES)) == (Phrase(SpokenTopic.CLOCK, text, Sound.CLOCK),)


def test_a_roll_is_said_once_however_often_the_table_is_looked_at() -> None:
    table = table_in()
    table.start(3, 1)
    table.move(table.legal())
    table.done()
    table.roll(6, 6)
    for _ in range(5):
        table.look()
    assert table.heard().count("double sixes") == 1


@pytest.mark.parametrize("topic", list(SpokenTopic))
def test_each_topic_can_be_switched_off(topic: SpokenTopic) -> None:
    told = [Phrase(each, f"about {each}") for each in SpokenTopic]
    made = utterance(told, set(SpokenTopic) - {topic}, "en")
    assert made is not None
    assert f"about {topic}" not in made.text
    assert topic not in made.topics


def test_a_sound_is_made_even_where_its_words_are_switched_off_with_sounds_alone() -> None:
    told = [Phrase(SpokenTopic.PLAY, "Anna: thirteen to eight.", Sound.LEGAL)]
    made = utterance(told, set(SpokenTopic), "en", sounds=False)
    assert made is not None
    assert made.sound is None
    assert utterance(told, set(), "en") is None


@pytest.mark.parametrize("language", SPOKEN)
def test_every_language_says_every_play_of_a_match_in_words_and_no_digits(language: str) -> None:
    table = table_in(language)
    table.start(3, 1)
    table.move(table.legal())
    table.done()
    for number in range(amount(24, 40)):
        if table.table.phase is not Phase.TO_ROLL:
            break
        table.turn(1 + number % 6, 1 + number * 5 % 6, number)
    assert len(table.of_topic(SpokenTopic.PLAY)) > 20
    assert not any(letter.isdigit() for letter in table.heard())
