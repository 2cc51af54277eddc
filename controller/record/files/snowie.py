"""Positions in the 40 fields of Snowie's text, as gnubg 1.07.001 writes and reads them (tried with it).

Everything is seen from the side of the player on roll. Field 4 is 1 for the left player and 0 for the right. Names
and scores are the player's first. Then come the cube with its owner (1 the player, -1 the opponent, 0 centred), the
opponent's bar (field 12, negative), the 24 points with the opponent's checkers negative, the player's own bar (37)
and the dice. Fields 1 and 3 are the Jacoby rule and beavers in a money session, 7 is the Crawford game.
"""

from collections.abc import Iterator, Mapping

from controller.record.files.match_text import mat_names
from controller.record.match.match import MatchRecord, Turn
from controller.record.match.playthrough import moments
from controller.rules import Match, Position, Side
from controller.rules.game.match import Crawford

NO_DICE = (0, 0)


def snowie_line(
    match: Match,
    position: Position,
    roller: Side,
    names: Mapping[Side, str],
    dice: tuple[int, int] = NO_DICE,
) -> str:
    """One position; ``match`` gives score and cube, ``names`` must be those of the columns of a `.mat` file."""
    rules = match.game.profile
    points = position.points
    own = points if roller is Side.LIGHT else tuple(-count for count in reversed(points))
    length, money = match.terms.length or 0, match.terms.length is None
    cube = match.game.cube
    owner = 0 if cube.owner is None else 1 if cube.owner is roller else -1
    score = match.score
    fields = [
        *(length, int(money and rules.cube.jacoby), 0, int(money and rules.cube.beaver)),
        *(int(roller is Side.LIGHT), names[roller], names[roller.opponent]),
        *(int(match.crawford is Crawford.NOW), score.points(roller), score.points(roller.opponent)),
        *(cube.value, owner, -position.bar(roller.opponent), *own, position.bar(roller)),
        *dice,
    ]
    return "".join(f"{value};" for value in fields)


def snowie_text(match: MatchRecord) -> str:
    """A line for the position before each turn that counts, with its dice.

    Positions with more than fifteen checkers of a side are left out: gnubg crashes on them.
    """
    return "".join(line + "\n" for line in _lines(match))


def _lines(match: MatchRecord) -> Iterator[str]:
    names = dict(zip(Side, mat_names(match.light, match.dark), strict=True))
    for moment in moments(match):
        turn = moment.entry
        if isinstance(turn, Turn) and min(turn.before.off(side) for side in Side) >= 0:
            yield snowie_line(moment.match, turn.before, turn.player, names, turn.roll.dice)
