"""Lines for `pointsman referee`, as a test writes them."""

import json
from collections.abc import Iterable
from typing import Any

from controller.app.filter import Filter
from controller.referee.table.settings import Settings
from controller.rules.game.match import Terms
from controller.rules.position import START, Position, Side
from controller.rules.profile.profile import STANDARD

Object = dict[str, Any]
OPENED = "b...BD.B...eE...c.e....B.."
"""Light has played 3-1 from the start."""
DARK_61 = "b...BD.B...dE...bbe....B.."
"""Then dark has played 6-1."""
DARK_WRONG = "b...BD.B...dE...baf....B.."
"""Or 6-2, with the same roll."""


def seen(position: str = START.compact(), times: int = 2, **keys: object) -> list[Object]:
    """The board at rest, in so many pictures."""
    return [{"kind": "seen", "position": position, **keys}] * times


def rolled(first: int, second: int, **keys: object) -> list[Object]:
    """A roll of the electronic dice."""
    return [{"kind": "rolled", "dice": [first, second], **keys}]


def pressed(button: str, side: str | None = None) -> list[Object]:
    """A button."""
    return [{"kind": "pressed", "button": button, "side": side}]


def said(by: str, what: str, **keys: object) -> list[Object]:
    """Something said to the device."""
    return [{"kind": "said", "by": by, "what": what, **keys}]


def moving() -> list[Object]:
    """A hand over the board."""
    return [{"kind": "moving"}]


def timed(*happenings: Iterable[Object]) -> str:
    """What happens one after the other, half a second apart, as the text of a file."""
    lines = [line for happening in happenings for line in happening]
    return "".join(json.dumps({"t": number / 2, **line}) + "\n" for number, line in enumerate(lines))


def asked(
    text: str, settings: Settings | None = None, at: tuple[str, Side] | None = (OPENED, Side.DARK)
) -> list[Object]:
    """The answers of a referee in the middle of a game, dark to roll."""
    beginning = None if at is None else (Position.from_compact(at[0]), at[1])
    table = Filter(settings or Settings(Terms.match(STANDARD, 5)), beginning)
    return [
        json.loads(answer)
        for number, line in enumerate(text.splitlines(), start=1)
        for answer in table.put(line, number)
    ]


def of_kind(answers: Iterable[Object], kind: str) -> list[Object]:
    """The answers of one kind; turns have the kind ``turn`` here."""
    return [answer for answer in answers if answer.get("kind", "turn") == kind]
