"""`pointsman config`."""

from pathlib import Path

from tests.cli.conftest import Run


def test_the_example_it_prints_is_in_order(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(run("config"))
    assert (
        run("config", path) == f"{path} is in order: Light against Dark, match to 7, rules standard-match.\n"
    )


def test_thresholds_are_printed_only_when_everything_is_asked_for(run: Run) -> None:
    assert "#stood_s = 2.9" not in run("config")
    assert "#stood_s = 2.9" in run("config", "--all")


def test_a_key_that_does_nothing_any_more_is_named_and_the_file_is_in_order(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[caution]\nlead = 5.0\nstood_s = 3\n")
    first, second = run("config", path).splitlines()
    assert "is in order" in first
    assert second.startswith("caution.lead does nothing any more; take its line away.")


def test_a_mistake_is_told_with_its_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[match]\nlenght = 5\n")
    said = run("config", path, status=2)
    assert f"{path}, line 2" in said
    assert "perhaps length is meant" in said
    assert len(said.splitlines()) == 1
