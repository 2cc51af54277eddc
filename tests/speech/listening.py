"""People who play without looking at a screen: all that they know of the match is what they hear."""

from dataclasses import dataclass, field
from random import Random

from controller.referee.actions import Action
from controller.referee.events import Event
from controller.referee.table.settings import Settings
from controller.rules.position import Side
from controller.rules.profile.profile import STANDARD, Profile
from controller.speech.announcement import Heard, phrases
from controller.speech.phrase import SpokenTopic, Utterance, utterance
from controller.speech.policy import may_say
from controller.speech.spoken import Spoken
from tests.referee.table.evening import Evening, match_terms

NAMES = {Side.LIGHT: "Anna", Side.DARK: "Béla"}


@dataclass
class Table(Evening):
    """A table that speaks; `said` is all of it, `now` what came of the last event."""

    language: str = "en"
    said: list[Utterance] = field(default_factory=list)
    now: list[Utterance] = field(default_factory=list)

    def tell(self, event: Event) -> tuple[Action, ...]:
        """One event, and what is said of it."""
        before = self.table
        actions = super().tell(event)
        told = phrases(Heard(before, self.table, actions), Spoken(self.language, NAMES))
        allowed = may_say(self.table.match.game.profile.conduct)
        made = utterance(told, allowed, self.language)
        self.now = [] if made is None else [made]
        self.said += self.now
        return actions

    def heard(self) -> str:
        """All that was said so far."""
        return " ".join(each.text for each in self.said)

    def of_topic(self, topic: SpokenTopic) -> list[str]:
        """What was said that is, among others, about this."""
        return [each.text for each in self.said if topic in each.topics]


def table_in(
    language: str = "en", seed: int = 1, length: int = 3, profile: Profile = STANDARD, *, clock: bool = False
) -> Table:
    """A table before its first game."""
    return Table(Settings(match_terms(profile, length), clock=clock), Random(seed), language=language)
