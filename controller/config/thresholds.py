"""The referee's thresholds as keys of the configuration, each with what it means in words."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Final

from controller.config.checks import Check, Number, Whole
from controller.config.keys import Key
from controller.referee.caution import Caution

SHARE: Final = Number(0.0001, 0.5)
ODDS: Final = Number(0, 30)
SECONDS: Final = Number(0, 60)

WORDS: Final[Mapping[str, tuple[Check, str]]] = {
    "misread": (
        SHARE,
        "Share of places that a reader gets wrong although it is certain; no single place weighs more.",
    ),
    "misread_unsure": (SHARE, "The same for points that the reader itself would not swear to."),
    "pile": (Whole(1, 15), "From so many checkers on a point the height of the pile is hard to see."),
    "pile_doubt": (ODDS, "At most so much is believed about one height of such a pile against another."),
    "mixed": (
        ODDS,
        "Where checkers are counted but their owner is less certain than this, both sides' may lie on a point.",
    ),
    "intruder": (ODDS, "So much that speaks for a checker that landed on a point of the opponent."),
    "moved": (ODDS, "Two readings that contradict each other by so much show different positions."),
    "touched": (
        Number(0, 1),
        "Share of that difference that suffices when something, such as a hand, came between the two.",
    ),
    "lead": (
        ODDS,
        "An explanation is told when it leads every other one by so much; raise it to be asked more often.",
    ),
    "void": (ODDS, "Handicap of 'this roll was rolled again' where the roll could have been played."),
    "void_die": (ODDS, "The same where a single die was seen, which may be none."),
    "surprise": (ODDS, "What no legal play explains better than this is looked at for other explanations."),
    "unseen": (ODDS, "Handicap of 'the roll before was played, but no picture showed it in time'."),
    "missed_turn": (ODDS, "Handicap of 'a whole turn went by, and its dice were not seen'."),
    "moved_dice": (ODDS, "Handicap of 'the dice lie elsewhere, but were not rolled again'."),
    "opening_order": (ODDS, "Handicap of a first turn by the side whose die was the lower one."),
    "illegal": (
        ODDS,
        "Handicap of every explanation that breaks a rule; raise it to be accused less easily.",
    ),
    "rare": (ODDS, "Further handicap of rules that people rarely break, such as moving backwards."),
    "each_rule": (ODDS, "Handicap of each further rule broken."),
    "lost_checker": (ODDS, "Handicap of an explanation in which checkers vanish or appear."),
    "witnesses": (
        Whole(1, 10),
        "An accusation needs so many places that speak against the best legal play.",
    ),
    "witness": (ODDS, "How much each of them has to speak against it."),
    "most_rules": (
        Whole(1, 6),
        "What needs more broken rules than this to be explained is no play, but a mess to look at.",
    ),
    "most_rules_seen": (
        Whole(1, 10),
        "The same where the dice were read from pictures.",
    ),
    "readings": (Whole(1, 10), "An accusation needs so many pictures at rest."),
    "stood_s": (
        SECONDS,
        "An illegal play that was put right is told if it stood with the hand away for so many seconds.",
    ),
    "stood_partial_s": (
        SECONDS,
        "The same if it was the beginning of a legal play, since people stop to think.",
    ),
    "seen_once": (
        Number(1, 10),
        "What only one picture shows is told if it leads by so many times the usual lead.",
    ),
    "calm": (
        Whole(0, 10),
        "Where dice are read from pictures, so many turns before a play must be certain for it to be called illegal.",
    ),
    "pushed": (ODDS, "Handicap of 'somebody pushed a checker between two turns'."),
    "rolled_again": (
        ODDS,
        "Handicap of a second roll that nobody allowed, while the play may show that it was the one that counts.",
    ),
    "dice_certain": (
        ODDS,
        "A roll is out of the question if the dice were surely read as another one that is likelier by so much.",
    ),
    "passes": (ODDS, "Handicap of 'who is closed out did not roll, and this is the other side's roll'."),
    "fits": (ODDS, "A position is what lies there when nothing seen speaks against it by more than this."),
    "other_board": (Whole(2, 24), "Where so many points differ, no play did that."),
    "certainly_other": (
        Number(0, 100),
        "A board so much unlike the position to be laid out is certainly another one.",
    ),
    "set_up_anew": (
        Whole(1, 24),
        "So many points must have left the start position before checkers set up anew begin another game.",
    ),
    "lifted": (
        Whole(1, 10),
        "In so many pictures at rest the dice of a roll must be gone to have been lifted.",
    ),
    "reported_late_s": (
        SECONDS,
        "Electronic dice report a roll at most so many seconds after it was first seen.",
    ),
    "cube_late_s": (
        SECONDS,
        "A cube is believed to have been turned before a roll if it was seen so no later than this after it.",
    ),
    "kept": (Whole(1, 200), "So many explanations of the game are carried along at most."),
    "kept_within": (
        Number(0, 100),
        "Explanations that are worse than the best one by more than this are given up.",
    ),
    "kept_after": (Number(0, 100), "The same once the turn was told for certain."),
    "misread_die": (SHARE, "Share of dice that a reader gets wrong although it is certain."),
    "likely_roll": (
        ODDS,
        "Rolls are taken to be what was seen if no other is likelier by more than this; the others come second.",
    ),
    "dice_lead": (
        ODDS,
        "A roll is told for certain if it leads every other one that explains the play by so much.",
    ),
    "die_near": (
        Number(0, 100),
        "A die whose centre is found within so many pixels of where it was lies where it lay.",
    ),
}
"""All but the rules of movement, which the profile says. Odds are natural logarithms: 2.3 is ten to one, 4.6 a
hundred to one."""


def caution_keys() -> Iterator[Key]:
    """The keys of the section, in the order of the words."""
    defaults = {field.name: field.default for field in dataclasses.fields(Caution)}
    for name, (check, words) in WORDS.items():
        yield Key(name, check, words, defaults[name], None, "")
