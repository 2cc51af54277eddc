"""Who listens to a table: what is said to them of each news, whether a voice says it there or a page reads it aloud.

All of them are told what both players may hear, whoever they are: a loudspeaker at a table is heard by everybody.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from controller.referee import Table
from controller.speech.announcement import Heard, phrases
from controller.speech.phrase import SpokenTopic, Utterance, utterance
from controller.speech.policy import may_say
from controller.speech.spoken import Spoken, spoken_language
from controller.web.delay import match_of
from controller.web.table_service import News, RoomView
from controller.web.wording import first_names


@dataclass(frozen=True, slots=True)
class Listening:
    """How far somebody who listens has heard of a table.

    Attributes:
        match: of which match; empty before the first one.
        known: what the referee knew then; None where nothing was heard of the match yet.
    """

    match: str = ""
    known: Table | None = None

    @classmethod
    def from_view(cls, view: RoomView) -> Self:
        """Somebody who begins to listen now."""
        return cls(match_of(view) or "", view.referee)

    def after(self, news: News) -> Self:
        """Once these news were heard. Sentences of devices may come before what the table has just done is told."""
        return self if news.words else self.from_view(news.view)

    def utterance(
        self,
        news: News,
        topics: Collection[SpokenTopic] = tuple(SpokenTopic),
        language: str = "en",
        *,
        sounds: bool = True,
    ) -> Utterance | None:
        """What is said of these news on some topics, as far as the rules of the match allow it; None for nothing."""
        view = news.view
        if news.words or view.referee is None or view.match is None:
            return None
        before = self.known if view.match.id == self.match else None
        spoken = Spoken(spoken_language(language), first_names(view.match.names))
        told = phrases(Heard(before, view.referee, news.actions, news.left), spoken)
        allowed = may_say(view.referee.match.game.profile.conduct) & set(topics)
        return utterance(told, allowed, spoken.language, sounds=sounds)
