"""A profile in words: what sets it apart in front, each rule once, nothing that has no effect."""

from dataclasses import replace

import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.messages.profile_words import applies, describe, list_profiles, sentence, title
from controller.rules.profile.catalogue import load_profile, profile_names
from controller.rules.profile.keys import KEYS, differences, unknown_to_engines, value_of
from controller.rules.profile.profile import STANDARD


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", profile_names())
def test_every_rule_in_effect_is_told_once_and_what_sets_apart_comes_first(name: str, language: str) -> None:
    profile = load_profile(name)
    text = describe(profile, language)
    places = {}
    for key in KEYS:
        told = sentence(key, value_of(profile, key), language)
        assert text.count(f"  - {told}") == (1 if applies(profile, key) else 0), key
        places[key] = text.find(f"  - {told}")
    apart = [places[key] for key in differences(profile) if applies(profile, key)]
    others = [place for key, place in places.items() if place >= 0 and key not in differences(profile)]
    assert max(apart, default=0) < min(others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_profile_begins_with_its_name_and_title(language: str) -> None:
    assert describe(load_profile("hunbg-club"), language).startswith(
        "hunbg-club: Bugacpusztaháza Backgammon Klub\n"
    )


def test_the_standard_is_said_to_be_standard() -> None:
    assert catalogue("en").text("heading", "same") in describe(load_profile("standard-match"))


@pytest.mark.parametrize("name", profile_names())
def test_notices_are_told(name: str) -> None:
    profile = load_profile(name)
    text = describe(profile, "hu")
    for code in profile.notices:
        assert catalogue("hu").text("notice", code) in text


def announced(name: str) -> bool:
    """Whether players are told that no engine knows these rules."""
    return catalogue("en").text("heading", "engines") in describe(load_profile(name))


@pytest.mark.parametrize("name", profile_names())
def test_rules_that_engines_do_not_know_are_announced(name: str) -> None:
    assert announced(name) == bool(unknown_to_engines(load_profile(name)))


def test_engines_know_backgammon_from_any_start_and_no_other_movement() -> None:
    assert not any(map(announced, ("standard-match", "hubgf-money", "terebess", "nackgammon", "hypergammon")))
    assert all(map(announced, ("hunbg-club", "terebess-cap5", "plakoto", "narde", "jacquet")))


def test_what_was_filled_in_stands_apart_from_what_the_text_says() -> None:
    text = describe(load_profile("sk-box"))
    stated, inferred = text.index("What the rules say besides"), text.index("What the rules do not say")
    assert stated < text.index("Any number of a player's own checkers") < inferred
    assert stated < text.index("the cube shows 64 and counts 1") < inferred
    assert inferred < text.index("If either number can be played")
    assert "A turn ends when the dice are lifted. (not in the text, filled in)" in text


def test_a_profile_that_no_file_was_read_for_is_told_as_filled_in() -> None:
    assert "What the rules say besides" not in describe(STANDARD)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_names_every_profile_with_its_title(language: str) -> None:
    heading, *lines = list_profiles(map(load_profile, profile_names()), language).splitlines()
    assert heading == catalogue(language).text("heading", "list") + ":"
    assert [line.split()[0] for line in lines] == list(profile_names())
    assert all(line.endswith(title(load_profile(line.split()[0]), language)) for line in lines)


def test_the_standard_profiles_are_called_in_the_language_and_books_as_they_call_themselves() -> None:
    standard, book = load_profile("standard-match"), load_profile("terebess")
    assert title(standard) == standard.title
    assert len({title(standard, language) for language in LANGUAGES}) == len(LANGUAGES)
    assert {title(book, language) for language in LANGUAGES} == {book.title}
    assert "Versenymeccs" in describe(standard, "hu").splitlines()[0]


def test_a_clubs_own_file_keeps_its_title_whatever_it_is_named() -> None:
    assert title(replace(load_profile("standard-match"), title="Our club"), "hu") == "Our club"
