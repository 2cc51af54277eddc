"""Profile files: what ships, what a club may write, and how mistakes are told."""

from pathlib import Path

import pytest

from controller.rules.profile.catalogue import (
    ProfileError,
    join_profile_texts,
    load_profile,
    parse_profile_text,
    profile_names,
)
from controller.rules.profile.keys import KEYS, differences, value_of
from controller.rules.profile.profile import STANDARD, Profile, RuleSource
from tests.rows import each_row

SHIPPED = {
    "standard-match",
    "standard-money",
    "teaching",
    "teaching-money",
    "hubgf-match",
    "hubgf-money",
    "ee-collection-classique",
    "hunbg-club",
    "terebess",
    "terebess-cap5",
    "sk-box",
    "portes",
    "tavla",
    "nackgammon",
    "hypergammon",
    "longgammon",
    "plakoto",
    "fevga",
    "moultezim",
    "narde",
    "gul-bara",
    "jacquet",
    "jacquet-hit",
    "acey-deucey",
}


PORTES = {
    "dice.pairs",
    *("game", "opening.roll_uses", "opening.next_game", "score.backgammon", "cube.enabled"),
    *("match.kind", "match.crawford", "end_of_turn"),
}
PARALLEL = PORTES | {"start.position", "move.direction", "move.landing_blocked_at"}


def write(folder: Path, text: str, name: str = "club.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def message(path: Path) -> str:
    with pytest.raises(ProfileError) as caught:
        load_profile(path)
    return str(caught.value)


def test_every_rule_text_ships_as_a_profile() -> None:
    assert set(profile_names()) == SHIPPED


def test_the_standard_profiles_are_listed_first() -> None:
    assert profile_names()[:2] == ("standard-match", "standard-money")


@each_row("name", sorted(SHIPPED))
def test_a_shipped_profile_sets_every_key_in_its_files(name: str) -> None:
    origins = load_profile(name).origins
    assert list(origins) == list(KEYS)
    assert {origin.profile for origin in origins.values()} <= SHIPPED


def test_the_standard_match_is_what_the_core_takes_by_default() -> None:
    assert load_profile("standard-match") == STANDARD == Profile()


@each_row(
    ("name", "different"),
    [
        ("hubgf-match", set()),
        ("teaching", {"assist.leds", "device.role"}),
        ("ee-collection-classique", {"dice.pairs", "match.kind", "end_of_turn"}),
        ("standard-money", {"cube.beaver", "cube.jacoby", "match.kind", "match.crawford", "end_of_turn"}),
        (
            "hubgf-money",
            {
                "opening.tie",
                "opening.auto_double_limit",
                "cube.beaver",
                "cube.jacoby",
                "match.kind",
                "match.crawford",
                "end_of_turn",
            },
        ),
        (
            "hunbg-club",
            {
                "score.backgammon_requires_hit_checker",
                "score.combine",
                "cube.max",
                "cube.beaver",
                "resign.form",
                "match.kind",
                "end_of_turn",
            },
        ),
        ("terebess", {"cube.enabled", "match.kind", "end_of_turn"}),
        ("terebess-cap5", {"cube.enabled", "match.kind", "end_of_turn", "move.max_stack"}),
        (
            "sk-box",
            {"bearoff.order", "score.gammon", "score.backgammon", "match.kind", "end_of_turn"},
        ),
        ("nackgammon", {"game", "start.position"}),
        ("longgammon", {"game", "start.position"}),
        ("hypergammon", {"game", "start.position", "start.checkers", "match.kind"}),
        ("portes", PORTES),
        ("tavla", PORTES | {"move.hit_and_run"}),
        ("plakoto", PORTES | {"start.position", "move.contact", "score.mother"}),
        ("fevga", PARALLEL | {"move.first_checker", "move.prime_limit"}),
        ("moultezim", PARALLEL | {"move.first_checker", "move.prime_limit"}),
        ("narde", PARALLEL | {"move.head_limit", "move.head_exception", "move.prime_limit"}),
        ("gul-bara", PARALLEL | {"roll.after"}),
        (
            "jacquet",
            (PARALLEL | {"move.first_checker", "move.prime_limit"})
            - {"opening.roll_uses", "opening.next_game"},
        ),
        (
            "jacquet-hit",
            (PARALLEL | {"move.prime_limit", "bearoff.oversize"}) - {"move.landing_blocked_at"},
        ),
        (
            "acey-deucey",
            (PORTES | {"start.position", "roll.after", "score.gammon"}) - {"opening.next_game"},
        ),
    ],
)
def test_a_rule_text_differs_from_the_standard_in_just_these_keys(name: str, different: set[str]) -> None:
    assert set(differences(load_profile(name))) == different


@each_row(
    ("name", "key", "source"),
    [
        ("plakoto", "bearoff.while_pinned", RuleSource.STATED),
        ("gul-bara", "move.head_limit", RuleSource.INFERRED),
        ("narde", "move.head_limit", RuleSource.STATED),
        ("hubgf-match", "move.larger_die", RuleSource.STATED),
        ("hunbg-club", "move.larger_die", RuleSource.INFERRED),
        ("terebess", "move.larger_die", RuleSource.INFERRED),
        ("sk-box", "move.larger_die", RuleSource.INFERRED),
        ("hubgf-match", "opening.roll_uses", RuleSource.INFERRED),
        ("ee-collection-classique", "opening.roll_uses", RuleSource.STATED),
        ("ee-collection-classique", "bearoff.exact_optional", RuleSource.STATED),
        ("ee-collection-classique", "cube.max", RuleSource.STATED),
        ("hubgf-money", "opening.tie", RuleSource.STATED),
        ("hubgf-money", "opening.auto_double_limit", RuleSource.INFERRED),
        ("hunbg-club", "score.combine", RuleSource.STATED),
        ("terebess", "cube.enabled", RuleSource.INFERRED),
        ("terebess-cap5", "move.max_stack", RuleSource.STATED),
        ("sk-box", "move.max_stack", RuleSource.STATED),
        ("sk-box", "cube.start_face", RuleSource.STATED),
        ("standard-match", "cube.start_face", RuleSource.INFERRED),
    ],
)
def test_what_the_text_says_and_what_was_filled_in_are_kept_apart(
    name: str, key: str, source: RuleSource
) -> None:
    assert load_profile(name).origins[key].source is source


def test_a_club_profile_inherits_and_changes_single_keys(tmp_path: Path) -> None:
    path = write(tmp_path, 'title = "Our club"\ninherits = "hunbg-club"\n[stated]\ncube.max = 16\n')
    profile = load_profile(path)
    assert (profile.name, profile.title) == ("club", "Our club")
    assert set(differences(profile, load_profile("hunbg-club"))) == {"cube.max"}
    assert profile.origins["cube.max"].profile == "club"
    assert profile.origins["score.combine"].profile == "hunbg-club"
    assert profile.notices == load_profile("hunbg-club").notices


def test_a_club_profile_may_inherit_from_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path, "[stated]\nmove.max_stack = 5\ncube.beaver = true\n", "house.toml")
    path = write(tmp_path, 'inherits = "house"\n[stated]\ncube.beaver = false\n')
    profile = load_profile(path)
    assert profile.movement.max_stack == 5
    assert profile.cube.beaver is False


def test_a_key_that_no_file_sets_is_standard_and_marked_as_inferred(tmp_path: Path) -> None:
    profile = load_profile(write(tmp_path, "[stated]\ncube.max = 8\n"))
    assert profile.origins["move.max_dice"].source is RuleSource.INFERRED
    assert profile.origins["move.max_dice"].profile == "standard"
    assert set(differences(profile)) == {"cube.max"}


@pytest.mark.parametrize(
    "text",
    [
        "[stated]\ncube.max = 8\n",
        '[stated]\n"cube.max" = 8\n',
        "[stated.cube]\nmax = 8\n",
        "[stated]\ncube . max=8\n",
    ],
)
def test_keys_may_be_written_as_toml_allows(tmp_path: Path, text: str) -> None:
    assert load_profile(write(tmp_path, text)).cube.max == 8


def test_none_lifts_a_limit(tmp_path: Path) -> None:
    path = write(tmp_path, 'inherits = "terebess-cap5"\n[stated]\nmove.max_stack = "none"\n')
    assert load_profile(path).movement.max_stack is None


@pytest.mark.parametrize(
    "text",
    [
        "# club\n[stated]\nmove.max_stack = 5\ncube.bever = true\n",
        "# club\n[stated]\n\ncube.'bever' = true\n",
        "# club\n\n[stated.cube]\nbever = true\n",
    ],
)
def test_an_unknown_key_is_told_with_file_line_and_the_keys_that_exist(tmp_path: Path, text: str) -> None:
    told = message(write(tmp_path, text))
    assert told.startswith(f'{tmp_path / "club.toml"}, line 4: unknown key "cube.bever"')
    assert "cube.beaver is meant" in told
    assert all(key in told for key in KEYS)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("move.max_stack = 0", 'move.max_stack cannot be 0; it is 1, 2, ..., 14 or "none".'),
        ("move.landing_blocked_at = 3", "move.landing_blocked_at cannot be 3; it is 1 or 2."),
        ("cube.max = 3", 'cube.max cannot be 3; it is 2, 4, ..., 4096 or "none".'),
        ("cube.beaver = 1", "cube.beaver cannot be 1; it is true or false."),
        ("move.max_stack = true", 'move.max_stack cannot be true; it is 1, 2, ..., 14 or "none".'),
        ('score.combine = "plus"', 'score.combine cannot be "plus"; it is "multiply" or "add".'),
        ('move.doubles = "x2"', 'move.doubles cannot be "x2"; it is "x4".'),
        ('cube.unturned_adds = "none"', 'cube.unturned_adds cannot be "none"; it is 0 or 1.'),
        (
            'illegal.policy = "none"',
            'cannot be "none"; it is "legal_moves", "responsible" or "condone_option".',
        ),
    ],
)
def test_an_impossible_value_is_told_with_file_line_and_the_values_that_exist(
    tmp_path: Path, line: str, told: str
) -> None:
    text = message(write(tmp_path, f"\n[stated]\n{line}\n"))
    assert text.startswith(f"{tmp_path / 'club.toml'}, line 3: ")
    assert text.endswith(told)


def test_short_lists_of_numbers_are_told_whole(tmp_path: Path) -> None:
    limit = message(write(tmp_path, "[stated]\nopening.auto_double_limit = -1\n"))
    assert limit.endswith('it is 0, 1, ..., 12 or "none".')


def test_a_number_for_a_word_is_told(tmp_path: Path) -> None:
    assert "cannot be 5; it is" in message(write(tmp_path, "[stated]\nscore.combine = 5\n"))


def test_a_bare_name_with_the_ending_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "[stated]\ncube.max = 8\n")
    monkeypatch.chdir(tmp_path)
    assert load_profile("club.toml").cube.max == 8
    assert "cannot be read" in message(tmp_path / "club")


@pytest.mark.parametrize("key", KEYS)
def test_no_key_takes_a_value_of_another_kind(tmp_path: Path, key: str) -> None:
    told = message(write(tmp_path, f"[stated]\n{key} = 1979-05-27\n"))
    assert f"line 2: {key} cannot be 1979-05-27" in told


def test_a_key_outside_the_tables_is_told(tmp_path: Path) -> None:
    told = message(write(tmp_path, 'title = "a"\ncube.max = 8\n'))
    assert 'line 2: unknown heading "cube"' in told
    assert "[stated] or [inferred]" in told


def test_a_key_that_is_both_stated_and_inferred_is_told(tmp_path: Path) -> None:
    told = message(write(tmp_path, "[stated]\ncube.max = 8\n[inferred]\ncube.max = 8\n"))
    assert "line 4: cube.max is both" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("stated = 1\n", "line 1: stated is a section; write [stated] on a line of its own"),
        ("\ntitle = 1\n", "line 2: title cannot be 1; it is a text in quotation marks"),
        (
            "notices = [3]\n",
            'line 1: notices cannot be [3]; it is a list [...] of 0 to 6 different values, each "additive_cube_',
        ),
        ("[stated]\na = " + "[" * 5000, "club.toml is not a TOML file: it is nested too deeply"),
        ("[stated]\n" + "a." * 5000 + "b = 1\n", 'line 2: unknown key "a.a'),
        ("title = 'a'\n[stated\n", "at line 2"),
    ],
)
def test_a_file_that_is_put_together_wrongly_is_told(tmp_path: Path, text: str, told: str) -> None:
    assert told in message(write(tmp_path, text))


def test_an_unknown_parent_is_told_with_the_profiles_that_exist(tmp_path: Path) -> None:
    told = message(write(tmp_path, '\ninherits = "hunbg"\n'))
    assert 'line 2: there is no profile "hunbg" (perhaps hunbg-club is meant) to inherit from' in told
    assert all(name in told for name in SHIPPED)


def test_profiles_that_inherit_in_a_circle_are_told(tmp_path: Path) -> None:
    write(tmp_path, 'inherits = "club"\n', "house.toml")
    told = message(write(tmp_path, 'inherits = "house"\n'))
    assert "line 1: the profiles inherit in a circle (club -> house -> club)" in told


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("cube.raccoon = true", "line 2: cube.raccoon contradicts cube.beaver"),
        ('cube.enabled = false\nopening.tie = "auto_double"', "line 3: opening.tie contradicts cube.enabled"),
    ],
)
def test_keys_that_contradict_each_other_are_told(tmp_path: Path, lines: str, told: str) -> None:
    assert told in message(write(tmp_path, f"[stated]\n{lines}\n"))


@pytest.mark.parametrize(
    "line",
    [
        'move.direction = "parallel"',
        'move.contact = "pin"',
        'start.position = "in_hand"',
        'roll.after = "named_double"',
        'roll.after = "rising_doubles"',
    ],
)
def test_what_no_backgammon_program_could_read_needs_the_name_of_another_game(
    tmp_path: Path, line: str
) -> None:
    told = message(write(tmp_path, f"[stated]\n{line}\n"))
    assert f"line 2: {line.split()[0]} is " in told
    assert "set game to one of plakoto, fevga" in told
    assert load_profile(write(tmp_path, f'[stated]\ngame = "fevga"\n{line}\n')).name == "club"


def test_a_game_of_another_kind_is_not_called_backgammon(tmp_path: Path) -> None:
    told = message(write(tmp_path, 'inherits = "plakoto"\n[stated]\ngame = "backgammon"\n'))
    assert "line 3: move.contact is pin, but game is backgammon" in told


def test_a_contradiction_with_the_parent_is_told_where_the_child_made_it(tmp_path: Path) -> None:
    told = message(write(tmp_path, 'inherits = "hubgf-money"\n[stated]\ncube.enabled = false\n'))
    assert "line 3: opening.tie contradicts cube.enabled" in told


def test_an_unknown_name_is_told_with_the_names_that_exist() -> None:
    with pytest.raises(
        ProfileError, match=r'There is no profile "hunbg" \(perhaps hunbg-club is meant\);'
    ) as caught:
        load_profile("hunbg")
    assert all(name in str(caught.value) for name in SHIPPED)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert "cannot be read" in message(tmp_path / "nothing.toml")


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_bytes('title = "Klub Žilina"\n'.encode("iso8859-2"))
    assert "UTF-8" in message(path)


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('title = "Our club"\n', encoding="utf-8-sig")
    assert load_profile(path).title == "Our club"


def test_a_profile_can_be_made_from_text_alone() -> None:
    text = parse_profile_text("[stated]\ncube.max = 4\n", name="mine", label="typed in")
    assert value_of(join_profile_texts([text]), "cube.max") == 4
