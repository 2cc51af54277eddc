"""The club's hub: whether the table can log in there."""

import asyncio

from controller.club.membership import Membership, is_login_used
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
    # A second connection with one login would end the first one.
    used = bool(member.broker.user) and is_login_used(config.credentials_file())
    try:
        asyncio.run(_reach(member) if used else _log_in(member))
    except TransportError as error:
        return warn(
            NAME,
            str(error).split("; ")[0],
            "Check that the hub runs and the network; if it refuses the login, run pointsman pair again.",
        )
    table = f"{member.address.table} of {member.address.club}"
    if used:
        return ok(
            NAME,
            f"the broker answers at {broker}; {table} runs, and shows among its devices how it stands there",
        )
    return ok(NAME, f"{table} can log in at {broker}")


async def _reach(member: Membership) -> None:
    """See whether the broker answers and is the one that the table was paired with. Raises TransportError."""
    from controller.club.mqtt import reach_broker  # most tables belong to no club

    await reach_broker(member.broker)


async def _log_in(member: Membership) -> None:
    """Log in as the table would that does not run now. Raises TransportError."""
    from controller.club.mqtt import connect_mqtt

    async with connect_mqtt(member.broker, client=f"doctor-{member.address.table}") as transport:
        await transport.subscribe([member.address.topic(what) for what in HEARD_BY_TABLES])
