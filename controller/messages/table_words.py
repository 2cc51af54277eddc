"""What the device says at a table, in words: codes with arguments in, one or two sentences out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from controller.messages.catalogue import Catalogue, catalogue
from controller.rules import Roll, Side
from controller.rules.game.events import RefusedError
from controller.rules.game.match import Score
from controller.rules.position import Direction, side_point
from controller.rules.reasons import Argument

Arguments = Mapping[str, Argument]
Names = Mapping[Side, str]
"""What the players are called."""

SIDES: Final = frozenset(Side)
ROLLS: Final = frozenset({"dice", "first"})
REFUSED: Final = "refused"
NOT_NOW: Final = "not_now"


def message_words(
    message: str,
    arguments: Arguments,
    language: str = "en",
    names: Names | None = None,
    viewer: Side = Side.LIGHT,
    direction: Direction = Direction.OPPOSED,
) -> str:
    """What a message of the table says.

    Args:
        message: its code, an entry under ``table`` in the catalogues, or `REFUSED` with the ``code`` of a refusal, or
            `NOT_NOW` with ``why`` not.
        arguments: as the message has them; points are numbered 1..24 from light's side.
        language: one of the catalogues'.
        names: what the players are called; else ``light`` and ``dark`` in that language.
        viewer: from whose side points are numbered in the text, which says so.
        direction: how the sides of the game go round the board.

    Raises:
        LanguageError: there are no texts in this language.
    """
    texts = catalogue(language)
    words = {name: _worded(name, value, texts, names) for name, value in arguments.items()}
    sentence = capital(texts.text(*_path(message, arguments), **words))
    points = arguments.get("points")
    if not isinstance(points, list) or not points:
        return sentence
    return f"{sentence} {points_words(points, language, viewer, direction)}"


def roll_words(side: Side | None, roll: Roll, names: Names | None = None) -> Callable[[str], str]:
    """What was rolled, by whom if that is known."""

    def words(language: str) -> str:
        texts = catalogue(language)
        if side is None:
            return texts.text("live", "roll", roll=roll)
        return capital(texts.text("live", "rolled", side=side_words(side, language, names), roll=roll))

    return words


def score_words(number: int, score: Score, names: Names | None = None) -> Callable[[str], str]:
    """Which game begins, and what the score is."""

    def words(language: str) -> str:
        light, dark = (side_words(side, language, names) for side in Side)
        told = {"light": light, "light_points": score.light, "dark": dark, "dark_points": score.dark}
        return catalogue(language).text("live", "game", number=number, **told)

    return words


def trouble_words(trouble: str, count: int, why: str) -> Callable[[str], str]:
    """What is the matter with the electronics and what to do about it, to be said in any language."""
    arguments: Arguments = {"trouble": trouble, "count": count, "why": why}
    return lambda language: message_words("board_trouble", arguments, language)


def refusal_words(refused: RefusedError, language: str = "en") -> str:
    """Why the rules do not allow an event now, as one sentence. Raises LanguageError."""
    return message_words(REFUSED, {"code": str(refused.code), **refused.arguments}, language)


def points_words(
    points: Sequence[object],
    language: str = "en",
    viewer: Side = Side.LIGHT,
    direction: Direction = Direction.OPPOSED,
) -> str:
    """A sentence that names points, given from light's side, in the numbering of ``viewer``. Raises LanguageError."""
    numbers = sorted(side_point(int(str(point)), viewer, direction) for point in points)
    return catalogue(language).text("where", str(viewer), points=", ".join(map(str, numbers)))


def side_words(side: Side, language: str = "en", names: Names | None = None) -> str:
    """What a side is called. Raises LanguageError."""
    return _called(side, catalogue(language), names)


def phase_words(phase: str, language: str = "en") -> str:
    """What the table waits for, in a word or two. Raises LanguageError."""
    return catalogue(language).text("phase", phase)


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def _path(message: str, arguments: Arguments) -> tuple[str, str]:
    """Where the catalogues have the text for a message."""
    if message == REFUSED:
        return "refusal", str(arguments["code"])
    if message == NOT_NOW:
        return NOT_NOW, str(arguments["why"])
    return "table", _entry(message, arguments)


def _entry(message: str, arguments: Arguments) -> str:
    """The text for a message; some have a second one for certain arguments."""
    value = arguments.get("value")
    if message == "tie" and isinstance(value, int) and value > 1:
        return "tie_doubled"
    if message == "roll_too_early" and arguments.get("ask"):
        return "roll_too_early_ask"
    if message == "moved_out_of_turn" and "side" in arguments:
        return "moved_out_of_turn_by"
    if message == "cube_moved" and arguments.get("owner") == "center":
        return "cube_moved_center"
    if message == "cube_due" and arguments.get("owner") == "center":
        return "cube_due_center" if value == 1 else "cube_due_center_turned"
    if message in ("device_gone", "device_back") and arguments.get("device") == "journal":
        return f"{message}_journal"
    if message == "board_trouble":
        return _trouble_entry(str(arguments.get("trouble")), str(arguments.get("why")))
    # A code is told in words of its own by whoever looks after the device.
    if message == "device_gone" and " " in str(arguments.get("why")):
        return "device_gone_why"
    return message


def _trouble_entry(trouble: str, why: str) -> str:
    known = catalogue("en").names("table")
    for entry in (f"board_{trouble}_{why}", f"board_{trouble}"):
        if entry in known:
            return entry
    return "board_trouble"


def _worded(name: str, value: Argument, texts: Catalogue, names: Names | None) -> object:
    if name in ROLLS and isinstance(value, list):
        return "-".join(map(str, value))
    if name == "device" and value in texts.names("device"):
        return texts.text("device", str(value))
    if isinstance(value, str) and value in SIDES:
        return _called(Side(value), texts, names)
    return value


def _called(side: Side, texts: Catalogue, names: Names | None) -> str:
    return (names or {}).get(side) or texts.text("term", str(side))
