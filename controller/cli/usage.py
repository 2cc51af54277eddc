"""What is wrong with a command line, in one sentence."""

from typing import Any

import typer


def is_help(error: typer.TyperException) -> bool:
    """Whether its message is the help itself: a group of commands was named and none of them."""
    return type(error).__name__ == "NoArgsIsHelpError"


def usage_sentence(error: typer.TyperException) -> str:
    """The complaint of `typer` about a command line as one sentence that says what to give, and where to read on."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "pointsman"
    text = " ".join(_complaint(error).split()).rstrip(".")
    return f"{text}; {path} --help says what it takes."


def _complaint(error: typer.TyperException) -> str:
    param = getattr(error, "param", None)
    if type(error).__name__ == "MissingParameter" and param is not None:
        return f"{_name_of(param)} is missing: {param.help or ''}"
    if type(error).__name__ == "NoSuchOption":
        near = getattr(error, "possibilities", None) or ()
        meant = f", did you mean {' or '.join(sorted(near))}?" if near else ""
        return f"there is no option {getattr(error, 'option_name', '')}{meant}"
    if isinstance(error, typer.BadParameter) and param is not None:
        return f"{_name_of(param)}: {error.message.removeprefix('Value error, ')}"
    return error.message[:1].lower() + error.message[1:]


def _name_of(param: Any) -> str:
    """An option as it is typed, an argument as the help names it."""
    longest: str = max(param.opts, key=len)
    return longest if param.param_type_name == "option" else str(param.metavar or param.name)
