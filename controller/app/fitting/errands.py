"""Has the thread that steps a table do what other threads want of it."""

from collections.abc import Callable
from typing import Final

from controller.app.inbox import NotTakenError
from controller.app.room import Room
from controller.errors import UserError
from controller.messages.device_words import program_words
from controller.web.table_service import Reply

ASK_S: Final = 5.0
"""How long the thread that steps the table is waited for."""


def have_done(room: Room, errand: Callable[[], Reply]) -> Reply:
    """What became of an errand; refused where the table is busy, and where the errand raises a `UserError`."""
    try:
        return room.inbox.ask(errand).result(ASK_S)
    except UserError as error:
        return Reply.refusing(error)
    except (NotTakenError, TimeoutError):
        return Reply(False, program_words("table_busy"))
