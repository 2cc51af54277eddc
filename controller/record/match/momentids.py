"""The short id of any moment of a match, to look at it in another program."""

from controller.record.match.entries import Turn
from controller.record.match.playthrough import Moment
from controller.rules.forms.xgid import IdError, MatchState, OfferCode, xgid
from controller.rules.game.cube import OfferKind
from controller.rules.game.match import Crawford
from controller.rules.position import Side

_OFFERS = {
    OfferKind.DOUBLE: OfferCode.DOUBLE,
    OfferKind.REDOUBLE: OfferCode.DOUBLE,
    OfferKind.BEAVER: OfferCode.BEAVER,
    OfferKind.RACCOON: OfferCode.RACCOON,
}
LARGEST_CUBE = 1024
"""What is written where the rules know no largest cube."""


def moment_state(moment: Moment) -> MatchState:
    """Everything but the checkers at a moment; before a turn with its dice."""
    match, game = moment.match, moment.match.game
    rules = game.profile
    turn = moment.entry if isinstance(moment.entry, Turn) else None
    money = match.terms.length is None
    return MatchState(
        on_roll=turn.player if turn else game.turn or Side.LIGHT,
        roll=turn.roll if turn else None,
        cube=game.cube.value,
        owner=game.cube.owner,
        offer=OfferCode.NONE if game.offer is None or turn else _OFFERS[game.offer.kind],
        length=match.terms.length or 0,
        score=(match.score.light, match.score.dark),
        crawford=match.crawford is Crawford.NOW,
        jacoby=money and rules.cube.jacoby,
        beavers=money and rules.cube.beaver,
        max_cube=rules.cube.max or LARGEST_CUBE,
    )


def moment_xgid(moment: Moment) -> str | None:
    """The XGID of a moment, before a turn with its dice; `None` where the board has too many checkers."""
    try:
        return xgid(moment.match.game.position, moment_state(moment))
    except IdError:
        return None
