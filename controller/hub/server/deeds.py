"""What the director does with the tournament on a page: each deed with the keys that it needs."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evening.given_matches import AUTHOR
from controller.rules.profile.catalogue import profile_names
from controller.tournament.catalogue import format_names, load_format
from controller.tournament.entry_list import pasted_players
from controller.tournament.fault import RefusalError, RefusedThing, TournamentError
from controller.tournament.format import (
    LENGTH,
    SHARE,
    EventClock,
    StageKind,
    TournamentFormat,
    choose_lengths,
    choose_rounds,
)
from controller.tournament.match import Bracket, MatchEnding
from controller.tournament.prizes import PERCENT

LONGEST_LIST: Final = 15_000
"""Letters of a list of players that is pasted."""


class DeedSent(BaseModel):
    """Something that the director does with the tournament; which keys count depends on what it is."""

    model_config = ConfigDict(extra="forbid")

    what: str = Field(max_length=20)
    by: str = Field("", max_length=60, description="the director's name, for the record")
    name: str = Field(
        "",
        max_length=80,
        description="begin: the tournament's; withdraw, late: the player's; pair, play_off: one of the two",
    )
    other: str = Field("", max_length=80, description="pair, play_off: the other one")
    format: str = Field("", max_length=60)
    length: str = Field("", max_length=60, description="of every match, such as 7, or 5,7,9 round by round")
    consolation: str = Field("", max_length=60, description="begin: the length there, if not as length")
    last_chance: str = Field("", max_length=60, description="begin: likewise, if not as in the consolation")
    knockout: str = Field("", max_length=60, description="begin: likewise in the knockout that follows")
    rounds: int | None = Field(None, ge=1, le=99)
    clock: EventClock | None = None
    fee: float = Field(0, ge=0, le=1_000_000, description="begin: what each player adds to the pot")
    shares: str = Field("", max_length=200, description="begin: of the pot, such as 50,30,20")
    profile: str = Field("", max_length=60)
    seed: str = Field("", max_length=60)
    players: str = Field("", max_length=LONGEST_LIST, description="names, one a line, or a table as CSV")
    match: int = Field(0, ge=0, le=2**31)
    minutes: int = Field(0, ge=0, le=2**31, description="late: how many")
    table: str = Field("", max_length=40)
    score: tuple[int, int] | None = Field(None, description="of a walk-over: 1 for the seat that goes on")
    ending: MatchEnding = MatchEnding.PLAYED
    event: int = Field(0, ge=0, le=2**31)
    later: bool = False
    assign: bool = True
    journal: str = Field("", max_length=64)


def carry_out(evening: ClubEvening, sent: DeedSent) -> None:
    """Do it.

    Raises:
        UserError: if that cannot be; nothing is changed then.
    """
    if sent.what not in _DEEDS:
        raise TournamentError(f"There is no deed {sent.what!r}; there are {', '.join(_DEEDS)}.")
    _DEEDS[sent.what](evening, sent, sent.by.strip() or AUTHOR)


def _begin(evening: ClubEvening, sent: DeedSent, by: str) -> None:
    if sent.format not in format_names():
        raise TournamentError(
            f"There is no format {sent.format!r}; the formats are {', '.join(format_names())}."
        )
    evening.begin(sent.name, _changed(load_format(sent.format), sent), sent.seed or secrets.token_hex(4), by)


def _changed(made: TournamentFormat, sent: DeedSent) -> TournamentFormat:
    """The format with what the page says otherwise."""
    later = {
        Bracket.CONSOLATION: _lengths(sent.consolation),
        Bracket.LAST_CHANCE: _lengths(sent.last_chance),
        Bracket.KNOCKOUT: _lengths(sent.knockout),
    }
    made = choose_lengths(made, _lengths(sent.length), later)
    if sent.rounds is not None:
        made = choose_rounds(made, sent.rounds)
    if sent.profile:
        if sent.profile not in profile_names():
            raise TournamentError(
                f"There are no rules {sent.profile!r}; there are {', '.join(profile_names())}."
            )
        made = replace(made, rules=replace(made.rules, profile=sent.profile))
    if sent.fee:
        made = replace(made, prizes=replace(made.prizes, fee=round(sent.fee, 2)))
    if sent.shares.strip():
        made = replace(made, prizes=replace(made.prizes, shares=_shares(sent.shares)))
        if made.prizes.total > PERCENT:
            raise RefusalError("shares_total", total=f"{made.prizes.total:g}")
    return made if sent.clock is None else replace(made, clock=replace(made.clock, kind=sent.clock))


def _shares(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(str(SHARE.value(float(part)))) for part in text.split(","))
    except ValueError:
        raise RefusalError("no_shares", text=repr(text)) from None


def _lengths(text: str) -> tuple[int, ...]:
    """Match lengths as typed, round by round; none where nothing was typed."""
    if not text.strip():
        return ()
    try:
        return tuple(int(str(LENGTH.value(int(part)))) for part in text.split(","))
    except ValueError:
        raise RefusalError("no_length", text=repr(text)) from None


def _pair(evening: ClubEvening, sent: DeedSent, by: str) -> None:
    tournament = evening.tournament()
    if tournament is not None and tournament.format.stage.kind is not StageKind.FREE:
        raise RefusalError("pairs_drawn", name=tournament.name)
    evening.draw(by, assign=True, pair=(sent.name, sent.other))


def _play_off(evening: ClubEvening, sent: DeedSent, by: str) -> None:
    lengths = _lengths(sent.length) or (1,)
    if len(lengths) > 1:
        raise RefusalError("no_single_length", text=repr(sent.length))
    evening.play_off(sent.name, sent.other, lengths[0], by)


def _enter(evening: ClubEvening, sent: DeedSent, by: str) -> None:
    wishes = pasted_players(sent.players, RefusedThing("list"))
    if not wishes:
        raise RefusalError("nobody_named")
    evening.enter(wishes, by)


def _report(evening: ClubEvening, sent: DeedSent, by: str) -> None:
    if sent.ending is MatchEnding.PLAYED and sent.score is None:
        raise RefusalError("score_missing")
    evening.report(sent.match, sent.score, by, sent.ending)


_DEEDS: Final[Mapping[str, Callable[[ClubEvening, DeedSent, str], object]]] = {
    "begin": _begin,
    "put_away": lambda evening, _, __: evening.put_away(),
    "enter": _enter,
    "withdraw": lambda evening, sent, by: evening.withdraw(sent.name, by),
    "late": lambda evening, sent, by: evening.come_late(sent.name, sent.minutes, by),
    "pair": _pair,
    "play_off": _play_off,
    "draw": lambda evening, sent, by: evening.draw(by, assign=sent.assign),
    "result": _report,
    "confirm": lambda evening, sent, by: evening.confirm(sent.match, by),
    "undo": lambda evening, sent, by: evening.undo(sent.event, by, later=sent.later),
    "assign": lambda evening, sent, by: evening.assign(sent.match, sent.table, by),
    "assign_free": lambda evening, _, by: evening.assign_free(by),
    "send": lambda evening, sent, by: evening.send(sent.match, by),
    "forget": lambda evening, sent, _: evening.notices.forget(sent.journal),
}
"""Every deed."""
