"""Formats are files: those that come with the product can be read, and mistakes are told with their line."""

from dataclasses import fields, replace

import pytest

from controller.config.sections import ClockSection
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.tournament.catalogue import format_from, format_names, load_format, parse_format
from controller.tournament.fault import TournamentError
from controller.tournament.format import ClockRules, EventClock, format_values
from controller.tournament.sheets.wording import format_title
from tests.rows import each_row


@each_row("name", format_names())
def test_a_format_is_the_same_after_it_was_written_and_read(name: str) -> None:
    made = load_format(name)
    assert format_from(format_values(made), made.name, made.title, "file") == made


@each_row("name", format_names())
def test_a_format_that_comes_with_the_product_has_a_title_in_every_language(name: str) -> None:
    made = load_format(name)
    assert format_title(made, catalogue("en")) == made.title
    titles = {format_title(made, catalogue(language)) for language in LANGUAGES}
    assert len(titles) == len(LANGUAGES)


def test_a_format_of_ones_own_is_called_as_it_calls_itself() -> None:
    own = replace(load_format("swiss"), title="Thursday's Swiss")
    assert format_title(own, catalogue("hu")) == "Thursday's Swiss"


def test_the_clock_has_the_keys_and_words_of_a_tables_configuration() -> None:
    table = {each.name: each.default for each in fields(ClockSection)}
    for each in fields(ClockRules):
        usual = each.default[0] if isinstance(each.default, tuple) else each.default  # round by round
        assert str(table[each.name]) == str(usual)
    assert {str(each) for each in EventClock} == {str(each) for each in type(table["kind"])}  # type: ignore[attr-defined]


def test_the_clock_may_change_from_round_to_round() -> None:
    clock = parse_format("[clock]\ndelay_s = [12, 15]\nreserve_per_point_s = 60", "x", "x").clock
    assert [clock.delay_for(turn) for turn in (1, 2, 3)] == [12.0, 15.0, 15.0]
    assert clock.reserve_for(7, 2) == 420.0
    assert parse_format("[clock]\nreserve_s = 600", "x", "x").clock.reserve_for(7, 2) == 600.0


@each_row(
    ("text", "complaint"),
    [
        ("[stage]\nkind = 'rounds'", "line 2: rounds would never end"),
        ("[stage]\nkind = 'brackets'\nlives = 3", "line 3: lives need"),
        ("[stage]\nkind = 'rounds'\nlives = 2\nlives_to_win = 3", "line 4: lives_to_win cannot"),
        ("[last_chance]\nrounds = 1", "line 2: a last chance needs a consolation"),
        ("[stage]\nkind = 'rounds'\nrounds = 3\n[consolation]\nrounds = 1", "line 5: a consolation needs"),
        ("[stage]\nkind = 'swiss'", 'kind cannot be "swiss"; it is'),
        ("[stage]\nround = 3", 'unknown key "round" \\(perhaps rounds is meant\\)'),
        ("[match]\nlength = [0]", "line 2: length cannot be"),
        ("[kind]", 'unknown heading "kind"'),
        ("=", "is not a TOML file"),
    ],
)
def test_a_mistake_in_a_format_is_told_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(TournamentError, match=complaint):
        parse_format(text, "mine", "mine.toml")


def test_an_unknown_format_is_answered_with_those_that_exist() -> None:
    with pytest.raises(TournamentError, match=r"perhaps swiss is meant.*round-robin"):
        load_format("swis")
