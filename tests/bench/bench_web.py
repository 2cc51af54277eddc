"""What the pages cost: 200 viewers, 20 that stall, others that come and go, while a table plays.

The table and the browsers have a process each. Every other block of turns is played without pages.
"""

import json
import subprocess
import sys
from typing import Any


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    command = [sys.executable, "-m", "tests.bench.web_table"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return rows
