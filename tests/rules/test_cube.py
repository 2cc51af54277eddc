"""Who may double when, and what the answers make of the cube."""

import pytest

from controller.messages.table_words import refusal_words
from controller.rules.game.cube import (
    Cube,
    Offer,
    OfferKind,
    accept,
    automatic_double,
    double,
    raise_offer,
    refusal_costs,
    shown_face,
)
from controller.rules.game.events import Refusal, RefusedError
from controller.rules.position import Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD, CubeRules
from tests.rules.changed_profile import changed

LIGHT, DARK = Side.LIGHT, Side.DARK
MONEY = load_profile("standard-money").cube
RACCOONS = changed({"cube.raccoon": True}, load_profile("standard-money")).cube


def test_a_centred_cube_may_be_turned_by_either_side() -> None:
    for side in Side:
        assert double(Cube(), side, STANDARD.cube) == Offer(OfferKind.DOUBLE, side, 1, 2, side.opponent)


def test_taking_gives_the_cube_to_the_taker() -> None:
    offer = double(Cube(), LIGHT, STANDARD.cube)
    assert accept(Cube(), offer, DARK) == Cube(2, DARK, doubled=True)


def test_only_the_owner_may_redouble() -> None:
    cube = Cube(2, DARK, doubled=True)
    assert double(cube, DARK, STANDARD.cube) == Offer(OfferKind.REDOUBLE, DARK, 2, 4, LIGHT)
    with pytest.raises(RefusedError) as caught:
        double(cube, LIGHT, STANDARD.cube)
    assert caught.value.code is Refusal.CUBE_NOT_OWNED
    assert caught.value.arguments == {"side": LIGHT, "owner": DARK}


def test_there_is_no_double_without_a_cube() -> None:
    with pytest.raises(RefusedError) as caught:
        double(Cube(), LIGHT, load_profile("terebess").cube)
    assert caught.value.code is Refusal.NO_CUBE
    assert refusal_words(caught.value) == "Light cannot double: this game is played without a cube."


def test_the_cube_stops_at_its_maximum() -> None:
    rules = load_profile("hunbg-club").cube
    assert double(Cube(32, LIGHT), LIGHT, rules).value == 64
    with pytest.raises(RefusedError) as caught:
        double(Cube(64, LIGHT), LIGHT, rules)
    assert caught.value.code is Refusal.CUBE_AT_MAXIMUM
    assert double(Cube(64, LIGHT), LIGHT, STANDARD.cube).value == 128


@pytest.mark.parametrize("profile", ["standard-match", "hubgf-match", "ee-collection-classique", "sk-box"])
def test_passing_costs_what_was_on_the_cube_before(profile: str) -> None:
    rules = load_profile(profile).cube
    first = double(Cube(), LIGHT, rules)
    assert refusal_costs(Cube(), first, DARK, rules, added=False) == 1
    cube = Cube(2, DARK, doubled=True)
    assert refusal_costs(cube, double(cube, DARK, rules), LIGHT, rules, added=False) == 2


def test_at_hunbg_a_refused_beaver_costs_the_two_of_the_clubs_example() -> None:
    rules = load_profile("hunbg-club").cube
    offer = double(Cube(), LIGHT, rules)
    beaver = raise_offer(offer, DARK, rules, OfferKind.BEAVER)
    assert beaver == Offer(OfferKind.BEAVER, DARK, 2, 4, DARK)
    assert refusal_costs(Cube(), beaver, LIGHT, rules, added=True) == 2
    assert refusal_costs(Cube(), offer, DARK, rules, added=True) == 1
    assert accept(Cube(), beaver, LIGHT) == Cube(4, DARK, doubled=True)


def test_a_club_that_adds_the_cube_may_price_a_drop_as_a_single_game() -> None:
    profile = changed({"cube.drop_pays": "single_game_before_offer"}, load_profile("hunbg-club"))
    cube = Cube(4, LIGHT, doubled=True)
    assert refusal_costs(cube, double(cube, LIGHT, profile.cube), DARK, profile.cube, added=True) == 5
    assert refusal_costs(Cube(), double(Cube(), LIGHT, profile.cube), DARK, profile.cube, added=True) == 1


def test_beavers_are_for_profiles_that_know_them() -> None:
    offer = double(Cube(), LIGHT, STANDARD.cube)
    with pytest.raises(RefusedError) as caught:
        raise_offer(offer, DARK, STANDARD.cube, OfferKind.BEAVER)
    assert caught.value.code is Refusal.BEAVER_NOT_PLAYED


def test_a_beaver_may_have_to_be_accepted() -> None:
    rules = changed({"cube.beaver_refusable": False}, load_profile("standard-money")).cube
    beaver = raise_offer(double(Cube(), LIGHT, rules), DARK, rules, OfferKind.BEAVER)
    with pytest.raises(RefusedError) as caught:
        refusal_costs(Cube(), beaver, LIGHT, rules, added=False)
    assert caught.value.code is Refusal.BEAVER_MUST_BE_ACCEPTED
    assert refusal_costs(Cube(), beaver, LIGHT, MONEY, added=False) == 2


def test_a_raccoon_doubles_a_beaver_and_leaves_the_cube_where_it_is() -> None:
    beaver = raise_offer(double(Cube(), LIGHT, RACCOONS), DARK, RACCOONS, OfferKind.BEAVER)
    raccoon = raise_offer(beaver, LIGHT, RACCOONS, OfferKind.RACCOON)
    assert raccoon == Offer(OfferKind.RACCOON, LIGHT, 4, 8, DARK)
    assert accept(Cube(), raccoon, DARK) == Cube(8, DARK, doubled=True)
    assert refusal_costs(Cube(), raccoon, DARK, RACCOONS, added=False) == 4


@pytest.mark.parametrize(
    ("rules", "kinds", "code"),
    [
        (MONEY, (OfferKind.BEAVER, OfferKind.RACCOON), Refusal.RACCOON_NOT_PLAYED),
        (RACCOONS, (OfferKind.RACCOON,), Refusal.RACCOON_NOT_PLAYED),
        (RACCOONS, (OfferKind.BEAVER, OfferKind.BEAVER), Refusal.BEAVER_NOT_PLAYED),
        (RACCOONS, (OfferKind.BEAVER, OfferKind.RACCOON, OfferKind.BEAVER), Refusal.BEAVER_NOT_PLAYED),
    ],
)
def test_a_beaver_answers_a_double_and_a_raccoon_a_beaver(
    rules: CubeRules, kinds: tuple[OfferKind, ...], code: Refusal
) -> None:
    offer = double(Cube(), LIGHT, rules)
    for kind in kinds[:-1]:
        offer = raise_offer(offer, offer.to, rules, kind)
    with pytest.raises(RefusedError) as caught:
        raise_offer(offer, offer.to, rules, kinds[-1])
    assert caught.value.code is code


def test_a_beaver_cannot_pass_the_maximum() -> None:
    rules = changed({"cube.max": 2, "cube.beaver": True}).cube
    with pytest.raises(RefusedError) as caught:
        raise_offer(double(Cube(), LIGHT, rules), DARK, rules, OfferKind.BEAVER)
    assert caught.value.code is Refusal.CUBE_AT_MAXIMUM
    enough = changed({"cube.max": 4, "cube.beaver": True}).cube
    assert raise_offer(double(Cube(), LIGHT, enough), DARK, enough, OfferKind.BEAVER).value == 4


def test_nobody_answers_his_own_offer() -> None:
    offer = double(Cube(), LIGHT, MONEY)
    for answer in (
        lambda: accept(Cube(), offer, LIGHT),
        lambda: raise_offer(offer, LIGHT, MONEY, OfferKind.BEAVER),
        lambda: refusal_costs(Cube(), offer, LIGHT, MONEY, added=False),
    ):
        with pytest.raises(RefusedError) as caught:
            answer()
        assert caught.value.code is Refusal.OWN_OFFER


def test_a_cube_that_nobody_has_turned_shows_sixty_four_and_any_other_its_value() -> None:
    rules = load_profile("sk-box").cube
    assert shown_face(Cube(), rules) == 64
    assert shown_face(Cube(2, automatic=1), rules) == 2
    assert shown_face(Cube(2, LIGHT, doubled=True), rules) == 2


def test_a_cube_without_a_start_face_shows_what_it_counts() -> None:
    assert shown_face(Cube(), changed({"cube.start_face": None}).cube) == 1


def test_automatic_doubles_leave_the_cube_in_the_middle_and_stop_at_the_limit() -> None:
    once = automatic_double(Cube(), STANDARD.cube, 1)
    assert once == Cube(2, None, doubled=False, automatic=1)
    assert automatic_double(once, STANDARD.cube, 1) == once
    assert automatic_double(once, STANDARD.cube, None) == Cube(4, automatic=2)
    assert automatic_double(once, changed({"cube.max": 2}).cube, None) == once
    assert automatic_double(once, changed({"cube.max": 4}).cube, None).value == 4
