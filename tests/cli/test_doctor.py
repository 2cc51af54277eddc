"""`pointsman doctor`."""

import json
from pathlib import Path

import pytest

from controller.cli import main
from controller.vision.board.board import dump_board
from tests.cli.conftest import Run
from tests.vision.boards import DATA, learned


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration whose camera is a picture of the board."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "1.jpg").write_bytes((DATA / "board1_002.jpg").read_bytes())
    (tmp_path / "board.toml").write_text(dump_board(learned("board1")))
    path = tmp_path / "table.toml"
    path.write_text('[camera]\nsource = "film"\n[board]\nport = "none"\n[record]\nevidence_mb = 0\n')
    return path


def test_a_table_in_order_ends_with_0_and_tells_everything(run: Run, table: Path) -> None:
    lines = [json.loads(line) for line in run("doctor", "--json", "--config", table).splitlines()]
    assert all(set(line) == {"name", "state", "measured", "remedy"} for line in lines)
    assert all(line["state"] in ("ok", "warn", "absent") for line in lines)
    assert all(line["remedy"] for line in lines if line["state"] == "warn")
    names = [line["name"] for line in lines]
    assert len(set(names)) == len(names)
    assert {
        "configuration",
        "python",
        "networks",
        "disk",
        "clock",
        "electronics",
        "camera",
        "board file",
    } <= set(names)


def test_what_is_needed_and_fails_ends_with_1(run: Run, table: Path) -> None:
    (table.parent / "board.toml").unlink()
    said = run("doctor", "--config", table, status=1)
    assert said == "1 thing that is needed failed.\n"


def test_devices_come_before_packages_and_failures_once_more_at_the_end(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (table.parent / "board.toml").unlink()
    monkeypatch.setattr("sys.argv", ["pointsman", "doctor", "--config", str(table)])
    with pytest.raises(SystemExit):
        main()
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[1] for line in lines if line]
    assert named.index("camera") < named.index("package")
    assert lines[-2] == "What failed:"
    assert lines[-1].startswith("fail    board file")
    assert lines.count(lines[-1]) == 2


def test_lines_for_people_have_name_state_and_measure(
    run: Run, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run("doctor", "--config", table).splitlines()
    assert any(line.startswith("ok      python  ") for line in lines)
    assert any(line.startswith("absent  electronics  ") for line in lines)
    assert capsys.readouterr().out == ""


def test_a_bad_configuration_is_one_sentence(run: Run, table: Path) -> None:
    table.write_text("[camera]\nfps = 0\n")
    said = run("doctor", "--config", table, status=2)
    assert f"{table}, line 2: camera.fps cannot be 0" in said
    assert len(said.splitlines()) == 1


def test_it_leaves_nothing_behind(run: Run, table: Path) -> None:
    before = sorted(path.name for path in table.parent.rglob("*"))
    run("doctor", "--config", table)
    assert sorted(path.name for path in table.parent.rglob("*")) == before
