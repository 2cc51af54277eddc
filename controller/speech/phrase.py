"""A phrase: something to be said aloud, of one kind, perhaps with a short sound before it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class SpokenTopic(StrEnum):
    """What a phrase is about; each can be switched off by itself."""

    ROLL = "roll"
    """What was rolled, and by whom."""
    PLAY = "play"
    """What was played."""
    ILLEGAL = "illegal"
    """That a play is not legal, why, and the way back."""
    CUBE = "cube"
    """A double and the answer to it."""
    SCORE = "score"
    """Games won, the score, the Crawford game."""
    CLOCK = "clock"
    """A minute and ten seconds left, time over."""
    REQUEST = "request"
    """What the table waits for, or asks people to do."""


class Sound(StrEnum):
    """A short sound."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    CLOCK = "clock"


WEIGHTY: Final = frozenset({SpokenTopic.ILLEGAL, SpokenTopic.CUBE, SpokenTopic.SCORE, SpokenTopic.CLOCK})
"""What is worth being heard to its end when nothing but a request follows."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One sentence or two on one topic; the text may be empty where a sound alone is made."""

    topic: SpokenTopic
    text: str
    sound: Sound | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """What is said in one go.

    Attributes:
        text: in spoken forms; empty where only a sound is made.
        language: the language of the text.
        topics: what it is about.
        sound: made before the text.
    """

    text: str
    language: str
    topics: frozenset[SpokenTopic]
    sound: Sound | None = None

    @property
    def weighty(self) -> bool:
        """Whether it is to be heard to its end when nothing but a request follows."""
        return bool(self.topics & WEIGHTY)

    @property
    def only_asks(self) -> bool:
        """Whether it asks for something and says nothing else."""
        return self.topics <= {SpokenTopic.REQUEST}


def utterance(
    phrases: Iterable[Phrase], allowed: Collection[SpokenTopic], language: str, *, sounds: bool = True
) -> Utterance | None:
    """Make one utterance of the phrases on allowed topics, in their order; None if nothing is left to say.

    A sound is made for what may be said, even where its topic has no text; of several the last one counts.
    """
    kept = [phrase for phrase in phrases if phrase.topic in allowed]
    made = [phrase.sound for phrase in kept if phrase.sound is not None] if sounds else []
    text = " ".join(phrase.text for phrase in kept if phrase.text)
    if not text and not made:
        return None
    return Utterance(text, language, frozenset(phrase.topic for phrase in kept), made[-1] if made else None)
