"""The commands and where each stands; its module is imported when it is called or its own help is shown."""

import gc
import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby, zip_longest
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from controller.errors import UserError


@dataclass(frozen=True, slots=True)
class Command:
    """A command, or a group of commands.

    Attributes:
        place: module and function, `rules:plays`; for a group what it does by itself, empty if nothing.
        summary: what it does, for the list of commands.
        heading: under which it is listed.
        commands: those of a group.
    """

    place: str
    summary: str
    heading: str = "Commands"
    commands: Mapping[str, "Command"] | None = None


PLAY, CLUB, KEEP, LOOK, RECORD, RULES = (
    "At the table",
    "At the club",
    "Keeping a table",
    "Pictures and films",
    "Recorded matches",
    "Rules",
)

COMMANDS: Final[Mapping[str, Command]] = {
    "run": Command("run:run", "Referee a match at a real table.", PLAY),
    "demo": Command("demo:demo", "The whole product on a simulated table.", PLAY),
    "exercise": Command("learning.exercise:exercise", "Practise a position on your board.", PLAY),
    "ask": Command("learning.ask:ask", "Ask what an engine plays in the position on your board.", PLAY),
    "course": Command("learning.course:course", "Learn to play, lesson by lesson.", PLAY),
    "quiz": Command("learning.quizzes:quiz", "Be asked about your own blunders, when they are due.", PLAY),
    "doctor": Command("doctor:doctor", "Test everything a match needs.", PLAY),
    "pin": Command("upkeep.pin:pin", "Choose the director's PIN, also by a phone with a code.", PLAY),
    "config": Command("config:config", "Print an example configuration, or check yours.", PLAY),
    "board": Command(
        "",
        "The board's electronics.",
        PLAY,
        {
            "settings": Command(
                "devices.lights:board_settings", "Show or change what the board's chip keeps."
            ),
            "flash": Command(
                "devices.firmware:flash_board", "Write the released firmware onto the board's chip."
            ),
        },
    ),
    "tournament": Command(
        "",
        "Run a tournament: entries, draws, results, standings.",
        CLUB,
        {
            "formats": Command("tournament.sheets:formats", "List the formats."),
            "new": Command("tournament.director:new", "Begin a tournament."),
            "enter": Command("tournament.director:enter", "Enter players, also late."),
            "withdraw": Command("tournament.director:withdraw", "Take a player out."),
            "draw": Command("tournament.director:draw", "Draw what comes next."),
            "result": Command("tournament.director:result", "Report the result of a match."),
            "late": Command("tournament.director:late", "Note who came late to a match."),
            "play-off": Command("tournament.director:play_off", "Have two who share a place play for it."),
            "undo": Command("tournament.director:undo", "Take an event back."),
            "show": Command("tournament.sheets:show", "Show what is played now."),
            "standings": Command("tournament.sheets:standings", "Show who stands where, with working."),
            "ratings": Command("tournament.sheets:ratings", "Show ratings before and after."),
            "prizes": Command("tournament.sheets:prizes", "Share the pot among the places."),
            "export": Command("tournament.sheets:export", "Write CSV, JSON, a page, or a bracket."),
        },
    ),
    "hub": Command(
        "club.hub:hub",
        "Bring the tables of a club together.",
        CLUB,
        {
            "pin": Command(
                "club.hub:choose_pin", "Choose the director's PIN, also for one that was forgotten."
            )
        },
    ),
    "pair": Command("club.pairing:pair_table", "Join this table to a club's hub.", CLUB),
    "simulate": Command(
        "",
        "Tables without people, for a hub.",
        CLUB,
        {"tables": Command("club.tables:simulate_tables", "Many simulated tables at one hub.")},
    ),
    "backup": Command("upkeep.archives:backup", "Pack settings, matches and keys into one file.", KEEP),
    "restore": Command("upkeep.archives:restore", "Put a backup back.", KEEP),
    "support": Command("upkeep.archives:support", "Pack what helps others to find a fault.", KEEP),
    "reproduce": Command(
        "upkeep.archives:reproduce_bundle", "Have a defect in a bundle of support happen again.", KEEP
    ),
    "calibrate": Command(
        "",
        "Learn what your table looks like.",
        LOOK,
        {
            "board": Command("boards:calibrate_board", "Learn a board from pictures of a known position."),
            "dice": Command("devices.faces:calibrate_dice", "Learn the numbers on your own dice and cube."),
            "lights": Command("devices.lights:calibrate_lights", "Find which lamp lies under which point."),
        },
    ),
    "snapshot": Command("boards:snapshot", "Take a picture with the table's camera.", LOOK),
    "read": Command("boards:read", "Read the position, dice and cube in pictures.", LOOK),
    "contribute": Command(
        "",
        "Give a filmed board to the public set, or score a program on it.",
        LOOK,
        {
            "form": Command("contribute.folders:form", "Print the form to fill in."),
            "check": Command("contribute.folders:check", "See whether a contribution is in order."),
            "score": Command("contribute.folders:score", "Score a program on contributions."),
        },
    ),
    "replay": Command("games:replay_film", "Follow a filmed game and judge every play.", LOOK),
    "export": Command("files:export_match", "Write a match as .mat, SGF, OGXM, JSON, text or HTML.", RECORD),
    "import": Command("files:import_match", "Read a match file and check every play.", RECORD),
    "check": Command("files:check_files", "Find the first illegal play of matches.", RECORD),
    "dispute": Command(
        "evidence.dispute:dispute", "Show all that is known about a turn on one page.", RECORD
    ),
    "packet": Command("evidence.packets:packet", "Pack a match as evidence that anybody can check.", RECORD),
    "correct": Command(
        "",
        "Correct a recorded match; nothing is overwritten.",
        RECORD,
        {
            "list": Command("corrections:list_corrections", "List the corrections of a match."),
            "play": Command("corrections:play", "Say what was really played."),
            "roll": Command("corrections:roll", "Say what was really rolled."),
            "cube": Command("corrections:cube", "Say what was done with the cube."),
            "score": Command("corrections:score", "Set the score before a game."),
            "result": Command("corrections:result", "Say who won a game, and how many points."),
            "ruling": Command("corrections:ruling", "Note a ruling on a turn or a game."),
            "undo": Command("corrections:undo", "Take back a turn and all that follow in its game."),
            "void": Command("corrections:void", "Take a game out of the match."),
            "revoke": Command("corrections:revoke", "Take back a correction."),
        },
    ),
    "analyse": Command("analyses:analyse", "PR, luck and mistakes of a match, as text or a page.", RECORD),
    "statistics": Command("analyses:statistics", "Dice, times, results: what many matches tell.", RECORD),
    "journal": Command(
        "",
        "Journal tools: check, list, copy, rescue and sign.",
        RECORD,
        {
            "check": Command("journals:check", "Check that a journal is whole and unchanged."),
            "matches": Command("journals:matches", "List the matches of a journal."),
            "copy": Command("journals:copy", "Copy a journal, also while it is in use."),
            "rescue": Command("journals:rescue_journal", "Save what is good of a damaged journal."),
            "key": Command("evidence.keys:key", "Print the key that this table seals with."),
            "countersign": Command("evidence.keys:countersign_journal", "Sign what the table sealed last."),
            "inputs": Command("journals:inputs", "Print a live match as lines for pointsman referee."),
        },
    ),
    "dice": Command(
        "",
        "Dice tools.",
        RECORD,
        {
            "audit": Command("analyses:audit_dice", "Test whether the dice of a match are fair."),
            "watch": Command("devices.dice:watch", "Print what the configured dice tell."),
            "find": Command("devices.dice:find", "List GoDice and Pixels within reach."),
            "patterns": Command("devices.dice:patterns", "List the patterns for lines of dice units."),
        },
    ),
    "plays": Command("rules:plays", "List the legal plays of positions (JSON lines).", RULES),
    "judge": Command("rules:judge", "Judge plays and name the broken rules (JSON lines).", RULES),
    "referee": Command("referee:referee", "The referee alone, as a filter of JSON lines.", RULES),
    "profiles": Command(
        "rules:profiles",
        "List or explain the rule profiles.",
        RULES,
        {"show": Command("rules:show_profile", "Explain a rule profile in words.")},
    ),
}


class PlainCommand(TyperCommand):
    """A command whose usage line has no braces around what must be given.

    An option whose value the help shows in brackets may be given without one; its value is then empty.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the command line apart."""
        may_be_bare = {
            name
            for param in self.params
            if param.param_type_name == "option" and str(param.metavar or "").startswith("[")
            for name in param.opts
        }
        whole = list[str]()
        for word, after in zip_longest(args, args[1:]):
            whole.append(word)
            if word in may_be_bare and (after is None or after.startswith("-")):
                whole.append("")
        return list(super().parse_args(ctx, whole))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the usage line."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


class CommandGroup(TyperGroup):
    """`pointsman` itself, or one of its groups: makes a command when it is asked for.

    `typer` registers commands by importing them all, which would load OpenCV for a list of plays.
    """

    @property
    def table(self) -> Mapping[str, Command]:
        """The commands in their order."""
        known = COMMANDS.get(self.name or "")
        return COMMANDS if known is None or known.commands is None else known.commands

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # noqa: ARG002
        """Their names."""
        return list(self.table)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]
        """A command, ready to run.

        Raises:
            UserError: for a name that is none.
        """
        if cmd_name in self.table:
            return _made(cmd_name, self.table[cmd_name])
        if cmd_name.startswith("-"):
            return None
        near = get_close_matches(cmd_name, self.table, 1)
        remedy = f"did you mean {near[0]}?" if near else f"{ctx.command_path} --help lists the commands."
        raise UserError(f"there is no command {cmd_name!r} of {ctx.command_path}; {remedy}")

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]  # noqa: ARG002
        """Write the list of commands without importing any of them."""
        width = max(map(len, self.table))
        for heading, listed in groupby(self.table.items(), lambda each: each[1].heading):
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", command.summary) for name, command in listed])


def _made(name: str, command: Command) -> Any:
    """What `typer` makes of a command's function, which is imported now."""
    made = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    if command.commands is None:
        made.command(name, cls=PlainCommand)(_function(command.place))
        return get_command(made)
    alone = _function(command.place) if command.place else None
    made.info.name, made.info.cls = name, CommandGroup
    made.info.help = command.summary
    made.callback(invoke_without_command=alone is not None, no_args_is_help=alone is None)(alone or _nothing)
    return get_group(made)


def _function(place: str) -> Any:
    module, function = place.split(":")
    name = f"controller.cli.{module}"
    return getattr(sys.modules.get(name) or _loaded(name), function)


def _loaded(name: str) -> Any:
    """A module that stays for as long as the program runs.

    Nobody looks for rubbish in it, neither now, which would take a quarter of the start, nor later.
    """
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def _nothing() -> None:
    """A group that does nothing by itself."""
