"""``pointsman simulate tables``."""

import secrets
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.options import LogLevelGiven
from controller.cli.output import note, put
from controller.club.membership import is_key
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.demo.crowd.crowd import Crowd, CrowdPlan
from controller.demo.crowd.replayed_table import Tally
from controller.errors import UserError
from controller.logs.level import LogLevel
from controller.logs.log import begin_log

SEEDS: Final = 10**6
TELL_S: Final = 5.0
MOST: Final = 1000


def simulate_tables(
    number: Annotated[int, typer.Argument(metavar="NUMBER", min=1, max=MOST, help="How many tables.")],
    broker: Annotated[str, typer.Option(metavar="ADDRESS", help="The hub's broker: host or host:port.")],
    speed: Annotated[
        float, typer.Option(metavar="FACTOR", min=0.1, max=1000, help="How many times as fast as people.")
    ] = 1.0,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=0, help="The same seed has the same people play the same."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--for", metavar="SECONDS", min=1, help="End after this time.", show_default="until Ctrl-C"
        ),
    ] = None,
    club: Annotated[str, typer.Option(metavar="NAME", help="The club's name.")] = "club",
    hub_key: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            help="The hub's public key: the tables take its messages and matches.",
            show_default="none",
        ),
    ] = "",
    wait: Annotated[
        bool, typer.Option("--wait", help="Play only the matches that the hub sends; needs --hub-key.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Keep the journals here, a folder for each table.", show_default="not kept"
        ),
    ] = None,
    log_level: LogLevelGiven = None,
) -> None:
    """Have simulated tables play through a broker, as many tables with people would.

    They play matches that were recorded at a simulated table, with other players and at the time of today: each
    table writes a real journal and sends it as a real table does. It ends with 1 if the hub has not confirmed all.
    """
    address = BrokerAddress.parse(broker)
    TableAddress(club, "any")
    if hub_key and not is_key(hub_key):
        raise UserError(f"--hub-key {hub_key!r} is no key; a public key is 64 of the signs 0-9 and a-f.")
    if wait and not hub_key:
        raise UserError("--wait needs --hub-key: without it no table takes a match from the hub.")
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    with ExitStack() as stack:
        matches = out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pointsman-tables-")))
        if out is not None:
            _make_new(out)
        stack.enter_context(begin_log(log_level or LogLevel.INFO, matches)).begin()
        crowd = Crowd(
            CrowdPlan(
                number, club, address, speed=speed, seed=chosen, matches=matches, hub_key=hub_key, waits=wait
            )
        )
        note(f"Seed {chosen}. {number} tables at {address.host}:{address.port}; Ctrl-C ends it.")
        crowd.start()
        tally = Tally()
        try:
            tally = _watch(crowd, seconds)
        except KeyboardInterrupt:
            note("Ending ...")
        finally:
            tally = crowd.stop()
        put(_line(tally))
    if tally.confirmed < tally.written or not tally.tables:
        raise typer.Exit(1)


def _watch(crowd: Crowd, seconds: float | None) -> Tally:
    """Say now and then how it goes, until the time is up or a process has ended."""
    pause, left = threading.Event(), seconds
    while crowd.alive and (left is None or left > 0):
        step = TELL_S if left is None else min(TELL_S, left)
        pause.wait(step)
        left = None if left is None else left - step
        note(_line(crowd.tally))
    return crowd.tally


def _line(tally: Tally) -> str:
    return (
        f"{tally.connected} of {tally.tables} tables connected, {tally.matches} matches, {tally.written} entries "
        f"written, {tally.sent} sent, {tally.confirmed} confirmed"
    )


def _make_new(folder: Path) -> None:
    """Make a folder that is not there yet, or use an empty one. Raises UserError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UserError(f"{folder} is not empty; name a new folder for the journals.")
    except OSError as error:
        raise UserError(f"Cannot write to {folder} ({error.strerror}); name another folder.") from None
