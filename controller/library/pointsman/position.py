"""Positions (checkers, whose turn it is, cube and score, the rules that are played) and the plays between them."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final, Self, SupportsIndex

from controller.errors import short_repr
from controller.rules.forms import gnuid
from controller.rules.forms.xgid import IdError, MatchState, OfferCode, from_xgid, xgid
from controller.rules.game.game import first_position
from controller.rules.judging.judge import ROLLS
from controller.rules.moves.movement import STANDARD_FAMILY
from controller.rules.moves.plays import Results, is_result, play_between, resolve, results
from controller.rules.notation import NotationError, format_play
from controller.rules.notation import Play as Moves
from controller.rules.position import START, PositionError, Roll, RollError, Side
from controller.rules.position import Position as Checkers
from controller.rules.profile.profile import Profile
from pointsman.drawing import board_lines
from pointsman.notation import EXAMPLE, parse_play
from pointsman.spelling import (
    STANDARD,
    RollLike,
    SideLike,
    VariantLike,
    profile_of,
    roll_of,
    row_of,
    side_of,
    text_of,
    truth_of,
    two_of,
    whole,
    whole_from,
)

LARGEST_CUBE: Final = 1 << 20
MOST_POINTS: Final = 9999
"""The largest cube and score that an XGID holds."""
XGID: Final = '"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"'
GNU_START: Final = "4HPwATDgc/ABMA"
GNU_POSITION: Final = 14
"""The characters of a GNU position id without a match id."""


class Play:
    """A complete legal play. It prints as players write it; of several that lead to one position one is told.

    Attributes:
        before: the position it was made in.
        roll: the dice; `None` where the play fits several rolls and nobody said which.
    """

    __slots__ = ("_code", "_moves", "before", "roll")

    before: "Position"
    roll: Roll | None

    def __init__(self, before: "Position", roll: Roll | None, code: int) -> None:
        """Made by `Position.legal_plays` and `Position.parse`, of the packed code of the position after it."""
        self.before = before
        self.roll = roll
        self._code = code

    @property
    def moves(self) -> Moves:
        """One move for each die, in an order in which they are legal; empty if nothing could be played."""
        try:
            return self._moves
        except AttributeError:
            self._moves: Moves = self._found()
            return self._moves

    def _found(self) -> Moves:
        """The moves of the first roll that they fit."""
        before, after, rules = self.before.checkers, Checkers(self._code), self.before.profile.movement
        for roll in ROLLS if self.roll is None else (self.roll,):
            if is_result(before, self.before.turn, roll, after, rules):
                return play_between(before, self.before.turn, roll, after, rules) or ()
        return ()

    @property
    def after(self) -> "Position":
        """The position after it, the other side to roll."""
        return self.before.handed_over(Checkers(self._code))

    def __str__(self) -> str:
        """The play in standard notation, from the mover's side: `8/5 6/5`, `bar/22*`, `Cannot Move`."""
        return format_play(self.moves)

    def __repr__(self) -> str:
        """The play in standard notation."""
        return f"Play({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        """Whether it leads from the same position to the same position."""
        if not isinstance(other, Play):
            return NotImplemented
        return self._code == other._code and self.before == other.before

    def __hash__(self) -> int:
        """By where it leads."""
        return hash(self._code)


class Position:
    """Where the checkers are, whose turn it is, what the cube shows, the score, and by which rules is played.

    A value: it never changes, can be compared, and be a key. It prints as a board seen from light's side, and a
    notebook shows it as a drawing. Make one with `start`, `of`, `from_compact`, `from_xgid` or `from_gnu_id`.
    """

    __slots__ = ("_checkers", "_profile", "_state")

    def __init__(self, checkers: Checkers, state: MatchState, profile: Profile) -> None:
        """For the named constructors: of the checkers, all beside them that an XGID tells, and the rules."""
        self._checkers = checkers
        self._state = state
        self._profile = profile

    @classmethod
    def start(cls, variant: VariantLike = STANDARD, turn: SideLike = Side.LIGHT) -> Self:
        """The position that a game begins with.

        Args:
            variant: a name of `variants`, or the path of a profile file.
            turn: who begins.

        Raises:
            UserError: there is no such variant or side.
        """
        profile = profile_of(variant)
        return cls(first_position(profile), _before_roll(turn, profile), profile)

    @classmethod
    def of(
        cls,
        points: Iterable[SupportsIndex],
        bar: tuple[SupportsIndex, SupportsIndex] = (0, 0),
        turn: SideLike = Side.LIGHT,
        variant: VariantLike = STANDARD,
    ) -> Self:
        """The position of 24 counts from light's 1-point to its 24-point, light positive, dark negative.

        `bar` is how many checkers of light and of dark are on the bar.

        Raises:
            UserError: no position has these counts.
        """
        row = row_of(points, "The points must be a row of 24 counts")
        counts = [whole(count, f"The count of point {point}") for point, count in enumerate(row, start=1)]
        both = two_of(bar, "The bar must hold two counts, of light and of dark, such as (0, 1)")
        light, dark = (whole(count, "The count of the bar") for count in both)
        profile = profile_of(variant)
        return cls(Checkers.from_counts(counts, light, dark), _before_roll(turn, profile), profile)

    @classmethod
    def from_compact(
        cls, text: str, turn: SideLike = Side.LIGHT, variant: VariantLike = STANDARD, *, seen: bool = False
    ) -> Self:
        """The position written as 26 characters: points 1..24 from light's side, light's bar, dark's bar.

        `.` is empty, `A`..`O` are 1..15 light and `a`..`o` 1..15 dark checkers. With `seen` a side may have more than
        fifteen: that is how a real board may look.

        Raises:
            UserError: the text is no position.
        """
        text = text_of(text, "The compact position", f'"{START.compact()}"')
        checkers = Checkers.seen_compact(text) if truth_of(seen, "seen") else Checkers.from_compact(text)
        profile = profile_of(variant)
        return cls(checkers, _before_roll(turn, profile), profile)

    @classmethod
    def from_xgid(cls, text: str, variant: VariantLike = STANDARD) -> Self:
        """The position of an XGID, with its cube, score and dice; light is its player X. Raises UserError."""
        return cls(*from_xgid(text_of(text, "The XGID", XGID)), profile_of(variant))

    @classmethod
    def from_gnu_id(cls, text: str, turn: SideLike = Side.LIGHT, variant: VariantLike = STANDARD) -> Self:
        """The position of GNU Backgammon's ids: `POSITION:MATCH`, or the position alone and who is on roll.

        Raises:
            UserError: the text is neither.
        """
        text = text_of(text, "The GNU id", f'"{GNU_START}"')
        if len(text.strip()) == GNU_POSITION:
            profile, side = profile_of(variant), side_of(turn)
            return cls(gnuid.from_position_id(text.strip(), side), _before_roll(side, profile), profile)
        if not gnuid.is_gnu_id(text):
            raise IdError(
                f"The GNU id {text!r} must be 14 characters, or 14 and 12 with a colon between them."
            )
        checkers, state = gnuid.from_gnu_id(text)
        return cls(checkers, state.match_state(), profile_of(variant))

    # What it holds.

    @property
    def turn(self) -> Side:
        """The side that rolls or plays next."""
        return self._state.on_roll

    @property
    def roll(self) -> Roll | None:
        """The dice, where the roll belongs to the position (as in an XGID); `None` before the roll."""
        return self._state.roll

    @property
    def cube(self) -> int:
        """The value of the cube, 1 in the middle."""
        return self._state.cube

    @property
    def cube_owner(self) -> Side | None:
        """Who may double next; `None` while the cube is in the middle."""
        return self._state.owner

    @property
    def length(self) -> int:
        """The points that win the match; 0 for a money session."""
        return self._state.length

    @property
    def score(self) -> tuple[int, int]:
        """The points of light and of dark."""
        return self._state.score

    @property
    def is_crawford(self) -> bool:
        """Whether this is the Crawford game."""
        return self._state.crawford

    @property
    def variant(self) -> str:
        """The name of the rule profile."""
        return self._profile.name

    @property
    def profile(self) -> Profile:
        """The rules that are played, for `controller.rules`; not part of the stable library."""
        return self._profile

    @property
    def checkers(self) -> Checkers:
        """The position of `controller.rules` without turn, cube and score; not part of the stable library."""
        return self._checkers

    @property
    def state(self) -> MatchState:
        """Turn, cube, score and dice for `controller.rules`; not part of the stable library."""
        return self._state

    @property
    def points(self) -> tuple[int, ...]:
        """24 counts from light's 1-point to its 24-point, light positive, dark negative."""
        return self._checkers.points

    def count(self, side: SideLike, point: SupportsIndex) -> int:
        """How many checkers `side` has on `point`, 1..24 from light's side. Raises UserError for another number."""
        return self._checkers.checkers(side_of(side), whole_from(point, "The point", 1, 24))

    def bar(self, side: SideLike) -> int:
        """How many checkers `side` has on the bar."""
        return self._checkers.bar(side_of(side))

    def off(self, side: SideLike) -> int:
        """How many checkers `side` has borne off."""
        return self._checkers.off(side_of(side), self._profile.movement.checkers)

    def pips(self, side: SideLike) -> int:
        """The pip count of `side`."""
        return self._checkers.pips(side_of(side), self._profile.movement.direction)

    @property
    def winner(self) -> Side | None:
        """Who has borne off all checkers; `None` while the game goes on."""
        return next((side for side in Side if self.off(side) >= self._profile.movement.checkers), None)

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all its checkers."""
        return self.winner is not None

    # The same with something changed.

    def with_turn(self, turn: SideLike) -> Self:
        """The same with another side to roll."""
        return self._with(on_roll=side_of(turn), roll=None, offer=OfferCode.NONE)

    def with_roll(self, roll: RollLike | None) -> Self:
        """The same with these dice to be played; `None`: not rolled yet."""
        return self._with(roll=None if roll is None else roll_of(roll))

    def with_cube(self, value: SupportsIndex, owner: SideLike | None = None) -> Self:
        """The same with another cube. Raises UserError if the value is no power of two."""
        cube = whole(value, "The cube")
        if not 1 <= cube <= LARGEST_CUBE or cube & cube - 1:
            raise IdError(
                f"The cube shows {short_repr(cube)}, but must show a power of two, 1 to {LARGEST_CUBE}."
            )
        return self._with(cube=cube, owner=None if owner is None else side_of(owner))

    def with_score(
        self, light: SupportsIndex, dark: SupportsIndex, length: SupportsIndex, *, crawford: bool = False
    ) -> Self:
        """The same at another score; `length` 0 is a money session. Raises UserError for numbers below 0."""
        score = whole(light, "The score of light"), whole(dark, "The score of dark")
        points = whole(length, "The length")
        if min(*score, points) < 0:
            raise IdError(f"The score is {score[0]}-{score[1]} to {points}, but must not be below 0.")
        if max(*score, points) > MOST_POINTS:
            raise IdError(
                f"The score and the length of a match are numbers up to {MOST_POINTS}; give smaller ones."
            )
        state = replace(self._state, score=score, length=points, crawford=truth_of(crawford, "crawford"))
        if (points == 0) is not (self.length == 0):
            state = _by_rules(state, self._profile)
        return type(self)(self._checkers, state, self._profile)

    def with_variant(self, variant: VariantLike) -> Self:
        """The same checkers by other rules: for money with their Jacoby rule and beavers."""
        profile = profile_of(variant)
        return type(self)(self._checkers, _by_rules(self._state, profile), profile)

    def mirrored(self) -> Self:
        """The same position with the colours exchanged: what light saw, dark sees."""
        state = self._state
        swapped = replace(
            state,
            on_roll=state.on_roll.opponent,
            owner=state.owner and state.owner.opponent,
            score=state.score[::-1],
        )
        direction = self._profile.movement.direction
        return type(self)(self._checkers.mirrored(direction), swapped, self._profile)

    def handed_over(self, checkers: Checkers) -> Self:
        """After a turn that ended with these checkers; not part of the stable library."""
        state = replace(self._state, on_roll=self.turn.opponent, roll=None, offer=OfferCode.NONE)
        return type(self)(checkers, state, self._profile)

    # Plays.

    def legal_plays(self, roll: RollLike | None = None, profile: VariantLike | None = None) -> Results[Play]:
        """Every complete legal play of a roll, one for each position that it can lead to.

        A sequence, sorted by the compact result. If nothing can be played, its only play is `Cannot Move`. The
        notation of a play is found when it is asked for, so that the results alone cost little.

        Args:
            roll: the dice; may be left out where the position has them.
            profile: other rules than those of the position.

        Raises:
            UserError: there is no roll, or no such profile.
        """
        before = self if profile is None else self.with_variant(profile)
        rolled = self._rolled(roll)
        found, _ = results(before._checkers, before._state.on_roll, rolled, before._profile.movement)
        return Results(found, partial(Play, before, rolled))

    def results(self, roll: RollLike | None = None) -> set["Position"]:
        """The positions that a roll can lead to, the other side to roll."""
        return {play.after for play in self.legal_plays(roll)}

    def parse(self, text: str, roll: RollLike | None = None) -> Play:
        """The legal play that a text means, as people and programs write it: `13/8 6/5*`, `bar/20`, `6/off(2)`.

        Hit marks may be missing. Without a roll it is found out with which the play is legal.

        Raises:
            UserError: the text is no play, no legal one, or means different plays with different rolls.
        """
        moves = parse_play(text)
        if roll is not None or self.roll is not None:
            rolled = self._rolled(roll)
            play = resolve(self._checkers, self.turn, rolled, moves, self._profile.movement)
            return Play(self, rolled, play.after.code)
        fitting = self._fitting(moves)
        if not fitting:
            raise NotationError(
                f"{text!r} is no legal play of any roll for {self.turn} in {self.compact()}; "
                "judge(before, after, roll) says which rule it breaks."
            )
        if len(fitting) > 1:
            rolls = " or ".join(str(each[0]) for each in fitting.values())
            raise NotationError(f"{text!r} leads to different positions with {rolls}; give the roll.")
        ((code, rolls_of_it),) = fitting.items()
        return Play(self, rolls_of_it[0] if len(rolls_of_it) == 1 else None, code)

    def _fitting(self, moves: Moves) -> dict[int, list[Roll]]:
        """The rolls of which these moves are a legal play, by where they lead."""
        found: dict[int, list[Roll]] = {}
        for roll in ROLLS:
            try:
                play = resolve(self._checkers, self.turn, roll, moves, self._profile.movement)
            except NotationError:
                continue
            found.setdefault(play.after.code, []).append(roll)
        return found

    def is_legal(self, text: str, roll: RollLike | None = None) -> bool:
        """Whether a text means a legal play of the roll. Raises UserError if it is no play at all."""
        parse_play(text)
        rolled = None if roll is None else roll_of(roll)
        try:
            self.parse(text, rolled)
        except NotationError:
            return False
        return True

    def play(self, play: Play | str, roll: RollLike | None = None) -> "Position":
        """The position after a play, the other side to roll.

        Args:
            play: a `Play`, or a text for `parse`.
            roll: the dice; without them, those of the `Play`, or see `parse`.

        Raises:
            UserError: it is no legal play here.
        """
        return self.made(play, roll).after

    def made(self, play: Play | str, roll: RollLike | None = None) -> Play:
        """The play that is meant by a text, or by a play that was found here; not part of the stable library."""
        if isinstance(play, Play):
            if play.before != self:
                raise NotationError(f"{play} was found in another position; look for it in this one.")
            return play if roll is None else self._rolled_for(play, roll_of(roll))
        if not isinstance(play, str):
            raise NotationError(
                f"The play is {short_repr(play)}, but must be a text such as {EXAMPLE}, or one of legal_plays()."
            )
        return self.parse(play, roll)

    def _rolled_for(self, play: Play, roll: Roll) -> Play:
        """A play that was found here, made with this roll. Raises NotationError if it is none of this roll."""
        if play.roll == roll:
            return play
        after = play.after.checkers
        if play.roll is None and is_result(self._checkers, self.turn, roll, after, self._profile.movement):
            return Play(self, roll, after.code)
        found = f", but of {play.roll}" if play.roll else ""
        raise NotationError(f"{play} is not a play of {roll}{found}; give the roll that was thrown.")

    # For other programs, and to look at.

    def compact(self) -> str:
        """The 26 characters of `from_compact`."""
        return self._checkers.compact()

    def xgid(self) -> str:
        """The XGID, for eXtreme Gammon and GNU Backgammon; light is its player X.

        Raises:
            UserError: the game is one that these programs do not know.
        """
        self._refuse_foreign("An XGID")
        return xgid(self._checkers, self._state)

    def gnu_id(self) -> str:
        """GNU Backgammon's position id and match id with a colon between them. Raises UserError as `xgid`."""
        self._refuse_foreign("A GNU id")
        state = gnuid.GnuState.from_match_state(self._state)
        return f"{gnuid.position_id(self._checkers, self.turn)}:{gnuid.match_id(state)}"

    def diagram(self, viewer: SideLike = Side.LIGHT) -> str:
        """The board in letters, as `viewer` sees it, points numbered along their way."""
        return "\n".join(board_lines(self._checkers, self._state, self._profile.movement, side_of(viewer)))

    def svg(self, viewer: SideLike = Side.LIGHT) -> str:
        """The board as an SVG drawing that needs nothing else, as `viewer` sees it."""
        if self._is_foreign:
            from controller.record.evidence.diagram import diagram_svg  # knows pins and hands, but no cube

            rules = self._profile.movement
            return diagram_svg(self._checkers, side_of(viewer), self.roll, rules=rules)
        from controller.analysis.drawing import board_svg

        return board_svg(self._checkers, side_of(viewer), self._state, f"Position {self.compact()}")

    def _repr_svg_(self) -> str:
        """How a notebook shows it."""
        return self.svg()

    def __str__(self) -> str:
        """The board in letters, as light sees it."""
        return self.diagram()

    def __repr__(self) -> str:
        """The call that makes its checkers again."""
        more = "" if self.turn is Side.LIGHT else f", turn={str(self.turn)!r}"
        cube = self._profile.cube
        usual = self._profile.movement == profile_of(STANDARD).movement and not (cube.jacoby or cube.beaver)
        more += "" if usual else f", variant={self.variant!r}"
        return f"Position.from_compact({self.compact()!r}{more})"

    def __eq__(self, other: object) -> bool:
        """Whether checkers, turn, dice, cube, score and movement are the same."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._checkers == other._checkers and self._state == other._state and self._same_rules(other)

    def __hash__(self) -> int:
        """By the checkers and whose turn it is."""
        return hash((self._checkers.code, self._state.on_roll))

    def _same_rules(self, other: "Position") -> bool:
        mine, theirs = self._profile, other._profile
        return mine is theirs or mine.movement == theirs.movement

    @property
    def _is_foreign(self) -> bool:
        return self._profile.movement.variant not in STANDARD_FAMILY

    def _refuse_foreign(self, what: str) -> None:
        if self._is_foreign:
            raise IdError(f"{what} has no place for positions of {self.variant}; use compact() instead.")

    def _rolled(self, roll: RollLike | None) -> Roll:
        if roll is not None:
            return roll_of(roll)
        if self._state.roll is None:
            raise RollError("The position has no roll; give one, such as (6, 4).")
        return self._state.roll

    def _with(self, **changes: Any) -> Self:
        return type(self)(self._checkers, replace(self._state, **changes), self._profile)


def _before_roll(turn: SideLike, profile: Profile) -> MatchState:
    """The state of a game for money that begins. Raises PositionError."""
    return _to_roll(side_of(turn), profile.cube.jacoby, profile.cube.beaver)


@lru_cache
def _to_roll(turn: Side, jacoby: bool, beavers: bool) -> MatchState:
    """One of the few states that games for money begin with; programs make positions by the million."""
    return MatchState(on_roll=turn, jacoby=jacoby, beavers=beavers)


def _by_rules(state: MatchState, profile: Profile) -> MatchState:
    """A state with the Jacoby rule and the beavers that rules have for money; a match has neither."""
    money = state.length == 0
    return replace(state, jacoby=money and profile.cube.jacoby, beavers=money and profile.cube.beaver)


def position_of(
    given: Position, what: str, must_be: str = "a Position, such as Position.start()"
) -> Position:
    """The position that is given; `what` it is and must be. Raises PositionError."""
    if isinstance(given, Position):
        return given
    raise PositionError(f"{what} is {short_repr(given)}, but must be {must_be}.")
