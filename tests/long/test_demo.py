"""`pointsman demo` as people call it: painted, with the real firmware, twice the same."""

import subprocess
import sys
from pathlib import Path

FILES = ("match.mat", "events.jsonl")
NEXT = [["demo", "--web"], ["run", "(hardware_docs/installation.md)"]]
"""What its last two lines invite to."""


def demo(out: Path) -> str:
    command = [sys.executable, "-m", "controller", "demo", "--headless", "--games", "1", "--seed", "3"]
    run = subprocess.run(
        [*command, "--cheat", "2", "--out", str(out)], capture_output=True, text=True, check=True
    )
    assert [line.split(": ")[1].split()[1:3] for line in run.stderr.splitlines()[-2:]] == NEXT
    return run.stdout


def test_the_same_seed_is_the_same_demo_to_the_letter(tmp_path: Path) -> None:
    told = [demo(tmp_path / name).replace(name, "") for name in ("first", "other")]
    assert told[0] == told[1]
    for file in FILES:
        first, other = ((tmp_path / name / "match-01" / file).read_text() for name in ("first", "other"))
        assert first == other
