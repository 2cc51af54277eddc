"""What may be said aloud in a match: what its rules leave, as with the lights."""

from controller.rules.profile.conduct import Conduct, DeviceRole
from controller.speech.phrase import SpokenTopic


def may_say(conduct: Conduct) -> frozenset[SpokenTopic]:
    """The topics that a device may speak of under these rules; one that only records is silent."""
    if conduct.device_role is DeviceRole.SILENT_RECORDER:
        return frozenset()
    return frozenset(SpokenTopic)
