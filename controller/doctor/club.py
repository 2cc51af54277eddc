"""The club's hub: whether the table can log in there."""

import asyncio

from controller.club.membership import Membership
from controller.club.topics import HEARD_BY_TABLES
from controller.club.transport import TransportError
from controller.config.config import Config
from controller.doctor.finding import Finding, absent, ok, warn
from controller.errors import UserError

NAME = "club"


def hub(config: Config) -> Finding:
    """Whether the broker of the club's hub can be reached with what the table was given; play never needs it."""
    try:
        member = config.membership()
    except UserError as error:
        return warn(NAME, str(error).split("; ")[0], "Pair the table with the hub again (pointsman pair).")
    if member is None:
        return absent(NAME, "this table belongs to no club")
    broker = f"{member.broker.host}:{member.broker.port}"
    try:
        asyncio.run(_log_in(member))
    except TransportError as error:
        return warn(
            NAME,
            str(error).split("; ")[0],
            "Check that the hub runs and the network; if it refuses the login, run pointsman pair again.",
        )
    return ok(NAME, f"{member.address.table} of {member.address.club} can log in at {broker}")


async def _log_in(member: Membership) -> None:
    """Log in beside the table itself, which goes on undisturbed. Raises TransportError."""
    from controller.club.mqtt import connect_mqtt  # most tables belong to no club

    async with connect_mqtt(member.broker, client=f"doctor-{member.address.table}") as transport:
        await transport.subscribe([member.address.topic(what) for what in HEARD_BY_TABLES])
