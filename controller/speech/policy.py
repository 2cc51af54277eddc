"""What may be said aloud in a match: what its rules leave, as with the lights."""

from typing import Final

from controller.rules.profile.conduct import Aloud, Conduct
from controller.speech.phrase import SpokenTopic

TOPICS: Final = {
    Aloud.ALL: frozenset(SpokenTopic),
    Aloud.CALLS: frozenset(SpokenTopic) - {SpokenTopic.ROLL, SpokenTopic.PLAY},
    Aloud.OFF: frozenset[SpokenTopic](),
}


def may_say(conduct: Conduct) -> frozenset[SpokenTopic]:
    """The topics that a device may speak of under these rules."""
    return TOPICS[conduct.may_speak()]
