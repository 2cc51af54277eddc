"""Version, changelog, citation, workflows and forms agree with each other and with the Makefile."""

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

import controller

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
HEADINGS = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def releases() -> list[tuple[str, date]]:
    """The versions of the changelog with their days, the newest first."""
    found = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", each) for each in HEADINGS[1:]]
    assert all(found), HEADINGS
    return [(each[1], date.fromisoformat(each[2])) for each in found if each]


def test_the_changelog_begins_with_what_is_not_released_and_then_has_the_version_with_its_day() -> None:
    assert HEADINGS[0] == "[Unreleased]"
    assert releases()[0][0] == controller.__version__
    assert releases() == sorted(releases(), key=lambda each: each[1], reverse=True)


def test_the_changelog_has_the_sections_of_keep_a_changelog_each_once_a_release() -> None:
    for part in re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.+)$", part, re.MULTILINE)
        assert set(kinds) <= set(KINDS), part[:40]
        assert len(kinds) == len(set(kinds)), part[:40]


def test_the_citation_is_of_this_version_and_its_day() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert (str(citation["version"]), citation["date-released"]) == releases()[0]
    assert citation["license"] == PROJECT["license"]


def test_the_address_of_the_repository_stands_in_one_place() -> None:
    (address,) = set(PROJECT["urls"].values())
    pages = [
        *ROOT.glob("*.md"),
        ROOT / "CITATION.cff",
        *(ROOT / "hardware_docs").glob("*.md"),
        *WORKFLOWS,
        *FORMS,
    ]
    assert [page.name for page in pages if address in page.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_what_the_makefile_can_make(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for job in read(path)["jobs"].values():
        for step in job.get("steps", ()):
            for line in re.findall(r"^make (\S+)", step.get("run", ""), re.MULTILINE):
                assert line in targets
        if "uses" in job:
            assert (ROOT / job["uses"]).is_file()
        assert {job.get("needs", "tests")} <= set(read(path)["jobs"])


def test_tests_run_on_every_python_that_the_package_names() -> None:
    matrix = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["tests"]["strategy"]["matrix"]
    named = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)}
    assert set(matrix["python"]) == named
    assert PROJECT["requires-python"] == f">={min(named)}"


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_has_what_the_forge_asks_of_it_and_asks_for_the_bundle(path: Path) -> None:
    form = read(path)
    assert {"name", "description", "body"} <= set(form)
    named = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(named) == len(set(named))
    if path.stem != "3-idea":
        (bundle,) = (part for part in form["body"] if part.get("id") == "bundle")
        assert "pointsman support" in bundle["attributes"]["description"]
        assert bundle["validations"]["required"]


def test_hooks_before_a_commit_run_what_make_check_runs() -> None:
    hooks = [hook for repo in read(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    for tool in ("ruff format", "ruff check", "mypy", "python -m pytest --quiet tests/test_imports.py"):
        assert f"$(BIN)/{tool}" in made
        assert [hook for hook in hooks if hook["entry"] == f".venv/bin/{tool}"]
