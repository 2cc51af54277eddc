"""The doubling cube: who may double when, and what take, pass, beaver and raccoon make of it.

Sources: doubling before the roll, ownership and the price of a refusal as in all rule texts with a cube;
beavers from the HUBGF page and the HUNBG club (who both let a beaver be refused).
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from controller.rules.game.events import Refusal, RefusedError
from controller.rules.position import Side
from controller.rules.profile.profile import CubeRules, DropPays


class OfferKind(StrEnum):
    """What was offered last."""

    DOUBLE = "double"
    REDOUBLE = "redouble"
    BEAVER = "beaver"
    RACCOON = "raccoon"


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube as it lies on the table.

    ``owner`` is None while it is centred. ``doubled`` tells whether a player's double was taken (an
    automatic double is none), ``automatic`` how many automatic doubles there were.
    """

    value: int = 1
    owner: Side | None = None
    doubled: bool = False
    automatic: int = 0

    @property
    def turned(self) -> bool:
        """Whether the cube has been turned at all, by a player or automatically."""
        return self.value > 1


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer that waits for its answer.

    ``by`` made the offer; ``value`` is what the cube will show if it is accepted, ``before`` what it
    showed before, and ``owner`` who will own it.
    """

    kind: OfferKind
    by: Side
    before: int
    value: int
    owner: Side

    @property
    def to(self) -> Side:
        """Who must answer."""
        return self.by.opponent


def shown_face(cube: Cube, rules: CubeRules) -> int:
    """The number that lies up on the cube.

    As long as nobody has turned it that is ``cube.start_face`` (64, as most cubes have no 1), though it counts 1.
    """
    unturned = cube.owner is None and cube.value == 1
    return rules.start_face if unturned and rules.start_face is not None else cube.value


def automatic_double(cube: Cube, rules: CubeRules, limit: int | None) -> Cube:
    """The cube after a tie in the opening roll, unchanged once ``limit`` or ``cube.max`` is reached."""
    at_limit = limit is not None and cube.automatic >= limit
    at_maximum = rules.max is not None and cube.value * 2 > rules.max
    if at_limit or at_maximum:
        return cube
    return replace(cube, value=cube.value * 2, automatic=cube.automatic + 1)


def double(cube: Cube, side: Side, rules: CubeRules) -> Offer:
    """The offer that ``side``, on turn and before its roll, makes.

    Raises RefusedError if there is no cube, the other side owns it, or it is at its maximum.
    """
    if not rules.enabled:
        raise RefusedError(Refusal.NO_CUBE, side=side)
    if cube.owner is side.opponent:
        raise RefusedError(Refusal.CUBE_NOT_OWNED, side=side, owner=side.opponent)
    _below_maximum(cube.value * 2, side, rules)
    kind = OfferKind.REDOUBLE if cube.owner is side else OfferKind.DOUBLE
    return Offer(kind, side, cube.value, cube.value * 2, side.opponent)


def accept(cube: Cube, offer: Offer, side: Side) -> Cube:
    """The cube after ``side`` has taken ``offer``. Raises RefusedError if the offer is its own."""
    _answerer(offer, side)
    return replace(cube, value=offer.value, owner=offer.owner, doubled=True)


def raise_offer(offer: Offer, side: Side, rules: CubeRules, kind: OfferKind) -> Offer:
    """The beaver (answering a double) or raccoon (answering a beaver) of ``side``; the owner stays the same.

    Raises RefusedError if the offer is the side's own, the rules do not know the answer, it does not fit
    the offer, or the cube would pass its maximum.
    """
    _answerer(offer, side)
    if kind is OfferKind.BEAVER:
        if not rules.beaver or offer.kind not in (OfferKind.DOUBLE, OfferKind.REDOUBLE):
            raise RefusedError(Refusal.BEAVER_NOT_PLAYED, side=side)
    elif not rules.raccoon or offer.kind is not OfferKind.BEAVER:
        raise RefusedError(Refusal.RACCOON_NOT_PLAYED, side=side)
    _below_maximum(offer.value * 2, side, rules)
    return Offer(kind, side, offer.value, offer.value * 2, offer.owner)


def refusal_costs(cube: Cube, offer: Offer, side: Side, rules: CubeRules, *, added: bool) -> int:
    """The points that ``side`` pays for passing ``offer``: the stake before it.

    With ``cube.drop_pays = "single_game_before_offer"`` and an added cube (``added``) the price is that
    of a single game, one point more than the cube once it is turned. Raises RefusedError if the offer is
    the side's own, or a beaver or raccoon that these rules do not let it pass.
    """
    _answerer(offer, side)
    if offer.kind in (OfferKind.BEAVER, OfferKind.RACCOON) and not rules.beaver_refusable:
        raise RefusedError(Refusal.BEAVER_MUST_BE_ACCEPTED, side=side, value=offer.value)
    if added and rules.drop_pays is DropPays.SINGLE_GAME_BEFORE_OFFER:
        turned = cube.turned or offer.kind in (OfferKind.BEAVER, OfferKind.RACCOON)
        return 1 + (offer.before if turned else rules.unturned_adds)
    return offer.before


def _answerer(offer: Offer, side: Side) -> None:
    if side is offer.by:
        raise RefusedError(Refusal.OWN_OFFER, side=side)


def _below_maximum(value: int, side: Side, rules: CubeRules) -> None:
    if rules.max is not None and value > rules.max:
        raise RefusedError(Refusal.CUBE_AT_MAXIMUM, side=side, value=value, maximum=rules.max)
