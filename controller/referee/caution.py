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
    stood_s: float = 1.0
    """An illegal play that was put right is told if it stood with the hand away for so many seconds..."""
    stood_partial_s: float = 1.6
    """...and for so many if it was the beginning of a legal play, since people stop to think."""
    patience: int = 2
    """A doubtful turn waits for at most so many further turns before it is told as unsure."""
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
