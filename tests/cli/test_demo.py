"""What `pointsman demo` answers to what it cannot do; whole demos are in tests/demo and tests/long."""

import subprocess
import sys

import pytest


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "controller", "demo", *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--headless", "--faults", "earthquake"), "earthquake"),
        (("--headless", "--profile", "no-such-rules"), "no-such-rules"),
        (("--headless", "--profile", "standard-money", "--length", "5"), "standard-money"),
        (("--headless", "--language", "xx"), "xx"),
        (("--headless", "--games", "0"), "games"),
        (("--headless", "--pictures", "/proc/no/such"), "/proc/no/such"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_exit_2(arguments: tuple[str, ...], named: str) -> None:
    run = demo(*arguments)
    assert run.returncode == 2
    assert named in run.stderr
    assert "Traceback" not in run.stderr


def test_help_names_every_option() -> None:
    told = demo("--help").stdout
    for option in ("--headless", "--games", "--seed", "--speed", "--cheat", "--out", "--faults"):
        assert option in told
