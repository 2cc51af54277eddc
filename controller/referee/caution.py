"""How careful the referee is: every threshold in one place, with its unit, its range and what it means."""

from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

from controller.rules import MovementRules
from controller.rules.moves.movement import STANDARD
from controller.tomlfile.checks import Number, seldom

T = TypeVar("T", int, float)


def threshold(default: T, unit: str, least: T, most: T, meaning: str) -> T:
    """A field of `Caution`; a whole number if its default is one."""
    return seldom(default, Number(least, most, unit, isinstance(default, int)), meaning)


def odds(default: float, meaning: str, most: float = 30.0) -> float:
    """A field in log-odds, from 0."""
    return threshold(default, "log-odds", 0.0, most, meaning)


def rate(default: float, meaning: str) -> float:
    """A field with the share of errors: never none, and at most one in two."""
    return threshold(default, "a share", 0.0001, 0.5, meaning)


def share(default: float, meaning: str, least: float = 0.0) -> float:
    """A field with a share, up to 1."""
    return threshold(default, "a share", least, 1.0, meaning)


def pictures(default: int, meaning: str, most: int = 10) -> int:
    """A field with a number of pictures, one at least."""
    return threshold(default, "pictures", 1, most, meaning)


def seconds(default: float, meaning: str) -> float:
    """A field with a time, up to a minute."""
    return threshold(default, "seconds", 0.0, 60.0, meaning)


def points(default: int, meaning: str, least: int = 1) -> int:
    """A field with a number of points of the board."""
    return threshold(default, "points", least, 24, meaning)


def turns(default: int, meaning: str, most: int = 8) -> int:
    """A field with a number of turns, which may be none."""
    return threshold(default, "turns", 0, most, meaning)


def factor(default: float, meaning: str, least: float, most: float = 10.0) -> float:
    """A field that something is multiplied by."""
    return threshold(default, "times as much", least, most, meaning)


@dataclass(frozen=True, slots=True)
class Caution:
    """How careful the referee is. Log-odds are natural logarithms: 2.3 is ten to one, 4.6 a hundred to one."""

    RETIRED: ClassVar[frozenset[str]] = frozenset(
        [
            "calm",
            "dance",
            "dance_each_s",
            "dance_s",
            "dance_within_s",
            "dice_lead",
            "doubtful_places",
            "each_rule",
            "illegal",
            "kept",
            "kept_after",
            "kept_within",
            "lost_checker",
            "misfit",
            "misread_again",
            "misread_before",
            "missed_turn",
            "most_pushed",
            "most_rules",
            "most_rules_seen",
            "most_unseen",
            "moved_dice",
            "opening_order",
            "others_moved",
            "passes",
            "pushed",
            "rare",
            "rolled_again",
            "seen_once",
            "stood_partial_s",
            "unseen",
            "void",
            "void_die",
            "witnesses",
        ]
    )
    """Thresholds of earlier versions that the table of kinds (`belief.rates`) took the place of. Files that people
    have
    written may still name them; they do nothing."""

    rules: MovementRules = STANDARD
    """How checkers may be moved; what is against these rules is a breach. It is no threshold."""

    # What it costs to be wrong.
    doubt: float = rate(
        0.05, "A turn counts without a question if it is wrong with no more than this chance."
    )
    doubt_of_guilt: float = rate(0.1, "Nobody is accused if they are innocent with more than this chance.")

    # What a picture says of one place.
    misread: float = rate(
        0.01, "Share of places that a reader gets wrong although it is certain; no single place weighs more."
    )
    misread_unsure: float = rate(0.1, "The same for points that the reader itself would not swear to.")
    misread_tray: float = rate(0.02, "The same for the trays, in which checkers lie in any way.")
    pile: int = threshold(
        5, "checkers", 1, 15, "From so many checkers on a point the height of the pile is hard to see."
    )
    pile_doubt: float = odds(
        2.0, "At most so much is believed about one height of such a pile against another."
    )
    mixed: float = odds(
        2.0,
        "Where checkers are counted but their owner is less certain than this, both sides' may lie on a "
        "point.",
    )
    intruder: float = odds(2.0, "So much that speaks for a checker that landed on a point of the opponent.")
    hidden_intruder: float = odds(
        1.5,
        "A point of the opponent that speaks by more than this against what lay there may hide a checker "
        "that landed on it; to think so costs as much, if both sides are not seen there.",
    )

    # What the pictures of one rest say together, and which of them show the same position.
    weight_two: float = factor(
        1.6,
        "Two pictures of one position weigh so many times as much as one: they share their errors.",
        least=1.0,
        most=4.0,
    )
    weight_more: float = factor(
        2.0, "Three and more weigh so many times as much as one.", least=1.0, most=4.0
    )
    moved: float = odds(1.5, "Two readings that contradict each other by so much show different positions.")
    touched: float = share(
        0.4, "Share of that difference that suffices when something, such as a hand, came between the two."
    )
    glitches: int = threshold(
        2,
        "pictures",
        0,
        10,
        "At most so many pictures, each unlike the others, are dropped when what lay there before is seen "
        "again.",
    )

    # What changed against an earlier look.
    same_look: float = odds(1.5, "A point of which the opinion changed by less than this looks as before.")
    unseen_change: float = odds(2.5, "Handicap of another count on a point that looks as before.")
    other_look: float = odds(2.5, "A point of which the opinion changed by more than this looks different.")
    look_only: float = odds(1.0, "Handicap of the same count on a point that looks different.")
    # Dice in the pictures.
    misread_die: float = rate(0.001, "Share of dice that a reader gets wrong although it is certain.")
    least_certain: float = share(
        0.2,
        "A reader that tells a number at all is at least so certain of it: a little more than by guessing.",
        least=0.17,
    )
    faint_die: float = share(0.3, "A die that is read with less confidence than this is not followed.")
    sure_die: float = share(
        0.5,
        "A die that is read with so much confidence is one; nobody is accused by dice that are not, and one "
        "that is doubted needs such a die beside it.",
    )
    certain_die: float = share(
        0.985, "A die that is read with so much confidence on average over all pictures is beyond doubt."
    )
    four_or_six: float = odds(
        4.5,
        "A die that looks like a four may be a six that is less likely by this at most, however surely it is read: "
        "on many sets the rows of the six lie closer together. It must be less than `dice_certain`.",
    )
    steady_die: int = pictures(2, "A die lies still, or is gone, after so many pictures.")
    patient_die: int = pictures(
        4,
        "Two dice that were not seen to come together are a roll when the later one was seen in so many "
        "pictures.",
        most=40,
    )
    lone_die: int = pictures(
        3, "A single die is a roll after so many pictures; before that its partner may turn up yet.", most=40
    )
    gone_die: int = pictures(
        4, "A die that is missing in so many pictures is not followed any more.", most=40
    )
    die_near: float = threshold(
        7.0,
        "pixels",
        0.0,
        100.0,
        "A die whose centre is found within so many pixels of where it was lies where it lay.",
    )
    shifted_alike: float = threshold(
        4.0,
        "pixels",
        0.0,
        100.0,
        "Two dice whose shifts differ by no more than this shifted together, as when the board is bumped.",
    )
    shifted_far: float = threshold(
        48.0, "pixels", 0.0, 1000.0, "Dice that shifted together by more than this were rolled anew."
    )
    likely_roll: float = odds(
        2.5,
        "Rolls are taken to be what was seen if no other is likelier by more than this; the others come "
        "second.",
    )
    dice_certain: float = odds(
        5.0,
        "A roll is out of the question if the dice were surely read as another one that is likelier by so "
        "much.",
    )
    lifted: int = pictures(
        2, "In so many pictures at rest the dice of a roll must be gone to have been lifted."
    )
    reported_late_s: float = seconds(
        1.0, "Electronic dice report a roll at most so many seconds after it was first seen."
    )

    # The cube in the pictures.
    sure_cube: float = share(
        0.6, "A picture in which the cube is read with less confidence than this says nothing about it."
    )
    steady_cube: int = pictures(3, "A cube is believed when so many pictures in a row agree.", most=40)
    cube_late_s: float = seconds(
        3.0,
        "A cube is believed to have been turned before a roll if it was seen so no later than this after it.",
    )

    cube_turn_s: float = seconds(
        15.0,
        "So long players may take to turn the cube as they agreed; until then nothing is said of how it lies.",
    )

    # The board as a whole, and the light on it.
    tell_mm: float = threshold(
        2.0,
        "millimetres",
        0.5,
        100.0,
        "A push of the board by more than this is told; following it is exact to about half a millimetre.",
    )
    tell_deg: float = threshold(0.35, "degrees", 0.05, 45.0, "A turn of the board by more than this is told.")
    same_mm: float = threshold(
        1.0,
        "millimetres",
        0.1,
        100.0,
        "A board that shifted by less than this from one picture to the next may have come to rest.",
    )
    same_deg: float = threshold(0.2, "degrees", 0.02, 45.0, "The same for a turn of the board.")
    same_light: float = factor(
        1.06, "The same for the factor by which a colour of the light changed.", least=1.01
    )
    tell_light: float = factor(
        1.15, "Light of which a colour changed by more than this factor is told.", least=1.01
    )
    lost_after_s: float = seconds(
        2.0,
        "A board that no picture shows for so many seconds is lost; for a shorter time a hand may be all "
        "that they show.",
    )

    # What a roll may have become, and how much speaks against it before the pictures are asked.
    lead: float = odds(
        4.0,
        "An explanation is told when it leads every other one by so much; raise it to be asked more often.",
    )
    surprise: float = odds(
        5.0, "What no legal play explains better than this is looked at for other explanations."
    )
    # Rules that may have been broken, and what it takes to accuse.
    likely: float = odds(
        6.0,
        "In each place the counts are thought of that are not less likely than the best one by more than "
        "this.",
    )
    unchanged: float = odds(
        0.3, "So much speaks for the count that lay in a place before, beside what is seen."
    )
    witness: float = odds(2.0, "How much each of them has to speak against it.")
    readings: int = pictures(2, "An accusation needs so many pictures at rest.")
    stood_s: float = seconds(
        2.9, "An illegal play that was put right is told if it stood with the hand away for so many seconds."
    )

    # The end of a turn, and how long it can be told anew.
    legal_rest: float = factor(
        1.0,
        "A legal play that lies still for so many times `table.rest_s` is over, where rest ends a turn.",
        least=0.0,
    )
    other_rest: float = factor(2.0, "The same for a play that is not legal.", least=0.0)
    open_turns: int = turns(2, "So many turns stay open to be told anew, if `hindsight` does not say it.")
    open_turns_seen: int = turns(
        4, "The same where pictures tell the rolls: what follows often shows that a die was misread."
    )

    # Positions to be laid out, and boards that no play explains.
    fits: float = odds(
        7.0, "A position is what lies there when nothing seen speaks against it by more than this."
    )
    agrees: float = odds(
        1.0,
        "A place lies as it should if no other count is likelier by so much: the height of a pile is never "
        "certain.",
    )
    other_board: int = points(7, "Where so many points differ, no play did that.", least=2)
    certainly_other: float = odds(
        12.0, "A board so much unlike the position to be laid out is certainly another one.", most=100.0
    )
    set_up_anew: int = points(
        6, "So many points must have left the start position before checkers set up anew begin another game."
    )
    shown_at_once: int = threshold(
        6,
        "places",
        1,
        28,
        "So many places the lights show at once; where more differ, one thing is done after the other.",
    )
    settled: int = points(
        12,
        "After a game the lights wait with the set-up until no more points than this are left to be changed.",
        least=0,
    )

    # What a learner is shown; a wrong guess costs a wrong hint only.
    hint_clear: float = odds(
        1.5, "What the board shows of a play is believed if everything else is worse by so much."
    )
    hint_fits: float = odds(
        6.0,
        "It is believed if nothing speaks against it by more, as when a blot that was hit is in the hand "
        "too.",
    )
    hint_known: int = threshold(
        12, "places", 0, 26, "It is looked at while so many places can be seen, each half of the bar one."
    )
    empty_hand: float = odds(4.5, "Handicap of a checker in the hand while there is no hand over the board.")

    def weight(self, readings: int) -> float:
        """How much so many pictures of one position weigh together, against one of them."""
        if readings < 2:
            return 1.0
        return self.weight_two if readings == 2 else self.weight_more


USUAL: Final = Caution()
"""As delivered."""
