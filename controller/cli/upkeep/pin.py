"""``pointsman pin``: the director's PIN of this table, chosen at its machine or by a phone that gets a code.

The hub's command asks for its PIN here, too: what only a table needs is loaded where it is used, so that a hub begins
without it.
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.options import ConfigFile
from controller.cli.output import put
from controller.errors import UserError
from controller.web.keys import PageKeys
from controller.web.port import own_address
from controller.web.wire.one_time_code import LASTS_S

if TYPE_CHECKING:
    from controller.config.sections import WebSection


def pin(
    config: ConfigFile = None,
    code: Annotated[
        bool, typer.Option("--code", help="Print a code with which a phone chooses the PIN instead.")
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="With --code: the code that holds, its address and square, as JSON."),
    ] = False,
) -> None:
    """Choose the director's PIN of this table, the first one or another one for one that was forgotten.

    It is asked for twice, or read from standard input; the one before counts no more. With --code a phone in the
    network chooses it, while the table runs: scan the square, or open the address.
    With --json programs get it: a code that still holds stays, and without a network the address is empty.
    """
    from controller.app.pages import KEYS
    from controller.config import load_config

    if as_json and not code:
        raise UserError("--json is for the code that a phone brings; add --code.")
    known = load_config(config)
    if code:
        host = own_address()
        _refuse_what_no_phone_reaches(known.web, host or ("" if as_json else None))
        (_print_code if as_json else _show_code)(known.folder, known.web.port, host or "")
        return
    keys = PageKeys.load(known.folder / KEYS)
    keep_pin(keys)


def keep_pin(keys: PageKeys) -> None:
    """Ask for a PIN and keep it. Raises UserError for one that is too short."""
    from controller.web.server.access import DIRECTOR_DIGITS, hash_pin, is_director_pin

    if sys.stdin.isatty():
        chosen = typer.prompt("The new PIN", hide_input=True, confirmation_prompt=True, err=True)
    else:
        chosen = sys.stdin.readline()
    chosen = chosen.strip()
    if not is_director_pin(chosen):
        raise UserError(
            f"A director's PIN has {DIRECTOR_DIGITS} digits or more, and nothing else; it was not changed."
        )
    keys.keep_director(hash_pin(chosen))
    put("The director's PIN was changed. The one before counts no more.")


def first_start_words(address: str) -> str:
    """How a phone sets up a new table, for the terminal."""
    return f"To set this table up with a phone, open this there within {LASTS_S / 60:g} minutes: {address}"


def _refuse_what_no_phone_reaches(web: "WebSection", host: str | None) -> None:
    """Raise UserError where no phone can come; ``host`` is None where that takes a network, and there is none."""
    from controller.config.config import NAME

    if host is None:
        raise UserError(
            "This machine is in no network, so no phone can reach it; join one, or leave --code out."
        )
    if web.open is False:
        raise UserError(f"web.open is false in {NAME}, so no phone reaches this table; take the line away.")
    if not web.port:
        raise UserError("web.port is 0, so the address is known to the running table alone; name a port.")


def _show_code(folder: Path, port: int, host: str) -> None:
    """For people: always a new code."""
    from controller.app.fitting.welcoming import shared_code
    from controller.app.pages import square_code, welcome_address

    address = welcome_address(host, port, shared_code(folder).renew())
    put(first_start_words(address))
    if sys.stdout.isatty():
        put(square_code(address))


def _print_code(folder: Path, port: int, host: str) -> None:
    """For programs: the code that holds, or a new one."""
    from controller.app.fitting.welcoming import shared_code
    from controller.app.pages import square_code, welcome_address

    shared = shared_code(folder)
    code = shared.current() or shared.renew()
    address = welcome_address(host, port, code) if host else ""
    square = square_code(address) if address else ""
    sys.stdout.write(
        f"{json.dumps({'code': code, 'address': address, 'square': square}, ensure_ascii=False)}\n"
    )
