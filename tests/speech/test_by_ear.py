"""Whole matches by ear and buttons: nobody sees a screen, and what is heard is all that anybody goes by."""

import pytest

from controller.referee.actions import Flagged, GameEnded, TurnJudged
from controller.rules import Side
from controller.speech.phrase import Sound, SpokenTopic
from controller.speech.spoken import SPOKEN, Spoken
from tests.amounts import amount
from tests.speech.blind import LONGEST, Blind
from tests.speech.listening import NAMES, table_in


@pytest.mark.parametrize("language", SPOKEN)
def test_a_match_is_played_by_ear_and_buttons_alone(language: str) -> None:
    # The last game is the longest, without the cube.
    games = LONGEST if language == "en" else amount(3, LONGEST)
    table = table_in(language, seed=1)
    Blind(table).play(games)
    judged = [each for each in table.actions if isinstance(each, TurnJudged)]
    counted = [each for each in judged if each.legal is not False or each.stands]
    assert len(table.of_topic(SpokenTopic.PLAY)) == len(counted)
    assert len([each for each in table.said if each.sound is Sound.ILLEGAL]) == len(table.of(Flagged)) > 0
    scores = [each for each in table.actions if isinstance(each, GameEnded)]
    for ended in scores:
        told = Spoken(language, NAMES).say(
            "score", "score", light=Side.LIGHT, light_points=ended.score.light,
            dark=Side.DARK, dark_points=ended.score.dark,
        )  # fmt: skip
        assert told in table.heard()
    assert len(scores) == min(games, 4)
    assert table.of_topic(SpokenTopic.CUBE)
