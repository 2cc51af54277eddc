"""How careful the referee is: every threshold in one place, with what it means in words."""

from dataclasses import dataclass

from controller.rules.movement import STANDARD, MovementRules


@dataclass(frozen=True, slots=True)
class Caution:
    """Log-likelihoods are natural logarithms: 2.3 is ten to one, 4.6 a hundred to one."""

    rules: MovementRules = STANDARD
    """How checkers may be moved; what is against these rules is a breach."""
    misread: float = 0.01
    """Share of places a reader gets wrong although it is certain; no single place weighs more than this."""
    misread_unsure: float = 0.1
    """The same for points the reader itself would not swear to."""
    pile: int = 5
    """From so many checkers on a point the height of the pile is hard to see."""
    pile_doubt: float = 2.0
    """At most so much is believed about one height of such a pile against another."""
    mixed: float = 2.0
    """Where checkers are counted but their owner is less certain than this, both sides' may lie on a point..."""
    intruder: float = 2.0
    """...which speaks by so much for a checker that landed on a point of the opponent."""
    moved: float = 1.5
    """Two readings that contradict each other by so much show different positions."""
    touched: float = 0.4
    """Share of that difference that suffices when something, such as a hand, came between the two."""
    lead: float = 4.0
    """An explanation is told when it leads every other one by so much."""
    void: float = 3.0
    """Handicap of 'this roll was rolled again' where the roll could have been played."""
    void_die: float = 1.0
    """The same where a single die was seen, which may be none."""
    surprise: float = 5.0
    """What no legal play explains better than this is looked at for other explanations."""
    unseen: float = 3.0
    """Handicap of 'the roll before was played, but no picture showed it in time'."""
    missed_turn: float = 4.0
    """Handicap of 'a whole turn went by, and its dice were not seen'."""
    moved_dice: float = 4.0
    """Handicap of 'the dice lie elsewhere, but were not rolled again'."""
    opening_order: float = 3.0
    """Handicap of a first turn by the side whose die was the lower one."""
    illegal: float = 6.0
    """Handicap of every explanation that breaks a rule."""
    rare: float = 2.0
    """Further handicap of rules that people rarely break (moving backwards, a checker too many)."""
    each_rule: float = 1.5
    """Handicap of each further rule broken."""
    lost_checker: float = 5.0
    """Handicap of an explanation in which checkers vanish or appear."""
    witnesses: int = 2
    """An accusation needs so many places that speak against the best legal play..."""
    witness: float = 2.0
    """...each of them by so much..."""
    most_rules: int = 4
    """...broken by at most so many steps (what needs more is no play, but a mess to look at)..."""
    most_rules_seen: int = 2
    """...by at most so many where the dice were read from pictures..."""
    readings: int = 2
    """...in so many pictures at rest."""
    seen_once: float = 2.0
    """What only one picture shows is told if it leads by so many times the usual lead."""
    calm: int = 3
    """Where dice are read from pictures, so many turns before it must be certain for a play to be called illegal."""
    pushed: float = 6.0
    """Handicap of 'somebody pushed a checker between two turns'."""
    rolled_again: float = 4.5
    """Handicap of a second roll that nobody allowed, while the play may show that it was the one that counts."""
    dice_certain: float = 5.0
    """A roll is out of the question if the dice were surely read as another one that is likelier by so much."""
    passes: float = 1.0
    """Handicap of 'who is closed out did not roll, and this is the other side's roll'."""
    fits: float = 7.0
    """A position is what lies there when nothing seen speaks against it by more than this."""
    other_board: int = 7
    """Where so many points differ, no play did that..."""
    certainly_other: float = 12.0
    """...and a board so much unlike the position to be laid out is certainly another one."""
    set_up_anew: int = 6
    """So many points must have left the start position before checkers set up anew begin another game."""
    lifted: int = 2
    """In so many pictures at rest the dice of a roll must be gone to have been lifted."""
    reported_late_s: float = 1.0
    """Electronic dice report a roll at most so many seconds after it was first seen."""
    cube_late_s: float = 3.0
    """A cube is believed to have been turned before a roll if it was seen so no later than this after it."""
    stood_s: float = 1.0
    """An illegal play that was put right is told if it stood with the hand away for so many seconds..."""
    stood_partial_s: float = 1.6
    """...and for so many if it was the beginning of a legal play, since people stop to think."""
    kept: int = 24
    """So many explanations of the game are carried along..."""
    kept_within: float = 30.0
    """...as long as they are not worse than the best one by more than this..."""
    kept_after: float = 14.0
    """...or by this, once the turn was told for certain."""
    misread_die: float = 0.005
    """Share of dice a reader gets wrong although it is certain."""
    likely_roll: float = 2.5
    """Rolls are taken to be what was seen if no other is likelier by more than this; the others come second."""
    dice_lead: float = 1.5
    """A roll is told for certain if it leads every other one that explains the play by so much."""
    die_near: float = 7.0
    """A die whose centre is found within so many pixels lies where it lay."""

    def void_dance(self, lay_s: float) -> float:
        """Handicap of 'rolled again' where nothing could move anyhow: a cocked roll lies shorter."""
        return 3.5 + 1.2 * min(max(lay_s - 5.0, -2.5), 2.5)
