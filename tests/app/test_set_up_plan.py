"""The match that set-up plans: for learners, and against an engine."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.app.set_up import plan_of, planned
from controller.config import Config
from controller.config.config import load_config
from controller.config.writing import write_values
from controller.errors import UserError
from controller.rules import Side
from controller.rules.profile.conduct import DeviceRole
from controller.web.setup.set_up import MatchPlan


@pytest.mark.parametrize(("length", "profile"), [(5, "teaching"), (None, "teaching-money")])
def test_who_learns_plays_by_rules_that_help_from_the_first_roll_on(length: int | None, profile: str) -> None:
    settings = planned(Config(), MatchPlan("Anna", "Béla", length, learning=True)).settings()
    rules = settings.terms.profiles[0]
    assert (rules.name, rules.conduct.device_role, settings.hint) == (profile, DeviceRole.TEACHER, 2)


def test_rules_that_allow_no_hints_are_refused_to_those_who_learn() -> None:
    with pytest.raises(UserError, match="portes allow no hints"):
        planned(Config(), MatchPlan(profile="portes", learning=True))


def test_the_next_match_of_others_has_no_hints() -> None:
    taught = planned(Config(), MatchPlan(learning=True))
    assert plan_of(taught).learning
    assert planned(taught, replace(plan_of(taught), learning=False)).settings().hint == 0


def test_the_side_of_an_engine_is_kept_in_the_plan() -> None:
    config = planned(Config(), MatchPlan(engine="dark"))
    assert config.seats.engine_sides() == (Side.DARK,)
    assert plan_of(config).engine == "dark"


def test_the_level_and_the_address_of_an_engine_are_kept_in_the_plan() -> None:
    config = planned(Config(), MatchPlan(engine="light", level=2, external="localhost:1234"))
    assert config.seats.external_engine() == ("localhost", 1234)
    assert (plan_of(config).level, plan_of(config).external) == (2, "localhost:1234")
    assert planned(config, replace(plan_of(config), external="")).seats.external_engine() is None


def test_an_address_that_is_none_is_refused_before_the_match() -> None:
    with pytest.raises(UserError, match="localhost:1234"):
        planned(Config(), MatchPlan(engine="light", external="nowhere"))


def test_the_side_and_the_code_of_another_table_are_kept_in_the_plan() -> None:
    code = "192.168.1.20:8080/K7QFW2MXAB"
    config = planned(Config(), MatchPlan(away="light", code=code))
    assert (config.seats.remote_side(), str(config.seats.table_code())) == (Side.LIGHT, code)
    assert config.settings().remote is Side.LIGHT
    assert (plan_of(config).away, plan_of(config).code) == ("light", code)
    assert planned(config, replace(plan_of(config), away="")).seats.table_code() is None


def test_a_text_that_is_no_code_of_a_table_is_refused() -> None:
    with pytest.raises(UserError, match="no code of a table"):
        planned(Config(), MatchPlan(away="light", code="K7QFW2MXAB"))


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("\u200fशर्\u200dमा", "शर्\u200dमा"),
        ("Anna 👩\u200d👧", "Anna 👩\u200d👧"),
        ("Anna\u00a0 Kovács\u202c", "Anna Kovács"),
        ("\u200e", "Light"),
    ],
)
def test_a_name_from_any_keyboard_is_one_that_a_configuration_keeps(
    tmp_path: Path, typed: str, kept: str
) -> None:
    config = planned(Config(), MatchPlan(typed))
    assert config.match.light == kept
    file = tmp_path / "pointsman.toml"
    write_values(file, {"match": {"light": config.match.light}})
    assert load_config(file).match.light == kept
