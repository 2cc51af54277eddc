"""``pointsman replay``."""

import typer


def add_to(app: typer.Typer) -> None:
    """Add the commands that follow games."""
