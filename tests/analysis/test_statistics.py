"""Figures over many matches."""

import random
from dataclasses import replace

import pytest

from controller.analysis.overview import gather_statistics, statistics_html, statistics_text
from controller.analysis.statistics import dice_sets, players_of, rolls_of
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.record.match.match import Facts, GameRecord, MatchRecord, RecordedResult, Turn
from controller.rules.position import START, Roll, Side
from tests.record.matches import random_match, terms_of


def turn(ply: int, side: Side, roll: Roll, t: float | None = None, *, legal: bool = True) -> Turn:
    return Turn(ply, side, roll, (), "", legal, (), not legal, START, START, None, t)


def rolled(rolls: list[Roll]) -> list[Turn]:
    return [turn(ply, Side.LIGHT, roll) for ply, roll in enumerate(rolls)]


def evening(rolls: list[Roll], table: str = "") -> MatchRecord:
    """A match whose first roll does not count, as it is an opening roll."""
    turns = (
        turn(0, Side.LIGHT, Roll.from_dice(2, 1)),
        *(replace(each, ply=n) for n, each in enumerate(rolled(rolls), 1)),
    )
    return MatchRecord("Anna", "Béla", terms_of(3), (GameRecord(turns),), Facts(table=table))


def thrown(rng: random.Random, count: int, faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> list[Roll]:
    return [Roll.from_dice(rng.choice(faces), rng.choice(faces)) for _ in range(count)]


def test_all_rolls_those_of_a_table_and_those_of_a_player_are_sets_of_their_own() -> None:
    rng = random.Random(5)
    matches = [evening(thrown(rng, 200), "Table 1"), evening(thrown(rng, 100), "Table 2")]
    sets = dice_sets(matches)
    assert [(each.kind, each.name, each.audit.rolls) for each in sets] == [
        ("all", "", 300),
        ("table", "Table 1", 200),
        ("table", "Table 2", 100),
        ("player", "Anna", 300),
    ]
    assert [each.p is None for each in sets] == [False, False, True, False]


def test_it_is_the_test_of_the_audit_made_stricter_by_how_many_sets_are_compared() -> None:
    rng = random.Random(6)
    matches = [evening(thrown(rng, 200), f"Table {number}") for number in range(4)]
    sets = dice_sets(matches)
    for each in sets:
        assert each.p is not None
        assert each.audit.p is not None
        assert each.audit.p <= each.p <= len(sets) * each.audit.p


def test_a_loaded_table_is_found_and_fair_ones_are_not_accused() -> None:
    rng = random.Random(7)
    loaded = evening(thrown(rng, 800, (1, 2, 3, 4, 5, 6, 6)), "Table 9")
    fair = [replace(evening(thrown(rng, 300), f"Table {number}"), light="") for number in range(8)]
    accused = [each.name for each in dice_sets([*fair, loaded]) if each.kind == "table" and each.suspicious]
    assert accused == ["Table 9"]
    false = sum(dice_sets([replace(evening(thrown(rng, 200)), light="")])[0].suspicious for _ in range(200))
    assert false <= 9  # at most one in a hundred: 2 on average, more than 9 once in ten thousand times


def test_the_words_say_what_can_be_found_and_what_cannot() -> None:
    few = statistics_text(gather_statistics([evening(thrown(random.Random(8), 20))], {}))
    assert "Too few rolls to tell: it takes 180." in few
    assert "A test never shows that dice are fair." in few
    many = statistics_text(gather_statistics([evening(thrown(random.Random(8), 2000))], {}))
    assert "a face that comes 16 % too often is found in 8 of 10 cases" in many


def test_a_name_is_shown_with_the_quotes_that_it_has() -> None:
    match = replace(evening(thrown(random.Random(8), 20)), light='Jan "the Wall" O\'Dea')
    assert '\n  Jan "the Wall" O\'Dea\n' in statistics_text(gather_statistics([match], {}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_a_chart_for_each_set_and_nothing_from_outside(language: str) -> None:
    match = replace(evening(thrown(random.Random(9), 300), "<b>1</b>"), light="Zoë <script>")
    page = statistics_html(gather_statistics([match], {}), language)
    assert page.count('class="chart"') == 3
    assert "<script" not in page
    assert "<b>" not in page
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert f'<html lang="{language}">' in page


def test_the_share_of_games_won_is_wider_with_fewer_games() -> None:
    def share(games: int) -> float:
        won = (GameRecord((), result=RecordedResult(Side.LIGHT, 1)),) * (games // 2)
        lost = (GameRecord((), result=RecordedResult(Side.DARK, 1)),) * (games // 2)
        anna = next(
            each
            for each in players_of([MatchRecord("Anna", "Béla", terms_of(99), won + lost)])
            if each.name == "Anna"
        )
        assert anna.share is not None
        low, high = anna.share
        assert low < 0.5 < high
        return high - low

    assert share(10) > 2 * share(100)


def test_opening_rolls_are_left_out_because_they_are_never_doubles() -> None:
    match = random_match(3, games=2, length=9)
    assert len(list(rolls_of([match]))) == sum(len(list(game.played)) for game in match.games) - len(
        match.games
    )


def test_players_are_known_by_name_on_whichever_side_they_sat() -> None:
    won = GameRecord(
        (turn(0, Side.LIGHT, Roll.from_dice(3, 1), 10.0), turn(1, Side.DARK, Roll.from_dice(6, 5), 14.0))
    )
    first = MatchRecord("Anna", "Béla", terms_of(3), (replace(won, result=RecordedResult(Side.LIGHT, 4)),))
    slow = (
        turn(0, Side.LIGHT, Roll.from_dice(2, 1), 5.0),
        turn(1, Side.DARK, Roll.from_dice(2, 2), 25.0, legal=False),
        turn(2, Side.LIGHT, Roll.from_dice(2, 1), 26.0),
        turn(3, Side.DARK, Roll.from_dice(4, 2)),
    )
    second = MatchRecord(
        "Béla", "Anna", terms_of(5), (GameRecord(slow, result=RecordedResult(Side.DARK, 2)),)
    )
    anna, bela = players_of([first, second])
    assert (anna.name, anna.matches, anna.won, anna.games, anna.games_won, anna.points) == (
        "Anna",
        1,
        1,
        2,
        2,
        6,
    )
    assert (bela.name, bela.matches, bela.won, bela.games, bela.games_won, bela.points) == (
        "Béla",
        1,
        0,
        2,
        0,
        0,
    )
    assert (anna.illegal, anna.turns, bela.illegal) == (1, 3, 0)
    assert (anna.mean_s, bela.median_s) == (20.0, 2.5)


def test_nameless_players_and_broken_off_games_have_no_results() -> None:
    match = MatchRecord("", "Zoë", terms_of(3), (GameRecord((turn(0, Side.DARK, Roll.from_dice(2, 1)),)),))
    (zoe,) = players_of([match])
    assert (zoe.matches, zoe.games, zoe.points, zoe.mean_s) == (0, 0, 0, None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_play_that_nobody_confirmed_is_counted_as_such_and_not_as_illegal(language: str) -> None:
    match = evening(rolled_all := [Roll.from_dice(3, 1), Roll.from_dice(6, 4)])
    (game,) = match.games
    turns = (*game.turns[:-1], replace(game.turns[-1], legal=None))
    found = replace(match, games=(replace(game, entries=turns),))
    (anna,) = (player for player in players_of([found]) if player.name == "Anna")
    assert (anna.illegal, anna.unconfirmed, anna.turns) == (0, 1, len(rolled_all) + 1)
    text = statistics_text(gather_statistics([found], {}), language)
    assert catalogue(language).text("statistics", "unconfirmed") in text
