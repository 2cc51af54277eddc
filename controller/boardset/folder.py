"""A contribution to the set: a folder with a minute of film, its match file, and who gives it under what licence."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, get_args

from calibration.finder import Quadrant
from controller.errors import UserError
from controller.record.files.formats import read_match_file
from controller.record.match.match import MatchRecord
from controller.tomlfile.checks import Flag, Number, OneOf, Several, Text, key, keys_of, shown
from controller.tomlfile.document import Document, parse_document, read_text

FORM: Final = "contribution.toml"
MOMENTS: Final = "moments.jsonl"
FILM: Final = ("film.mp4", "film.mov", "film.mkv", "film.avi", "frames")
MATCH: Final = ("match.mat", "match.sgf", "match.ogxm", "match.json", "match.xg", "match.bgf", "match.txt")
LICENCES: Final = ("CC0-1.0", "CC-BY-4.0")
FEWEST_POSITIONS, MOST_MOMENTS, MOST_TURNS = 4, 60, 1000
FACE: Final = Number(1, 6, whole=True)
DICE: Final = Several(FACE, 4, repeat=True)


class ContributionError(UserError):
    """A contribution that is not in order; the sentence names the file and what to do."""


@dataclass(frozen=True, slots=True)
class Giver:
    """Who gives what: the table ``contribution``."""

    by: str = key("", Text(what="a name"), "How you want to be named.", example="A. Player")
    licence: str = key(
        "", OneOf(LICENCES), "Under which everybody may use it: CC0-1.0 or CC-BY-4.0.", example="CC0-1.0"
    )
    filmed: str = key(
        "", Text(10, "the day, as 2026-11-20", 10), "The day it was filmed.", example="2026-11-20"
    )
    about: str = key(
        "",
        Text(what="a few words on the board"),
        "Which board, which camera, which light.",
        example="A wooden board, a phone on a shelf, lamp light",
    )


@dataclass(frozen=True, slots=True)
class GivenConsent:
    """What the giver has agreed to: the table ``consent``."""

    mine: bool = key(False, Flag(), "You filmed it yourself and may give it away.")
    people: bool = key(False, Flag(), "Nobody can be recognised in it, or everybody who can has agreed.")
    public: bool = key(False, Flag(), "You know that it is public for good and cannot be called back.")


@dataclass(frozen=True, slots=True)
class Filmed:
    """How the board stood: the table ``board``, which may be left out."""

    light_home: Quadrant | None = key(
        None,
        OneOf(get_args(Quadrant)),
        "Where Light's home board lies in the picture.",
        example="bottom-right",
    )
    cube: bool = key(True, Flag(), "Whether the camera sees a doubling cube, on the board or beside it.")


@dataclass(frozen=True, slots=True)
class RestMoment:
    """A moment at which the board is at rest.

    At ``t`` seconds of the film so many ``turns`` of a ``game`` of the match (counted from 1) are finished. ``dice``
    are those that lie on the board, None where nobody says; ``line`` is the one it is written in.
    """

    t: float
    turns: int
    game: int
    dice: tuple[int, ...] | None
    line: int


@dataclass(frozen=True, slots=True)
class Contribution:
    """A folder whose files are all there and can be read."""

    folder: Path
    given: Giver
    consent: GivenConsent
    board: Filmed
    film: Path
    match: MatchRecord
    moments: tuple[RestMoment, ...]


TABLES: Final[Mapping[str, type]] = {"contribution": Giver, "consent": GivenConsent, "board": Filmed}


def read_contribution(folder: Path) -> Contribution:
    """The contribution in a folder.

    Raises:
        ContributionError: a file is missing or unclear, or a consent is not given.
        UserError: the match file cannot be read.
    """
    if not folder.is_dir():
        raise ContributionError(f"{folder} is no folder; give the folder of a contribution.")
    given, consent, board = _form(folder / FORM)
    film, match = _one_of(folder, FILM, "film"), _one_of(folder, MATCH, "match file")
    try:
        record = read_match_file(match.read_bytes(), str(match))
    except OSError as error:
        raise ContributionError(
            f"{match} cannot be read ({error.strerror}); put the match file there."
        ) from None
    moments = _moments(folder / MOMENTS)
    return Contribution(folder, given, consent, board=board, film=film, match=record, moments=moments)


def form() -> str:
    """A form to fill in: every key with what it is for, and an example; no consent is given in it."""
    lines: list[str] = []
    for name, table in TABLES.items():
        lines.append(f"[{name}]")
        for each in keys_of(table):
            lines += [f"# {each.words}", f"{each.name} = {shown(each.example or each.default)}"]
        lines.append("")
    return "\n".join(lines).rstrip()


def _form(path: Path) -> tuple[Giver, GivenConsent, Filmed]:
    remedy = "print a form with pointsman contribute form, and fill it in"
    text = read_text(path, ContributionError, remedy)
    document = parse_document(text, str(path), ContributionError, tuple(TABLES))
    values = {
        name: document.section(name, {each.name: each.check for each in keys_of(table)})
        for name, table in TABLES.items()
    }
    given, consent = Giver(**values["contribution"]), GivenConsent(**values["consent"])
    _refuse_gaps(document, given, consent)
    return given, consent, Filmed(**values["board"])


def _refuse_gaps(document: Document, given: Giver, consent: GivenConsent) -> None:
    for each in fields(given):
        if not getattr(given, each.name):
            raise document.fault("contribution", f"{each.name} is missing; write it under [contribution].")
    try:
        date.fromisoformat(given.filmed)
    except ValueError:
        raise document.fault("contribution.filmed", "filmed is no day; write it as 2026-11-20.") from None
    for agreed in keys_of(GivenConsent):
        if not getattr(consent, agreed.name):
            why = f"{agreed.name} is not true; without this consent the film cannot be taken: {agreed.words}"
            raise document.fault(f"consent.{agreed.name}", why)


def _one_of(folder: Path, names: tuple[str, ...], what: str) -> Path:
    found = [folder / name for name in names if (folder / name).exists()]
    if len(found) != 1:
        why = "there is none" if not found else f"there are {' and '.join(path.name for path in found)}"
        raise ContributionError(f"{folder} needs one {what}, and {why}; keep one of {', '.join(names)}.")
    return found[0]


def _moments(path: Path) -> tuple[RestMoment, ...]:
    example = '{"t": 12.4, "turns": 3, "dice": [3, 1]}'
    text = read_text(path, ContributionError, f"write a line such as {example} for each moment")
    found = tuple(_parsed(path, text, example))
    for earlier, later in pairwise(found):
        if later.t <= earlier.t or (later.game, later.turns) < (earlier.game, earlier.turns):
            raise ContributionError(
                f"{path}, line {later.line}: it does not come after the line before; put the moments in order."
            )
    if len({(moment.game, moment.turns) for moment in found}) < FEWEST_POSITIONS:
        raise ContributionError(
            f"{path} tells of fewer than {FEWEST_POSITIONS} positions; add moments after other turns."
        )
    if len(found) > MOST_MOMENTS:
        raise ContributionError(f"{path} has {len(found)} moments; keep {MOST_MOMENTS} of them at most.")
    return found


def _parsed(path: Path, text: str, example: str) -> Iterator[RestMoment]:
    for number, line in enumerate(text.splitlines(), start=1):
        if re.fullmatch(r"\s*", line):
            continue
        try:
            yield _moment(json.loads(line), number)
        except (ValueError, RecursionError):
            raise ContributionError(f"{path}, line {number} is no moment; write it as {example}.") from None


def _moment(told: Any, line: int) -> RestMoment:
    """Raises ValueError where a line says anything else, or too little."""
    if not isinstance(told, dict) or not {"t", "turns"} <= told.keys() <= {"t", "turns", "game", "dice"}:
        raise ValueError
    t: Any = Number(0, 86400).value(told["t"])
    turns: Any = Number(0, MOST_TURNS, whole=True).value(told["turns"])
    game: Any = Number(1, MOST_TURNS, whole=True).value(told.get("game", 1))
    dice: Any = DICE.value(told["dice"]) if "dice" in told else None
    return RestMoment(t, turns, game, dice, line)
