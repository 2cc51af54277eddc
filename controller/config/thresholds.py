"""The referee's thresholds as keys of the configuration; `Caution` says what each is and means."""

from collections.abc import Iterator

from controller.config.checks import Check, Number, Whole
from controller.config.keys import ConfigKey
from controller.referee.caution import thresholds
from controller.referee.threshold import Threshold


def caution_keys() -> Iterator[ConfigKey]:
    """The keys of the section, one for each threshold. How checkers are moved is none: the profile says it."""
    for each in thresholds():
        yield ConfigKey(each.name, _check(each), each.meaning, each.default, None, "")


def _check(threshold: Threshold) -> Check:
    if threshold.whole:
        return Whole(int(threshold.least), int(threshold.most), str(threshold.unit))
    return Number(_short(threshold.least), _short(threshold.most), str(threshold.unit))


def _short(bound: float) -> float:
    """A bound as people write it: 30, not 30.0."""
    return int(bound) if bound == int(bound) else bound
