"""Every key of a profile does something: the same situation comes out differently under another value.

Each key has a probe that looks at one situation and two values with what the probe must see. A key that
nothing obeys makes its line fail, and a key without a line fails too.
"""

from collections.abc import Callable
from typing import Any

from controller.rules.game.cube import Cube, OfferKind, double, raise_offer, refusal_costs, shown_face
from controller.rules.game.events import (
    Doubled,
    GameAwarded,
    OpeningRoll,
    Played,
    RefusedError,
    ResignationRefused,
    Resigned,
    TakenBack,
)
from controller.rules.game.events import Rolled as RolledEvent
from controller.rules.game.game import Away, Game, advance_game, new_game
from controller.rules.game.hit_log import HitLog
from controller.rules.game.match import Crawford, Terms, TermsError, new_match
from controller.rules.game.match import advance as advance_match
from controller.rules.game.scoring import Level, Result, game_value, loss
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import EndOfTurn, Pairs, Party, Remedy, Reroll
from controller.rules.profile.keys import KEYS, Value
from controller.rules.profile.profile import STANDARD, Profile
from tests.rows import each_row
from tests.rules.changed_profile import changed

LIGHT, DARK = Side.LIGHT, Side.DARK
Probe = Callable[[Profile], Any]


def light(points: dict[int, int], dark: dict[int, int] | None = None, bar: int = 0) -> Position:
    """Points from light's side for both; the rest has been borne off."""
    board = [0] * 24
    for point, count in points.items():
        board[point - 1] += count
    for point, count in (dark or {}).items():
        board[point - 1] -= count
    return Position.from_counts(board, bar_light=bar)


def reaches(position: Position, high: int, low: int, after: Position) -> Callable[[Profile], bool]:
    """Whether a legal play leads to ``after``."""

    def probe(profile: Profile) -> bool:
        plays = legal_plays(position, LIGHT, Roll.from_dice(high, low), profile.movement)
        return after in {play.after for play in plays}

    return probe


def happens(probe: Callable[[Profile], object]) -> Callable[[Profile], bool]:
    """Whether something can be done at all."""

    def tried(profile: Profile) -> bool:
        try:
            probe(profile)
        except (RefusedError, TermsError):
            return False
        return True

    return tried


def tied(times: int) -> Callable[[Profile], int]:
    def probe(profile: Profile) -> int:
        game = new_game(profile)
        for _ in range(times):
            game = advance_game(game, OpeningRoll(4, 4))
        return game.cube.value

    return probe


def tied_automatically(profile: Profile) -> int:
    return tied(3)(changed({"opening.tie": "auto_double"}, profile))


def second_game(profile: Profile) -> Side | None:
    match = new_match(Terms.match(profile, 9))
    return advance_match(match, GameAwarded(LIGHT, 1)).game.turn


def crawford(profile: Profile) -> Crawford:
    return advance_match(new_match(Terms.match(profile, 3)), GameAwarded(LIGHT, 2)).crawford


def beaver(profile: Profile) -> object:
    return raise_offer(double(Cube(), LIGHT, profile.cube), DARK, profile.cube, OfferKind.BEAVER)


def raccoon(profile: Profile) -> object:
    rules = changed({"cube.beaver": True}, profile).cube
    offer = raise_offer(double(Cube(), LIGHT, rules), DARK, rules, OfferKind.BEAVER)
    return raise_offer(offer, LIGHT, rules, OfferKind.RACCOON)


def refused_beaver(profile: Profile) -> int:
    rules = changed({"cube.beaver": True}, profile).cube
    offer = raise_offer(double(Cube(), LIGHT, rules), DARK, rules, OfferKind.BEAVER)
    return refusal_costs(Cube(), offer, LIGHT, rules, added=False)


def drop(profile: Profile) -> int:
    cube = Cube(4, LIGHT, doubled=True)
    return refusal_costs(cube, double(cube, LIGHT, profile.cube), DARK, profile.cube, added=True)


def lost(position: Position, hit: bool = True) -> Callable[[Profile], int]:
    return lambda profile: loss(position, LIGHT, profile.score, hit).level.value


def worth(level: Level, cube: Cube) -> Callable[[Profile], int]:
    return lambda profile: game_value(level, cube, profile).points


def unturned(profile: Profile) -> int:
    return game_value(Level.GAMMON, Cube(), changed({"score.combine": "add"}, profile)).points


def jacoby_after_automatic_double(profile: Profile) -> int:
    return game_value(Level.GAMMON, Cube(2, automatic=1), changed({"cube.jacoby": True}, profile)).points


def sent_back(profile: Profile) -> int:
    rules = changed({"score.backgammon": "not_all_home"}, profile).score
    return loss(light({7: 1, 1: 13}), LIGHT, rules).level.value


def take_back_after_roll(profile: Profile) -> object:
    game = advance_game(new_game(profile), OpeningRoll(3, 1))
    game = advance_game(game, Played(LIGHT, START, None))
    return advance_game(advance_game(game, RolledEvent(DARK, Roll.from_dice(2, 1))), TakenBack(LIGHT))


def resign(amount: int) -> Callable[[Profile], object]:
    return lambda profile: advance_game(
        Game(profile, START, HitLog.at_start(START), turn=LIGHT), Resigned(DARK, amount)
    )


def refuse_resignation(profile: Profile) -> object:
    offered = advance_game(Game(profile, START, HitLog.at_start(START), turn=LIGHT), Resigned(DARK, 1))
    return advance_game(offered, ResignationRefused(LIGHT))


def dead_double(profile: Profile) -> object:
    return advance_game(
        Game(profile, START, HitLog.at_start(START), turn=LIGHT, away=Away(light=1, dark=5)), Doubled(LIGHT)
    )


def money(profile: Profile) -> object:
    return Terms.money(profile)


EITHER = light({24: 1}, {13: 2})
"""Of a 6-5 light can play 24/18 or 24/19, but then no further."""


def highest_stack(profile: Profile) -> int:
    plays = legal_plays(START, LIGHT, Roll.from_dice(2, 1), profile.movement)
    return max(play.after.checkers(LIGHT, point) for play in plays for point in range(1, 25))


def moves_of_a_double(profile: Profile) -> set[int]:
    return {len(play.play) for play in legal_plays(START, LIGHT, Roll.from_dice(3, 3), profile.movement)}


def hits(position: Position) -> Callable[[Profile], bool]:
    def probe(profile: Profile) -> bool:
        plays = legal_plays(position, LIGHT, Roll.from_dice(2, 1), profile.movement)
        return any(play.after.bar(DARK) for play in plays)

    return probe


def narde(profile: Profile) -> Profile:
    """A game in which both sides go the same way round, for the keys that only such games know."""
    return changed(
        {"start.position": "longgammon", "move.direction": "parallel", "move.landing_blocked_at": 1}, profile
    )


def from_the_start(high: int, low: int, counts: dict[int, int]) -> Callable[[Profile], bool]:
    """Whether light may leave these checkers on its points with its first roll of narde."""

    def probe(profile: Profile) -> bool:
        rules = narde(profile)
        plays = legal_plays(new_game(rules).position, LIGHT, Roll.from_dice(high, low), rules.movement)
        return any(
            all(play.after.checkers(LIGHT, point) == count for point, count in counts.items())
            for play in plays
        )

    return probe


def first_sixes(profile: Profile) -> bool:
    return from_the_start(6, 6, {24: 13, 18: 2})(changed({"move.head_limit": 1}, profile))


def sixth_point(profile: Profile) -> bool:
    """Whether light may close the sixth point in a row while nobody of dark's is ahead."""
    rules = narde(profile).movement
    before = light({24: 9, 17: 1, 16: 1, 15: 1, 14: 1, 13: 1, 19: 1}, {12: 15})
    plays = legal_plays(before, LIGHT, Roll.from_dice(6, 1), rules)
    return any(all(play.after.checkers(LIGHT, point) for point in range(13, 19)) for play in plays)


def hit_and_run(profile: Profile) -> bool:
    plays = legal_plays(light({6: 1, 24: 1}, {4: 1}), LIGHT, Roll.from_dice(3, 2), profile.movement)
    return light({24: 1, 1: 1}).points in {play.after.points for play in plays}


def off_while_pinned(profile: Profile) -> bool:
    rules = changed({"move.contact": "pin"}, profile).movement
    before = light({6: 1, 5: 1}, {2: 1}).with_hidden(pinned=[2])
    return any(
        play.after.off(LIGHT) > before.off(LIGHT)
        for play in legal_plays(before, LIGHT, Roll.from_dice(6, 5), rules)
    )


def pinned_mother(profile: Profile) -> Result | None:
    """The result when dark lands on light's last checker on its starting point, its own having left."""
    rules = changed({"move.contact": "pin"}, profile)
    before = light({24: 1}, {10: 1})
    game = Game(rules, before, HitLog(None, None), turn=DARK, dice=(6, 6))
    after = light({}, {24: 1}).with_hidden(pinned=[24])
    return advance_game(game, Played(DARK, after, None)).result


def next_dice(profile: Profile) -> tuple[int, ...]:
    game = Game(profile, START, HitLog(None, None), turn=LIGHT, dice=(1, 1), turns=6)
    return advance_game(game, Played(LIGHT, START, None)).dice


EFFECTS: list[tuple[str, Probe, Value, object, Value, object]] = [
    (
        "start.position",
        lambda profile: new_game(profile).position == START,
        "backgammon",
        True,
        "nackgammon",
        False,
    ),
    (
        "opening.roll_uses",
        lambda profile: advance_game(new_game(profile), OpeningRoll(5, 2)).dice,
        "both_dice",
        (5, 2),
        "own_die",
        (5,),
    ),
    ("opening.tie", tied(1), "reroll", 1, "auto_double", 2),
    ("opening.auto_double_limit", tied_automatically, None, 8, 2, 4),
    ("opening.next_game", second_game, "roll_off", None, "winner_starts", LIGHT),
    ("roll.after", next_dice, "none", (), "rising_doubles", (2, 2)),
    ("move.doubles", moves_of_a_double, "x4", {4}, "x4", {4}),
    ("move.max_dice", reaches(START, 6, 5, START), "strict", False, "advisory", True),
    (
        "move.larger_die",
        reaches(EITHER, 6, 5, light({19: 1}, {13: 2})),
        "required",
        False,
        "not_stated",
        True,
    ),
    ("move.max_stack", highest_stack, None, 6, 5, 5),
    ("move.landing_blocked_at", hits(light({24: 1}, {22: 1, 23: 1})), 2, True, 1, False),
    (
        "bar.enter_first",
        reaches(light({6: 1}, {24: 2, 23: 2}, bar=1), 2, 1, light({3: 1}, {24: 2, 23: 2}, bar=1)),
        True,
        False,
        False,
        True,
    ),
    (
        "bearoff.order",
        reaches(light({6: 1, 3: 1}), 3, 2, light({4: 1})),
        "normal",
        True,
        "rearmost_only",
        False,
    ),
    (
        "bearoff.oversize",
        reaches(light({3: 2}), 6, 5, light({3: 2})),
        "forced_if_no_other",
        False,
        "optional",
        True,
    ),
    (
        "bearoff.exact_optional",
        reaches(light({6: 2, 3: 2}), 3, 1, light({5: 1, 3: 3})),
        True,
        True,
        False,
        False,
    ),
    (
        "game",
        lambda profile: profile.movement.is_sister_of(STANDARD.movement),
        "backgammon",
        True,
        "fevga",
        False,
    ),
    (
        "start.checkers",
        lambda profile: (
            loss(light({24: 3}), LIGHT, profile.score, checkers=profile.movement.checkers).level.value
        ),
        15,
        1,
        3,
        3,
    ),
    (
        "move.direction",
        lambda profile: new_game(changed({"start.position": "longgammon"}, profile)).position.points[0],
        "opposed",
        -15,
        "parallel",
        0,
    ),
    ("move.contact", hits(light({24: 1}, {22: 1, 23: 1})), "hit", True, "pin", False),
    ("move.first_checker", from_the_start(6, 5, {18: 1, 19: 1}), "free", True, "passes_start", False),
    ("move.head_limit", from_the_start(6, 5, {18: 1, 19: 1}), None, True, 1, False),
    ("move.head_exception", first_sixes, "none", False, "sixes_fours", True),
    ("move.prime_limit", sixth_point, "none", True, "one_ahead", False),
    ("move.hit_and_run", hit_and_run, True, True, False, False),
    ("bearoff.while_pinned", off_while_pinned, True, True, False, False),
    ("score.gammon", lost(light({7: 1, 1: 14})), "none_off", 2, "all_home_none_off", 1),
    (
        "score.backgammon",
        lost(light({7: 1, 1: 14})),
        "none_off_and_on_bar_or_in_winner_home",
        2,
        "not_all_home",
        3,
    ),
    ("score.backgammon_requires_hit_checker", lost(light({24: 1, 1: 14}), hit=False), False, 3, True, 2),
    ("score.not_all_home_after_bearoff", sent_back, "triple", 3, "single", 1),
    ("score.combine", worth(Level.GAMMON, Cube(4, LIGHT, doubled=True)), "multiply", 8, "add", 6),
    ("score.mother", lambda profile: pinned_mother(profile) is None, False, True, True, False),
    ("cube.enabled", happens(lambda profile: double(Cube(), LIGHT, profile.cube)), True, True, False, False),
    (
        "cube.max",
        happens(lambda profile: double(Cube(64, LIGHT), LIGHT, profile.cube)),
        None,
        True,
        64,
        False,
    ),
    ("cube.start_face", lambda profile: shown_face(Cube(), profile.cube), 64, 64, None, 1),
    ("cube.unturned_adds", unturned, 0, 2, 1, 3),
    ("cube.drop_pays", drop, "value_before_offer", 4, "single_game_before_offer", 5),
    ("cube.beaver", happens(beaver), False, False, True, True),
    ("cube.beaver_refusable", happens(refused_beaver), True, True, False, False),
    ("cube.raccoon", happens(raccoon), False, False, True, True),
    ("cube.jacoby", worth(Level.GAMMON, Cube()), False, 2, True, 1),
    ("cube.jacoby_satisfied_by", jacoby_after_automatic_double, "voluntary_double", 2, "any_double", 4),
    ("cube.dead", happens(dead_double), "barred", False, "allowed", True),
    ("match.kind", happens(money), "match", False, "either", True),
    ("match.crawford", crawford, True, Crawford.NOW, False, Crawford.NONE),
    ("resign.form", happens(resign(5)), "levels_1_2_3", False, "free_points", True),
    ("resign.must_accept", happens(refuse_resignation), False, True, True, False),
    ("dice.pairs", lambda profile: profile.conduct.pairs is Pairs.OWN, "own", True, "shared", False),
    ("dice.reroll", lambda profile: profile.conduct.reroll is Reroll.ASK, "ask", True, "free", False),
    (
        "end_of_turn",
        lambda profile: profile.conduct.turn_ends_by(clock_in_use=True),
        "clock",
        EndOfTurn.CLOCK,
        "dice_lifted",
        EndOfTurn.DICE_LIFTED,
    ),
    (
        "illegal.policy",
        lambda profile: Remedy.LET_STAND in profile.conduct.remedies(),
        "legal_moves",
        False,
        "condone_option",
        True,
    ),
    (
        "illegal.final_at",
        happens(take_back_after_roll),
        "opponent_roll_or_double",
        False,
        "opponent_play_complete",
        True,
    ),
    ("assist.leds", lambda profile: profile.conduct.shows_landing_points(), "off", False, "teach", True),
    ("assist.speech", lambda profile: profile.conduct.may_speak(), "all", "all", "off", "off"),
    (
        "device.role",
        lambda profile: Party.MOVER in profile.conduct.may_tell(consent=False),
        "monitor",
        True,
        "silent_recorder",
        False,
    ),
    (
        "device.consent",
        lambda profile: Party.MOVER in profile.conduct.may_tell(consent=False),
        "by_policy",
        True,
        "asked",
        False,
    ),
]


def test_every_key_has_a_probe() -> None:
    assert [effect[0] for effect in EFFECTS] == list(KEYS)


@each_row(("key", "probe", "one", "seen", "other", "then_seen"), EFFECTS, ids=list(KEYS))
def test_a_key_is_obeyed(
    key: str, probe: Probe, one: Value, seen: object, other: Value, then_seen: object
) -> None:
    assert probe(changed({key: one})) == seen
    assert probe(changed({key: other})) == then_seen
    assert (seen == then_seen) == (one == other)


def test_only_the_playing_of_doubles_knows_a_single_value() -> None:
    assert [key for key, _, one, _, other, _ in EFFECTS if one == other] == ["move.doubles"]
