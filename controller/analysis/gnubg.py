"""Analysis by GNU Backgammon, which runs as a program of its own and is asked through files and pipes."""

import json
import os
import queue
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from controller.analysis.answers import Answers, answer_key
from controller.analysis.engine import (
    Analysis,
    CubeAction,
    CubeDecision,
    Decision,
    EngineError,
    PlayDecision,
    Progress,
    RatedPlay,
    cautions,
    check_turns,
    left_out,
    rated_play,
    skill_of,
    with_cube,
)
from controller.record import MatchRecord
from controller.record.files.mat import mat_text, plies_as_plays
from controller.record.match.match import Act, Turn
from controller.record.match.playthrough import Moment, by_game, moment_state, moments
from controller.rules import Side
from controller.rules.game.events import Beavered, Doubled, Passed, Raccooned, RulesEvent, Taken

PLACES: Final = ("/usr/games", "/usr/local/bin", "/usr/bin")
COMPLAINT: Final = re.compile(r"WARNING|Unrecognised|not a valid|Illegal or unparsable", re.IGNORECASE)
VERSION: Final = re.compile(r"^GNU Backgammon ([\d.]+)", re.MULTILINE)
SCRIPT: Final = "inside_gnubg.py"
"""The module that gnubg runs itself, in the Python that it carries."""
MARK: Final = "@"
SILENCE_S: Final = 120.0
"""How long gnubg may think about one decision at 0 plies, and for starting; deeper settings get more."""
WORKERS: Final = 2
"""As many gnubgs work at once at most, each on a core of its own."""
NICE: Final = 10
"""By so much they give way to everything else, such as a camera that is watching a match."""
DEEP, QUICK = 2, 0
"""Plies that are looked ahead by default: the first if that takes no longer than `PATIENCE_S`."""
PATIENCE_S: Final = 60.0
SAMPLE: Final = 6
"""Decisions that are timed to know how long all of them would take."""
ACTS: Final[Mapping[str, tuple[type[RulesEvent], ...]]] = {
    "double": (Doubled, Beavered, Raccooned),
    "take": (Taken,),
    "drop": (Passed,),
}
"""What gnubg calls the acts of the cube."""
LETTERS: Final = {"X": Side.LIGHT, "O": Side.DARK}
"""What gnubg calls the players of the left and the right column."""


@dataclass(frozen=True, slots=True)
class GnubgRecord:
    """A record of a match as gnubg has it.

    Attributes:
        place: the game and the record in it, both from 0.
        side: whose it is; `None` for a board that was set.
        action: `move`, `double`, `take`, `drop`, or `set` for dice and boards that were set.
        dice: the roll, if there is one.
        key: what gnubg's judgement depends on, plies apart.
    """

    place: tuple[int, int]
    side: Side | None
    action: str
    dice: tuple[int, ...]
    key: tuple[str, ...]

    @property
    def judged(self) -> bool:
        """Whether gnubg judges it: of a double that was taken or passed it judges the double."""
        return self.action in ("move", "double")


def analyse(
    match: MatchRecord, progress: Progress, plies: int | None = QUICK, answers: Answers | None = None
) -> Analysis:
    """Have a match analysed: every decision, error rates and luck.

    Illegal plays, and those that nobody confirmed, are left out.

    `plies` is how far gnubg looks ahead, 0 to 3; each takes some twenty times as long as the one before. `None` takes
    two, if a few decisions that are timed say that it can be done within a minute, else none. Two gnubgs at most
    work at once, at low priority. What they find is kept in `answers` at once, and not asked again.

    Raises:
        EngineError: if gnubg is not installed, does not take the match, or stops answering.
    """
    check_turns(match)
    with (
        nullcontext(answers) if answers is not None else Answers() as known,
        tempfile.TemporaryDirectory(prefix="pointsman-gnubg-") as folder,
    ):
        asked = _Questions(match, Path(folder), known)
        deeper = None
        if plies is None:
            plies, deeper = _choose_plies(asked)
        said = asked.ask(plies, progress)
    decisions = tuple(_decisions(match, asked.records, said))
    luck = dict.fromkeys(Side, 0.0)
    for record in asked.records:
        if record.side is not None and record.action == "move":
            luck[record.side] += said.get(record.place, {}).get("luck") or 0.0
    light, dark = (skill_of([each for each in decisions if each.player is side], luck[side]) for side in Side)
    name = f"GNU Backgammon {asked.version}"
    left = left_out(match, decisions)
    return Analysis(
        name,
        plies,
        light,
        dark=dark,
        decisions=decisions,
        left_out=left,
        cautions=tuple(cautions(match)),
        deeper_s=deeper,
    )


def binary() -> str:
    """Where gnubg is. Raises EngineError if nowhere."""
    found = shutil.which("gnubg") or shutil.which("gnubg", path=os.pathsep.join(PLACES))
    if found is None:
        raise EngineError("gnubg is not installed; install it with: sudo apt install gnubg")
    return found


def start(script: str, folder: Path, *, asked: bool = False) -> "subprocess.Popen[str]":
    """Start gnubg at a script in a working folder, where it neither reads nor changes the settings of its user.

    With ``asked`` the script is asked through its standard input. Raises EngineError if gnubg is not installed.
    """
    (folder / "script.py").write_text(script, encoding="utf-8")
    return subprocess.Popen(
        [binary(), "-t", "-q", "-r", "-p", "script.py"],
        stdin=subprocess.PIPE if asked else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=folder,
        env=os.environ | {"HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )


class _Questions:
    """A match that gnubg is asked about.

    Attributes:
        records: what gnubg read of it.
        version: of gnubg.
    """

    def __init__(self, match: MatchRecord, folder: Path, answers: Answers) -> None:
        self._folder, self._answers = folder, answers
        self._text = mat_text(match)
        self.version = ""
        complaints: list[str] = []
        surveyed: list[Mapping[str, Any]] = []

        def hear(line: str) -> None:
            if line.startswith(MARK):
                surveyed.append(json.loads(line.removeprefix(MARK)))
            elif found := VERSION.search(line):
                self.version = found[1]
            elif COMPLAINT.search(line):
                complaints.append(line.strip())

        self._run({"plies": 0, "wanted": None}, 1, hear)
        if complaints or not surveyed:
            why = complaints[0] if complaints else "it ended without an answer"
            raise EngineError(f"gnubg did not take the match ({why}); export it and look at it in gnubg.")
        self.records = [
            GnubgRecord(
                tuple(each["place"]),
                LETTERS.get(each["player"]),
                each["action"],
                tuple(each["dice"] or ()),
                tuple(map(str, each["key"])),
            )
            for each in surveyed
        ]

    def missing(self, plies: int) -> list[GnubgRecord]:
        """The records whose judgement is not known yet."""
        judged = [record for record in self.records if record.judged]
        known = self._answers.find(self._key(record, plies) for record in judged)
        return [record for record in judged if self._key(record, plies) not in known]

    def time(self, plies: int, wanted: Sequence[GnubgRecord]) -> float:
        """How many seconds one gnubg needs for each of these records, its start left out."""
        spent: list[float] = []
        self._judge(plies, wanted, 1, lambda found: spent.append(float(found["spent_s"])))
        return sum(spent) / max(len(spent), 1)

    def ask(self, plies: int, progress: Progress) -> dict[tuple[int, int], Mapping[str, Any]]:
        """What gnubg says of each record that it judges, by its place."""
        missing = self.missing(plies)
        judged = [record for record in self.records if record.judged]
        done = len(judged) - len(missing)
        progress(done, len(judged))

        def count(_: Mapping[str, Any]) -> None:
            nonlocal done
            done += 1
            progress(done, len(judged))

        self._judge(plies, missing, min(WORKERS, os.cpu_count() or 1), count)
        keys = {record.place: self._key(record, plies) for record in judged}
        known = self._answers.find(keys.values())
        if lost := sum(key not in known for key in keys.values()):
            raise EngineError(
                f"gnubg ended before it had judged {lost} of {len(judged)} decisions; run the command again, it goes "
                "on where it stopped."
            )
        return {place: known[key] for place, key in keys.items()}

    def _judge(
        self,
        plies: int,
        wanted: Sequence[GnubgRecord],
        workers: int,
        told: Callable[[Mapping[str, Any]], None],
    ) -> None:
        if not wanted:
            return
        keys = {record.place: self._key(record, plies) for record in wanted}

        def hear(line: str) -> None:
            if line.startswith(MARK):
                found = json.loads(line.removeprefix(MARK))
                self._answers.keep({keys[tuple(found["place"])]: found["said"]})
                told(found)

        self._run({"plies": plies, "wanted": [record.place for record in wanted]}, workers, hear)

    def _key(self, record: GnubgRecord, plies: int) -> str:
        return answer_key("gnubg", self.version, plies, record.key)

    def _run(self, task: Mapping[str, Any], workers: int, hear: Callable[[str], None]) -> None:
        """Run gnubgs at a task, each at a share of what is wanted, and hand on what they say, line by line."""
        script = files(__package__).joinpath(SCRIPT).read_text(encoding="utf-8")
        wanted = task["wanted"]
        lines: queue.Queue[str | None] = queue.Queue()
        with ExitStack() as stack:
            for number in range(workers):
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=self._folder)))
                (folder / "match.mat").write_text(self._text, encoding="utf-8")
                share = None if wanted is None else wanted[number::workers]
                (folder / "task.json").write_text(json.dumps({**task, "wanted": share}), encoding="utf-8")
                process = stack.enter_context(start(script, folder))
                listener = threading.Thread(target=_listen, args=(process, lines), daemon=True)
                listener.start()
                # Last in, first out: killed, read to its end, and only then closed.
                stack.callback(listener.join)
                stack.callback(process.kill)
                with suppress(OSError):
                    os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            silence_s = SILENCE_S * 20 ** min(int(task["plies"]), 2)
            running = workers
            while running:
                try:
                    line = lines.get(timeout=silence_s)
                except queue.Empty:
                    raise EngineError(
                        "gnubg stopped answering; let it look fewer plies ahead, or run the command again: it goes "
                        "on where it stopped."
                    ) from None
                if line is None:
                    running -= 1
                else:
                    hear(line)


def _listen(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
    for line in process.stdout or ():
        lines.put(line)
    lines.put(None)


def _choose_plies(asked: _Questions) -> tuple[int, float | None]:
    """How far to look ahead, and how long two plies would take if that is too long."""
    missing = asked.missing(DEEP)
    each_s = asked.time(DEEP, missing[:: max(len(missing) // SAMPLE, 1)][:SAMPLE])
    whole_s = each_s * len(missing) / min(WORKERS, os.cpu_count() or 1)
    return (DEEP, None) if whole_s <= PATIENCE_S else (QUICK, whole_s)


def _decisions(
    match: MatchRecord, records: Iterable[GnubgRecord], said: Mapping[tuple[int, int], Mapping[str, Any]]
) -> Iterator[Decision]:
    """Every decision that gnubg judged, in the order of the match."""
    played = by_game(moments(match))
    games: list[list[GnubgRecord]] = [[] for _ in played]
    for record in records:
        games[record.place[0]].append(record)
    cube = with_cube(match)
    for of_game, course in zip(games, played, strict=True):
        left, plays = iter(course), plies_as_plays(course)
        doubled: Sequence[float] = ()
        ply = 0
        for record in of_game:
            moment = _moment_of(record, left, plays)
            if moment is None:
                continue
            found = said.get(record.place, {})
            if record.action == "move":
                turn = moment.entry
                if not isinstance(turn, Turn):
                    continue
                if cube and not doubled and found.get("cube"):
                    yield _cube_decision(moment, turn.ply, CubeAction.ROLL, found["cube"])
                if turn.legal:
                    yield _play_decision(match, moment, turn, found)
                doubled, ply = (), turn.ply + 1
            elif record.action == "double":
                doubled = found.get("cube", ())
                if doubled:
                    yield _cube_decision(moment, ply, CubeAction.DOUBLE, doubled)
            elif doubled:
                action = CubeAction.TAKE if record.action == "take" else CubeAction.PASS
                yield _cube_decision(moment, ply, action, doubled)


def _moment_of(record: GnubgRecord, left: Iterator[Moment], plays: Container[int]) -> Moment | None:
    """The moment of the match that a record of gnubg is; moments that gnubg does not know are passed over.

    ``plays`` are the plies that gnubg was told as plays.
    """
    wanted = ACTS.get(record.action)
    if wanted is None and record.action != "move":
        return None
    for moment in left:
        entry = moment.entry
        if isinstance(entry, Turn):
            same = entry.player is record.side and sorted(entry.roll.dice) == sorted(record.dice)
            if wanted is None and same and entry.ply in plays:
                return moment
        elif wanted is not None and isinstance(entry, Act) and isinstance(entry.event, wanted):
            return moment
    return None


def _play_decision(match: MatchRecord, moment: Moment, turn: Turn, found: Mapping[str, Any]) -> PlayDecision:
    rules = match.profile(moment.game).movement
    played = RatedPlay(turn.after, turn.text, found["played"][1] if found["played"] else 0.0)
    lost = bool(found["plays"]) and found["plays"][0][1] > played.equity
    named = [rated_play(turn, moves, equity, rules) for moves, equity in found["plays"]] if lost else []
    best = tuple(each for each in named if each is not None) or (played,)
    return PlayDecision(
        moment.game + 1,
        turn.ply,
        turn.player,
        state=moment_state(moment),
        before=turn.before,
        best=best,
        played=played,
        choices=int(found["choices"]),
        luck=float(found["luck"] or 0.0),
        chance=found["chance"],
    )


def _cube_decision(moment: Moment, ply: int, action: CubeAction, equities: Sequence[float]) -> CubeDecision:
    """A decision about the cube before a turn; of a double and its answer `moment` is that of the act."""
    entry, state = moment.entry, replace(moment_state(moment), roll=None)
    doubler = entry.player if isinstance(entry, Turn) else state.on_roll
    player = doubler.opponent if action in (CubeAction.TAKE, CubeAction.PASS) else doubler
    position = moment.match.game.position
    return CubeDecision(
        moment.game + 1,
        ply,
        player,
        state=state,
        before=position,
        action=action,
        no_double=equities[0],
        double_take=equities[1],
    )
