"""``pointsman pair``."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.output import note, put
from controller.club.membership import Credentials
from controller.club.pairing import pair
from controller.club.topics import TableAddress
from controller.config import load_config
from controller.config.config import NAME
from controller.config.writing import write_values
from controller.errors import UserError


def pair_table(
    hub: Annotated[
        str, typer.Argument(metavar="HUB", help="The address of the hub's pages, as it shows it.")
    ],
    code: Annotated[str, typer.Argument(metavar="CODE", help="The six digits that the hub shows.")],
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="This table's name in the club.", show_default="club.table"),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="The table's.", show_default="pointsman.toml in this folder"
        ),
    ] = None,
) -> None:
    """Join a club: fetch from its hub what this table logs in with, and write it into the configuration.

    Give the code as the hub shows it: with the signs behind the six digits the table knows that the right hub has
    answered. Start the table again afterwards.
    """
    path = config or Path(NAME)
    known = load_config(path if config is not None or path.exists() else None)
    name = table or known.club.table
    if not name:
        raise UserError(
            "This table has no name in the club yet; give one with --table, such as --table table-7."
        )
    TableAddress("any", name)
    told = pair(hub, code, name)
    credentials = path.parent / known.club.credentials
    Credentials(told.user, told.password, None, told.hub_key).write(credentials, told.authority)
    host = f"[{told.host}]" if ":" in told.host else told.host
    write_values(
        path,
        "club",
        {
            "use": True,
            "hub": f"{host}:{told.port}",
            "club": told.address.club,
            "table": told.address.table,
        },
    )
    put(f"This table is {told.address.table} of {told.address.club} now. Its broker is {host}:{told.port}.")
    if not told.authority:
        note("Note: messages go unencrypted; the hub is for this machine or this network only.")
    note(f"{credentials} holds what the table logs in with; {path} names it. Start the table again.")
