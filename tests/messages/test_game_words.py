"""Every broken rule, on the examples of the page of reasons, and results, in every language."""

import re

import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.messages.game_words import offence_words, reason_words, result_words
from controller.rules.game.cube import Cube
from controller.rules.game.scoring import Ending, Level, Loss, Result, game_value
from controller.rules.judging.judge import Trays, judge
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD, Profile
from controller.rules.reasons import Reason, ReasonCode
from tests.rows import each_row
from tests.rules.test_reasons_page import EXAMPLES, Example

LIGHT, DARK = Side.LIGHT, Side.DARK
TAKEN = Cube(4, LIGHT, doubled=True)


@each_row("language", LANGUAGES)
@each_row("example", EXAMPLES, ids=lambda example: example.code)
def test_each_sentence_tells_the_same_numbers_as_the_judges(example: Example, language: str) -> None:
    trays = example.trays
    for side, before, after, counted in (
        (example.side, example.before, example.after, trays),
        (
            example.side.opponent,
            example.before.mirrored(),
            example.after.mirrored(),
            Trays(light=trays.dark, dark=trays.light),
        ),
    ):
        for reason in judge(before, side, example.roll, after, example.rules, counted).reasons:
            words = reason_words(reason, language)
            told = set(re.findall(r"\d+", reason_words(reason))) - {"1"}
            assert told <= set(re.findall(r"\d+", words)), words
            assert "{" not in words


def test_every_code_has_a_sentence() -> None:
    others = {"dice_unmatched", "hand_first", "hit_found", "hit_off", "extra_checkers", "extra_numbers"}
    others |= {"opponent_off", "opponent_back"}
    assert catalogue("en").names("reason") == {*ReasonCode, *others}
    assert catalogue("en").names("place") == {"point", "owners", "bar", "off"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_checkers_borne_off_beside_the_roll_are_counted_in_the_notation(language: str) -> None:
    told = {"side": "dark", "source": 22, "target": "off", "dice": [6, 5], "count": 2}
    assert "3/off(2)" in reason_words(Reason(ReasonCode.EXTRA_CHECKER_OFF, told), language)


def test_a_hit_checker_in_the_tray_is_told_to_be_there() -> None:
    reason = Reason(ReasonCode.HIT_NOT_ON_BAR, {"side": "light", "point": 5, "found": "off"})
    assert reason_words(reason).endswith("must go to the bar; it is in the tray.")


@each_row(
    ("count", "language", "words"),
    [
        (1, "en", "A Dark checker is missing; it was on Dark's 13-point."),
        (2, "en", "2 Dark checkers are missing; they were on Dark's 13-point."),
        (1, "hu", "1 bábu hiányzik (sötét); utoljára itt volt: 13. mező (sötét felől)."),
        (2, "et", "2 kivi puudub (tume); viimati siin: 13. pesa (tume)."),
        (1, "sk", "Chýba kameň (tmavý); naposledy tu: klin 13 (tmavý)."),
        (4, "sk", "Chýbajú 4 kamene (tmavý); naposledy tu: klin 13 (tmavý)."),
        (5, "sk", "Chýba 5 kameňov (tmavý); naposledy tu: klin 13 (tmavý)."),
    ],
)
def test_checkers_are_counted_as_the_language_counts(count: int, language: str, words: str) -> None:
    reason = Reason(ReasonCode.CHECKER_MISSING, {"side": "dark", "point": 12, "count": count})
    assert reason_words(reason, language) == words


def moved(before: str, after: str, *dice: int) -> tuple[Reason, ...]:
    return judge(
        Position.from_compact(before), Side.LIGHT, Roll.from_dice(*dice), Position.seen_compact(after)
    ).reasons


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Five 6s were played; a double is four."),
        ("hu", "Ez a szám öt alkalommal lett lelépve: 6; duplánál négyszer szabad."),
        ("et", "Seda numbrit käidi viis korda: 6; duubli korral käiakse neli korda."),
        ("sk", "Toto číslo sa ťahalo päťkrát: 6; pri pasche sa ťahá štyrikrát."),
    ],
)
def test_a_number_of_doubles_played_too_often_is_told_once(language: str, words: str) -> None:
    reasons = moved("b....E.C...eE...c.e....B..", "b....EDC...eA...cAe....A..", 6, 6)
    assert [reason.code for reason in reasons] == [ReasonCode.EXTRA_CHECKER_MOVED] * 2
    assert offence_words(reasons, language) == [words]


def test_six_of_a_number_are_told_as_six() -> None:
    reasons = moved("b....E.C...eE...c.e....B..", "b....EDC...eA...cBe.......", 6, 6)
    assert offence_words(reasons) == ["Six 6s were played; a double is four."]


def test_checkers_of_which_one_was_moved_besides_the_roll_are_told_in_one_sentence() -> None:
    reasons = moved("b....E.C...eE...c.e....B..", "b...BD.B...eE...c.e.A..A..", 3, 1)
    assert offence_words(reasons) == ["More was played than the roll 3-1 allows: 24/21, 8/5."]


def test_a_play_too_far_is_not_told_as_numbers_played_too_often() -> None:
    (reason,) = moved("b....E.C...eE...c.e....B..", "b...CE.AB..eB...c.e....B..", 4, 4)
    assert offence_words([reason]) == ["8/5 was moved as well, but the roll 4-4 was already used up."]


@pytest.mark.parametrize(
    ("language", "off", "back"),
    [
        (
            "en",
            "One of the opponent's checkers was taken off the board; it was on the 6-point.",
            "One of the opponent's checkers was brought back to the board; it is on the 6-point.",
        ),
        (
            "hu",
            "Az ellenfél egy bábuja lekerült a tábláról; utoljára itt volt: 6. mező.",
            "Az ellenfél egy bábuja visszakerült a táblára; itt áll: 6. mező.",
        ),
        (
            "et",
            "Vastase kivi võeti laualt ära; viimati siin: 6. pesa.",
            "Vastase kivi pandi lauale tagasi; praegu siin: 6. pesa.",
        ),
        (
            "sk",
            "Súperov kameň niekto odobral z dosky; naposledy tu: klin 6.",
            "Súperov kameň niekto vrátil na dosku; teraz tu: klin 6.",
        ),
    ],
)
def test_that_the_opponents_checker_left_the_board_or_came_back_is_said(
    language: str, off: str, back: str
) -> None:
    for source, target, words in ((6, "off", off), ("off", 6, back)):
        reason = Reason(ReasonCode.OPPONENT_MOVED, {"side": "light", "source": source, "target": target})
        assert reason_words(reason, language) == words


def test_different_offences_keep_their_sentences_and_their_order() -> None:
    first = Reason(ReasonCode.BACKWARDS, {"side": "light", "source": 6, "target": 8})
    second = Reason(ReasonCode.OPPONENT_MOVED, {"side": "light", "source": 1, "target": "bar"})
    assert offence_words([second, first, second]) == [
        "One of the opponent's checkers was moved from the 1-point to the bar.",
        "A checker went backwards from the 6-point to the 8-point.",
    ]


@pytest.mark.parametrize(
    ("language", "same"),
    [
        ("en", "The same holds for 5/off."),
        ("hu", "Ugyanez érvényes erre is: 5/off."),
        ("et", "Sama kehtib ka siin: 5/off."),
        ("sk", "To isté platí pre: 5/off."),
    ],
)
def test_moves_that_broke_a_rule_in_the_same_way_have_one_sentence_about_it(language: str, same: str) -> None:
    reasons = moved("....EE......E.....o.......", "....DD......E.....o.......", 6, 5)
    first = reason_words(reasons[0], language)
    assert first.startswith("6/off")
    assert offence_words(reasons, language) == [first, same]


def test_moves_that_broke_a_rule_each_in_its_own_way_keep_their_sentences() -> None:
    blocked = [
        Reason(
            ReasonCode.BLOCKED_POINT,
            {"side": "light", "source": 13, "target": point, "die": 3, "point": point, "checkers": 2},
        )
        for point in (10, 9)
    ]
    assert len({*offence_words(blocked)}) == 2
    assert offence_words(blocked) == [reason_words(each) for each in blocked]


def test_a_reason_written_down_before_numbers_were_counted_still_has_its_sentence() -> None:
    told = {"side": "light", "source": 24, "target": 18, "distance": 6, "dice": [6, 6]}
    words = offence_words([Reason(ReasonCode.EXTRA_CHECKER_MOVED, told)])
    assert words == ["24/18 was moved as well, but the roll 6-6 was already used up."]


def played(level: Level, cube: Cube, profile: Profile = STANDARD, loss: Loss | None = None) -> Result:
    value = game_value(level, cube, profile)
    return Result(LIGHT, value.points, Ending.PLAYED, value, loss)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "gammon 2 × cube 4 = 8"),
        ("hu", "gammon 2 × duplázó kocka 4 = 8"),
        ("et", "gammon 2 × kuubik 4 = 8"),
        ("sk", "gammon 2 × zdvojovacia kocka 4 = 8"),
    ],
)
def test_the_working_of_a_result_is_told_in_each_language(language: str, words: str) -> None:
    assert result_words(played(Level.GAMMON, TAKEN), language) == words


@each_row(
    "result",
    [
        played(Level.GAMMON, TAKEN),
        played(Level.BACKGAMMON, Cube(64, LIGHT, doubled=True), load_profile("hunbg-club")),
        played(Level.GAMMON, Cube(), load_profile("standard-money")),
        Result(DARK, 2, Ending.DROPPED, cube=2),
        Result(DARK, 3, Ending.DROPPED, cube=2),
        Result(DARK, 5, Ending.RESIGNED),
        Result(DARK, 1, Ending.AWARDED),
    ],
)
@each_row("language", LANGUAGES)
def test_every_result_ends_in_words_with_its_points(result: Result, language: str) -> None:
    assert str(result.points) in result_words(result, language)


def test_a_gammon_that_the_jacoby_rule_takes_away_is_named() -> None:
    result = played(Level.GAMMON, Cube(), load_profile("standard-money"))
    assert result_words(result) == "single 1 × cube 1 = 1 (Jacoby: gammon not counted)"


def test_what_was_assumed_is_told() -> None:
    result = played(Level.BACKGAMMON, TAKEN, loss=Loss(Level.BACKGAMMON, assumed=True))
    assert result_words(result).endswith(
        "(a checker in the winner's home board was taken for one that had been hit)"
    )
    late = played(Level.BACKGAMMON, TAKEN, loss=Loss(Level.BACKGAMMON, after_bearoff=True))
    assert result_words(late).endswith("(not all home again after bearing off)")


@pytest.mark.parametrize(
    ("points", "words"),
    [(1, "prisúdené za 1 bod"), (3, "prisúdené za 3 body"), (5, "prisúdené za 5 bodov")],
)
def test_points_are_counted_as_the_language_counts(points: int, words: str) -> None:
    assert result_words(Result(DARK, points, Ending.AWARDED), "sk") == words
