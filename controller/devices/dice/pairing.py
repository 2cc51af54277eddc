"""Two single dice become one roll: they are thrown together, and neither is touched until both lie still."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from controller.devices.dice.news import BothSettled, DiceNews, DieBack, DieGone, DieNews, DieState
from controller.devices.dice.status import DiceCode

OTHER_DIE_S: Final = 5.0
"""Two dice thrown together come to rest well within that time of each other."""
SOON_S: Final = 1.6
"""Where dice tell that they roll, one that lies alone is told after this time: people hear of it within 2 s, even if
messages are late."""
UNSETTLED_S: Final = 2.1
"""Dice thrown by hand lie still before this time, so that what is lost on the way is told within 2 s. Those that are
shaken in a cup for longer are told of as well: it voids nothing, and their numbers count when they come."""
VOID_S: Final = 5.0
"""So long the rest of a throw that was told to be none belongs to it, and is told of no more."""
UNTOUCHED_S: Final = 1.5
"""A die that was turned by hand is often about to be thrown; it is told where no roll follows within this time."""
SIDES: Final = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Pair:
    """A roll: both dice lie still.

    Attributes:
        faces: in the order of the configured dice, or else of their names; at an opening roll Light's comes first.
        at_s: when the second one came to rest.
        cocked: one of them leans.
        owner: whose dice they are, `light` or `dark`; empty for a pair that both use.
    """

    faces: tuple[int, int]
    at_s: float
    cocked: bool = False
    owner: str = ""


@dataclass(frozen=True, slots=True)
class NoRoll:
    """Dice did something that is no roll: why, and the die with what it shows; `owner` as in `Pair`."""

    code: DiceCode
    die: str
    face: int | None = None
    owner: str = ""


Outcome = Pair | NoRoll


class PairOfDice:
    """Waits with one die of a set for the other. Pure: all times come in."""

    def __init__(self, owner: str = "", rank: Callable[[str], int] = lambda _: 0) -> None:
        """`owner` as in `Pair`; ``rank`` tells which die comes first, equal ones go by their names."""
        self._owner, self._rank = owner, rank
        self._rolling: dict[str, float] = {}
        self._turned: dict[str, tuple[DieNews, bool]] = {}
        self._again: set[str] | None = None
        self._tells_rolling = False
        self.first: DieNews | None = None

    @property
    def rolls(self) -> bool:
        """Whether a die of the set rolls."""
        return bool(self._rolling)

    def hear(self, news: DieNews) -> list[Outcome]:
        """What comes of a die's news."""
        match news.state:
            case DieState.ROLLING:
                return self._roll(news)
            case DieState.SETTLED | DieState.LEANING:
                return self._settle(news)
            case DieState.HANDLED:
                self._rolling.pop(news.die, None)
                return self._touch(news, DiceCode.PICKED_UP)
            case DieState.TURNED:
                return self._turn(news)

    def lose(self, die: str) -> None:
        """A die cannot be reached: nobody knows what it does until it rolls anew."""
        self._rolling.pop(die, None)
        if self.first is not None and self.first.die == die:
            self.first = None
        self._end_void()

    def look(self, now_s: float, *, patient: bool = False) -> list[Outcome]:
        """What time has made of it; ``patient`` where the other die may be thrown much later."""
        found: list[Outcome] = []
        if not patient:
            found += self._wait(now_s)
        found += self._tell_turned(now_s)
        return found + self._tell_rolling(now_s, patient=patient)

    def _roll(self, news: DieNews) -> list[Outcome]:
        self._tells_rolling = True
        self._turned.clear()
        self._rolling[news.die] = news.at_s
        found = self._touch(news, DiceCode.ROLLED_TWICE)
        if self._again is not None and not found:
            self._again.add(news.die)
            if len(self._again) > 1:  # both were thrown anew
                self._again = None
        return found

    def _settle(self, news: DieNews) -> list[Outcome]:
        self._rolling.pop(news.die, None)
        self._turned.clear()
        if self._again is not None:
            return self._settle_void(news)
        first = self.first
        if first is None:
            self.first = news
            return []
        if news.die and news.die == first.die:
            if self._tells_rolling:
                return self._touch(news, DiceCode.ROLLED_TWICE)
            self.first = news
            return []
        self.first = None
        return [self._pair(first, news)]

    def _settle_void(self, news: DieNews) -> list[Outcome]:
        """A die comes to rest of a throw that was none; one that was thrown anew without the other is told."""
        again = self._again or set()
        self._end_void()
        is_alone = news.die in again and self._again is None
        return [NoRoll(DiceCode.ALONE, news.die, news.face)] if is_alone else []

    def _turn(self, news: DieNews) -> list[Outcome]:
        rolled = self._rolling.pop(news.die, None) is not None
        first = self.first
        if first is not None and first.die == news.die and first.face == news.face:
            return []  # it was pushed, and shows what it showed
        if first is not None and (rolled or first.die == news.die):
            return self._void(NoRoll(DiceCode.TURNED, news.die, news.face))
        self._turned[news.die] = news, rolled
        self._end_void()
        return []

    def _tell_turned(self, now_s: float) -> list[Outcome]:
        """A die that was turned while the other one lay still, or that rolled too little to count.

        Both are moved without a roll whenever somebody picks them up: that is nobody's trouble.
        """
        turned = list(self._turned.values())
        if all(now_s - news.at_s < UNTOUCHED_S for news, _ in turned):
            return []
        self._turned.clear()
        news = turned[0][0]
        is_trouble = len(turned) == 1 or any(rolled for _, rolled in turned)
        return [NoRoll(DiceCode.TURNED, news.die, news.face)] if is_trouble else []

    def _tell_rolling(self, now_s: float, *, patient: bool) -> list[Outcome]:
        """Dice that roll and ought to lie still, all at once; where one of them lies, that is told by itself."""
        if self.first is not None and not patient:
            return []
        ought_s = UNSETTLED_S if self._again is None else VOID_S
        if all(now_s - since < ought_s for since in self._rolling.values()):
            return []
        names = ", ".join(sorted(self._rolling))
        self._rolling.clear()
        self._end_void()
        return [NoRoll(DiceCode.UNSETTLED, names)]

    def _touch(self, news: DieNews, code: DiceCode) -> list[Outcome]:
        """A die does something else: if it lay and waited for the other one, there will be no roll."""
        if self.first is None or self.first.die != news.die:
            return []
        return self._void(NoRoll(code, news.die, self.first.face))

    def _void(self, why: NoRoll) -> list[Outcome]:
        self.first = None
        self._again = set()
        self._end_void()
        return [why]

    def _end_void(self) -> None:
        """What was void is over as soon as nothing rolls."""
        if not self._rolling:
            self._again = None

    def _wait(self, now_s: float) -> list[Outcome]:
        first = self.first
        if first is None:
            return []
        if now_s - first.at_s < (SOON_S if self._tells_rolling else OTHER_DIE_S):
            return []
        # Told, it is void even if the other one still rolls: people throw again then, and must not be half believed.
        self.first = None
        self._rolling.clear()
        return [NoRoll(DiceCode.ALONE, first.die, first.face)]

    def _pair(self, one: DieNews, other: DieNews) -> Pair:
        # By the dice and not by which comes to rest first: in the opening roll each belongs to a side.
        dice = sorted((one, other), key=lambda each: (self._rank(each.die), each.die))
        leans = any(die.state is DieState.LEANING for die in dice)
        return Pair((dice[0].face or 0, dice[1].face or 0), other.at_s, leans, self._owner)


class Pairing:
    """The dice of a table in their sets, of which each makes rolls. Pure: all times come in."""

    def __init__(self, owners: Mapping[str, str] | None = None) -> None:
        """``owners`` tells whose each die is, as in `Pair`, in the order in which they count."""
        self._owners = dict(owners or {})
        self._opening = False
        self._sets = self._new_sets()

    def expect(self, *, opening: bool) -> None:
        """Whether each side throws one of its own dice now, as the opening roll wants it."""
        self._opening = opening

    def hear(self, news: DiceNews) -> list[Outcome]:
        """What comes of a unit's news; a unit that is back begins anew."""
        match news:
            case BothSettled(faces=faces, at_s=at_s):
                return [Pair(faces, at_s)]
            case DieNews(die=die):
                owner = self._owners.get(die, "")
                return _owned(self._sets[owner].hear(news), owner) or self._open(news)
            case DieGone(die=die) | DieBack(die=die) if die:
                self._sets[self._owners.get(die, "")].lose(die)
            case DieGone() | DieBack():
                self._sets = self._new_sets()
        return []

    def look(self, now_s: float) -> list[Outcome]:
        """What time has made of it; call it with each poll."""
        return [
            outcome
            for owner, dice in self._sets.items()
            for outcome in _owned(dice.look(now_s, patient=self._opening and owner in SIDES), owner)
        ]

    def _new_sets(self) -> dict[str, PairOfDice]:
        order = list(self._owners)

        def rank(die: str) -> int:
            return order.index(die) if die in self._owners else len(order)

        return {owner: PairOfDice(owner, rank) for owner in ("", *SIDES)}

    def _open(self, news: DieNews) -> list[Outcome]:
        """One die of each side lies, and no other rolls: that is an opening roll."""
        light, dark = (self._sets[side] for side in SIDES)
        if not self._opening or light.first is None or dark.first is None or light.rolls or dark.rolls:
            return []
        leans = DieState.LEANING in (light.first.state, dark.first.state)
        faces = light.first.face or 0, dark.first.face or 0
        light.first = dark.first = None
        return [Pair(faces, news.at_s, leans)]


def _owned(outcomes: list[Outcome], owner: str) -> list[Outcome]:
    """The same, what was no roll with whose dice it was."""
    return [replace(each, owner=owner) if isinstance(each, NoRoll) else each for each in outcomes]
