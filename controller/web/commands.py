"""Commands of pages: checked, told to the table once, and answered."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Final

from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record.filter.keys import Keys
from controller.record.filter.line_reader import SAYINGS, said_event
from controller.record.journal.journal import Json
from controller.referee.table.choices import DIRECTOR
from controller.referee.weighing.steps import count, shift_checker
from controller.rules import Position, Side, parse_play
from controller.rules.notation import BAR, NotationError
from controller.rules.position import PositionError
from controller.web.access import Person
from controller.web.audience import Audience
from controller.web.channel import Channel
from controller.web.house import House, Reply, Role, RoomView
from controller.web.rights import CORRECTIONS

ANSWER_S: Final = 2.0
"""So long a page waits for the table."""
REMEMBERED: Final = 1024
"""So many commands are remembered, to answer one that comes again as it was answered before."""
MATTERS: Final = frozenset(
    {"phase", "on_turn", "position", "match", "cube", "resignation", "question", "room"}
)
"""What must not have changed since the page that a command comes from was told of it."""


class CommandError(UserError):
    """A command that cannot be one; the message names the key."""


class SlowError(Exception):
    """The table did not answer in time; the command may still be done and can be sent again under its name."""


class Commands:
    """Takes commands from pages. For the thread of the web server."""

    def __init__(self, house: House) -> None:
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
                return _answer(
                    "stale", view.event, catalogue(audience.language).text("live", "answer", "stale")
                )
            saying = saying_of(command, view)
            by = speaker(command, person, view)
            future = self._house.ask(saying, by, name[1])
            self._asked[name] = future
            while len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)
        try:
            reply = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), ANSWER_S)
        except TimeoutError:
            raise SlowError from None
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


def saying_of(command: Mapping[str, Any], view: RoomView) -> dict[str, Json]:
    """A command as the house takes it: with the keys that it knows, each of them looked at.

    Raises:
        CommandError: naming the key that is wrong.
    """
    given = {name: value for name, value in command.items() if name not in ("id", "seen", "run")}
    what = given["what"]
    try:
        if what == "say_play":
            return _said_play(given, view)
        if what == "pressed":
            return _pressed(given)
        if what in CORRECTIONS:
            return _correction(given)
        if "side" not in SAYINGS[what].keys:
            given.pop("side", None)
        side = given.get("side") or "light"
        said_event(0.0, Keys({"t": 0.0, "kind": "said", "by": side, **given}))
    except UserError as error:
        raise CommandError(str(error)) from None
    return given


def _said_play(given: dict[str, Any], view: RoomView) -> dict[str, Json]:
    """A play in notation, as the position that it leads to."""
    keys = Keys(given)
    keys.only(("what", "side", "play"))
    side, table = keys.side(), view.referee
    if table is None:
        raise CommandError("No match is on, so that no play can be entered.")
    position = table.position
    try:
        for move in parse_play(keys.text("play")):
            if not _has_checker(position, side, move.source):
                raise CommandError(f"In the play {given['play']!r} there is no checker at {move.source}.")
            position = shift_checker(position, side, move.source, move.target)
    except (NotationError, PositionError, IndexError) as error:
        raise CommandError(str(error)) from None
    return {"what": "played", "side": str(side), "position": position.compact()}


def _has_checker(position: Position, side: Side, source: int) -> bool:
    return position.bar(side) > 0 if source == BAR else count(position, side, source) > 0


def _pressed(given: dict[str, Any]) -> dict[str, Json]:
    keys = Keys(given)
    keys.only(("what", "button", "side"))
    pressed: dict[str, Json] = {"what": "pressed", "button": keys.word("button", BUTTONS)}
    if keys.has("side"):
        pressed["side"] = str(keys.side())
    return pressed


def _correction(given: dict[str, Any]) -> dict[str, Json]:
    keys, what = Keys(given), given["what"]
    wanted = _CORRECTED[what]
    keys.only(("what", *wanted))
    for name, read in wanted.items():
        if not (what == "undo_ply" and name == "ply" and not keys.has(name)) and not (
            what == "set_cube" and name == "owner" and not keys.has(name)
        ):
            read(keys)
    return dict(given)


BUTTONS: Final = ("roll", "done", "double", "take", "drop", "pause", "clock_light", "clock_dark")
_CORRECTED: Final[Mapping[str, Mapping[str, Any]]] = {
    "set_clock": {
        "light_s": lambda keys: keys.number("light_s"),
        "dark_s": lambda keys: keys.number("dark_s"),
    },
    "set_score": {
        "light": lambda keys: keys.whole("light", 0, 10_000),
        "dark": lambda keys: keys.whole("dark", 0, 10_000),
    },
    "set_cube": {
        "value": lambda keys: keys.one_of("value", [1 << power for power in range(13)]),
        "owner": lambda keys: keys.side("owner"),
    },
    "change_play": {
        "game": lambda keys: keys.whole("game", 1, 10_000),
        "ply": lambda keys: keys.whole("ply", 0, 100_000),
        "play": lambda keys: parse_play(keys.text("play")),
    },
    "change_roll": {
        "game": lambda keys: keys.whole("game", 1, 10_000),
        "ply": lambda keys: keys.whole("ply", 0, 100_000),
        "dice": lambda keys: keys.dice("dice"),
    },
    "undo_ply": {
        "game": lambda keys: keys.whole("game", 1, 10_000),
        "ply": lambda keys: keys.whole("ply", 0, 100_000),
    },
}
"""The keys of each correction, and how each is read."""


def _is_stale(command: Mapping[str, Any], channel: Channel) -> bool:
    """Whether something that matters has happened since what the page had seen."""
    seen = command.get("seen")
    if seen is None:
        return False
    if command.get("run") not in (None, channel.run):
        return True
    changed = channel.changed_since(int(seen))
    return changed is None or bool(changed & MATTERS)


def _answer(answer: str, event: int, text: str | None) -> dict[str, Json]:
    return {"answer": answer, "event": event, "text": text}
