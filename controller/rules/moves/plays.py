"""All complete legal plays of a roll."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final, Self, TypeVar, overload

from controller.rules import hidden, packed
from controller.rules.moves import generator, legality, search, variants, wide
from controller.rules.moves.deduction import Arrangement, accounts, arrangements
from controller.rules.moves.movement import (
    STANDARD,
    Contact,
    Generator,
    MaxDice,
    MovementRules,
    Profiled,
    movement_of,
)
from controller.rules.moves.restrictions import HOME
from controller.rules.notation import Move, NotationError, Play, format_play
from controller.rules.position import Position, Roll, Side

NARROW: Final = (Generator.STANDARD, Generator.HOUSE)
"""What finds the plays where nothing is hidden."""
OPPONENT_ONLY: Final = bytes(min(value, packed.EMPTY) for value in range(256))
"""From a byte of a view to the same byte without checkers of the mover."""


Made = TypeVar("Made")


class LegalPlay:
    """A complete legal play and the position after it. Several plays may lead there; one of them is told.

    The play is looked for when it is first asked for: to find one takes longer than to find every result of a roll
    (90 us of processor time against 14 us for 19 results, the mean of 2,000 positions of self-play).
    """

    __slots__ = ("_code", "_find", "_play")

    def __init__(self, find: Callable[[int], Play], code: int) -> None:
        """Of the packed code of the position after it; `find` names a play that leads there."""
        self._code = code
        self._find = find

    @classmethod
    def known(cls, play: Play, after: Position) -> Self:
        """Of a play that was found already."""
        return cls(lambda _: play, after.code)

    @property
    def after(self) -> Position:
        """The position after it."""
        return Position(self._code)

    @property
    def play(self) -> Play:
        """The moves, in an order in which they are legal; empty if nothing can be played."""
        try:
            return self._play
        except AttributeError:
            self._play: Play = self._find(self._code)
            return self._play

    def __eq__(self, other: object) -> bool:
        """Whether it is the same play to the same position."""
        if not isinstance(other, LegalPlay):
            return NotImplemented
        return self._code == other._code and self.play == other.play

    def __hash__(self) -> int:
        """By where it leads."""
        return hash(self._code)

    def __str__(self) -> str:
        """The play as players write it."""
        return format_play(self.play)

    def __repr__(self) -> str:
        """The play and where it leads."""
        return f"<LegalPlay {self} to {self.after.compact()}>"


class Results(Sequence[Made]):
    """The distinct results of a roll, each made of its packed code when asked for, sorted by their compact form.

    How many there are is known without sorting.
    """

    __slots__ = ("_codes", "_make", "_sorted")

    def __init__(self, codes: set[int], make: Callable[[int], Made]) -> None:
        """Of the codes that `results` found."""
        self._codes = codes
        self._make = make
        self._sorted: list[int] | None = None

    @property
    def codes(self) -> list[int]:
        """The packed codes, sorted by their compact form."""
        if self._sorted is None:
            narrow = max(self._codes) <= hidden.BOARD
            self._sorted = sorted(self._codes, key=packed.compact_order if narrow else _compact)
        return self._sorted

    def __len__(self) -> int:
        """How many results there are."""
        return len(self._codes)

    def __iter__(self) -> Iterator[Made]:
        """Each result in order."""
        return map(self._make, self.codes)

    @overload
    def __getitem__(self, index: int) -> Made: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Made, ...]: ...

    def __getitem__(self, index: int | slice) -> Made | tuple[Made, ...]:
        """One result, or some of them."""
        if isinstance(index, slice):
            return tuple(map(self._make, self.codes[index]))
        return self._make(self.codes[index])

    def __repr__(self) -> str:
        """All of them, in brackets."""
        return repr(list(self))


def legal_plays(
    position: Position, side: Side, roll: Roll, profile: MovementRules | Profiled = STANDARD
) -> Results[LegalPlay]:
    """Every distinct result of a complete legal play, each with one play, sorted by the compact result.

    If nothing can be played the only result is the unchanged position with the empty play. The rules are
    those of `controller.rules.moves.generator` (standard) and of the settings in `profile`: those of movement, or a
    whole profile.
    """
    rules = movement_of(profile)
    codes, _ = results(position, side, roll, rules)

    def find(code: int) -> Play:
        return play_between(position, side, roll, Position(code), rules) or ()

    return Results(codes, partial(LegalPlay, find))


def _compact(code: int) -> str:
    return Position(code).compact()


def results(
    position: Position, side: Side, roll: Roll, profile: MovementRules = STANDARD
) -> tuple[set[int], tuple[int, ...]]:
    """The packed codes of all distinct results, and the numbers that every complete play must use."""
    dark = side is Side.DARK
    kind = _generator(position.code, dark, profile)
    if kind is Generator.STANDARD:
        return generator.results(position.code, dark, roll.high, roll.low)
    if kind is Generator.WIDE:
        wide_found, used = variants.results(position.code, dark, roll.numbers, profile)
        return set(wide_found), used
    found, used = _search(position.code, dark, roll.numbers, profile)
    return set(found), used if profile.max_dice is MaxDice.STRICT else ()


def _generator(code: int, dark: bool, rules: MovementRules) -> Generator:
    """What finds the plays from here: a game with few rules of its own is mostly the standard one."""
    if code > hidden.BOARD:
        return Generator.WIDE
    if rules.generator is Generator.NO_HIT_AND_RUN:
        home = packed.view(code, dark=dark)[1 : HOME + 1]
        return Generator.WIDE if packed.BLOT in home else Generator.STANDARD
    return rules.generator


def views_of(before: int, after: int, side: Side, rules: MovementRules) -> tuple[bytes, bytes]:
    """Two boards as the mover sees them, both narrow or both wide."""
    dark = side is Side.DARK
    if before <= hidden.BOARD and after <= hidden.BOARD and rules.generator in NARROW:
        return packed.view(before, dark=dark), packed.view(after, dark=dark)
    return wide.view(before, dark, rules.direction), wide.view(after, dark, rules.direction)


def view_of(code: int, side: Side, rules: MovementRules) -> bytes:
    """The board as the mover sees it: narrow for the standard game and its house rules, else wide."""
    dark = side is Side.DARK
    if code <= hidden.BOARD and rules.generator in NARROW:
        return packed.view(code, dark=dark)
    return wide.view(code, dark, rules.direction)


@lru_cache(maxsize=32)
def _search(
    code: int, dark: bool, numbers: tuple[int, ...], profile: MovementRules
) -> tuple[frozenset[int], tuple[int, ...]]:
    """The results by rules that are not standard; the last ones are kept, for a turn is asked about several times."""
    found, used = search.results(code, dark, numbers, profile)
    return frozenset(found), used


def is_result(
    before: Position, side: Side, roll: Roll, after: Position, profile: MovementRules = STANDARD
) -> bool:
    """Whether `after` is a result of a complete legal play; quicker than looking among all of them."""
    dark = side is Side.DARK
    kind = _generator(before.code, dark, profile)
    if kind is Generator.STANDARD:
        return legality.reaches(before.code, dark, roll.high, roll.low, after.code)
    if kind is Generator.WIDE:
        return after.code in variants.results(before.code, dark, roll.numbers, profile)[0]
    return _is_found(before.code, dark, roll.numbers, after.code, profile)


@lru_cache(maxsize=20_000)
def _is_found(code: int, dark: bool, numbers: tuple[int, ...], after: int, profile: MovementRules) -> bool:
    """As `is_result` by rules that are not standard; kept for a long match, which is played through several times."""
    return after in _search(code, dark, numbers, profile)[0]


def play_between(
    before: Position, side: Side, roll: Roll, after: Position, profile: MovementRules = STANDARD
) -> Play | None:
    """Legal steps from one position to another, or `None`; whether the play is complete is not asked."""
    start, end = views_of(before.code, after.code, side, profile)
    best: Arrangement | None = None
    double = roll.high if roll.is_double else 0
    for account in accounts(start, end, roll.numbers, forward_only=True):
        for arrangement in arrangements(start, account, profile, double):
            if arrangement.breaches or not _same_opponent(start, end, arrangement, profile):
                continue
            if best is None or arrangement.steps > best.steps:
                best = arrangement
    if best is None:
        return None
    return tuple(Move(step.source, step.target, hit) for step, hit in zip(best.steps, best.hits, strict=True))


def _same_opponent(start: bytes, end: bytes, arrangement: Arrangement, rules: MovementRules) -> bool:
    """Whether the opponent's checkers lie as the hits of an arrangement leave them."""
    if rules.contact is Contact.PIN:
        for step in arrangement.steps:
            start = wide.after_step(start, step.source, step.target, rules.contact)
        return start == end
    expected = bytearray(start[: packed.PLACES].translate(OPPONENT_ONLY))
    for step, hit in zip(arrangement.steps, arrangement.hits, strict=True):
        if hit:
            expected[step.target] += 1
            expected[0] -= 1
    return expected == end[: packed.PLACES].translate(OPPONENT_ONLY)


def resolve(
    position: Position, side: Side, roll: Roll, play: Play, profile: MovementRules = STANDARD
) -> LegalPlay:
    """The legal play that a written play means; legs may span several dice and hit marks may be missing.

    Where a leg could be played over a blot or past it, an unmarked one goes past it.

    Raises:
        NotationError: if no legal play of the roll moves the checkers so.
    """
    wanted = _own_after(view_of(position.code, side, profile), play)
    marked = {move.target for move in play if move.hit}
    named = {move.target for move in play}
    fitting = []
    for code in sorted(results(position, side, roll, profile)[0]) if wanted is not None else ():
        if _own_counts(code, side, profile) != wanted:
            continue
        after = Position(code)
        candidate = LegalPlay.known(play_between(position, side, roll, after, profile) or (), after)
        hits = {move.target for move in candidate.play if move.hit}
        if marked <= hits:
            fitting.append((len(hits - named), hits != marked, candidate))
    if not fitting:
        raise NotationError(
            f"{format_play(play)} is not a legal play of {roll} for {side} in position {position.compact()}."
        )
    return min(fitting, key=lambda candidate: candidate[:2])[2]


def _own_counts(code: int, side: Side, rules: MovementRules) -> bytes:
    """The mover's checkers on each place of the board."""
    return view_of(code, side, rules)[: packed.PLACES].translate(packed.OWN_COUNT)


def _own_after(start: bytes, play: Play) -> bytes | None:
    """The mover's checkers on each place of a view after a play; `None` if they are not there to be moved."""
    counts = list(start[: packed.PLACES].translate(packed.OWN_COUNT))
    for move in play:
        counts[move.source] -= 1
        counts[move.target] += 1
    counts[packed.OFF] = 0
    return bytes(counts) if min(counts) >= 0 else None
