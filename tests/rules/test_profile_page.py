"""The page on profiles names every profile, key and value, and its example works."""

import re
from enum import StrEnum
from pathlib import Path

from controller.rules.profile.catalogue import NOTICES, load_profile, profile_names
from controller.rules.profile.keys import KEYS, differences
from controller.tomlfile.checks import OneOf
from tests.rows import each_row

PAGE = Path(__file__).parents[2] / "hardware_docs" / "profiles.md"


def rows() -> dict[str, str]:
    found = re.findall(r"^\| `([^`]+)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(found)


def test_every_profile_is_named_with_its_title() -> None:
    for name in profile_names():
        assert rows()[name] == load_profile(name).title


@each_row("name", KEYS)
def test_every_key_is_named_with_its_values(name: str) -> None:
    check, row = KEYS[name].check, rows()[name]
    if isinstance(check, OneOf) and all(isinstance(member, StrEnum) for member in check.members):
        assert set(re.findall(r"`([^`]+)`", row)) == set(check.members)
    elif isinstance(check, OneOf):
        assert check.wording().replace('"none"', "`none`") in row


def test_every_notice_is_named() -> None:
    assert all(f"`{notice}`" in PAGE.read_text(encoding="utf-8") for notice in NOTICES)


def test_the_example_is_a_profile(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    path = tmp_path / "thursday.toml"
    path.write_text(example[1], encoding="utf-8")
    profile = load_profile(path)
    assert set(differences(profile, load_profile("hubgf-match"))) == {
        "move.max_stack",
        "cube.max",
        "illegal.policy",
    }
