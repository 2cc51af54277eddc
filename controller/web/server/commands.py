"""Commands of pages: checked, told to the table once, and answered."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Final

from controller.devices import Button
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record.filter.corrections import CORRECTIONS, correction_of
from controller.record.filter.keys import Keys
from controller.record.filter.line_reader import SAYINGS, said_event
from controller.record.journal.journal import Json
from controller.record.match.corrections import after_play
from controller.referee.events import DIRECTOR
from controller.rules import Side
from controller.rules.notation import BAR, OFF
from controller.web.audience import Audience
from controller.web.channel import Channel
from controller.web.server.access import Person
from controller.web.snapshot import MATTERS, matters_of
from controller.web.table_service import Reply, Role, RoomView, StillHolds, TableService

ANSWER_S: Final = 2.0
"""How long a page waits for the table."""
REMEMBERED: Final = 1024
"""This many commands are remembered, to answer one that comes again as it was answered before."""


class CommandError(UserError):
    """A command that cannot be one; the message names the key."""


class SlowError(Exception):
    """The table did not answer in time; the command may still be done and can be sent again under its name."""


class Commands:
    """Takes commands from pages. For the thread of the web server."""

    def __init__(self, house: TableService) -> None:
        """Nothing has been asked yet."""
        self._house = house
        self._asked: OrderedDict[tuple[str, str], Future[Reply]] = OrderedDict()

    async def give(
        self, command: Mapping[str, Any], person: Person, view: RoomView, channel: Channel, audience: Audience
    ) -> dict[str, Json]:
        """What becomes of a command: ``answer`` (``done``, ``refused`` or ``stale``), ``event`` and ``text``.

        Raises:
            CommandError: if it cannot be one.
            SlowError: if the table does not answer in time.
        """
        name = (f"{person.role}/{person.side}", str(command["id"]))
        future = self._asked.get(name)
        if future is None:
            if _is_stale(command, channel):
                return _stale(view.event, audience)
            by = speaker(command, person, view)
            saying = saying_of(command, by, view)
            holds = None if command.get("seen") is None else _still_as(view, audience)
            future = self._house.ask(saying, by, name[1], holds)
            self._asked[name] = future
            while len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)
        try:
            reply = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), ANSWER_S)
        except TimeoutError:
            raise SlowError from None
        if reply.stale:
            return _stale(reply.event, audience)
        text = None if reply.words is None else reply.words(audience.language)
        return _answer("done" if reply.done else "refused", reply.event, text)


def speaker(command: Mapping[str, Any], person: Person, view: RoomView) -> str:
    """In whose name a command is given: on a page that both players share, that of the side that it names."""
    if person.role is Role.DIRECTOR:
        return DIRECTOR
    if person.side is not None:
        named = command.get("side")
        if named not in (None, str(person.side)):
            raise CommandError(f'"side" is {named!r}, but this page is that of {person.side}.')
        return str(person.side)
    if command.get("side") in set(Side):
        return str(command["side"])
    on_turn = None if view.referee is None else view.referee.on_turn
    return str(on_turn or Side.LIGHT)


def saying_of(command: Mapping[str, Any], by: str, view: RoomView) -> dict[str, Json]:
    """A command as the house takes it: with the keys that it knows, each of them looked at.

    Raises:
        CommandError: naming the key that is wrong.
    """
    given = {name: value for name, value in command.items() if name not in ("id", "seen", "run")}
    what = given["what"]
    if "side" not in _keys_of(what):
        given.pop("side", None)
    elif what in SAYINGS and by != DIRECTOR:
        given.setdefault("side", by)
    try:
        _check(given, view)
    except UserError as error:
        raise CommandError(str(error)) from None
    return given


def _keys_of(what: str) -> tuple[str, ...]:
    if what in SAYINGS:
        return SAYINGS[what].keys
    return CORRECTIONS[what][0] if what in CORRECTIONS else OWN[what]


def _check(given: Mapping[str, Any], view: RoomView) -> None:
    """Raises UserError for a key that is missing, strange or wrong."""
    keys, what = Keys(given), given["what"]
    if what in CORRECTIONS:
        correction_of(keys, 1)
    elif what == "played" and keys.has("play"):
        keys.only(("what", "side", "play"))
        if view.referee is not None:
            after_play(
                view.referee.position,
                keys.side(),
                keys.text("play"),
                view.referee.match.game.profile.movement,
            )
    elif what in SAYINGS:
        side = given.get("side") or "light"
        said_event(0.0, Keys({"t": 0.0, "kind": "said", "by": side, **given}))
    else:
        keys.only(("what", *OWN[what]))
        if what == "pressed":
            keys.word("button", BUTTONS)
            if keys.has("side"):
                keys.side()
        elif what == "hands" and keys.has("button"):
            keys.only(("what", "side", "button"))
            keys.word("button", HAND_BUTTONS)
        elif what == "hands":
            keys.side()
            keys.whole("from", 1, BAR)
            keys.whole("to", OFF, BAR)
        elif what == "set_clock":
            keys.number("light_s")
            keys.number("dark_s")


OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "pressed": ("button", "side"),
    "set_clock": ("light_s", "dark_s"),
    "start": (),
    "hands": ("side", "from", "to", "button"),
}
"""The keys of the commands that are neither sayings nor corrections."""
HAND_BUTTONS: Final = ("roll", "done")
"""What simulated hands may press."""
BUTTONS: Final = tuple(button.name.lower() for button in Button)


def _is_stale(command: Mapping[str, Any], channel: Channel) -> bool:
    """Whether something that matters has happened since what the page had seen."""
    seen = command.get("seen")
    if seen is None:
        return False
    if command.get("run") not in (None, channel.run):
        return True
    changed = channel.changed_since(int(seen))
    return changed is None or bool(changed & MATTERS)


def _still_as(view: RoomView, audience: Audience) -> StillHolds:
    """Whether a table stands as in this view, in what matters to an audience."""
    seen = matters_of(view, audience)
    return lambda now: matters_of(now, audience) == seen


def _stale(event: int, audience: Audience) -> dict[str, Json]:
    return _answer("stale", event, catalogue(audience.language).text("live", "answer", "stale"))


def _answer(answer: str, event: int, text: str | None) -> dict[str, Json]:
    return {"answer": answer, "event": event, "text": text}
