"""A match: an immutable value that events advance; it can be built again from the list of its events."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce

from controller.errors import UserError
from controller.rules.game.events import MatchForfeited, Refusal, RefusedError, RulesEvent
from controller.rules.game.game import Away, Game, advance_game, new_game
from controller.rules.game.scoring import Result
from controller.rules.position import Side
from controller.rules.profile.profile import MatchKind, NextGame, Profile


class TermsError(UserError):
    """A match that cannot be played like that."""


class Form(StrEnum):
    """What the games are played for."""

    MATCH = "match"
    MONEY = "money"
    SERIES = "series"


class Crawford(StrEnum):
    """Where a match stands with the Crawford rule; ``NONE`` where it is not played."""

    NONE = "none"
    BEFORE = "before"
    NOW = "now"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed before the first roll. Make terms with `match`, `money` or `series`.

    ``length`` is the number of points that wins, None for a money session. ``profiles`` are the rules of
    the games in turn: one, or several for a series that goes from game to game.
    """

    form: Form
    length: int | None
    profiles: tuple[Profile, ...]

    @classmethod
    def match(cls, profile: Profile, length: int) -> "Terms":
        """A match to ``length`` points. Raises TermsError for a profile for money play, or no length."""
        if profile.match.kind is MatchKind.MONEY:
            raise TermsError(
                f"The profile {profile.name} is for money play; "
                'take one whose match.kind is "match" or "either".'
            )
        return cls(Form.MATCH, _length(length), (profile,))

    @classmethod
    def money(cls, profile: Profile) -> "Terms":
        """A money session: every game counts by itself. Raises TermsError for a profile for matches."""
        if profile.match.kind is MatchKind.MATCH:
            raise TermsError(
                f"The profile {profile.name} is for matches; give the match a length, "
                'or take a profile whose match.kind is "money" or "either".'
            )
        return cls(Form.MONEY, None, (profile,))

    @classmethod
    def series(cls, length: int, *profiles: Profile) -> "Terms":
        """Single games without the cube, as in tavli, to ``length`` points; ``profiles`` take turns."""
        if not profiles:
            raise TermsError("A series needs at least one profile; name the rules of its games.")
        without_cube = tuple(
            replace(profile, cube=replace(profile.cube, enabled=False)) for profile in profiles
        )
        return cls(Form.SERIES, _length(length), without_cube)


def _length(length: int) -> int:
    if length < 1:
        raise TermsError(f"A match cannot be {length} points long; give a length of at least 1.")
    return length


@dataclass(frozen=True, slots=True)
class Score:
    """Points won so far."""

    light: int = 0
    dark: int = 0

    def points(self, side: Side) -> int:
        """The points of ``side``."""
        return self.light if side is Side.LIGHT else self.dark

    def plus(self, side: Side, points: int) -> "Score":
        """The score after ``side`` has won ``points`` more."""
        return replace(self, **{side.value: self.points(side) + points})


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands. ``game`` is the one being played, or the last one once ``winner`` is known.

    A money session has no winner; it simply stops. ``results`` are those of the finished games in order.
    """

    terms: Terms
    game: Game
    score: Score = field(default_factory=Score)
    crawford: Crawford = Crawford.NONE
    results: tuple[Result, ...] = ()
    winner: Side | None = None

    @property
    def number(self) -> int:
        """The number of the game being played, counted from 1."""
        return len(self.results) + (self.winner is None)

    def away(self, side: Side) -> int | None:
        """The points ``side`` still needs; None in a money session."""
        return None if self.terms.length is None else self.terms.length - self.score.points(side)


def new_match(terms: Terms) -> Match:
    """The match before its first opening roll."""
    profile = terms.profiles[0]
    crawford = Crawford.BEFORE if terms.form is Form.MATCH and profile.match.crawford else Crawford.NONE
    return Match(terms, new_game(profile, away=_away(terms, Score())), crawford=crawford)


def advance(match: Match, event: RulesEvent) -> Match:
    """The match after ``event``; finishing a game adds its points and begins the next one.

    Raises RefusedError, with the match unchanged, for an event that the rules do not allow now.
    """
    if match.winner is not None:
        raise RefusedError(Refusal.MATCH_OVER, winner=match.winner)
    if isinstance(event, MatchForfeited):
        return replace(match, winner=event.loser.opponent)
    game = advance_game(match.game, event)
    if game.result is None:
        return replace(match, game=game)
    return _finish_game(match, game, game.result)


def replay(terms: Terms, events: Iterable[RulesEvent]) -> Match:
    """The match that ``events`` make, in their order; RefusedError if one of them was not possible."""
    return reduce(advance, events, new_match(terms))


def _finish_game(match: Match, game: Game, result: Result) -> Match:
    score = match.score.plus(result.winner, result.points)
    results = (*match.results, result)
    ended = replace(match, game=game, score=score, results=results)
    length = match.terms.length
    if length is not None and score.points(result.winner) >= length:
        return replace(ended, winner=result.winner)
    crawford = _next_crawford(match.crawford, score, length)
    profile = match.terms.profiles[len(results) % len(match.terms.profiles)]
    won = not result.is_drawn
    starter = result.winner if won and profile.opening.next_game is NextGame.WINNER_STARTS else None
    game = new_game(
        profile,
        starter=starter,
        cube_in_play=crawford is not Crawford.NOW,
        away=_away(match.terms, score),
    )
    return replace(ended, crawford=crawford, game=game)


def _next_crawford(crawford: Crawford, score: Score, length: int | None) -> Crawford:
    """The Crawford game is the one that follows when a side first needs a single point; there is only one."""
    if crawford is Crawford.NOW:
        return Crawford.AFTER
    if crawford is Crawford.BEFORE and length is not None and length - 1 in (score.light, score.dark):
        return Crawford.NOW
    return crawford


def _away(terms: Terms, score: Score) -> Away | None:
    if terms.length is None:
        return None
    return Away(terms.length - score.light, terms.length - score.dark)
