"""``pointsman contribute`` as people type it."""

import json
from pathlib import Path

from controller.tomlfile.document import parse
from tests.boardset.folders import SAMPLE, changed, copied
from tests.cli.conftest import Run


def test_the_form_is_printed(run: Run) -> None:
    assert parse(run("contribute", "form"))["contribution"]["licence"] == "CC0-1.0"


def test_a_contribution_that_is_in_order_is_told_so(run: Run) -> None:
    said = run("contribute", "check", SAMPLE)
    assert (
        said
        == f"{SAMPLE} is in order: 7 moments, all as the match says; CC0-1.0, by The Pointsman project.\n"
    )


def test_what_is_wrong_is_one_sentence(run: Run, tmp_path: Path) -> None:
    folder = changed(tmp_path, "contribution.toml", "public = true", "public = false")
    said = run("contribute", "check", folder, status=2)
    assert said.count("\n") == 1
    assert "public is not true" in said


def test_scores_of_several_boards_end_with_all_of_them(run: Run, tmp_path: Path) -> None:
    program, other = tmp_path / "program", copied(tmp_path)
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    said = run("contribute", "score", "--json", "--program", program, SAMPLE, other)
    one, _, both = map(json.loads, said.splitlines())
    assert (one["set"], one["pictures"], one["refused"], one["points"]) == (str(SAMPLE), 7, 7, None)
    assert (both["set"], both["pictures"]) == ("all", 14)
    shown = run("contribute", "score", "--program", program, SAMPLE)
    assert "sure_wrong" in shown
