"""A contribution is read whole, or one sentence names the file, the line and the remedy."""

from pathlib import Path

import pytest

from controller.boardset.folder import ContributionError, form, read_contribution
from controller.errors import UserError
from controller.tomlfile.document import parse
from tests.boardset.folders import SAMPLE, changed, copied
from tests.rows import each_row


def test_the_sample_is_read_with_its_moments_and_its_match() -> None:
    given = read_contribution(SAMPLE)
    assert given.given.licence == "CC0-1.0"
    assert len(given.match.games[0].turns) == 3
    assert [moment.turns for moment in given.moments] == [0, 0, 1, 1, 2, 2, 3]
    assert given.moments[1].dice == (5, 1)


@each_row(
    ("file", "old", "new", "sentence"),
    [
        (
            "contribution.toml",
            "people = true",
            "people = false",
            r"contribution\.toml, line \d+: people is not true",
        ),
        ("contribution.toml", "mine = true\n", "", "mine is not true; without this consent"),
        ("contribution.toml", "CC0-1.0", "all rights", r"licence cannot be .*CC0-1\.0.* or .*CC-BY-4\.0"),
        ("contribution.toml", "2026-11-21", "2026-13-41", "filmed is no day; write it as 2026-11-20"),
        ("contribution.toml", "by = ", "buy = ", r'unknown key "buy"'),
        ("moments.jsonl", '"turns": 0', '"turns": -1', r"moments\.jsonl, line 1 is no moment; write it as"),
        ("moments.jsonl", "[5, 1]", "[5, 7]", r"line 2 is no moment"),
        ("moments.jsonl", "[5, 1]", "[[[[", r"line 2 is no moment"),
        ("moments.jsonl", "8.99", "5.99", r"line 3: it does not come after the line before"),
        ("moments.jsonl", "8.99", "6.1", r"line 3: it does not come after the line before"),
        ("moments.jsonl", '"turns": 3', '"turns": 2', "fewer than 4 positions"),
        ("match.mat", "44: 13/9(2) 6/2(2)", "44: 13/x", "match.mat"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_what_to_do(
    file: str, old: str, new: str, sentence: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(UserError, match=sentence):
        read_contribution(changed(tmp_path_factory.mktemp("given"), file, old, new))


@each_row("name", ["contribution.toml", "moments.jsonl", "match.mat"])
def test_a_missing_file_is_named(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = copied(tmp_path_factory.mktemp("given"))
    (folder / name).unlink()
    with pytest.raises(ContributionError, match=name):
        read_contribution(folder)


def test_more_moments_than_anybody_needs_are_refused(tmp_path: Path) -> None:
    lines = [f'{{"t": {number}, "turns": {number // 20}}}' for number in range(80)]
    folder = copied(tmp_path)
    (folder / "moments.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ContributionError, match="has 80 moments; keep 60 of them at most"):
        read_contribution(folder)


def test_a_folder_in_the_place_of_the_match_file_is_named(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "match.mat").unlink()
    (folder / "match.mat").mkdir()
    with pytest.raises(ContributionError, match=r"match\.mat cannot be read"):
        read_contribution(folder)


def test_two_films_are_one_too_many(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "film.mp4").write_bytes(b"")
    with pytest.raises(ContributionError, match=r"needs one film, and there are film\.mp4 and frames"):
        read_contribution(folder)


def test_the_form_has_every_key_and_gives_no_consent(tmp_path: Path) -> None:
    tables = parse(form())
    assert set(tables) == {"contribution", "consent", "board"}
    assert not any(tables["consent"].values())
    folder = copied(tmp_path)
    (folder / "contribution.toml").write_text(form(), encoding="utf-8")
    with pytest.raises(ContributionError, match="mine is not true"):
        read_contribution(folder)
    (folder / "contribution.toml").write_text(form().replace("= false", "= true"), encoding="utf-8")
    assert read_contribution(folder).given.by == "A. Player"
