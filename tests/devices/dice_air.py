"""A pair of dice with Bluetooth over bad air, in virtual time: messages are lost, doubled, late or rubbish.

Somebody throws them, looks whether the roll is shown, and throws again if they are told to, or if nothing happens.
"""

import random
from dataclasses import dataclass, field

from controller.devices.dice.godice import GoDie
from controller.devices.dice.news import DiceNews, DieBack, DieGone
from controller.devices.dice.pixels import PixelsDie
from controller.devices.dice.status import DiceStatus
from controller.devices.dice.unit_rolls import UnitRolls
from tests.devices.radio_dice import GoDiceLanguage, Language, PixelsLanguage

STEP_S = 0.05
"""How often the table looks."""
LATE_S = 0.25
"""The most that a message is late; Bluetooth keeps their order."""
PATIENT_S = 6.0
"""Who sees nothing happen for so long throws again."""
BACK_S = 2.5
"""So long a link stays away when it is cut."""
TELLS_S = 2.0
"""Within this time people are to hear that there was no roll."""


@dataclass
class Air:
    """How bad it is: shares of the messages, and the number of cuts."""

    lost: float = 0.0
    doubled: float = 0.0
    rubbish: float = 0.0
    cuts: int = 0


@dataclass
class Result:
    """What came of many throws."""

    thrown: int = 0
    counted: int = 0
    wrong: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    untold: int = 0
    told_after_s: list[float] = field(default_factory=list)
    battery_told: int = 0


class Pair:
    """The dice and what is on its way from them; see `DiceUnit`."""

    def __init__(self, kind: str, air: Air, rng: random.Random) -> None:
        self.words: Language = GoDiceLanguage(rng) if kind == "GoDice" else PixelsLanguage(rng)
        self._dice = {name: GoDie(name) if kind == "GoDice" else PixelsDie(name) for name in "AB"}
        self._kind, self._air, self._rng = kind, air, rng
        self._way: list[tuple[float, int, str, bytes | DiceNews]] = []
        self._last = dict.fromkeys("AB", 0.0)
        self._away_until = dict.fromkeys("AB", 0.0)

    def say(self, die: str, at_s: float, messages: tuple[bytes, ...]) -> None:
        """A die sends messages; what becomes of them the air decides."""
        for message in messages:
            if at_s < self._away_until[die] or self._rng.random() < self._air.lost:
                continue
            self._send(die, at_s, message)
            if self._rng.random() < self._air.doubled:
                self._send(die, at_s, message)
            if self._rng.random() < self._air.rubbish:
                self._send(die, at_s, self._rng.randbytes(self._rng.randint(0, 5)))

    def cut(self, die: str, at_s: float) -> None:
        """The link of a die ends, and is there again later."""
        self._away_until[die] = at_s + BACK_S
        self._way = [each for each in self._way if each[2] != die or each[0] <= at_s]
        self._put(die, at_s, DieGone(die))
        self._put(die, at_s + BACK_S, DieBack(die))

    def poll(self, now_s: float) -> list[DiceNews]:
        """See `DiceUnit`."""
        due = sorted((each for each in self._way if each[0] <= now_s), key=lambda each: each[:2])
        self._way = [each for each in self._way if each[0] > now_s]
        news: list[DiceNews] = []
        for at_s, _, die, what in due:
            if isinstance(what, bytes):
                news += self._dice[die].hear(what, at_s)
            else:
                if isinstance(what, DieBack):
                    self._dice[die] = GoDie(die) if self._kind == "GoDice" else PixelsDie(die)
                news.append(what)
        return news

    def close(self) -> None:
        """Nothing is held."""

    def _send(self, die: str, at_s: float, message: bytes) -> None:
        self._last[die] = max(self._last[die], at_s + self._rng.uniform(0.0, LATE_S))
        self._put(die, self._last[die], message)

    def _put(self, die: str, at_s: float, what: bytes | DiceNews) -> None:
        self._way.append((at_s, len(self._way), die, what))


def throw_many(kind: str, air: Air, count: int, seed: int = 1) -> Result:
    """Throw until as many rolls have counted."""
    rng = random.Random(seed)
    told: list[DiceStatus] = []
    pair = Pair(kind, air, rng)
    dice = UnitRolls(pair, "Bluetooth", "bluetooth", told.append)
    cuts = {rng.randrange(count) for _ in range(air.cuts)}
    result, now = Result(), 1.0
    empty_at = count * 3 // 4
    while result.counted < count:
        result.thrown += 1
        faces = rng.randint(1, 6), rng.randint(1, 6)
        began = {die: now + rng.uniform(0.0, 0.15) for die in "AB"}
        rest = {die: began[die] + rng.uniform(0.6, 1.6) for die in "AB"}
        events = [(began[die], die, pair.words.start()) for die in "AB"]
        events += [(rest[die], die, pair.words.rest(face)) for die, face in zip("AB", faces, strict=True)]
        for at_s, die, messages in sorted(events):
            pair.say(die, at_s, messages)
        if result.counted in cuts:
            cuts.discard(result.counted)
            pair.cut(rng.choice("AB"), now + rng.uniform(0.0, 1.6))
        if result.counted >= empty_at:
            pair.say("A", now, pair.words.battery(9))
        over, seen, ends = max(rest.values()), len(told), now + PATIENT_S
        while True:
            now += STEP_S
            rolls = dice.poll(now)
            if rolls:
                result.counted += 1
                result.wrong += [(faces, roll.dice) for roll in rolls if roll.dice != faces][:1]
                result.wrong += [(faces, roll.dice) for roll in rolls[1:]]
                break
            sad = [status for status in told[seen:] if status.code not in ("ready", "battery")]
            if sad and now > over:
                result.told_after_s.append(max(0.0, now - over))
                break
            if now > ends:
                result.untold += 1
                break
        now += rng.uniform(0.5, 1.5)
        dice.poll(now)
    result.battery_told = sum(status.code == "battery" for status in told)
    return result
