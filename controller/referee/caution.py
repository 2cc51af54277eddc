"""How careful the referee is: what its errors cost, and the few thresholds that depend on players and table.

How pictures and readers behave is no setting: those numbers stand beside the code that uses them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, TypeVar

from controller.rules import MovementRules
from controller.rules.moves.movement import STANDARD
from controller.tomlfile.checks import Number, OneOf, seldom

T = TypeVar("T", int, float)


@dataclass(frozen=True, slots=True)
class Costs:
    """What the referee's errors cost, each against the ``question`` that would have avoided it.

    Attributes:
        false_accusation: somebody is told to have broken a rule who has not.
        wrong_record: a play counts that nobody made, as when a broken rule goes by unnoticed.
        question: two players look at the board once more.
    """

    false_accusation: float
    wrong_record: float
    question: float = 1.0


class Strictness(StrEnum):
    """How strict the referee is."""

    LENIENT = "lenient"
    NORMAL = "normal"
    STRICT = "strict"


COSTS: Final[Mapping[Strictness, Costs]] = {
    Strictness.LENIENT: Costs(false_accusation=30.0, wrong_record=10.0),
    Strictness.NORMAL: Costs(false_accusation=10.0, wrong_record=20.0),
    Strictness.STRICT: Costs(false_accusation=10.0, wrong_record=50.0),
}
"""A wrong entry makes all later turns wrong, too, and a question costs one look at the board. With odds of ten to one
a first trial named 23 of the 24 illegal plays of four films and accused nobody; with a hundred to one it named 15.
Strict, the referee accuses nobody on less: it asks where it would have let a play pass."""


def threshold(default: T, unit: str, least: T, most: T, meaning: str) -> T:
    """A field of `Caution`; a whole number if its default is one."""
    return seldom(default, Number(least, most, unit, isinstance(default, int)), meaning)


def seconds(default: float, meaning: str) -> float:
    """A field with a time, up to a minute."""
    return threshold(default, "seconds", 0.0, 60.0, meaning)


@dataclass(frozen=True, slots=True)
class Caution:
    """How careful the referee is."""

    # fmt: off
    RETIRED: ClassVar[frozenset[str]] = frozenset((
        "agrees", "calm", "certain_die", "certainly_other", "dance", "dance_each_s", "dance_s",
        "dance_within_s", "dice_certain", "dice_lead", "die_near", "doubt", "doubt_of_guilt",
        "doubtful_places", "each_rule", "empty_hand", "faint_die", "fits", "glitches", "gone_die",
        "hidden_intruder", "hint_clear", "hint_fits", "hint_known", "illegal", "intruder", "kept",
        "kept_after", "kept_within", "lead", "least_certain", "legal_rest", "lifted", "likely",
        "likely_roll", "lone_die", "look_only", "lost_checker", "misfit", "misread", "misread_again",
        "misread_before", "misread_die", "misread_tray", "misread_unsure", "missed_turn", "mixed",
        "most_pushed", "most_rules", "most_rules_seen", "most_unseen", "moved", "moved_dice",
        "opening_order", "other_board", "other_look", "other_rest", "others_moved", "passes", "patient_die",
        "pile", "pile_doubt", "pushed", "rare", "rolled_again", "same_deg", "same_light", "same_look",
        "same_mm", "seen_once", "set_up_anew", "shifted_alike", "shifted_far", "steady_die",
        "stood_partial_s", "sure_cube", "sure_die", "surprise", "touched", "unchanged", "unseen",
        "unseen_change", "void", "void_die", "weight_more", "weight_two", "witness", "witnesses",
    ))
    # fmt: on
    """Keys of earlier versions. Files that people have written may still name them; they do nothing."""

    rules: MovementRules = STANDARD
    """How checkers may be moved; what is against these rules is a breach. It is no threshold."""

    strictness: Strictness = seldom(
        Strictness.NORMAL,
        OneOf(Strictness),
        "Lenient, for play at home: the referee seldom interrupts; it names a broken rule when it is 97 % sure, and "
        "lets a play count when it is 90 % sure. Normal: it names a broken rule when it is 90 % sure, and asks about "
        "a play when it is less than 95 % sure. Strict, for tournaments: it asks about a play when it is less than "
        "98 % sure, and accuses nobody on less than normal does.",
    )

    # How players and their table are.
    readings: int = threshold(
        2,
        "pictures",
        1,
        10,
        "Nobody is asked or accused before this many pictures at rest; more with a poor camera.",
    )
    stood_s: float = seconds(
        2.9,
        "An illegal play that was put right is told if it stood with the hand away for this many seconds.",
    )
    open_turns: int = threshold(
        2, "turns", 0, 8, "This many turns can still be told anew by what the pictures show later."
    )
    open_turns_seen: int = threshold(
        4,
        "turns",
        0,
        8,
        "The same where pictures tell the rolls: what follows often shows that a die was misread.",
    )

    # Dice and cube.
    four_or_six: float = threshold(
        4.5,
        "log-odds",
        0.0,
        30.0,
        "A die that looks like a four may be a six that is less likely by this at most, however surely it is read: "
        "on many sets the rows of the six lie closer together. Log-odds are natural logarithms: 4.5 is 90 to one.",
    )
    reported_late_s: float = seconds(
        1.0, "Electronic dice report a roll at most this many seconds after it was first seen."
    )
    steady_cube: int = threshold(
        3, "pictures", 1, 40, "A cube is believed when this many pictures in a row agree."
    )
    cube_late_s: float = seconds(
        3.0,
        "A cube is believed to have been turned before a roll if it was seen so no later than this after it.",
    )
    cube_turn_s: float = seconds(
        15.0,
        "So long players may take to turn the cube as they agreed; until then nothing is said of how it lies.",
    )

    # What is told of the board and the light, and what the lights show.
    tell_mm: float = threshold(
        2.0,
        "millimetres",
        0.5,
        100.0,
        "A push of the board by more than this is told; following it is exact to about half a millimetre.",
    )
    tell_deg: float = threshold(0.35, "degrees", 0.05, 45.0, "A turn of the board by more than this is told.")
    tell_light: float = threshold(
        1.15,
        "times as much",
        1.01,
        10.0,
        "Light of which a colour changed by more than this factor is told.",
    )
    lost_after_s: float = seconds(
        2.0,
        "A board that no picture shows for this many seconds is lost; for a shorter time a hand may be all "
        "that they show.",
    )
    shown_at_once: int = threshold(
        6,
        "places",
        1,
        28,
        "This many places the lights show at once; where more differ, one thing is done after the other.",
    )
    settled: int = threshold(
        12,
        "points",
        0,
        24,
        "After a game the lights wait with the set-up until no more points than this are left to be changed.",
    )

    @property
    def costs(self) -> Costs:
        """What errors cost at this table."""
        return COSTS[self.strictness]


USUAL: Final = Caution()
"""As delivered."""
