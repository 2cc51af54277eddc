"""All figures of the project: `python -m tests.bench`, as a table and as JSON.

The environment variable FILMS names a folder of further films to measure (`tests.bench.bench_film`).
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench.films import FilmsError, films

COLUMNS = ("name", "value", "unit", "ratio", "target")


def benchmarks() -> list[str]:
    """The modules that measure something, each with a `run` that returns rows."""
    return sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> None:
    """Run every benchmark; the table goes to standard error, the JSON to standard output."""
    try:
        films()
    except FilmsError as error:
        sys.exit(str(error))
    rows: list[dict[str, Any]] = []
    for name in benchmarks():
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += [
            {"bench": name.removeprefix("bench_"), **row}
            for row in importlib.import_module(f"tests.bench.{name}").run()
        ]
    table = Table("bench", *COLUMNS)
    for row in rows:
        table.add_row(row["bench"], *(_shown(row.get(column)) for column in COLUMNS))
    Console(stderr=True, width=120).print(table)
    print(json.dumps(rows, indent=1))


def _shown(value: object) -> str:
    return "" if value is None else f"{value:,.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
