"""``pointsman pair``."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import ConfigFile
from controller.cli.output import note, put
from controller.club.membership import Credentials
from controller.club.pairing import PairingCode, pair
from controller.club.topics import TableAddress
from controller.config import load_config
from controller.config.config import NAME
from controller.config.writing import write_values
from controller.errors import UserError


def pair_table(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[HUB] CODE",
            help="The address of the hub's pages, and the code that it shows. Without an address the hub is looked "
            "for in the network. The text of the hub's QR code is both.",
        ),
    ],
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="This table's name in the club.", show_default="club.table"),
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Join a club: fetch from its hub what this table logs in with, and write it into the configuration.

    By the letters behind the six digits the table knows that the right hub has answered; nothing secret is said
    before that, or unencrypted. Start the table again afterwards.
    """
    path = config or Path(NAME)
    known = load_config(path if config is not None or path.exists() else None)
    name = table or known.club.table
    if not name:
        raise UserError(
            "This table has no name in the club yet; give one with --table, such as --table table-7."
        )
    TableAddress("any", name)
    told = pair(_code(words), name)
    credentials = path.parent / known.club.credentials
    Credentials(told.user, told.password, None, told.hub_key).write(credentials, told.authority)
    host = f"[{told.host}]" if ":" in told.host else told.host
    write_values(
        path,
        {
            "club": {
                "use": True,
                "hub": f"{host}:{told.port}",
                "club": told.club,
                "table": told.table,
            }
        },
    )
    put(f"This table is {told.table} of {told.club} now. Its broker is {host}:{told.port}.")
    if not told.authority:
        note("Note: messages go unencrypted; the hub is for this machine or this network only.")
    note(f"{credentials} holds what the table logs in with; {path} names it. Start the table again.")


def _code(words: list[str]) -> PairingCode:
    """What was typed, with the address of the hub. Raises UserError."""
    if len(words) > 2:
        raise UserError("Give the address of the hub and the code that it shows, and no more words.")
    code = PairingCode.read(words)
    if code.hub:
        return code
    # Few pairings are without an address, and the library takes a while to load.
    from controller.club.discovery import find_hub

    return replace(code, hub=find_hub())
