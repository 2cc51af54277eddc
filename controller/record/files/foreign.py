"""Matches from files of other programs: by which rules they are read, and what their results come to."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from controller.errors import UserError
from controller.record.files.games import game_name, game_profile
from controller.record.files.limits import COMMON, NO_RESULT, remarks_by_game
from controller.record.files.match_text import MatchFileError
from controller.record.match.corrections import with_verdict
from controller.record.match.match import Entry, MatchRecord, RecordedResult, Turn
from controller.record.match.playthrough import RecordFault, moments
from controller.rules import (
    Form,
    Profile,
    Terms,
    format_play,
    judge,
    load_profile,
    profile_names,
)
from controller.rules.profile.profile import DeadCube, Layout, MatchKind, Tie

LONGEST: Final = 32_767
"""The longest match that gnubg knows; a longer one is no match."""
MOST_POINTS: Final = 1_000_000
"""The highest score or result that is taken for one."""
FEW_EXPLAINED: Final = 10
"""Illegal plays that are explained in any file."""
SIZE_EXPLAINED: Final = 300
"""Characters of a file for each further one: some seven turns of both players."""


GAMES: Final = {
    Layout.NACKGAMMON: "nackgammon",
    Layout.HYPERGAMMON: "hypergammon",
    Layout.LONGGAMMON: "longgammon",
}
"""The profiles of games that differ from backgammon in their start."""


def patience_for(size: int) -> int:
    """How many illegal plays are explained in a file of this size (characters or bytes)."""
    return FEW_EXPLAINED + size // SIZE_EXPLAINED


def common_profile(
    *,
    crawford: bool = True,
    jacoby: bool = False,
    beaver: bool = True,
    automatic: bool = False,
    layout: Layout = Layout.BACKGAMMON,
    cube_max: int | None = None,
) -> Profile:
    """The rules that programs go by: standard from one of the starts they know, and a dead cube may be turned.

    With ``automatic`` ties of the opening roll turn the cube.
    """
    standard = load_profile(GAMES.get(layout, "standard-match"))
    cube = replace(
        standard.cube,
        beaver=beaver,
        raccoon=beaver,
        jacoby=jacoby,
        max=cube_max,
        dead=DeadCube.ALLOWED,
    )
    return replace(
        standard,
        cube=cube,
        match=replace(standard.match, kind=MatchKind.EITHER, crawford=crawford),
        opening=replace(standard.opening, layout=layout, tie=Tie.AUTO_DOUBLE if automatic else Tie.REROLL),
        name=COMMON,
        title="Standard rules as programs know them",
        origins={},
    )


def check_length(length: int, where: str) -> int:
    """The points of a match. Raises MatchFileError, naming `where` it was read, if no match is that long."""
    if length > LONGEST:
        raise MatchFileError(f"{where}: a match to {length} points is longer than any; give its true length.")
    return length


def cube_limit(text: str) -> int | None:
    """The largest value of the cube as a file tells it; `None` if it tells none."""
    return int(text) if re.fullmatch(r"\d{1,7}", text) and int(text) > 1 else None


def terms_of(
    length: int, common: Profile, names: str, *, series: bool = False, games: Sequence[str] = ()
) -> Terms:
    """The terms of a file: of the profiles it names as far as they ship with the product, else the common rules.

    ``length`` is 0 for a money session, which is no series; ``names`` are as `rule_names` wrote them. A
    profile that is not known keeps its name, with the common rules, or with those of its game if ``games`` names one
    that no other program knows.

    Raises:
        MatchFileError: the games do not tell which of them an unknown profile of a series plays.
    """
    told = [name for name in names.split(", ") if name and name != COMMON]
    own = [game_profile(game) or common for game in games]
    unknown = [name for name in told if name not in profile_names()]
    if unknown and len(own) not in (0, 1, len(told)) and any(base is not common for base in own):
        raise MatchFileError(
            f"The file does not tell which of the games {', '.join(games)} has the rules {unknown[0]}; give the "
            "match as json, which holds all rules."
        )
    if len(own) != len(told):
        own = (own if len(own) == 1 else [common]) * len(told)
    profiles = [
        load_profile(name) if name in profile_names() else replace(base, name=name, title=name, origins={})
        for name, base in zip(told, own, strict=True)
    ] or [common]
    if series and length:
        return Terms.series(length, *profiles)
    form = Form.MATCH if length else Form.MONEY
    return Terms(form, length or None, tuple(profiles))


def settle_results(match: MatchRecord) -> MatchRecord:
    """The match with the endings and workings of its results, where the rules come to the same result.

    A result that is capped at what the winner needed keeps its points. One that is left out where the game is over
    is put in, unless a remark of ours says that the record has none.
    """
    games, finished, about = list(match.games), 0, remarks_by_game(match.remarks)
    for moment in moments(match):
        if moment.entry is not None:
            continue
        result = games[moment.game].result
        told_none = any(remark.endswith(NO_RESULT) for remark in about.get(moment.game, ()))
        due = not told_none if result is None else not moment.objections
        if len(moment.match.results) > finished and due:
            settled = RecordedResult.from_result(moment.match.results[-1])
            if result is not None and settled.points != result.points:
                settled = replace(result, ending=settled.ending)
            games[moment.game] = replace(games[moment.game], result=settled)
        finished = len(moment.match.results)
    return replace(match, games=tuple(games))


def odd_results(match: MatchRecord) -> int:
    """How many results the rules would have otherwise."""
    return sum(
        objection.fault is RecordFault.RESULT for moment in moments(match) for objection in moment.objections
    )


def rejudge(match: MatchRecord, profile: Profile) -> MatchRecord:
    """The same match with every turn judged by other rules.

    Raises:
        UserError: if they are rules of another game than a game of the match.
    """
    for number in range(len(match.games)):
        own = match.profile(number)
        if not profile.movement.is_sister_of(own.movement):
            played = game_name(own.movement.variant)
            raise UserError(
                f"Game {number + 1} of the match is {played}, and {profile.name} are rules of "
                f"{game_name(profile.movement.variant)}: they cannot judge it. Name rules of {played}, or none."
            )
    series = match.terms.form is Form.SERIES
    terms = Terms.series(match.length, profile) if series else replace(match.terms, profiles=(profile,))
    games = tuple(
        replace(game, entries=tuple(_judge_by(entry, profile) for entry in game.entries))
        for game in match.games
    )
    return replace(match, terms=terms, games=games)


def _judge_by(entry: Entry, profile: Profile) -> Entry:
    # Of what nobody confirmed no rules can say whether it was legal.
    if not isinstance(entry, Turn) or not entry.counts or entry.legal is None:
        return entry
    verdict = judge(entry.before, entry.player, entry.roll, entry.after, profile.movement)
    text = format_play(verdict.play) if verdict.play is not None and entry.play is None else entry.text
    return with_verdict(replace(entry, text=text), verdict)
