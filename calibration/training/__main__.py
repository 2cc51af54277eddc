"""Makes the learned networks anew: ``python -m calibration.training [NAME ...]``."""

import datetime
import sys

from calibration.training.recipe import make
from calibration.training.recipes import RECIPES
from controller.errors import UserError


def main(names: list[str]) -> int:
    """Train the named networks, all of them without a name; returns the exit code."""
    unknown = [name for name in names if name not in RECIPES]
    if unknown:
        known = ", ".join(sorted(RECIPES))
        sys.stderr.write(f"There is no network {unknown[0]}: name some of {known}, or none for all.\n")
        return 2
    try:
        for name in names or sorted(RECIPES):
            today = datetime.datetime.now(datetime.UTC).date()
            make(RECIPES[name], lambda line: print(line, flush=True), today)  # noqa: T201
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
