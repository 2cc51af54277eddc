"""How films are followed that are darker, noisier, smaller, mirrored, shaken or thinner than those that were taken.

Each film of `tests.bench.films` is altered in every way of `ALTERATIONS`, its pictures of the start position too, and
put through `pointsman calibrate board` and `pointsman replay`, its dice read from the pictures. Boards and plays stay
what they are, so whatever is told otherwise comes of the alteration. An altered film is kept until it was followed.
By itself: ``python -m tests.bench.bench_altered [FOLDER] [--only NAME ...] [--verbose]`` prints a table to standard
error and the rows as JSON to standard output; a film of nine minutes takes one to three minutes each time.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from controller.arrays import Picture
from controller.devices.film import TIMES, open_film
from controller.record.table.match_folder import EVENTS
from controller.rules.position import START
from tests.bench.alterations import ALTERATIONS, Alteration, Keep
from tests.bench.films import (
    KINDS,
    FilmsError,
    Line,
    compact,
    films,
    home_of,
    lines_of,
    pictures_of,
    start_pictures_of,
)

POINTSMAN: Final = str(Path(sys.executable).with_name("pointsman"))
QUALITY: Final = (int(cv2.IMWRITE_JPEG_QUALITY), 95)
Count = tuple[int, int]
"""So many of how many."""


@dataclass(frozen=True)
class Tally:
    """What came of one film, each of how many.

    Attributes:
        positions: plies after which the board was told as it lay.
        plies: those of them whose player and dice were right, too.
        noticed: illegal plays that were told, with a code of their kind.
        accused: legal plays that were called illegal.
        invented: plays that were written as certain and legal though the board lay otherwise, and plies beyond the
            last.
        score: games whose winner and points were right.
    """

    positions: Count
    plies: Count
    noticed: Count
    accused: Count
    invented: Count
    score: Count


TARGETS: Final[Mapping[str, float]] = {
    "positions": 1.0,
    "plies": 0.85,
    "noticed": 0.6,
    "accused": 0.0,
    "invented": 0.0,
    "score": 1.0,
}
"""Shares. However poor the pictures are, nobody is accused falsely, no play invented, and the score is right."""


def run(named: str | None = None, only: Sequence[str] = (), *, verbose: bool = False) -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    rows: list[dict[str, Any]] = []
    for film in films(named):
        truth = lines_of(film / "events.jsonl")
        for name, alteration in ALTERATIONS.items():
            if (only and name not in only) or (alteration.mirrors and home_of(film) is None):
                continue
            told = followed(film, alteration)
            if verbose:
                sys.stderr.writelines(f"  {film.name}, {name}: {line}\n" for line in _otherwise(truth, told))
            rows += _rows(f"{film.name}, {name}", tally(truth, told))
    return rows


def followed(film: Path, alteration: Alteration) -> list[Line]:
    """The lines of `events.jsonl` that the commands write of an altered film; none where one of them fails."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        board, out = place / "board.toml", place / "out"
        starts = [
            each for picture in _altered_starts(film, alteration, place) for each in ("--image", picture)
        ]
        home = home_of(film)
        where = ["--light-home", alteration.home(home)] if home is not None else []
        if not _ran("calibrate", "board", *starts, *where, "--out", board):
            return []
        before = compact(lines_of(film / "events.jsonl")[0]["before"])
        begun = [] if before == START.compact() else ["--position", before]
        pictures = altered_film(pictures_of(film), alteration, place)
        if not _ran("replay", "--board", board, "--frames", pictures, *begun, "--out", out):
            return []
        return lines_of(out / EVENTS)


def altered_film(pictures: Path, alteration: Alteration, place: Path) -> Path:
    """A video, or a folder of pictures, with each picture altered, in the folder ``place``."""
    if alteration.keeps is not None:
        return _thinned_film(pictures, alteration, alteration.keeps, place / "pictures")
    if not pictures.is_dir():
        return _altered_video(pictures, alteration, place / pictures.name)
    folder = place / pictures.name
    folder.mkdir()
    if (pictures / TIMES).is_file():
        shutil.copy(pictures / TIMES, folder)
    for frame in open_film(pictures):
        if frame.picture is not None:
            cv2.imwrite(str(folder / frame.name), alteration.alter(frame.picture, frame.number), QUALITY)
    return folder


def _thinned_film(film: Path, alteration: Alteration, keeps: Keep, folder: Path) -> Path:
    """A folder of those pictures that stay, each at its time."""
    folder.mkdir()
    last = -math.inf
    with (folder / TIMES).open("w") as times:
        for frame in open_film(film):
            if frame.picture is not None and keeps(frame.t, last):
                last, name = frame.t, f"{frame.number:06d}.jpg"
                cv2.imwrite(str(folder / name), alteration.alter(frame.picture, frame.number), QUALITY)
                times.write(json.dumps({"file": name, "t": frame.t}) + "\n")
    return folder


def _altered_video(film: Path, alteration: Alteration, altered: Path) -> Path:
    a_second = cv2.VideoCapture(str(film)).get(cv2.CAP_PROP_FPS)
    writer: cv2.VideoWriter | None = None
    for frame in open_film(film):
        assert frame.picture is not None, frame.fault
        picture = alteration.alter(frame.picture, frame.number)
        if writer is None:
            size = picture.shape[1], picture.shape[0]
            writer = cv2.VideoWriter(str(altered), cv2.VideoWriter.fourcc(*"mp4v"), a_second, size)
        writer.write(picture)
    if writer is not None:
        writer.release()
    return altered


def _altered_starts(film: Path, alteration: Alteration, place: Path) -> Iterator[Path]:
    for picture in start_pictures_of(film):
        altered = place / picture.name
        cv2.imwrite(str(altered), alteration.alter(_loaded(picture), 0), QUALITY)
        yield altered


def _loaded(file: Path) -> Picture:
    return np.asarray(cv2.imread(str(file)), np.uint8)


def _ran(*arguments: str | Path) -> bool:
    done = subprocess.run([POINTSMAN, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr[-500:])
    return done.returncode == 0


def tally(truth: Sequence[Line], told: Sequence[Line]) -> Tally:
    """What the lines of `events.jsonl` are worth beside the truth."""
    lines = _by_ply(told)
    legal = [ply for ply in truth if ply["legal"]]
    illegal = [ply for ply in truth if not ply["legal"]]
    doubted = {line["ply"] for line in told if line.get("kind") == "unsure" and "ply" in line}
    sure = [ply for ply in truth if ply["ply"] not in doubted]
    invented = sum(_is_invented(ply, lines.get(ply["ply"], [])) for ply in sure)
    beyond = len(lines.keys() - {ply["ply"] for ply in truth})
    over = [line for line in told if line.get("kind") == "game_over"]
    end = truth[-1].get("game_over")
    return Tally(
        positions=(sum(_is_placed(ply, lines) for ply in truth), len(truth)),
        plies=(sum(_is_right(ply, lines) for ply in truth), len(truth)),
        noticed=(sum(bool(_codes(lines.get(ply["ply"], [])) & _kind(ply)) for ply in illegal), len(illegal)),
        accused=(sum(_is_called_illegal(lines.get(ply["ply"], [])) for ply in legal), len(legal)),
        invented=(invented + beyond, len(truth)),
        score=(int(end is not None and bool(over) and _same_end(over[-1], end)), int(end is not None)),
    )


def _by_ply(told: Sequence[Line]) -> dict[int, list[Line]]:
    """The lines of turns by their ply."""
    found: dict[int, list[Line]] = {}
    for line in told:
        if "move" in line and "legal" in line:
            found.setdefault(line["ply"], []).append(line)
    return found


def _is_placed(ply: Line, lines: Mapping[int, list[Line]]) -> bool:
    last = lines.get(ply["ply"], [])[-1:]
    return any(line["position"] == compact(ply["after"]) for line in last)


def _is_right(ply: Line, lines: Mapping[int, list[Line]]) -> bool:
    if not _is_placed(ply, lines):
        return False
    last = lines[ply["ply"]][-1]
    return bool(last["player"] == ply["player"] and sorted(last["dice"]) == sorted(ply["dice"]))


def _is_invented(ply: Line, lines: Sequence[Line]) -> bool:
    last = lines[-1:]
    return any(line["legal"] is True and line["position"] != compact(ply["after"]) for line in last)


def _is_called_illegal(lines: Sequence[Line]) -> bool:
    return any(line["legal"] is False for line in lines)


def _codes(lines: Sequence[Line]) -> set[str]:
    return {reason["code"] for line in lines if line["legal"] is False for reason in line["reasons"]}


def _kind(ply: Line) -> set[str]:
    return KINDS.get(ply.get("illegal_kind") or "", set())


def _same_end(line: Line, end: Line) -> bool:
    return bool(line.get("winner") == end["winner"] and line.get("points") == end["points"])


def _otherwise(truth: Sequence[Line], told: Sequence[Line]) -> Iterator[str]:
    """The plies that were not told right."""
    lines = _by_ply(told)
    for ply in truth:
        here = lines.get(ply["ply"], [])
        if not _is_right(ply, lines) or _is_called_illegal(here) is ply["legal"]:
            shown = [
                f"{line['dice']} {line['move']} {sorted(_codes([line])) or line['legal']}" for line in here
            ]
            kind = "" if ply["legal"] else f" ({ply['illegal_kind']})"
            made = f"ply {ply['ply']}, {ply['player']} {ply['dice']} {ply['move']}{kind}"
            yield f"{made}: {'; '.join(shown) or 'nothing'}"


def _rows(how: str, found: Tally) -> Iterator[dict[str, Any]]:
    for field in fields(found):
        count, of = getattr(found, field.name)
        target = round(TARGETS[field.name] * of, 1)
        yield {"name": f"{field.name}: {how}", "value": count, "unit": f"of {of}", "target": target}


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """A row for each alteration."""
    names = [field.name for field in fields(Tally)]
    table = Table("film", *names)
    for at in range(0, len(rows), len(names)):
        one = rows[at : at + len(names)]
        table.add_row(one[0]["name"].partition(": ")[2], *(f"{row['value']} {row['unit']}" for row in one))
    return table


def main() -> None:
    """Measure the films that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", help="films besides the one that ships; FILMS names one, too")
    parser.add_argument("--only", nargs="*", default=[], choices=[*ALTERATIONS], metavar="NAME")
    parser.add_argument("--verbose", action="store_true", help="show the plies that were told otherwise")
    given = parser.parse_args()
    rows = run(given.folder, given.only, verbose=given.verbose)
    Console(stderr=True, width=140).print(_table(rows))
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    try:
        main()
    except FilmsError as error:
        sys.exit(str(error))
