"""Values put into a configuration file."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config import load_config
from controller.config.config import parse_config
from controller.config.error import ConfigError
from controller.config.sample import sample
from controller.config.writing import with_values, write_values
from tests.rows import each_row

VALUES = {"use": True, "hub": "hub:8883", "club": "tartu", "table": "table-7"}


@each_row(
    "text",
    [
        "",
        "[club]\n",
        "[match]\nlength = 5",
        "[club]\n[match]\nlength = 5\n",
        "[club]\ntitle = 'A'\n\n# after\n[match]\nlength = 5\n",
        '[club]\nuse = false\nhub = "old"\n#table = "t"\n[web]\nuse = false\n',
        sample(),
        sample(everything=True),
    ],
)
def test_the_values_are_in_force_and_all_other_lines_stay(text: str) -> None:
    written = with_values(text, "club", VALUES)
    config = parse_config(written, "file", Path())
    assert (config.club.use, config.club.hub, config.club.table) == (True, "hub:8883", "table-7")
    assert _others(written) == _others(text)
    assert with_values(written, "club", VALUES) == written


def _others(text: str) -> list[str]:
    """The lines that are neither those values nor the heading of their section."""
    lines = [line for line in text.splitlines() if line and line != "[club]"]
    return [line for line in lines if line.partition("=")[0].strip("# ") not in VALUES]


@settings(max_examples=50)
@given(st.text("abc é\"\\'#[]=", max_size=20))
def test_any_text_reads_back(title: str) -> None:
    written = with_values(sample(), "club", {"title": title})
    assert parse_config(written, "file", Path()).club.title == title.strip()


def test_a_file_that_would_be_no_configuration_any_more_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "pointsman.toml"
    path.write_text("[match]\nlength = 5\n")
    with pytest.raises(ConfigError, match="no name for a table"):
        write_values(path, {"club": {**VALUES, "table": "Table 7"}})
    assert path.read_text() == "[match]\nlength = 5\n"
    write_values(path, {"club": VALUES})
    assert load_config(path).match.length == 5


def test_a_link_to_the_configuration_stays_one_and_the_file_behind_it_changes(tmp_path: Path) -> None:
    file, link = tmp_path / "etc" / "pointsman.toml", tmp_path / "pointsman.toml"
    file.parent.mkdir()
    file.write_text("# of this club\n")
    link.symlink_to(file)
    write_values(link, {"dice": {"baud": 115_200, "dtr": False}})
    assert link.is_symlink()
    assert file.read_text() == "# of this club\n\n[dice]\nbaud = 115200\ndtr = false\n"
