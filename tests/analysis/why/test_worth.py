"""What a play has over another, and whether that speaks for it."""

from controller.analysis.why.facts import facts_of
from controller.analysis.why.worth import FactKind, Gain, GameStage, gains, stage_of, supported
from controller.record.match.corrections import after_play
from controller.rules import START, Position, Side
from tests.rows import each_row

POINT, BLOT, RUN = (after_play(START, Side.LIGHT, text) for text in ("8/5 6/5", "13/9", "24/20"))
RACE = Position.from_compact("ABB.........b.a...........")
FIVE = Gain(FactKind.POINT, 0.17, 5)


def kinds(best: Position, other: Position, stage: GameStage = GameStage.AHEAD) -> list[tuple[FactKind, int]]:
    found = gains(facts_of(best, Side.LIGHT), facts_of(other, Side.LIGHT), stage)
    return [(gain.kind, gain.point) for gain in found]


@each_row(
    ("position", "side", "stage"),
    [
        (START, Side.LIGHT, GameStage.AHEAD),
        (after_play(START, Side.DARK, "24/18 13/11"), Side.LIGHT, GameStage.BEHIND),
        (RACE, Side.LIGHT, GameStage.RACE),
        (RACE.mirrored(), Side.DARK, GameStage.RACE),
    ],
)
def test_a_position_is_a_race_or_one_is_ahead_or_behind(
    position: Position, side: Side, stage: GameStage
) -> None:
    assert stage_of(position, side) is stage


def test_the_weightiest_difference_comes_first() -> None:
    assert kinds(POINT, BLOT)[:2] == [(FactKind.POINT, 5), (FactKind.SHOTS, 0)]
    found = gains(facts_of(POINT, Side.LIGHT), facts_of(BLOT, Side.LIGHT), GameStage.BEHIND)
    assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)


def test_points_that_are_worth_nothing_are_not_named() -> None:
    """The 24-point is held by whoever has not got away."""
    assert (FactKind.POINT, 24) not in kinds(POINT, RUN)


def test_in_a_race_only_checkers_borne_off_count() -> None:
    off = Position.from_compact("ABA.........b.a...........")
    assert kinds(off, RACE, GameStage.RACE) == [(FactKind.BEARS_OFF, 0)]
    assert kinds(POINT, BLOT, GameStage.RACE) == []


def test_what_the_engine_holds_against_a_play_is_not_named_for_it() -> None:
    liked = [(POINT, 0.0), (BLOT, 0.2), (RUN, 0.25), (START, 0.3)]
    disliked = [(BLOT, 0.0), (RUN, 0.1), (START, 0.2), (POINT, 0.5)]
    assert supported([FIVE], liked, Side.LIGHT) == [FIVE]
    assert supported([FIVE], disliked, Side.LIGHT) == []


def test_of_few_plays_nothing_is_asked_and_of_many_a_dozen() -> None:
    assert supported([FIVE], [(BLOT, 0.0), (POINT, 0.5)], Side.LIGHT) == [FIVE]
    many = [(POINT, 0.0), *((BLOT, 0.1 + number / 100) for number in range(100))]
    assert supported([FIVE], many, Side.LIGHT) == [FIVE]
