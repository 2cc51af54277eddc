"""The command line: bad input is one sentence and exit 2, never a traceback."""

import errno
import io
import logging
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import typer

import controller
from controller.cli.commands import CommandGroup
from controller.cli.extras import extra_sentence
from controller.cli.output import complain
from controller.errors import UserError
from controller.logs.level import PACKAGES

WORDINGS: Final = (
    (r"is not a valid int(eger)?( range)?", "is not a whole number"),
    (r"is not a valid float( range)?", "is not a number"),
    (r"is not in the range x>=(\S+)", r"is less than \1"),
    (r"is not in the range (\S+)<=x<=(\S+)", r"is not between \1 and \2"),
    (r"option '(\S+)' requires an argument", r"\1 needs a value"),
    (r"got unexpected extra argument(?:\(s\)|s)? \((.*)\)", r"\1 is more than it takes"),
    (r"no such option: ", "there is no option "),
)
"""What `typer` says, and how it is said here."""

WINDOW_LIBRARIES: Final = ("libGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0")
"""What the windows of opencv-python take from the system, though Pointsman opens none."""

app = typer.Typer(
    name="pointsman",
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def pointsman(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """A referee for real backgammon boards."""
    if version:
        sys.stdout.write(f"pointsman {controller.__version__}\n")
        raise typer.Exit


def main() -> None:
    """Run the command line and end the process."""
    _open_closed_streams()
    for package in PACKAGES:  # a command that keeps no log says what is wrong in its own words
        logging.getLogger(package).addHandler(logging.NullHandler())
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = app(prog_name="pointsman", standalone_mode=False)
    except UserError as error:
        complain(_error_sentence(error))
        status = error.status
    except typer.TyperException as error:
        if _is_help(error):
            sys.stderr.write(f"{error.message}\n")
        else:
            complain(_usage_sentence(error))
        status = error.exit_code
    except typer.Abort:
        complain("stopped.")
        status = 1
    except OSError as error:
        sentence = _system_sentence(error)
        if sentence is None:
            raise
        _flush(sys.stdout)
        complain(sentence)
        status = 1 if error.errno == errno.ENOSPC else 2
    except ImportError as error:
        missing = extra_sentence(error) or _window_sentence(error)
        if missing is None:
            raise
        complain(missing)
        status = 1
    _flush(sys.stdout)
    sys.exit(status or 0)


def _open_closed_streams() -> None:
    """Let what was closed before the start lead nowhere: a journal must not get the number of standard output."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(number, "w" if number else "r"), encoding="utf-8"))


def _flush(stream: TextIO) -> None:
    """Write what is left; where nobody reads any more the rest goes nowhere, so that the end is quiet."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _error_sentence(error: UserError) -> str:
    """What was wrong, in words; a refusal of the rules has codes only."""
    from controller.messages.table_words import refusal_words  # most commands end without an error
    from controller.rules.game.events import RefusedError

    return refusal_words(error) if isinstance(error, RefusedError) else str(error)


def _system_sentence(error: OSError) -> str | None:
    """What is the matter with the machine or with a name that was given, wherever a command meets it."""
    if error.errno == errno.ENAMETOOLONG:
        return f"{str(error.filename)[:40]!r}... is longer than a file's name may be; check what was given."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) and error.filename is not None:
        return (
            f"{error.filename} may not be used ({error.strerror}); see whose it is: what a command made with sudo "
            "belongs to root."
        )
    if error.errno == errno.ENOSPC:
        return "what was to be written does not fit on the disk; make room, and do it again."
    try:
        Path.cwd()
    except FileNotFoundError:
        return "the folder in which you are is not there any more; go to another one."
    return None


def _window_sentence(error: ImportError) -> str | None:
    """What to install, if OpenCV cannot be loaded for want of a library of the system."""
    library = str(error).partition(":")[0]
    if library not in WINDOW_LIBRARIES:
        return None
    return (
        f"{library} is missing on this system, and OpenCV as pip brings it (opencv-python) does not load without "
        "it. Run: sudo apt install libgl1 libglib2.0-0, or have opencv-python-headless of the same version in "
        "its place, as ./install.sh does."
    )


def _is_help(error: typer.TyperException) -> bool:
    """Whether its message is the help itself: a group of commands was named and none of them."""
    return type(error).__name__ == "NoArgsIsHelpError"


def _usage_sentence(error: typer.TyperException) -> str:
    """The complaint of `typer` about a command line as one sentence that says what to give, or where to read on."""
    param, context = getattr(error, "param", None), getattr(error, "ctx", None)
    text = error.message[:1].lower() + error.message[1:]
    if near := getattr(error, "possibilities", None):
        return f"there is no option {getattr(error, 'option_name', '')}; did you mean {' or '.join(sorted(near))}?"
    if type(error).__name__ == "MissingParameter":
        text = f"{_name_of(param)} is missing: {getattr(param, 'help', '')}"
    elif isinstance(error, typer.BadParameter):
        text = f"{_name_of(param)}: {error.message.removeprefix('Value error, ')}"
    for pattern, better in WORDINGS:
        text = re.sub(pattern, better, text)
    path = "pointsman COMMAND" if context is None else context.command_path
    return f"{' '.join(text.split()).rstrip('.')}; {path} --help says what it takes."


def _name_of(param: Any) -> str:
    """An option as it is typed, an argument as the help names it."""
    longest: str = max(param.opts, key=len)
    return longest if param.param_type_name == "option" else str(param.metavar or param.name)
