"""``pointsman backup``, ``pointsman restore``, ``pointsman support`` and ``pointsman reproduce``."""

import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import ConfigFile
from controller.cli.output import counted, note, put
from controller.config import load_config
from controller.config.config import NAME
from controller.doctor.examination import examine
from controller.doctor.machine import ask
from controller.errors import UserError
from controller.record.journal.journal import utc_now
from controller.upkeep.backup import next_backup, remove_old_backups, write_backup
from controller.upkeep.reproduction import Reproduced, reproduce
from controller.upkeep.restoration import restore_backup
from controller.upkeep.support import write_support

HubFolderGiven = Annotated[
    Path | None,
    typer.Option(
        "--hub",
        metavar="DIR",
        help="The folder of a hub, in the place of a table.",
        show_default="none",
    ),
]


def backup(
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The archive to write.", show_default="the next number in the folder backups"
        ),
    ] = None,
    config: ConfigFile = None,
    pictures: Annotated[
        bool, typer.Option("--pictures/--no-pictures", help="Pack the pictures of the matches, too.")
    ] = True,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Remove all but this many of the numbered backups.", show_default="all"
        ),
    ] = None,
    hub: HubFolderGiven = None,
) -> None:
    """Pack configuration, board file, matches, exercises and keys; also while a match is on.

    With --hub pack a hub's store, tournaments, keys and logins; also while it runs.

    The archive is for its owner only: with the keys in it somebody else could seal as this table does.
    """
    if keep is not None and keep < 1:
        raise UserError(f"--keep {keep} would leave no backup; give 1 or more.")
    if keep is not None and out is not None:
        raise UserError("--keep counts the numbered backups; leave out --out.")
    if hub is not None and config is not None:
        raise UserError("--hub and --config are two backups; make one after the other.")
    known = load_config(config) if hub is None else None
    numbered, beside = out is None, Path() if known is None else known.folder
    place = next_backup(beside, f"{datetime.now(UTC):%Y-%m-%d}") if out is None else out
    if known is not None:
        made = write_backup(known, place, now_s=time.time(), made=utc_now(), pictures=pictures)
    else:
        from controller.upkeep.hub_backup import write_hub_backup  # a table has no SQLAlchemy

        assert hub is not None
        made = write_hub_backup(hub, place, now_s=time.time(), made=utc_now(), pictures=pictures)
    for warning in made.warnings:
        note(f"Note: {warning}")
    old = remove_old_backups(place.parent, keep) if numbered and keep is not None else []
    told = f"; {counted(len(old), 'older backup')} removed" if old else ""
    matches = "" if hub is not None else f", {counted(made.matches, 'match', 'matches')}"
    put(f"{made.path}: {counted(made.files, 'file')}{matches}{told}.")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup that `pointsman backup` made.")],
    config: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Where the configuration goes; everything else goes where that says.",
            show_default="pointsman.toml in this folder",
        ),
    ] = Path(NAME),
    instead: Annotated[
        bool, typer.Option("--replace", help="Put what is there aside first, into a folder before-restore-1.")
    ] = False,
    hub: HubFolderGiven = None,
) -> None:
    """Put a backup back: on a new card, or in the place of what is there.

    A backup that is damaged, or made by a newer version, is refused before anything is changed.
    """
    if hub is not None:
        from controller.upkeep.hub_backup import restore_hub

        done = restore_hub(file, hub, instead=instead)
    else:
        done = restore_backup(file, config, instead=instead)
    if done.aside is not None:
        put(f"What was there before lies in {done.aside}.")
    for place in done.places:
        put(f"Put back: {place}")
    matches = "a hub" if hub is not None else counted(done.matches, "match", "matches")
    put(f"{file} of {done.made}, Pointsman {done.version}: {matches}.")


def support(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The archive to write.")] = Path("support.tar.gz"),
    config: ConfigFile = None,
    names: Annotated[
        bool, typer.Option("--names/--no-names", help="Leave the names of the players in.")
    ] = False,
    hub: HubFolderGiven = None,
) -> None:
    """Pack what helps to find a fault: versions, self-test, configuration, log, and the newest match.

    Keys, passwords and pictures stay here. Something else stands for each player's name. What `pointsman reproduce`
    needs to have a defect happen again is in it.
    """
    if hub is not None:
        if config is not None:
            raise UserError("--hub and --config are two archives; make one after the other.")
        from controller.upkeep.hub_support import write_hub_support

        packed = write_hub_support(hub, out, now_s=time.time(), made=utc_now(), ask=ask, names=names)
        put(f"{out}: {', '.join(packed)}.")
        return
    known = load_config(config)
    put("The self-test takes a few seconds ...")
    inside = write_support(
        known, out, examine(known), now_s=time.time(), made=utc_now(), ask=ask, names=names
    )
    put(f"{out}: {', '.join(inside)}.")


def reproduce_bundle(
    bundle: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="An archive that `pointsman support` made.")
    ],
) -> None:
    """Have the defects in a bundle happen again: all that it recorded is replayed by this program.

    Status 1 and the traceback where one happens again; 0 where none does. Nothing else on this machine is touched.
    """
    with tempfile.TemporaryDirectory(prefix="pointsman-") as place:
        outcomes = reproduce(bundle, Path(place))
    for outcome in outcomes:
        _put_outcome(outcome)
    if any(outcome.found is not None for outcome in outcomes):
        raise typer.Exit(1)


def _put_outcome(outcome: Reproduced) -> None:
    wanted, found = outcome.wanted, outcome.found
    name = f"{wanted.kind} in {wanted.function}, {wanted.file}"
    if found is not None:
        where = "at the same state" if found.state == wanted.state else "at another state"
        put(f"Again, {where}: {name}:{found.line}.")
        put(found.traceback.rstrip())
    elif outcome.why:
        put(f"Cannot be tried: {name}: {outcome.why}. It was:")
        put(wanted.traceback.rstrip())
    else:
        put(f"Not again: {name}.")
