"""An analysis as plain text."""

from collections.abc import Iterator
from typing import Final

from controller.analysis.engine import Analysis, Decision
from controller.analysis.wording import AnalysisWords
from controller.record import MatchRecord
from controller.record.files.transcript import diagram
from controller.rules import Side

MARKS: Final = {Side.LIGHT: "O", Side.DARK: "X"}
"""How the checkers of each side are drawn."""


def report(match: MatchRecord, analysis: Analysis, worst: int, language: str = "en") -> str:
    """Figures of both players, and their worst mistakes with boards. Ends with a line break. Raises LanguageError."""
    words = AnalysisWords(match, analysis, language)
    rows = list(words.figures())
    wide = max(len(name) for name, *_ in rows)
    columns = [max(len(words.names[side]), 9) for side in Side]
    lines = [words.title(), *words.notes(), ""]
    lines.append(" " * wide + "".join(f"  {words.names[side]:>{columns[n]}}" for n, side in enumerate(Side)))
    for name, light, dark in rows:
        lines.append(f"{name:{wide}}  {light:>{columns[0]}}  {dark:>{columns[1]}}")
    lines += [
        "",
        words.say("how"),
        "",
        ", ".join(f"{mark}: {words.names[side]}" for side, mark in MARKS.items()),
    ]
    for number, mistake in enumerate(analysis.mistakes[:worst], start=1):
        lines += ["", *_mistake(number, mistake, words)]
    return "\n".join(lines) + "\n"


def _mistake(number: int, mistake: Decision, words: AnalysisWords) -> Iterator[str]:
    parts = [words.where(mistake), words.score(mistake.state), words.spent(mistake)]
    yield f"{number}. {', '.join(filter(None, parts))}"
    name = words.names[mistake.player]
    yield f"   {name}: {words.what(mistake)} {words.made(mistake)}, {-mistake.loss:.3f}"
    options = words.options(mistake)
    wide = max(len(each.text) for each in options)
    for each in options:
        yield f"   {each.text:{wide}}  {each.equity}  {each.gap:6}  {each.mark}".rstrip()
    dark = mistake.player is Side.DARK
    seen = mistake.before.mirrored() if dark else mistake.before
    shown = diagram(seen)
    if dark:
        shown = shown.translate(str.maketrans("OX", "XO"))
    yield from ("   " + line for line in shown.splitlines())
