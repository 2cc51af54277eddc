"""The first start of a table: a phone that brings its code gets a director, and the table is open from then on."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.app.fitting.keeping import Keeping
from controller.app.inbox import NotTakenError
from controller.app.room import Room
from controller.config.sections import TableSection
from controller.config.writing import Value
from controller.messages.catalogue import LANGUAGES
from controller.web.welcome.desk import WelcomeDesk
from controller.web.wire.one_time_code import SharedCode

CODE: Final = ".pointsman-code"
"""The file beside the configuration with the code by which a phone chooses the director's PIN."""

ASK_S: Final = 5.0
"""How long the thread that steps the table is waited for."""


def shared_code(folder: Path) -> SharedCode:
    """The code of the table whose configuration lies in a folder, for every program of this machine."""
    return SharedCode(time.monotonic, path=folder / CODE)


def welcome_desk(room: Room, keeping: Keeping) -> WelcomeDesk:
    """Who may come to a table from the network, as its configuration says."""
    desk = WelcomeDesk(shared_code(room.config.folder), room.config.web.open)

    def welcomed(language: str) -> None:
        """Open the table to the phone that has become the director's, and speak its language."""
        chosen: dict[str, dict[str, Value]] = {"web": {"open": True}}
        usual = room.config.table.languages == TableSection().languages
        if usual and language in LANGUAGES and not room.match.playing:
            chosen["table"] = {"languages": [language]}
        desk.opened = True
        with suppress(NotTakenError, TimeoutError):  # it is written down all the same
            room.inbox.ask(lambda: keeping.use(chosen)).result(ASK_S)
        keeping.keep(chosen)

    desk.welcomed, desk.knows_board = welcomed, lambda: room.board is not None
    return desk
